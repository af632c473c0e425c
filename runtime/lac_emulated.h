/* lac_emulated.h - the emulated device: what kernels that are compiled for it call.
 *
 * Threads run one after the other, from one meeting (barrier, shuffle, ballot) to the next, in an
 * order that LACUNA_EMULATED_SEED shuffles (1 without it), and that the number of launches before
 * does too.  Those that have to wait are fibres, each with a stack of a mebibyte.  Blocks run one
 * after the other, shuffled as well.
 *
 * Arrays on the device are copies with room around them; one that is only to be written begins as
 * bytes of 0xa5, and so does shared memory.  Each access is checked to be inside of an array that
 * the launch asked for, for such a use, of the memory that the block shares, or of what is on the
 * thread's own stack, or to read what the process cannot write, the program's constants.  Nothing
 * else is on a device.  And it is checked against the others of its launch: two threads that touch
 * the same bytes, one of them writing and not both by atomics, with no barrier that both passed in
 * between, race.  Barriers of a warp part the threads of the warp; shuffles and ballots do not,
 * since they order no memory on a GPU either.
 *
 * What is found comes back as LAC_ERROR_DEVICE, with the kernel, the two threads and the place in
 * words.  No call here comes back to a thread for which something was found, or to any other one
 * of the launch: they are left where they are, and must own nothing.
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

/* Waits for lanes of the warp (32 neighbours; fewer in the last one), a set that has a bit for
 * each, the thread's own among them.  All of them that there are call it, with the same set. */
void lac_emulated_warp_barrier(int32_t lanes);

/* The bits of the lane that is `by` before (up) or behind (down), whose number differs in the bits
 * `by` (xor), or is `by` (idx); the thread's own where there is none.  A set of lanes
 * take part, as at a barrier; `by` is 0 to 31, and may be each lane's own.  The numbers of the
 * modes are not those of gpu.shuffle. */
enum { LAC_SHUFFLE_XOR, LAC_SHUFFLE_UP, LAC_SHUFFLE_DOWN, LAC_SHUFFLE_IDX };
int64_t lac_emulated_shuffle(int64_t bits, int32_t mode, int32_t by, int32_t lanes);

/* The set of lanes of the warp that say yes; all threads of the warp call it together. */
int32_t lac_emulated_ballot(bool says);

/* The block's shared memory; NULL where there is none. */
void *lac_emulated_shared(void);

/* Before the access itself, which is as it should be where these come back: they say yes, and no
 * only outside of a launch.  `site` numbers the accesses of the kernel's program, from 0 on: lanes
 * that come to the same one do so together (lac_emulated_counts.h). */
bool lac_emulated_reads(const void *at, int64_t bytes, int32_t site);
bool lac_emulated_writes(const void *at, int64_t bytes, int32_t site);
bool lac_emulated_updates(const void *at, int64_t bytes, int32_t site); /* atomically */

#ifdef __cplusplus
}
#endif

#endif
