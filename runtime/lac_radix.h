/* lac_radix.h - pairs sorted by coordinate: least-significant-digit radix sort, stable. */
#ifndef LAC_RADIX_H
#define LAC_RADIX_H

#include "lac_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `count` pairs by coordinate, as unsigned; `spare` is as long.  `differing` are the bits in
 * which the coordinates differ: none besides are looked at, in digits as wide as the count is
 * worth. Gives where the sorted pairs are, `pairs` or `spare`. */
lac_pair *lac_radix_sort(lac_pair *pairs, lac_pair *spare, int64_t count, uint64_t differing);

#ifdef __cplusplus
}
#endif
#endif
