/* cursor.c - windows that move along a level: each is sought from where the last one began, by a
 * cursor that is kept from one iteration of the loop that moves it to the next (Liu et al. 2024,
 * section 5.2.2).
 *
 *     sit.coiterate over %n {                       cursor = 0
 *     case () as (%i) {                             for i in 0..n-1
 *       sit.coiterate %x level 0 offset %i            cursor = the first place from cursor on, in
 *                     from %zero to %m                         steps of 1, 2, 4, ..., that is not
 *           strategies {cursor}                                below i
 *
 * Where there are loops in between, over the rows of a window of rows, each row has a cursor of its
 * own (`cursors = 64`, a strategy of its own; figure 10 (c) there):
 *
 *     for j { for r in rows i..i+2 { for q in columns j..j+2 of row r { ... } } }
 *
 * in a table of so many, in which a row has the place of its position, modulo the size.
 *
 * A window that has moved down is found the same way, and so is one of another row that had the
 * same place.  So it is right however the windows move, and fast where they move little; or far, as
 * those of pieces do: each of these begins near where the last one ended.
 */
#include "cursor.h"
#include "coiterate.h"
#include "strategy.h"

#include "cin.h"
#include "ir.h"
#include "op_list.h"
#include "scratch.h"
#include "sit.h"

/* How many rows have cursors: those of most windows; as much as a stack has room for. */
enum { USUAL = 64, MOST = 1 << 12 };

typedef struct kept_cursor {
  struct kept_cursor *next;
  MlirOperation walk;
  int level; /* of the walk */
  variable place;
} kept_cursor;

/* ---- Which -------------------------------------------------------------------------------- */

static bool is_serial(MlirOperation loop) {
  return !mlirOperationIsNull(loop) && cin_op_unit(loop) == CIN_SERIAL;
}

static bool changes_in(MlirValue value, MlirOperation loop) {
  int64_t constant;
  return value.ptr && !value_is_constant_index(value, &constant) && value_is_made_in(loop, value);
}

/* Whether the loop around has the level begin elsewhere each time, below one position; on threads
 * too, each of which goes through a range of its coordinates (pieces.c). */
static bool moves(MlirOperation op, int i) {
  MlirOperation loop = walked_loop_around(op);
  return (is_serial(loop) || walked_on_threads(loop)) &&
         walked_is_fixed_in(sit_coiterate_parent(op, i), loop) &&
         (changes_in(sit_coiterate_lower(op), loop) ||
          changes_in(sit_coiterate_offset(op, i), loop));
}

static bool depends_on(MlirValue value, MlirOperation loop);

static bool operands_depend_on(MlirOperation op, MlirOperation loop) {
  bool found = false;
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(op) && !found; ++n)
    found = depends_on(mlirOperationGetOperand(op, n), loop);
  return found;
}

/* Whether the value is another one in another iteration of the loop, or of a loop inside that goes
 * through others then. */
static bool depends_on(MlirValue value, MlirOperation loop) {
  if (!value.ptr || !value_is_made_in(loop, value))
    return false;
  if (!mlirValueIsABlockArgument(value))
    return operands_depend_on(value_owner(value), loop);
  MlirOperation of = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return mlirOperationEqual(of, loop) || operands_depend_on(of, loop);
}

/* Whether the value rises by steps of many coordinates: a product, or the greater or the lesser of
 * one and another value. */
static bool comes_in_pieces(MlirValue value) {
  enum { MANY = 16 };
  MlirOperation op = value.ptr ? value_owner(value) : (MlirOperation){NULL};
  int64_t step;
  if (mlirOperationIsNull(op))
    return false;
  if (op_is(op, "arith.muli"))
    return value_is_constant_index(mlirOperationGetOperand(op, 1), &step) && step >= MANY;
  return (op_is(op, "arith.maxsi") || op_is(op, "arith.minsi")) &&
         (comes_in_pieces(mlirOperationGetOperand(op, 0)) ||
          comes_in_pieces(mlirOperationGetOperand(op, 1)));
}

/* Whether the level begins where a search tells, below rows that come again in each iteration of a
 * loop around. */
static bool comes_again(MlirOperation op, int i) {
  MlirValue lower = sit_coiterate_lower(op), row = sit_coiterate_parent(op, i);
  int64_t start;
  bool is_sought =
      sit_coiterate_offset(op, i).ptr || (lower.ptr && !value_is_constant_index(lower, &start));
  MlirOperation loop = walked_loop_around(op);
  while (is_sought && is_serial(loop) && depends_on(row, loop))
    loop = walked_loop_around(loop);
  return is_sought && is_serial(loop);
}

static bool can_keep(const walked *w, int i) {
  const walked_level *l = &w->levels[i];
  return l->by_position && (l->properties & LEVEL_ORDERED) && !l->single && !l->scratch &&
         !l->below_segment && !l->below_none && !set_has(w->located, i);
}

/* ---- Keeping ------------------------------------------------------------------------------ */

static bool is_kept_in(MlirOperation walk, MlirOperation loop) {
  return strategy_is_taken(walk, &cursor_strategy) &&
         mlirOperationEqual(walked_loop_around(walk), loop);
}

bool cursors_are_kept_in(arena *memory, MlirOperation loop) {
  op_list walks = ops_below(memory, loop, sit_is_coiterate);
  for (int n = 0; n < walks.count; ++n)
    if (is_kept_in(walks.ops[n], loop))
      return true;
  return false;
}

struct kept_cursor *cursors_begin(lowering *k, MlirOperation loop) {
  kept_cursor *before = k->cursors;
  op_list walks = ops_below(k->memory, loop, sit_is_coiterate);
  for (int n = 0; n < walks.count; ++n) {
    MlirOperation op = walks.ops[n];
    if (!is_kept_in(op, loop))
      continue;
    for (int i = 0; i < (int)sit_coiterate_count(op); ++i) {
      kept_cursor *kept = ARENA_ARRAY(k->memory, kept_cursor, 1);
      *kept = (kept_cursor){k->cursors, op, i, var_make(k->b, constant_index(k->b, 0))};
      k->cursors = kept;
    }
  }
  return before;
}

void cursors_end(lowering *k, struct kept_cursor *before) {
  k->cursors = before;
}

/* Bounds a walk, sought from a place that was kept; what is kept for the next one: where it begins,
 * or where it ends. */
static MlirValue seek_from(coiteration *c, walk *w, MlirValue kept, MlirValue low, MlirValue high) {
  builder *b = c->k->b;
  w->begin = walk_seek_near(w, w->begin, max_i(b, w->begin, min_i(b, kept, w->end)), low);
  if (high.ptr)
    w->end = walk_seek_along(w, w->begin, high);
  return high.ptr && comes_in_pieces(sit_coiterate_lower(c->op)) ? w->end : w->begin;
}

static kept_cursor *cursor_of(const coiteration *c, int level) {
  kept_cursor *kept = c->k->cursors;
  while (kept && !(mlirOperationEqual(kept->walk, c->op) && kept->level == level))
    kept = kept->next;
  return kept && var_can_set(c->k->b, kept->place) ? kept : NULL;
}

static bool clip_one(coiteration *c, int level, MlirValue low, MlirValue high) {
  walk *w = &c->levels[level];
  kept_cursor *kept = cursor_of(c, level);
  if (!kept)
    return false;
  var_set(c->k->b, kept->place, seek_from(c, w, var_get(c->k->b, kept->place), low, high));
  return true;
}

/* ---- Of each row -------------------------------------------------------------------------- */

int64_t cursors_kept(MlirOperation coiterate) {
  int64_t said = strategy_number(coiterate, &cursors_strategy);
  return said < 0 ? 0 : said < MOST ? said : MOST;
}

MlirValue cursors_table(lowering *k, MlirOperation coiterate) {
  builder *b = k->b;
  MlirType i64 = type_i(b, 64);
  int64_t count = cursors_kept(coiterate) * sit_coiterate_count(coiterate);
  MlirValue table = stack_array(b, i64, count);
  MlirValue place =
      for_begin(b, constant_index(b, 0), constant_index(b, count), constant_index(b, 1));
  store_element(b, constant_scalar(b, i64, 0), table, place);
  for_end(b);
  return table;
}

/* The root has one row. */
static bool clip_row(coiteration *c, int level, MlirValue low, MlirValue high) {
  builder *b = c->k->b;
  walk *w = &c->levels[level];
  MlirType i64 = type_i(b, 64);
  MlirValue table = scratch_of(c->k, c->op, SCRATCH_CURSORS);
  if (!table.ptr)
    return false;
  MlirValue size = constant_index(b, cursors_kept(c->op));
  MlirValue row = mul(b, size, constant_index(b, level));
  if (w->parent.value.ptr)
    row = add(b, row, floor_mod(b, w->parent.value, size));
  MlirValue kept = index_cast(b, load_element(b, table, row, i64), type_index(b));
  store_element(b, index_cast(b, seek_from(c, w, kept, low, high), i64), table, row);
  return true;
}

bool cursor_clip(coiteration *c, int level, MlirValue low, MlirValue high) {
  const walk *w = &c->levels[level];
  return low.ptr && w->by_position && !w->scratch.ptr &&
         (clip_one(c, level, low, high) || clip_row(c, level, low, high));
}

/* ---- The choice --------------------------------------------------------------------------- */

static bool choose_where(const walked *w, bool (*moves_so)(MlirOperation op, int i)) {
  bool some = false;
  if (!w->bounded || w->point || w->parallel || w->cut || w->in_lanes)
    return false;
  for (int i = 0; i < w->level_count && !some; ++i)
    some = can_keep(w, i) && moves_so(w->op, i);
  return some;
}

static bool choose(const walked *w, int64_t *number) {
  (void)number;
  return choose_where(w, moves);
}

static bool choose_rows(const walked *w, int64_t *number) {
  *number = USUAL;
  return !strategy_is_taken(w->op, &cursor_strategy) && choose_where(w, comes_again);
}

const strategy cursor_strategy = {
    .name = "cursor",
    .words = "begins each window near where the last one began",
    .choose = choose,
};

const strategy cursors_strategy = {
    .name = "cursors",
    .words = "begins each window near where the last one of its row began",
    .choose = choose_rows,
    .has_number = true,
};
