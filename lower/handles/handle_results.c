/* handle_results.c - results apart from operands: a caller may give one tensor as both.
 *
 *     f(&y, &A, &y):    into = {&y, apart from the operands ? &y : &spare}
 *                       f_kernel(into, A, y)
 *                       y = spare, once nothing reads y any more
 */
#include "handles.h"

#include "ir.h"
#include "lac_tensor.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { POINTER_BYTES = 8, TENSOR_WORDS = sizeof(lac_tensor) / 8 };

static MlirValue store_all(builder *b, intptr_t count, const MlirValue *values) {
  MlirValue array = stack_array(b, type_ptr(b), count);
  for (intptr_t i = 0; i < count; i++)
    store_field(b, values[i], array, i * POINTER_BYTES);
  return array;
}

/* The arguments that are tensors, those of the results first. */
static intptr_t find_tensors(const activation *a, const bool *is_tensor, intptr_t count,
                             MlirValue *tensors) {
  intptr_t found = 0;
  for (intptr_t i = 0; i < count; i++)
    if (is_tensor[i])
      tensors[found++] = mlirBlockGetArgument(a->entry, i);
  return found;
}

/* Whether only functions of the module call it: they give results that are apart. */
static bool is_private(const activation *a) {
  MlirAttribute visibility = op_attribute(a->function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

void activation_begin_results(activation *a, const bool *is_tensor) {
  builder *b = a->b;
  intptr_t count = mlirBlockGetNumArguments(a->entry), number = 0;
  MlirValue *tensors = ARENA_ARRAY(a->memory, MlirValue, count + 1);
  MlirType i64 = type_i(b, 64);
  a->out = ARENA_ARRAY(a->memory, MlirValue, a->result_count + 1);
  for (intptr_t i = 0; i < a->result_count; i++) {
    a->out[i] = mlirBlockGetArgument(a->entry, i);
    a->tensor_results += is_tensor[i];
  }
  count = find_tensors(a, is_tensor, count, tensors);
  if (!a->tensor_results || is_private(a))
    return;
  builder_before(b, mlirBlockGetFirstOperation(a->entry));
  a->tensors = store_all(b, count, tensors);
  a->into = stack_array(b, type_ptr(b), a->tensor_results);
  MlirValue spare = stack_array(b, i64, a->tensor_results * TENSOR_WORDS);
  MlirValue arguments[] = {a->tensors, constant_integer(b, i64, a->tensor_results),
                           constant_integer(b, i64, count), spare, a->into};
  call(b, "lac_results_begin", (MlirType){NULL}, 5, arguments);
  for (intptr_t i = 0; i < a->result_count; i++)
    if (is_tensor[i])
      a->out[i] = load_field(b, a->into, number++ * POINTER_BYTES, type_ptr(b));
}

MlirValue activation_end_results(activation *a, MlirValue status) {
  builder *b = a->b;
  if (!a->into.ptr)
    return status;
  MlirValue count = constant_integer(b, type_i(b, 64), a->tensor_results);
  MlirValue arguments[] = {a->tensors, count, a->into, status};
  return call(b, "lac_results_end", type_i(b, 32), 4, arguments);
}
