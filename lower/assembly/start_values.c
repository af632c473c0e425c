/* start_values.c - what values of a result start as, where they have a place each: zero, or what
 * leaves a reduction as it is.
 *
 *     values = memory for n, of which `left` are not zero     none of new pages, all of used ones
 *     parallel for blocks of `left`                            where the loops run on threads
 *       values of the block = zero
 */
#include "building.h"
#include "storage_state.h"

/* Elements: a block is small beside the second cache; and how many take as long as a visit. */
enum { BLOCK = 1 << 14, SET_IN_A_VISIT = 8 };

static void set_block(storage *s, MlirValue begin, MlirValue end) {
  MlirValue initial = storage_initial_value(s);
  MlirValue i = for_begin(s->b, begin, end, constant_index(s->b, 1));
  storage_store(s, initial, i);
  for_end(s->b);
}

static void set_on_threads(storage *s, MlirValue count) {
  builder *b = s->b;
  MlirValue size = constant_index(b, BLOCK), one = constant_index(b, 1);
  MlirValue visits = floor_div(b, count, constant_index(b, SET_IN_A_VISIT));
  visits = index_cast(b, visits, type_i(b, 64));
  call(b, "lac_kernel_visits", (MlirType){NULL}, 1, &visits);
  MlirValue n = parallel_begin(b, constant_index(b, 0), ceil_div(b, count, size), one);
  MlirValue begin = mul(b, n, size);
  set_block(s, begin, min_i(b, count, add(b, begin, size)));
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
  if (!storage_starts_zero(s))
    storage_fill(s, constant_index(s->b, 0), storage_size_if_fine(s, positions));
}
