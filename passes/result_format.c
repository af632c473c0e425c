/* The format of a result as loops see it (result_format.h). */
#include "result_format.h"

#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>

static const char attribute[] = "reorder";

bool result_is_reordered(MlirOperation op) {
  return op_has(op, attribute);
}

void result_set_reordered(MlirOperation op, bool reordered) {
  if (reordered)
    op_set(op, attribute, mlirUnitAttrGet(mlirOperationGetContext(op)));
  else
    mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString(attribute));
}

const tensor_format *result_format_get(arena *memory, MlirOperation op, MlirType type) {
  const tensor_format *format = tensor_format_get(memory, type, mlirOperationGetLocation(op));
  if (!format || !result_is_reordered(op))
    return format;
  if (tensor_format_reorders(format))
    return tensor_format_disordered(memory, format);
  error_at(op,
           "'%s' expected a result whose last level can order its siblings, below levels that "
           "insert",
           attribute);
  return NULL;
}
