/* scalar_ops.h - the scalar operators and functions of expressions, for each class of element type.
 *
 * One table says for every name which operation of arith, math or complex computes it for floats,
 * integers and complex numbers.  Where an entry is missing the function does not exist for that
 * type, and asking for it is a diagnostic at the builder's location.
 */
#ifndef LACUNA_SCALAR_OPS_H
#define LACUNA_SCALAR_OPS_H

#include "builder.h"
#include "nearest.h"

typedef struct scalar_function {
  const char *name;
  int arity;
  bool is_variadic; /* of `arity` arguments or more, folded from the left */
  const char *float_op, *integer_op, *complex_op; /* NULL where there is none */
  /* Where the function is no single operation: emits it, with a null value where the type has none.
   */
  MlirValue (*emit)(builder *b, MlirType type, const MlirValue *arguments);
  const struct scalar_comparison *compares; /* a comparison: 1 where it holds, else 0 */
  bool takes_part; /* of complex arguments it is a real number (abs, real, imag) */
} scalar_function;

/* The function of that name (exp, sqrt, max, ...), or NULL. */
const scalar_function *scalar_function_find(const char *name);

/* The operator of that name ("add", "sub", "mul", "div", "neg", and as semirings name them "min",
 * "max", "and", "or", "xor"; the comparisons "<", "<=", ">", ">=", "==", "!="), or NULL. */
const scalar_function *scalar_operator_find(const char *name);

/* Offers the names of all functions. */
void scalar_function_offer(nearest *search);

/* Whether the function exists for `type`. */
bool scalar_is_defined(const scalar_function *function, MlirType type);

/* Applies `function` to `arity` values of one type.  A null value after a diagnostic where the
 * function does not exist for that type. */
MlirValue scalar_apply(builder *b, const scalar_function *function, const MlirValue *arguments);

/* `value` as a `type`: wider or narrower numbers of one class, integers as floats, reals as complex
 * numbers.  A null value after a diagnostic for anything else. */
MlirValue scalar_cast(builder *b, MlirValue value, MlirType type);

/* The number that `text` (digits, point, exponent) says, as a `type`.  A null value after a
 * diagnostic where it has a fraction and the type has none, or is too large for it. */
MlirValue scalar_number(builder *b, const char *text, MlirType type);
/* The same as an attribute of the type. */
MlirAttribute scalar_number_attribute(builder *b, const char *text, MlirType type);

/* Whether values of `type` can be computed with: floats, signless integers, complex floats. */
bool scalar_type_is_known(MlirType type);

#endif
