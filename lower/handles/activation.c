/* activation.c - one call of a compiled function: its frame, its temporaries, the statuses of its
 * calls. */
#include "handles.h"

#include "ir.h"

#include <mlir-c/BuiltinTypes.h>

static const MlirType nothing = {NULL};

static void to_the_top(activation *a) {
  builder_before(a->b, mlirBlockGetFirstOperation(a->entry));
}

MlirValue activation_frame(activation *a) {
  if (a->frame.ptr)
    return a->frame;
  to_the_top(a);
  a->frame = call(a->b, "lac_frame_enter", type_ptr(a->b), 0, NULL);
  return a->frame;
}

MlirValue activation_ok(activation *a, MlirOperation op) {
  MlirValue frame = activation_frame(a);
  builder_before(a->b, op);
  return call(a->b, "lac_frame_ok", type_i(a->b, 1), 1, &frame);
}

MlirValue activation_memory(activation *a, MlirType element, intptr_t count) {
  to_the_top(a);
  return stack_array(a->b, element, count ? count : 1);
}

MlirValue activation_constants(activation *a, intptr_t count, const int64_t *elements) {
  builder *b = a->b;
  MlirType i64 = type_i(b, 64);
  MlirValue array = activation_memory(a, i64, count);
  for (intptr_t i = 0; i < count; i++)
    store_field(b, constant_integer(b, i64, elements[i]), array, 8 * i);
  return array;
}

/* Memory for a scalar that a call gives, 0 where it is never called. */
static MlirValue scalar_destination(activation *a, MlirType type) {
  builder *b = a->b;
  to_the_top(a);
  MlirType stored = mlirTypeIsAIndex(type) ? type_i(b, 64) : type;
  MlirValue place = stack_array(b, stored, 1);
  store_field(b, constant_scalar(b, stored, 0), place, 0);
  return place;
}

static bool find_given(const activation *a, MlirValue value, MlirValue *out) {
  for (intptr_t i = 0; i < a->result_count; i++)
    if (a->given[i].ptr && mlirValueEqual(a->given[i], value)) {
      *out = a->out[i];
      return true;
    }
  return false;
}

MlirValue activation_destination(activation *a, MlirOperation op, intptr_t i) {
  MlirValue result = mlirOperationGetResult(op, i), out;
  if (!mlirTypeEqual(mlirValueGetType(result), type_ptr(a->b)))
    return scalar_destination(a, mlirValueGetType(result));
  if (find_given(a, result, &out))
    return out;
  MlirValue frame = activation_frame(a);
  builder_before(a->b, op);
  return call(a->b, "lac_frame_tensor", type_ptr(a->b), 1, &frame);
}

void activation_call(activation *a, MlirOperation op, const char *name, intptr_t count,
                     const MlirValue *arguments) {
  builder *b = a->b;
  MlirType i32 = type_i(b, 32);
  builder_before(b, op);
  if (a->alone) {
    a->status = call(b, name, i32, count, arguments);
    return;
  }
  if_begin(b, activation_ok(a, op));
  MlirValue taken[] = {a->frame, call(b, name, i32, count, arguments)};
  call(b, "lac_frame_check", nothing, 2, taken);
  if_end(b);
}
