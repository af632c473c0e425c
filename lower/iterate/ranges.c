/* ranges.c - see ranges.h. */
#include "ranges.h"

#include "cin.h"
#include "gpu_ranges.h"
#include "kernel.h"
#include "scratch.h"
#include "sit.h"

static MlirValue result_of(const coiteration *c) {
  return sit_kernel_result(c->k->op);
}

storage *range_result(const coiteration *c) {
  return lowering_storage(c->k, result_of(c));
}

/* ---- One range ---------------------------------------------------------------------------- */

static bool walk_range(coiteration *c, MlirValue low, MlirValue high) {
  if (!coiteration_begin_walks(c))
    return false;
  c->low = low;
  c->high = high;
  return c->case_count == 0 || coiteration_dispatch(c);
}

bool range_loop(coiteration *c, storage *piece, MlirValue begun, const range *r,
                finish_range *finish, void *data) {
  lowering *k = c->k;
  struct closing *outer = rest_mark(k);
  struct scratch_array *others = k->scratches;
  lowered whole = *lowering_find(k, result_of(c)), here = whole;
  here.tensor = piece;
  lower_rest_under(k, begun, NULL);
  lowering_bind(k, result_of(c), here);
  scratch_make(k, c->op);
  const range_rows rows = {c->op, r}, *around = k->rows;
  k->rows = r->from.ptr ? &rows : NULL;
  bool good = coiteration_hoist_workspaces(c) && walk_range(c, r->low, r->high);
  k->rows = around;
  if (good && finish)
    finish(whole.tensor, piece, r, data);
  lowering_bind(k, result_of(c), whole);
  close_rest(k, outer);
  coiteration_drop_workspaces(c);
  k->scratches = others;
  return good;
}

/* for n in 0 .. 1 { low = high;  high = cut(number + n) }: the code of a search once. */
void range_cut(cutting *u, range *r, MlirValue count, void *data) {
  (void)data;
  builder *b = u->c->k->b;
  variable low = var_make(b, u->low), high = var_make(b, u->low);
  MlirValue n =
      for_begin_plain(b, constant_index(b, 0), constant_index(b, 2), constant_index(b, 1));
  MlirValue at = cut(u, add(b, r->number, n), count);
  var_set(b, low, var_get(b, high));
  var_set(b, high, at);
  for_end(b);
  r->low = var_get(b, low);
  r->high = var_get(b, high);
}

/* ---- All of them -------------------------------------------------------------------------- */

static bool on_threads(cutting *u, MlirValue count, find_range *find, range_code *code,
                       void *data) {
  lowering *k = u->c->k;
  builder *b = k->b;
  int outer = k->parallel_mark;
  MlirValue one = constant_index(b, 1);
  k->parallel_mark = var_mark(b) + 1;
  range r = {.number = parallel_begin(b, constant_index(b, 0), count, one)};
  int mark = var_mark(b);
  find(u, &r, count, data);
  bool good = code(u, &r, data);
  var_release(b, mark);
  parallel_end(b);
  k->parallel_mark = outer;
  return good;
}

bool ranges_loop(cutting *u, MlirValue count, find_range *find, range_code *code, void *data) {
  u->c->parallel = false;
  return cin_unit_is_gpu(cin_op_unit(u->c->op)) ? gpu_ranges_loop(u, count, find, code, data)
                                                : on_threads(u, count, find, code, data);
}
