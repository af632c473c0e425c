/* value_map.h - while code is copied: which value stands for which. */
#ifndef LACUNA_VALUE_MAP_H
#define LACUNA_VALUE_MAP_H

#include "arena.h"
#include "builder.h"

typedef struct value_map {
  arena *memory;
  int count, room;
  MlirValue *from, *to;
} value_map;

void value_map_set(value_map *map, MlirValue from, MlirValue to);

/* What stands for `from`; null where nothing does. */
MlirValue value_map_get(const value_map *map, MlirValue from);

/* What stands for `value`: where nothing does, `make` is asked, and if that gives null, the
 * operation of `value` is copied to where `b` stands, its operands first. */
typedef MlirValue value_maker(MlirValue value, void *data);
MlirValue value_map_copy(value_map *map, builder *b, MlirValue value, value_maker *make,
                         void *data);

#endif
