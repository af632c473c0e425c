/* algebra.h - the iteration algebra of scalar operators: what annihilates an operator's operand,
 * what is its identity, what it makes of constants (Henry et al. 2021, section 4).
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

#include "scalar.h"
#include "tin.h"

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

/* Whether the operator is undefined behaviour where operand 1 is zero (division of integers), and
 * whether also where the least integer is divided by -1. */
bool algebra_operator_traps_on_zero(const algebra_operator *op);
bool algebra_operator_overflows(const algebra_operator *op);

/* Whether the operator is `condition ? x : y`; whether it is x * y + z. */
bool algebra_operator_selects(const algebra_operator *op);
bool algebra_operator_multiplies_and_adds(const algebra_operator *op);

/* Whether op(a (+) b, c) is op(a, c) (+) op(b, c) where operand number `operand` is reduced, by
 * `kind`; of floats, rounding, overflow and NaNs aside. */
bool algebra_distributes(tin_reduction kind, MlirStringRef op, intptr_t operand);

/* The value of `operation` (which has the operator) on constants, of type `type`; false where that
 * cannot be told. */
bool algebra_operator_fold(const algebra_operator *op, MlirOperation operation,
                           const scalar *operands, MlirType type, scalar *result);

#endif
