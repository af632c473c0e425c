/* algebra.h - scalars known at compile time, and the iteration algebra of scalar operators: what
 * annihilates an operator's operand, what is its identity, what it makes of constants (Henry et al.
 * 2021, section 4).
 *
 *     x * 0 -> 0      0 annihilates either side of arith.mulf
 *     x + 0 -> x      0 is the identity of either side of arith.addf
 *     0 - x -> -x     arith.subf turns into arith.negf
 *     exp(0) -> 1     a fold
 *
 * One row of a table for each operator; an operator without a row is never simplified, which is
 * always right.
 */
#ifndef LACUNA_ALGEBRA_H
#define LACUNA_ALGEBRA_H

#include "builder.h"

/* A value of a scalar type: `re` of a float, `re` and `im` of a complex number, `integer` of an
 * integer, sign-extended. */
typedef struct scalar {
  MlirType type;
  double re, im;
  int64_t integer;
} scalar;

scalar scalar_zero(MlirType type);

/* From the value of arith.constant or complex.constant, or a typed attribute; false where the
 * attribute is none of these. */
bool scalar_from_attribute(MlirAttribute attribute, MlirType type, scalar *result);

/* As a typed attribute, and as a constant in the code being made. */
MlirAttribute scalar_attribute(const scalar *x);
MlirValue scalar_emit(builder *b, const scalar *x);

/* Whether two scalars are one value (-0 is 0, a NaN is a NaN). */
bool scalar_equal(const scalar *x, const scalar *y);
bool scalar_is_zero(const scalar *x);

typedef struct algebra_operator algebra_operator;

/* The operator of operations named `name`; NULL where the table has none. */
const algebra_operator *algebra_operator_find(MlirStringRef name);

/* Whether operand number `operand`, being `x`, makes the operator yield `x` whatever the others
 * are. */
bool algebra_operator_annihilates(const algebra_operator *op, int operand, const scalar *x);

/* Whether operand number `operand`, being `x`, makes a binary operator yield its other operand. */
bool algebra_operator_is_identity(const algebra_operator *op, int operand, const scalar *x);

/* The unary operator that the operator becomes when its left operand is zero, or NULL. */
const char *algebra_operator_from_zero(const algebra_operator *op);

/* Whether the operator, the others fixed, is linear in operand number `operand`. */
bool algebra_operator_is_linear(const algebra_operator *op, int operand);

/* Whether the operator is undefined behaviour where operand 1 is zero (division of integers). */
bool algebra_operator_traps_on_zero(const algebra_operator *op);

/* Whether the operator is `condition ? x : y`; whether it is x * y + z. */
bool algebra_operator_selects(const algebra_operator *op);
bool algebra_operator_multiplies_and_adds(const algebra_operator *op);

/* The value of `operation` (which has the operator) on constants, of type `type`; false where that
 * cannot be told. */
bool algebra_operator_fold(const algebra_operator *op, MlirOperation operation,
                           const scalar *operands, MlirType type, scalar *result);

#endif
