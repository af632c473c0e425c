/* lac_emulated.h - the emulated device: what kernels that are compiled for it call.
 *
 * Each thread of a block is a fibre; threads run one after the other, from one meeting (barrier,
 * shuffle) to the next, in an order that LACUNA_EMULATED_SEED shuffles.  Blocks run one after the
 * other, shuffled as well.
 *
 * Arrays on the device are copies with room around them.  Each access is checked to be inside of
 * one, and against the others of its launch: two threads that touch the same bytes, one of them
 * writing and not both by atomics, with no barrier that both passed in between, race.  Barriers of
 * a warp, shuffles among them, part the threads of the warp.  What is found comes back as
 * LAC_ERROR_DEVICE, with the kernel, the two threads and the place in words.
 */
#ifndef LAC_EMULATED_H
#define LAC_EMULATED_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread's number in its block, the block's in the grid, and how many there are. */
int64_t lac_emulated_thread(void);
int64_t lac_emulated_block(void);
int64_t lac_emulated_threads(void);
int64_t lac_emulated_blocks(void);

/* Waits for all threads of the block; that one has ended, or waits elsewhere, is an error. */
void lac_emulated_barrier(void);

/* Waits for all threads of the warp (32 neighbours). */
void lac_emulated_warp_barrier(void);

/* The bits that the thread of the warp has which is `by` lanes further (down), whose number differs
 * in the bits `by` (xor), or that is number `by` of its `width` lanes (idx), as gpu.shuffle says; its
 * own where there is none.  All threads of the warp call it together. */
enum { LAC_SHUFFLE_XOR, LAC_SHUFFLE_UP, LAC_SHUFFLE_DOWN, LAC_SHUFFLE_IDX };
int64_t lac_emulated_shuffle(int64_t bits, int32_t mode, int32_t by, int32_t width);

/* The set of lanes of the warp that say yes; all threads of the warp call it together. */
int32_t lac_emulated_ballot(bool says);

/* The block's shared memory. */
void *lac_emulated_shared(void);

/* Before the access itself, which stays inside where these say yes. */
bool lac_emulated_reads(const void *at, int64_t bytes);
bool lac_emulated_writes(const void *at, int64_t bytes);
bool lac_emulated_updates(const void *at, int64_t bytes); /* atomically */

#ifdef __cplusplus
}
#endif

#endif
