/* scalar.c - scalars known at compile time. */
#include "scalar.h"

#include <math.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/Complex.h>

scalar scalar_zero(MlirType type) {
  return (scalar){.type = type};
}

static bool complex_from_array(MlirAttribute array, scalar *result) {
  if (!mlirAttributeIsAArray(array) || mlirArrayAttrGetNumElements(array) != 2)
    return false;
  result->re = mlirFloatAttrGetValueDouble(mlirArrayAttrGetElement(array, 0));
  result->im = mlirFloatAttrGetValueDouble(mlirArrayAttrGetElement(array, 1));
  return true;
}

bool scalar_from_attribute(MlirAttribute attribute, MlirType type, scalar *result) {
  *result = scalar_zero(type);
  if (mlirAttributeIsNull(attribute))
    return false;
  if (mlirAttributeIsAFloat(attribute))
    result->re = mlirFloatAttrGetValueDouble(attribute);
  else if (mlirAttributeIsAInteger(attribute))
    result->integer = mlirIntegerAttrGetValueInt(attribute);
  else if (mlirAttributeIsAComplex(attribute)) {
    result->re = mlirComplexAttrGetRealDouble(attribute);
    result->im = mlirComplexAttrGetImagDouble(attribute);
  } else
    return complex_from_array(attribute, result);
  return true;
}

MlirAttribute scalar_attribute(const scalar *x) {
  MlirContext context = mlirTypeGetContext(x->type);
  if (type_is_complex(x->type))
    return mlirComplexAttrDoubleGet(context, x->type, x->re, x->im);
  if (type_is_float(x->type))
    return mlirFloatAttrDoubleGet(context, x->type, x->re);
  return mlirIntegerAttrGet(x->type, x->integer);
}

MlirValue scalar_emit(builder *b, const scalar *x) {
  return constant_attr(b, scalar_attribute(x));
}

static bool same_number(double x, double y) {
  return x == y || (isnan(x) && isnan(y));
}

bool scalar_equal(const scalar *x, const scalar *y) {
  return mlirTypeEqual(x->type, y->type) && same_number(x->re, y->re) &&
         same_number(x->im, y->im) && x->integer == y->integer;
}

bool scalar_is_zero(const scalar *x) {
  return x->re == 0 && x->im == 0 && x->integer == 0;
}

unsigned scalar_width(MlirType integer) {
  return mlirTypeIsAIndex(integer) ? 64 : mlirIntegerTypeGetWidth(integer);
}

/* The integer as the type's width leaves it, sign-extended. */
static int64_t wrapped(MlirType type, int64_t x) {
  unsigned width = scalar_width(type);
  if (width >= 64)
    return x;
  uint64_t sign = UINT64_C(1) << (width - 1), low = (uint64_t)x & ((sign << 1) - 1);
  return (int64_t)((low ^ sign) - sign);
}

uint64_t scalar_unsigned(const scalar *x) {
  unsigned width = scalar_width(x->type);
  return width >= 64 ? (uint64_t)x->integer : (uint64_t)x->integer & ((UINT64_C(1) << width) - 1);
}

scalar scalar_rounded(scalar x) {
  if (type_is_float(x.type))
    x.re = mlirFloatAttrGetValueDouble(scalar_attribute(&x));
  else if (!type_is_complex(x.type))
    x.integer = wrapped(x.type, x.integer);
  return x;
}
