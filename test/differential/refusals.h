/* refusals.h - how often the compiler refused for which reason, counted by several processes. */
#ifndef LACUNA_TEST_REFUSALS_H
#define LACUNA_TEST_REFUSALS_H

#include <stdint.h>

enum { REFUSAL_KINDS = 64, REFUSAL_LENGTH = 160 };

typedef struct refusal {
  char text[REFUSAL_LENGTH];
  int64_t count;
  uint64_t seed; /* of a case that was refused so */
} refusal;

/* In shared memory, zero at first. */
typedef struct refusals {
  int lock;
  refusal kinds[REFUSAL_KINDS];
} refusals;

/* Counts a message under its kind: without its place, the names in it and its numbers. */
void refusals_add(refusals *all, const char *message, uint64_t seed);
void refusals_print(const refusals *all);

#endif
