/* scalar.h - scalars known at compile time. */
#ifndef LACUNA_SCALAR_H
#define LACUNA_SCALAR_H

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

/* As its type can hold it: integers wrap, floats are rounded. */
scalar scalar_rounded(scalar x);

/* The bits of an integer, zero-extended; the width of an integer or index type. */
uint64_t scalar_unsigned(const scalar *x);
unsigned scalar_width(MlirType integer);

#endif
