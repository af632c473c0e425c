/* verify.c - what the verifiers of the three rungs share. */
#include "verify.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

bool is_reduction(MlirStringRef kind) {
  static const char *const kinds[] = {"add", "mul", "min", "max", "and", "or", "xor"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (text_is(kind, kinds[i]))
      return true;
  return false;
}

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

bool verify_tensors_or_scalars(MlirOperation op) {
  for (intptr_t i = 0; i < operand_and_result_count(op); i++)
    if (!is_tensor_or_scalar(operand_or_result_type(op, i)))
      return error_at(op, "expected ranked tensors or scalars, found '%s'",
                      type_words(operand_or_result_type(op, i)).text);
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
