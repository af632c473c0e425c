/* sparsify_padding.c - accesses that may be out of range.
 *
 *     y(i) = x[pad](i + k - 1) * w(k)
 *
 *     in range     x is read            out of range     x is its fill, as where nothing is stored;
 *                                                        with [pad:VALUE] another value
 *
 * So a level is located, or has no entry: sit.locate and sit.coiterate test it (`padded`).  What is
 * computed is told by the algebra, as for any level that may have none.  Where nothing is, a loop
 * goes only where the access is in range, and needs no test inside:
 *
 *     for k from max(0, 1 - i) to min(K, N + 1 - i)
 *
 * Where the value out of range
 * is not the fill, what is not stored does not tell it: it is selected.
 */
#include "cin_kernel.h"
#include "remap.h"
#include "sparsify_visit.h"

bool iterator_may_be_outside(const sparsifier *p, const iterator *i) {
  return i->at.padded && !p->now.within[i->number];
}

static MlirValue coordinate_of(const sparsifier *p, const subscript *s) {
  if (subscript_is_known(s, p->graph))
    return subscript_coordinate(s, p->graph, p->b);
  MlirValue form = cin_form_variable(p->s->kernel, s->expression, s->count, s->variables);
  return provenance_coordinate(p->graph, p->b, form);
}

static MlirValue is_inside(const sparsifier *p, const tensor_read *a, intptr_t d) {
  builder *b = p->b;
  MlirValue coordinate = coordinate_of(p, &a->subscripts[d]);
  MlirValue below = less(b, coordinate, sit_extent(b, a->tensor->value, d));
  return and_i(b, less_equal(b, constant_index(b, 0), coordinate), below);
}

/* Whether all subscripts are in range; null where the access is no other there than where nothing
 * is stored. */
static MlirValue all_inside(const sparsifier *p, const tensor_read *a) {
  MlirValue inside = {NULL};
  for (intptr_t d = 0; a->pads && d < a->rank; ++d)
    if (a->subscripts[d].padded) {
      MlirValue here = is_inside(p, a, d);
      inside = mlirValueIsNull(inside) ? here : and_i(p->b, inside, here);
    }
  return inside;
}

static MlirValue value_inside(sparsifier *p, const tensor_read *a, MlirValue value) {
  MlirValue inside = all_inside(p, a);
  return mlirValueIsNull(inside) ? value
                                 : select_value(p->b, inside, value, scalar_emit(p->b, &a->pad));
}

MlirValue padding_value(sparsifier *p, const tensor_read *a) {
  return value_inside(p, a, scalar_emit(p->b, &a->tensor->fill));
}

MlirValue padded_value(sparsifier *p, const tensor_read *a, MlirValue value) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (a->tensor->format->levels[k].dimension < 0)
      return value_inside(p, a, value);
  return value;
}

/* ---- clipping ----------------------------------------------------------------------------- */

/* The factor of the variable in a linear subscript all other variables of which are known; 0 for
 * none. */
static int64_t last_factor(const sparsifier *p, const subscript *s, MlirValue variable) {
  remap form;
  int64_t factor = 0;
  MlirAffineExpr e = remap_canonical(s->expression);
  if (!remap_of(e, &form) || form.kind != REMAP_LINEAR)
    return 0;
  for (int n = 0; n < form.count; ++n) {
    remap_term term = remap_term_at(&form, n);
    MlirValue other = mlirAffineExprIsADim(term.of)
                          ? s->variables[mlirAffineDimExprGetPosition(term.of)]
                          : (MlirValue){NULL};
    if (mlirValueIsNull(other) ||
        (!mlirValueEqual(other, variable) && !provenance_is_known(p->graph, other)))
      return 0;
    if (mlirValueEqual(other, variable))
      factor = term.factor;
  }
  return factor;
}

static MlirValue ceil_of(builder *b, MlirValue x, int64_t by) {
  return by == 1 ? x : ceil_div(b, x, constant_index(b, by));
}

/* Where 0 <= factor * v + rest < size. */
static interval range_inside(builder *b, int64_t factor, MlirValue rest, MlirValue size) {
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  if (factor > 0)
    return (interval){ceil_of(b, sub(b, zero, rest), factor),
                      ceil_of(b, sub(b, size, rest), factor)};
  MlirValue above = add(b, rest, one);
  return (interval){ceil_of(b, sub(b, above, size), -factor), ceil_of(b, above, -factor)};
}

static MlirValue rest_of(const sparsifier *p, const subscript *s, MlirValue variable) {
  provenance_bind(p->graph, variable, constant_index(p->b, 0));
  MlirValue rest = subscript_coordinate(s, p->graph, p->b);
  provenance_unbind(p->graph, variable);
  return rest;
}

static void clip_to(sparsifier *p, const visit *w, const iterator *i, int64_t factor,
                    coiteration *c) {
  builder *b = p->b;
  MlirValue size = sit_extent(b, i->tensor->value, i->format->dimension);
  interval inside = range_inside(b, factor, rest_of(p, &i->at, w->known), size);
  MlirValue low = mlirValueIsNull(c->low) ? constant_index(b, 0) : c->low;
  MlirValue high = mlirValueIsNull(c->high) ? c->extent : c->high;
  c->high = max_i(b, low, min_i(b, high, inside.high));
  c->low = min_i(b, max_i(b, low, inside.low), c->high);
  p->now.within[i->number] = true;
}

void visit_clip(sparsifier *p, const visit *w, coiteration *c) {
  if (w->point || w->compound || w->lattice->iterator_count || w->lattice->any || !c->extent.ptr)
    return;
  usage used = usage_of(p, &w->all);
  absence here = absence_here(p);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    bool reads = used.iterators[n] && !p->now.absent[n] && iterator_may_be_outside(p, i);
    if (!reads || !subscript_is_compound(&i->at) || i->format->dimension < 0)
      continue;
    int64_t factor = last_factor(p, &i->at, w->known);
    if (factor && effects_vanish_without(&here, &w->all, i))
      clip_to(p, w, i, factor, c);
  }
}
