/* scalars.c - variables, scf.if, and the scalar code between sit's ops, which is copied as it is
 * with its operands replaced. */
#include "gpu_power.h"
#include "ir.h"
#include "kernel.h"
#include "lanes.h"
#include "sit.h"

#include <mlir-c/BuiltinTypes.h>
#include <string.h>

static bool is_scalar_dialect(MlirStringRef name) {
  static const char *const dialects[] = {"arith.", "math.", "complex.", "index."};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
    size_t length = strlen(dialects[i]);
    if (name.length > length && memcmp(name.data, dialects[i], length) == 0)
      return true;
  }
  return false;
}

static bool replace_operands(lowering *k, MlirOperation op, MlirOperation copy) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    const lowered *operand = lowering_find(k, mlirOperationGetOperand(op, i));
    if (!operand || operand->tensor || !operand->value.ptr)
      return error_at(op, "'%.*s' cannot be lowered: expected scalar operands, operand %d is none",
                      TEXT(op_name(op)), (int)i);
    mlirOperationSetOperand(copy, i, operand->value);
  }
  return true;
}

/* Whether a value is only added to a sum, so that it may be rounded together with it. */
static bool is_only_summed(MlirValue value) {
  MlirOpOperand use = value_only_use(value);
  if (mlirOpOperandIsNull(use))
    return false;
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (sit_is_accumulate(user))
    return sit_accumulate_kind(user) == TIN_ADD;
  MlirAttribute flags =
      mlirAttributeParseGet(mlirOperationGetContext(user),
                            mlirStringRefCreateFromCString("#arith.fastmath<reassoc,contract>"));
  return op_is(user, "arith.addf") && mlirAttributeEqual(op_attribute(user, "fastmath"), flags);
}

void allow_fusion(lowering *k, MlirOperation op, MlirOperation copy) {
  if (!k->strict && op_is(op, "arith.mulf") && is_only_summed(mlirOperationGetResult(op, 0)))
    op_set(copy, "fastmath",
           mlirAttributeParseGet(mlirOperationGetContext(op),
                                 mlirStringRefCreateFromCString("#arith.fastmath<contract>")));
}

static bool lower_integer_power(lowering *k, MlirOperation op) {
  MlirValue power = gpu_integer_power(k->b, lowering_scalar(k, mlirOperationGetOperand(op, 0)),
                                      lowering_scalar(k, mlirOperationGetOperand(op, 1)));
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = power});
  return true;
}

bool lower_scalar(lowering *k, MlirOperation op) {
  if (!is_scalar_dialect(op_name(op)) || mlirOperationGetNumRegions(op))
    return error_at(op,
                    "'%.*s' cannot be lowered in a sparse kernel: expected operations of sit, "
                    "arith, math, complex, or scf.if",
                    TEXT(op_name(op)));
  if (k->lanes && lanes_differ(k, op))
    return lower_lanes_scalar(k, op);
  if (k->gpu && op_is(op, "math.ipowi"))
    return lower_integer_power(k, op);
  MlirOperation copy = mlirOperationClone(op);
  if (!replace_operands(k, op, copy)) {
    mlirOperationDestroy(copy);
    return false;
  }
  allow_fusion(k, op, copy);
  insert_op(k->b, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    lowering_bind(k, mlirOperationGetResult(op, i),
                  (lowered){.value = mlirOperationGetResult(copy, i)});
  return true;
}

bool lower_var(lowering *k, MlirOperation op) {
  bool each =
      k->lanes && !mlirTypeIsAIndex(mlirValueGetType(lowering_scalar(k, sit_var_initial(op))));
  variable made = var_make(k->b, each ? lanes_operand(k, sit_var_initial(op))
                                      : lowering_scalar(k, sit_var_initial(op)));
  lowering_bind(k, mlirOperationGetResult(op, 0),
                (lowered){.variable = made, .lanes = each ? LANES_EACH : LANES_SAME});
  return true;
}

static const lowered *var_of(lowering *k, MlirOperation op) {
  return lowering_find(k, sit_op_var(op));
}

bool lower_get(lowering *k, MlirOperation op) {
  const lowered *v = var_of(k, op);
  lowering_bind(k, mlirOperationGetResult(op, 0),
                (lowered){.value = var_get(k->b, v->variable), .lanes = v->lanes});
  return true;
}

/* What the variable becomes, where not all lanes are there: one for all of them changes if any is,
 * as one is in a walk that reduces. */
static MlirValue set_where_there(lowering *k, bool each, MlirValue value, variable v) {
  if (!k->mask.ptr || !(k->guarded || (each && k->reduces)))
    return value;
  return select_value(k->b, each ? k->mask : any_lane(k->b, k->mask), value, var_get(k->b, v));
}

bool lower_set(lowering *k, MlirOperation op) {
  const lowered *set = var_of(k, op);
  variable v = set->variable;
  if (v.slot + 1 < k->parallel_mark)
    return error_at(op, "a variable made outside of a parallel loop cannot be set in it");
  bool each = set->lanes == LANES_EACH;
  MlirValue value =
      each ? lanes_operand(k, sit_op_value(op)) : lowering_scalar(k, sit_op_value(op));
  var_set(k->b, v, set_where_there(k, each, value, v));
  return true;
}

/* scf.if becomes the builder's, so that variables set in it are carried; its results are variables.
 */

/* In a loop on lanes a result is a vector, but an index, which is the same in all of them. */
static bool is_each(const lowering *k, MlirValue result) {
  return k->lanes && !mlirTypeIsAIndex(mlirValueGetType(result));
}

static variable *make_results(lowering *k, MlirOperation op) {
  variable *results = ARENA_ARRAY(k->memory, variable, mlirOperationGetNumResults(op) + 1);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    MlirValue zero =
        mlirTypeIsAIndex(type) ? constant_index(k->b, 0) : constant_scalar(k->b, type, 0);
    results[i] = var_make(k->b, is_each(k, result) ? broadcast(k->b, zero, k->lanes) : zero);
  }
  return results;
}

static bool lower_branch(lowering *k, MlirOperation op, intptr_t region, const variable *results) {
  MlirBlock block = op_block(op, region);
  if (mlirBlockIsNull(block))
    return true;
  if (!lower_block(k, block))
    return false;
  MlirOperation yield = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    bool each = is_each(k, mlirOperationGetResult(op, i));
    if (!each && lowering_find(k, value)->lanes != LANES_SAME)
      return error_at(op,
                      "'scf.if' cannot run on lanes: expected an index that is the same in all");
    var_set(k->b, results[i], each ? lanes_operand(k, value) : lowering_scalar(k, value));
  }
  return true;
}

static bool results_are_scalars(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!mlirTypeIsAIndex(type) && !type_is_float(type) && !type_is_integer(type) &&
        !type_is_complex(type))
      return error_at(op, "'scf.if' in a sparse kernel cannot be lowered: expected scalar results");
  }
  return true;
}

bool lower_if(lowering *k, MlirOperation op) {
  if (!results_are_scalars(op))
    return false;
  if (k->lanes && lanes_differ(k, op))
    return lower_lanes_if(k, op);
  int mark = var_mark(k->b);
  variable *results = make_results(k, op);
  if_begin(k->b, lowering_scalar(k, mlirOperationGetOperand(op, 0)));
  bool good = lower_branch(k, op, 0, results);
  if_else(k->b);
  good = good && lower_branch(k, op, 1, results);
  if_end(k->b);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    lowering_bind(
        k, mlirOperationGetResult(op, i),
        (lowered){.value = var_get(k->b, results[i]),
                  .lanes = is_each(k, mlirOperationGetResult(op, i)) ? LANES_EACH : LANES_SAME});
  var_release(k->b, mark);
  return good;
}
