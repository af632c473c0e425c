/* told.c - entries of a result that an operand has one for one; see told.h.
 *
 * From an append outwards: it stands right in a walk of one level of an operand, which visits each
 * of its entries by itself, below a position of the level above that a loop right around walks so,
 * or that is located at each coordinate of the loop.
 */
#include "told.h"

#include "cut.h"
#include "ir.h"
#include "sit.h"

typedef struct appends {
  MlirValue tensor;
  int level, count;
  MlirOperation last;
} appends;

static bool visit_append(MlirOperation op, void *data) {
  appends *a = data;
  if (sit_is_append(op) && mlirValueEqual(sit_op_tensor(op), a->tensor) &&
      (int)sit_op_level(op) == a->level) {
    a->count++;
    a->last = op;
  }
  return true;
}

/* The coiteration of one case right around an operation; null where there is none. */
static MlirOperation loop_around(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op), none = {NULL};
  bool in_case = sit_is_coiterate(parent) && sit_coiterate_case_count(parent) == 1 &&
                 !sit_coiterate_takes_any(parent) &&
                 mlirBlockEqual(mlirOperationGetBlock(op), sit_coiterate_case_body(parent, 0));
  return in_case ? parent : none;
}

static bool is_whole(MlirOperation loop) {
  return !sit_coiterate_lower(loop).ptr && !sit_coiterate_upper(loop).ptr;
}

/* Goes through all that one level of an operand has below a position. */
static bool walks_one(MlirOperation loop) {
  return sit_coiterate_count(loop) == 1 && sit_coiterate_case_size(loop, 0) == 1 &&
         !sit_coiterate_extent(loop).ptr && !sit_coiterate_uses_scratch(loop, 0) && is_whole(loop);
}

static bool visits_each(const lowering *k, MlirOperation walk) {
  storage *s = lowering_storage(k, sit_coiterate_tensor(walk, 0));
  int level = (int)sit_coiterate_level(walk, 0);
  return sit_coiterate_is_fused(walk) || storage_format(s)->levels[level].properties & LEVEL_UNIQUE;
}

/* Whether a walk of level 1 is below the position that is located at the coordinate of the loop
 * around, which counts. */
static bool is_below_located(MlirOperation walk, MlirOperation around) {
  if (sit_coiterate_level(walk, 0) != 1 || sit_coiterate_count(around) || !is_whole(around))
    return false;
  MlirOperation located = value_owner(sit_coiterate_parent(walk, 0));
  return !mlirOperationIsNull(located) && sit_is_locate(located) &&
         mlirValueEqual(sit_op_coordinate(located),
                        mlirBlockGetArgument(sit_coiterate_case_body(around, 0), 0));
}

/* Whether a walk is below each position that the one around visits. */
static bool is_below_walk(MlirOperation walk, MlirOperation around) {
  return walks_one(around) && sit_coiterate_level(walk, 0) > 0 &&
         mlirValueEqual(sit_coiterate_tensor(walk, 0), sit_coiterate_tensor(around, 0)) &&
         sit_coiterate_level(walk, 0) == sit_coiterate_level(around, 0) + 1 &&
         mlirValueEqual(sit_coiterate_parent(walk, 0),
                        mlirBlockGetArgument(sit_coiterate_case_body(around, 0), 1));
}

/* Whether what a walk goes through is, over all of the loop, all that its level has. */
static bool covers_level(MlirOperation walk, MlirOperation loop) {
  while (!mlirOperationEqual(walk, loop)) {
    MlirOperation around = loop_around(walk);
    if (mlirOperationIsNull(around))
      return false;
    if (mlirOperationEqual(around, loop) && is_below_located(walk, around))
      return true;
    if (!is_below_walk(walk, around))
      return false;
    walk = around;
  }
  return sit_coiterate_level(walk, 0) == 0;
}

static bool is_told(lowering *k, MlirOperation loop, MlirOperation append, told_level *by) {
  MlirOperation walk = loop_around(append);
  if (mlirOperationIsNull(walk) || !walks_one(walk) ||
      !lowering_is_operand(k, sit_coiterate_tensor(walk, 0)) || !visits_each(k, walk) ||
      !covers_level(walk, loop))
    return false;
  *by = (told_level){sit_coiterate_tensor(walk, 0), (int)sit_coiterate_level(walk, 0)};
  return entries_are_known(storage_format(lowering_storage(k, by->tensor)), by->level);
}

bool told_levels(lowering *k, MlirOperation loop, told_level **levels) {
  MlirValue result = sit_kernel_result(k->op);
  const tensor_format *format = storage_format(lowering_storage(k, result));
  *levels = ARENA_ARRAY(k->memory, told_level, format->level_count);
  for (int l = 0; l < format->level_count; l++) {
    appends a = {.tensor = result, .level = l};
    visit_below(loop, visit_append, &a);
    if (a.count > 1 || (a.count == 1 && !is_told(k, loop, a.last, &(*levels)[l])))
      return false;
  }
  return true;
}
