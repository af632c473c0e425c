/* level_ends.c - where the children of each parent end, as an array of a level (level_format.h).
 *
 *     counted     ends[p + 2] += 1                          for each child of p
 *     summed up   ends[p + 2] += ends[p + 1], p ascending   now ends[p + 1] is where they begin
 *     placed      ends[p + 1]++                             .. and end
 *
 * Counts are one element further than ends, so that each begin, moved on to the end by its last
 * child, stands where the end belongs (Chou et al. 2020 shift the array instead).
 *
 * Where the paper stores counts of what is appended and sums them up at the end, ends are stored:
 * parents come in ascending order, so that at the end only those that were passed over (their end
 * still 0) want the end before them.
 */
#include "level_format.h"
#include "prefix_sum.h"
#include "storage_state.h"

void level_children(level *l, int slot, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = level_load(l, slot, parent);
  *end = level_load(l, slot, level_plus_one(l, parent));
}

/* ---- Appending ---------------------------------------------------------------------------- */

void level_ends_allocate(level *l, int slot, MlirValue parent_size) {
  if (!mlirValueIsNull(parent_size))
    level_allocate(l, slot, level_plus_one(l, parent_size));
}

void level_ends_reserve(level *l, int slot, MlirValue parent_size) {
  if (!mlirValueIsNull(parent_size))
    level_reserve(l, slot, level_plus_one(l, parent_size));
}

void level_ends_store(level *l, int slot, MlirValue parent, MlirValue end) {
  level_store(l, slot, level_plus_one(l, parent), end);
}

void level_ends_finalize(level *l, int slot, MlirValue parent_size) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  variable last = var_make(b, zero);
  MlirValue next = level_plus_one(l, for_begin(b, zero, parent_size, level_constant(l, 1)));
  var_set(b, last, max_i(b, var_get(b, last), level_load(l, slot, next)));
  level_store(l, slot, next, var_get(b, last));
  for_end(b);
  level_ends_trim(l, slot, parent_size);
}

void level_ends_trim(level *l, int slot, MlirValue parent_size) {
  level_trim(l, slot, level_plus_one(l, parent_size));
}

void level_ends_join(level *l, int slot, level *piece, MlirValue parent_base, MlirValue parent_size,
                     MlirValue base) {
  if (mlirValueIsNull(parent_base))
    return;
  builder *b = level_builder(l);
  MlirValue parent = for_begin(b, level_constant(l, 0), parent_size, level_constant(l, 1));
  MlirValue next = level_plus_one(l, parent);
  level_store(l, slot, add(b, parent_base, next), add(b, base, level_load(piece, slot, next)));
  for_end(b);
}

/* ---- Counting, then placing --------------------------------------------------------------- */

static MlirValue count_of(level *l, MlirValue parent) {
  return level_plus_one(l, level_plus_one(l, parent));
}

void level_counts_allocate(level *l, int slot, MlirValue parent_size) {
  level_allocate(l, slot, count_of(l, parent_size));
}

/* One more; gives what it was. */
static MlirValue count_one(level *l, int slot, MlirValue at) {
  builder *b = level_builder(l);
  if (storage_is_at_once(l->owner))
    return index_cast(b, stored_array_count(l->owner, &l->arrays[slot], at), type_index(b));
  MlirValue before = level_load(l, slot, at);
  level_store(l, slot, at, level_plus_one(l, before));
  return before;
}

void level_counts_add(level *l, int slot, MlirValue parent) {
  count_one(l, slot, count_of(l, parent));
}

typedef struct counts {
  level *l;
  int slot;
} counts;

static MlirValue load_count(void *data, MlirValue parent) {
  const counts *c = data;
  return level_load(c->l, c->slot, count_of(c->l, parent));
}

static void store_sum(void *data, MlirValue parent, MlirValue sum) {
  const counts *c = data;
  level_store(c->l, c->slot, count_of(c->l, parent), sum);
}

MlirValue level_counts_sum_at_once(level *l, int slot, MlirValue parent_size) {
  counts c = {l, slot};
  return prefix_sum(l->owner, &(prefix_items){load_count, store_sum, &c}, parent_size);
}

/* Those of threads at once have been, by themselves. */
void level_counts_sum(level *l, int slot, MlirValue parent_size) {
  builder *b = level_builder(l);
  if (storage_is_at_once(l->owner))
    return;
  MlirValue zero = level_constant(l, 0);
  variable sum = var_make(b, zero);
  MlirValue at = count_of(l, for_begin_plain(b, zero, parent_size, level_constant(l, 1)));
  var_set(b, sum, add(b, var_get(b, sum), level_load(l, slot, at)));
  level_store(l, slot, at, var_get(b, sum));
  for_end(b);
}

MlirValue level_counts_place(level *l, int slot, MlirValue parent) {
  return count_one(l, slot, level_plus_one(l, parent));
}

/* What is counted of the parent before is where this one begins, once that has been asked. */
MlirValue level_counts_share(level *piece, int slot, MlirValue parent, MlirValue begin) {
  MlirValue count = level_load(piece, slot, count_of(piece, parent));
  level_store(piece, slot, level_plus_one(piece, parent), begin);
  return count;
}
