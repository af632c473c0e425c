/* copy.c - a level that is copied from an operand's: its positions are those of the operand, and
 * there before any value is.
 *
 *     begin     arrays as long as those of the operand's level, and what they hold; where there is
 *               much, blocks of them by threads
 */
#include "building.h"
#include "storage_state.h"

enum { BLOCK = 1 << 14, MUCH = 4 * BLOCK }; /* elements */

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_COPY && k < tensor_format_copied_levels(format);
}

static MlirValue number(level *l, int64_t x) {
  return constant_integer(l->owner->b, type_i(l->owner->b, 64), x);
}

static void copy_share(level *l, MlirValue part, MlirValue parts) {
  storage *s = l->owner;
  MlirValue arguments[] = {s->handle, number(l, l->number), s->plan.source->handle, part, parts};
  call(s->b, "lac_kernel_copy_share", (MlirType){NULL}, 5, arguments);
}

/* An element of an array is little work. */
static void copy_blocks(level *l, MlirValue elements) {
  builder *b = l->owner->b;
  MlirType i64 = type_i(b, 64);
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  MlirValue blocks = ceil_div(b, elements, constant_index(b, BLOCK));
  MlirValue visits = index_cast(b, elements, i64);
  call(b, "lac_kernel_visits", (MlirType){NULL}, 1, &visits);
  MlirValue n = parallel_begin(b, zero, blocks, one);
  copy_share(l, index_cast(b, n, i64), index_cast(b, blocks, i64));
  parallel_end(b);
}

static void copy_arrays(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  MlirValue arguments[] = {s->handle, number(l, l->number), s->plan.source->handle, s->status};
  MlirValue longest = call(b, "lac_kernel_copy_level", type_i(b, 64), 4, arguments);
  MlirValue elements = index_cast(b, longest, type_index(b));
  if_begin(b, less(b, constant_index(b, 0), elements));
  if (s->plan.threads) {
    if_begin(b, less(b, constant_index(b, MUCH), elements));
    copy_blocks(l, elements);
    if_else(b);
  }
  copy_share(l, number(l, 0), number(l, 1));
  if (s->plan.threads)
    if_end(b);
  if_end(b);
}

static MlirValue begin(level *l) {
  if (level_format_has_arrays(l->format->format))
    copy_arrays(l);
  return l->owner->plan.copied[l->number];
}

static MlirValue finish(level *l, MlirValue parents) {
  (void)parents;
  return l->owner->plan.copied[l->number];
}

const building building_copy = {.name = "copied", .takes = takes, .begin = begin, .finish = finish};
