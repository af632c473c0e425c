/* coiterate.c - the loops of sit.coiterate.
 *
 *     walked                            loop
 *     no level, over n                  for coordinate in 0..n-1
 *     one level, one case:
 *       branchless below one parent       none
 *       unique, or fused                  for place in begin..end-1
 *       duplicates together               while place < end: segment, body, place = segment's end
 *     several levels or cases           merge.c
 *     an unordered level, over n        merge.c, which locates it at each coordinate
 *     one coordinate                    point.c
 *
 * Those on threads: parallel_loop.c.  (Chou et al. 2018, sections 4.2 to 4.5.)
 */
#include "coiterate.h"

#include "cin.h"
#include "cursor.h"
#include "gpu_loop.h"
#include "ir.h"
#include "kernel.h"
#include "lanes.h"
#include "parents.h"
#include "reduction.h"
#include "row_cut.h"
#include "scratch.h"
#include "shared_reduction.h"
#include "sit.h"
#include "strategy.h"
#include "visits.h"

#include <mlir-c/BuiltinAttributes.h>

MlirValue coiteration_high(coiteration *c) {
  return c->high.ptr && c->extent.ptr ? min_i(c->k->b, c->extent, c->high)
         : c->high.ptr                ? c->high
                                      : c->extent;
}

void coiteration_bind(coiteration *c, int number, MlirValue coordinate, const lowered *positions) {
  MlirBlock block = sit_coiterate_case_body(c->op, number);
  lowering_bind(
      c->k, mlirBlockGetArgument(block, 0),
      (lowered){.value = coordinate, .lanes = c->on_lanes ? LANES_CONSECUTIVE : LANES_SAME});
  for (intptr_t i = 0; positions && i < sit_coiterate_case_size(c->op, number); i++)
    lowering_bind(c->k, mlirBlockGetArgument(block, i + 1),
                  positions[sit_coiterate_case_member(c->op, number, i)]);
}

bool coiteration_has_coordinate(const coiteration *c, MlirValue value) {
  for (intptr_t i = 0; i < sit_coiterate_case_count(c->op); i++)
    if (mlirValueEqual(mlirBlockGetArgument(sit_coiterate_case_body(c->op, i), 0), value))
      return true;
  return false;
}

void coiteration_unroll(const coiteration *c) {
  loop_unroll(c->k->b, sit_coiterate_unroll(c->op));
}

bool coiteration_body(coiteration *c, int number, MlirValue coordinate, const lowered *positions) {
  coiteration_bind(c, number, coordinate, positions);
  MlirBlock block = sit_coiterate_case_body(c->op, number);
  return c->all_low.ptr ? lanes_body_within(c, block, coordinate) : lower_block(c->k, block);
}

static MlirValue both(builder *b, MlirValue x, MlirValue y) {
  return x.ptr && y.ptr ? and_i(b, x, y) : x.ptr ? x : y;
}

MlirValue coiteration_guard(coiteration *c, const walk *w, const entry *n) {
  builder *b = c->k->b;
  MlirValue guard = n->found;
  if (w->properties & LEVEL_ORDERED)
    return guard;
  if (c->low.ptr)
    guard = both(b, guard, less_equal(b, c->low, n->coordinate));
  MlirValue high = coiteration_high(c);
  if (high.ptr)
    guard = both(b, guard, less(b, n->coordinate, high));
  return guard;
}

static bool body_at(coiteration *c, const entry *n, MlirValue last) {
  builder *b = c->k->b;
  walk *w = &c->levels[0];
  lowered position = walk_position(w, n, last);
  MlirValue guard = coiteration_guard(c, w, n);
  if (!guard.ptr)
    return coiteration_body(c, 0, n->coordinate, &position);
  if_begin(b, guard);
  bool good = coiteration_body(c, 0, n->coordinate, &position);
  if_end(b);
  return good;
}

bool coiteration_place(coiteration *c, MlirValue place) {
  if (c->visit)
    return c->visit(c, place);
  if (!c->level_count)
    return coiteration_body(c, 0, place, NULL);
  entry n = walk_access(&c->levels[0], place);
  return body_at(c, &n, (MlirValue){NULL});
}

bool coiteration_strided_loop(coiteration *c, MlirValue begin, MlirValue end, MlirValue step) {
  int mark = var_mark(c->k->b);
  struct found_parents *found = parents_begin(c->k, c->op);
  struct kept_cursor *cursors = cursors_begin(c->k, c->op);
  MlirValue place = for_begin(c->k->b, begin, end, step);
  coiteration_unroll(c);
  if (c->level_count && !c->visit)
    read_ahead(c, place);
  bool good = coiteration_place(c, place);
  for_end(c->k->b);
  cursors_end(c->k, cursors);
  parents_end(c->k, found);
  var_release(c->k->b, mark);
  return good;
}

bool coiteration_serial_loop(coiteration *c, MlirValue begin, MlirValue end) {
  if (is_flat_loop(c))
    return flat_loop(c, begin, end);
  return coiteration_strided_loop(c, begin, end, constant_index(c->k->b, 1));
}

static bool segment_loop(coiteration *c) {
  builder *b = c->k->b;
  walk *w = &c->levels[0];
  int mark = var_mark(b);
  variable place = var_make(b, w->begin);
  while_begin(b);
  coiteration_unroll(c);
  while_do(b, less(b, var_get(b, place), w->end));
  entry n = walk_access(w, var_get(b, place));
  MlirValue last = walk_segment_end(w, var_get(b, place), n.coordinate);
  bool good = body_at(c, &n, last);
  var_set(b, place, last);
  while_end(b);
  var_release(b, mark);
  return good;
}

/* Loops on lanes: several iterations at once as vectors, then what is left under a mask.
 *
 *     for base = begin; base + 32 <= end; base += 32      lanes base .. base + 31
 *     if base + 16 <= end; base += 16                     lanes base .. base + 15
 *     for base < end; base += 8                           lanes base .. min(end, base + 8) - 1
 *
 * Four registers, of what machine and result have, or eight narrow ones that accumulate, since four
 * wait for each other; but 64 lanes at most. Where loops go inside, each part walks them anew: few
 * of them for a half too, and a half of that; many once more at most for all that is left, under a
 * mask of as many lanes as before, a half of them, or a half of that, as few as hold it.  Where
 * what is gathered takes a load for each lane, more than eight of them gain nothing.
 */
enum { REGISTERS = 4, NARROW_BITS = 256, LOADED_MOST = 8, HALVED_CASES = 2, LANES_MOST = 64 };

/* What is in a loop on lanes: whether an entry below each lane's position has a coordinate of its
 * own, with which is gathered; the cases of its loops; what they add up. */
typedef struct lane_body {
  const coiteration *c;
  bool gathers;
  intptr_t cases, sums;
} lane_body;

static bool gathers_below(const coiteration *c, MlirOperation walk) {
  MlirOperation parent =
      walks_one_below(walk) ? value_owner(sit_coiterate_parent(walk, 0)) : (MlirOperation){NULL};
  return parent.ptr && sit_is_locate(parent) &&
         coiteration_has_coordinate(c, sit_op_coordinate(parent));
}

static bool look_at(MlirOperation op, void *data) {
  lane_body *body = data;
  body->sums += sit_is_var(op);
  if (sit_is_coiterate(op)) {
    body->cases += sit_coiterate_case_count(op);
    body->gathers |= gathers_below(body->c, op);
  }
  return true;
}

/* How many lanes there are at once, of the most registers and of one; and what is between. */
typedef struct lane_counts {
  int64_t few, many;
  enum { NOTHING, HALVES, MASKED } between;
} lane_counts;

static lane_counts lanes_at_once(const coiteration *c) {
  lane_body body = {.c = c};
  visit_below(c->op, look_at, &body);
  int64_t fit = lanes_of_register(c->k);
  if (body.gathers && !c->k->gathers) {
    int64_t few = fit > LOADED_MOST ? LOADED_MOST : fit;
    return (lane_counts){few, few, NOTHING};
  }
  bool is_narrow = c->k->vector_bits <= NARROW_BITS && body.sums == 1;
  int64_t many = (is_narrow ? 2 * REGISTERS : REGISTERS) * fit;
  int64_t most = fit < LANES_MOST ? LANES_MOST : fit;
  return (lane_counts){fit, many < most ? many : most,
                       body.gathers || !body.cases  ? NOTHING
                       : body.cases <= HALVED_CASES ? HALVES
                                                    : MASKED};
}

static bool lanes_at(coiteration *c, MlirValue base, int64_t lanes, MlirValue mask) {
  c->k->lanes = lanes;
  c->k->mask = mask;
  bool good = coiteration_body(c, 0, base, NULL);
  c->k->lanes = 0;
  c->k->mask = (MlirValue){NULL};
  return good;
}

MlirValue end_of_wholes(builder *b, MlirValue begin, MlirValue end, int64_t count) {
  MlirValue by = constant_index(b, count);
  return add(b, begin, mul(b, floor_div(b, sub(b, end, begin), by), by));
}

/* What is left under a mask of so many lanes, if that is more than `fewer` and `most` at most;
 * where what is left then begins. */
static MlirValue masked_lanes(coiteration *c, MlirValue begin, MlirValue end, int64_t count,
                              int64_t fewer, int64_t most, bool *good) {
  builder *b = c->k->b;
  MlirValue left = sub(b, end, begin);
  MlirValue fits = and_i(b, less(b, constant_index(b, fewer), left),
                         less_equal(b, left, constant_index(b, most)));
  if_begin(b, fits);
  *good = *good && lanes_at(c, begin, count, lanes_mask(b, left, count));
  if_end(b);
  return select_value(b, fits, end, begin);
}

/* As few lanes as hold all that is left. */
static MlirValue masked_rest(coiteration *c, MlirValue begin, MlirValue end, lane_counts counts,
                             bool *good) {
  for (int64_t count = counts.many; count > counts.few; count /= 2)
    begin = masked_lanes(c, begin, end, count, count / 2, count, good);
  return begin;
}

/* Those of half as many lanes, half of that, and so on, that fit in; or all under a mask where that
 * leaves no register idle: 28 of four times 8 at once, not 16, 8 and 4. */
static MlirValue halves_of_lanes(coiteration *c, MlirValue begin, MlirValue end, lane_counts counts,
                                 bool *good) {
  builder *b = c->k->b;
  for (int64_t count = counts.many; count > counts.few; count /= 2) {
    begin = masked_lanes(c, begin, end, count, count - counts.few, count - 1, good);
    if (count / 2 == counts.few)
      break;
    MlirValue rest = end_of_wholes(b, begin, end, count / 2);
    if_begin(b, less(b, begin, rest));
    *good = *good && lanes_at(c, begin, count / 2, (MlirValue){NULL});
    if_end(b);
    begin = rest;
  }
  return begin;
}

static bool lanes_loop(coiteration *c, MlirValue begin, MlirValue end) {
  builder *b = c->k->b;
  lane_counts counts = lanes_at_once(c);
  MlirValue narrow = constant_index(b, counts.few);
  if (c->low.ptr)
    end = max_i(b, begin, end);
  MlirValue rest = end_of_wholes(b, begin, end, counts.many);
  MlirValue base = for_begin(b, begin, rest, constant_index(b, counts.many));
  coiteration_unroll(c);
  bool good = lanes_at(c, base, counts.many, (MlirValue){NULL});
  for_end(b);
  if (counts.between == HALVES)
    rest = halves_of_lanes(c, rest, end, counts, &good);
  else if (counts.between == MASKED)
    rest = masked_rest(c, rest, end, counts, &good);
  base = for_begin(b, rest, end, narrow);
  MlirValue mask = lanes_mask(b, min_i(b, sub(b, end, base), narrow), counts.few);
  good = good && lanes_at(c, base, counts.few, mask);
  for_end(b);
  return good;
}

bool coiteration_dealt_loop(coiteration *c, MlirValue begin, MlirValue end) {
  return cin_unit_is_gpu(cin_op_unit(c->op)) ? gpu_loop(c, begin, end)
                                             : coiteration_parallel_loop(c, begin, end);
}

static bool loop(coiteration *c, MlirValue begin, MlirValue end) {
  if (c->on_lanes)
    return lanes_loop(c, begin, end);
  return c->parallel ? coiteration_dealt_loop(c, begin, end)
                     : coiteration_serial_loop(c, begin, end);
}

static bool written_out_loop(coiteration *c, int64_t count) {
  builder *b = c->k->b;
  MlirValue low = c->low.ptr ? c->low : constant_index(b, 0);
  bool good = true;
  for (int64_t i = 0; i < count && good; i++)
    good = coiteration_body(c, 0, add(b, low, constant_index(b, i)), NULL);
  return good;
}

/* Nothing or one level, in one case. */

static bool coordinates_only(coiteration *c) {
  int64_t count;
  bool done, good = reduction_loop(c, &done);
  if (done)
    return good;
  if (is_written_out(c, &count))
    return written_out_loop(c, count);
  MlirValue begin = c->low.ptr ? c->low : constant_index(c->k->b, 0);
  return is_jammed(c) ? jammed_loop(c, begin, coiteration_high(c))
                      : loop(c, begin, coiteration_high(c));
}

/* The one entry below a position is visited without a loop. */
static bool check_unrolled(const coiteration *c, bool loops) {
  const walk *w = &c->levels[0];
  return loops || sit_coiterate_unroll(c->op) <= 1 ||
         error_at(c->op,
                  "'unroll(%.*s,%lld)': expected several iterations, found the one entry of level "
                  "%d (%s) below each above it",
                  TEXT(op_text(c->op, "variable")), (long long)sit_coiterate_unroll(c->op),
                  w->number, w->format->name);
}

static void take_places(coiteration *c, walk *w) {
  w->begin = c->low;
  w->end = c->high;
  c->low = c->high = (MlirValue){NULL};
}

static bool one_level(coiteration *c) {
  walk *w = &c->levels[0];
  if (!check_unrolled(c, !walk_is_single(w)))
    return false;
  if (c->by_places)
    take_places(c, w);
  if (w->parent.lanes == LANES_CONSECUTIVE)
    return c->k->reduces ? reduction_below(c) : lanes_below(c);
  bool clipped = c->low.ptr || coiteration_high(c).ptr;
  if (w->properties & LEVEL_ORDERED)
    coiteration_clip(c, 0, c->low, coiteration_high(c));
  if (w->chained && c->parallel)
    return error_at(c->op,
                    "'sit.coiterate' cannot walk duplicates together in parallel: expected "
                    "'fused' or a unique level, found level %d '%s'",
                    w->number, w->format->name);
  if (walk_is_single(w) && !(clipped && w->properties & LEVEL_ORDERED))
    return coiteration_place(c, w->begin);
  if (is_shared_walk(c))
    return shared_walk_loop(c);
  bool done, good = reduction_loop(c, &done);
  if (done)
    return good;
  return w->chained ? segment_loop(c) : loop(c, w->begin, w->end);
}

/* One level in one case, in its own order: that of coordinates, where each of them is visited. */
static bool goes_through_one_level(const coiteration *c) {
  bool alone = c->level_count == 1 && c->case_count == 1 && set_has(c->cases[0], 0);
  return alone && (!c->extent.ptr || c->levels[0].properties & LEVEL_ORDERED);
}

bool coiteration_dispatch(coiteration *c) {
  if (!c->level_count && c->case_count == 1)
    return coordinates_only(c);
  if (coiterates_point(c))
    return coiterate_point(c);
  if (goes_through_one_level(c))
    return one_level(c);
  return coiterate_merge(c);
}

/* Taking the operation apart. */

static MlirValue optional_index(coiteration *c, MlirValue index) {
  return index.ptr ? lowering_scalar(c->k, index) : index;
}

bool coiteration_begin_walks(coiteration *c) {
  c->levels = ARENA_ARRAY(c->k->memory, walk, c->level_count + 1);
  if (c->sorted) {
    *c->levels = *c->sorted;
    return true;
  }
  for (int i = 0; i < c->level_count; i++) {
    int number = (int)sit_coiterate_level(c->op, i);
    lowered above = lowering_position(c->k, sit_coiterate_parent(c->op, i));
    storage *tensor = lowering_storage(c->k, sit_coiterate_tensor(c->op, i));
    MlirValue scratch = scratch_of(c->k, c->op, i);
    if (!walk_begin(&c->levels[i], c->k, c->op, tensor, number, above, c->fused, scratch))
      return false;
    c->levels[i].padded = sit_op_is_padded(c->op);
    c->levels[i].offset = optional_index(c, sit_coiterate_offset(c->op, i));
  }
  return true;
}

bool coiteration_sort_walk(coiteration *c) {
  if (!sit_coiterate_uses_scratch(c->op, 0))
    return true;
  bool good = coiteration_begin_walks(c);
  c->sorted = c->levels;
  return good;
}

void coiteration_read_bounds(coiteration *c) {
  c->extent = optional_index(c, sit_coiterate_extent(c->op));
  c->low = optional_index(c, sit_coiterate_lower(c->op));
  c->high = optional_index(c, sit_coiterate_upper(c->op));
  if (lanes_bound_walk(c->k, c->op))
    lanes_read_bounds(c);
  c->at_point = c->low.ptr && !c->high.ptr;
  if (c->at_point)
    c->high = add(c->k->b, c->low, constant_index(c->k->b, 1));
  row_cut_bound(c);
}

/* With `any` each level is a case by itself of what is visited. */
static void read_levels(coiteration *c) {
  c->case_count = c->level_count;
  c->cases = ARENA_ARRAY(c->k->memory, lattice_point, c->case_count + 1);
  for (int i = 0; i < c->case_count; i++)
    c->cases[i] = set_of(c->k->memory, i);
}

static bool lower_walks(lowering *k, MlirOperation op) {
  coiteration c = {
      .k = k, .op = op, .fused = sit_coiterate_is_fused(op), .any = sit_coiterate_takes_any(op)};
  c.level_count = (int)sit_coiterate_count(op);
  cin_unit unit = cin_op_unit(op);
  c.parallel = unit == CIN_CPU_THREAD || gpu_deals_out(k, op);
  bool along = reduction_is_asked(op);
  c.on_lanes = unit == CIN_CPU_VECTOR && !along && !c.level_count && !k->lanes;
  if (c.any)
    read_levels(&c);
  else
    c.case_count = coiteration_cases(k->memory, op, &c.cases);
  int mark = var_mark(k->b);
  if (!strategies_verify(op) || (along && !reduction_allowed(&c)))
    return false;
  if (coiterates_in_ranges(&c))
    return coiterate_in_ranges(&c);
  if (!coiteration_begin_walks(&c))
    return false;
  coiteration_read_bounds(&c);
  reserve_begin(&c);
  bool good = c.case_count == 0 || coiteration_dispatch(&c);
  reserve_end(&c);
  var_release(k->b, mark);
  return good;
}

bool lower_coiterate(lowering *k, MlirOperation op) {
  bool copies = shared_copies_begin(k, op);
  bool on_host = gpu_host_begin(k, op);
  bool good = lower_walks(k, op);
  gpu_host_end(k, on_host);
  if (copies)
    shared_copies_end(k);
  return good;
}
