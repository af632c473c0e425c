/* share.c - a result whose entries are counted, and then placed, by loops on threads: each range of
 * what the loop goes over has counts of its own, in a row beside its piece (piece_tensors.h).
 *
 *     counted      range 0    range 1             begins       range 0    range 1
 *       part 0        2          1         -->      part 0        0          2
 *       part 1        0          3                  part 1        3          3
 *
 * Parts are what the level's way counts by: parents (scatter.c), or some of them at once
 * (recorded.c).  The entries of a part come range by range, as one thread would place them, so that
 * nothing depends on where the ranges end.  What is placed goes through the ranges that were
 * counted.
 */
#include "building.h"
#include "piece_tensors.h"
#include "storage_state.h"

static level *shared_level(storage *s) {
  int k = 0;
  while (!s->levels[k].way->begin_counts)
    k++;
  return &s->levels[k];
}

bool share_is_made(const level *l) {
  return l->owner->plan.role == STORAGE_SHARED;
}

void share_begin(level *l, MlirValue counts) {
  storage *s = l->owner;
  MlirType i64 = type_i(s->b, 64);
  MlirValue arguments[] = {parallel_threads(s->b), index_cast(s->b, counts, i64)};
  MlirValue count = call(s->b, "lac_kernel_shares_count", i64, 2, arguments);
  piece_tensors_make(s, count, s->format->level_count + 1);
}

MlirValue share_sum(level *l) {
  storage *s = l->owner;
  piece_tensors_sum(s);
  return piece_size(s, piece_sizes(s, s->piece_count), l->number);
}

/* ---- Ranges ------------------------------------------------------------------------------- */

MlirValue storage_share_count(const storage *s) {
  return s->piece_count;
}

storage *storage_begin_counts(storage *s, MlirValue i, MlirValue *begun) {
  level *l = shared_level(s);
  return l->way->begin_counts(l, i, begun);
}

/* Where in the sizes that of a range stands. */
static int range_of(const storage *s) {
  return s->format->level_count;
}

void storage_counted(storage *s, storage *counts, MlirValue i, MlirValue coordinates) {
  level *l = shared_level(s);
  MlirValue sizes = piece_sizes(s, i);
  piece_set_size(s, sizes, l->number, l->way->counted(&counts->levels[l->number]));
  piece_set_size(s, sizes, range_of(s), coordinates);
}

/* The sizes have been summed up. */
MlirValue storage_share_begin(storage *s, MlirValue i) {
  return piece_size(s, piece_sizes(s, i), range_of(s));
}

storage *storage_begin_places(storage *s, MlirValue i) {
  level *l = shared_level(s);
  return l->way->begin_places(l, i);
}
