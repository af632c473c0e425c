/* gpu_power.c - by squares: base^13 = base^8 * base^4 * base. */
#include "gpu_power.h"

static MlirValue power_of_natural(builder *b, MlirValue base, MlirValue exponent) {
  MlirType type = mlirValueGetType(base);
  MlirValue zero = constant_integer(b, type, 0), one = constant_integer(b, type, 1);
  int mark = var_mark(b);
  variable power = var_make(b, one), square = var_make(b, base), left = var_make(b, exponent);
  while_begin(b);
  while_do(b, less(b, zero, var_get(b, left)));
  if_begin(b, not_equal(b, and_i(b, var_get(b, left), one), zero));
  var_set(b, power, mul(b, var_get(b, power), var_get(b, square)));
  if_end(b);
  var_set(b, square, mul(b, var_get(b, square), var_get(b, square)));
  var_set(b, left, shift_right(b, var_get(b, left), one));
  while_end(b);
  MlirValue result = var_get(b, power);
  var_release(b, mark);
  return result;
}

/* 1 and -1 have powers of negative exponents that are not 0. */
static MlirValue power_of_negative(builder *b, MlirValue base, MlirValue exponent) {
  MlirType type = mlirValueGetType(base);
  MlirValue zero = constant_integer(b, type, 0), one = constant_integer(b, type, 1);
  MlirValue minus = constant_integer(b, type, -1);
  MlirValue is_odd = not_equal(b, and_i(b, exponent, one), zero);
  MlirValue of_minus = select_value(b, is_odd, minus, one);
  return select_value(b, equal(b, base, one), one,
                      select_value(b, equal(b, base, minus), of_minus, zero));
}

MlirValue gpu_integer_power(builder *b, MlirValue base, MlirValue exponent) {
  MlirValue zero = constant_integer(b, mlirValueGetType(base), 0);
  return select_value(b, less(b, exponent, zero), power_of_negative(b, base, exponent),
                      power_of_natural(b, base, exponent));
}
