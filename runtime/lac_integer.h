/* lac_integer.h - the smaller and the greater of two numbers, and the bits of one. */
#ifndef LAC_INTEGER_H
#define LAC_INTEGER_H

#include <stdint.h>

static inline int64_t lac_minimum(int64_t x, int64_t y) {
  return x < y ? x : y;
}

static inline int64_t lac_maximum(int64_t x, int64_t y) {
  return x > y ? x : y;
}

/* How many bits numbers from 0 to x take; 0 where x is 0 or less. */
static inline int lac_bits(int64_t x) {
  return x > 0 ? 64 - __builtin_clzll((uint64_t)x) : 0;
}

#endif
