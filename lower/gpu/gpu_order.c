/* gpu_order.c - see gpu_order.h. */
#include "gpu_order.h"

#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

/* Of groups of lanes each has its place in every part of as many coordinates. */
static bool is_over_groups(MlirOperation loop) {
  return cin_op_unit(loop) == CIN_GPU_THREAD && gpu_lanes_of(loop) > 1;
}

bool gpu_deals_alike(MlirOperation loop) {
  return !sit_coiterate_count(loop) &&
         (mlirValueIsNull(sit_coiterate_lower(loop)) || is_over_groups(loop));
}

void gpu_block_barrier(builder *b) {
  make_op(b, "gpu.barrier", 0, NULL, 0, NULL, 0, NULL);
}

void gpu_barrier(builder *b, const gpu_scope *scope) {
  if (scope->unit == CIN_GPU_BLOCK) {
    gpu_block_barrier(b);
  } else if (scope->lanes > 1) {
    MlirValue lanes = gpu_lane_set(b, scope);
    make_op(b, "nvvm.bar.warp.sync", 1, &lanes, 0, NULL, 0, NULL);
  }
}

/* ---- Whether any are needed ----------------------------------------------------------------- */

/* The kinds of accesses to the result that a launch has. */
typedef struct accesses {
  const lowering *k;
  MlirOperation launched;
  bool once;          /* by the first thread of a unit */
  bool alike, walked; /* in loops of units that are dealt out alike, or not all so */
  bool again;         /* in one of the latter that is reached several times */
  MlirOperation walk; /* the outermost of those; null for none */
} accesses;

/* Workspaces that are made in the launch are each thread's own. */
static bool is_access(const accesses *a, MlirOperation op) {
  bool plain = sit_is_store(op) || sit_is_value(op) ||
               (sit_is_accumulate(op) && !sit_accumulate_is_atomic(op));
  return plain && !lowering_is_operand(a->k, sit_op_tensor(op)) &&
         !value_is_made_in(a->launched, sit_op_tensor(op));
}

static bool is_unit_loop(MlirOperation op) {
  return sit_is_coiterate(op) && cin_unit_is_gpu(cin_op_unit(op));
}

/* The loop around, on a unit, or any; the one that is launched is the last. */
static MlirOperation loop_around(MlirOperation op, op_kind *kind) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!kind(op));
  return op;
}

static void add_walk(accesses *a, MlirOperation walk) {
  a->again |= !mlirOperationIsNull(a->walk) && !mlirOperationEqual(a->walk, walk);
  a->again |= !is_unit_loop(loop_around(walk, sit_is_coiterate));
  a->walk = walk;
}

static void add_access(accesses *a, MlirOperation op) {
  MlirOperation loop = loop_around(op, is_unit_loop), walk = {NULL};
  if (gpu_lanes_of(loop) != 1) {
    a->once = true;
    return;
  }
  bool inside = !mlirOperationEqual(loop, a->launched);
  for (; !mlirOperationEqual(loop, a->launched); loop = loop_around(loop, is_unit_loop))
    if (!gpu_deals_alike(loop))
      walk = loop;
  if (!mlirOperationIsNull(walk))
    add_walk(a, walk);
  a->walked |= !mlirOperationIsNull(walk);
  a->alike |= inside && mlirOperationIsNull(walk);
}

static bool look(MlirOperation op, void *data) {
  accesses *a = data;
  if (is_access(a, op))
    add_access(a, op);
  return true;
}

bool gpu_order_is_needed(const lowering *k, MlirOperation launched) {
  accesses a = {.k = k, .launched = launched};
  visit_below(launched, look, &a);
  return a.once + a.alike + a.walked > 1 || a.again;
}
