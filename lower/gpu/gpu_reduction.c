/* gpu_reduction.c - reductions over the threads of a warp, a block and a launch.
 *
 *     lanes of a warp    x = x + x of lane ^ 16; ... ^ 8; ... ^ 4; ... ^ 2; ... ^ 1
 *     warps of a block   shared[warp] = x of its lane 0; barrier; x = shared[0] + shared[1] + ...
 *
 * after which all threads of the warp, or of the block, have the same.
 */
#include "gpu_reduction.h"

#include "gpu_order.h"
#include "gpu_shuffle.h"
#include "sit.h"

#include <mlir-c/BuiltinTypes.h>

/* ---- Warps --------------------------------------------------------------------------------- */

/* Of the lanes that take an iteration of a scope together. */
static MlirValue reduce_together(const lowering *k, const gpu_scope *scope, tin_reduction kind,
                                 MlirValue x) {
  lane_exchange with = {gpu_lane_set(k->b, scope), scope->lanes / 2};
  for (; with.by > 0; with.by /= 2)
    x = combine(k->b, kind, x, value_of_lane(k->b, x, with), k->strict);
  return x;
}

/* ---- Blocks --------------------------------------------------------------------------------- */

static void leave_in(const lowering *k, MlirValue shared, MlirValue warp, MlirValue x) {
  builder *b = k->b;
  if_begin(b, equal(b, gpu_lane(b, k->gpu), constant_index(b, 0)));
  store(b, x, shared, warp);
  if_end(b);
}

/* The second barrier keeps the shared values until all have read them. */
static MlirValue reduce_block(const lowering *k, tin_reduction kind, MlirValue x) {
  builder *b = k->b;
  MlirValue shared = launch_shared(b, mlirValueGetType(x), WARPS_MOST);
  MlirValue warp = constant_index(b, WARP), one = constant_index(b, 1);
  gpu_scope all_lanes = {.lanes = WARP, .in = k->gpu->in};
  leave_in(k, shared, floor_div(b, k->gpu->in.thread, warp),
           reduce_together(k, &all_lanes, kind, x));
  gpu_block_barrier(b);
  variable all = var_make(b, load(b, shared, constant_index(b, 0)));
  MlirValue i = for_begin(b, one, floor_div(b, k->gpu->in.threads, warp), one);
  var_set(b, all, combine(b, kind, var_get(b, all), load(b, shared, i), k->strict));
  for_end(b);
  gpu_block_barrier(b);
  return var_get(b, all);
}

/* ---- Variables ------------------------------------------------------------------------------ */

/* A unit counts once, whichever of its threads have its value. */
static MlirValue of_first_thread(const lowering *k, const shared_variable *v, MlirValue own) {
  builder *b = k->b;
  if (gpu_is_one_thread(k->gpu))
    return own;
  MlirValue first = equal(b, gpu_thread_within(b, k->gpu), constant_index(b, 0));
  return select_value(b, first, own, shared_variable_identity(b, v));
}

/* What all units have that the scope around consists of, or those of this block. */
static MlirValue reduce_units(const lowering *k, const shared_variable *v, MlirValue own) {
  if (k->gpu->unit == CIN_GPU_BLOCK)
    return own;
  MlirValue part = of_first_thread(k, v, own);
  cin_unit around = gpu_unit_around(k->gpu);
  return around == CIN_GPU_WARP || around == CIN_GPU_THREAD
             ? reduce_together(k, k->gpu->outer, v->kind, part)
             : reduce_block(k, v->kind, part);
}

static void leave_partial(const lowering *k, const shared_variable *v, MlirValue part) {
  builder *b = k->b;
  if_begin(b, equal(b, k->gpu->in.thread, constant_index(b, 0)));
  storage_partial_set(v->partials, k->gpu->in.block, part);
  if_end(b);
}

void gpu_partials_begin(shared_reduction *r, MlirValue blocks) {
  shared_partials_begin(r, blocks);
  if (r->variable_count)
    if_begin(r->k->b, storage_is_fine(lowering_storage(r->k, sit_kernel_result(r->k->op))));
}

void gpu_partials_end(shared_reduction *r) {
  if (r->variable_count)
    if_end(r->k->b);
  shared_partials_end(r);
}

void gpu_reduction_end(shared_reduction *r) {
  builder *b = r->k->b;
  for (int i = 0; i < r->variable_count; i++) {
    shared_variable *v = &r->variables[i];
    variable own = lowering_find(r->k, v->variable)->variable, all = v->outside.variable;
    MlirValue part = reduce_units(r->k, v, var_get(b, own));
    lowering_bind(r->k, v->variable, v->outside);
    if (r->k->gpu->outer)
      var_set(b, all, combine(b, v->kind, var_get(b, all), part, r->k->strict));
    else
      leave_partial(r->k, v, part);
  }
}
