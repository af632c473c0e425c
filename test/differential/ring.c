/* Element types and semirings by plain arithmetic. */
#include "ring.h"

#include "lac_tensor.h"

#include <math.h>
#include <string.h>

const ring rings[RING_COUNT] = {
    {"plus_times", PLUS, TIMES, true, true, false},
    {"min_plus", LEAST, PLUS, true, true, false},
    {"max_plus", GREATEST, PLUS, true, true, false},
    {"max_times", GREATEST, TIMES, true, true, true},
    {"min_max", LEAST, GREATEST, true, true, false},
    {"max_min", GREATEST, LEAST, true, true, false},
    {"or_and", OR, AND, false, true, false},
    {"and_or", AND, OR, false, true, false},
    {"xor_and", XOR, AND, false, true, false},
};

bool holds_integers(int32_t type) {
  return type >= LAC_I8 && type <= LAC_I64;
}

bool holds_complex(int32_t type) {
  return type == LAC_C64 || type == LAC_C128;
}

int bits_of_precision(int32_t type) {
  switch (type) {
  case LAC_F16:
    return 11;
  case LAC_BF16:
    return 8;
  case LAC_F32:
  case LAC_C64:
    return 24;
  default:
    return 53;
  }
}

double greatest_number(int32_t type) {
  return type == LAC_F16 ? 65504.0 : bits_of_precision(type) < 53 ? 3e38 : 1e300;
}

//--- Arrays --------------------------------------------------------------------------------------

/* bf16 is the upper half of an f32, rounded to nearest, ties to even. */
static uint16_t bf16_from(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static float bf16_to(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int64_t integer_from(long double value) {
  return value >= 0x1p63L ? INT64_MAX : value <= -0x1p63L ? INT64_MIN : (int64_t)value;
}

void element_store(int32_t type, element value, void *array, int64_t at) {
  long double real = creall(value);
  switch (type) {
  case LAC_F64:
    ((double *)array)[at] = (double)real;
    break;
  case LAC_F32:
    ((float *)array)[at] = (float)real;
    break;
  case LAC_F16:
    ((_Float16 *)array)[at] = (_Float16)real;
    break;
  case LAC_BF16:
    ((uint16_t *)array)[at] = bf16_from((float)real);
    break;
  case LAC_I8:
    ((int8_t *)array)[at] = (int8_t)integer_from(real);
    break;
  case LAC_I16:
    ((int16_t *)array)[at] = (int16_t)integer_from(real);
    break;
  case LAC_I32:
    ((int32_t *)array)[at] = (int32_t)integer_from(real);
    break;
  case LAC_I64:
    ((int64_t *)array)[at] = integer_from(real);
    break;
  case LAC_C64:
    ((float complex *)array)[at] = (float complex)value;
    break;
  default:
    ((double complex *)array)[at] = (double complex)value;
  }
}

element element_load(int32_t type, const void *array, int64_t at) {
  switch (type) {
  case LAC_F64:
    return ((const double *)array)[at];
  case LAC_F32:
    return ((const float *)array)[at];
  case LAC_F16:
    return ((const _Float16 *)array)[at];
  case LAC_BF16:
    return bf16_to(((const uint16_t *)array)[at]);
  case LAC_I8:
    return ((const int8_t *)array)[at];
  case LAC_I16:
    return ((const int16_t *)array)[at];
  case LAC_I32:
    return ((const int32_t *)array)[at];
  case LAC_I64:
    return ((const int64_t *)array)[at];
  case LAC_C64:
    return ((const float complex *)array)[at];
  default:
    return ((const double complex *)array)[at];
  }
}

//--- Semirings -----------------------------------------------------------------------------------

/* A long double holds the sum of any two integers of 64 bits; others round as doubles do. */
element element_wrapped(int32_t type, element value) {
  static const long double counts[] = {
      [LAC_I8] = 0x1p8L, [LAC_I16] = 0x1p16L, [LAC_I32] = 0x1p32L, [LAC_I64] = 0x1p64L};
  long double real = creall(value);
  if (!holds_integers(type))
    return (double complex)value;
  return real - counts[type] * floorl(real / counts[type] + 0.5L);
}

static long double greatest_element(int32_t type) {
  static const long double integers[] = {[LAC_I8] = 0x1p7L - 1,
                                         [LAC_I16] = 0x1p15L - 1,
                                         [LAC_I32] = 0x1p31L - 1,
                                         [LAC_I64] = 0x1p63L - 1};
  return holds_integers(type) ? integers[type] : INFINITY;
}

element element_extreme(int32_t type, bool greatest) {
  long double most = greatest_element(type);
  return greatest ? most : holds_integers(type) ? -most - 1 : -most;
}

element ring_fill(const ring *r, int32_t type) {
  if (r && r->plus == LEAST)
    return element_extreme(type, true);
  if (r && r->plus == GREATEST && r->times != TIMES)
    return element_extreme(type, false);
  return r && r->plus == AND ? -1 : 0;
}

element ring_cast(const ring *r, int32_t from, int32_t to, element x) {
  return r && x == ring_fill(r, from) ? ring_fill(r, to) : element_wrapped(to, x);
}

/* No floating-point number holds all products of two integers of 64 bits: the lower half does for
 * what wraps. */
static element product(int32_t type, element x, element y) {
  if (holds_complex(type))
    return x * y;
  if (!holds_integers(type))
    return creall(x) * creall(y);
  uint64_t bits = (uint64_t)integer_from(creall(x)) * (uint64_t)integer_from(creall(y));
  return element_wrapped(type, (int64_t)bits);
}

static element apply(ring_operator op, int32_t type, element x, element y) {
  switch (op) {
  case PLUS:
    return x + y;
  case TIMES:
    return product(type, x, y);
  case LEAST:
    return fminl(creall(x), creall(y));
  case GREATEST:
    return fmaxl(creall(x), creall(y));
  case OR:
    return integer_from(creall(x)) | integer_from(creall(y));
  case AND:
    return integer_from(creall(x)) & integer_from(creall(y));
  default:
    return integer_from(creall(x)) ^ integer_from(creall(y));
  }
}

element ring_plus(const ring *r, int32_t type, element x, element y) {
  return element_wrapped(type, apply(r ? r->plus : PLUS, type, x, y));
}

/* What is absent annihilates. */
element ring_times(const ring *r, int32_t type, element x, element y) {
  element fill = ring_fill(r, type);
  if (r && (x == fill || y == fill))
    return fill;
  return element_wrapped(type, apply(r ? r->times : TIMES, type, x, y));
}
