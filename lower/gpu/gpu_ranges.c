/* gpu_ranges.c - see gpu_ranges.h. */
#include "gpu_ranges.h"

#include "gpu_scratch.h"
#include "kernel.h"

/* Ranges of this much work at least, and not more than keep a large device busy. */
enum { THREADS = 128, RANGE_WORK = 8, RANGES_MOST = 1 << 18 };

MlirValue gpu_range_count(cutting *u) {
  builder *b = u->c->k->b;
  MlirValue least = ceil_div(b, u->all, constant_index(b, RANGES_MOST));
  u->each = max_i(b, least, constant_index(b, RANGE_WORK));
  return max_i(b, ceil_div(b, u->all, u->each), constant_index(b, 1));
}

static bool ranges_of_thread(cutting *u, MlirValue count, find_range *find, range_code *code,
                             void *data) {
  lowering *k = u->c->k;
  builder *b = k->b;
  struct closing *outer = rest_mark(k);
  const unit_number thread = gpu_unit_number(b, k->gpu);
  bool good = coiteration_hoist_workspaces(u->c);
  int mark = var_mark(b);
  range r = {.number = for_begin(b, thread.number, count, thread.count)};
  find(u, &r, count, data);
  good = good && code(u, &r, data);
  for_end(b);
  var_release(b, mark);
  close_rest(k, outer);
  coiteration_drop_workspaces(u->c);
  return good;
}

bool gpu_ranges_loop(cutting *u, MlirValue count, find_range *find, range_code *code, void *data) {
  lowering *k = u->c->k;
  builder *b = k->b;
  int outer = k->parallel_mark;
  MlirValue threads = constant_index(b, THREADS);
  MlirValue blocks = ceil_div(b, count, threads);
  blocks = gpu_scratch_blocks(k, u->c->op, blocks, THREADS);
  k->parallel_mark = var_mark(b) + 1;
  gpu_scope here = {
      .unit = CIN_GPU_THREAD, .lanes = 1, .in = launch_begin(b, blocks, threads, k->status)};
  k->gpu = &here;
  bool good = ranges_of_thread(u, count, find, code, data);
  k->gpu = NULL;
  launch_end(b);
  k->parallel_mark = outer;
  return good;
}
