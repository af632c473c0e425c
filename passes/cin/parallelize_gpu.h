/* parallelize_gpu.h - which foralls of a kernel run on units of a GPU without being told.
 *
 *     forall i { t = 0; forall j { t add ... }; y[i] = t }
 *       -->
 *     forall i on gpu_warp { t = 0; forall j on gpu_thread parallel_reduction { ... }; y[i] = t }
 *
 * The outermost forall is dealt out to warps, and those that are innermost in it to their threads,
 * where they write to different places or reduce into one value.  Where none can be, the outermost
 * is dealt out to threads.  Where those on threads are said to have fewer iterations than a warp
 * has lanes (forall_trips.h), groups of lanes take the outermost one's:
 *
 *     forall i { .. forall j of 5 .. }  ->  forall i_of_warps on gpu_warp {
 *                                             forall i_in_warp of 4 on gpu_thread { .. 8 lanes .. }
 *
 * One that reduces into the result does so by atomics, one that reduces into a scalar leaves a
 * partial sum for each block.  (Senanayake et al. 2020, Figure 2.)
 */
#ifndef LACUNA_PARALLELIZE_GPU_H
#define LACUNA_PARALLELIZE_GPU_H

#include "bridge.h"
#include "cin_kernel.h"
#include "provenance.h"

/* Marks them.  NULL, or why no forall of the kernel runs on a GPU, as "expected ..., found ..." in
 * memory of the arena. */
const char *parallelize_for_gpu(arena *memory, provenance *graph, MlirOperation kernel,
                                const struct cin_parallelize_options *options);

#endif
