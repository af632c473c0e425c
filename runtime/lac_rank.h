/* lac_rank.h - short arrays sorted by ranks: the place of an entry is the number of keys below its
 * own, compared with many keys at once, without a branch.  A key is a coordinate with the entry's
 * place in its lowest bits, so that all keys differ and equal coordinates keep their order:
 *
 *     crd  7 2 4      key  7:0 2:1 4:2      rank  2 0 1
 */
#ifndef LAC_RANK_H
#define LAC_RANK_H

#include "lac_element.h"

#include <stdint.h>
#include <string.h>

enum { RANK_BITS = 7, RANK_LIMIT = 1 << RANK_BITS, LANES = 16 };
enum { NARROW_BITS = 31 - RANK_BITS, WIDE_BITS = 63 - RANK_BITS }; /* of ranked coordinates */

typedef int32_t narrow_lanes __attribute__((vector_size(4 * LANES)));
typedef int64_t wide_lanes __attribute__((vector_size(8 * LANES)));

/* Keys from `count` on, up to a multiple of LANES, are ranked along: any will do. */
ALWAYS void rank_narrow(const int32_t *keys, int64_t count, int32_t *ranks) {
  for (int64_t first = 0; first < count; first += LANES) {
    narrow_lanes here, below = {0};
    memcpy(&here, keys + first, sizeof here);
    for (int64_t i = 0; i < count; i++)
      below -= here > keys[i];
    memcpy(ranks + first, &below, sizeof below);
  }
}

ALWAYS void rank_wide(const int64_t *keys, int64_t count, int64_t *ranks) {
  for (int64_t first = 0; first < count; first += LANES) {
    wide_lanes here, below = {0};
    memcpy(&here, keys + first, sizeof here);
    for (int64_t i = 0; i < count; i++)
      below -= here > keys[i];
    memcpy(ranks + first, &below, sizeof below);
  }
}

/* The function `rank` for each width of the machine's registers, and `choose` that gives the one
 * for this machine. */
#ifdef __x86_64__
#define RANK_FOR_MACHINE(type, choose, rank, parameters, arguments)                                \
  typedef void type parameters;                                                                    \
  static void rank##_anywhere parameters {                                                         \
    rank arguments;                                                                                \
  }                                                                                                \
  __attribute__((target("avx2"))) static void rank##_by_eight parameters {                         \
    rank arguments;                                                                                \
  }                                                                                                \
  __attribute__((target("avx512f"))) static void rank##_by_sixteen parameters {                    \
    rank arguments;                                                                                \
  }                                                                                                \
  static type *choose(void) {                                                                      \
    return __builtin_cpu_supports("avx512f") ? rank##_by_sixteen                                   \
           : __builtin_cpu_supports("avx2")  ? rank##_by_eight                                     \
                                             : rank##_anywhere;                                    \
  }
#else
#define RANK_FOR_MACHINE(type, choose, rank, parameters, arguments)                                \
  typedef void type parameters;                                                                    \
  static void rank##_anywhere parameters {                                                         \
    rank arguments;                                                                                \
  }                                                                                                \
  static type *choose(void) {                                                                      \
    return rank##_anywhere;                                                                        \
  }
#endif

#endif
