/* lane_guards.c - code that only some of the lanes run: under a condition of each lane, where there
 * is an entry below its position, or as far as its loop goes.
 *
 *     if i < n                               mask = the lanes with i < n
 *       t = t + a                   -->      t = mask ? t + a : t
 *
 *     for the one entry (j, q) below p       j = crd[p .. p + 7]
 *       t = t + A[q] * x[j]         -->      mask = the lanes with j != none
 *                                            t = mask ? t + A[p .. p + 7] * x[j] : t
 *
 *     for each entry (d, q) of a level     for each entry (d, q) with min(-i) <= d < max(n - i)
 *         with -i <= d < n - i               mask = the lanes with -i <= d < n - i
 *       t = t + A[q, i] * x[i + d]  -->      t = mask ? t + A[q, i .. i + 7] * x[i + d ..] : t
 *                                            (where that is all of them: without one)
 *
 * All lanes compute; what is read, set and stored is that of the mask.
 */
#include "coiterate.h"

#include "cin.h"
#include "ir.h"
#include "lanes.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

lane_guard lane_guard_begin(lowering *k, MlirValue condition) {
  lane_guard before = {k->mask, k->guarded};
  k->mask = k->mask.ptr ? and_i(k->b, k->mask, condition) : condition;
  k->guarded = true;
  return before;
}

void lane_guard_end(lowering *k, lane_guard before) {
  k->mask = before.mask;
  k->guarded = before.guarded;
}

/* The lanes that do not have the condition. */
static MlirValue opposite(lowering *k, MlirValue condition) {
  builder *b = k->b;
  MlirValue all = broadcast(b, constant_bool(b, true), k->lanes);
  MlirType type = mlirValueGetType(condition);
  MlirValue operands[] = {condition, all};
  return op_result(make_op(b, "arith.xori", 2, operands, 1, &type, 0, NULL), 0);
}

static bool branch(lowering *k, MlirOperation op, intptr_t region, MlirValue condition) {
  lane_guard before = lane_guard_begin(k, condition);
  bool good = lower_block(k, op_block(op, region));
  lane_guard_end(k, before);
  return good;
}

bool lower_lanes_if(lowering *k, MlirOperation op) {
  if (mlirOperationGetNumResults(op))
    return error_at(op, "'scf.if' on lanes cannot be lowered: expected no results");
  MlirValue condition = lowering_scalar(k, mlirOperationGetOperand(op, 0));
  bool good = branch(k, op, 0, condition);
  if (!mlirBlockIsNull(op_block(op, 1)))
    good = good && branch(k, op, 1, opposite(k, condition));
  return good;
}

bool walks_one_below(MlirOperation op) {
  bool bounded = sit_coiterate_extent(op).ptr || sit_coiterate_lower(op).ptr;
  return sit_coiterate_count(op) == 1 && sit_coiterate_parent(op, 0).ptr && !bounded &&
         cin_op_unit(op) == CIN_SERIAL && sit_coiterate_case_count(op) == 1 &&
         !sit_coiterate_uses_scratch(op, 0);
}

bool lanes_walk_below(lowering *k, MlirOperation op) {
  if (!walks_one_below(op))
    return false;
  storage *s = lowering_storage(k, sit_coiterate_tensor(op, 0));
  int number = (int)sit_coiterate_level(op, 0);
  const lowered *parent = lowering_find(k, sit_coiterate_parent(op, 0));
  return parent->lanes == LANES_CONSECUTIVE && !parent->present.ptr &&
         (storage_format(s)->levels[number].properties & LEVEL_BRANCHLESS) &&
         storage_level_format(s, number)->pos_access_lanes;
}

/* Values are stored where no entry is found, too. */
static bool body_below(coiteration *c, MlirValue coordinates, MlirValue within) {
  walk *w = &c->levels[0];
  lowering *k = c->k;
  entry n = {.coordinate = coordinates, .position = w->parent.value};
  lowered position = walk_position(w, &n, (MlirValue){NULL});
  position.lanes = LANES_CONSECUTIVE;
  position.stored = true;
  position.within = within;
  lowering_bind(k, mlirBlockGetArgument(op_block(c->op, 0), 0),
                (lowered){.value = coordinates, .lanes = LANES_EACH});
  lowering_bind(k, mlirBlockGetArgument(op_block(c->op, 0), 1), position);
  return lower_block(k, op_block(c->op, 0));
}

bool lanes_below(coiteration *c) {
  walk *w = &c->levels[0];
  lowering *k = c->k;
  MlirValue stored = {NULL}, found = {NULL};
  w->format->pos_access_lanes(w->l, w->parent.value, k->mask, k->lanes, &stored, &found);
  MlirValue coordinates = lanes_as_index(k->b, stored);
  if (!found.ptr)
    return body_below(c, coordinates, k->mask);
  lane_guard before = lane_guard_begin(k, found);
  bool good = body_below(c, coordinates, before.mask);
  lane_guard_end(k, before);
  return good;
}

/* ---- bounds of each lane ------------------------------------------------------------------ */

static lane_kind kind_of(const lowering *k, MlirValue value) {
  return lowering_find(k, value)->lanes;
}

static bool is_vector(const lowering *k, MlirValue bound) {
  return kind_of(k, bound) != LANES_SAME;
}

static bool is_below_one(const lowering *k, MlirOperation op) {
  MlirValue parent = sit_coiterate_count(op) ? sit_coiterate_parent(op, 0) : (MlirValue){NULL};
  return !parent.ptr || kind_of(k, parent) == LANES_SAME;
}

bool lanes_bound_walk(const lowering *k, MlirOperation op) {
  MlirValue low = sit_coiterate_lower(op), high = sit_coiterate_upper(op);
  return k->lanes && !k->reduces && low.ptr && high.ptr && sit_coiterate_count(op) <= 1 &&
         sit_coiterate_case_count(op) == 1 && cin_op_unit(op) == CIN_SERIAL &&
         is_below_one(k, op) && (is_vector(k, low) || is_vector(k, high));
}

/* How a value changes from lane to lane. */
typedef enum direction { STEADY, RISING, FALLING, ANYHOW } direction;

static direction both(direction x, direction y) {
  return x == STEADY || x == y ? y : y == STEADY ? x : ANYHOW;
}

static direction opposite_of(direction x) {
  return x == RISING ? FALLING : x == FALLING ? RISING : x;
}

static bool scales(MlirOperation op) {
  int64_t by;
  bool does =
      op_is(op, "arith.muli") || op_is(op, "arith.floordivsi") || op_is(op, "arith.ceildivsi");
  return does && value_is_constant_index(mlirOperationGetOperand(op, 1), &by) && by > 0;
}

static direction direction_of(const lowering *k, MlirValue value) {
  int64_t step = lanes_step(lowering_find(k, value));
  if (kind_of(k, value) != LANES_EACH)
    return step > 0 ? RISING : step < 0 ? FALLING : STEADY;
  MlirOperation op = value_owner(value);
  if (scales(op))
    return direction_of(k, mlirOperationGetOperand(op, 0));
  bool falls = op_is(op, "arith.subi");
  if (!falls && !op_is(op, "arith.addi") && !op_is(op, "arith.minsi") && !op_is(op, "arith.maxsi"))
    return ANYHOW;
  direction x = direction_of(k, mlirOperationGetOperand(op, 0));
  direction y = direction_of(k, mlirOperationGetOperand(op, 1));
  return both(x, falls ? opposite_of(y) : y);
}

enum { ALL_LANES = -1 };

/* A value computed again: of one lane, or a vector of all of them. */
static MlirValue again(lowering *k, MlirValue value, int64_t lane) {
  builder *b = k->b;
  const lowered *found = lowering_find(k, value);
  if (found->lanes != LANES_EACH)
    return lane == ALL_LANES ? lanes_operand(k, value)
                             : add(b, found->value, constant_index(b, lanes_step(found) * lane));
  MlirOperation copy = mlirOperationClone(value_owner(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, again(k, mlirOperationGetOperand(copy, i), lane));
  MlirValue made = mlirOperationGetResult(copy, 0);
  if (lane == ALL_LANES)
    mlirValueSetType(made, type_lanes(mlirValueGetType(made), k->lanes));
  insert_op(b, copy);
  return made;
}

/* The least or the greatest of all lanes. */
static MlirValue extreme(lowering *k, tin_reduction kind, MlirValue value) {
  direction goes = direction_of(k, value);
  if (goes == ANYHOW)
    return reduce_lanes(k->b, kind, constant_index(k->b, kind == TIN_MIN ? INT64_MAX : INT64_MIN),
                        lanes_operand(k, value), false);
  return again(k, value, (goes == RISING) == (kind == TIN_MAX) ? k->lanes - 1 : 0);
}

void lanes_read_bounds(coiteration *c) {
  MlirValue low = sit_coiterate_lower(c->op), high = sit_coiterate_upper(c->op);
  c->low = extreme(c->k, TIN_MIN, low);
  c->high = extreme(c->k, TIN_MAX, high);
  c->all_low = extreme(c->k, TIN_MAX, low);
  c->all_high = extreme(c->k, TIN_MIN, high);
}

static MlirValue is_within(builder *b, MlirValue low, MlirValue at, MlirValue high) {
  return and_i(b, less_equal(b, low, at), less(b, at, high));
}

static bool body_of_some(coiteration *c, MlirBlock body, MlirValue coordinate) {
  lowering *k = c->k;
  MlirValue low = again(k, sit_coiterate_lower(c->op), ALL_LANES);
  MlirValue high = again(k, sit_coiterate_upper(c->op), ALL_LANES);
  MlirValue at = broadcast(k->b, coordinate, k->lanes);
  lane_guard before = lane_guard_begin(k, is_within(k->b, low, at, high));
  bool good = lower_block(k, body);
  lane_guard_end(k, before);
  return good;
}

/* As a rule all lanes go there, and need no mask. */
bool lanes_body_within(coiteration *c, MlirBlock body, MlirValue coordinate) {
  builder *b = c->k->b;
  if (c->k->mask.ptr)
    return body_of_some(c, body, coordinate);
  if_begin(b, is_within(b, c->all_low, coordinate, c->all_high));
  bool good = lower_block(c->k, body);
  if_else(b);
  good = good && body_of_some(c, body, coordinate);
  if_end(b);
  return good;
}
