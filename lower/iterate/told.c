/* told.c - entries of a result that an operand has one for one; see told.h.
 *
 * From an append outwards: it stands right in a walk of one level of an operand, which visits each
 * of its entries by itself, below a position of the level above that a loop right around walks so,
 * or that is located at each coordinate of the loop.  Or it stands in a branch that is taken where
 * the level below has grown, by a walk of the operand's children there.
 */
#include "told.h"

#include "cut.h"
#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

enum { arith_differs = 1 }; /* arith.cmpi ne */

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

/* Whether a walk visits each entry of a level of an operand, over all of the loop. */
static bool visits_level(const lowering *k, MlirOperation walk, MlirOperation loop) {
  return !mlirOperationIsNull(walk) && walks_one(walk) &&
         lowering_is_operand(k, sit_coiterate_tensor(walk, 0)) && visits_each(k, walk) &&
         covers_level(walk, loop);
}

/* ---- Appended for each entry -------------------------------------------------------------- */

static bool is_told_each(const lowering *k, MlirOperation loop, MlirOperation append,
                         told_level *by) {
  MlirOperation walk = loop_around(append);
  if (!visits_level(k, walk, loop))
    return false;
  int level = (int)sit_coiterate_level(walk, 0);
  *by = (told_level){sit_coiterate_tensor(walk, 0), level, level};
  return entries_are_known(storage_format(lowering_storage(k, by->tensor)), level);
}

/* ---- Appended where there is something below ---------------------------------------------- */

static MlirOperation branch_around(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op), none = {NULL};
  return op_is(parent, "scf.if") ? parent : none;
}

static bool stands_before(MlirOperation op, MlirOperation other) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, other))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

static bool is_end(MlirOperation op, MlirValue tensor, int level) {
  return !mlirOperationIsNull(op) && sit_is_end(op) && (int)sit_op_level(op) == level &&
         mlirValueEqual(sit_op_tensor(op), tensor);
}

/* Whether the branch is taken where the level has got entries by a walk right before it. */
static bool tests_growth(MlirOperation branch, MlirOperation walk, MlirValue tensor, int level) {
  MlirOperation test = value_owner(mlirOperationGetOperand(branch, 0));
  if (mlirOperationIsNull(test) || !op_is(test, "arith.cmpi") ||
      mlirIntegerAttrGetValueInt(op_attribute(test, "predicate")) != arith_differs)
    return false;
  MlirOperation end = value_owner(mlirOperationGetOperand(test, 0));
  MlirOperation begin = value_owner(mlirOperationGetOperand(test, 1));
  MlirBlock block = mlirOperationGetBlock(walk);
  return is_end(end, tensor, level) && is_end(begin, tensor, level) &&
         mlirBlockEqual(mlirOperationGetBlock(end), block) &&
         mlirBlockEqual(mlirOperationGetBlock(begin), block) &&
         mlirBlockEqual(mlirOperationGetBlock(branch), block) && stands_before(begin, walk) &&
         stands_before(walk, end);
}

/* The operation, in its walk, that appends an entry: the append, or the branch that it is in. */
static MlirOperation appending(MlirOperation append) {
  MlirOperation branch = branch_around(append);
  return mlirOperationIsNull(branch) ? append : branch;
}

/* Of level l, where `below` appends to level l + 1, told by `of_below`. */
static bool is_told_grown(const lowering *k, MlirOperation loop, MlirOperation append,
                          MlirOperation below, const told_level *of_below, told_level *by) {
  MlirOperation branch = branch_around(append), walk = loop_around(appending(below));
  int level = (int)sit_op_level(append) + 1;
  if (mlirOperationIsNull(branch) || mlirOperationIsNull(walk) || of_below->level == 0 ||
      !tests_growth(branch, walk, sit_op_tensor(append), level))
    return false;
  MlirOperation around = loop_around(branch);
  bool counts = mlirOperationEqual(around, loop) && is_below_located(walk, around);
  if (!counts && !(visits_level(k, around, loop) && is_below_walk(walk, around)))
    return false;
  *by = (told_level){of_below->tensor, of_below->level - 1, of_below->leaf};
  return true;
}

static bool is_told(const lowering *k, MlirOperation loop, const appends *here,
                    const appends *below, const told_level *of_below, told_level *by) {
  return is_told_each(k, loop, here->last, by) ||
         (below && below->count && is_told_grown(k, loop, here->last, below->last, of_below, by));
}

bool told_levels(lowering *k, MlirOperation loop, told_level **levels) {
  MlirValue result = sit_kernel_result(k->op);
  const tensor_format *format = storage_format(lowering_storage(k, result));
  int count = format->level_count;
  appends *all = ARENA_ARRAY(k->memory, appends, count);
  *levels = ARENA_ARRAY(k->memory, told_level, count);
  for (int l = count - 1; l >= 0; l--) {
    told_level *by = &(*levels)[l];
    bool last = l + 1 == count;
    all[l] = (appends){.tensor = result, .level = l};
    visit_below(loop, visit_append, &all[l]);
    if (all[l].count > 1 ||
        (all[l].count == 1 &&
         !is_told(k, loop, &all[l], last ? NULL : &all[l + 1], last ? NULL : by + 1, by)))
      return false;
  }
  return true;
}
