/* look_up.c - an intersection with a segment that is met again and again: its places are written
 * down in a table, and each entry of the other level is looked up there.
 *
 *     for k in A.row(i)                   A's row i stays the same
 *       for j in A.row(i) and B.row(k)    where is B's coordinate in A's row?
 *
 *     A.row(i)    coordinates 3, 5, 9 at places 7, 8, 9
 *     table       0 0 0 1 0 2 0 0 0 3     each place, from that of the first on, plus one
 *
 * So an entry costs one load that is likely to be in the cache, and none of the branches of a
 * merge. (GraphBLAS and others walk a row's mask so: Davis, Algorithm 1000, 2019.)  Words of 64
 * bits with counts (Jacobson's rank) are a sixteenth as long, and take half as long again: what
 * follows from a word is waited for.
 *
 * A segment is written down when it is met for the second time in a row, and wiped out when another
 * one is.  Where the other level is LONGER times as long, it is better searched (seek.c); where the
 * dimension is too large for a table there is none.  Both go on as without the strategy.
 */
#include "look_up.h"
#include "merge.h"
#include "scratch.h"
#include "strategy.h"

#include "ir.h"
#include "op_list.h"
#include "sit.h"

enum { LONGER = 8, MOST_PLACES = INT32_MAX - 1 };

/* ---- Which level the table has ------------------------------------------------------------ */

/* Of two levels the one whose segment the loop around meets again and again, while that of the
 * other differs; else -1. */
static int held_level(MlirOperation op) {
  MlirOperation loop = walked_loop_around(op);
  if (mlirOperationIsNull(loop) || sit_coiterate_count(op) != 2 || sit_coiterate_offset_count(op))
    return -1;
  bool first = walked_is_fixed_in(sit_coiterate_parent(op, 0), loop);
  bool second = walked_is_fixed_in(sit_coiterate_parent(op, 1), loop);
  return first == second ? -1 : second;
}

/* ---- The table ---------------------------------------------------------------------------- */

/* Of a lac_table, byte offsets. */
enum { BEGIN = 0, END = 8, MARKED_BEGIN = 16, MARKED_END = 24, COUNT = 32, PLACES = 40 };

typedef struct look_up {
  builder *b;
  MlirValue table, places; /* where its places are, once it is marked */
  strand *held, *other;
} look_up;

bool look_up_is_taken(MlirOperation op) {
  return strategy_is_taken(op, &look_up_strategy) && held_level(op) >= 0;
}

MlirValue look_up_table(lowering *k) {
  return call(k->b, "lac_kernel_table", type_ptr(k->b), 1, &k->status);
}

static MlirValue field(const look_up *t, int64_t offset) {
  return index_cast(t->b, load_field(t->b, t->table, offset, type_i(t->b, 64)), type_index(t->b));
}

static void set_field(const look_up *t, int64_t offset, MlirValue value) {
  store_field(t->b, index_cast(t->b, value, type_i(t->b, 64)), t->table, offset);
}

static void find_places(look_up *t) {
  t->places = load_field(t->b, t->table, PLACES, type_ptr(t->b));
}

static MlirValue load_number(const look_up *t, MlirValue coordinate) {
  return load_element(t->b, t->places, coordinate, type_i(t->b, 32));
}

static void store_number(const look_up *t, MlirValue coordinate, MlirValue number) {
  store_element(t->b, index_cast(t->b, number, type_i(t->b, 32)), t->places, coordinate);
}

/* ---- Marking ------------------------------------------------------------------------------ */

static void unmark(const look_up *t) {
  builder *b = t->b;
  MlirValue place =
      for_begin(b, field(t, MARKED_BEGIN), field(t, MARKED_END), constant_index(b, 1));
  store_number(t, walk_access(t->held->walk, place).coordinate, constant_index(b, 0));
  for_end(b);
}

/* Room for all coordinates of both levels; whether there is. */
static MlirValue make_room(const look_up *t) {
  builder *b = t->b;
  MlirType i64 = type_i(b, 64);
  MlirValue most = max_i(b, level_size(t->held->walk->l), level_size(t->other->walk->l));
  MlirValue arguments[] = {t->table, index_cast(b, most, i64)};
  int before = var_mark(b);
  variable count = var_make(b, field(t, COUNT));
  if_begin(b, less(b, var_get(b, count), most));
  MlirValue grown = call_seldom(b, "lac_kernel_table_grow", i64, 2, arguments);
  var_set(b, count, index_cast(b, grown, type_index(b)));
  if_end(b);
  MlirValue there = less_equal(b, most, var_get(b, count));
  var_release(b, before);
  return there;
}

static void mark(look_up *t) {
  builder *b = t->b;
  walk *held = t->held->walk;
  MlirValue one = constant_index(b, 1);
  find_places(t);
  unmark(t);
  MlirValue place = for_begin(b, held->begin, held->end, one);
  store_number(t, walk_access(held, place).coordinate, add(b, sub(b, place, held->begin), one));
  for_end(b);
  set_field(t, MARKED_BEGIN, held->begin);
  set_field(t, MARKED_END, held->end);
}

/* ---- The intersection --------------------------------------------------------------------- */

static bool has_each_place(const walk *w) {
  return w->by_position && !w->chained && !w->scratch.ptr && !w->parent.last.ptr &&
         level_format_coordinates(w->format) >= 0 && w->properties & LEVEL_ORDERED &&
         w->properties & LEVEL_UNIQUE && !walk_is_single(w);
}

static bool is_intersection(const merge *m) {
  const coiteration *c = m->c;
  return set_is_empty(m->located) && c->level_count == 2 && c->case_count == 1 && !c->any &&
         set_size(c->cases[0]) == 2 && !c->extent.ptr && !c->k->lanes && !c->on_lanes;
}

/* False where the merge does not look up. */
static bool look_up_read(look_up *t, merge *m) {
  const coiteration *c = m->c;
  if (!look_up_is_taken(c->op) || !is_intersection(m))
    return false;
  int held = held_level(c->op);
  *t = (look_up){.b = m->b,
                 .table = scratch_of(c->k, c->op, SCRATCH_TABLE),
                 .held = &m->strands[held],
                 .other = &m->strands[1 - held]};
  return t->table.ptr && lowering_is_operand(c->k, sit_coiterate_tensor(c->op, held)) &&
         has_each_place(t->held->walk) && has_each_place(t->other->walk);
}

/* Whether two fields are the segment that the held level has here. */
static MlirValue is_here(const look_up *t, int64_t begin, int64_t end) {
  builder *b = t->b;
  const walk *held = t->held->walk;
  return and_i(b, equal(b, field(t, begin), held->begin), equal(b, field(t, end), held->end));
}

/* Whether it pays: neither is empty, numbers fit, and the other level is not to be searched. */
static MlirValue is_near(const look_up *t) {
  builder *b = t->b;
  MlirValue held = sub(b, t->held->walk->end, t->held->walk->begin);
  MlirValue other = sub(b, t->other->walk->end, t->other->walk->begin);
  MlirValue there = less(b, constant_index(b, 0), other);
  MlirValue fits = less_equal(b, held, constant_index(b, MOST_PLACES));
  MlirValue near = less_equal(b, other, mul(b, held, constant_index(b, LONGER)));
  return and_i(b, there, and_i(b, fits, near));
}

MlirValue look_up_begin(merge *m) {
  look_up t;
  if (!look_up_read(&t, m))
    return (MlirValue){NULL};
  builder *b = m->b;
  int before = var_mark(b);
  MlirValue pays = is_near(&t), again = and_i(b, pays, is_here(&t, BEGIN, END));
  variable ready = var_make(b, and_i(b, pays, is_here(&t, MARKED_BEGIN, MARKED_END)));
  set_field(&t, BEGIN, t.held->walk->begin);
  set_field(&t, END, t.held->walk->end);
  if_begin(b, and_i(b, again, not_i1(b, var_get(b, ready))));
  MlirValue there = make_room(&t);
  if_begin(b, there);
  mark(&t);
  if_end(b);
  var_set(b, ready, there);
  if_end(b);
  MlirValue marked = var_get(b, ready);
  var_release(b, before);
  return marked;
}

static bool visit(const look_up *t, merge *m, MlirValue place) {
  builder *b = t->b;
  walk *held = t->held->walk;
  MlirValue one = constant_index(b, 1);
  entry n = walk_access(t->other->walk, place);
  MlirValue number = index_cast(b, load_number(t, n.coordinate), type_index(b));
  if_begin(b, less_equal(b, one, number));
  t->other->entry = n;
  t->held->entry = walk_access(held, add(b, held->begin, sub(b, number, one)));
  t->held->present = t->other->present = constant_bool(b, true);
  bool good = merge_cases(m, m->c->cases[0], n.coordinate);
  if_end(b);
  return good;
}

bool look_up_loop(merge *m) {
  look_up t;
  if (!look_up_read(&t, m))
    return false;
  builder *b = m->b;
  const walk *other = t.other->walk;
  find_places(&t);
  MlirValue place = for_begin_plain(b, other->begin, other->end, constant_index(b, 1));
  coiteration_unroll(m->c);
  bool good = visit(&t, m, place);
  for_end(b);
  return good;
}

/* ---- The choice --------------------------------------------------------------------------- */

/* A kernel whose walks that look up have more levels would be much code. */
enum { MOST_LEVELS = 8 };

static bool may_have_each_place(const walked_level *l) {
  return l->by_position && !l->chained && !l->scratch && !l->below_segment && !l->single &&
         level_format_coordinates(l->format) >= 0 && l->properties & LEVEL_ORDERED &&
         l->properties & LEVEL_UNIQUE;
}

static bool choose(const walked *w, int64_t *number) {
  (void)number;
  int held = held_level(w->op);
  return held >= 0 && walked_merges(w) && !w->any && !w->parallel && !w->cut && !w->whole &&
         !w->in_lanes && set_is_empty(w->located) && w->case_count == 1 &&
         set_size(w->cases[0]) == 2 && may_have_each_place(&w->levels[0]) &&
         may_have_each_place(&w->levels[1]) &&
         walked_is_operand(w->k, sit_coiterate_tensor(w->op, held)) &&
         !ops_below(w->k->memory, w->op, sit_is_coiterate).count;
}

const strategy look_up_strategy = {
    .name = "look_up",
    .words = "looks up each entry of one in a table of the other, where that is met again",
    .choose = choose,
    .most_levels = MOST_LEVELS,
};
