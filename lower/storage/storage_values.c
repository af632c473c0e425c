/* storage_values.c - values read, written and reduced into. */
#include "building.h"
#include "storage_state.h"

#include <mlir-c/BuiltinAttributes.h>

bool is_all_zero(MlirAttribute value) {
  if (mlirAttributeIsNull(value))
    return true;
  if (mlirAttributeIsAInteger(value))
    return mlirIntegerAttrGetValueInt(value) == 0;
  double x = mlirAttributeIsAFloat(value) ? mlirFloatAttrGetValueDouble(value) : 1;
  return x == 0 && !__builtin_signbit(x);
}

bool storage_starts_zero(const storage *s) {
  return is_all_zero(s->plan.initial);
}

static bool has_no_values(const storage *s) {
  return s->plan.role == STORAGE_COUNTS || s->plan.structure;
}

void storage_set_initial(storage *s, MlirValue begin, MlirValue end) {
  MlirValue initial = storage_initial_value(s);
  MlirValue i = for_begin(s->b, begin, end, constant_index(s->b, 1));
  stored_array_store(s, &s->values, i, initial);
  for_end(s->b);
}

void storage_fill(storage *s, MlirValue begin, MlirValue end) {
  if (!has_no_values(s) && !is_all_zero(s->plan.initial))
    storage_set_initial(s, begin, end);
}

storage_block storage_blocks_begin(storage *s, MlirValue count, MlirValue visits) {
  enum { BLOCK = 4096 };
  builder *b = s->b;
  MlirValue size = constant_index(b, BLOCK), zero = constant_index(b, 0);
  visits = index_cast(b, visits, type_i(b, 64));
  call(b, "lac_kernel_visits", (MlirType){NULL}, 1, &visits);
  MlirValue n = parallel_begin(b, zero, ceil_div(b, count, size), constant_index(b, 1));
  MlirValue begin = mul(b, n, size);
  return (storage_block){begin, min_i(b, count, add(b, begin, size))};
}

MlirValue storage_initial_value(storage *s) {
  if (mlirAttributeIsNull(s->plan.initial))
    return constant_scalar(s->b, s->format->element, 0);
  return constant_attr(s->b, s->plan.initial);
}

static MlirValue place_of(storage *s, MlirValue position) {
  return mlirValueIsNull(position) ? constant_index(s->b, 0) : position;
}

/* The way of the levels, where it has its values elsewhere than in the array; else NULL. */
static const building *keeper_of(const storage *s) {
  const building *way = s->format->level_count ? s->levels[0].way : NULL;
  return way && way->load ? way : NULL;
}

bool storage_in_registers(const storage *s) {
  return keeper_of(s);
}

bool storage_is_own(const storage *s) {
  return s->plan.thread;
}

static MlirValue load_place(storage *s, MlirValue i) {
  if (has_no_values(s))
    return storage_initial_value(s);
  const building *keeper = keeper_of(s);
  return keeper ? keeper->load(s, i) : stored_array_load(s, &s->values, i);
}

static void store_place(storage *s, MlirValue i, MlirValue value) {
  if (has_no_values(s))
    return;
  const building *keeper = keeper_of(s);
  if (keeper)
    keeper->store(s, i, value);
  else
    stored_array_store(s, &s->values, i, value);
}

MlirValue storage_load(storage *s, MlirValue position) {
  return load_place(s, place_of(s, position));
}

void storage_store(storage *s, MlirValue value, MlirValue position) {
  store_place(s, place_of(s, position), value);
}

static MlirValue values_at(storage *s, MlirValue position, int64_t lanes) {
  MlirValue end = add(s->b, position, constant_index(s->b, lanes));
  return stored_array_memory(s, &s->values, end);
}

MlirValue storage_load_lanes(storage *s, MlirValue position, int64_t lanes, MlirValue mask) {
  return load_lanes(s->b, values_at(s, position, lanes), position, lanes, mask);
}

MlirValue storage_load_lanes_strided(storage *s, MlirValue position, int64_t step, int64_t lanes,
                                     MlirValue mask) {
  MlirValue array = values_at(s, position, step < 0 ? 1 : step * (lanes - 1) + 1);
  return load_lanes_strided(s->b, array, position, step, lanes, mask);
}

static bool may_stream(const storage *s, int64_t lanes, MlirValue mask) {
  return s->values.streams.ptr && !mask.ptr && lanes * type_bytes(s->values.element) >= LINE_BYTES;
}

void storage_store_lanes(storage *s, MlirValue value, MlirValue position, int64_t lanes,
                         MlirValue mask) {
  builder *b = s->b;
  MlirValue array = values_at(s, position, lanes);
  bool streams = may_stream(s, lanes, mask);
  if (streams) {
    MlirValue whole = begins_line(b, array, position, type_bytes(s->values.element));
    if_begin(b, and_i(b, s->values.streams, whole));
    stream_lanes(b, value, array, position);
    if_else(b);
  }
  store_lanes(b, value, array, position, mask);
  if (streams)
    if_end(b);
}

/* What is carried around a loop in registers takes one addition each time: were it free to be
 * reordered, the sums of the body would come in between. */
void storage_accumulate(storage *s, tin_reduction kind, MlirValue value, MlirValue position,
                        bool atomic, bool strict) {
  MlirValue i = place_of(s, position);
  if (atomic) {
    storage_accumulate_atomic(s, kind, value, i);
    return;
  }
  bool in_order = strict || storage_in_registers(s);
  store_place(s, i, combine(s->b, kind, load_place(s, i), value, in_order));
}
