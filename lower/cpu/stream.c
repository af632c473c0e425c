/* stream.c - stores of a result past the caches: what is stored whole lines at a time and is more
 * than they hold would be read from memory first, only to be overwritten, and push out what is read
 * again.
 *
 *     for j on lanes                        for j on lanes
 *       t = 0                                 t = 0
 *       for k in ..                           for k in ..
 *         t = t + A[i, k] * B[k, j]             t = t + A[i, k] * B[k, j]
 *       Y[i, j .. j + 31] = t      -->        if Y is larger than the caches, its pages are there
 *                                                and Y[i, j] is where a line begins
 *                                               Y[i, j .. j + 31] = t, past them
 *                                             else
 *                                               Y[i, j .. j + 31] = t
 *
 * The runtime says of a result whether it is so large (lac_kernel_streams).  Pages that are new are
 * in the caches, since the system clears them.  A thread ends with a fence (lower-parallel), as the
 * result does: what goes past the caches is seen by others in any order.
 */
#include "strategy.h"

#include "cin.h"
#include "ir.h"
#include "sit.h"

/* Whether the result is stored whole, before it is read, and is not read. */
static bool is_only_stored(MlirValue result) {
  bool stored = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    stored |= sit_is_result(op) && sit_result_is_stored(op);
    if (sit_op_reads_value(op, result))
      return false;
  }
  return stored;
}

/* Whether the operation stores to elements of the result that are next to each other. */
static bool stores_next(walked_kernel *k, MlirOperation op, MlirValue result, MlirBlock body) {
  if (!sit_is_store(op) || !mlirValueEqual(sit_op_tensor(op), result))
    return false;
  MlirOperation place = value_owner(sit_op_position(op));
  const tensor_format *format = walked_format_of(k, result);
  return format && !mlirOperationIsNull(place) && sit_is_insert(place) &&
         (int)sit_op_level(place) == format->level_count - 1 &&
         mlirValueEqual(sit_op_coordinate(place), mlirBlockGetArgument(body, 0));
}

static bool choose(const walked *w, int64_t *number) {
  (void)number;
  MlirValue result = sit_kernel_result(w->k->op);
  if (!w->on_lanes || w->case_count != 1 || !is_only_stored(result))
    return false;
  MlirBlock body = op_block(w->op, 0);
  for (OPERATIONS(op, body))
    if (stores_next(w->k, op, result, body))
      return true;
  return false;
}

const strategy stream_strategy = {
    .name = "stream",
    .words = "stores past the caches where the result is larger than they are",
    .choose = choose,
};
