/* check.h - what the runtime's test programs share: a check that says where it failed, and goes on.
 */
#ifndef CHECK_H
#define CHECK_H

#include "lac_error.h"

#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: failed: %s (last error: %s)\n", __FILE__, __LINE__, #condition,               \
             lac_error_message());                                                                 \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

#define CHECK_MESSAGE(part)                                                                        \
  do {                                                                                             \
    if (!strstr(lac_error_message(), part)) {                                                      \
      printf("%s:%d: expected a message with '%s', found '%s'\n", __FILE__, __LINE__, part,        \
             lac_error_message());                                                                 \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static inline int report(void) {
  printf(failures ? "%d failures\n" : "all passed\n", failures);
  return failures != 0;
}

/* A small generator of random numbers for tests. */
static uint64_t random_state = 1;
static inline uint64_t random_number(uint64_t below) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  uint64_t mixed = (random_state >> 33) * UINT64_C(0x9e3779b97f4a7c15) ^ random_state >> 29;
  return below ? mixed % below : 0;
}

#endif
