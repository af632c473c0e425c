/* told.c - entries of a result that an operand has one for one; see told.h.
 *
 * From an append outwards: it stands right in a walk of one level of an operand, which visits each
 * of its entries by itself, below a position of the level above that a loop right around walks so,
 * or that is located at each coordinate of the loop; or in a loop that goes to the end of levels
 * which have all coordinates.  Or it stands in a branch that is taken where
 * the level below has grown, by a walk of the operand's children there.
 */
#include "told.h"

#include "cut.h"
#include "first_level.h"
#include "ir.h"
#include "shared_reduction.h"
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

/* The loop on threads, and in it the one that goes over the coordinates of the result's first
 * level: the same, or one through a part of them, where parts come without a gap. */
typedef struct nest {
  const lowering *k;
  MlirOperation threads, loop;
} nest;

/* Whether a loop leaves out nothing; what the first one does is known of its range. */
static bool is_whole(const nest *n, MlirOperation loop) {
  return mlirOperationEqual(loop, n->loop) ||
         (!sit_coiterate_lower(loop).ptr && !sit_coiterate_upper(loop).ptr);
}

/* Goes through all that one level of an operand has below a position, at the coordinates that are
 * there. */
static bool walks_one(const nest *n, MlirOperation loop) {
  return sit_coiterate_count(loop) == 1 && sit_coiterate_case_size(loop, 0) == 1 &&
         !sit_coiterate_extent(loop).ptr && !sit_coiterate_offset(loop, 0).ptr &&
         !sit_coiterate_uses_scratch(loop, 0) && is_whole(n, loop);
}

/* How an operand, or the list of what threads gather, is stored, which may not be made yet; NULL of
 * others. */
static const tensor_format *format_of(const lowering *k, MlirValue tensor) {
  if (lowering_is_operand(k, tensor))
    return storage_format(lowering_storage(k, tensor));
  MlirOperation made = value_owner(tensor);
  if (mlirOperationIsNull(made) || !sit_is_workspace(made))
    return NULL;
  const tensor_format *policy =
      tensor_format_get(k->memory, mlirValueGetType(tensor), mlirOperationGetLocation(made));
  return policy && shared_workspace_is_gathered(made, policy)
             ? storage_gathered_format(k->memory, policy)
             : NULL;
}

static bool visits_each(const tensor_format *format, MlirOperation walk) {
  int level = (int)sit_coiterate_level(walk, 0);
  return sit_coiterate_is_fused(walk) || format->levels[level].properties & LEVEL_UNIQUE;
}

/* Whether a walk of level 1 is below the position that is located at the coordinate of the loop
 * around, which counts. */
static bool is_below_located(MlirOperation walk, MlirOperation around) {
  if (sit_coiterate_level(walk, 0) != 1 || sit_coiterate_count(around))
    return false;
  MlirOperation located = value_owner(sit_coiterate_parent(walk, 0));
  return !mlirOperationIsNull(located) && sit_is_locate(located) &&
         mlirValueEqual(sit_op_coordinate(located),
                        mlirBlockGetArgument(sit_coiterate_case_body(around, 0), 0));
}

/* Whether a walk is below each position that the one around visits. */
static bool is_below_walk(const nest *n, MlirOperation walk, MlirOperation around) {
  return walks_one(n, around) && sit_coiterate_level(walk, 0) > 0 &&
         mlirValueEqual(sit_coiterate_tensor(walk, 0), sit_coiterate_tensor(around, 0)) &&
         sit_coiterate_level(walk, 0) == sit_coiterate_level(around, 0) + 1 &&
         mlirValueEqual(sit_coiterate_parent(walk, 0),
                        mlirBlockGetArgument(sit_coiterate_case_body(around, 0), 1));
}

/* Whether what a walk goes through is, over all of the loop, all that its level has. */
static bool covers_level(const nest *n, MlirOperation walk) {
  while (!mlirOperationEqual(walk, n->loop)) {
    MlirOperation around = loop_around(walk);
    if (mlirOperationIsNull(around))
      return false;
    if (mlirOperationEqual(around, n->loop) && is_below_located(walk, around))
      return true;
    if (!is_below_walk(n, walk, around))
      return false;
    walk = around;
  }
  return sit_coiterate_level(walk, 0) == 0;
}

/* Whether a walk visits each entry of a level of an operand, over all of the loop. */
static bool visits_level(const nest *n, MlirOperation walk) {
  if (mlirOperationIsNull(walk) || !walks_one(n, walk))
    return false;
  const tensor_format *format = format_of(n->k, sit_coiterate_tensor(walk, 0));
  return format && visits_each(format, walk) && covers_level(n, walk);
}

static bool stands_before(MlirOperation op, MlirOperation other) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, other))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

/* ---- Appended for each entry -------------------------------------------------------------- */

static bool is_told_each(const nest *n, MlirOperation append, told_level *by) {
  MlirOperation walk = loop_around(append);
  if (!visits_level(n, walk))
    return false;
  int level = (int)sit_coiterate_level(walk, 0);
  *by = (told_level){.tensor = sit_coiterate_tensor(walk, 0), .level = level, .leaf = level};
  return entries_are_known(format_of(n->k, by->tensor), level);
}

/* ---- Appended for each coordinate, of which an operand has all ---------------------------- */

typedef struct locates {
  MlirOperation loop, found; /* at the coordinate of the loop, in its one case */
} locates;

static bool visit_located(MlirOperation op, void *data) {
  locates *l = data;
  bool there = sit_is_locate(op) && mlirOperationEqual(loop_around(op), l->loop) &&
               mlirValueEqual(sit_op_coordinate(op),
                              mlirBlockGetArgument(sit_coiterate_case_body(l->loop, 0), 0));
  l->found = there && mlirOperationIsNull(l->found) ? op : l->found;
  return true;
}

/* The first operand's position that is located at each coordinate of a loop which counts. */
static MlirOperation located_in(MlirOperation loop) {
  locates l = {.loop = loop};
  if (!sit_coiterate_count(loop))
    visit_below(loop, visit_located, &l);
  return l.found;
}

/* Whether a value is the size of a tensor's dimension. */
static bool is_extent(MlirValue value, MlirValue tensor, int dimension) {
  int64_t size;
  if (mlirValueIsNull(value))
    return false;
  MlirOperation extent = value_owner(value);
  if (value_is_constant_index(value, &size))
    return size == dimension_size(mlirValueGetType(tensor), dimension);
  return !mlirOperationIsNull(extent) && sit_is_extent(extent) &&
         mlirValueEqual(sit_op_tensor(extent), tensor) && sit_extent_dimension(extent) == dimension;
}

/* Whether a loop which counts does so to the end of the level that is located in. */
static bool counts_to_end(const nest *n, MlirOperation loop, MlirOperation located) {
  MlirValue tensor = sit_op_tensor(located);
  const tensor_format *format = format_of(n->k, tensor);
  int dimension = format ? format->levels[sit_op_level(located)].dimension : -1;
  return dimension >= 0 && is_whole(n, loop) &&
         is_extent(sit_coiterate_extent(loop), tensor, dimension);
}

/* Whether a position is located at each coordinate, below one that is so in the loop around, and so
 * on, over all of the loop. */
static bool locates_all(const nest *n, MlirOperation loop, MlirOperation located) {
  while (counts_to_end(n, loop, located)) {
    bool first = mlirOperationEqual(loop, n->loop);
    if (first || sit_op_level(located) == 0)
      return first && sit_op_level(located) == 0;
    loop = loop_around(loop);
    located = value_owner(sit_op_parent(located));
    if (mlirOperationIsNull(loop) || mlirOperationIsNull(located) || !sit_is_locate(located) ||
        !mlirOperationEqual(loop_around(located), loop))
      return false;
  }
  return false;
}

static bool is_told_located(const nest *n, MlirOperation append, told_level *by) {
  MlirOperation loop = loop_around(append), none = {NULL};
  MlirOperation located = mlirOperationIsNull(loop) ? none : located_in(loop);
  if (mlirOperationIsNull(located) || !locates_all(n, loop, located))
    return false;
  int level = (int)sit_op_level(located);
  *by = (told_level){.tensor = sit_op_tensor(located), .level = level, .leaf = level};
  return level_is_counted(format_of(n->k, by->tensor), level) &&
         entries_are_known(format_of(n->k, by->tensor), level);
}

/* ---- Appended for each coordinate of a workspace that is filled --------------------------- */

static bool visit_insert(MlirOperation op, void *data) {
  appends *a = data;
  if (sit_is_insert(op) && mlirValueEqual(sit_op_tensor(op), a->tensor)) {
    a->count++;
    a->last = op;
  }
  return true;
}

/* The walk of one level, right before the one of the workspace, at each of whose entries all
 * coordinates of the workspace are inserted, as nowhere else; null where there is none. */
static MlirOperation filling(const nest *n, MlirOperation workspace, MlirOperation walk) {
  MlirOperation none = {NULL};
  appends inserts = {.tensor = mlirOperationGetResult(workspace, 0)};
  visit_below(n->threads, visit_insert, &inserts);
  MlirOperation fill = inserts.count == 1 ? loop_around(inserts.last) : none;
  if (mlirOperationIsNull(fill) || sit_op_dimension_count(workspace) != 1 ||
      sit_coiterate_count(fill) || !is_whole(n, fill) ||
      !mlirValueEqual(sit_coiterate_extent(fill), sit_op_dimension(workspace, 0)) ||
      !mlirValueEqual(sit_op_coordinate(inserts.last),
                      mlirBlockGetArgument(sit_coiterate_case_body(fill, 0), 0)))
    return none;
  MlirOperation each = loop_around(fill);
  bool before = !mlirOperationIsNull(each) &&
                mlirBlockEqual(mlirOperationGetBlock(each), mlirOperationGetBlock(walk)) &&
                stands_before(each, walk);
  return before ? each : none;
}

static bool is_told_filled(const nest *n, MlirOperation append, told_level *by) {
  MlirOperation walk = loop_around(append);
  if (mlirOperationIsNull(walk) || !walks_one(n, walk))
    return false;
  MlirValue tensor = sit_coiterate_tensor(walk, 0);
  MlirOperation workspace = value_owner(tensor);
  if (mlirOperationIsNull(workspace) || !sit_is_workspace(workspace) ||
      !sit_is_cleared_behind(walk, tensor))
    return false;
  MlirOperation each = filling(n, workspace, walk);
  if (!visits_level(n, each) || sit_coiterate_level(each, 0) == 0)
    return false;
  int leaf = (int)sit_coiterate_level(each, 0);
  *by = (told_level){sit_coiterate_tensor(each, 0), leaf - 1, leaf, sit_op_dimension(workspace, 0),
                     false};
  return entries_are_known(format_of(n->k, by->tensor), leaf);
}

/* ---- Appended where there is something below ---------------------------------------------- */

static MlirOperation branch_around(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op), none = {NULL};
  return op_is(parent, "scf.if") ? parent : none;
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

/* Whether the loop visits the entries at each of which a workspace is filled. */
static bool visits_filled(const nest *n, MlirOperation around, const told_level *filled) {
  if (mlirOperationEqual(around, n->loop) && !sit_coiterate_count(around))
    return filled->level == 0;
  return visits_level(n, around) &&
         mlirValueEqual(sit_coiterate_tensor(around, 0), filled->tensor) &&
         (int)sit_coiterate_level(around, 0) == filled->level;
}

static bool is_filled(const told_level *by) {
  return by->times.ptr && !by->once;
}

/* Of level l, where `below` appends to level l + 1, told by `of_below`. */
static bool is_told_grown(const nest *n, MlirOperation append, MlirOperation below,
                          const told_level *of_below, told_level *by) {
  MlirOperation branch = branch_around(append), walk = loop_around(appending(below));
  int level = (int)sit_op_level(append) + 1;
  if (mlirOperationIsNull(branch) || mlirOperationIsNull(walk) ||
      !tests_growth(branch, walk, sit_op_tensor(append), level))
    return false;
  MlirOperation around = loop_around(branch);
  if (mlirOperationIsNull(around))
    return false;
  *by = *of_below;
  by->once = true;
  if (is_filled(of_below))
    return visits_filled(n, around, of_below);
  by->level--;
  if (!sit_coiterate_count(walk)) /* of a level that has all coordinates, as all above it have */
    return by->level >= 0;
  bool counts = mlirOperationEqual(around, n->loop) && is_below_located(walk, around);
  return by->level >= 0 && (counts || (visits_level(n, around) && is_below_walk(n, walk, around)));
}

/* Whether what is counted comes once: no two entries above the leaf repeat a coordinate. */
static bool counts_once(const nest *n, const told_level *by) {
  const tensor_format *format = format_of(n->k, by->tensor);
  for (int l = 0; l < by->leaf; l++)
    if (!(format->levels[l].properties & LEVEL_UNIQUE))
      return false;
  return true;
}

static bool is_told(const nest *n, const appends *here, const appends *below,
                    const told_level *of_below, told_level *by) {
  if (is_told_each(n, here->last, by) || is_told_located(n, here->last, by))
    return true;
  bool counted = is_told_filled(n, here->last, by) ||
                 (below && below->count && is_told_grown(n, here->last, below->last, of_below, by));
  return counted && counts_once(n, by);
}

bool told_levels(lowering *k, MlirOperation loop, told_level **levels) {
  MlirValue limit, result = sit_kernel_result(k->op);
  first_level first = first_level_of(k, loop);
  if (!first_level_is_gapless(&first, &limit))
    return false;
  nest n = {k, loop, first_level_loop(&first)};
  const tensor_format *format = storage_format(lowering_storage(k, result));
  int count = format->level_count;
  appends *all = ARENA_ARRAY(k->memory, appends, count);
  *levels = ARENA_ARRAY(k->memory, told_level, count);
  for (int l = count - 1; l >= 0; l--) {
    told_level *by = &(*levels)[l];
    bool last = l + 1 == count;
    all[l] = (appends){.tensor = result, .level = l};
    visit_below(loop, visit_append, &all[l]);
    if (all[l].count > 1 || (all[l].count == 1 && !is_told(&n, &all[l], last ? NULL : &all[l + 1],
                                                           last ? NULL : by + 1, by)))
      return false;
  }
  return true;
}
