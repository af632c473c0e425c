/* verify_sit.c - verifiers of the sit rung. */
#include "ir.h"
#include "sit.h"
#include "tin.h"
#include "verify.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* The operand groups of sit.coiterate. */
enum { TENSORS, PARENTS, EXTENT, LOWER, UPPER };

static intptr_t group_size(MlirOperation op, int group) {
  return mlirDenseI32ArrayGetElement(op_attribute(op, "operandSegmentSizes"), group);
}

static MlirAttribute format_of(MlirOperation op, MlirType tensor) {
  MlirAttribute format = tinTypeGetFormat(tensor);
  if (mlirAttributeIsNull(format))
    error_at(op, "expected a tensor with a #tin.format, found '%s'", type_words(tensor).text);
  return format;
}

static bool verify_level(MlirOperation op, MlirType tensor, int64_t level) {
  MlirAttribute format = format_of(op, tensor);
  if (mlirAttributeIsNull(format))
    return false;
  intptr_t count = tinFormatAttrGetNumLevels(format);
  return (level >= 0 && level < count) ||
         error_at(op, "expected one of the %ld levels of '%s', found level %ld", (long)count,
                  type_words(tensor).text, (long)level);
}

bool sit_level_verify(MlirOperation op) {
  return verify_level(op, operand_or_result_type(op, 0), op_integer(op, "level", 0));
}

static bool has_position(MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  return sitTypeIsAPosition(operand_or_result_type(op, last));
}

/* There is a parent's position exactly below level 0. */
bool sit_entry_verify(MlirOperation op) {
  int64_t level = op_integer(op, "level", 0);
  if (!sit_level_verify(op))
    return false;
  if (level > 0 && !has_position(op))
    return error_at(op, "expected a parent's position for level %ld, found none", (long)level);
  return level > 0 || !has_position(op) ||
         error_at(op, "expected no parent's position for level 0, found one");
}

/* There is a position exactly where the tensor has levels; the value is sit.value's result, or
 * the first operand. */
bool sit_stored_verify(MlirOperation op) {
  bool is_value = mlirOperationGetNumResults(op) > 0;
  MlirType tensor = operand_or_result_type(op, is_value ? 0 : 1);
  MlirAttribute format = format_of(op, tensor);
  if (mlirAttributeIsNull(format))
    return false;
  bool found = has_position(op), expected = tinFormatAttrGetNumLevels(format) > 0;
  if (found != expected)
    return error_at(op, "expected %s position in '%s', found %s", expected ? "a" : "no",
                    type_words(tensor).text, found ? "one" : "none");
  return verify_type(op, "a value", element_type(tensor),
                     operand_or_result_type(op, is_value ? mlirOperationGetNumOperands(op) : 0));
}

bool sit_extent_verify(MlirOperation op) {
  int64_t dimension = op_integer(op, "dimension", 0);
  int order = tensor_order(operand_or_result_type(op, 0));
  return (dimension >= 0 && dimension < order) ||
         error_at(op, "expected a dimension less than the order %d, found %ld", order,
                  (long)dimension);
}

bool sit_empty_verify(MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  bool is_workspace = mlirOperationGetNumResults(op) > 0;
  MlirType tensor = operand_or_result_type(op, is_workspace ? operands : 0);
  if (op_has(op, "scatter") && !verify_level(op, tensor, op_integer(op, "scatter", 0)))
    return false;
  return verify_constant(op, is_workspace ? "identity" : "initial", "an initial value",
                         element_type(tensor)) &&
         verify_count(op, "dimensions", tensor_order(tensor), operands - !is_workspace);
}

/* sit.coiterate */

static bool verify_iterators(MlirOperation op) {
  MlirAttribute levels = op_attribute(op, "levels");
  intptr_t count = group_size(op, TENSORS), below = 0;
  if (!verify_count(op, "levels (one for each tensor)", count,
                    mlirDenseArrayGetNumElements(levels)))
    return false;
  for (intptr_t i = 0; i < count; i++) {
    int64_t level = mlirDenseI64ArrayGetElement(levels, i);
    below += level > 0;
    if (!verify_level(op, operand_or_result_type(op, i), level))
      return false;
  }
  return verify_count(op, "parents' positions (one for each level below level 0)", below,
                      group_size(op, PARENTS));
}

/* Ascending numbers of iterators, those of `whose`. */
static bool verify_members(MlirOperation op, const char *whose, MlirAttribute members) {
  intptr_t count = group_size(op, TENSORS), last = -1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(members); i++) {
    int64_t member = mlirDenseI64ArrayGetElement(members, i);
    if (member < 0 || member >= count)
      return error_at(op, "expected %s of the %ld iterators, found number %ld", whose, (long)count,
                      (long)member);
    if (member <= last)
      return error_at(op, "expected iterators of %s in ascending order, found %ld after %ld", whose,
                      (long)member, (long)last);
    last = member;
  }
  return true;
}

/* Levels with `scratch`: entries of those are not visited by themselves. */
static bool verify_scratch(MlirOperation op) {
  MlirAttribute scratch = op_attribute(op, "scratch");
  if (mlirAttributeIsNull(scratch))
    return true;
  if (op_has(op, "fused"))
    return error_at(op, "expected either `fused` or `scratch`, found both");
  return verify_members(op, "`scratch`", scratch);
}

/* The coordinate, and a position for each iterator of the case. */
static bool verify_case_arguments(MlirOperation op, intptr_t members, MlirBlock body) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t count = mlirBlockGetNumArguments(body);
  if (!verify_count(op, "arguments of a case (the coordinate and a position for each iterator)",
                    members + 1, count))
    return false;
  for (intptr_t i = 0; i < count; i++)
    if (!verify_type(op, "an argument of a case",
                     i ? sitPositionTypeGet(context) : mlirIndexTypeGet(context),
                     mlirValueGetType(mlirBlockGetArgument(body, i))))
      return false;
  return true;
}

static bool verify_case(MlirOperation op, MlirAttribute cases, intptr_t i) {
  MlirAttribute members = mlirArrayAttrGetElement(cases, i);
  if (!mlirAttributeIsADenseI64Array(members))
    return error_at(op, "expected cases as arrays of i64, found %s", attribute_words(members).text);
  for (intptr_t before = 0; before < i; before++)
    if (mlirAttributeEqual(members, mlirArrayAttrGetElement(cases, before)))
      return error_at(op, "expected distinct cases, found one twice: %s",
                      attribute_words(members).text);
  intptr_t count = mlirDenseArrayGetNumElements(members);
  if (count == 0 && !group_size(op, EXTENT))
    return error_at(op, "expected `over` an extent where a case has no iterators");
  return verify_members(op, "cases", members) && verify_case_arguments(op, count, op_block(op, i));
}

static bool verify_cases(MlirOperation op) {
  MlirAttribute cases = op_attribute(op, "cases");
  intptr_t count = mlirOperationGetNumRegions(op);
  if (!verify_count(op, "cases (one for each region)", count, mlirArrayAttrGetNumElements(cases)))
    return false;
  for (intptr_t i = 0; i < count; i++)
    if (!verify_case(op, cases, i))
      return false;
  return true;
}

static bool verify_manner(MlirOperation op) {
  intptr_t tensors = group_size(op, TENSORS), cases = mlirOperationGetNumRegions(op);
  int64_t unroll = op_integer(op, "unroll", 1);
  if (group_size(op, LOWER) < group_size(op, UPPER))
    return error_at(op, "expected a lower bound below the upper one, found none");
  if (!tensors && !group_size(op, EXTENT))
    return error_at(op, "expected levels or `over` an extent, found neither");
  if (op_has(op, "fused") && (tensors != 1 || cases != 1))
    return error_at(op, "expected one level and one case with `fused`, found %ld and %ld",
                    (long)tensors, (long)cases);
  return unroll >= 1 || error_at(op, "expected a positive unroll factor, found %ld", (long)unroll);
}

/* Levels with `any`: the one case has all of them. */
static bool verify_any(MlirOperation op) {
  intptr_t tensors = group_size(op, TENSORS), cases = mlirOperationGetNumRegions(op);
  if (!op_has(op, "any"))
    return true;
  if (cases != 1)
    return error_at(op, "expected one case with `any`, found %ld", (long)cases);
  return verify_count(
      op, "iterators of the case with `any` (all of them)", tensors,
      mlirDenseArrayGetNumElements(mlirArrayAttrGetElement(op_attribute(op, "cases"), 0)));
}

bool sit_coiterate_verify(MlirOperation op) {
  return verify_manner(op) && verify_iterators(op) && verify_scratch(op) && verify_cases(op) &&
         verify_any(op);
}
