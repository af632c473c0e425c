/* lac_entries.h - the sort of the runtime: entries of words of 64 bits, by some of their words. */
#ifndef LAC_ENTRIES_H
#define LAC_ENTRIES_H

#include "lac_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `count` entries of `words` words, stably, by the first `keys` of these (1 to `words`),
 * which are unsigned, the first the most significant.  `spare` has room for as many.  Gives where
 * the sorted ones are, in the array or in `spare`; what the other one holds is undefined. */
uint64_t *lac_entries_sort(uint64_t *entries, uint64_t *spare, int64_t count, int32_t words,
                           int32_t keys);

#ifdef __cplusplus
}
#endif
#endif
