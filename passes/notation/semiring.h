/* semiring.h - what + and * of an expression mean.
 *
 * A semiring is named by its two operators, "min_plus": the first takes the part of + and of the
 * reductions, the second that of *.  Words are plus, times, min, max, or, and, xor.
 */
#ifndef LACUNA_SEMIRING_H
#define LACUNA_SEMIRING_H

#include "nearest.h"
#include "scalar_ops.h"

typedef struct semiring {
  const scalar_function *plus, *times;
  bool is_arithmetic; /* plus_times: - and / have a meaning too */
} semiring;

/* Takes apart the name; false where it names none. */
bool semiring_from_name(const char *name, semiring *s);

/* Offers the names of all semirings. */
void semiring_offer(nearest *search);

/* + as a reduction. */
tin_reduction semiring_reduction(const semiring *s);

/* The identity of + for `type`, which is the value where nothing is stored.  The numbers of
 * max_times are those from 0 on, so that 0 is both its identity and what annihilates. */
MlirAttribute semiring_zero(builder *b, const semiring *s, MlirType type);

/* x * y.  Integers have no infinity of their own: where the semiring's zero is one (the greatest or
 * least number of the type) it annihilates, so that nothing is added to it, and it does not wrap:
 *
 *     min_plus    max(x, y) == greatest ? greatest : x + y
 *
 * A number of the text is not looked at; other operators cost what they cost in arithmetic.  A null
 * value after a diagnostic where the type has no such operator. */
MlirValue semiring_times(builder *b, const semiring *s, MlirValue x, MlirValue y);

/* `value` as a `type`, as scalar_cast; the infinity of one type is that of the other. */
MlirValue semiring_cast(builder *b, const semiring *s, MlirValue value, MlirType type);

#endif
