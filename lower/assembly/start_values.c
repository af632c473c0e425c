/* start_values.c - what values of a result start as, where they have a place each: zero, or what
 * leaves a reduction as it is.
 *
 *     values = memory for n, of which `left` are not zero     none of new pages, all of used ones
 *     parallel for blocks of `left`                            where the loops run on threads
 *       values of the block = zero
 */
#include "building.h"
#include "storage_state.h"

/* How many elements are set in the time of a visit. */
enum { SET_IN_A_VISIT = 8 };

static void set_on_threads(storage *s, MlirValue count) {
  builder *b = s->b;
  MlirValue visits = floor_div(b, count, constant_index(b, SET_IN_A_VISIT));
  storage_block part = storage_blocks_begin(s, count, visits);
  storage_set_initial(s, part.begin, part.end);
  parallel_end(b);
}

static void begin_on_threads(storage *s, MlirValue positions) {
  builder *b = s->b;
  MlirValue unset = stored_array_allocate_unset(s, &s->values, positions);
  MlirValue left = storage_starts_zero(s) ? unset : storage_size_if_fine(s, positions);
  if_begin(b, less(b, constant_index(b, 0), left));
  set_on_threads(s, left);
  if_end(b);
}

void storage_begin_values(storage *s, MlirValue positions) {
  if (s->plan.role == STORAGE_WHOLE && s->plan.runs_on_threads && !s->values.raw) {
    begin_on_threads(s, positions);
    return;
  }
  stored_array_allocate(s, &s->values, positions);
  if (s->plan.streams && s->values.raw)
    stored_array_stream(s, &s->values);
  if (!storage_starts_zero(s))
    storage_fill(s, constant_index(s->b, 0), storage_size_if_fine(s, positions));
}
