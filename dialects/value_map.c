/* The order of values, and copying expressions (value_map.h). */
#include "value_map.h"

#include "ir.h"

#include <string.h>

/*--- A hash table ------------------------------------------------------------------------------*/

static int *slot_of(const value_map *map, MlirValue from) {
  uint64_t hash = ((uintptr_t)from.ptr >> 3) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t mask = (uint64_t)map->slot_count - 1, at = hash >> 32 & mask;
  while (map->slots[at] && !mlirValueEqual(map->from[map->slots[at] - 1], from))
    at = (at + 1) & mask;
  return &map->slots[at];
}

static MlirValue *with_room(const value_map *map, const MlirValue *values) {
  MlirValue *larger = ARENA_ARRAY(map->memory, MlirValue, map->room);
  if (map->count)
    memcpy(larger, values, sizeof *larger * (size_t)map->count);
  return larger;
}

static void make_room(value_map *map) {
  if (map->count < map->room)
    return;
  map->room = map->room ? 2 * map->room : 16;
  map->from = with_room(map, map->from);
  map->to = with_room(map, map->to);
  map->slot_count = 2 * map->room;
  map->slots = ARENA_ARRAY(map->memory, int, map->slot_count);
  for (int i = 0; i < map->count; i++)
    *slot_of(map, map->from[i]) = i + 1;
}

void value_map_set(value_map *map, MlirValue from, MlirValue to) {
  make_room(map);
  map->from[map->count] = from;
  map->to[map->count++] = to;
  *slot_of(map, from) = map->count;
}

int value_map_place(const value_map *map, MlirValue from) {
  return map->slot_count ? *slot_of(map, from) - 1 : -1;
}

MlirValue value_map_get(const value_map *map, MlirValue from) {
  int place = value_map_place(map, from);
  return place < 0 ? (MlirValue){0} : map->to[place];
}

/*--- Order -------------------------------------------------------------------------------------*/

/* Where the walk is: a value, and how many of its operands have been gone into. */
typedef struct descent_step {
  MlirValue value;
  intptr_t next, count;
} descent_step;

typedef struct descent {
  arena *memory;
  bool (*is_leaf)(MlirValue value, void *data);
  void (*leave)(MlirValue value, void *data);
  void *data;
  value_map seen;
  descent_step *stack;
  int depth, room;
} descent;

static void enter(descent *d, MlirValue value) {
  if (d->depth == d->room) {
    int room = d->room ? 2 * d->room : 32;
    descent_step *larger = ARENA_ARRAY(d->memory, descent_step, room);
    if (d->room)
      memcpy(larger, d->stack, sizeof *larger * (size_t)d->room);
    d->room = room;
    d->stack = larger;
  }
  bool leaf = d->is_leaf(value, d->data) || mlirValueIsABlockArgument(value);
  d->stack[d->depth++] =
      (descent_step){value, 0, leaf ? 0 : mlirOperationGetNumOperands(mlirOpResultGetOwner(value))};
  value_map_set(&d->seen, value, value);
}

/* Depth first: asks on the way in, and tells on the way out. */
static void walk_operands(descent *d, MlirValue value) {
  enter(d, value);
  while (d->depth) {
    descent_step *top = &d->stack[d->depth - 1];
    if (top->next == top->count) {
      d->leave(top->value, d->data);
      --d->depth;
      continue;
    }
    MlirValue operand = mlirOperationGetOperand(mlirOpResultGetOwner(top->value), top->next++);
    if (value_map_place(&d->seen, operand) < 0)
      enter(d, operand);
  }
}

typedef struct listing {
  bool (*is_leaf)(MlirValue value, void *data);
  void *data;
  value_map done;
} listing;

static bool ends_listing(MlirValue value, void *data) {
  const listing *l = data;
  return l->is_leaf(value, l->data);
}

static void add_to_listing(MlirValue value, void *data) {
  listing *l = data;
  value_map_set(&l->done, value, value);
}

value_list values_in_order(arena *memory, MlirValue value,
                           bool (*is_leaf)(MlirValue value, void *data), void *data) {
  listing l = {is_leaf, data, {.memory = memory}};
  descent d = {.memory = memory,
               .is_leaf = ends_listing,
               .leave = add_to_listing,
               .data = &l,
               .seen = {.memory = memory}};
  walk_operands(&d, value);
  return (value_list){l.done.count, l.done.from};
}

/*--- Copies ------------------------------------------------------------------------------------*/

typedef struct copying {
  value_map *map;
  builder *b;
  value_maker *make;
  void *data;
} copying;

static bool is_made(MlirValue value, void *data) {
  copying *c = data;
  if (value_map_place(c->map, value) >= 0)
    return true;
  MlirValue made = c->make(value, c->data);
  if (!mlirValueIsNull(made))
    value_map_set(c->map, value, made);
  return !mlirValueIsNull(made);
}

static void copy_operation(MlirValue value, void *data) {
  copying *c = data;
  if (value_map_place(c->map, value) >= 0)
    return;
  MlirOperation op = mlirOpResultGetOwner(value), copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, value_map_get(c->map, mlirOperationGetOperand(op, i)));
  MlirValue copied = op_result(insert_op(c->b, copy), mlirOpResultGetResultNumber(value));
  value_map_set(c->map, value, copied);
}

MlirValue value_map_copy(value_map *map, builder *b, MlirValue value, value_maker *make,
                         void *data) {
  copying c = {map, b, make, data};
  descent d = {.memory = map->memory,
               .is_leaf = is_made,
               .leave = copy_operation,
               .data = &c,
               .seen = {.memory = map->memory}};
  walk_operands(&d, value);
  return value_map_get(map, value);
}
