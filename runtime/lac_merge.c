/* lac_merge.c - pairs of a workspace put in order where the first ones are already: those behind
 * are sorted in the room behind all, and merged from the back (Zhang et al. 2024, section 4: sort
 * and merge an accumulation array with all that there is).
 *
 *     2 5 9 | 7 1      sort       2 5 9 | . .     1 7       merge      1 2 5 7 9
 */
#include "lac_entries.h"

#include <string.h>

enum { PAIR = 2 };

static void copy_pair(uint64_t *to, const uint64_t *from) {
  to[0] = from[0];
  to[1] = from[1];
}

/* Of the pairs before `end`, from the back: those of `others`, equal ones too, behind the
 * others. */
static void merge(uint64_t *pairs, int64_t sorted, const uint64_t *others, int64_t count) {
  int64_t end = sorted + count;
  while (count > 0) {
    bool is_other = sorted == 0 || others[PAIR * (count - 1)] >= pairs[PAIR * (sorted - 1)];
    const uint64_t *from = is_other ? others + PAIR * --count : pairs + PAIR * --sorted;
    copy_pair(pairs + PAIR * --end, from);
  }
}

void lac_kernel_merge_pairs(int64_t *pairs, int64_t sorted, int64_t count, int64_t room) {
  uint64_t *all = (uint64_t *)pairs, *others = all + PAIR * sorted, *spare = all + PAIR * room;
  int64_t added = count - sorted;
  uint64_t *in_order = lac_entries_sort(others, spare, added, PAIR, 1);
  if (sorted == 0 && in_order == others)
    return;
  if (in_order == others)
    memcpy(spare, others, (size_t)(PAIR * added) * sizeof *spare);
  merge(all, sorted, spare, added);
}
