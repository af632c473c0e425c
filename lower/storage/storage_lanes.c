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

MlirValue storage_coordinate_count(const storage *s, int k) {
  const level *l = &s->levels[k];
  int slot = level_format_coordinates(storage_level_format(s, k));
  bool alone =
      slot >= 0 && !l->way && !l->arrays[slot].stride && mlirValueIsNull(l->arrays[slot].base);
  return alone ? memref_length(s->b, l->arrays[slot].fixed) : (MlirValue){NULL};
}

MlirValue storage_gather(storage *s, MlirValue position, MlirValue spread, MlirValue mask) {
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  if (mlirValueIsNull(mask))
    mask = lanes_mask(s->b, constant_index(s->b, lanes), lanes);
  return gather_lanes(s->b, s->values.fixed, position, spread, mask);
}

static MlirValue written(storage *s, MlirValue position) {
  return stored_array_memory(s, &s->values, add(s->b, position, constant_index(s->b, 1)));
}

MlirValue storage_gather_written(storage *s, MlirValue position, MlirValue spread, MlirValue mask) {
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  if (mlirValueIsNull(mask))
    mask = broadcast(s->b, constant_bool(s->b, true), lanes);
  return gather_lanes(s->b, written(s, position), position, spread, mask);
}

void storage_scatter(storage *s, MlirValue value, MlirValue position, MlirValue spread,
                     MlirValue mask) {
  scatter_lanes(s->b, value, written(s, position), position, spread, mask);
}

/* Lanes that are not there read what they like, where there is anything at all. */
MlirValue storage_gather_by_loads(storage *s, MlirValue position, MlirValue spread,
                                  MlirValue mask) {
  builder *b = s->b;
  MlirValue array = s->values.fixed;
  if (mlirValueIsNull(mask))
    return gather_lanes_by_loads(b, array, position, spread, mask);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(array));
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  int mark = var_mark(b);
  variable found = var_make(b, broadcast(b, constant_scalar(b, element, 0), lanes));
  if_begin(b, less(b, constant_index(b, 0), memref_length(b, array)));
  var_set(b, found, gather_lanes_by_loads(b, array, position, spread, mask));
  if_end(b);
  MlirValue result = var_get(b, found);
  var_release(b, mark);
  return result;
}
