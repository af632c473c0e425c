/* lac_emulated_counts.h - what kernels do on the emulated device, counted launch by launch.
 *
 * The lanes of a warp run in step: what one access of the program does in its k-th execution by
 * each lane since all lanes met last (at a barrier, a shuffle, a ballot) is one *request* of the
 * warp, which takes the sectors of 32 bytes that it touches:
 *
 *     lane       0   1   2   3   4 ..                0       1       2       3
 *     sector   | 0             | 1 ..              | 0     | 1     | 2     | 3
 *                8 bytes each, side by side           8 bytes each, 32 apart
 *                one sector for 32 bytes              four for 32
 *
 * Sectors are counted three times: for each request, as if there were no cache; for each block that
 * touches them, as if each block had one to itself that keeps all; for the launch, as if all had
 * one.  The last are the least that can be: each place of memory once.
 *
 * This is a model.  It knows no time, no instructions but those that touch memory or meet, no
 * order of warps, and no cache that ends.
 */
#ifndef LAC_EMULATED_COUNTS_H
#define LAC_EMULATED_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAC_SECTOR = 32, LAC_KERNEL_NAME = 64 };

typedef struct lac_launch_counts {
  char kernel[LAC_KERNEL_NAME]; /* its name, or as much of it as there is room for */
  int64_t blocks, threads;      /* of the grid, of a block */
  int64_t warps;                /* of the grid */

  /* Global memory, by each lane: accesses by kind, and bytes of all of them. */
  int64_t reads, writes, atomics, bytes;

  /* The same by warps: requests; the bytes that they ask for, those for which several lanes of a
   * request ask once; the sectors of each request, and as few as hold the bytes that it asks
   * for. */
  int64_t requests, asked, sectors, least;
  int64_t sectors_of_blocks, sectors_of_launch;

  int64_t shared;                                     /* requests to shared memory */
  int64_t barriers, warp_barriers, shuffles, ballots; /* of blocks; of warps */

  /* Steps of a warp: its requests, and how often it met.  Of all warps, and of the longest. */
  int64_t steps, longest;
} lac_launch_counts;

/* Begins to count, from nothing, or ends to; what was counted stays until it begins again. */
void lac_emulated_counts_begin(void);
void lac_emulated_counts_end(void);

/* How many launches were counted, each of them, and all together: blocks of several sizes have
 * `threads` 0, `kernel` is empty, `longest` is the greatest. */
int64_t lac_emulated_counts_launches(void);
lac_launch_counts lac_emulated_counts_of(int64_t launch);
lac_launch_counts lac_emulated_counts_total(void);

/* The longest warp's steps over those of the mean; 1 where there are none. */
double lac_launch_imbalance(const lac_launch_counts *counts);

/* ---- Inside the runtime ------------------------------------------------------------------- */

struct lac_emulated_array;

/* A launch begins, and has ended, whatever it came to.  LAC_ERROR_MEMORY. */
int32_t lac_emulated_counts_launch(const char *kernel, int64_t blocks, int64_t threads);
void lac_emulated_counts_launched(void);

/* A lane touches memory, by the access of the program that has number `site`.  False and a message
 * without memory. */
bool lac_emulated_counts_touch(struct lac_emulated_array *array, int64_t offset, int64_t bytes,
                               int access, int32_t site);

/* What lanes met at: a set of those of a warp (0: the first of the block), which is the whole of it
 * or a part, or all of a block.  Parts of a warp that meet apart count together, as its whole. */
typedef enum lac_meeting_counted {
  LAC_COUNTED_BARRIER,
  LAC_COUNTED_WARP_BARRIER,
  LAC_COUNTED_BALLOT,
  LAC_COUNTED_SHUFFLE
} lac_meeting_counted;
void lac_emulated_counts_met(lac_meeting_counted at, int64_t warp, uint32_t lanes, bool is_whole);

/* All threads of a block have ended. */
void lac_emulated_counts_block(void);

/* Who has touched an array is forgotten. */
void lac_emulated_counts_forget(struct lac_emulated_array *array);

#ifdef __cplusplus
}
#endif
#endif
