/* slowest.h - the cases that took longest to compile, noted by several processes. */
#ifndef LACUNA_TEST_SLOWEST_H
#define LACUNA_TEST_SLOWEST_H

#include <stdint.h>

enum { SLOWEST_CASES = 10 };

typedef struct slow_case {
  double seconds; /* of processor time */
  uint64_t seed;
} slow_case;

/* In shared memory, zero at first. */
typedef struct slowest {
  int lock;
  int64_t slow;                   /* cases that took longer than they should */
  slow_case cases[SLOWEST_CASES]; /* the slowest first */
} slowest;

/* Notes how long a case took to compile. */
void slowest_add(slowest *all, double seconds, uint64_t seed);

/* The slowest cases, and how many were slow, to standard output. */
void slowest_print(const slowest *all);

#endif
