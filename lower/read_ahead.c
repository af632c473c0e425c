/* read_ahead.c - rows of dense operands, fetched some entries before they are needed.
 *
 *     for k on lanes                        for k on lanes
 *       for p in begin..end-1                 for p in begin..end-1
 *         j = crd[p]                            prefetch B[crd[min(p + 16, last)], k .. k + 31]
 *         t = t + A[p] * B[j, k]      -->       j = crd[p]
 *                                               t = t + A[p] * B[j, k]
 *
 * Which row comes next no processor can foresee, but the coordinates are there to be read.  Entries
 * behind the end of a row are those of the next one, where positions are walked in the order in
 * which they are stored.
 */
#include "ir.h"
#include "reduction.h"

#include <mlir-c/BuiltinTypes.h>

enum { ENTRIES_AHEAD = 16, LINE_BITS = 512 };

/* The place some entries ahead, in the array. */
static MlirValue place_ahead(builder *b, MlirValue coordinates, MlirValue place) {
  MlirValue ahead = add(b, place, constant_index(b, ENTRIES_AHEAD));
  MlirValue last = sub(b, memref_length(b, coordinates), constant_index(b, 1));
  return min_i(b, ahead, last);
}

static void prefetch_lanes(lowering *k, storage *s, MlirValue position) {
  MlirValue values = storage_values(s);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(values));
  int64_t line = lanes_in(element, LINE_BITS);
  for (int64_t lane = 0; lane < k->lanes; lane += line)
    prefetch(k->b, values, add(k->b, position, constant_index(k->b, lane)));
}

/* Whether the operation locates with the coordinate of the walk, or below a position found so. */
static bool follows(const lowering *k, MlirOperation op, MlirValue coordinate) {
  if (!op_is(op, "sit.locate"))
    return false;
  if (mlirValueEqual(mlirOperationGetOperand(op, 1), coordinate))
    return true;
  if (mlirOperationGetNumOperands(op) < 3)
    return false;
  MlirOperation above = value_owner(mlirOperationGetOperand(op, 2));
  return !mlirOperationIsNull(above) &&
         mlirBlockEqual(mlirOperationGetBlock(above), mlirOperationGetBlock(op)) &&
         follows(k, above, coordinate);
}

/* Locates as the body does, but for the coordinate ahead, and prefetches what the body reads. */
static void locate_ahead(lowering *k, MlirBlock body) {
  MlirValue coordinate = mlirBlockGetArgument(body, 0);
  for (OPERATIONS(op, body)) {
    if (follows(k, op, coordinate))
      lower_locate(k, op);
    if (!op_is(op, "sit.value") || mlirOperationGetNumOperands(op) < 2)
      continue;
    MlirValue position = mlirOperationGetOperand(op, 1);
    const lowered *found = lowering_find(k, position);
    if (found && found->lanes == LANES_CONSECUTIVE && follows(k, value_owner(position), coordinate))
      prefetch_lanes(k, lowering_storage(k, mlirOperationGetOperand(op, 0)), found->value);
  }
}

static bool reads_rows(const lowering *k, MlirBlock body) {
  for (OPERATIONS(op, body))
    if (op_is(op, "sit.value") && mlirOperationGetNumOperands(op) > 1 &&
        follows(k, value_owner(mlirOperationGetOperand(op, 1)), mlirBlockGetArgument(body, 0)))
      return true;
  return false;
}

/* The coordinates of an operand, all of them there. */
static MlirValue coordinates_of(const coiteration *c, MlirValue place) {
  walk *w = &c->levels[0];
  bool stored = lowering_is_operand(c->k, mlirOperationGetOperand(c->op, 0)) && w->by_position &&
                walk_is_in_order(w);
  return stored ? reduction_coordinates(w, place) : (MlirValue){NULL};
}

void read_ahead(coiteration *c, MlirValue place) {
  lowering *k = c->k;
  walk *w = &c->levels[0];
  MlirBlock body = op_block(c->op, 0);
  if (!k->lanes || k->reduces || !reads_rows(k, body))
    return;
  MlirValue coordinates = coordinates_of(c, place);
  if (!coordinates.ptr)
    return;
  MlirValue ahead = place_ahead(k->b, coordinates, place);
  lowering_bind(k, mlirBlockGetArgument(body, 0),
                (lowered){.value = walk_access(w, ahead).coordinate});
  locate_ahead(k, body);
}
