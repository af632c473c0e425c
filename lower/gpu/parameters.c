/* parameters.c - what is passed to a kernel, taken apart and put together again. */
#include "ir.h"
#include "lac_device.h"
#include "launches.h"

#include <mlir-c/BuiltinTypes.h>

parameter_kind parameter_kind_of(MlirType type) {
  return mlirTypeIsAMemRef(type)                        ? PARAMETER_ARRAY
         : mlirTypeIsAIndex(type)                       ? PARAMETER_INDEX
         : mlirTypeIsAComplex(type)                     ? PARAMETER_COMPLEX
         : type_is_float(type) || type_is_integer(type) ? PARAMETER_SCALAR
                                                        : PARAMETER_STATUS;
}

int parameter_types(builder *b, MlirType type, MlirType pointer, MlirType types[2]) {
  switch (parameter_kind_of(type)) {
  case PARAMETER_ARRAY:
    types[0] = pointer;
    types[1] = type_i(b, 64);
    return 2;
  case PARAMETER_COMPLEX:
    types[0] = types[1] = mlirComplexTypeGetElementType(type);
    return 2;
  case PARAMETER_INDEX:
    types[0] = type_i(b, 64);
    return 1;
  case PARAMETER_SCALAR:
    types[0] = type;
    return 1;
  case PARAMETER_STATUS:
    return 0;
  }
  return 0;
}

/* An address of any space as one of all. */
static MlirValue generic(builder *b, MlirValue pointer) {
  MlirType type = type_ptr(b);
  if (mlirTypeEqual(mlirValueGetType(pointer), type))
    return pointer;
  return convert_value(b, "llvm.addrspacecast", pointer, type);
}

MlirValue parameter_rebuild(builder *b, MlirType type, const MlirValue *parts) {
  switch (parameter_kind_of(type)) {
  case PARAMETER_ARRAY:
    return memref_from_pointer(b, generic(b, parts[0]), index_cast(b, parts[1], type_index(b)),
                               mlirShapedTypeGetElementType(type));
  case PARAMETER_COMPLEX:
    return op_result(make_op(b, "complex.create", 2, parts, 1, &type, 0, NULL), 0);
  case PARAMETER_INDEX:
    return index_cast(b, parts[0], type);
  case PARAMETER_SCALAR:
  case PARAMETER_STATUS:
    break;
  }
  return parts[0];
}

/* What is written may be so in part: the rest stays. */
static int32_t use_by(MlirOperation op) {
  if (op_is(op, "memref.load"))
    return LAC_DEVICE_READS;
  return op_is(op, "memref.dim") ? 0 : LAC_DEVICE_READS | LAC_DEVICE_WRITES;
}

int32_t parameter_use(MlirValue array) {
  int32_t use = 0;
  for (MlirOpOperand at = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(at);
       at = mlirOpOperandGetNextUse(at))
    use |= use_by(mlirOpOperandGetOwner(at));
  return use;
}
