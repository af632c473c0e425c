/* gpu_scratch.h - memory of the threads of a launch for workspaces, each of which has a part.
 *
 *     w     thread 0 | thread 1 | thread 2 | ...        allocated before the launch
 */
#ifndef LACUNA_GPU_SCRATCH_H
#define LACUNA_GPU_SCRATCH_H

#include "gpu_scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The thread that runs the code within the scope, as a workspace wants to know it; NULL where there
 * is no GPU. */
const device_thread *gpu_thread(lowering *k);

/* Of `blocks` blocks, with so many threads each, as many as the workspaces in a loop leave memory
 * for; one at least. */
MlirValue gpu_scratch_blocks(lowering *k, MlirOperation loop, MlirValue blocks, int64_t threads);

#ifdef __cplusplus
}
#endif
#endif
