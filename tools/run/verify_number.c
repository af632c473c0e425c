/* The arithmetic of the plain evaluation. */
#include "verify_number.h"

#include "lac_tensor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//--- Kinds ---------------------------------------------------------------------------------------

static bool is_integer_type(int32_t type) {
  return type >= LAC_I8 && type <= LAC_I64;
}

static bool is_complex_type(int32_t type) {
  return type == LAC_C64 || type == LAC_C128;
}

bool number_kind_make(number_kind *kind, int32_t type, const char *semiring_name) {
  semiring s;
  *kind = (number_kind){.type = type,
                        .is_integer = is_integer_type(type),
                        .is_complex = is_complex_type(type),
                        .plus = "add",
                        .times = "mul"};
  if (!semiring_name)
    return true;
  if (!semiring_from_name(semiring_name, &s))
    return false;
  kind->plus = s.plus->name;
  kind->times = s.times->name;
  return true;
}

static int bits_of(int32_t type) {
  return 8 * lac_type_width(type);
}

static int64_t wrapped(int32_t type, uint64_t bits) {
  int unused = 64 - bits_of(type);
  return (int64_t)(bits << unused) >> unused;
}

static int64_t largest(int32_t type) {
  return INT64_MAX >> (64 - bits_of(type));
}

static number integer_number(const number_kind *kind, int64_t value) {
  return (number){.stored = true, .integer = wrapped(kind->type, (uint64_t)value)};
}

/* Infinities stay apart from the other part, as in real + i * imaginary they do not. */
static double complex complex_of(double real, double imaginary) {
  double complex value;
  memcpy(&value, (double[]){real, imaginary}, sizeof value);
  return value;
}

static double complex rounded(const number_kind *kind, double complex value) {
  if (kind->type == LAC_F32 || kind->type == LAC_C64)
    return complex_of((float)creal(value), (float)cimag(value));
  return value;
}

static number real_number(const number_kind *kind, double complex value) {
  double complex near = rounded(kind, value);
  return (number){.stored = true, .value = near, .size = cabs(near)};
}

static bool is(const char *name, const char *other) {
  return !strcmp(name, other);
}

static bool is_max_times(const number_kind *kind) {
  return is(kind->plus, "max") && is(kind->times, "mul");
}

/* Whether the type's greatest or least number stands for infinity, where nothing is stored. */
static bool fill_is_infinite(const number_kind *kind) {
  return is(kind->plus, "min") || (is(kind->plus, "max") && !is_max_times(kind));
}

static int64_t integer_fill(const number_kind *kind, int32_t type) {
  if (fill_is_infinite(kind))
    return is(kind->plus, "min") ? largest(type) : -largest(type) - 1;
  return is(kind->plus, "mul") ? 1 : is(kind->plus, "and") ? -1 : 0;
}

number number_fill(const number_kind *kind) {
  double infinity = is(kind->plus, "max") ? -INFINITY : INFINITY;
  double value = fill_is_infinite(kind) ? infinity : is(kind->plus, "mul") ? 1 : 0;
  number fill = kind->is_integer ? integer_number(kind, integer_fill(kind, kind->type))
                                 : (number){.value = value, .size = value};
  fill.stored = false;
  return fill;
}

bool number_fill_annihilates(const number_kind *kind) {
  number fill = number_fill(kind);
  int64_t high = kind->is_integer ? largest(kind->type) : 0;
  bool zero = kind->is_integer ? fill.integer == 0 : creal(fill.value) == 0;
  bool greatest = kind->is_integer ? fill.integer == high : creal(fill.value) == INFINITY;
  bool least = kind->is_integer ? fill.integer == -high - 1 : creal(fill.value) == -INFINITY;
  const struct {
    const char *name;
    bool does;
  } operators[] = {{"mul", zero || (kind->is_integer && fill_is_infinite(kind))},
                   {"add", greatest || least},
                   {"min", least},
                   {"max", greatest},
                   {"and", zero},
                   {"or", fill.integer == -1}};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (is(kind->times, operators[i].name))
      return operators[i].does;
  return false;
}

//--- Elements ------------------------------------------------------------------------------------

static double half(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  double magnitude = exponent == 0    ? ldexp(fraction, -24)
                     : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                      : ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

static double brain_half(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

static int64_t integer_element(int32_t type, const void *array, int64_t p) {
  switch (type) {
  case LAC_I8:
    return ((const int8_t *)array)[p];
  case LAC_I16:
    return ((const int16_t *)array)[p];
  case LAC_I32:
    return ((const int32_t *)array)[p];
  default:
    return ((const int64_t *)array)[p];
  }
}

static double complex real_element(int32_t type, const void *array, int64_t p) {
  switch (type) {
  case LAC_F64:
    return ((const double *)array)[p];
  case LAC_F32:
    return ((const float *)array)[p];
  case LAC_F16:
    return half(((const uint16_t *)array)[p]);
  case LAC_BF16:
    return brain_half(((const uint16_t *)array)[p]);
  case LAC_C64:
    return complex_of(((const float *)array)[2 * p], ((const float *)array)[2 * p + 1]);
  default:
    return complex_of(((const double *)array)[2 * p], ((const double *)array)[2 * p + 1]);
  }
}

number number_load(const number_kind *kind, int32_t type, const void *array, int64_t position) {
  if (!is_integer_type(type))
    return real_number(kind, real_element(type, array, position));
  int64_t element = integer_element(type, array, position);
  if (fill_is_infinite(kind) && element == integer_fill(kind, type)) {
    number infinity = number_fill(kind);
    infinity.stored = true;
    return infinity;
  }
  return kind->is_integer ? integer_number(kind, element) : real_number(kind, (double)element);
}

number number_read(const number_kind *kind, const char *text) {
  return kind->is_integer ? integer_number(kind, strtoll(text, NULL, 10))
                          : real_number(kind, strtod(text, NULL));
}

//--- Integers ------------------------------------------------------------------------------------

static int64_t integer_power(int64_t base, int64_t exponent) {
  uint64_t power = 1;
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  for (uint64_t square = (uint64_t)base; exponent; exponent >>= 1, square *= square)
    if (exponent & 1)
      power *= square;
  return (int64_t)power;
}

static int64_t integer_quotient(int64_t x, int64_t y) {
  return y == 0 ? 0 : y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static bool apply_integer(const number_kind *kind, const char *name, int64_t x, int64_t y,
                          number *result) {
  uint64_t a = (uint64_t)x, b = (uint64_t)y;
  const struct {
    const char *name;
    int64_t value;
  } table[] = {{"add", (int64_t)(a + b)},
               {"sub", (int64_t)(a - b)},
               {"mul", (int64_t)(a * b)},
               {"div", integer_quotient(x, y)},
               {"min", x < y ? x : y},
               {"max", x > y ? x : y},
               {"and", x & y},
               {"or", x | y},
               {"xor", x ^ y},
               {"neg", (int64_t)(0 - a)},
               {"abs", x < 0 ? (int64_t)(0 - a) : x},
               {"sign", (x > 0) - (x < 0)},
               {"relu", x > 0 ? x : 0},
               {"pow", is(name, "pow") ? integer_power(x, y) : 0},
               {"real", x},
               {"imag", 0},
               {"conj", x},
               {"<", x < y},
               {"<=", x <= y},
               {">", x > y},
               {">=", x >= y},
               {"==", x == y},
               {"!=", x != y}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (is(name, table[i].name)) {
      *result = integer_number(kind, table[i].value);
      return true;
    }
  return false;
}

//--- Reals and complex numbers -------------------------------------------------------------------

static double nan_or(double x, double y, double value) {
  return isnan(x) || isnan(y) ? NAN : value;
}
static double sign_of(double x) {
  return (x > 0) - (x < 0);
}
static double relu(double x) {
  return nan_or(x, x, x > 0 ? x : 0);
}
static double reciprocal_root(double x) {
  return 1 / sqrt(x);
}
static double minimum(double x, double y) {
  return nan_or(x, y, x < y ? x : y);
}
static double maximum(double x, double y) {
  return nan_or(x, y, x > y ? x : y);
}

static double itself(double x) {
  return x;
}
static double nothing(double x) {
  return 0 * (x == x);
}
static double is_less(double x, double y) {
  return x < y;
}
static double is_at_most(double x, double y) {
  return x <= y;
}
static double is_greater(double x, double y) {
  return x > y;
}
static double is_at_least(double x, double y) {
  return x >= y;
}
static double is_equal(double x, double y) {
  return x == y;
}
static double is_unlike(double x, double y) {
  return x != y;
}

static const struct real_function {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
} real_functions[] = {{"abs", fabs, NULL},
                      {"sign", sign_of, NULL},
                      {"relu", relu, NULL},
                      {"sqrt", sqrt, NULL},
                      {"cbrt", cbrt, NULL},
                      {"exp", exp, NULL},
                      {"exp2", exp2, NULL},
                      {"expm1", expm1, NULL},
                      {"log", log, NULL},
                      {"log2", log2, NULL},
                      {"log10", log10, NULL},
                      {"log1p", log1p, NULL},
                      {"sin", sin, NULL},
                      {"cos", cos, NULL},
                      {"tan", tan, NULL},
                      {"asin", asin, NULL},
                      {"acos", acos, NULL},
                      {"atan", atan, NULL},
                      {"sinh", sinh, NULL},
                      {"cosh", cosh, NULL},
                      {"tanh", tanh, NULL},
                      {"erf", erf, NULL},
                      {"floor", floor, NULL},
                      {"ceil", ceil, NULL},
                      {"round", round, NULL},
                      {"trunc", trunc, NULL},
                      {"min", NULL, minimum},
                      {"max", NULL, maximum},
                      {"pow", NULL, pow},
                      {"atan2", NULL, atan2},
                      {"rsqrt", reciprocal_root, NULL},
                      {"real", itself, NULL},
                      {"imag", nothing, NULL},
                      {"conj", itself, NULL},
                      {"<", NULL, is_less},
                      {"<=", NULL, is_at_most},
                      {">", NULL, is_greater},
                      {">=", NULL, is_at_least},
                      {"==", NULL, is_equal},
                      {"!=", NULL, is_unlike}};

static double complex complex_abs(double complex x) {
  return cabs(x);
}
static double complex complex_rsqrt(double complex x) {
  return 1 / csqrt(x);
}
static double complex complex_expm1(double complex x) {
  return cexp(x) - 1;
}
static double complex complex_log1p(double complex x) {
  return clog(1 + x);
}

static double complex complex_real(double complex x) {
  return creal(x);
}
static double complex complex_imaginary(double complex x) {
  return cimag(x);
}
static double complex complex_equal(double complex x, double complex y) {
  return x == y;
}
static double complex complex_unlike(double complex x, double complex y) {
  return x != y;
}

static const struct complex_function {
  const char *name;
  double complex (*one)(double complex);
  double complex (*two)(double complex, double complex);
} complex_functions[] = {{"abs", complex_abs, NULL},
                         {"sqrt", csqrt, NULL},
                         {"rsqrt", complex_rsqrt, NULL},
                         {"exp", cexp, NULL},
                         {"expm1", complex_expm1, NULL},
                         {"log", clog, NULL},
                         {"log1p", complex_log1p, NULL},
                         {"sin", csin, NULL},
                         {"cos", ccos, NULL},
                         {"tan", ctan, NULL},
                         {"tanh", ctanh, NULL},
                         {"conj", conj, NULL},
                         {"pow", NULL, cpow},
                         {"real", complex_real, NULL},
                         {"imag", complex_imaginary, NULL},
                         {"==", NULL, complex_equal},
                         {"!=", NULL, complex_unlike}};

static bool value_of_function(const number_kind *kind, const char *name, double complex x,
                              double complex y, double complex *value) {
  for (size_t i = 0; !kind->is_complex && i < sizeof real_functions / sizeof *real_functions; i++) {
    const struct real_function *f = &real_functions[i];
    if (!is(f->name, name))
      continue;
    *value = f->one ? f->one(creal(x)) : f->two(creal(x), creal(y));
    return true;
  }
  for (size_t i = 0; kind->is_complex && i < sizeof complex_functions / sizeof *complex_functions;
       i++) {
    const struct complex_function *f = &complex_functions[i];
    if (!is(f->name, name))
      continue;
    *value = f->one ? f->one(x) : f->two(x, y);
    return true;
  }
  return false;
}

/* How much the value moves when the arguments move by a millionth of their sizes, a million times:
 * the size that the arguments' sizes give it. */
static double carried_size(const number_kind *kind, const char *name, number x, number y,
                           double complex value) {
  const double step = 1e-6;
  double complex moved_x, moved_y;
  if (!value_of_function(kind, name, x.value + step * x.size, y.value, &moved_x) ||
      !value_of_function(kind, name, x.value, y.value + step * y.size, &moved_y))
    return 0;
  double carried = (cabs(moved_x - value) + cabs(moved_y - value)) / step;
  return isfinite(carried) ? carried : 0;
}

static bool apply_function(const number_kind *kind, const char *name, number x, number y,
                           number *result) {
  double complex value;
  if (!value_of_function(kind, name, x.value, y.value, &value))
    return false;
  *result = (number){.stored = true, .value = value, .size = cabs(value)};
  bool selects = is(name, "min") || is(name, "max");
  result->size += selects ? x.size + y.size : carried_size(kind, name, x, y, value);
  return true;
}

static double complex product(const number_kind *kind, double complex x, double complex y) {
  return kind->is_complex ? x * y : creal(x) * creal(y);
}

static double complex quotient(const number_kind *kind, double complex x, double complex y) {
  return kind->is_complex ? x / y : creal(x) / creal(y);
}

static bool apply_real(const number_kind *kind, const char *name, number x, number y,
                       number *result) {
  *result = (number){.stored = true, .size = x.size + y.size};
  if (is(name, "add"))
    result->value = x.value + y.value;
  else if (is(name, "sub"))
    result->value = x.value - y.value;
  else if (is(name, "neg"))
    *result = (number){.stored = true, .value = -x.value, .size = x.size};
  else if (is(name, "mul"))
    *result =
        (number){.stored = true, .value = product(kind, x.value, y.value), .size = x.size * y.size};
  else if (is(name, "div")) {
    double complex value = quotient(kind, x.value, y.value);
    *result = (number){
        .stored = true, .value = value, .size = (x.size + cabs(value) * y.size) / cabs(y.value)};
  } else
    return apply_function(kind, name, x, y, result);
  return true;
}

//--- Zero and infinity ---------------------------------------------------------------------------

static bool is_finite(double complex x) {
  return isfinite(creal(x)) && isfinite(cimag(x));
}

static bool is_zero(number x) {
  return x.value == 0;
}

static bool may_be_infinite(number x) {
  return x.how != CERTAIN || !is_finite(x.value);
}

/* Whether a number that is not finite leaves all that is made of it by the operator so. */
static bool keeps_infinities(const char *name) {
  static const char *const names[] = {"add", "sub", "neg", "mul", "abs", "conj"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is(name, names[i]))
      return true;
  return false;
}

static bool is_function_of_two(const char *name) {
  static const char *const names[] = {"add",   "sub", "mul", "div", "min", "max", "pow",
                                      "atan2", "<",   "<=",  ">",   ">=",  "==",  "!="};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is(name, names[i]))
      return true;
  return false;
}

/* Zero annihilates what is infinite or NaN, or does not; the sign of zero, and so that of what is
 * divided by it, is not known. */
static void settle_zero(const char *name, number x, number y, number *result) {
  bool product =
      is(name, "mul") && ((is_zero(x) && may_be_infinite(y)) || (is_zero(y) && may_be_infinite(x)));
  bool quotient = is(name, "div") && is_zero(x) && (is_zero(y) || may_be_infinite(y));
  bool pole = (is(name, "div") && is_zero(y)) || (is(name, "pow") && is_zero(x)) ||
              (is(name, "rsqrt") && is_zero(x));
  bool sum = !is_finite(result->value) && isnan(creal(result->value)) &&
             (!is_finite(x.value) || !is_finite(y.value));
  if (product || quotient)
    *result = (number){.stored = true, .how = OR_NOT_FINITE};
  else if (is(name, "atan2") && (is_zero(x) || is_zero(y)))
    result->how = ANYTHING;
  else if (result->how == CERTAIN && ((pole && !is_finite(result->value)) || sum))
    result->how = OR_NOT_FINITE;
}

static certainty certainty_of(const char *name, number x, number y) {
  certainty least = is_function_of_two(name) && y.how > x.how ? y.how : x.how;
  return least == CERTAIN || keeps_infinities(name) ? least : ANYTHING;
}

bool number_apply(const number_kind *kind, const char *name, number x, number y, number *result) {
  if (kind->is_integer)
    return apply_integer(kind, name, x.integer, y.integer, result);
  if (!apply_real(kind, name, x, y, result))
    return false;
  result->how = certainty_of(name, x, y);
  if (kind->zero_annihilates)
    settle_zero(name, x, y, result);
  return true;
}

number number_select(const number_kind *kind, number c, number x, number y) {
  bool holds = kind->is_integer ? c.integer != 0 : c.value != 0;
  number chosen = holds ? x : y;
  chosen.size = x.size + y.size;
  if (c.how != CERTAIN)
    chosen.how = ANYTHING;
  return chosen;
}

bool number_is_finite(const number_kind *kind, number x) {
  return kind->is_integer || is_finite(x.value);
}

//--- Comparing -----------------------------------------------------------------------------------

bool number_equal(const number_kind *kind, number x, number y) {
  return kind->is_integer ? x.integer == y.integer : x.value == y.value;
}

static double largest_real(int32_t type) {
  return type == LAC_F16 ? 65504 : type == LAC_F64 || type == LAC_C128 ? DBL_MAX : FLT_MAX;
}

/* What is smaller may be flushed to zero. */
static double smallest_normal(int32_t type) {
  return type == LAC_F16 ? 0x1p-14 : type == LAC_F64 || type == LAC_C128 ? DBL_MIN : FLT_MIN;
}

/* One of the two is infinite or no number. */
static double distance_of_infinite(const number_kind *kind, number expected, number found) {
  if (is_finite(expected.value) && expected.size > largest_real(kind->type))
    return 0;
  if (kind->is_complex)
    return is_finite(expected.value) || is_finite(found.value) ? INFINITY : 0;
  double x = creal(expected.value), y = creal(found.value);
  return x == y || (isnan(x) && isnan(y)) ? 0 : INFINITY;
}

double number_distance(const number_kind *kind, number expected, number found) {
  if (kind->is_integer)
    return expected.integer == found.integer
               ? 0
               : fabs((double)found.integer - (double)expected.integer) /
                     fmax(fabs((double)expected.integer), 1);
  if (!is_finite(expected.value) || !is_finite(found.value))
    return distance_of_infinite(kind, expected, found);
  double away = cabs(found.value - expected.value);
  if (away <= smallest_normal(kind->type))
    return 0;
  double size = fmax(cabs(expected.value), isfinite(expected.size) ? expected.size : 0);
  return size == 0 ? INFINITY : away / size;
}

double number_epsilon(const number_kind *kind) {
  switch (kind->type) {
  case LAC_F16:
    return 0x1p-10;
  case LAC_BF16:
    return 0x1p-7;
  case LAC_F32:
  case LAC_C64:
    return FLT_EPSILON;
  default:
    return kind->is_integer ? 0 : DBL_EPSILON;
  }
}

void number_print(const number_kind *kind, number x, char text[64]) {
  if (kind->is_integer)
    snprintf(text, 64, "%lld", (long long)x.integer);
  else if (kind->is_complex)
    snprintf(text, 64, "%.17g%+.17gi", creal(x.value), cimag(x.value));
  else
    snprintf(text, 64, "%.17g", creal(x.value));
}
