/* The format of a result as loops see it (result_format.h). */
#include "result_format.h"

#include "cin.h"
#include "format_assembly.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>

static const char attribute[] = "record";

bool result_is_recorded(MlirOperation op) {
  cin_assembly way;
  if (cin_is_kernel(op))
    return cin_op_assembly(op, &way) && way == CIN_RECORD;
  return op_has(op, attribute);
}

void result_set_recorded(MlirOperation compute, bool recorded) {
  if (recorded)
    op_set(compute, attribute, mlirUnitAttrGet(mlirOperationGetContext(compute)));
  else
    mlirOperationRemoveAttributeByName(compute, mlirStringRefCreateFromCString(attribute));
}

const tensor_format *result_format_get(arena *memory, MlirOperation op, MlirType type) {
  const tensor_format *format = tensor_format_get(memory, type, mlirOperationGetLocation(op));
  if (!format || !result_is_recorded(op))
    return format;
  if (tensor_format_builds_by(format, CIN_RECORD))
    return tensor_format_disordered(memory, format);
  error_at(op,
           "'%s' expected a result whose levels, below those that insert, can all be appended to",
           attribute);
  return NULL;
}
