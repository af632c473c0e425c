/* sparsify_offsets.c - levels at other coordinates than those of the variable visited, but in step
 * with it: what is known around tells how far away they are (Liu et al. 2024, section 5.2).
 *
 *     forall i { forall k { y(i) add x(i + k) * f(k) } }      x and f compressed
 *
 *     sit.coiterate %x level 0 offset %i, %f level 0 from %zero to %n {
 *     case (0, 1) as (%k, %px, %pf) ...
 *
 * The offset is what the level's subscript is where the variable is 0.  The subscript must rise by
 * one with the variable: i + k and s - i do, with k and with s; i - k and i + 2 k do not, and are
 * searched for, or gone through themselves (planning/statement_remap.h).
 */
#include "sparsify_visit.h"

#include "cin.h"
#include "remap.h"

/* How much a subscript rises with each step of the variable; false where that is not the same
 * everywhere, or what it is of does not follow. */
static bool subscript_rise(const sparsifier *p, const subscript *s, MlirValue variable,
                           int64_t *rise) {
  remap form;
  MlirAffineExpr expression = remap_canonical(s->expression);
  *rise = 0;
  if (mlirAffineExprIsADim(expression))
    return provenance_rise(p->graph, s->variables[mlirAffineDimExprGetPosition(expression)],
                           variable, rise);
  if (!remap_is_form(expression) || !remap_of(expression, &form))
    return false;
  for (int n = 0; n < form.count; ++n) {
    int64_t one;
    remap_term term = remap_term_at(&form, n);
    if (!provenance_rise(p->graph, s->variables[mlirAffineDimExprGetPosition(term.of)], variable,
                         &one))
      return false;
    *rise += term.factor * one;
  }
  return true;
}

bool visit_takes_offset(const sparsifier *p, const visit *w, const iterator *i) {
  int64_t rise;
  bool serial = !w->point && cin_op_unit(w->forall->op) == CIN_SERIAL && !p->now.on_lanes;
  bool in_order = iterator_can_walk(i) && (iterator_is_ordered(i) || iterator_is_branchless(i));
  return serial && in_order && !iterator_has_triangle(i) && !subscript_is_known(&i->at, p->graph) &&
         subscript_rise(p, &i->at, w->known, &rise) && rise == 1;
}

static bool is_at(const iterator *i, MlirValue variable) {
  MlirValue at = subscript_variable(&i->at);
  return !mlirValueIsNull(at) && mlirValueEqual(at, variable);
}

bool visit_has_offsets(const visit *w) {
  bool any = false;
  for (int n = 0; n < w->lattice->iterator_count && !w->point; ++n)
    any |= !is_at(w->lattice->iterators[n], w->known);
  return any;
}

const MlirValue *visit_offsets(sparsifier *p, const visit *w) {
  const merge_lattice *l = w->lattice;
  MlirValue *offsets = ARENA_ARRAY(p->memory, MlirValue, l->iterator_count + 1);
  if (!visit_has_offsets(w))
    return NULL;
  provenance_bind(p->graph, w->known, constant_index(p->b, 0));
  for (int n = 0; n < l->iterator_count; ++n)
    if (!is_at(l->iterators[n], w->known))
      offsets[n] = subscript_coordinate(&l->iterators[n]->at, p->graph, p->b);
  provenance_unbind(p->graph, w->known);
  return offsets;
}
