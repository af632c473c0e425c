/* sparsify_scratch.c - iterator conversion: which levels of a walk go through a scratch array
 * (Chou et al. 2018, section 4.3).
 *
 *     A : (i : compressed(nonunique), j : compressed(unordered)), walked at i, then at j
 *
 *     chaining         duplicates of i are a run of places; a branchless level below them has one
 *                      run of places itself                                       no scratch array
 *     deduplication    j has a run below each place: what is there is gathered, and sorted, and
 *                      coordinates that come again are one segment of the array   scratch array
 *     reordering       j is merged with others, or appended in order: sorted      scratch array
 *
 * A level that is unordered but walked alone, for what can be done in any order, goes as it is; so
 * do those that are located, and entries that are visited one by one (sparsify_fuse.c).
 */
#include "sparsify_visit.h"

bit_set visit_located(const sparsifier *p, const visit *w) {
  bit_set below_segments = set_empty();
  for (int n = 0; n < w->lattice->iterator_count; ++n)
    if (segment_above(p, w->lattice->iterators[n]).kind != SEGMENT_NONE)
      set_insert(p->memory, &below_segments, n);
  return merge_lattice_located(p->memory, w->lattice, below_segments);
}

/* There is one coordinate at most. */
static bool is_single(const sparsifier *p, const iterator *i) {
  return iterator_is_branchless(i) && segment_above(p, i).kind == SEGMENT_NONE;
}

bool visit_orders_result(const sparsifier *p, const visit *w, const iterator *i) {
  if (iterator_is_ordered(i) || is_single(p, i) || !block_assigns(&w->forall->body, p->s->result))
    return false;
  return result_appends_in_order_of(p, w->known) || iterator_repeats(p, i);
}

/* Whether coordinates of an iterator that is not ordered must ascend: equal ones are together
 * then. */
static bool needs_order(const sparsifier *p, const visit *w, int walked, const iterator *i) {
  if (iterator_is_ordered(i) || is_single(p, i))
    return false;
  return walked > 1 || w->lattice->whole || !iterator_is_unique(i) || visit_orders_result(p, w, i);
}

bit_set visit_scratch(const sparsifier *p, const visit *w) {
  const merge_lattice *l = w->lattice;
  bit_set located = visit_located(p, w), scratch = set_empty();
  int walked = l->iterator_count - set_size(located);
  if (w->fused)
    return set_empty();
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    bool reorders = !w->located && needs_order(p, w, walked, i);
    if (!set_has(located, n) && (segment_needs_scratch(p, i) || reorders))
      set_insert(p->memory, &scratch, n);
  }
  return scratch;
}

segment visit_segment(const sparsifier *p, const visit *w, int n) {
  const iterator *i = w->lattice->iterators[n];
  bool by_position = i->format->format->capabilities & LEVEL_POSITION_ITERATION;
  if (set_has(w->scratch, n))
    return segment_in_scratch(p, i);
  bool chained = !w->fused && by_position && !iterator_is_unique(i);
  return (segment){chained ? SEGMENT_RUN : SEGMENT_NONE, false};
}
