/* gpu_scope.c - numbers of units, and what only one thread of a unit does. */
#include "gpu_scope.h"

#include "gpu_order.h"
#include "ir.h"
#include "sit.h"

cin_unit gpu_unit_around(const gpu_scope *scope) {
  return scope->outer ? scope->outer->unit : CIN_SERIAL;
}

/* So many of them that begin with a lane: 8 warps of 256 threads, 32 groups of 8 lanes. */
static MlirValue parts_of(builder *b, MlirValue threads, int64_t lanes) {
  return lanes == 1 ? threads : floor_div(b, threads, constant_index(b, lanes));
}

MlirValue gpu_lane(builder *b, const gpu_scope *scope) {
  return floor_mod(b, scope->in.thread, constant_index(b, WARP));
}

MlirValue gpu_lane_within(builder *b, const gpu_scope *scope) {
  return floor_mod(b, scope->in.thread, constant_index(b, scope->lanes));
}

MlirValue gpu_lane_set(builder *b, const gpu_scope *scope) {
  MlirType word = type_i(b, WARP);
  if (scope->lanes == WARP)
    return constant_integer(b, word, -1);
  MlirValue first = sub(b, gpu_lane(b, scope), gpu_lane_within(b, scope));
  MlirValue lanes = constant_integer(b, word, (INT64_C(1) << scope->lanes) - 1);
  return shift_left(b, lanes, index_cast(b, first, word));
}

/* ---- Groups of lanes ------------------------------------------------------------------------ */

/* How far `upper` is above `lower` at most, where it is min(lower + a constant, ...); 0 if not. */
static int64_t constant_distance(MlirValue lower, MlirValue upper) {
  MlirOperation made = value_owner(upper);
  int64_t count;
  if (mlirOperationIsNull(made) || mlirOperationGetNumOperands(made) != 2)
    return 0;
  MlirValue x = mlirOperationGetOperand(made, 0), y = mlirOperationGetOperand(made, 1);
  if (op_is(made, "arith.addi"))
    return mlirValueEqual(x, lower) && value_is_constant_index(y, &count) ? count : 0;
  if (!op_is(made, "arith.minsi"))
    return 0;
  count = constant_distance(lower, x);
  return count > 0 ? count : constant_distance(lower, y);
}

int64_t gpu_constant_extent(MlirOperation coiterate, int64_t otherwise) {
  MlirValue extent = sit_coiterate_extent(coiterate), upper = sit_coiterate_upper(coiterate);
  int64_t count = 0;
  if (!mlirValueIsNull(upper))
    count = constant_distance(sit_coiterate_lower(coiterate), upper);
  else if (!mlirValueIsNull(extent) && !value_is_constant_index(extent, &count))
    count = 0;
  return count > 0 ? count : otherwise;
}

static bool finds_no_threads(MlirOperation op, void *around) {
  MlirOperation *loop = around;
  bool is_on_threads = sit_is_coiterate(op) && cin_op_unit(op) == CIN_GPU_THREAD;
  if (is_on_threads && !mlirOperationEqual(op, *loop))
    *loop = op;
  return true;
}

static bool is_around_threads(MlirOperation coiterate) {
  MlirOperation found = coiterate;
  visit_below(coiterate, finds_no_threads, &found);
  return !mlirOperationEqual(found, coiterate);
}

int64_t gpu_lanes_of(MlirOperation coiterate) {
  if (cin_op_unit(coiterate) != CIN_GPU_THREAD)
    return WARP;
  if (!is_around_threads(coiterate))
    return 1;
  int64_t groups = sit_coiterate_groups(coiterate);
  return groups ? WARP / groups : 0;
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* Of all blocks together, `each` in a block, of which this one has number `own`. */
static unit_number of_grid(builder *b, const gpu_scope *scope, MlirValue own, MlirValue each) {
  return (unit_number){add(b, mul(b, scope->in.block, each), own), mul(b, scope->in.blocks, each)};
}

/* Of the parts of the block that have so many lanes. */
static unit_number part_number(builder *b, const gpu_scope *scope) {
  MlirValue own = parts_of(b, scope->in.thread, scope->lanes);
  MlirValue each = parts_of(b, scope->in.threads, scope->lanes);
  if (gpu_unit_around(scope) == CIN_GPU_BLOCK)
    return (unit_number){own, each};
  return of_grid(b, scope, own, each);
}

/* Of the parts of the lanes around. */
static unit_number lane_number(builder *b, const gpu_scope *scope) {
  return (unit_number){parts_of(b, gpu_lane_within(b, scope->outer), scope->lanes),
                       constant_index(b, scope->outer->lanes / scope->lanes)};
}

unit_number gpu_unit_number(builder *b, const gpu_scope *scope) {
  cin_unit around = gpu_unit_around(scope);
  if (scope->unit == CIN_GPU_BLOCK)
    return (unit_number){scope->in.block, scope->in.blocks};
  return around == CIN_GPU_WARP || around == CIN_GPU_THREAD ? lane_number(b, scope)
                                                            : part_number(b, scope);
}

MlirValue gpu_thread_within(builder *b, const gpu_scope *scope) {
  return scope->unit == CIN_GPU_BLOCK ? scope->in.thread
         : scope->lanes > 1           ? gpu_lane_within(b, scope)
                                      : constant_index(b, 0);
}

bool gpu_is_one_thread(const gpu_scope *scope) {
  return scope->unit == CIN_GPU_THREAD && scope->lanes == 1;
}

bool gpu_once_begin(lowering *k) {
  if (!k->gpu || gpu_is_one_thread(k->gpu))
    return false;
  if (k->gpu->ordered)
    gpu_barrier(k->b, k->gpu);
  if_begin(k->b, equal(k->b, gpu_thread_within(k->b, k->gpu), constant_index(k->b, 0)));
  return true;
}

void gpu_once_end(lowering *k, bool begun) {
  if (!begun)
    return;
  if_end(k->b);
  if (k->gpu->ordered)
    gpu_barrier(k->b, k->gpu);
}
