/* random.h - splitmix64: a stream of random numbers from a seed. */
#ifndef LACUNA_TEST_RANDOM_H
#define LACUNA_TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A number of 0 to count-1; and whether a chance of `percent` comes true. */
static inline int random_below(uint64_t *state, int count) {
  return (int)(random_next(state) % (uint64_t)(count > 0 ? count : 1));
}
static inline bool random_chance(uint64_t *state, int percent) {
  return random_below(state, 100) < percent;
}

#endif
