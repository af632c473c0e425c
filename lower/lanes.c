/* lanes.c - code that runs several iterations of a loop at once, as vectors: a forall on
 * cpu_vector.
 *
 *     for k in 0..n-1 on cpu_vector                 for k = 0; k + 32 <= n; k += 32
 *       t = 0                                         t = vector of 32 zeros
 *       for each entry (j, a) of a row                for each entry (j, a) of a row
 *         t = t + a * B[j, k]            -->            t = t + broadcast(a) * B[j, k .. k + 31]
 *       C[i, k] = t                                   C[i, k .. k + 31] = t
 *
 * A value is the same in all lanes, or grows by one from lane to lane (the coordinate, and
 * positions located with it in a level that has consecutive positions), or is a vector.  The walks
 * inside are the same for all lanes, and so their cost is shared.
 */
#include "ir.h"
#include "kernel.h"

#include <mlir-c/BuiltinTypes.h>

static lane_kind kind_of(const lowering *k, MlirValue value) {
  const lowered *found = lowering_find(k, value);
  return found ? found->lanes : LANES_SAME;
}

int64_t lanes_in(MlirType element, int64_t bits) {
  if (type_is_complex(element))
    return lanes_in(mlirComplexTypeGetElementType(element), bits) / 2;
  unsigned width =
      type_is_float(element) ? mlirFloatTypeGetWidth(element) : mlirIntegerTypeGetWidth(element);
  return bits / (width < 8 ? 8 : width);
}

int64_t lanes_of_register(const lowering *k) {
  return lanes_in(element_type(mlirValueGetType(mlirOperationGetResult(k->op, 0))), 512);
}

bool lanes_differ(const lowering *k, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (kind_of(k, mlirOperationGetOperand(op, i)) != LANES_SAME)
      return true;
  return false;
}

MlirValue lanes_operand(lowering *k, MlirOperation op, intptr_t i) {
  const lowered *operand = lowering_find(k, mlirOperationGetOperand(op, i));
  return operand->lanes == LANES_EACH ? operand->value : broadcast(k->b, operand->value, k->lanes);
}

bool lower_lanes_scalar(lowering *k, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  allow_fusion(k, op, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, lanes_operand(k, op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(copy, i);
    mlirValueSetType(result, type_lanes(mlirValueGetType(result), k->lanes));
    lowering_bind(k, mlirOperationGetResult(op, i),
                  (lowered){.value = result, .lanes = LANES_EACH});
  }
  insert_op(k->b, copy);
  return true;
}

/* What an operation may be given in lanes. */
typedef enum tolerance {
  TAKES_SAME, /* nothing that differs from lane to lane */
  TAKES_LAST, /* a coordinate that is consecutive, in the last level, if that is consecutive too */
  TAKES_POSITION, /* a position of that kind as its last operand, and vectors */
  TAKES_VECTORS   /* vectors, but nothing consecutive */
} tolerance;

static const struct {
  const char *name;
  tolerance takes;
} table[] = {
    {"sit.locate", TAKES_LAST},
    {"sit.insert", TAKES_LAST},
    {"sit.value", TAKES_POSITION},
    {"sit.store", TAKES_POSITION},
    {"sit.accumulate", TAKES_POSITION},
    {"sit.var", TAKES_VECTORS},
    {"sit.get", TAKES_VECTORS},
    {"sit.set", TAKES_VECTORS},
    {"sit.coiterate", TAKES_SAME},
    {"sit.extent", TAKES_SAME},
    {"scf.if", TAKES_SAME},
};

static bool is_consecutive_level(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, mlirOperationGetOperand(op, 0));
  int l = (int)op_integer(op, "level", 0);
  bool below = mlirOperationGetNumOperands(op) > 2;
  bool parent_is_same = !below || kind_of(k, mlirOperationGetOperand(op, 2)) == LANES_SAME;
  return parent_is_same && l == storage_format(s)->level_count - 1 &&
         storage_level_format(s, l)->properties & LEVEL_CONSECUTIVE;
}

static bool has_kind(const lowering *k, MlirOperation op, intptr_t but, lane_kind kind) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (i != but && kind_of(k, mlirOperationGetOperand(op, i)) == kind)
      return true;
  return false;
}

static bool takes(lowering *k, MlirOperation op, tolerance what) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  switch (what) {
  case TAKES_SAME:
    return !lanes_differ(k, op);
  case TAKES_LAST:
    return !lanes_differ(k, op) || is_consecutive_level(k, op);
  case TAKES_POSITION:
    return !has_kind(k, op, last, LANES_CONSECUTIVE) && !op_has(op, "atomic") &&
           (!has_kind(k, op, last, LANES_EACH) ||
            kind_of(k, mlirOperationGetOperand(op, last)) == LANES_CONSECUTIVE);
  default:
    return !has_kind(k, op, -1, LANES_CONSECUTIVE);
  }
}

bool lanes_allow(lowering *k, MlirOperation op) {
  if (k->reduces) /* reduction_read has looked at it */
    return true;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (op_is(op, table[i].name))
      return takes(k, op, table[i].takes) ||
             error_at(op,
                      "'%.*s' cannot run on lanes: expected consecutive positions of a last "
                      "level and vectors of values, found otherwise",
                      TEXT(op_name(op)));
  MlirStringRef name = op_name(op);
  bool is_sit = name.length > 4 && name.data[0] == 's' && name.data[3] == '.';
  return (!is_sit && takes(k, op, TAKES_VECTORS)) ||
         error_at(op, "'%.*s' cannot run on lanes", TEXT(name));
}
