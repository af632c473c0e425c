/* storage_arrays.c - arrays of a result, which the runtime owns and grows, and scratch memory.
 *
 * The runtime's functions name an array by level and slot (lac_kernel.h); after each that moves it
 * the code asks where it is now.  What grows is a pointer in code: carried around a loop, a memref
 * is five values, and LLVM leaves them together.
 */
#include "storage_state.h"

#include "building.h"
#include "sit_ops.h"

#include <mlir-c/BuiltinTypes.h>

static MlirValue as_i64(storage *s, MlirValue v) {
  return index_cast(s->b, v, type_i(s->b, 64));
}
static MlirValue as_index(storage *s, MlirValue v) {
  return index_cast(s->b, v, type_index(s->b));
}

static MlirValue constant_i64(storage *s, int64_t x) {
  return constant_integer(s->b, type_i(s->b, 64), x);
}

/* ---- Arrays ------------------------------------------------------------------------------- */

MlirValue memory_at(storage *s, MlirValue pointer, MlirValue count, MlirType element) {
  return sit_memory(s->b, pointer, count, element);
}

static MlirValue behind(builder *b, MlirValue base, MlirValue i) {
  return base.ptr ? add(b, base, i) : i;
}

static MlirValue in_records(storage *s, const stored_array *array, MlirValue i) {
  builder *b = s->b;
  if (!array->stride)
    return behind(b, array->base, i);
  MlirValue begin = mul(b, i, constant_index(b, array->stride));
  return add(b, begin, constant_index(b, array->first));
}

MlirValue stored_array_load(storage *s, const stored_array *array, MlirValue i) {
  MlirValue at = in_records(s, array, i);
  return array->grows ? load_element(s->b, var_get(s->b, array->growing), at, array->element)
                      : load(s->b, array->fixed, at);
}

void stored_array_store(storage *s, const stored_array *array, MlirValue i, MlirValue value) {
  MlirValue at = in_records(s, array, i);
  if (array->grows)
    store_element(s->b, value, var_get(s->b, array->growing), at);
  else
    store(s->b, value, array->fixed, at);
}

MlirValue stored_array_memory(storage *s, const stored_array *array, MlirValue count) {
  if (!array->grows)
    return array->fixed;
  return memref_from_pointer(s->b, var_get(s->b, array->growing), count, array->element);
}

static MlirValue ask_of(storage *s, const stored_array *array, const char *function,
                        MlirType type) {
  MlirValue arguments[] = {s->handle, constant_i64(s, array->level), constant_i64(s, array->slot)};
  return call(s->b, function, type, 3, arguments);
}

static MlirValue data_of(storage *s, const stored_array *array) {
  return ask_of(s, array, "lac_kernel_data", type_ptr(s->b));
}

static MlirValue allocate(storage *s, stored_array *array, MlirValue count, const char *by,
                          MlirType result) {
  MlirValue arguments[] = {s->handle, constant_i64(s, array->level), constant_i64(s, array->slot),
                           as_i64(s, count), s->status};
  MlirValue told = call(s->b, by, result, 5, arguments);
  array->pointer = data_of(s, array);
  array->fixed = memory_at(s, array->pointer, count, array->element);
  return told;
}

void stored_array_allocate(storage *s, stored_array *array, MlirValue count) {
  allocate(s, array, count, array->raw ? "lac_kernel_allocate_raw" : "lac_kernel_allocate",
           type_i(s->b, 1));
}

MlirValue stored_array_allocate_unset(storage *s, stored_array *array, MlirValue count) {
  return as_index(s, allocate(s, array, count, "lac_kernel_allocate_unset", type_i(s->b, 64)));
}

void stored_array_stream(storage *s, stored_array *array) {
  array->streams = ask_of(s, array, "lac_kernel_streams", type_i(s->b, 1));
}

void stored_array_reserve(storage *s, stored_array *array, MlirValue needed) {
  MlirValue arguments[] = {
      s->pieces,         s->handle, constant_i64(s, array->level), constant_i64(s, array->slot),
      as_i64(s, needed), s->status};
  MlirType i64 = type_i(s->b, 64);
  if (s->takes_turns && (array->raw || turns_lend(s, array->level, array->slot)))
    call_seldom(s->b, "lac_kernel_piece_grow", i64, 6, arguments);
  else
    call_seldom(s->b, array->raw ? "lac_kernel_grow_raw" : "lac_kernel_grow", i64, 5,
                arguments + 1);
  MlirValue data = data_of(s, array);
  if (array->grows)
    var_set(s->b, array->growing, data);
  else
    array->growing = var_make(s->b, data);
  array->grows = true;
}

void stored_array_trim(storage *s, const stored_array *array, MlirValue count) {
  MlirValue arguments[] = {s->pieces, s->handle, constant_i64(s, array->level),
                           constant_i64(s, array->slot), as_i64(s, count)};
  if (s->takes_turns)
    call(s->b, "lac_kernel_piece_trim", (MlirType){NULL}, 5, arguments);
  else
    call(s->b, "lac_kernel_trim", (MlirType){NULL}, 4, arguments + 1);
}

MlirValue stored_array_room(storage *s, const stored_array *array) {
  return as_index(s, ask_of(s, array, "lac_kernel_room", type_i(s->b, 64)));
}

void stored_array_find(storage *s, stored_array *array) {
  array->growing = var_make(s->b, data_of(s, array));
  array->grows = true;
}

void stored_array_copy(storage *s, const stored_array *array, MlirValue at, storage *piece,
                       MlirValue from, MlirValue count) {
  MlirValue arguments[] = {s->handle,
                           piece->handle,
                           constant_i64(s, array->level),
                           constant_i64(s, array->slot),
                           as_i64(s, at),
                           as_i64(s, from),
                           as_i64(s, count)};
  call(s->b, "lac_kernel_copy", (MlirType){NULL}, 7, arguments);
}

/* ---- Scratch memory ----------------------------------------------------------------------- */

device_thread device_thread_in(builder *b, const launch *in) {
  return (device_thread){add(b, mul(b, in->block, in->threads), in->thread),
                         mul(b, in->blocks, in->threads)};
}

static MlirValue take_bytes(storage *s, const char *take, MlirValue bytes) {
  MlirValue arguments[] = {as_i64(s, bytes), s->status};
  return call(s->b, take, type_ptr(s->b), 2, arguments);
}

/* A thread of a device has a part, in the order of their numbers, of what all have. */
scratch_memory scratch_take(storage *s, MlirType element, MlirValue count) {
  const device_thread *thread = s->plan.thread;
  const char *take = thread ? "lac_device_scratch" : "lac_kernel_scratch";
  MlirValue all = thread ? storage_product(s, count, thread->count) : count;
  MlirValue bytes = storage_product(s, all, constant_index(s->b, type_bytes(element)));
  MlirValue pointer = take_bytes(s, take, bytes);
  return (scratch_memory){.pointer = pointer,
                          .bytes = bytes,
                          .elements = memory_at(s, pointer, all, element),
                          .base = thread ? mul(s->b, thread->number, count) : (MlirValue){NULL},
                          .element = element};
}

scratch_memory scratch_take_for_launches(storage *s, MlirType element, MlirValue count) {
  MlirValue bytes = storage_product(s, count, constant_index(s->b, type_bytes(element)));
  MlirValue pointer = take_bytes(s, "lac_device_scratch", bytes);
  return (scratch_memory){.pointer = pointer,
                          .bytes = bytes,
                          .elements = memory_at(s, pointer, count, element),
                          .element = element};
}

scratch_memory scratch_take_growing(storage *s, MlirType element, MlirValue count) {
  scratch_memory taken = scratch_take(s, element, count);
  taken.grows = true;
  taken.where = var_make(s->b, taken.pointer);
  taken.length = var_make(s->b, taken.bytes);
  return taken;
}

void scratch_grow(storage *s, const scratch_memory *scratch, MlirValue count) {
  builder *b = s->b;
  MlirValue size = constant_index(b, type_bytes(scratch->element));
  MlirValue before = var_get(b, scratch->length), bytes = storage_product(s, count, size);
  MlirValue arguments[] = {var_get(b, scratch->where), as_i64(s, before), as_i64(s, bytes),
                           s->status};
  var_set(b, scratch->where, call_seldom(b, "lac_kernel_scratch_grow", type_ptr(b), 4, arguments));
  var_set(b, scratch->length, select_value(b, storage_is_fine(s), bytes, before));
}

MlirValue scratch_pointer(const storage *s, const scratch_memory *scratch) {
  return scratch->grows ? var_get(s->b, scratch->where) : scratch->pointer;
}

MlirValue scratch_load(storage *s, const scratch_memory *scratch, MlirValue i) {
  if (scratch->grows)
    return load_element(s->b, scratch_pointer(s, scratch), i, scratch->element);
  return load(s->b, scratch->elements, behind(s->b, scratch->base, i));
}

void scratch_store(storage *s, const scratch_memory *scratch, MlirValue i, MlirValue value) {
  if (scratch->grows)
    store_element(s->b, value, scratch_pointer(s, scratch), i);
  else
    store(s->b, value, scratch->elements, behind(s->b, scratch->base, i));
}

static void release_by(storage *s, const char *function, const scratch_memory *scratch) {
  if (s->plan.thread)
    return;
  MlirValue bytes = scratch->grows ? var_get(s->b, scratch->length) : scratch->bytes;
  MlirValue arguments[] = {scratch_pointer(s, scratch), as_i64(s, bytes)};
  call(s->b, function, (MlirType){NULL}, 2, arguments);
}

void scratch_release(storage *s, const scratch_memory *scratch) {
  release_by(s, "lac_kernel_release", scratch);
}

void scratch_release_of_launches(storage *s, const scratch_memory *scratch) {
  release_by(s, "lac_device_release", scratch);
}

void scratch_release_clean(storage *s, const scratch_memory *scratch) {
  release_by(s, "lac_kernel_release_clean", scratch);
}

/* ---- Sizes and status --------------------------------------------------------------------- */

/* What a thread of a device has of a result has room that was made before. */
static bool has_room(const storage *s) {
  return s->plan.thread && s->plan.role != STORAGE_WHOLE;
}

/* Whether no product with it is too large, or the product is known not to be. */
static bool is_product_known(MlirValue a, MlirValue b) {
  int64_t x, y, product;
  bool a_known = value_is_constant_index(a, &x), b_known = value_is_constant_index(b, &y);
  return (a_known && x <= 1) || (b_known && y <= 1) ||
         (a_known && b_known && !__builtin_mul_overflow(x, y, &product));
}

MlirValue storage_product(storage *s, MlirValue a, MlirValue b) {
  if (has_room(s) || is_product_known(a, b))
    return mul(s->b, a, b);
  MlirValue arguments[] = {as_i64(s, a), as_i64(s, b), s->status};
  return as_index(s, call(s->b, "lac_kernel_product", type_i(s->b, 64), 3, arguments));
}

MlirValue storage_is_fine(storage *s) {
  if (s->plan.thread)
    return constant_bool(s->b, true);
  MlirType i32 = type_i(s->b, 32);
  MlirValue status = load_shared(s->b, s->status, i32);
  return equal(s->b, status, constant_scalar(s->b, i32, 0));
}
