/* sparsify_fuse.c - fused iterators (Chou et al. 2018, section 4.5): directly nested foralls that
 * do nothing but walk one chain of branchless levels,
 *
 *     forall i { forall j { y(i) add= A(i,j) * x(j) } }      A : (i : nonunique, j : branchless)
 *
 * visit the chain entry by entry, if the result allows that i is visited several times; otherwise
 * the duplicates of i make one visit.
 */
#include "sparsify_visit.h"

#include "cin.h"

/* The one branchless level under `i` that is used; NULL where there is none. */
static const iterator *chained(const sparsifier *p, const usage *used, const iterator *i) {
  const iterator *below = NULL;
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *child = p->s->iterators.iterators[n];
    if (child->parent != i || !used->iterators[n] || !iterator_is_branchless(child))
      continue;
    if (below)
      return NULL;
    below = child;
  }
  return below;
}

/* The forall over `variable` that is all there is in the body of `forall`. */
static const index_statement *nested_over(const index_statement *forall, MlirValue variable) {
  if (forall->body.count != 1)
    return NULL;
  const index_statement *inner = forall->body.statements[0];
  bool fits = inner->kind == STATEMENT_FORALL && mlirValueEqual(inner->variable, variable) &&
              cin_op_unit(inner->op) == CIN_SERIAL;
  return fits ? inner : NULL;
}

/* Whether nothing remains where the iterator has no entry, and every other level is located. */
static bool is_alone(const sparsifier *p, const usage *used, const effects *all,
                     const iterator *first) {
  absence here = absence_here(p);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (used->iterators[n] && !iterator_is_located(i) && i->tensor != first->tensor &&
        mlirValueIsNull(p->now.positions[n]))
      return false;
  }
  return effects_vanish_without(&here, all, first);
}

/* Whether what is assigned at one coordinate is added up, now or when the result is ordered. */
static bool adds_up(const sparsifier *p, const assignment *a) {
  if (!a->kind)
    return p->built.how.way == ASSEMBLY_RECORD && a->target == p->s->result;
  return a->kind == TIN_ADD;
}

static bool are_linear_sums(const sparsifier *p, const effects *all, const tensor *t) {
  absence here = absence_here(p);
  for (int n = 0; n < all->count; ++n) {
    const assignment *a = all->assignments[n];
    const expression *e = assignment_remainder(&here, a);
    if (e && (!adds_up(p, a) || !expression_is_linear(p->s->expressions, e, t)))
      return false;
  }
  return true;
}

static bool effects_allow_revisits(const sparsifier *p, const effects *all, int count,
                                   const MlirValue *variables, MlirValue last) {
  for (int n = 0; n < all->count; ++n)
    if (all->assignments[n]->target == p->s->result &&
        !assembly_come_again(&p->built, count, variables, last))
      return false;
  return true;
}

/* Whether the result keeps an entry each time it comes (recorded ones until they are combined). */
static bool result_keeps_all(const sparsifier *p) {
  int count = result_level_count(p);
  return count && assembly_keeps_all(p->built.how.format, count - 1);
}

static bool mark_fused(sparsifier *p, const iterator *first, const iterator *last) {
  for (const iterator *i = last; i; i = i == first ? NULL : i->parent)
    p->now.fused[i->number] = true;
  return true;
}

static bool has_branchless_below(const sparsifier *p, const usage *used, const iterator *i) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *child = p->s->iterators.iterators[n];
    if (child->parent == i && used->iterators[n] && iterator_is_branchless(child))
      return true;
  }
  return false;
}

/* Whether the walk's iterator begins a chain that can be fused; marks the chain if so. */
static bool fuse_chain(sparsifier *p, const visit *w) {
  const iterator *first = w->lattice->iterators[0], *last = first;
  const index_statement *at = w->forall;
  if (iterator_has_triangle(first))
    return false;
  usage used = usage_of(p, &w->all);
  MlirValue *variables = ARENA_ARRAY(p->memory, MlirValue, first->tensor->format->level_count + 1);
  int count = 0;
  for (const iterator *next; (next = chained(p, &used, last)); last = next) {
    variables[count++] = at->variable;
    at = nested_over(at, subscript_variable(&next->at));
    if (!at)
      return false;
  }
  if (has_branchless_below(p, &used, last) || !is_alone(p, &used, &w->all, first))
    return false;
  if (!iterator_is_unique(last)) {
    variables[count++] = at->variable;
    if (last->level + 1 != first->tensor->format->level_count && result_keeps_all(p))
      return mark_fused(p, first, last);
    if (!are_linear_sums(p, &w->all, first->tensor))
      return false;
  }
  if (!effects_allow_revisits(p, &w->all, count, variables, at->variable))
    return false;
  return mark_fused(p, first, last);
}

bool visit_is_fused(sparsifier *p, const visit *w, bool whole) {
  const merge_lattice *l = w->lattice;
  if (l->iterator_count != 1 || l->point_count != 1 || l->whole || w->point || !whole ||
      visit_has_offsets(w))
    return false;
  const iterator *first = l->iterators[0];
  if (iterator_is_unique(first) || segment_needs_scratch(p, first) ||
      visit_orders_result(p, w, first))
    return false;
  return p->now.fused[first->number] || fuse_chain(p, w);
}
