/* verify.c - what the verifiers of the three rungs share. */
#include "verify.h"
#include "cin.h"
#include "format_assembly.h"
#include "ir.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

bool is_tensor_or_scalar(MlirType type) {
  return mlirTypeIsARankedTensor(type) || mlirTypeIsAFloat(type) || mlirTypeIsAInteger(type) ||
         mlirTypeIsAIndex(type) || mlirTypeIsAComplex(type);
}

bool verify_count(MlirOperation op, const char *what, intptr_t expected, intptr_t found) {
  return expected == found ||
         error_at(op, "expected %ld %s, found %ld", (long)expected, what, (long)found);
}

bool verify_type(MlirOperation op, const char *what, MlirType expected, MlirType found) {
  return mlirTypeEqual(expected, found) ||
         error_at(op, "expected %s of type '%s', found '%s'", what, type_words(expected).text,
                  type_words(found).text);
}

intptr_t operand_and_result_count(MlirOperation op) {
  return mlirOperationGetNumOperands(op) + mlirOperationGetNumResults(op);
}

MlirType operand_or_result_type(MlirOperation op, intptr_t i) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  return mlirValueGetType(i < operands ? mlirOperationGetOperand(op, i)
                                       : mlirOperationGetResult(op, i - operands));
}

bool verify_orders(MlirOperation op) {
  for (intptr_t i = 0; i < operand_and_result_count(op); i++) {
    MlirType type = operand_or_result_type(op, i);
    if (mlirTypeIsARankedTensor(type) && tensor_order(type) > TIN_GREATEST_ORDER)
      return error_at(op, "expected tensors of at most %d dimensions, found %d", TIN_GREATEST_ORDER,
                      tensor_order(type));
  }
  return true;
}

static bool verify_tensor(MlirOperation op, MlirType type) {
  if (!tinTypeIsStored(mlirShapedTypeGetElementType(type)))
    return error_at(op,
                    "expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, "
                    "complex<f32> or complex<f64>, found '%s'",
                    type_words(type).text);
  for (int d = 0; d < tensor_order(type); d++)
    if (dimension_size(type, d) > TIN_LARGEST_SIZE)
      return error_at(op, "expected dimensions of at most 2^60, found '%s'", type_words(type).text);
  return true;
}

bool verify_tensors_or_scalars(MlirOperation op) {
  if (!verify_orders(op))
    return false;
  for (intptr_t i = 0; i < operand_and_result_count(op); i++) {
    MlirType type = operand_or_result_type(op, i);
    if (!is_tensor_or_scalar(type))
      return error_at(op, "expected ranked tensors or scalars, found '%s'", type_words(type).text);
    if (mlirTypeIsARankedTensor(type) && !verify_tensor(op, type))
      return false;
  }
  return true;
}

/* As the text of a tin.einsum has them: sums of a few fit 64 bits. */
static const int64_t largest_number = INT64_C(1000000000000000);

static bool verify_subscript(MlirOperation op, MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e)) {
    int64_t number = mlirAffineConstantExprGetValue(e);
    return (number <= largest_number && number >= -largest_number) ||
           error_at(op, "expected numbers of at most %lld in subscripts, found %lld",
                    (long long)largest_number, (long long)number);
  }
  if (!mlirAffineExprIsABinary(e))
    return true;
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  bool divides = !mlirAffineExprIsAAdd(e) && !mlirAffineExprIsAMul(e);
  if (divides && mlirAffineExprIsAConstant(right) && mlirAffineConstantExprGetValue(right) <= 0)
    return error_at(op, "expected positive divisors in subscripts, found %lld",
                    (long long)mlirAffineConstantExprGetValue(right));
  return verify_subscript(op, left) && verify_subscript(op, right);
}

bool verify_subscripts(MlirOperation op, MlirAffineMap map) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (!verify_subscript(op, mlirAffineMapGetResult(map, d)))
      return false;
  return true;
}

static bool verify_typed(MlirOperation op, const char *what, MlirType type, MlirAttribute value) {
  MlirType found = mlirAttributeGetType(value);
  if (mlirTypeIsANone(found))
    return error_at(op, "expected %s with a type, found %s", what, attribute_words(value).text);
  return verify_type(op, what, type, found);
}

bool verify_constant(MlirOperation op, const char *attribute, const char *what, MlirType type) {
  return !op_has(op, attribute) || verify_typed(op, what, type, op_attribute(op, attribute));
}

/* A complex value may be the pair of its parts, as complex.constant has it. */
static bool is_complex_pair(MlirType type, MlirAttribute value) {
  return mlirTypeIsAComplex(type) && mlirAttributeIsAArray(value);
}

bool verify_fill(MlirOperation op, MlirType element, MlirAttribute fill) {
  return is_complex_pair(element, fill) || verify_typed(op, "a fill", element, fill);
}

bool verify_pad(MlirOperation op, MlirType element, MlirAttribute pad) {
  return mlirAttributeIsAUnit(pad) || is_complex_pair(element, pad) ||
         verify_typed(op, "a padding", element, pad);
}

static bool verify_fills(MlirOperation op, MlirAttribute fills) {
  if (!verify_count(op, "fills", operand_and_result_count(op), mlirArrayAttrGetNumElements(fills)))
    return false;
  for (intptr_t i = 0; i < operand_and_result_count(op); i++) {
    MlirType element = element_type(operand_or_result_type(op, i));
    if (!verify_fill(op, element, mlirArrayAttrGetElement(fills, i)))
      return false;
  }
  return true;
}

bool verify_fills_and_names(MlirOperation op) {
  if (op_has(op, "tensor_names") &&
      !verify_count(op, "tensor names", operand_and_result_count(op),
                    mlirArrayAttrGetNumElements(op_attribute(op, "tensor_names"))))
    return false;
  return !op_has(op, "fills") || verify_fills(op, op_attribute(op, "fills"));
}

bool verify_no_arguments(MlirOperation op, intptr_t region) {
  return verify_count(op, "block arguments", 0, mlirBlockGetNumArguments(op_block(op, region)));
}

bool verify_assembly(MlirOperation op, MlirType type) {
  cin_assembly way;
  arena *memory = cin_op_assembly(op, &way) && level_format_count() ? arena_create() : NULL;
  if (!memory)
    return true;
  const tensor_format *format = tensor_format_get(memory, type, mlirOperationGetLocation(op));
  bool builds = format && (tensor_format_builds_by(format, way) ||
                           error_at(op, "expected a result that can be built by '%s', found '%s'",
                                    cin_assembly_name(way), type_words(type).text));
  arena_free(memory);
  return builds;
}

bool kernel_verify(MlirOperation op) {
  MlirBlock body = op_block(op, 0);
  if (!verify_tensors_or_scalars(op) ||
      !verify_count(op, "block arguments (the operands and the result)",
                    operand_and_result_count(op), mlirBlockGetNumArguments(body)))
    return false;
  for (intptr_t i = 0; i < operand_and_result_count(op); i++)
    if (!verify_type(op, "a block argument", operand_or_result_type(op, i),
                     mlirValueGetType(mlirBlockGetArgument(body, i))))
      return false;
  return verify_fills_and_names(op);
}
