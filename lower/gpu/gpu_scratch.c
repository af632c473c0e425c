/* gpu_scratch.c - see gpu_scratch.h. */
#include "gpu_scratch.h"

#include "ir.h"
#include "sit.h"
#include "structure.h"

#include <mlir-c/BuiltinTypes.h>

/* Bytes that all workspaces of a launch may take; and what one takes for a coordinate, beside the
 * value: the list of coordinates and the marks (accumulator.c). */
enum { BESIDE_VALUE = 9 };
static const int64_t memory_most = INT64_C(1) << 30;

const device_thread *gpu_thread(lowering *k) {
  if (!k->gpu)
    return NULL;
  device_thread *thread = ARENA_ARRAY(k->memory, device_thread, 1);
  *thread = device_thread_in(k->b, &k->gpu->in);
  return thread;
}

/* ---- What is taken ------------------------------------------------------------------------ */

typedef struct wanted {
  lowering *k;
  MlirOperation loop;
  MlirValue bytes; /* of one thread; null for none */
} wanted;

/* What is made in the loop is not known before it: as much as there is of its dimension. */
static MlirValue extent_of(const wanted *w, MlirOperation workspace, intptr_t d) {
  MlirValue extent = sit_op_dimension(workspace, d);
  return value_is_made_in(w->loop, extent) ? constant_index(w->k->b, 1)
                                           : lowering_scalar(w->k, extent);
}

static bool add_workspace(MlirOperation op, void *data) {
  wanted *w = data;
  builder *b = w->k->b;
  if (!sit_is_workspace(op) ||
      mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return true;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetResult(op, 0)));
  int64_t of_value = w->k->counting && structure_is_all(w->k, op) ? 0 : type_bytes(element);
  MlirValue bytes = constant_index(b, of_value + BESIDE_VALUE);
  for (intptr_t d = 0; d < sit_op_dimension_count(op); d++)
    bytes = mul(b, bytes, max_i(b, extent_of(w, op, d), constant_index(b, 1)));
  w->bytes = w->bytes.ptr ? add(b, w->bytes, bytes) : bytes;
  return true;
}

MlirValue gpu_scratch_blocks(lowering *k, MlirOperation loop, MlirValue blocks, int64_t threads) {
  builder *b = k->b;
  wanted w = {k, loop, {NULL}};
  visit_below(loop, add_workspace, &w);
  if (!w.bytes.ptr)
    return blocks;
  MlirValue of_block = mul(b, w.bytes, constant_index(b, threads));
  MlirValue most = floor_div(b, constant_index(b, memory_most), of_block);
  return min_i(b, blocks, max_i(b, most, constant_index(b, 1)));
}
