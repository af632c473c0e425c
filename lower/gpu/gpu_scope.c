/* gpu_scope.c - numbers of units, and what only one thread of a unit does. */
#include "gpu_scope.h"

#include "gpu_order.h"

cin_unit gpu_unit_around(const gpu_scope *scope) {
  return scope->outer ? scope->outer->unit : CIN_SERIAL;
}

static MlirValue warps_of(builder *b, MlirValue threads) {
  return floor_div(b, threads, constant_index(b, WARP));
}

MlirValue gpu_lane(builder *b, const gpu_scope *scope) {
  return floor_mod(b, scope->in.thread, constant_index(b, WARP));
}

/* Of all blocks together, `each` in a block, of which this one has number `own`. */
static unit_number of_grid(builder *b, const gpu_scope *scope, MlirValue own, MlirValue each) {
  return (unit_number){add(b, mul(b, scope->in.block, each), own), mul(b, scope->in.blocks, each)};
}

static unit_number warp_number(builder *b, const gpu_scope *scope) {
  MlirValue own = warps_of(b, scope->in.thread), each = warps_of(b, scope->in.threads);
  if (gpu_unit_around(scope) == CIN_GPU_BLOCK)
    return (unit_number){own, each};
  return of_grid(b, scope, own, each);
}

static unit_number thread_number(builder *b, const gpu_scope *scope) {
  switch (gpu_unit_around(scope)) {
  case CIN_GPU_WARP:
    return (unit_number){gpu_lane(b, scope), constant_index(b, WARP)};
  case CIN_GPU_BLOCK:
    return (unit_number){scope->in.thread, scope->in.threads};
  default:
    return of_grid(b, scope, scope->in.thread, scope->in.threads);
  }
}

unit_number gpu_unit_number(builder *b, const gpu_scope *scope) {
  if (scope->unit == CIN_GPU_BLOCK)
    return (unit_number){scope->in.block, scope->in.blocks};
  return scope->unit == CIN_GPU_WARP ? warp_number(b, scope) : thread_number(b, scope);
}

MlirValue gpu_thread_within(builder *b, const gpu_scope *scope) {
  return scope->unit == CIN_GPU_BLOCK  ? scope->in.thread
         : scope->unit == CIN_GPU_WARP ? gpu_lane(b, scope)
                                       : constant_index(b, 0);
}

bool gpu_once_begin(lowering *k) {
  if (!k->gpu || k->gpu->unit == CIN_GPU_THREAD)
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
