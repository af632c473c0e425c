/* lac_random.h - random numbers: xoshiro256** (Blackman, Vigna 2018), seeded by splitmix64. */
#ifndef LAC_RANDOM_H
#define LAC_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lac_random {
  uint64_t state[4];
} lac_random;

static inline lac_random lac_random_seed(uint64_t seed) {
  lac_random random;
  for (int i = 0; i < 4; i++) {
    uint64_t mixed = seed += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    random.state[i] = mixed ^ mixed >> 31;
  }
  return random;
}

static inline uint64_t lac_random_next(lac_random *random) {
  uint64_t *s = random->state, scrambled = s[1] * 5, shifted = s[1] << 17;
  scrambled = (scrambled << 7 | scrambled >> 57) * 9;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = s[3] << 45 | s[3] >> 19;
  return scrambled;
}

/* From 0 to below-1 (below > 0). */
static inline int64_t lac_random_below(lac_random *random, int64_t below) {
  return (int64_t)((unsigned __int128)lac_random_next(random) * (uint64_t)below >> 64);
}

/* From 0 to 1, 1 excluded. */
static inline double lac_random_unit(lac_random *random) {
  return (double)(lac_random_next(random) >> 11) * 0x1p-53;
}

#ifdef __cplusplus
}
#endif
#endif
