/* Copying expressions (value_map.h). */
#include "value_map.h"

#include <string.h>

void value_map_set(value_map *map, MlirValue from, MlirValue to) {
  if (map->count == map->room) {
    int room = map->room ? 2 * map->room : 32;
    MlirValue *larger_from = ARENA_ARRAY(map->memory, MlirValue, room);
    MlirValue *larger_to = ARENA_ARRAY(map->memory, MlirValue, room);
    for (int i = 0; i < map->count; i++) {
      larger_from[i] = map->from[i];
      larger_to[i] = map->to[i];
    }
    map->from = larger_from;
    map->to = larger_to;
    map->room = room;
  }
  map->from[map->count] = from;
  map->to[map->count++] = to;
}

MlirValue value_map_get(const value_map *map, MlirValue from) {
  for (int i = 0; i < map->count; i++)
    if (mlirValueEqual(map->from[i], from))
      return map->to[i];
  return (MlirValue){0};
}

static MlirValue copy_operation(value_map *map, builder *b, MlirValue value, value_maker *make,
                                void *data) {
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue operands[count + 1];
  for (intptr_t i = 0; i < count; i++)
    operands[i] = value_map_copy(map, b, mlirOperationGetOperand(op, i), make, data);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < count; i++)
    mlirOperationSetOperand(copy, i, operands[i]);
  return op_result(insert_op(b, copy), mlirOpResultGetResultNumber(value));
}

MlirValue value_map_copy(value_map *map, builder *b, MlirValue value, value_maker *make,
                         void *data) {
  MlirValue there = value_map_get(map, value);
  if (!mlirValueIsNull(there))
    return there;
  MlirValue made = make(value, data);
  if (mlirValueIsNull(made))
    made = copy_operation(map, b, value, make, data);
  value_map_set(map, value, made);
  return made;
}
