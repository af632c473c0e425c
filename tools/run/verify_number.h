/* verify_number.h - the numbers of the plain evaluation: integers that wrap around in their width,
 * or complex numbers in double precision, each with a bound of what it was added up from.
 *
 *     value = sum of terms,   size = sum of the terms' absolute values
 *
 * Where zero meets infinity, what is computed depends on what is stored (language.md, "Nothing and
 * infinity"): such a number may also be infinite or NaN, and what is made of it may be anything.
 *
 * A computed sum is wrong by at most (number of operations) * epsilon * size, in any order of the
 * terms (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2): what cancels is no
 * error.
 */
#ifndef LACUNA_RUN_VERIFY_NUMBER_H
#define LACUNA_RUN_VERIFY_NUMBER_H

#include "semiring.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum certainty { CERTAIN, OR_NOT_FINITE, ANYTHING } certainty;

typedef struct number {
  bool stored; /* false: what has this value because nothing is stored */
  certainty how;
  int64_t integer;
  double complex value;
  double size;
} number;

/* What numbers are: an element type, and the operators that + and * mean. */
typedef struct number_kind {
  int32_t type; /* lac_type */
  bool is_integer, is_complex;
  bool zero_annihilates; /* also what is infinite or NaN, which is marked: the other value is one */
  const char *plus, *times; /* as scalar_ops.h names them */
} number_kind;

/* False where the semiring has no such name. */
bool number_kind_make(number_kind *kind, int32_t type, const char *semiring_name);

/* The value of a place where nothing is stored, and whether * with it gives it again. */
number number_fill(const number_kind *kind);
bool number_fill_annihilates(const number_kind *kind);

/* Element `position` of an array of `type`, cast to the kind; and a number of the text. */
number number_load(const number_kind *kind, int32_t type, const void *array, int64_t position);
number number_read(const number_kind *kind, const char *text);

/* An operator or function by its name in scalar_ops.h: "add", "sqrt", "<", ...; `y` is looked at
 * where there are two arguments.  False where it is none that is known here. */
bool number_apply(const number_kind *kind, const char *name, number x, number y, number *result);

/* select(c, x, y). */
number number_select(const number_kind *kind, number c, number x, number y);

bool number_equal(const number_kind *kind, number x, number y);

/* Whether the number is infinite or NaN. */
bool number_is_finite(const number_kind *kind, number x);

/* How far `found` is from `expected`, in units of the size of what was added; infinity where one of
 * them is a number and the other none. */
double number_distance(const number_kind *kind, number expected, number found);

/* The distance of two neighbouring numbers around 1; 0 for integers. */
double number_epsilon(const number_kind *kind);

/* At most 60 characters. */
void number_print(const number_kind *kind, number x, char text[64]);

#endif
