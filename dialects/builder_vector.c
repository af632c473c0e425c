/* builder_vector.c - lanes: one-dimensional vectors loaded from and stored to consecutive elements.
 */
#include "builder.h"

#include <mlir-c/BuiltinTypes.h>

MlirType type_lanes(MlirType element, int64_t lanes) {
  return mlirVectorTypeGet(1, &lanes, element);
}

MlirType type_element(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

MlirValue broadcast(builder *b, MlirValue x, int64_t lanes) {
  MlirType type = type_lanes(mlirValueGetType(x), lanes);
  return op_result(make_op(b, "vector.broadcast", 1, &x, 1, &type, 0, NULL), 0);
}

MlirValue lanes_mask(builder *b, MlirValue count, int64_t lanes) {
  MlirType type = type_lanes(type_i(b, 1), lanes);
  return op_result(make_op(b, "vector.create_mask", 1, &count, 1, &type, 0, NULL), 0);
}

MlirValue load_lanes(builder *b, MlirValue memref, MlirValue i, int64_t lanes, MlirValue mask) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  MlirType type = type_lanes(element, lanes);
  if (mlirValueIsNull(mask)) {
    MlirValue operands[] = {memref, i};
    return op_result(make_op(b, "vector.load", 2, operands, 1, &type, 0, NULL), 0);
  }
  MlirValue zero = broadcast(b, constant_scalar(b, element, 0), lanes);
  MlirValue operands[] = {memref, i, mask, zero};
  return op_result(make_op(b, "vector.maskedload", 4, operands, 1, &type, 0, NULL), 0);
}

void store_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i, MlirValue mask) {
  if (mlirValueIsNull(mask)) {
    MlirValue operands[] = {value, memref, i};
    make_op(b, "vector.store", 3, operands, 0, NULL, 0, NULL);
    return;
  }
  MlirValue operands[] = {memref, i, mask, value};
  make_op(b, "vector.maskedstore", 4, operands, 0, NULL, 0, NULL);
}
