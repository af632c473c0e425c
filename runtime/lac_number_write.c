/* lac_number_write.c - integers and reals to decimal text, with the fewest digits that read back as
 * the same number.
 *
 * A floating-point number v = c * 2^q is read back from any decimal in the interval half way to its
 * neighbours.  With k = floor(log10 2^q) there is a multiple of 10^k in it, perhaps one of
 * 10^(k+1), and no two multiples of the latter; so that it is enough to scale the interval's ends
 * and v by 10^-k, exactly enough to compare them with whole numbers, and to look at four
 * candidates:
 *
 *     R. Giulietti, The Schubfach way to render doubles, 2020.
 *
 * The scaling is a product with 128 bits of 10^-k, rounded up; these are made at first use.
 */
#include "lac_number.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

typedef unsigned __int128 wide;

/* ---- Powers of 10 ------------------------------------------------------------------------- */

/* Of 10^k the 128 bits from the highest, rounded up where more follow. */
enum { LEAST_POWER = -292, LARGEST_POWER = 324, LIMBS = 20 };
static wide powers_of_10[LARGEST_POWER - LEAST_POWER + 1];

typedef struct big {
  uint64_t limb[LIMBS]; /* the lowest first */
} big;

static void multiply_by_5(big *x) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    wide product = (wide)x->limb[i] * 5 + carry;
    x->limb[i] = (uint64_t)product;
    carry = (uint64_t)(product >> 64);
  }
}

static bool divide_by_5(big *x) {
  uint64_t rest = 0;
  for (int i = LIMBS; i-- > 0;) {
    wide dividend = (wide)rest << 64 | x->limb[i];
    x->limb[i] = (uint64_t)(dividend / 5);
    rest = (uint64_t)(dividend % 5);
  }
  return rest != 0;
}

static wide highest_bits(const big *x, bool more_follows) {
  int top = LIMBS - 1;
  while (x->limb[top] == 0)
    top--;
  uint64_t next[3] = {x->limb[top], top > 0 ? x->limb[top - 1] : 0, top > 1 ? x->limb[top - 2] : 0};
  int shift = __builtin_clzll(next[0]);
  wide bits = (wide)next[0] << 64 | next[1];
  if (shift > 0)
    bits = bits << shift | next[2] >> (64 - shift);
  more_follows |= shift > 0 ? next[2] << shift != 0 : next[2] != 0;
  for (int i = 0; i < top - 2; i++)
    more_follows |= x->limb[i] != 0;
  return bits + more_follows;
}

/* 10^k has the bits of 5^k, and 10^-k those of 2^(64 LIMBS - 1) / 5^k. */
static void make_powers(void) {
  big x = {{1}};
  for (int k = 0; k <= LARGEST_POWER; k++, multiply_by_5(&x))
    powers_of_10[k - LEAST_POWER] = highest_bits(&x, false);
  memset(&x, 0, sizeof x);
  x.limb[LIMBS - 1] = UINT64_C(1) << 63;
  bool more_follows = false;
  for (int k = -1; k >= LEAST_POWER; k--) {
    more_follows |= divide_by_5(&x);
    powers_of_10[k - LEAST_POWER] = highest_bits(&x, more_follows);
  }
}

static wide power_of_10(int k) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_powers);
  return powers_of_10[k - LEAST_POWER];
}

/* ---- The shortest decimal ----------------------------------------------------------------- */

/* floor(log10 2^q), floor(log10 (3/4 2^q)), floor(log2 10^k) */
static int log10_of_power_of_2(int q) {
  return (q * 1262611) >> 22;
}
static int log10_of_three_quarters(int q) {
  return (q * 1262611 - 524031) >> 22;
}
static int log2_of_power_of_10(int k) {
  return (k * 1741647) >> 19;
}

/* The whole part of g * x / 2^128, with its lowest bit set where a fraction follows. */
static uint64_t round_to_odd(wide g, uint64_t x) {
  wide low = (wide)(uint64_t)g * x;
  wide high = (wide)(uint64_t)(g >> 64) * x + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

typedef struct scaled {
  uint64_t below, value, above; /* four times the ends of the interval and the number, scaled */
} scaled;

/* The multiple of 10 nearest to value/4 in the interval, if just one neighbour lies in it. */
static bool shorter_decimal(const scaled *s, lac_decimal *decimal) {
  uint64_t tens = s->value / 40;
  bool low_inside = s->below <= 40 * tens, high_inside = 40 * tens + 40 <= s->above;
  decimal->digits = tens + high_inside;
  decimal->exponent++;
  if (low_inside != high_inside)
    return true;
  decimal->exponent--;
  return false;
}

static uint64_t nearest_digits(const scaled *s) {
  uint64_t ones = s->value / 4;
  bool low_inside = s->below <= 4 * ones, high_inside = 4 * ones + 4 <= s->above;
  if (low_inside != high_inside)
    return ones + high_inside;
  uint64_t middle = 4 * ones + 2;
  return ones + (s->value > middle || (s->value == middle && (ones & 1)));
}

static lac_decimal without_trailing_zeros(lac_decimal decimal) {
  while (decimal.digits % 10 == 0 && decimal.digits > 0) {
    decimal.digits /= 10;
    decimal.exponent++;
  }
  return decimal;
}

lac_decimal lac_shortest_decimal(uint64_t c, int q, bool narrow_below) {
  int k = narrow_below ? log10_of_three_quarters(q) : log10_of_power_of_2(q);
  int h = q + log2_of_power_of_10(-k) + 1;
  wide g = power_of_10(-k);
  bool odd = c & 1;
  scaled s = {.below = round_to_odd(g, (4 * c - 2 + narrow_below) << h) + odd,
              .value = round_to_odd(g, 4 * c << h),
              .above = round_to_odd(g, (4 * c + 2) << h) - odd};
  lac_decimal decimal = {.exponent = k};
  if (s.value < 40 || !shorter_decimal(&s, &decimal))
    decimal.digits = nearest_digits(&s);
  return without_trailing_zeros(decimal);
}

/* ---- Text --------------------------------------------------------------------------------- */

static int count_digits(uint64_t number) {
  int digits = 1;
  for (; number >= 100; number /= 100)
    digits += 2;
  return digits + (number >= 10);
}

static char *write_digits(char *text, uint64_t number, int digits) {
  static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233"
                              "343536373839404142434445464748495051"
                              "52535455565758596061626364656667686970717273747576777879808182838485"
                              "8687888990919293949596979899";
  char *at = text + digits;
  for (; number >= 100; number /= 100) {
    at -= 2;
    memcpy(at, pairs + 2 * (number % 100), 2);
  }
  if (number >= 10)
    memcpy(at - 2, pairs + 2 * number, 2);
  else
    at[-1] = (char)('0' + number);
  return text + digits;
}

static char *write_unsigned(char *text, uint64_t number) {
  return write_digits(text, number, count_digits(number));
}

char *lac_write_integer(char *text, int64_t value) {
  *text = '-';
  return write_unsigned(text + (value < 0), value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static char *write_zeros(char *text, int count) {
  memset(text, '0', (size_t)count);
  return text + count;
}

static char *write_scientific(char *text, const char *digits, int count, int exponent) {
  *text++ = digits[0];
  if (count > 1) {
    *text++ = '.';
    memcpy(text, digits + 1, (size_t)count - 1);
    text += count - 1;
  }
  *text++ = 'e';
  *text++ = exponent < 0 ? '-' : '+';
  return write_unsigned(text, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

char *lac_write_decimal(char *text, lac_decimal decimal) {
  char digits[LAC_NUMBER_LENGTH] = "";
  int count = (int)(write_unsigned(digits, decimal.digits) - digits);
  int point = count + decimal.exponent; /* digits before the point */
  if (point < -4 || point > 17)
    return write_scientific(text, digits, count, point - 1);
  if (point <= 0) {
    text = write_zeros(stpcpy(text, "0."), -point);
    memcpy(text, digits, (size_t)count);
    return text + count;
  }
  int whole = count < point ? count : point;
  memcpy(text, digits, (size_t)whole);
  text = write_zeros(text + whole, point - whole);
  if (count <= point)
    return text;
  *text++ = '.';
  memcpy(text, digits + whole, (size_t)(count - whole));
  return text + count - whole;
}

/* Whole numbers that the significand holds are written as such: 1e16 has more digits, and reads
 * better. */
static bool is_whole(double magnitude, int fraction_bits) {
  return magnitude < ldexp(1, fraction_bits + 1) && magnitude == (double)(int64_t)magnitude;
}

char *lac_write_float(char *text, uint64_t bits, int exponent_bits, int fraction_bits) {
  uint64_t magnitude = bits & ((UINT64_C(1) << (exponent_bits + fraction_bits)) - 1);
  uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
  if (magnitude > infinity)
    return stpcpy(text, "nan");
  *text = '-';
  text += bits != magnitude;
  if (magnitude == infinity)
    return stpcpy(text, "inf");
  double value = lac_unpack_float(magnitude, exponent_bits, fraction_bits);
  if (is_whole(value, fraction_bits))
    return write_unsigned(text, (uint64_t)value);
  int field = (int)(magnitude >> fraction_bits), bias = (1 << (exponent_bits - 1)) - 1;
  uint64_t fraction = magnitude & ((UINT64_C(1) << fraction_bits) - 1);
  uint64_t significand = field ? fraction | UINT64_C(1) << fraction_bits : fraction;
  int exponent = (field ? field : 1) - bias - fraction_bits;
  return lac_write_decimal(text,
                           lac_shortest_decimal(significand, exponent, fraction == 0 && field > 1));
}

char *lac_write_f64(char *text, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return lac_write_float(text, bits, 11, 52);
}

char *lac_write_f32(char *text, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return lac_write_float(text, bits, 8, 23);
}

/* ---- Short floating point ----------------------------------------------------------------- */

uint64_t lac_pack_float(double value, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1, exponent;
  uint64_t sign = (uint64_t)(signbit(value) != 0) << (exponent_bits + fraction_bits);
  uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
  double magnitude = fabs(value);
  if (isnan(value))
    return sign | infinity | UINT64_C(1) << (fraction_bits - 1);
  if (isinf(value) || magnitude == 0)
    return sign | (magnitude == 0 ? 0 : infinity);
  frexp(magnitude, &exponent);
  exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
  if (exponent > bias)
    return sign | infinity;
  uint64_t units = (uint64_t)nearbyint(ldexp(magnitude, fraction_bits - exponent));
  uint64_t bits = ((uint64_t)(exponent + bias - 1) << fraction_bits) + units;
  return sign | (bits < infinity ? bits : infinity);
}

double lac_unpack_float(uint64_t bits, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1;
  int field = (int)(bits >> fraction_bits) & largest;
  uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
  uint64_t hidden = field ? UINT64_C(1) << fraction_bits : 0;
  double magnitude = ldexp((double)(fraction | hidden), (field ? field : 1) - bias - fraction_bits);
  if (field == largest)
    magnitude = fraction ? NAN : INFINITY;
  return bits >> (exponent_bits + fraction_bits) & 1 ? -magnitude : magnitude;
}
