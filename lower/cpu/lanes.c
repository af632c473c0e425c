/* lanes.c - code that runs several iterations of a loop at once, as vectors: a forall on
 * cpu_vector.
 *
 *     for k in 0..n-1 on cpu_vector                 for k = 0; k + 32 <= n; k += 32
 *       t = 0                                         t = vector of 32 zeros
 *       for each entry (j, a) of a row                for each entry (j, a) of a row
 *         t = t + a * B[j, k]            -->            t = t + broadcast(a) * B[j, k .. k + 31]
 *       C[i, k] = t                                   C[i, k .. k + 31] = t
 *
 * A value is the same in all lanes, or grows by one, or a constant, from lane to lane (the
 * coordinate, and positions located with it in a level that has consecutive positions), or is a
 * vector.  The walks inside are the same for all lanes, and so their cost is shared; or they visit
 * the one entry below each lane's position, whose coordinates are a vector, and what is located
 * with them is gathered:
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

static lane_kind kind_of(const void *where, MlirValue value) {
  const lowered *found = lowering_find(where, value);
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

MlirValue lane_numbers(lowering *k) {
  MlirType type = type_index(k->b);
  MlirAttribute *numbers = ARENA_ARRAY(k->memory, MlirAttribute, k->lanes);
  for (int64_t i = 0; i < k->lanes; i++)
    numbers[i] = mlirIntegerAttrGet(type, i);
  return constant_attr(k->b,
                       mlirDenseElementsAttrGet(type_lanes(type, k->lanes), k->lanes, numbers));
}

int64_t lanes_step(const lowered *x) {
  return x->lanes == LANES_CONSECUTIVE ? 1 : x->lanes == LANES_STRIDED ? x->step : 0;
}

MlirValue lanes_from_first(lowering *k, const lowered *x) {
  if (x->lanes == LANES_SPREAD)
    return x->spread;
  MlirValue step = constant_index(k->b, lanes_step(x));
  return lanes_step(x) == 1 ? lane_numbers(k)
                            : mul(k->b, lane_numbers(k), broadcast(k->b, step, k->lanes));
}

MlirValue lanes_operand(lowering *k, MlirValue operand) {
  const lowered *found = lowering_find(k, operand);
  if (found->lanes == LANES_EACH)
    return found->value;
  MlirValue all = broadcast(k->b, found->value, k->lanes);
  return lanes_step(found) ? add(k->b, all, lanes_from_first(k, found)) : all;
}

bool lanes_compute_indices(MlirOperation op) {
  static const char *const names[] = {"arith.addi",       "arith.subi",      "arith.muli",
                                      "arith.floordivsi", "arith.ceildivsi", "arith.remsi",
                                      "arith.shrsi",      "arith.andi",      "arith.minsi",
                                      "arith.maxsi",      "arith.cmpi",      "arith.select"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (op_is(op, names[i]))
      return true;
  return false;
}

/* What lanes that grow by as much each come to when they are added to, taken away or multiplied by
 * a constant; OTHER for other operations. */
static lane_kind affine_result(MlirOperation op, lanes_kind_of *kind_of, const void *where) {
  int64_t factor;
  bool adds = op_is(op, "arith.addi"), takes_away = op_is(op, "arith.subi");
  if (!adds && !takes_away && !op_is(op, "arith.muli"))
    return LANES_OTHER;
  lane_kind left = kind_of(where, mlirOperationGetOperand(op, 0));
  lane_kind right = kind_of(where, mlirOperationGetOperand(op, 1));
  if (adds || takes_away)
    return lane_kind_sum(left, takes_away ? lane_kind_scaled(right, -1) : right);
  return value_is_constant_index(mlirOperationGetOperand(op, 1), &factor)
             ? lane_kind_scaled(left, factor)
             : LANES_OTHER;
}

static bool has_step(lane_kind kind) {
  return kind == LANES_CONSECUTIVE || kind == LANES_STRIDED;
}

lane_kind lanes_result(MlirOperation op, lanes_kind_of *kind_of, const void *where) {
  bool steps = false, differ = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    lane_kind kind = kind_of(where, mlirOperationGetOperand(op, i));
    if (kind == LANES_SPREAD || kind == LANES_OTHER)
      return LANES_OTHER;
    steps |= has_step(kind);
    differ |= kind != LANES_SAME;
  }
  lane_kind affine = affine_result(op, kind_of, where);
  if (!differ || (steps && has_step(affine)))
    return differ ? affine : LANES_SAME;
  return steps && !lanes_compute_indices(op) ? LANES_OTHER : LANES_EACH;
}

/* By how much the sum, difference or multiple of what has steps grows from lane to lane. */
static int64_t affine_step(const lowering *k, MlirOperation op) {
  int64_t left = lanes_step(lowering_find(k, mlirOperationGetOperand(op, 0))), factor;
  int64_t right = lanes_step(lowering_find(k, mlirOperationGetOperand(op, 1)));
  if (op_is(op, "arith.muli") && value_is_constant_index(mlirOperationGetOperand(op, 1), &factor))
    return left * factor;
  return op_is(op, "arith.subi") ? left - right : left + right;
}

static bool lower_affine(lowering *k, MlirOperation op, lane_kind kind) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < 2; i++)
    mlirOperationSetOperand(copy, i, lowering_scalar(k, mlirOperationGetOperand(op, i)));
  insert_op(k->b, copy);
  lowering_bind(k, mlirOperationGetResult(op, 0),
                (lowered){.value = mlirOperationGetResult(copy, 0),
                          .lanes = kind,
                          .step = affine_step(k, op)});
  return true;
}

bool lower_lanes_scalar(lowering *k, MlirOperation op) {
  lane_kind kind = lanes_result(op, kind_of, k);
  if (has_step(kind))
    return lower_affine(k, op, kind);
  MlirOperation copy = mlirOperationClone(op);
  allow_fusion(k, op, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, lanes_operand(k, mlirOperationGetOperand(op, i)));
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
  TAKES_COORDINATE, /* what locates one position, consecutive ones, or any */
  TAKES_READ,       /* any position */
  TAKES_WRITTEN,    /* positions that differ from lane to lane as its last operand, and vectors */
  TAKES_WALK,       /* a consecutive parent, with one entry at most below each; or bounds */
  TAKES_VECTORS,    /* vectors, but nothing consecutive */
  TAKES_VALUES      /* the same; what is consecutive, to compute with indices */
} tolerance;

static bool is_branch(MlirOperation op) {
  return op_is(op, "scf.if");
}

static const struct {
  op_kind *is;
  tolerance takes;
} table[] = {
    {sit_is_locate, TAKES_COORDINATE}, {sit_is_insert, TAKES_COORDINATE},
    {sit_is_value, TAKES_READ},        {sit_is_present, TAKES_READ},
    {sit_is_store, TAKES_WRITTEN},     {sit_is_accumulate, TAKES_WRITTEN},
    {sit_is_var, TAKES_VECTORS},       {sit_is_get, TAKES_VECTORS},
    {sit_is_set, TAKES_VECTORS},       {sit_is_coiterate, TAKES_WALK},
    {sit_is_extent, TAKES_SAME},       {sit_is_ordinal, TAKES_SAME},
    {sit_is_coordinate, TAKES_SAME},   {sit_is_positions, TAKES_SAME},
    {sit_is_parents, TAKES_SAME},      {sit_is_find, TAKES_SAME},
    {is_branch, TAKES_VECTORS},
};

/* Positions that are one, or consecutive; or any, of an operand or of what is inserted into. */
static bool locates_lanes(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  MlirValue parent = sit_op_parent(op);
  lane_kind above = parent.ptr ? kind_of(k, parent) : LANES_SAME;
  unsigned properties = storage_level_format(s, (int)sit_op_level(op))->properties;
  lane_kind found = lane_kind_located(properties, above, kind_of(k, sit_op_coordinate(op)));
  if (sit_is_locate(op) && sit_op_is_padded(op))
    return false;
  bool any = sit_is_insert(op) || lowering_is_operand(k, sit_op_tensor(op));
  return found != LANES_OTHER && (found != LANES_SPREAD || any);
}

static bool takes_steps(const lowering *k, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (has_step(kind_of(k, mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/* Positions that differ; or, by all lanes in the same way, one that is the same. */
static bool writes_lanes(const lowering *k, MlirOperation op) {
  MlirValue position = sit_op_position(op);
  lane_kind at = position.ptr ? kind_of(k, position) : LANES_SAME;
  if (has_step(kind_of(k, sit_op_value(op))) ||
      (sit_is_accumulate(op) && sit_accumulate_is_atomic(op)))
    return false;
  return has_step(at) || at == LANES_SPREAD || (!lanes_differ(k, op) && !k->guarded);
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
    return !lanes_differ(k, op) || lanes_walk_below(k, op) || lanes_bound_walk(k, op);
  case TAKES_VALUES:
    return lanes_result(op, kind_of, k) != LANES_OTHER;
  default:
    return !takes_steps(k, op);
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
