/* sparsify_repeats.c - whether what is walked comes to an entry of the result several times.
 *
 *     A : (i : compressed(nonunique, unordered), j : singleton)      A[1, 2], A[3, 1], A[1, 2]
 *
 * A chain of levels without order repeats an entry where its last level, the one that the result
 * still has the coordinate of, does.
 */
#include "sparsify_state.h"

/* The branchless level under `i` whose coordinate the result has; NULL for none. */
static const iterator *entry_below(const sparsifier *p, const iterator *i) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *below = p->s->iterators.iterators[n];
    if (below->parent == i && iterator_is_branchless(below) &&
        result_level_of(p, subscript_variable(&below->at)) >= 0)
      return below;
  }
  return NULL;
}

static bool has_entries_once(const sparsifier *p) {
  int last = result_level_count(p) - 1;
  while (last >= 0 && result_inserts(p, last))
    --last;
  return last >= 0 && (result_level(p, last)->properties & LEVEL_UNIQUE);
}

bool iterator_repeats(const sparsifier *p, const iterator *i) {
  if (iterator_is_ordered(i) || !has_entries_once(p) ||
      result_level_of(p, subscript_variable(&i->at)) < 0)
    return false;
  for (const iterator *below; (below = entry_below(p, i));)
    i = below;
  return !iterator_is_unique(i);
}
