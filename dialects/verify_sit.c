/* verify_sit.c - verifiers of the sit rung. */
#include "cin.h"
#include "ir.h"
#include "sit.h"
#include "tin.h"
#include "verify.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

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
  return verify_level(op, operand_or_result_type(op, 0), sit_op_level(op));
}

/* ---- positions ---------------------------------------------------------------------------- */

/* Which tensor a position is of, where the operation that makes it says so: its own, or that of the
 * level that a case's argument is of.  Null where it comes from elsewhere: then its type alone
 * tells what it is of. */
static MlirValue argument_tensor(MlirValue position) {
  MlirBlock block = mlirBlockArgumentGetOwner(position);
  MlirOperation op = mlirBlockGetParentOperation(block);
  intptr_t number = mlirBlockArgumentGetArgNumber(position), at = 0;
  if (!sit_is_coiterate(op) || number == 0)
    return (MlirValue){NULL};
  while (!mlirBlockEqual(sit_coiterate_case_body(op, at), block))
    at++;
  return sit_coiterate_tensor(op, sit_coiterate_case_member(op, at, number - 1));
}

static MlirValue tensor_of(MlirValue position) {
  return mlirValueIsABlockArgument(position) ? argument_tensor(position)
                                             : sit_op_tensor(value_owner(position));
}

/* A position of that level of the tensor: by its type of one of such tensors, and of this one as
 * far as can be seen. */
static bool verify_position(MlirOperation op, MlirValue position, MlirValue tensor, int64_t level) {
  MlirType expected = sitPositionTypeGet(mlirValueGetType(tensor), level);
  if (!verify_type(op, "a position", expected, mlirValueGetType(position)))
    return false;
  MlirValue found = tensor_of(position);
  return mlirValueIsNull(found) || mlirValueEqual(found, tensor) ||
         error_at(op, "expected a position in the same tensor, found one of level %ld of another",
                  (long)level);
}

/* There is a parent's position exactly below level 0. */
static bool verify_parent(MlirOperation op, MlirValue parent, MlirValue tensor, int64_t level) {
  bool found = !mlirValueIsNull(parent);
  if (level > 0 && !found)
    return error_at(op, "expected a parent's position for level %ld, found none", (long)level);
  if (level == 0 && found)
    return error_at(op, "expected no parent's position for level 0, found one");
  return !found || verify_position(op, parent, tensor, level - 1);
}

bool sit_entry_verify(MlirOperation op) {
  return sit_level_verify(op) &&
         verify_parent(op, sit_op_parent(op), sit_op_tensor(op), sit_op_level(op));
}

bool sit_copied_verify(MlirOperation op) {
  return sit_level_verify(op) &&
         verify_position(op, sit_op_position(op), sit_copied_source(op), sit_op_level(op));
}

/* Below a parent, or the whole level. */
bool sit_positions_verify(MlirOperation op) {
  return mlirValueIsNull(sit_op_parent(op)) ? sit_level_verify(op) : sit_entry_verify(op);
}

/* There is a position exactly where the tensor has levels; the value is sit.value's result, or
 * the first operand. */
bool sit_stored_verify(MlirOperation op) {
  MlirValue tensor = sit_op_tensor(op), position = sit_op_position(op);
  MlirType type = mlirValueGetType(tensor);
  MlirAttribute format = format_of(op, type);
  if (mlirAttributeIsNull(format))
    return false;
  intptr_t levels = tinFormatAttrGetNumLevels(format);
  bool found = !mlirValueIsNull(position), expected = levels > 0;
  if (found != expected)
    return error_at(op, "expected %s position in '%s', found %s", expected ? "a" : "no",
                    type_words(type).text, found ? "one" : "none");
  MlirValue value = sit_is_value(op) ? mlirOperationGetResult(op, 0) : sit_op_value(op);
  return (!found || verify_position(op, position, tensor, levels - 1)) &&
         verify_type(op, "a value", element_type(type), mlirValueGetType(value));
}

/* ---- tensors ------------------------------------------------------------------------------ */

bool sit_extent_verify(MlirOperation op) {
  int64_t dimension = sit_extent_dimension(op);
  int order = tensor_order(operand_or_result_type(op, 0));
  return (dimension >= 0 && dimension < order) ||
         error_at(op, "expected a dimension less than the order %d, found %ld", order,
                  (long)dimension);
}

bool sit_empty_verify(MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  bool is_workspace = mlirOperationGetNumResults(op) > 0;
  MlirType tensor = operand_or_result_type(op, is_workspace ? operands : 0);
  return verify_assembly(op, tensor) &&
         verify_constant(op, is_workspace ? "identity" : "initial", "an initial value",
                         element_type(tensor)) &&
         verify_count(op, "dimensions", tensor_order(tensor), operands - !is_workspace);
}

/* ---- sit.coiterate ------------------------------------------------------------------------ */

static bool verify_iterators(MlirOperation op) {
  MlirAttribute levels = op_attribute(op, "levels");
  intptr_t count = sit_coiterate_count(op), below = 0;
  if (!verify_count(op, "levels (one for each tensor)", count,
                    mlirDenseArrayGetNumElements(levels)))
    return false;
  for (intptr_t i = 0; i < count; i++) {
    below += sit_coiterate_level(op, i) > 0;
    if (!verify_level(op, operand_or_result_type(op, i), sit_coiterate_level(op, i)))
      return false;
  }
  return verify_count(op, "parents' positions (one for each level below level 0)", below,
                      sit_coiterate_parent_count(op));
}

static bool verify_parents(MlirOperation op) {
  for (intptr_t i = 0; i < sit_coiterate_count(op); i++)
    if (!verify_parent(op, sit_coiterate_parent(op, i), sit_coiterate_tensor(op, i),
                       sit_coiterate_level(op, i)))
      return false;
  return true;
}

/* Ascending numbers of iterators, those of `whose`. */
static bool verify_members(MlirOperation op, const char *whose, MlirAttribute members) {
  intptr_t count = sit_coiterate_count(op), last = -1;
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

/* Levels with `offset`: within bounds, since others may be stored below and above. */
static bool verify_offsets(MlirOperation op) {
  MlirAttribute offset = op_attribute(op, "offset");
  intptr_t count = mlirAttributeIsNull(offset) ? 0 : mlirDenseArrayGetNumElements(offset);
  if (!verify_count(op, "offsets (one for each level with `offset`)", count,
                    sit_coiterate_offset_count(op)))
    return false;
  if (!count)
    return true;
  if (mlirValueIsNull(sit_coiterate_upper(op)))
    return error_at(op, "expected bounds, `from` and `to`, of a level with `offset`");
  if (op_has(op, "fused"))
    return error_at(op, "expected either `fused` or `offset`, found both");
  return cin_op_unit(op) == CIN_SERIAL
             ? verify_members(op, "`offset`", offset)
             : error_at(op,
                        "expected a walk of a level with `offset` that is serial, found one on %s",
                        cin_unit_name(cin_op_unit(op)));
}

/* The coordinate, and a position for each iterator of the case. */
static MlirType argument_type(MlirOperation op, intptr_t number, intptr_t i) {
  if (i == 0)
    return mlirIndexTypeGet(mlirOperationGetContext(op));
  int64_t member = sit_coiterate_case_member(op, number, i - 1);
  return sitPositionTypeGet(mlirValueGetType(sit_coiterate_tensor(op, member)),
                            sit_coiterate_level(op, member));
}

static bool verify_case_arguments(MlirOperation op, intptr_t number) {
  MlirBlock body = sit_coiterate_case_body(op, number);
  intptr_t count = mlirBlockGetNumArguments(body);
  if (!verify_count(op, "arguments of a case (the coordinate and a position for each iterator)",
                    sit_coiterate_case_size(op, number) + 1, count))
    return false;
  for (intptr_t i = 0; i < count; i++)
    if (!verify_type(op, "an argument of a case", argument_type(op, number, i),
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
  if (count == 0 && mlirValueIsNull(sit_coiterate_extent(op)))
    return error_at(op, "expected `over` an extent where a case has no iterators");
  return verify_members(op, "cases", members) && verify_case_arguments(op, i);
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

static bool verify_groups(MlirOperation op) {
  int64_t groups = op_integer(op, "groups", 0);
  if (!op_has(op, "groups"))
    return true;
  if (!cin_can_be_groups(groups))
    return error_at(op, "expected 2, 4, 8 or 16 groups of lanes, found %ld", (long)groups);
  return cin_op_unit(op) == CIN_GPU_THREAD ||
         error_at(op, "expected gpu_thread with groups of lanes, found %s",
                  cin_unit_name(cin_op_unit(op)));
}

static bool verify_manner(MlirOperation op) {
  intptr_t tensors = sit_coiterate_count(op), cases = mlirOperationGetNumRegions(op);
  int64_t unroll = op_integer(op, "unroll", 1);
  if (mlirValueIsNull(sit_coiterate_lower(op)) && !mlirValueIsNull(sit_coiterate_upper(op)))
    return error_at(op, "expected a lower bound below the upper one, found none");
  if (!tensors && mlirValueIsNull(sit_coiterate_extent(op)))
    return error_at(op, "expected levels or `over` an extent, found neither");
  if (op_has(op, "fused") && (tensors != 1 || cases != 1))
    return error_at(op, "expected one level and one case with `fused`, found %ld and %ld",
                    (long)tensors, (long)cases);
  return unroll >= 1 || error_at(op, "expected a positive unroll factor, found %ld", (long)unroll);
}

/* Levels with `any`: the one case has all of them. */
static bool verify_any(MlirOperation op) {
  intptr_t tensors = sit_coiterate_count(op), cases = mlirOperationGetNumRegions(op);
  if (!op_has(op, "any"))
    return true;
  if (cases != 1)
    return error_at(op, "expected one case with `any`, found %ld", (long)cases);
  return verify_count(
      op, "iterators of the case with `any` (all of them)", tensors,
      mlirDenseArrayGetNumElements(mlirArrayAttrGetElement(op_attribute(op, "cases"), 0)));
}

bool sit_coiterate_verify(MlirOperation op) {
  return verify_manner(op) && verify_groups(op) && verify_iterators(op) && verify_parents(op) &&
         verify_scratch(op) && verify_offsets(op) && verify_cases(op) && verify_any(op);
}
