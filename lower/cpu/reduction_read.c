/* reduction_read.c - whether a walk only reduces, and into what.
 *
 *     into variables                      into a place, by entries that repeat a coordinate
 *       walk p:                             walk p at i, duplicates one by one:
 *         t = t + A[p] * x[crd[p]]            walk the one entry below p:
 *                                               y[i] = y[i] + A[p] * x[crd[p]]
 *
 * Each value of the body is the same for all entries that are taken together, or grows by one from
 * entry to entry (positions), or differs.  A value that differs may locate in a last level with
 * consecutive positions, be read at the position found, and go through scalar operations that
 * vectors have and that cannot trap on lanes that are not there.
 */
#include "reduction.h"

#include "cin.h"
#include "ir.h"
#include "lanes.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* Those with a kind are what reductions are made of. */
static const struct {
  const char *name;
  tin_reduction kind;
  bool reorders; /* rounds otherwise in another order */
} scalar_ops[] = {
    {"arith.addf", TIN_ADD, true},
    {"arith.mulf", TIN_MUL, true},
    {"arith.addi", TIN_ADD, false},
    {"arith.muli", TIN_MUL, false},
    {"arith.minimumf", TIN_MIN, false},
    {"arith.maximumf", TIN_MAX, false},
    {"arith.minsi", TIN_MIN, false},
    {"arith.maxsi", TIN_MAX, false},
    {"arith.subf", TIN_NO_REDUCTION, false},
    {"arith.divf", TIN_NO_REDUCTION, false},
    {"arith.negf", TIN_NO_REDUCTION, false},
    {"arith.subi", TIN_NO_REDUCTION, false},
    {"arith.constant", TIN_NO_REDUCTION, false},
    {"arith.select", TIN_NO_REDUCTION, false},
    {"arith.extf", TIN_NO_REDUCTION, false},
    {"arith.truncf", TIN_NO_REDUCTION, false},
    {"arith.extsi", TIN_NO_REDUCTION, false},
    {"arith.trunci", TIN_NO_REDUCTION, false},
    {"arith.sitofp", TIN_NO_REDUCTION, false},
};
enum { SCALAR_OPS = sizeof scalar_ops / sizeof *scalar_ops };

static int scalar_op(MlirOperation op) {
  for (int i = 0; i < SCALAR_OPS; i++)
    if (op_is(op, scalar_ops[i].name))
      return i;
  return -1;
}

/* What a value of the body is on lanes: what comes from outside is the same in all. */
typedef struct reduction_value {
  struct reduction_value *next;
  MlirValue value;
  lane_kind kind;
} reduction_value;

static lane_kind kind_of(const void *where, MlirValue value) {
  const reduction *r = where;
  for (const reduction_value *at = r->values; at; at = at->next)
    if (mlirValueEqual(at->value, value))
      return at->kind;
  return LANES_SAME;
}

static void assume(reduction *r, MlirValue value, lane_kind kind) {
  reduction_value *added = ARENA_ARRAY(r->walked->memory, reduction_value, 1);
  *added = (reduction_value){r->values, value, kind};
  r->values = added;
}

static const format_level *level_of(reduction *r, MlirValue tensor, int64_t number) {
  return &walked_format_of(r->walked, tensor)->levels[number];
}

/* Elements as wide as what processors gather: 32 or 64 bits; of others where somebody asks for
 * lanes. */
static bool set_element(reduction *r, MlirType type) {
  bool first = mlirTypeIsNull(r->element);
  if (first)
    r->element = type;
  if (r->asked)
    return mlirTypeEqual(type, r->element) && (type_is_float(type) || type_is_integer(type));
  if (!first || type_is_float(type))
    return mlirTypeEqual(type, r->element) && (mlirTypeIsAF64(type) || mlirTypeIsAF32(type));
  return type_is_integer(type) &&
         (mlirIntegerTypeGetWidth(type) == 32 || mlirIntegerTypeGetWidth(type) == 64);
}

/* ---- Into variables ------------------------------------------------------------------------- */

static bool is_used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static bool is_get_of(MlirValue value, MlirValue variable, MlirBlock body) {
  MlirOperation op = value_owner(value);
  return sit_is_get(op) && mlirBlockEqual(mlirOperationGetBlock(op), body) &&
         mlirValueEqual(sit_op_var(op), variable) && is_used_once(value);
}

static bool is_taken(const reduction *r, MlirValue variable) {
  for (int i = 0; i < r->count; i++)
    if (mlirValueEqual(r->variables[i].variable, variable))
      return true;
  return false;
}

/* v = op(v, x), and v nowhere else. */
static bool take_variable(reduction *r, MlirOperation set) {
  MlirBlock body = mlirOperationGetBlock(set);
  MlirValue variable = sit_op_var(set), value = sit_op_value(set);
  MlirOperation op = value_owner(value);
  int found = mlirOperationIsNull(op) ? -1 : scalar_op(op);
  if (found < 0 || !scalar_ops[found].kind || (scalar_ops[found].reorders && r->walked->strict))
    return false;
  if (r->count == REDUCTION_VARIABLES || is_taken(r, variable) || !is_used_once(value))
    return false;
  if (is_get_of(mlirOperationGetOperand(op, 0), variable, body) ==
      is_get_of(mlirOperationGetOperand(op, 1), variable, body))
    return false;
  r->variables[r->count++] = (reduced){.variable = variable, .kind = scalar_ops[found].kind};
  return set_element(r, mlirValueGetType(value));
}

/* Whether a variable is set to what is the same whichever entries come to it. */
static bool notes(MlirOperation set) {
  MlirOperation value = value_owner(sit_op_value(set));
  return !mlirOperationIsNull(value) && op_is(value, "arith.constant");
}

/* Those that are set in a block, or under conditions in it; `*gets` counts what is got. */
static bool take_set_in(reduction *r, MlirBlock body, int *gets) {
  for (OPERATIONS(op, body)) {
    if (sit_is_set(op) && notes(op))
      r->notes = true;
    else if (sit_is_set(op) && !take_variable(r, op))
      return false;
    *gets += sit_is_get(op);
    for (intptr_t region = 0; op_is(op, "scf.if") && region < 2; region++)
      if (!mlirBlockIsNull(op_block(op, region)) && !take_set_in(r, op_block(op, region), gets))
        return false;
  }
  return true;
}

static bool take_variables(reduction *r, MlirBlock body) {
  int gets = 0;
  return take_set_in(r, body, &gets) && gets == r->count;
}

/* ---- The operations of a body --------------------------------------------------------------- */

static bool block_fits(reduction *r, MlirBlock body);

/* Whether positions of which each lane has one may be read at: where a last level has them at
 * coordinates that are loaded; and all others, where somebody asks for lanes. */
static bool gathers(const reduction *r, MlirOperation op, lane_kind above) {
  const tensor_format *format = walked_format_of(r->walked, sit_op_tensor(op));
  bool last = sit_op_level(op) == format->level_count - 1;
  return r->asked || (r->walked->gathers && last && above == LANES_SAME);
}

/* A position of a coordinate; of those that are not one for all lanes, what is there is read. */
static bool position_fits(reduction *r, MlirOperation op) {
  MlirValue parent = sit_op_parent(op);
  lane_kind above = parent.ptr ? kind_of(r, parent) : LANES_SAME;
  lane_kind kind = lane_kind_located(level_of(r, sit_op_tensor(op), sit_op_level(op))->properties,
                                     above, kind_of(r, sit_op_coordinate(op)));
  assume(r, mlirOperationGetResult(op, 0), kind);
  if ((sit_is_locate(op) && sit_locate_uses_scratch(op)) || kind == LANES_OTHER)
    return false;
  if (sit_is_locate(op) && sit_op_is_padded(op) && kind_of(r, sit_op_coordinate(op)) != LANES_SAME)
    return false;
  r->gathers |= kind == LANES_SPREAD;
  return kind == LANES_SAME ||
         (sit_is_locate(op) && (kind != LANES_SPREAD || gathers(r, op, above)));
}

/* Elements that are widened are as those reduced, where somebody asks for lanes. */
static bool read_fits(reduction *r, MlirType type) {
  return r->asked ? type_is_float(type) || type_is_integer(type) : set_element(r, type);
}

static bool value_fits(reduction *r, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue position = sit_op_position(op);
  lane_kind kind = position.ptr ? kind_of(r, position) : LANES_SAME;
  assume(r, result, kind == LANES_SAME ? LANES_SAME : LANES_EACH);
  return kind == LANES_SAME || (walked_is_operand(r->walked, sit_op_tensor(op)) &&
                                read_fits(r, mlirValueGetType(result)));
}

/* One of the table, or one of indices, made of constants where it could trap; or any that is the
 * same for all lanes. */
static bool scalar_fits(reduction *r, MlirOperation op) {
  lane_kind kind = lanes_result(op, kind_of, r);
  bool indices = mlirOperationGetNumResults(op) == 1 && lanes_compute_indices(op) &&
                 mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (kind == LANES_OTHER || (kind != LANES_SAME && !indices && scalar_op(op) < 0))
    return false;
  assume(r, mlirOperationGetResult(op, 0), kind);
  return true;
}

static bool accumulate_fits(reduction *r, MlirOperation op) {
  tin_reduction kind = sit_accumulate_kind(op);
  MlirValue position = sit_op_position(op);
  MlirType type = mlirValueGetType(sit_op_value(op));
  bool first = !r->place;
  r->place = true;
  for (int i = 0; i < SCALAR_OPS; i++)
    if (scalar_ops[i].kind == kind)
      return first && !sit_accumulate_is_atomic(op) &&
             !(type_is_float(type) && r->walked->strict) &&
             (!position.ptr || kind_of(r, position) == LANES_SAME) && set_element(r, type);
  return false;
}

/* The one entry below an entry, at the entry's own position. */
static bool single_walk_fits(reduction *r, MlirOperation op) {
  if (!walks_one_below(op) || kind_of(r, sit_coiterate_parent(op, 0)) != LANES_CONSECUTIVE)
    return false;
  const format_level *below = level_of(r, sit_coiterate_tensor(op, 0), sit_coiterate_level(op, 0));
  if (!(below->properties & LEVEL_BRANCHLESS) ||
      !(below->format->capabilities & LEVEL_POSITION_ITERATION) ||
      level_format_coordinates(below->format) < 0 ||
      !walked_is_operand(r->walked, sit_coiterate_tensor(op, 0)))
    return false;
  MlirBlock body = op_block(op, 0);
  assume(r, mlirBlockGetArgument(body, 0), LANES_EACH);
  assume(r, mlirBlockGetArgument(body, 1), LANES_CONSECUTIVE);
  return block_fits(r, body);
}

/* What is done under a condition that is the same for all lanes; or one of two values by it. */
static bool branch_fits(reduction *r, MlirOperation op) {
  if (kind_of(r, mlirOperationGetOperand(op, 0)) != LANES_SAME)
    return false;
  for (intptr_t region = 0; region < 2; region++)
    if (!mlirBlockIsNull(op_block(op, region)) && !block_fits(r, op_block(op, region)))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    assume(r, mlirOperationGetResult(op, i), LANES_EACH);
  return true;
}

static bool op_fits(reduction *r, MlirOperation op) {
  if (op_is(op, "scf.yield") || sit_is_present(op))
    return true;
  if (sit_is_ordinal(op))
    return false;
  if (op_is(op, "scf.if"))
    return branch_fits(r, op);
  if (sit_is_locate(op) || sit_is_insert(op))
    return position_fits(r, op);
  if (sit_is_value(op))
    return value_fits(r, op);
  if (sit_is_accumulate(op))
    return accumulate_fits(r, op);
  if (sit_is_coiterate(op))
    return single_walk_fits(r, op);
  if (sit_is_get(op))
    assume(r, mlirOperationGetResult(op, 0), LANES_EACH);
  return sit_is_get(op) || sit_is_set(op) || scalar_fits(r, op);
}

static bool block_fits(reduction *r, MlirBlock body) {
  for (OPERATIONS(op, body))
    if (!op_fits(r, op))
      return false;
  return true;
}

/* ---- The walk ------------------------------------------------------------------------------- */

MlirValue reduction_coordinates(const walk *w) {
  return w->scratch.ptr ? (MlirValue){NULL} : storage_coordinates(w->tensor, w->number);
}

/* Entries with one coordinate are next to one another where the level is ordered. */
static bool walk_fits(const walked *w) {
  const walked_level *l = &w->levels[0];
  return walked_goes_through_one(w) && l->by_position && !l->chained && !l->single && !l->scratch &&
         !l->offset && !l->below_segment && !w->parallel && !w->in_lanes &&
         !sit_coiterate_is_unrolled(w->op) && l->properties & LEVEL_ORDERED &&
         level_format_coordinates(l->format) >= 0 &&
         walked_is_operand(w->k, sit_coiterate_tensor(w->op, 0));
}

bool reduction_is_asked(MlirOperation coiterate) {
  return cin_op_unit(coiterate) == CIN_CPU_VECTOR &&
         cin_op_race(coiterate) == CIN_PARALLEL_REDUCTION;
}

/* LLVM does others well. */
static bool counts(const walked *w) {
  return !w->level_count && w->case_count == 1 && !w->in_lanes && reduction_is_asked(w->op) &&
         !sit_coiterate_is_unrolled(w->op);
}

static bool read_counting(reduction *r, MlirBlock body) {
  assume(r, mlirBlockGetArgument(body, 0), LANES_CONSECUTIVE);
  return block_fits(r, body) && r->count && !r->place;
}

bool reduction_read(reduction *r, const walked *w) {
  *r = (reduction){.walked = w->k, .asked = reduction_is_asked(w->op), .counts = counts(w)};
  MlirBlock body = op_block(w->op, 0);
  if ((!r->counts && !walk_fits(w)) || !take_variables(r, body))
    return false;
  if (r->counts)
    return read_counting(r, body);
  bool repeats = !(w->levels[0].properties & LEVEL_UNIQUE);
  assume(r, mlirBlockGetArgument(body, 0), repeats ? LANES_SAME : LANES_EACH);
  assume(r, mlirBlockGetArgument(body, 1), LANES_CONSECUTIVE);
  return block_fits(r, body) && (repeats ? r->place && !r->count : r->count && !r->place);
}
