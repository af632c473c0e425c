/* pieces.c - a loop on threads, a range of coordinates for each thread at a time, cut by work
 * (cut.c): one that appends to the result, which it does in order, or that merges.
 *
 *     sit.coiterate .. on cpu_thread {       parallel for t in 0 .. pieces - 1
 *       append A                       -->     sit.coiterate .. from cut(t) to cut(t + 1) {
 *     }                                          append piece t of A
 *                                            join the pieces (join.c)
 *
 * What is merged is clipped to a range by search, and what repeats a coordinate is in one.  Where
 * an operand has the entries one for one, its positions tell where those of a range go (told.c):
 * into the result at once, and nothing is joined.  Entries that are scattered are counted, and then
 * placed, in the same ranges (scatter.c).  What is inserted at coordinates of the range is no other
 * thread's.
 */
#include "ranges.h"

#include "cin.h"
#include "counted.h"
#include "cursor.h"
#include "first_level.h"
#include "gpu_ranges.h"
#include "ir.h"
#include "kernel.h"
#include "scratch.h"
#include "shared_reduction.h"
#include "sit.h"
#include "told.h"
#include "visits.h"

/* Where bits depend on them, so many, and as many as have so much work. */
enum { RANGES = 64, RANGE_WORK = 1 << 14 };

static bool leaves_alone(MlirOperation op, void *tensor) {
  return !op_uses(op, *(MlirValue *)tensor);
}

/* Whether the result is assembled in pieces in this loop: one that makes a temporary has none of
 * it, and one in which threads have workspaces of their own fills these. */
static bool is_in_pieces(const coiteration *c) {
  bool shares = storage_role_of(range_result(c)) == STORAGE_SHARED;
  MlirValue result = sit_kernel_result(c->k->op);
  return (shares && !cin_race_is_private(cin_op_race(c->op)) &&
          !visit_below(c->op, leaves_alone, &result)) ||
         mlirOperationEqual(c->op, c->k->appends);
}

/* ---- Checks ------------------------------------------------------------------------------- */

bool walks_are_ordered(const lowering *k, MlirOperation coiterate) {
  for (intptr_t i = 0; i < sit_coiterate_count(coiterate); i++) {
    storage *s = lowering_storage(k, sit_coiterate_tensor(coiterate, i));
    const format_level *level = &storage_format(s)->levels[sit_coiterate_level(coiterate, i)];
    if (!(level->properties & LEVEL_ORDERED) || sit_coiterate_uses_scratch(coiterate, i))
      return false;
  }
  return true;
}

/* Whether threads gather in workspaces: ranges have about as much work, which what places tell they
 * have not. */
static bool gathers_in_order(const coiteration *c) {
  shared_reduction shared;
  return shared_reduction_read(&shared, c->k, c->op) && shared.workspace_count && !c->at_point &&
         walks_are_ordered(c->k, c->op);
}

/* Whether the loop counts, and moves windows: each range keeps where its last one began. */
static bool moves_windows(const coiteration *c) {
  return !c->level_count && !c->at_point && cin_op_race(c->op) == CIN_NO_RACES &&
         !dealt_at_once(c) && cursors_are_kept_in(c->k->memory, c->op);
}

bool coiterates_in_ranges(const coiteration *c) {
  walked w;
  return c->parallel && (is_in_pieces(c) || moves_windows(c) ||
                         (walked_read(&w, c->k->walked, c->op) && w.cut) || gathers_in_order(c));
}

/* ---- Ranges ------------------------------------------------------------------------------- */

static MlirValue piece_count(builder *b) {
  MlirValue most = parallel_threads(b);
  MlirValue count = call(b, "lac_kernel_pieces_count", type_i(b, 64), 1, &most);
  return index_cast(b, count, type_index(b));
}

/* That of what was counted: what is known of the work may be less where code that only places uses
 * it has been left out. */
static void counted_range(cutting *u, range *r, MlirValue count, void *data) {
  builder *b = u->c->k->b;
  storage *s = range_result(u->c);
  MlirValue next = add(b, r->number, constant_index(b, 1));
  (void)count;
  (void)data;
  r->low = add(b, u->low, storage_share_begin(s, r->number));
  r->high = add(b, u->low, storage_share_begin(s, next));
}

/* ---- Pieces that are joined --------------------------------------------------------------- */

typedef struct joining {
  MlirValue count, expected; /* of pieces; of entries in one, about */
  first_level first;
} joining;

/* Whether the loop may leave out coordinates at the beginning or the end of the result's level. */
static bool leaves_out(const joining *j) {
  return j->first.entry.ptr || sit_coiterate_lower(j->first.loop).ptr;
}

/* Where piece `number`, of ranges from `at` on, begins: the first one at 0, and the one behind the
 * last where the level ends, so that pieces have all that a level has that the loop leaves out. */
static MlirValue piece_begins(cutting *u, const joining *j, MlirValue number, MlirValue at) {
  builder *b = u->c->k->b;
  MlirValue begin = first_level_begin(u->c->k, &j->first, at), zero = constant_index(b, 0);
  if (!leaves_out(j))
    return begin;
  MlirValue end = storage_level_size(range_result(u->c), 0);
  begin = min_i(b, begin, end);
  begin = select_value(b, equal(b, number, j->count), end, begin);
  return select_value(b, equal(b, number, zero), zero, begin);
}

static void finish_piece(storage *whole, storage *piece, const range *r, void *data) {
  (void)data;
  storage_finish_piece(whole, piece, r->number);
}

static bool assemble_piece(cutting *u, const range *r, void *data) {
  MlirValue begun;
  const joining *j = data;
  builder *b = u->c->k->b;
  MlirValue low = piece_begins(u, j, r->number, r->low);
  MlirValue high = piece_begins(u, j, add(b, r->number, constant_index(b, 1)), r->high);
  storage *piece =
      storage_begin_piece(range_result(u->c), r->number, low, high, j->expected, &begun);
  return range_loop(u->c, piece, begun, r, finish_piece, NULL);
}

static void piece_range(cutting *u, range *r, MlirValue count, void *data) {
  r->number = storage_next_piece(range_result(u->c), r->number);
  range_cut(u, r, count, data);
}

/* One alone grows as a result does that one thread makes. */
static MlirValue expected_of_piece(builder *b, MlirValue all, MlirValue count) {
  MlirValue one = constant_index(b, 1), alone = equal(b, count, one);
  return select_value(b, alone, one, ceil_div(b, all, count));
}

static bool assemble_joined(cutting *u) {
  builder *b = u->c->k->b;
  storage *s = range_result(u->c);
  MlirValue count = storage_piece_count(s);
  if_begin(b, storage_begin_pieces(s, count));
  joining j = {count, expected_of_piece(b, u->all, count), first_level_of(u->c->k, u->c->op)};
  bool good = ranges_loop(u, count, piece_range, assemble_piece, &j);
  if_end(b);
  storage_join(s);
  return good;
}

/* ---- Pieces that an operand tells --------------------------------------------------------- */

static int level_count_of(const storage *s) {
  return storage_format(s)->level_count;
}

static bool tells(const told_level *by) {
  return by->tensor.ptr != NULL;
}

/* Whether those are counted that have entries below. */
static bool is_counted(const told_level *by) {
  return tells(by) && by->leaf > by->level;
}

/* for p in from .. to { end = entries below p;  count += end > those before } */
static MlirValue count_parents(coiteration *c, const told_level *by, MlirValue from, MlirValue to) {
  builder *b = c->k->b;
  MlirValue one = constant_index(b, 1);
  int mark = var_mark(b);
  variable count = var_make(b, constant_index(b, 0));
  variable before = var_make(b, entries_below(c, by->tensor, by->level, by->leaf, from));
  MlirValue p = for_begin(b, from, to, one);
  MlirValue end = entries_below(c, by->tensor, by->level, by->leaf, add(b, p, one));
  MlirValue more = add(b, var_get(b, count), one), grows = less(b, var_get(b, before), end);
  var_set(b, count, select_value(b, grows, more, var_get(b, count)));
  var_set(b, before, end);
  for_end(b);
  MlirValue counted = var_get(b, count);
  var_release(b, mark);
  return counted;
}

/* So many for each that is counted. */
static MlirValue times_of(coiteration *c, const told_level *by, MlirValue count) {
  builder *b = c->k->b;
  if (!by->times.ptr)
    return count;
  MlirValue times = lowering_scalar(c->k, by->times);
  return mul(b, count, by->once ? min_i(b, times, constant_index(b, 1)) : times);
}

/* How many entries the operand has at what comes before coordinate `at` of the loop. */
static MlirValue entries_told(coiteration *c, const told_level *by, MlirValue at) {
  first_level first = first_level_of(c->k, c->op);
  MlirValue limit, begin = first_level_begin(c->k, &first, at);
  if (first_level_is_gapless(&first, &limit) && limit.ptr)
    begin = min_i(c->k->b, begin, lowering_scalar(c->k, limit));
  return entries_before(c, by->tensor, by->level, begin);
}

/* How many entries of the level come at coordinates low .. high - 1 of the loop. */
static MlirValue told_between(coiteration *c, const told_level *by, MlirValue low, MlirValue high) {
  MlirValue from = entries_told(c, by, low), to = entries_told(c, by, high);
  return is_counted(by) ? times_of(c, by, count_parents(c, by, from, to)) : sub(c->k->b, to, from);
}

/* Notes for each range how many entries of the levels that are counted come in it. */
static bool count_told(cutting *u, const range *r, void *data) {
  storage *s = range_result(u->c);
  const told_level *by = data;
  for (int l = 0; l < level_count_of(s); l++)
    if (is_counted(&by[l]))
      storage_told_set(s, r->number, l, told_between(u->c, &by[l], r->low, r->high));
  storage_told_set_end(s);
  return true;
}

/* Counts where some levels are counted; whether that is so. */
static bool count_ranges(cutting *u, MlirValue count, bool *counted) {
  storage *s = range_result(u->c);
  *counted = false;
  for (int l = 0; l < level_count_of(s); l++)
    *counted |= is_counted(&u->c->k->told[l]);
  if (!*counted)
    return true;
  storage_told_begin(s, count);
  if_begin(u->c->k->b, storage_is_fine(s));
  bool good = ranges_loop(u, count, range_cut, count_told, u->c->k->told);
  storage_told_sum(s);
  if_end(u->c->k->b);
  expect_visits_in_pieces(u->c->k, u->c->op);
  return good;
}

/* How many of a level come before a range, of those that come in the loop; all of them for the one
 * behind the last. */
static MlirValue told_before(cutting *u, int l, MlirValue number, MlirValue bound) {
  const told_level *by = &u->c->k->told[l];
  return is_counted(by) ? storage_told_before(range_result(u->c), number, l)
                        : told_between(u->c, by, u->low, bound);
}

static bool assemble_told(cutting *u, const range *r, void *data) {
  storage *s = range_result(u->c), *view = storage_begin_view(s);
  builder *b = u->c->k->b;
  MlirValue next = add(b, r->number, constant_index(b, 1));
  (void)data;
  for (int l = 0; l < level_count_of(s); l++)
    if (tells(&u->c->k->told[l]))
      storage_view_room(view, l, told_before(u, l, r->number, r->low),
                        told_before(u, l, next, r->high));
  return range_loop(u->c, view, constant_bool(b, true), r, NULL, NULL);
}

/* Room for all, then the ranges, each where its entries go. */
static bool assemble_ranges(cutting *u, MlirValue count) {
  storage *s = range_result(u->c);
  int levels = level_count_of(s);
  MlirValue *all = ARENA_ARRAY(u->c->k->memory, MlirValue, levels);
  for (int l = 0; l < levels; l++)
    if (tells(&u->c->k->told[l])) {
      all[l] = told_before(u, l, count, u->high);
      storage_reserve_told(s, l, all[l]);
    }
  if_begin(u->c->k->b, storage_is_fine(s));
  bool good = ranges_loop(u, count, range_cut, assemble_told, NULL);
  for (int l = 0; l < levels; l++)
    if (all[l].ptr)
      storage_append_told(s, l, all[l]);
  if_end(u->c->k->b);
  return good;
}

static bool assemble_in_place(cutting *u, MlirValue count) {
  storage *s = range_result(u->c);
  bool counted;
  bool good = count_ranges(u, count, &counted);
  if_begin(u->c->k->b, storage_is_fine(s));
  good = good && assemble_ranges(u, count);
  if_end(u->c->k->b);
  if (counted)
    storage_told_end(s);
  return good;
}

/* ---- Ranges that are counted, then placed ------------------------------------------------- */

static void finish_counts(storage *whole, storage *counts, const range *r, void *data) {
  storage_counted(whole, counts, r->number, sub(data, r->high, r->low));
}

static bool count_share(cutting *u, const range *r, void *data) {
  MlirValue begun;
  storage *counts = storage_begin_counts(data, r->number, &begun);
  return range_loop(u->c, counts, begun, r, finish_counts, u->c->k->b);
}

static bool place_share(cutting *u, const range *r, void *data) {
  storage *places = storage_begin_places(data, r->number);
  return range_loop(u->c, places, constant_bool(u->c->k->b, true), r, NULL, NULL);
}

static bool assemble_shares(cutting *u) {
  storage *s = range_result(u->c);
  MlirValue count = storage_share_count(s);
  return storage_waits_for(s) >= 0 ? ranges_loop(u, count, range_cut, count_share, s)
                                   : ranges_loop(u, count, counted_range, place_share, s);
}

/* ---- Ranges that are inserted ------------------------------------------------------------- */

static bool insert_range(cutting *u, const range *r, void *data) {
  shared_reduction *shared = data;
  if (shared)
    shared_reduction_enter(shared, r->number);
  bool good = range_loop(u->c, range_result(u->c), constant_bool(u->c->k->b, true), r, NULL, NULL);
  if (shared)
    shared_reduction_leave(shared, r->number);
  return good;
}

/* As many whatever the number of threads, since the order of sums depends on them. */
static MlirValue range_count(cutting *u, MlirValue most) {
  builder *b = u->c->k->b;
  MlirValue worthwhile = ceil_div(b, u->all, constant_index(b, RANGE_WORK));
  MlirValue count = min_i(b, worthwhile, most);
  return max_i(b, count, constant_index(b, 1));
}

/* How many ranges are inserted. */
static MlirValue inserted_count(cutting *u) {
  lowering *k = u->c->k;
  if (cin_unit_is_gpu(cin_op_unit(u->c->op)))
    return gpu_range_count(u);
  return k->deterministic ? range_count(u, constant_index(k->b, RANGES)) : piece_count(k->b);
}

/* As many ranges for each thread, so that all end at about the same time. */
enum { RANGES_OF_A_THREAD = 32 };

typedef struct gathering {
  shared_reduction *shared;
  MlirValue ranges;
} gathering;

/* enter;  while (n = next()) < ranges { range n };  leave */
static bool gather_of_thread(cutting *u, const range *own, void *data) {
  const gathering *g = data;
  builder *b = u->c->k->b;
  shared_reduction_enter(g->shared, own->number);
  int mark = var_mark(b);
  range r = {0};
  variable next = var_make(b, shared_reduction_next(g->shared));
  while_begin(b);
  while_do(b, less(b, var_get(b, next), g->ranges));
  r.number = var_get(b, next);
  range_cut(u, &r, g->ranges, data);
  bool good = range_loop(u->c, range_result(u->c), constant_bool(b, true), &r, NULL, NULL);
  var_set(b, next, shared_reduction_next(g->shared));
  while_end(b);
  var_release(b, mark);
  shared_reduction_leave(g->shared, own->number);
  return good;
}

static void no_range(cutting *u, range *r, MlirValue count, void *data) {
  (void)u;
  (void)r;
  (void)count;
  (void)data;
}

/* What threads gather, each in a workspace, is more the more of these there are. */
static bool gather_ranges(cutting *u, shared_reduction *shared, MlirValue threads) {
  builder *b = u->c->k->b;
  MlirValue one = constant_index(b, 1), alone = equal(b, threads, one);
  MlirValue many = mul(b, threads, constant_index(b, RANGES_OF_A_THREAD));
  gathering g = {shared, select_value(b, alone, one, many)};
  shared_reduction_begin(shared, threads);
  bool good = ranges_loop(u, threads, no_range, gather_of_thread, &g);
  shared_reduction_end(shared);
  return good;
}

/* Of what threads reduce into, each range has its own. */
static bool reduce_ranges(cutting *u, shared_reduction *shared) {
  MlirValue threads = shared_reduction_threads(shared);
  if (threads.ptr)
    return gather_ranges(u, shared, threads);
  MlirValue count = range_count(u, shared_reduction_chunks(shared, RANGES));
  shared_reduction_begin(shared, count);
  bool good = ranges_loop(u, count, range_cut, insert_range, shared);
  shared_reduction_end(shared);
  return good;
}

static bool insert_ranges(cutting *u) {
  shared_reduction shared;
  if (!shared_reduction_read(&shared, u->c->k, u->c->op))
    return false;
  if (shared_reduction_is_needed(&shared))
    return reduce_ranges(u, &shared);
  return ranges_loop(u, inserted_count(u), range_cut, insert_range, NULL);
}

/* ---- The loop ----------------------------------------------------------------------------- */

static bool assemble(cutting *u, storage *s) {
  builder *b = u->c->k->b;
  if (!is_in_pieces(u->c))
    return insert_ranges(u);
  if (storage_role_of(s) == STORAGE_SHARED)
    return assemble_shares(u);
  if (storage_role_of(s) == STORAGE_COUNTED)
    return counted_assemble(u, gpu_range_count(u));
  return storage_role_of(s) == STORAGE_TOLD ? assemble_in_place(u, piece_count(b))
                                            : assemble_joined(u);
}

bool coiterate_in_ranges(coiteration *c) {
  coiteration_read_bounds(c);
  storage *s = range_result(c);
  bool shared = is_in_pieces(c) && storage_role_of(s) == STORAGE_SHARED;
  c->by_places = shared && coiteration_is_cut_by_places(c);
  if ((!c->by_places && !walks_are_ordered(c->k, c->op)) || c->at_point)
    return error_at(c->op, "'sit.coiterate' on threads expected ordered levels, where several are "
                           "merged or the result is appended to");
  if (is_in_pieces(c) && !shared && !first_level_of(c->k, c->op).follows)
    return error_at(c->op, "'sit.coiterate' on threads expected the coordinates of the first level "
                           "of the result that it appends to");
  int mark = var_mark(c->k->b);
  if (c->by_places && !coiteration_sort_walk(c))
    return false;
  expect_visits_in_pieces(c->k, c->op);
  cutting u = cutting_of(c);
  bool good = assemble(&u, s);
  var_release(c->k->b, mark);
  return good;
}
