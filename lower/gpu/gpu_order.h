/* gpu_order.h - what threads of a unit write and others of it then read or write: in which order.
 *
 *     forall i on gpu_warp                  lane 1 adds to C[i, 7]
 *       forall j                            barrier of the warp
 *         forall k on gpu_thread            in the next round of j lane 5 does
 *           C[i, k] add ...
 *
 * A loop that counts deals the same coordinates to the same units each time it is reached: among
 * those nothing waits.  Loops that walk levels, and what the first thread does for all, have a
 * barrier before and one behind, of the unit that they stand in, if the launch has both kinds of
 * accesses to the result, or reaches a walk several times.
 */
#ifndef LACUNA_GPU_ORDER_H
#define LACUNA_GPU_ORDER_H

#include "gpu_scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a launch of the loop needs such barriers at all. */
bool gpu_order_is_needed(const lowering *k, MlirOperation launched);

/* Whether a loop deals the same coordinates to the same units each time. */
bool gpu_deals_alike(MlirOperation loop);

/* A barrier of the unit that the scope's code is of; nothing for a thread. */
void gpu_barrier(builder *b, const gpu_scope *scope);
void gpu_block_barrier(builder *b);

#ifdef __cplusplus
}
#endif
#endif
