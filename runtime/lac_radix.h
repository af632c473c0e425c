/* lac_radix.h - the sort of the runtime: 64-bit keys, alone or each with a payload, as unsigned
 * numbers; stable. */
#ifndef LAC_RADIX_H
#define LAC_RADIX_H

#include "lac_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `count` keys, or pairs by their coordinates; `spare` is as long.  `bits` are those by which
 * they may differ: all agree in those above the highest, and those below the lowest are not looked
 * at (keys that are equal in the rest keep their order).  Keys are sorted as distances from
 * `least`, which none is below.  Gives where the sorted ones are, in the array or in `spare`. */
uint64_t *lac_radix_keys(uint64_t *keys, uint64_t *spare, int64_t count, uint64_t least,
                         uint64_t bits);
lac_pair *lac_radix_pairs(lac_pair *pairs, lac_pair *spare, int64_t count, uint64_t bits);

/* The same by insertion, in place, for few of them: all bits count. */
void lac_radix_insert_keys(uint64_t *keys, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
