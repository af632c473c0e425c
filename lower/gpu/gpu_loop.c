/* gpu_loop.c - loops on units of a GPU; see gpu_scope.h.
 *
 *     outermost     launch of as many blocks as take all iterations once, and the loop in it
 *     any           for place = begin + number of the unit; place < end; place += units
 *
 * A block has as many threads as loops on threads inside take at once, where their extents are
 * constant; where what the launch reduces to is left by blocks, there are not more of these than
 * the host likes to go through.
 */
#include "gpu_loop.h"

#include "diagnostic.h"
#include "gpu_order.h"
#include "gpu_reduction.h"
#include "gpu_scratch.h"
#include "ir.h"
#include "scratch.h"
#include "sit.h"

enum { THREADS = 256, THREADS_IN_BLOCK = 128, PARTIALS = 1024, BLOCKS_MOST = INT32_MAX };

/* ---- Whether -------------------------------------------------------------------------------- */

static bool is_on_unit(MlirOperation coiterate) {
  return cin_unit_is_gpu(cin_op_unit(coiterate));
}

bool gpu_launches(MlirOperation coiterate) {
  return is_on_unit(coiterate) && !scratch_is_needed(coiterate);
}

bool gpu_host_begin(lowering *k, MlirOperation coiterate) {
  if (!is_on_unit(coiterate) || k->on_host || k->gpu || gpu_launches(coiterate))
    return false;
  remark_at(coiterate,
            "the loop over '%.*s' runs on the CPU: expected coordinates in order, found "
            "ones that are sorted first",
            TEXT(op_text(coiterate, "variable")));
  k->on_host = true;
  return true;
}

void gpu_host_end(lowering *k, bool begun) {
  if (begun)
    k->on_host = false;
}

bool gpu_deals_out(const lowering *k, MlirOperation coiterate) {
  return is_on_unit(coiterate) && !k->on_host;
}

/* ---- How many ------------------------------------------------------------------------------- */

/* The most threads that loops inside of one on blocks take at once. */
static bool count_threads(MlirOperation op, void *most) {
  int64_t *threads = most, wanted = 0;
  if (!sit_is_coiterate(op))
    return true;
  if (cin_op_unit(op) == CIN_GPU_WARP)
    wanted = WARP * gpu_constant_extent(op, THREADS_IN_BLOCK / WARP);
  else if (cin_op_unit(op) == CIN_GPU_THREAD && *threads == 0)
    wanted = gpu_constant_extent(op, THREADS_IN_BLOCK);
  *threads = wanted > *threads ? wanted : *threads;
  return true;
}

static int64_t whole_warps(int64_t threads) {
  int64_t warps = (threads + WARP - 1) / WARP;
  return WARP * (warps < 1 ? 1 : warps > WARPS_MOST ? WARPS_MOST : warps);
}

static int64_t block_size(const coiteration *c) {
  int64_t most = 0;
  if (cin_op_unit(c->op) != CIN_GPU_BLOCK)
    return THREADS;
  visit_below(c->op, count_threads, &most);
  return whole_warps(most);
}

/* How many iterations a block of `threads` takes at once. */
static int64_t taken_by_block(const coiteration *c, int64_t threads) {
  return cin_op_unit(c->op) == CIN_GPU_BLOCK ? 1 : threads / gpu_lanes_of(c->op);
}

static MlirValue block_count(const coiteration *c, MlirValue iterations, int64_t threads,
                             bool reduces) {
  builder *b = c->k->b;
  MlirValue each = constant_index(b, taken_by_block(c, threads));
  MlirValue all = ceil_div(b, max_i(b, iterations, constant_index(b, 0)), each);
  return min_i(b, all, constant_index(b, reduces ? PARTIALS : BLOCKS_MOST));
}

/* ---- The loop ------------------------------------------------------------------------------- */

/* Around a loop whose places may come to another unit than the last time. */
static void wait_for_others(const coiteration *c) {
  const gpu_scope *around = c->k->gpu;
  if (around && around->ordered && !gpu_deals_alike(c->op))
    gpu_barrier(c->k->b, around);
}

/* The loop in the scope of its unit, which is left again. */
static bool unit_loop(coiteration *c, MlirValue begin, MlirValue end, shared_reduction *r,
                      gpu_scope here) {
  lowering *k = c->k;
  builder *b = k->b;
  int mark = var_mark(b);
  wait_for_others(c);
  k->gpu = &here;
  unit_number unit = gpu_unit_number(b, &here);
  shared_variables_enter(r);
  bool good = coiteration_strided_loop(c, add(b, begin, unit.number), end, unit.count);
  gpu_reduction_end(r);
  k->gpu = here.outer;
  wait_for_others(c);
  var_release(b, mark);
  return good;
}

static bool launched_loop(coiteration *c, MlirValue begin, MlirValue end, shared_reduction *r) {
  builder *b = c->k->b;
  int64_t threads = block_size(c);
  MlirValue blocks = block_count(c, sub(b, end, begin), threads, r->variable_count > 0);
  blocks = gpu_scratch_blocks(c->k, c->op, blocks, threads);
  int outer = c->k->parallel_mark;
  gpu_partials_begin(r, blocks);
  c->k->parallel_mark = var_mark(b) + 1;
  launch in = launch_begin(b, blocks, constant_index(b, threads), c->k->status);
  bool ordered = gpu_order_is_needed(c->k, c->op);
  bool good = unit_loop(
      c, begin, end, r,
      (gpu_scope){
          .unit = cin_op_unit(c->op), .lanes = gpu_lanes_of(c->op), .in = in, .ordered = ordered});
  launch_end(b);
  c->k->parallel_mark = outer;
  gpu_partials_end(r);
  return good;
}

bool gpu_loop(coiteration *c, MlirValue begin, MlirValue end) {
  shared_reduction r;
  if (!gpu_lanes_of(c->op))
    return error_at(c->op,
                    "the loop over '%.*s' on threads: expected groups of lanes around another loop "
                    "on threads, found none",
                    TEXT(op_text(c->op, "variable")));
  if (!shared_reduction_read(&r, c->k, c->op))
    return false;
  const gpu_scope *around = c->k->gpu;
  if (!around)
    return launched_loop(c, begin, end, &r);
  gpu_scope here = *around;
  here.outer = around;
  here.unit = cin_op_unit(c->op);
  here.lanes = gpu_lanes_of(c->op);
  return unit_loop(c, begin, end, &r, here);
}
