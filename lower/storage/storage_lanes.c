/* storage_lanes.c - arrays of operands, for several lanes at once. */
#include "storage_state.h"

#include <mlir-c/BuiltinTypes.h>

MlirValue storage_values(const storage *s) {
  return s->values.fixed;
}

MlirValue storage_coordinates(const storage *s, int k) {
  int slot = level_format_coordinates(storage_level_format(s, k));
  return slot < 0 ? (MlirValue){NULL} : s->levels[k].arrays[slot].fixed;
}

MlirValue storage_gather(storage *s, MlirValue position, MlirValue spread, MlirValue mask) {
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  if (mlirValueIsNull(mask))
    mask = lanes_mask(s->b, constant_index(s->b, lanes), lanes);
  return gather_lanes(s->b, s->values.fixed, position, spread, mask);
}
