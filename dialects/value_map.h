/* value_map.h - while expressions of SSA values are read or copied: the order of their values, and
 * which value stands for which.
 */
#ifndef LACUNA_VALUE_MAP_H
#define LACUNA_VALUE_MAP_H

#include "arena.h"
#include "builder.h"

/* A hash table; pairs are kept in the order in which they were set. */
typedef struct value_map {
  arena *memory;
  int count, room;
  MlirValue *from, *to;
  int slot_count;
  int *slots; /* places, from 1 */
} value_map;

/* `from` is not in the map. */
void value_map_set(value_map *map, MlirValue from, MlirValue to);

/* What stands for `from`; null where nothing does.  Its place in the map, or -1. */
MlirValue value_map_get(const value_map *map, MlirValue from);
int value_map_place(const value_map *map, MlirValue from);

/* `value` and what it is computed from, each once, operands before what uses them; what `is_leaf`
 * says is one is not gone into.  As deep as the expression may be, nothing recurs. */
typedef struct value_list {
  int count;
  MlirValue *values;
} value_list;
value_list values_in_order(arena *memory, MlirValue value,
                           bool (*is_leaf)(MlirValue value, void *data), void *data);

/* What stands for `value`: where nothing does, `make` is asked, and if that gives null, the
 * operation of `value` is copied to where `b` stands, its operands first. */
typedef MlirValue value_maker(MlirValue value, void *data);
MlirValue value_map_copy(value_map *map, builder *b, MlirValue value, value_maker *make,
                         void *data);

#endif
