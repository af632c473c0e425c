/* reduction_read.c - whether a walk only reduces, and into what.
 *
 *     into variables                      into a place, by entries that repeat a coordinate
 *       walk p:                             walk p at i, duplicates one by one:
 *         t = t + A[p] * x[crd[p]]            walk the one node below p:
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

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* Those with a kind are what reductions are made of. */
static const struct {
  const char *name, *kind;
  bool reorders; /* rounds otherwise in another order */
} scalar_ops[] = {
    {"arith.addf", "add", true},      {"arith.mulf", "mul", true},
    {"arith.addi", "add", false},     {"arith.muli", "mul", false},
    {"arith.minimumf", "min", false}, {"arith.maximumf", "max", false},
    {"arith.minsi", "min", false},    {"arith.maxsi", "max", false},
    {"arith.subf", NULL, false},      {"arith.divf", NULL, false},
    {"arith.negf", NULL, false},      {"arith.subi", NULL, false},
    {"arith.constant", NULL, false},
};
enum { SCALAR_OPS = sizeof scalar_ops / sizeof *scalar_ops };

static int scalar_op(MlirOperation op) {
  for (int i = 0; i < SCALAR_OPS; i++)
    if (op_is(op, scalar_ops[i].name))
      return i;
  return -1;
}

static lane_kind kind_of(const reduction *r, MlirValue value) {
  const lowered *found = lowering_find(r->k, value);
  return found ? found->lanes : LANES_SAME;
}

static void assume(reduction *r, MlirValue value, lane_kind kind) {
  lowering_bind(r->k, value, (lowered){.lanes = kind});
}

/* Elements as wide as what processors gather: 32 or 64 bits. */
static bool set_element(reduction *r, MlirType type) {
  bool first = mlirTypeIsNull(r->element);
  if (first)
    r->element = type;
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
  return op_is(op, "sit.get") && mlirBlockEqual(mlirOperationGetBlock(op), body) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), variable) && is_used_once(value);
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
  MlirValue variable = mlirOperationGetOperand(set, 0), value = mlirOperationGetOperand(set, 1);
  MlirOperation op = value_owner(value);
  int found = mlirOperationIsNull(op) ? -1 : scalar_op(op);
  if (found < 0 || !scalar_ops[found].kind || (scalar_ops[found].reorders && r->k->strict))
    return false;
  if (r->count == REDUCTION_VARIABLES || is_taken(r, variable) || !is_used_once(value))
    return false;
  if (is_get_of(mlirOperationGetOperand(op, 0), variable, body) ==
      is_get_of(mlirOperationGetOperand(op, 1), variable, body))
    return false;
  const lowered *outside = lowering_find(r->k, variable);
  if (!outside || outside->lanes != LANES_SAME)
    return false;
  r->variables[r->count++] = (reduced){variable, scalar_ops[found].kind, *outside};
  return set_element(r, mlirValueGetType(value));
}

static bool take_variables(reduction *r, MlirBlock body) {
  int gets = 0;
  for (OPERATIONS(op, body)) {
    if (op_is(op, "sit.set") && !take_variable(r, op))
      return false;
    gets += op_is(op, "sit.get");
  }
  return gets == r->count;
}

/* ---- The operations of a body --------------------------------------------------------------- */

static bool block_fits(reduction *r, MlirBlock body);

/* A position of a coordinate: operands are the tensor, the coordinate and, below level 0, the
 * parent. */
static bool position_fits(reduction *r, MlirOperation op) {
  storage *s = lowering_storage(r->k, mlirOperationGetOperand(op, 0));
  int level = (int)op_integer(op, "level", 0);
  lane_kind kind = kind_of(r, mlirOperationGetOperand(op, 1));
  bool below = mlirOperationGetNumOperands(op) > 2;
  if (op_has(op, "scratch"))
    return false;
  if (below && kind_of(r, mlirOperationGetOperand(op, 2)) != LANES_SAME)
    return false;
  assume(r, mlirOperationGetResult(op, 0), kind == LANES_EACH ? LANES_SPREAD : kind);
  return kind == LANES_SAME ||
         (op_is(op, "sit.locate") && level == storage_format(s)->level_count - 1 &&
          storage_level_format(s, level)->properties & LEVEL_CONSECUTIVE);
}

static bool value_fits(reduction *r, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  lane_kind kind = last ? kind_of(r, mlirOperationGetOperand(op, last)) : LANES_SAME;
  assume(r, result, kind == LANES_SAME ? LANES_SAME : LANES_EACH);
  return kind == LANES_SAME || (lowering_is_operand(r->k, mlirOperationGetOperand(op, 0)) &&
                                set_element(r, mlirValueGetType(result)));
}

static bool scalar_fits(reduction *r, MlirOperation op) {
  lane_kind kind = LANES_SAME;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    lane_kind operand = kind_of(r, mlirOperationGetOperand(op, i));
    if (operand == LANES_CONSECUTIVE || operand == LANES_SPREAD)
      return false;
    kind = operand == LANES_EACH ? LANES_EACH : kind;
  }
  if (scalar_op(op) < 0)
    return false;
  assume(r, mlirOperationGetResult(op, 0), kind);
  return true;
}

/* sit.accumulate: a value, the result, a place of it. */
static bool accumulate_fits(reduction *r, MlirOperation op) {
  MlirStringRef kind = op_text(op, "kind");
  bool is_float = type_is_float(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  bool first = !r->place;
  r->place = true;
  for (int i = 0; i < SCALAR_OPS; i++)
    if (scalar_ops[i].kind && text_is(kind, scalar_ops[i].kind))
      return first && !op_has(op, "atomic") && !(is_float && r->k->strict) &&
             kind_of(r, mlirOperationGetOperand(op, 2)) == LANES_SAME &&
             set_element(r, mlirValueGetType(mlirOperationGetOperand(op, 0)));
  return false;
}

/* The one node below an entry, at the entry's own position. */
static bool single_walk_fits(reduction *r, MlirOperation op) {
  MlirAttribute segments = op_attribute(op, "operandSegmentSizes");
  if (mlirOperationGetNumOperands(op) != 2 || mlirDenseI32ArrayGetElement(segments, 1) != 1 ||
      cin_op_unit(op) != CIN_SERIAL || mlirOperationGetNumRegions(op) != 1 ||
      op_has(op, "scratch") || kind_of(r, mlirOperationGetOperand(op, 1)) != LANES_CONSECUTIVE)
    return false;
  storage *s = lowering_storage(r->k, mlirOperationGetOperand(op, 0));
  int number = (int)mlirDenseI64ArrayGetElement(op_attribute(op, "levels"), 0);
  walk below;
  lowered parent = {.value = r->c->levels[0].begin};
  if (!(storage_format(s)->levels[number].properties & LEVEL_BRANCHLESS) ||
      !(storage_level_format(s, number)->capabilities & LEVEL_POSITION_ITERATION) ||
      !walk_begin(&below, r->k, op, s, number, parent, true, (MlirValue){NULL}) ||
      !reduction_coordinates(&below, below.begin).ptr || !mlirValueEqual(below.begin, parent.value))
    return false;
  MlirBlock body = op_block(op, 0);
  assume(r, mlirBlockGetArgument(body, 0), LANES_EACH);
  assume(r, mlirBlockGetArgument(body, 1), LANES_CONSECUTIVE);
  return block_fits(r, body);
}

static bool op_fits(reduction *r, MlirOperation op) {
  if (op_is(op, "sit.locate") || op_is(op, "sit.insert"))
    return position_fits(r, op);
  if (op_is(op, "sit.value"))
    return value_fits(r, op);
  if (op_is(op, "sit.accumulate"))
    return accumulate_fits(r, op);
  if (op_is(op, "sit.coiterate"))
    return single_walk_fits(r, op);
  if (op_is(op, "sit.get"))
    assume(r, mlirOperationGetResult(op, 0), LANES_EACH);
  return op_is(op, "sit.get") || op_is(op, "sit.set") || scalar_fits(r, op);
}

static bool block_fits(reduction *r, MlirBlock body) {
  for (OPERATIONS(op, body))
    if (!op_fits(r, op))
      return false;
  return true;
}

/* ---- The walk ------------------------------------------------------------------------------- */

MlirValue reduction_coordinates(walk *w, MlirValue place) {
  if (w->format->cursors || w->pairs.ptr)
    return (MlirValue){NULL};
  node n = walk_access(w, place);
  MlirOperation load = value_owner(n.coordinate);
  if (op_is(load, "arith.index_castui"))
    load = value_owner(mlirOperationGetOperand(load, 0));
  bool plain = op_is(load, "memref.load") && !n.found.ptr && mlirValueEqual(n.position, place) &&
               mlirValueEqual(mlirOperationGetOperand(load, 1), place);
  return plain ? mlirOperationGetOperand(load, 0) : (MlirValue){NULL};
}

/* Entries with one coordinate are next to one another where the level is ordered. */
static bool walk_fits(coiteration *c) {
  const walk *w = &c->levels[0];
  return w->by_position && !w->chained && !walk_is_single(w) && !w->parent.last.ptr &&
         !c->parallel && !c->k->lanes && !op_has(c->op, "unroll") &&
         (w->properties & LEVEL_ORDERED);
}

bool reduction_read(reduction *r, coiteration *c) {
  *r = (reduction){.c = c, .k = c->k};
  MlirBlock body = op_block(c->op, 0);
  bool repeats = !(c->levels[0].properties & LEVEL_UNIQUE);
  if (!walk_fits(c) || !take_variables(r, body))
    return false;
  assume(r, mlirBlockGetArgument(body, 0), repeats ? LANES_SAME : LANES_EACH);
  assume(r, mlirBlockGetArgument(body, 1), LANES_CONSECUTIVE);
  return block_fits(r, body) && (repeats ? r->place && !r->count : r->count && !r->place) &&
         reduction_coordinates(&c->levels[0], c->levels[0].begin).ptr;
}
