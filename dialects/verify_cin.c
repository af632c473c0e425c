/* verify_cin.c - verifiers of the cin rung. */
#include "cin.h"
#include "ir.h"
#include "remap.h"
#include "verify.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

bool cin_kernel_head_verify(MlirOperation op) {
  return kernel_verify(op) && verify_assembly(op, mlirValueGetType(mlirOperationGetResult(op, 0)));
}

bool cin_forall_verify(MlirOperation op) {
  int64_t unroll = op_integer(op, "unroll", 1);
  if (unroll < 1)
    return error_at(op, "expected a positive unroll factor, found %ld", (long)unroll);
  return verify_no_arguments(op, 0);
}

static bool has_plain_parts(const remap *r) {
  for (int n = 0; n < remap_part_count(r); ++n)
    if (!mlirAffineExprIsADim(remap_part(r, n)))
      return false;
  return true;
}

/* There is a variable for each level above. */
bool cin_pos_verify(MlirOperation op) {
  MlirType tensor = mlirValueGetType(cin_pos_tensor(op));
  MlirAttribute format = tinTypeGetFormat(tensor);
  int64_t level = cin_pos_level(op);
  if (mlirAttributeIsNull(format))
    return error_at(op, "expected a tensor with a #tin.format, found '%s'",
                    type_words(tensor).text);
  intptr_t count = tinFormatAttrGetNumLevels(format);
  if (level < 0 || level >= count)
    return error_at(op, "expected one of the %ld levels of '%s', found level %ld", (long)count,
                    type_words(tensor).text, (long)level);
  return verify_count(op, "variables of the levels above", (intptr_t)level,
                      mlirOperationGetNumOperands(op) - 2);
}

bool cin_collapse_verify(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count < 2)
    return error_at(op, "expected a variable that it is collapsed with, found none");
  for (intptr_t i = 0; i < count; i++)
    for (intptr_t j = 0; j < i; j++)
      if (mlirValueEqual(mlirOperationGetOperand(op, i), mlirOperationGetOperand(op, j)))
        return error_at(op, "expected distinct variables, found one twice");
  return true;
}

bool cin_remap_verify(MlirOperation op) {
  MlirAttribute attribute = op_attribute(op, "map");
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  remap r = {0};
  if (!verify_count(op, "variables of the map", mlirAffineMapGetNumInputs(map),
                    mlirOperationGetNumOperands(op)))
    return false;
  bool known = mlirAffineMapGetNumResults(map) == 1 &&
               remap_of(remap_canonical(mlirAffineMapGetResult(map, 0)), &r) && has_plain_parts(&r);
  intptr_t counters = r.kind == REMAP_COUNTER;
  if (known && cin_remap_is_value(op) && r.kind != REMAP_LINEAR && r.kind != REMAP_CONSTANT)
    return error_at(op,
                    "expected a linear form or a constant, which alone can be counted from their "
                    "least or as their value, found %s",
                    attribute_words(attribute).text);
  if (known && mlirAffineMapGetNumSymbols(map) == counters &&
      (!counters || mlirAffineMapGetNumDims(map) == 0))
    return true;
  return error_at(op,
                  "expected a map to one quotient, remainder, linear form or counter of variables, "
                  "found %s",
                  attribute_words(attribute).text);
}

/* A linear form of distinct variables, or a constant, is a variable of its own. */
bool cin_subscript_verify(MlirOperation op) {
  MlirAttribute attribute = op_attribute(op, "map");
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  remap r = {0};
  if (!verify_count(op, "variables of the map", mlirAffineMapGetNumInputs(map),
                    mlirOperationGetNumOperands(op) - 1))
    return false;
  bool known = mlirAffineMapGetNumResults(map) == 1 && mlirAffineMapGetNumSymbols(map) == 0 &&
               remap_of(remap_canonical(mlirAffineMapGetResult(map, 0)), &r) &&
               has_plain_parts(&r) && (r.kind == REMAP_LINEAR || r.kind == REMAP_CONSTANT);
  if (!known)
    return error_at(op, "expected a map to one linear form or constant, found %s",
                    attribute_words(attribute).text);
  return cin_is_index(value_owner(cin_subscript_variable(op))) ||
         error_at(op, "expected a cin.index as the subscript, found another variable");
}

/* Whether a map is to one linear form of variables, a variable alone and a constant included. */
static bool is_linear(MlirAffineMap map) {
  remap r = {0};
  if (mlirAffineMapGetNumResults(map) != 1 || mlirAffineMapGetNumSymbols(map) != 0)
    return false;
  MlirAffineExpr e = remap_canonical(mlirAffineMapGetResult(map, 0));
  if (mlirAffineExprIsADim(e) || mlirAffineExprIsAConstant(e))
    return true;
  return remap_of(e, &r) && has_plain_parts(&r) && r.kind == REMAP_LINEAR;
}

/* Whether what is linear begins at zero, and ascends with each variable that it has. */
static bool goes_upward(MlirAffineMap map) {
  remap r = {0};
  MlirAffineExpr e = remap_canonical(mlirAffineMapGetResult(map, 0));
  if (mlirAffineExprIsADim(e) || !remap_of(e, &r) || r.kind != REMAP_LINEAR)
    return mlirAffineExprIsADim(e);
  for (int n = 0; n < r.count; ++n)
    if (remap_term_at(&r, n).factor < 0)
      return false;
  return r.constant == 0;
}

bool cin_window_verify(MlirOperation op) {
  MlirAffineMap start = cin_window_start(op), reach = cin_window_reach(op);
  if (!verify_count(op, "outer variables of the first map", mlirAffineMapGetNumInputs(start),
                    cin_window_outer_count(op)) ||
      !verify_count(op, "inner variables of the second map", mlirAffineMapGetNumInputs(reach),
                    cin_window_inner_count(op)))
    return false;
  if (!is_linear(start) || !is_linear(reach) || !goes_upward(reach))
    return error_at(op, "expected a linear form of the outer variables, and one of the inner ones "
                        "with positive factors and no constant");
  return cin_is_remap(value_owner(cin_window_form(op))) ||
         error_at(op, "expected a window of a cin.remap, found another variable");
}

bool cin_where_verify(MlirOperation op) {
  return verify_no_arguments(op, 0) && verify_no_arguments(op, 1);
}

bool cin_workspace_verify(MlirOperation op) {
  intptr_t variables = mlirOperationGetNumOperands(op);
  return verify_count(op, "variables (one for each dimension)",
                      tensor_order(operand_or_result_type(op, variables)), variables);
}

/* A subscript for each dimension, from the variables. */
static bool verify_access(MlirOperation op, MlirType tensor, intptr_t variables, MlirType value) {
  MlirAttribute attribute = op_attribute(op, "map");
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  if (!is_tensor_or_scalar(tensor))
    return error_at(op, "expected a ranked tensor or a scalar, found '%s'",
                    type_words(tensor).text);
  if (mlirAffineMapGetNumSymbols(map) != 0)
    return error_at(op, "expected subscripts without symbols, found %s",
                    attribute_words(attribute).text);
  return verify_count(op, "variables of the map", mlirAffineMapGetNumDims(map), variables) &&
         verify_count(op, "subscripts", tensor_order(tensor), mlirAffineMapGetNumResults(map)) &&
         verify_subscripts(op, map) && verify_type(op, "a value", element_type(tensor), value);
}

bool cin_read_verify(MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  MlirType value = operand_or_result_type(op, operands);
  return verify_access(op, operand_or_result_type(op, 0), operands - 1, value) &&
         (!op_has(op, "pad") || verify_pad(op, value, op_attribute(op, "pad")));
}

bool cin_stored_verify(MlirOperation op) {
  return cin_is_read(value_owner(mlirOperationGetOperand(op, 0))) ||
         error_at(op, "expected the value of a cin.read, found another");
}

bool cin_assign_verify(MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  MlirType value = operand_or_result_type(op, operands - 1);
  return verify_constant(op, "identity", "an identity", value) &&
         verify_access(op, operand_or_result_type(op, 0), operands - 2, value);
}
