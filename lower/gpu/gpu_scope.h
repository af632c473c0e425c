/* gpu_scope.h - where code stands on a GPU: in which launch, and which of its threads run it.
 *
 *     forall i on gpu_block {         launch of as many blocks as there are i
 *       t = ...                         every thread of the block computes the same
 *       y[i] = t                        the first of them stores it
 *       forall j on gpu_thread { }      thread n of the block takes j = n, n + threads, ...
 *     }
 *
 * Units are levels of one hierarchy: a block has threads, 32 neighbours of which are a warp. What
 * takes an iteration of a loop on
 *
 *     gpu_block     is a block
 *     gpu_warp      is a warp, of the block where a loop on blocks is around, else of all
 *     gpu_thread    is a thread, of the warp or the block around, else of all
 *
 * A loop on gpu_thread of 2, 4, 8 or 16 iterations around another one is taken by groups of lanes
 * of a warp, each as many as there are iterations for 32 of them; the one inside by threads of a
 * group:
 *
 *     forall i on gpu_warp              32 lanes
 *       forall n of 4 on gpu_thread       8 for each n
 *         forall j on gpu_thread            lane l of them takes j = l, l + 8, ...
 *
 * The outermost loop on any is a launch. Iterations are dealt out one by one, so that neighbouring
 * threads have neighbouring places. (Senanayake et al. 2020, section 4.2.)
 */
#ifndef LACUNA_GPU_SCOPE_H
#define LACUNA_GPU_SCOPE_H

#include "cin.h"
#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WARP = CIN_WARP, WARPS_MOST = 32, BLOCK_MOST = WARP * WARPS_MOST };

/* The launch around, and the unit of the innermost loop on one. */
typedef struct gpu_scope {
  const struct gpu_scope *outer;
  cin_unit unit;
  int64_t lanes; /* of a warp that take an iteration together, 1 to 32; of blocks 32 */
  launch in;
  bool ordered; /* by barriers, where the result is accessed (gpu_order.h) */
} gpu_scope;

/* The unit of the loop around; CIN_SERIAL where that is the launch itself.  The thread's number in
 * its warp, and among the lanes that take an iteration together. */
cin_unit gpu_unit_around(const gpu_scope *scope);
MlirValue gpu_lane(builder *b, const gpu_scope *scope);
MlirValue gpu_lane_within(builder *b, const gpu_scope *scope);

/* The lanes of its warp that the thread takes an iteration together with, a bit each (i32). */
MlirValue gpu_lane_set(builder *b, const gpu_scope *scope);

/* How many lanes take an iteration of a sit.coiterate on a unit together; 0 where it is on threads,
 * around another one, and nothing says how many groups of lanes there are. */
int64_t gpu_lanes_of(MlirOperation coiterate);

/* The number of the unit that runs the code within the scope, and of how many (index). */
typedef struct unit_number {
  MlirValue number, count;
} unit_number;
unit_number gpu_unit_number(builder *b, const gpu_scope *scope);

/* Of how many iterations a sit.coiterate is, or is at most, where that is constant. */
int64_t gpu_constant_extent(MlirOperation coiterate, int64_t otherwise);

/* Whether each thread runs the code by itself. */
bool gpu_is_one_thread(const gpu_scope *scope);

/* The thread's number among those that the scope's unit consists of: 0 for each thread alone. */
MlirValue gpu_thread_within(builder *b, const gpu_scope *scope);

/* Around what is to be done once, by the first thread of the unit that is at it; nothing where
 * there is no GPU. */
bool gpu_once_begin(lowering *k);
void gpu_once_end(lowering *k, bool begun);

#ifdef __cplusplus
}
#endif
#endif
