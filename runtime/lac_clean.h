/* lac_clean.h - scratch memory that was left all zero, kept for the next workspace of its size.
 *
 * A workspace has room for every coordinate, and is cleared at the cost of what was inserted.  Were
 * its memory given back, the next kernel would pay for zeroing all that it touches again, a huge
 * page for an entry:
 *
 *     workspace, all zero again  -->  kept, above 16 MiB offered to the system (MADV_FREE: what it
 *                                     takes is zero when it is touched)  -->  the next workspace
 *
 * As many bytes are kept at most as lac_kept.h keeps of arrays, and 64 blocks; the oldest leave
 * first.
 */
#ifndef LAC_CLEAN_H
#define LAC_CLEAN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kept block of exactly `bytes`, all zero, the caller's from then on; NULL where there is none.
 */
void *lac_clean_take(int64_t bytes);

/* Takes over a block of `bytes` from lac_memory_allocate, all zero: keeps it, or releases it. */
void lac_clean_offer(void *block, int64_t bytes);

/* Releases all that is kept; whether there was anything. */
int lac_clean_drop(void);

#ifdef __cplusplus
}
#endif
#endif
