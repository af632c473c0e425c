/* gpu_ranges.h - ranges of a loop dealt out to the threads of a launch.
 *
 *     launch {
 *       workspaces that depend on nothing in the loop: one of each for a thread
 *       for range = thread; range < ranges; range += threads { ... }
 *     }
 */
#ifndef LACUNA_GPU_RANGES_H
#define LACUNA_GPU_RANGES_H

#include "ranges.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many ranges there are to be, so that all threads of a device have some, and how much work in
 * each (cutting.each): no thread divides by their number, which is slow there. */
MlirValue gpu_range_count(cutting *u);

/* As ranges_loop, of a loop on gpu_thread. */
bool gpu_ranges_loop(cutting *u, MlirValue count, find_range *find, range_code *code, void *data);

#ifdef __cplusplus
}
#endif
#endif
