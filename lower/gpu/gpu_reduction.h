/* gpu_reduction.h - variables that a loop on a unit of a GPU reduces into, under the race
 * strategies `parallel_reduction` and `temporary`.
 *
 *     t = 0                                       t = 0
 *     forall j on gpu_thread parallel_reduction     own = 0
 *       t += ...                            -->     for j = thread, thread + threads, ..: own += ..
 *                                                   t += the own of all threads of warp and block
 *
 * Each unit has a variable of its own, which begins as the identity. Those of a warp's lanes are
 * put together by shuffles, those of warps through memory that the block shares, those of blocks in
 * an array that the host goes through.
 */
#ifndef LACUNA_GPU_REDUCTION_H
#define LACUNA_GPU_REDUCTION_H

#include "gpu_scope.h"
#include "shared_reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Around the launch of a loop, where `blocks` blocks are launched that each leave what they came
 * to. */
void gpu_partials_begin(shared_reduction *r, MlirValue blocks);
void gpu_partials_end(shared_reduction *r);

/* At the end of the loop, in the scope of its unit, of variables that it has entered
 * (shared_variables_enter).  What it came to is in all variables of the scope around; where that is
 * the launch itself, in the partial results. */
void gpu_reduction_end(shared_reduction *r);

#ifdef __cplusplus
}
#endif
#endif
