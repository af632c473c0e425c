/* ring.h - the numbers of the plain evaluation: element types, and semirings.
 *
 * Every element is a complex long double here, which holds all integers of 64 bits. Integers wrap
 * as those of their type do.
 */
#ifndef LACUNA_TEST_RING_H
#define LACUNA_TEST_RING_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef long double complex element;

typedef enum ring_operator { PLUS, TIMES, LEAST, GREATEST, OR, AND, XOR } ring_operator;

/* A semiring whose operators distribute on the values that cases have. */
typedef struct ring {
  const char *name; /* as tin.einsum takes it */
  ring_operator plus, times;
  bool of_floats, of_integers;
  bool positive; /* distributes on positive values only */
} ring;

extern const ring rings[];
enum { RING_COUNT = 9 };

bool holds_integers(int32_t type);
bool holds_complex(int32_t type);

/* The bits of precision of a floating-point type (of its parts), and its greatest value. */
int bits_of_precision(int32_t type);
double greatest_number(int32_t type);

/* An element of an array of the type. */
void element_store(int32_t type, element value, void *array, int64_t at);
element element_load(int32_t type, const void *array, int64_t at);

/* The integer as its type's width leaves it; other types' values rounded to doubles. */
element element_wrapped(int32_t type, element value);

/* The greatest number of the type, or the least: infinite, or of an integer. */
element element_extreme(int32_t type, bool greatest);

/* What plus leaves unchanged: the value where nothing is stored. `r` NULL is plus_times. */
element ring_fill(const ring *r, int32_t type);
/* An element of one type as another: what nothing is in one it is in the other. */
element ring_cast(const ring *r, int32_t from, int32_t to, element x);
element ring_plus(const ring *r, int32_t type, element x, element y);
element ring_times(const ring *r, int32_t type, element x, element y);

#endif
