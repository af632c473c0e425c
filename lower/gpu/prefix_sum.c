/* prefix_sum.c - see prefix_sum.h.  Lanes of a warp sum up 32 neighbours in five exchanges:
 *
 *     lane             0  1  2  3
 *     up to, all       3  1  2  0      3  1  2  0
 *     with lane ^ 1    3  4  2  2      4  4  2  2
 *     with lane ^ 2    3  4  6  6      6  6  6  6
 */
#include "prefix_sum.h"

#include "gpu_scope.h"
#include "gpu_shuffle.h"
#include "storage_state.h"

enum { STEPS = 32, PART = WARP * STEPS, THREADS = 128, BLOCKS_MOST = 1 << 16 };

typedef struct summing {
  storage *s;
  prefix_items items;
  MlirValue count, parts;
  scratch_memory totals; /* of the parts, and behind them that of all */
} summing;

/* ---- A warp ------------------------------------------------------------------------------- */

typedef struct lane_sums {
  MlirValue up_to, all;
} lane_sums;

static MlirValue of_other_lane(builder *b, MlirValue x, int64_t by) {
  MlirType word = type_i(b, 64);
  lane_exchange with = {constant_integer(b, type_i(b, WARP), -1), by};
  return index_cast(b, value_of_lane(b, index_cast(b, x, word), with), type_index(b));
}

static lane_sums sum_lanes(builder *b, MlirValue lane, MlirValue x) {
  MlirValue zero = constant_index(b, 0);
  lane_sums sums = {x, x};
  for (int64_t by = 1; by < WARP; by *= 2) {
    MlirValue other = of_other_lane(b, sums.all, by);
    MlirValue is_above = not_equal(b, and_i(b, lane, constant_index(b, by)), zero);
    sums.up_to = add(b, sums.up_to, select_value(b, is_above, other, zero));
    sums.all = add(b, sums.all, other);
  }
  return sums;
}

/* Sums up begin..end-1, 32 at a time. */
static void sum_stretch(builder *b, const prefix_items *items, MlirValue lane, MlirValue begin,
                        MlirValue end, MlirValue before) {
  int mark = var_mark(b);
  variable sum = var_make(b, before), own = var_make(b, constant_index(b, 0));
  MlirValue i = add(b, for_begin(b, begin, end, constant_index(b, WARP)), lane);
  MlirValue is_there = less(b, i, end);
  var_set(b, own, constant_index(b, 0));
  if_begin(b, is_there);
  var_set(b, own, items->load(items->data, i));
  if_end(b);
  lane_sums sums = sum_lanes(b, lane, var_get(b, own));
  if_begin(b, is_there);
  items->store(items->data, i, add(b, var_get(b, sum), sums.up_to));
  if_end(b);
  var_set(b, sum, add(b, var_get(b, sum), sums.all));
  for_end(b);
  var_release(b, mark);
}

/* ---- Launches ----------------------------------------------------------------------------- */

typedef void warp_code(const summing *p, MlirValue lane, MlirValue number);

/* Warps that take turns at numbers 0 .. count-1. */
static void launch_warps(const summing *p, MlirValue count, warp_code *code) {
  builder *b = p->s->b;
  MlirValue threads = constant_index(b, THREADS), warps = constant_index(b, THREADS / WARP);
  MlirValue blocks = min_i(b, ceil_div(b, count, warps), constant_index(b, BLOCKS_MOST));
  gpu_scope scope = {
      .unit = CIN_GPU_WARP, .lanes = WARP, .in = launch_begin(b, blocks, threads, p->s->status)};
  unit_number warp = gpu_unit_number(b, &scope);
  MlirValue lane = gpu_lane(b, &scope);
  int mark = var_mark(b);
  MlirValue number = for_begin(b, warp.number, count, warp.count);
  code(p, lane, number);
  for_end(b);
  var_release(b, mark);
  launch_end(b);
}

static MlirValue part_begin(const summing *p, MlirValue part) {
  return mul(p->s->b, part, constant_index(p->s->b, PART));
}

static MlirValue part_end(const summing *p, MlirValue begin) {
  builder *b = p->s->b;
  return min_i(b, add(b, begin, constant_index(b, PART)), p->count);
}

static MlirValue load_total(void *data, MlirValue part) {
  const summing *p = data;
  return index_cast(p->s->b, scratch_load(p->s, &p->totals, part), type_index(p->s->b));
}

static void store_total(void *data, MlirValue part, MlirValue total) {
  const summing *p = data;
  scratch_store(p->s, &p->totals, part, index_cast(p->s->b, total, type_i(p->s->b, 64)));
}

static void total_part(const summing *p, MlirValue lane, MlirValue part) {
  builder *b = p->s->b;
  variable sum = var_make(b, constant_index(b, 0));
  MlirValue begin = part_begin(p, part), end = part_end(p, begin);
  MlirValue i = for_begin(b, add(b, begin, lane), end, constant_index(b, WARP));
  var_set(b, sum, add(b, var_get(b, sum), p->items.load(p->items.data, i)));
  for_end(b);
  MlirValue total = sum_lanes(b, lane, var_get(b, sum)).all;
  if_begin(b, equal(b, lane, constant_index(b, 0)));
  store_total((void *)p, part, total);
  if_end(b);
}

static void sum_totals(const summing *p, MlirValue lane, MlirValue only) {
  MlirValue zero = constant_index(p->s->b, 0);
  prefix_items totals = {load_total, store_total, (void *)p};
  (void)only;
  sum_stretch(p->s->b, &totals, lane, zero, p->parts, zero);
}

/* The sum of all is that of the last. */
static void store_sum(void *data, MlirValue i, MlirValue sum) {
  const summing *p = data;
  builder *b = p->s->b;
  p->items.store(p->items.data, i, sum);
  if_begin(b, equal(b, i, sub(b, p->count, constant_index(b, 1))));
  store_total(data, p->parts, sum);
  if_end(b);
}

static MlirValue load_item(void *data, MlirValue i) {
  const summing *p = data;
  return p->items.load(p->items.data, i);
}

static void sum_part(const summing *p, MlirValue lane, MlirValue part) {
  builder *b = p->s->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  variable before = var_make(b, zero);
  if_begin(b, less(b, zero, part));
  var_set(b, before, load_total((void *)p, sub(b, part, one)));
  if_end(b);
  prefix_items items = {load_item, store_sum, (void *)p};
  MlirValue begin = part_begin(p, part);
  sum_stretch(b, &items, lane, begin, part_end(p, begin), var_get(b, before));
}

/* ---- All ---------------------------------------------------------------------------------- */

static MlirValue sum_of_all(summing *p) {
  builder *b = p->s->b;
  variable all = var_make(b, constant_index(b, 0));
  if_begin(b, less(b, constant_index(b, 0), p->count));
  MlirValue at = element_pointer(b, p->totals.pointer, p->parts, p->totals.element);
  MlirValue arguments[] = {at, p->s->status};
  var_set(b, all,
          index_cast(b, call(b, "lac_device_number", type_i(b, 64), 2, arguments), type_index(b)));
  if_end(b);
  return var_get(b, all);
}

/* One part begins with nothing before it. */
MlirValue prefix_sum(storage *s, const prefix_items *items, MlirValue count) {
  builder *b = s->b;
  MlirValue one = constant_index(b, 1);
  summing p = {.s = s, .items = *items, .count = count};
  p.parts = ceil_div(b, count, constant_index(b, PART));
  p.totals = scratch_take_for_launches(s, type_i(b, 64), add(b, p.parts, one));
  if_begin(b, less(b, one, p.parts));
  launch_warps(&p, p.parts, total_part);
  launch_warps(&p, one, sum_totals);
  if_end(b);
  launch_warps(&p, p.parts, sum_part);
  MlirValue all = sum_of_all(&p);
  scratch_release_of_launches(s, &p.totals);
  return all;
}
