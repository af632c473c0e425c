/* lac_number_read.c - integers and reals from decimal text.
 *
 * A real is w * 10^e with w of at most 19 digits, so w < 2^64.  For |e| <= 27, 5^|e| < 2^63, and
 *
 *     e >= 0:  w * 5^e * 2^e                  the product is exact in 128 bits
 *     e <  0:  (w * 2^s / 5^-e) * 2^(e-s)     the quotient has 65 bits or more, the remainder
 *                                             tells whether the number lies above it
 *
 * is rounded once, to nearest, ties to even: correct without a table and without a second try. (The
 * observation that small exponents are exact is Clinger's, How to Read Floating Point Numbers
 * Accurately, PLDI 1990.)  Everything else goes to strtod.
 */
#include "lac_number.h"

#include "lac_ascii.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* ---- Integers ----------------------------------------------------------------------------- */

/* More than 18 digits, as they may not fit. */
static const char *read_long_integer(const char *text, bool negative, int64_t *value) {
  int64_t number = 0;
  for (; is_digit(*text); text++)
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_sub_overflow(number, *text - '0', &number))
      return NULL;
  if (!negative && number == INT64_MIN)
    return NULL;
  *value = negative ? number : -number;
  return text;
}

const char *lac_read_integer(const char *text, int64_t *value) {
  bool negative = *text == '-';
  text += negative || *text == '+';
  const char *begin = text;
  uint64_t number = 0;
  for (; is_digit(*text); text++)
    number = number * 10 + (uint64_t)(*text - '0');
  if (text == begin)
    return NULL;
  if (text - begin > 18)
    return read_long_integer(begin, negative, value);
  *value = negative ? -(int64_t)number : (int64_t)number;
  return text;
}

/* ---- Reals: the text ---------------------------------------------------------------------- */

typedef struct scanned {
  uint64_t digits;
  int64_t exponent;
  bool negative;
  bool exact;        /* `digits` holds all of them */
  bool has_d;        /* the exponent is written with d */
  const char *begin; /* of the whole number */
} scanned;

static const char *scan_digits(const char *text, scanned *number, int *kept) {
  for (; is_digit(*text); text++) {
    if (*kept < 19) {
      number->digits = number->digits * 10 + (uint64_t)(*text - '0');
      *kept += number->digits != 0;
    } else {
      number->exact = false;
    }
  }
  return text;
}

static bool is_exponent_letter(char c) {
  return c == 'e' || c == 'E' || c == 'd' || c == 'D';
}

static const char *scan_exponent(const char *text, scanned *number) {
  if (!is_exponent_letter(*text))
    return text;
  const char *digits = text + 1 + (text[1] == '-' || text[1] == '+');
  if (!is_digit(*digits))
    return text;
  int64_t exponent = 0;
  for (; is_digit(*digits); digits++)
    if (exponent < 100000)
      exponent = exponent * 10 + (*digits - '0');
  number->exponent += text[1] == '-' ? -exponent : exponent;
  number->has_d = *text == 'd' || *text == 'D';
  return digits;
}

/* [+-] digits [. digits] [e [+-] digits] */
static const char *scan_decimal(const char *text, scanned *number) {
  int kept = 0;
  *number = (scanned){.exact = true, .begin = text, .negative = *text == '-'};
  text += *text == '-' || *text == '+';
  const char *whole = text;
  text = scan_digits(text, number, &kept);
  int64_t digits = text - whole;
  if (*text == '.') {
    const char *fraction = text + 1;
    text = scan_digits(fraction, number, &kept);
    digits += text - fraction;
    number->exponent = fraction - text;
  }
  return digits == 0 ? NULL : scan_exponent(text, number);
}

static const char *skip_word(const char *text, const char *word) {
  return lac_begins_with(text, word) ? text + strlen(word) : NULL;
}

/* [+-] nan, inf, infinity */
static const char *read_special(const char *text, double *value) {
  bool negative = *text == '-';
  text += negative || *text == '+';
  double magnitude = NAN;
  const char *end = skip_word(text, "nan");
  if (!end) {
    magnitude = INFINITY;
    end = skip_word(text, "infinity");
  }
  if (!end)
    end = skip_word(text, "inf");
  *value = negative ? -magnitude : magnitude;
  return end;
}

/* ---- Reals: the value --------------------------------------------------------------------- */

enum { LARGEST_POWER = 27 };
static const uint64_t powers_of_5[LARGEST_POWER + 1] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

static int bits_of(wide x) {
  uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
  return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
}

static double power_of_2(int exponent) {
  uint64_t bits = (uint64_t)(1023 + exponent) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* x * 2^exponent to `precision` bits; `above` says that the number is a little more than that. */
static double round_once(wide x, int exponent, bool above, int precision) {
  int dropped = bits_of(x) - precision;
  if (dropped <= 0)
    return (double)(uint64_t)x * power_of_2(exponent);
  uint64_t kept = (uint64_t)(x >> dropped);
  wide rest = x & (((wide)1 << dropped) - 1), half = (wide)1 << (dropped - 1);
  kept += rest > half || (rest == half && (above || (kept & 1)));
  return (double)kept * power_of_2(exponent + dropped);
}

static double scale(uint64_t w, int exponent, int precision) {
  if (w == 0)
    return 0;
  if (exponent >= 0)
    return round_once((wide)w * powers_of_5[exponent], exponent, false, precision);
  int shift = 64 + __builtin_clzll(w);
  wide numerator = (wide)w << shift;
  uint64_t divisor = powers_of_5[-exponent];
  wide quotient = numerator / divisor;
  bool above = quotient * divisor != numerator;
  return round_once(quotient, exponent - shift, above, precision);
}

static bool is_small(const scanned *number) {
  return number->exact && number->exponent >= -LARGEST_POWER && number->exponent <= LARGEST_POWER;
}

static locale_t plain_locale;
static void make_plain_locale(void) {
  plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double strtod_plain(const char *text) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_plain_locale);
  return plain_locale ? strtod_l(text, NULL, plain_locale) : strtod(text, NULL);
}

static float strtof_plain(const char *text) {
  return plain_locale ? strtof_l(text, NULL, plain_locale) : strtof(text, NULL);
}

/* A number whose exponent is written with d, of which strtod knows nothing, is short in practice.
 */
static const char *without_d(const scanned *number, const char *end, char copy[128]) {
  if (!number->has_d || end - number->begin >= 128)
    return number->begin;
  memcpy(copy, number->begin, (size_t)(end - number->begin));
  copy[end - number->begin] = '\0';
  for (char *c = copy; *c; c++)
    *c = *c == 'd' || *c == 'D' ? 'e' : *c;
  return copy;
}

const char *lac_read_f64(const char *text, double *value) {
  scanned number;
  char copy[128];
  const char *end = scan_decimal(text, &number);
  if (!end)
    return read_special(text, value);
  if (is_small(&number)) {
    double magnitude = scale(number.digits, (int)number.exponent, 53);
    *value = number.negative ? -magnitude : magnitude;
  } else {
    *value = strtod_plain(without_d(&number, end, copy));
  }
  return end;
}

const char *lac_read_f32(const char *text, float *value) {
  scanned number;
  char copy[128];
  double special;
  const char *end = scan_decimal(text, &number);
  if (!end) {
    end = read_special(text, &special);
    *value = (float)special;
  } else if (is_small(&number)) {
    float magnitude = (float)scale(number.digits, (int)number.exponent, 24);
    *value = number.negative ? -magnitude : magnitude;
  } else {
    strtod_plain("0");
    *value = strtof_plain(without_d(&number, end, copy));
  }
  return end;
}
