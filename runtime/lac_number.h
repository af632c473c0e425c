/* lac_number.h - inside the runtime: numbers to and from decimal text, exactly and fast.
 *
 * Readers take text in which some byte after the number is part of none (a line's end), and return
 * the place after the number, or NULL where none begins or where it does not fit.  Reals are
 * rounded correctly; nan, inf and infinity are read in any case of letters; exponents may be
 * written with d. Writers return the place after what they wrote, and write
 * the fewest digits that read back as the same number.
 */
#ifndef LAC_NUMBER_H
#define LAC_NUMBER_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No writer here writes more. */
enum { LAC_NUMBER_LENGTH = 32 };

const char *lac_read_integer(const char *text, int64_t *value);
const char *lac_read_f64(const char *text, double *value);
const char *lac_read_f32(const char *text, float *value);

char *lac_write_integer(char *text, int64_t value);
char *lac_write_f64(char *text, double value);
char *lac_write_f32(char *text, float value);

/* Floating-point numbers of `exponent_bits` and `fraction_bits` as IEEE 754 lays them out, in the
 * lowest bits of a word: f64 is (11, 52), f32 (8, 23), f16 (5, 10), bf16 (8, 7).  Packing rounds to
 * nearest, ties to even. */
uint64_t lac_pack_float(double value, int exponent_bits, int fraction_bits);
double lac_unpack_float(uint64_t bits, int exponent_bits, int fraction_bits);
char *lac_write_float(char *text, uint64_t bits, int exponent_bits, int fraction_bits);

/* Fewest digits of the positive number significand * 2^exponent that is read back as itself where
 * neighbours lie 2^exponent away (half of that below, if `narrow_below`): digits *
 * 10^decimal_exponent. */
typedef struct lac_decimal {
  uint64_t digits;
  int exponent;
} lac_decimal;
lac_decimal lac_shortest_decimal(uint64_t significand, int exponent, bool narrow_below);

/* Writes a decimal as 120, 1.5, 0.001 or 1.5e+30. */
char *lac_write_decimal(char *text, lac_decimal decimal);

#ifdef __cplusplus
}
#endif
#endif
