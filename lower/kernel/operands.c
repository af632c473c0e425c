/* operands.c - extents and checks of shapes, locate, and stored values. */
#include "ir.h"
#include "kernel.h"
#include "kernel_state.h"
#include "lanes.h"
#include "scratch.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* What the type tells has been checked. */
bool lower_extent(lowering *k, MlirOperation op) {
  int d = (int)sit_extent_dimension(op);
  int64_t size = dimension_size(mlirValueGetType(sit_op_tensor(op)), d);
  MlirValue extent = size >= 0 ? constant_index(k->b, size)
                               : storage_dimension(lowering_storage(k, sit_op_tensor(op)), d);
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = extent});
  return true;
}

/* Checks stand in the kernel's own block, before the result is made; all of them are made, so that
 * the first that fails tells. */
static bool check(lowering *k, MlirOperation op, const char *function) {
  if (k->own->agree.ptr == NULL)
    return error_at(op, "'%.*s' expected before 'sit.result'", TEXT(op_name(op)));
  MlirType i64 = type_i(k->b, 64);
  MlirStringRef text = sit_check_text(op);
  MlirValue arguments[6] = {constant_text(k->b, arena_text(k->memory, text.data, text.length))};
  intptr_t count = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    arguments[count++] = index_cast(k->b, lowering_scalar(k, mlirOperationGetOperand(op, i)), i64);
  arguments[count++] = k->status;
  MlirValue held = call(k->b, function, type_i(k->b, 1), count, arguments);
  k->own->agree = and_i(k->b, k->own->agree, held);
  return true;
}

bool lower_match(lowering *k, MlirOperation op) {
  return check(k, op, "lac_kernel_match");
}

bool lower_within(lowering *k, MlirOperation op) {
  return check(k, op, "lac_kernel_within");
}

/* As many times the level as the parent's position is from that one's, and as far as the coordinate
 * is. */
static MlirValue lanes_spread(lowering *k, level *l, const lowered *parent,
                              const lowered *coordinate) {
  builder *b = k->b;
  MlirValue spread = {NULL};
  if (parent->lanes != LANES_SAME)
    spread = mul(b, lanes_from_first(k, parent), broadcast(b, level_size(l), k->lanes));
  if (coordinate->lanes == LANES_SAME)
    return spread;
  MlirValue along =
      coordinate->lanes == LANES_EACH ? coordinate->value : lanes_from_first(k, coordinate);
  return spread.ptr ? add(b, spread, along) : along;
}

static bool is_padded(MlirOperation op) {
  return sit_is_locate(op) && sit_op_is_padded(op);
}

static MlirValue inside_of(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  MlirValue coordinate = lowering_scalar(k, sit_op_coordinate(op));
  return level_is_inside(storage_level(s, (int)sit_op_level(op)), coordinate);
}

static MlirValue and_inside(lowering *k, MlirOperation op, MlirValue present) {
  MlirValue inside = inside_of(k, op);
  return present.ptr ? and_i(k->b, present, inside) : inside;
}

/* Positions that a level format finds for a coordinate: tensor, coordinate, parent. */
static bool locate(lowering *k, MlirOperation op, lowered *position, MlirValue *found) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  int l = (int)sit_op_level(op);
  const level_format *format = storage_level_format(s, l);
  if (!(format->capabilities & LEVEL_LOCATE))
    return error_at(op, "'%.*s' expected a level that can locate, found level %d '%s'",
                    TEXT(op_name(op)), l, format->name);
  lowered parent = lowering_position(k, sit_op_parent(op));
  const lowered *coordinate = lowering_find(k, sit_op_coordinate(op));
  MlirValue scratch = scratch_of(k, op, 0);
  if (parent.last.ptr && (!scratch.ptr || coordinate->lanes != LANES_SAME))
    return error_at(op, "'%.*s' expected one parent position, found a segment of duplicates",
                    TEXT(op_name(op)));
  if (parent.last.ptr) {
    parent.present = is_padded(op) ? and_inside(k, op, parent.present) : parent.present;
    *position = scratch_locate(k, s, l, &parent, coordinate->value, scratch);
    return true;
  }
  bool each = coordinate->lanes == LANES_EACH;
  MlirValue first = each ? constant_index(k->b, 0) : coordinate->value;
  *position = (lowered){.coordinates = lowering_coordinates(k, &parent, l, first)};
  *found = (MlirValue){NULL};
  position->lanes = lane_kind_located(format->properties, parent.lanes, coordinate->lanes);
  format->locate(storage_level(s, l), parent.value, position->coordinates, &position->value, found);
  return true;
}

void lanes_tell(lowering *k, MlirOperation op, lowered *position) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  level *l = storage_level(s, (int)sit_op_level(op));
  lowered parent = lowering_position(k, sit_op_parent(op));
  const lowered *coordinate = lowering_find(k, sit_op_coordinate(op));
  if (position->lanes == LANES_SPREAD)
    position->spread = lanes_spread(k, l, &parent, coordinate);
  position->step = lanes_step(parent.lanes == LANES_SAME ? coordinate : &parent);
}

/* Below no position, and out of range, there is none: nothing is looked up there. */
static bool locate_present(lowering *k, MlirOperation op, MlirValue present, lowered *position,
                           MlirValue *found) {
  builder *b = k->b;
  int mark = var_mark(b);
  variable at = var_make(b, constant_index(b, 0)), there = var_make(b, constant_bool(b, false));
  if_begin(b, present);
  bool good = locate(k, op, position, found);
  if (good) {
    var_set(b, at, position->value);
    var_set(b, there, found->ptr ? *found : present);
  }
  if_end(b);
  position->value = var_get(b, at);
  *found = found->ptr ? var_get(b, there) : *found;
  position->present = present;
  var_release(b, mark);
  return good;
}

static bool locate_position(lowering *k, MlirOperation op, lowered *position, MlirValue *found) {
  lowered parent = lowering_position(k, sit_op_parent(op));
  MlirValue present =
      is_padded(op) && !parent.last.ptr ? and_inside(k, op, parent.present) : parent.present;
  bool good = present.ptr && !parent.last.ptr ? locate_present(k, op, present, position, found)
                                              : locate(k, op, position, found);
  if (good)
    lanes_tell(k, op, position);
  return good;
}

bool lower_present(lowering *k, MlirOperation op) {
  MlirValue present = lowering_position(k, sit_op_position(op)).present;
  lowering_bind(k, mlirOperationGetResult(op, 0),
                (lowered){.value = present.ptr ? present : constant_bool(k->b, true)});
  return true;
}

bool lower_locate(lowering *k, MlirOperation op) {
  lowered position = {0};
  MlirValue found = {NULL};
  if (!locate_position(k, op, &position, &found))
    return false;
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

bool lower_find(lowering *k, MlirOperation op) {
  lowered position = {0};
  MlirValue found = {NULL};
  if (!locate_position(k, op, &position, &found))
    return false;
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  lowering_bind(k, mlirOperationGetResult(op, 1),
                (lowered){.value = found.ptr ? found : constant_bool(k->b, true)});
  return true;
}

/* The value at a place of a segment. */
static MlirValue value_at(lowering *k, storage *s, const lowered *segment, MlirValue place) {
  return storage_load(s, segment->scratch.ptr ? scratch_position(k->b, segment->scratch, place)
                                              : place);
}

/* Sum over the segment: s = v[value]; for (p = value + 1; p < last; p++) s += v[p]. */
static MlirValue sum_of_duplicates(lowering *k, storage *s, const lowered *position) {
  builder *b = k->b;
  MlirValue one = constant_index(b, 1);
  int mark = var_mark(b);
  variable sum = var_make(b, value_at(k, s, position, position->value));
  MlirValue p = for_begin_plain(b, add(b, position->value, one), position->last, one);
  var_set(b, sum, combine(b, TIN_ADD, var_get(b, sum), value_at(k, s, position, p), k->strict));
  for_end(b);
  MlirValue total = var_get(b, sum);
  var_release(b, mark);
  return total;
}

/* By one instruction where the machine has it for such elements. */
static MlirValue gathered(lowering *k, storage *s, const lowered *position) {
  MlirType element = storage_format(s)->element;
  unsigned width = type_is_float(element)     ? mlirFloatTypeGetWidth(element)
                   : type_is_integer(element) ? mlirIntegerTypeGetWidth(element)
                                              : 0;
  MlirValue spread = lanes_from_first(k, position);
  return k->gathers && (width == 32 || width == 64)
             ? storage_gather(s, position->value, spread, k->mask)
             : storage_gather_by_loads(s, position->value, spread, k->mask);
}

bool lower_value(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  lowered position = lowering_position(k, sit_op_position(op));
  if (position.lanes == LANES_CONSECUTIVE) {
    if (k->streams)
      stream_ahead(k, storage_values(s), position.value);
    MlirValue mask = position.stored ? position.within : k->mask;
    MlirValue lanes = storage_load_lanes(s, position.value, k->lanes, mask);
    lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = lanes, .lanes = LANES_EACH});
    return true;
  }
  if (position.lanes == LANES_STRIDED) {
    MlirValue lanes =
        storage_load_lanes_strided(s, position.value, position.step, k->lanes, k->mask);
    lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = lanes, .lanes = LANES_EACH});
    return true;
  }
  if (position.lanes == LANES_SPREAD) {
    lowering_bind(k, mlirOperationGetResult(op, 0),
                  (lowered){.value = gathered(k, s, &position), .lanes = LANES_EACH});
    return true;
  }
  MlirValue value =
      position.last.ptr ? sum_of_duplicates(k, s, &position) : storage_load(s, position.value);
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = value});
  return true;
}
