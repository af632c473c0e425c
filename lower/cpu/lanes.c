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
 * inside are the same for all lanes, and so their cost is shared; or they visit the one entry below
 * each lane's position, whose coordinates are a vector, and what is located with them is gathered:
 *
 *     for i in 0..n-1 on cpu_vector                 for i = 0; i + 32 <= n; i += 32
 *       t = 0                                         t = vector of 32 zeros
 *       for each slot s                               for each slot s
 *         if there is an entry (j, a) at s, i  -->      j, a = those at s, i .. i + 31
 *           t = t + a * x[j]                            t = t + a * x[j] where there is an entry
 *       y[i] = t                                      y[i .. i + 31] = t
 */
#include "lanes.h"
#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
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
  return lanes_in(element_type(mlirValueGetType(mlirOperationGetResult(k->op, 0))), k->vector_bits);
}

bool lanes_differ(const lowering *k, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (kind_of(k, mlirOperationGetOperand(op, i)) != LANES_SAME)
      return true;
  return false;
}

MlirValue lanes_operand(lowering *k, MlirValue operand) {
  const lowered *found = lowering_find(k, operand);
  return found->lanes == LANES_EACH ? found->value : broadcast(k->b, found->value, k->lanes);
}

/* Whether the operation adds what is the same in all lanes to what is consecutive, or takes it
 * away.
 */
static bool moves_consecutive(const lowering *k, MlirOperation op) {
  if (!op_is(op, "arith.addi") && !op_is(op, "arith.subi"))
    return false;
  lane_kind left = kind_of(k, mlirOperationGetOperand(op, 0));
  lane_kind right = kind_of(k, mlirOperationGetOperand(op, 1));
  return (left == LANES_CONSECUTIVE && right == LANES_SAME) ||
         (op_is(op, "arith.addi") && left == LANES_SAME && right == LANES_CONSECUTIVE);
}

static bool lower_consecutive(lowering *k, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < 2; i++)
    mlirOperationSetOperand(copy, i, lowering_scalar(k, mlirOperationGetOperand(op, i)));
  insert_op(k->b, copy);
  lowering_bind(k, mlirOperationGetResult(op, 0),
                (lowered){.value = mlirOperationGetResult(copy, 0), .lanes = LANES_CONSECUTIVE});
  return true;
}

/* 0, 1, 2, ... */
static MlirValue lane_numbers(lowering *k, MlirType type) {
  MlirAttribute *numbers = ARENA_ARRAY(k->memory, MlirAttribute, k->lanes);
  for (int64_t i = 0; i < k->lanes; i++)
    numbers[i] = mlirIntegerAttrGet(type, i);
  return constant_attr(k->b,
                       mlirDenseElementsAttrGet(type_lanes(type, k->lanes), k->lanes, numbers));
}

/* An index as a vector of integers. */
static MlirValue index_lanes(lowering *k, MlirOperation op, intptr_t i) {
  const lowered *operand = lowering_find(k, mlirOperationGetOperand(op, i));
  MlirType type = type_i(k->b, 64);
  MlirValue all = broadcast(k->b, index_cast(k->b, operand->value, type), k->lanes);
  return operand->lanes == LANES_SAME ? all : add(k->b, all, lane_numbers(k, type));
}

static bool is_consecutive(const lowering *k, MlirValue value) {
  lane_kind kind = kind_of(k, value);
  return kind == LANES_SAME || kind == LANES_CONSECUTIVE;
}

/* Whether the operation compares indices that are consecutive or the same. */
static bool compares_consecutive(const lowering *k, MlirOperation op) {
  return op_is(op, "arith.cmpi") &&
         mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
         is_consecutive(k, mlirOperationGetOperand(op, 0)) &&
         is_consecutive(k, mlirOperationGetOperand(op, 1));
}

static MlirValue operand_lanes(lowering *k, MlirOperation op, intptr_t i) {
  return compares_consecutive(k, op) ? index_lanes(k, op, i)
                                     : lanes_operand(k, mlirOperationGetOperand(op, i));
}

bool lower_lanes_scalar(lowering *k, MlirOperation op) {
  if (moves_consecutive(k, op))
    return lower_consecutive(k, op);
  MlirOperation copy = mlirOperationClone(op);
  allow_fusion(k, op, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, operand_lanes(k, op, i));
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
  TAKES_SAME,       /* nothing that differs from lane to lane */
  TAKES_COORDINATE, /* one that is consecutive, in a level that is so too; or, of the last level of
                       an operand, a vector */
  TAKES_READ,       /* any position */
  TAKES_WRITTEN,    /* a consecutive position as its last operand, and vectors */
  TAKES_WALK,       /* a consecutive parent, with one entry at most below each */
  TAKES_VECTORS,    /* vectors, but nothing consecutive */
  TAKES_VALUES      /* the same; sums with and comparisons of what is consecutive */
} tolerance;

static bool is_branch(MlirOperation op) {
  return op_is(op, "scf.if");
}

static const struct {
  op_kind *is;
  tolerance takes;
} table[] = {
    {sit_is_locate, TAKES_COORDINATE},  {sit_is_insert, TAKES_COORDINATE},
    {sit_is_value, TAKES_READ},         {sit_is_store, TAKES_WRITTEN},
    {sit_is_accumulate, TAKES_WRITTEN}, {sit_is_var, TAKES_VECTORS},
    {sit_is_get, TAKES_VECTORS},        {sit_is_set, TAKES_VECTORS},
    {sit_is_coiterate, TAKES_WALK},     {sit_is_extent, TAKES_SAME},
    {is_branch, TAKES_VECTORS},
};

/* A level below what is the same for all lanes. */
static bool locates_lanes(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  int l = (int)sit_op_level(op);
  MlirValue parent = sit_op_parent(op);
  bool last = l == storage_format(s)->level_count - 1;
  if ((parent.ptr && kind_of(k, parent) != LANES_SAME) ||
      !(storage_level_format(s, l)->properties & LEVEL_CONSECUTIVE))
    return false;
  return kind_of(k, sit_op_coordinate(op)) == LANES_CONSECUTIVE ||
         (last && sit_is_locate(op) && lowering_is_operand(k, sit_op_tensor(op)));
}

static bool has_kind(const lowering *k, MlirOperation op, lane_kind kind) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (kind_of(k, mlirOperationGetOperand(op, i)) == kind)
      return true;
  return false;
}

/* A consecutive position; or, by all lanes in the same way, one that is the same. */
static bool writes_lanes(const lowering *k, MlirOperation op) {
  MlirValue position = sit_op_position(op);
  lane_kind at = position.ptr ? kind_of(k, position) : LANES_SAME;
  if (kind_of(k, sit_op_value(op)) == LANES_CONSECUTIVE ||
      (sit_is_accumulate(op) && sit_accumulate_is_atomic(op)))
    return false;
  return at == LANES_CONSECUTIVE || (!lanes_differ(k, op) && !k->guarded);
}

static bool takes(lowering *k, MlirOperation op, tolerance what) {
  switch (what) {
  case TAKES_SAME:
    return !lanes_differ(k, op);
  case TAKES_COORDINATE:
    return !lanes_differ(k, op) || locates_lanes(k, op);
  case TAKES_READ:
    return true;
  case TAKES_WRITTEN:
    return writes_lanes(k, op);
  case TAKES_WALK:
    return !lanes_differ(k, op) || lanes_walk_below(k, op);
  case TAKES_VALUES:
    return !has_kind(k, op, LANES_SPREAD) &&
           (!has_kind(k, op, LANES_CONSECUTIVE) || moves_consecutive(k, op) ||
            compares_consecutive(k, op));
  default:
    return !has_kind(k, op, LANES_CONSECUTIVE);
  }
}

bool lanes_allow(lowering *k, MlirOperation op) {
  if (k->reduces) /* reduction_read has looked at it */
    return true;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].is(op))
      return takes(k, op, table[i].takes) ||
             error_at(op,
                      "'%.*s' cannot run on lanes: expected consecutive positions of a last "
                      "level and vectors of values, found otherwise",
                      TEXT(op_name(op)));
  MlirStringRef name = op_name(op);
  bool is_sit = name.length > 4 && name.data[0] == 's' && name.data[3] == '.';
  return (!is_sit && takes(k, op, TAKES_VALUES)) ||
         error_at(op, "'%.*s' cannot run on lanes", TEXT(name));
}
