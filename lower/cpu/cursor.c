/* cursor.c - windows that move along a level: each is sought from where the last one began, by a
 * cursor that is kept from one iteration of the loop around to the next (Liu et al. 2024, section
 * 5.2.2).
 *
 *     sit.coiterate over %n {                       cursor = 0
 *     case () as (%i) {                             for i in 0..n-1
 *       sit.coiterate %x level 0 offset %i            cursor = the first place from cursor on, in
 *                     from %zero to %m                         steps of 1, 2, 4, ..., that is not
 *           strategies {cursor}                                below i
 *
 * Where the place before the cursor is not below, the window has moved down, and is sought among
 * all the places below.  So it is right however the windows move, and fast where they go up.
 */
#include "cursor.h"
#include "coiterate.h"
#include "search.h"
#include "strategy.h"

#include "cin.h"
#include "ir.h"
#include "op_list.h"
#include "sit.h"

typedef struct kept_cursor {
  struct kept_cursor *next;
  MlirOperation walk;
  int level; /* of the walk */
  variable place;
} kept_cursor;

/* ---- Which -------------------------------------------------------------------------------- */

static bool changes_in(MlirValue value, MlirOperation loop) {
  int64_t constant;
  return value.ptr && !value_is_constant_index(value, &constant) && value_is_made_in(loop, value);
}

/* Whether the loop around has the level begin elsewhere each time, below one position. */
static bool moves(MlirOperation op, int i) {
  MlirOperation loop = walked_loop_around(op);
  return !mlirOperationIsNull(loop) && cin_op_unit(loop) == CIN_SERIAL &&
         walked_is_fixed_in(sit_coiterate_parent(op, i), loop) &&
         (changes_in(sit_coiterate_lower(op), loop) ||
          changes_in(sit_coiterate_offset(op, i), loop));
}

static bool can_keep(const walked *w, int i) {
  const walked_level *l = &w->levels[i];
  return l->by_position && (l->properties & LEVEL_ORDERED) && !l->single && !l->scratch &&
         !l->below_segment && !l->below_none && !set_has(w->located, i) && moves(w->op, i);
}

/* ---- Keeping ------------------------------------------------------------------------------ */

struct kept_cursor *cursors_begin(lowering *k, MlirOperation loop) {
  kept_cursor *before = k->cursors;
  op_list walks = ops_below(k->memory, loop, sit_is_coiterate);
  for (int n = 0; n < walks.count; ++n) {
    MlirOperation op = walks.ops[n];
    if (!strategy_is_taken(op, &cursor_strategy) ||
        !mlirOperationEqual(walked_loop_around(op), loop))
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

static kept_cursor *cursor_of(const coiteration *c, int level) {
  kept_cursor *kept = c->k->cursors;
  while (kept && !(mlirOperationEqual(kept->walk, c->op) && kept->level == level))
    kept = kept->next;
  return kept && var_can_set(c->k->b, kept->place) ? kept : NULL;
}

/* ---- Seeking ------------------------------------------------------------------------------ */

typedef struct sought {
  walk *w;
  MlirValue bound;
} sought;

static MlirValue is_below(void *data, MlirValue place) {
  const sought *s = data;
  return less(s->w->k->b, walk_access(s->w, place).coordinate, s->bound);
}

/* Whether the place is one of those from `from` on, and it is below, or (`below` false) is not. */
static MlirValue has_place(sought *s, MlirValue from, MlirValue place, bool below) {
  builder *b = s->w->k->b;
  int mark = var_mark(b);
  variable found = var_make(b, constant_bool(b, false));
  if_begin(b, and_i(b, less_equal(b, from, place), less(b, place, s->w->end)));
  MlirValue is = is_below(s, place);
  var_set(b, found, below ? is : equal(b, is, constant_bool(b, false)));
  if_end(b);
  MlirValue result = var_get(b, found);
  var_release(b, mark);
  return result;
}

/* The first place from `at` on, those before it being below, that is not. */
static MlirValue seek_up(sought *s, MlirValue at) {
  builder *b = s->w->k->b;
  MlirValue one = constant_index(b, 1);
  int mark = var_mark(b);
  variable low = var_make(b, at), step = var_make(b, one);
  while_begin(b);
  MlirValue last = sub(b, add(b, var_get(b, low), var_get(b, step)), one);
  while_do(b, has_place(s, at, last, true));
  var_set(b, low, add(b, var_get(b, low), var_get(b, step)));
  var_set(b, step, add(b, var_get(b, step), var_get(b, step)));
  while_end(b);
  MlirValue high = sub(b, add(b, var_get(b, low), var_get(b, step)), one);
  MlirValue first = search_first(b, var_get(b, low), min_i(b, s->w->end, high), is_below, s);
  var_release(b, mark);
  return first;
}

static MlirValue seek_from(sought *s, MlirValue near) {
  builder *b = s->w->k->b;
  walk *w = s->w;
  int mark = var_mark(b);
  MlirValue at = max_i(b, w->begin, min_i(b, near, w->end));
  variable first = var_make(b, at);
  if_begin(b, has_place(s, w->begin, sub(b, at, constant_index(b, 1)), false));
  var_set(b, first, search_first(b, w->begin, at, is_below, s));
  if_else(b);
  var_set(b, first, seek_up(s, at));
  if_end(b);
  MlirValue result = var_get(b, first);
  var_release(b, mark);
  return result;
}

bool cursor_clip(coiteration *c, int level, MlirValue low, MlirValue high) {
  walk *w = &c->levels[level];
  kept_cursor *kept = low.ptr && w->by_position && !w->scratch.ptr ? cursor_of(c, level) : NULL;
  if (!kept)
    return false;
  sought s = {w, low};
  w->begin = seek_from(&s, var_get(c->k->b, kept->place));
  var_set(c->k->b, kept->place, w->begin);
  s.bound = high;
  if (high.ptr)
    w->end = seek_up(&s, w->begin);
  return true;
}

/* ---- The choice --------------------------------------------------------------------------- */

static bool choose(const walked *w, int64_t *number) {
  bool some = false;
  (void)number;
  for (int i = 0; i < w->level_count; ++i)
    some |= can_keep(w, i);
  return some && w->bounded && !w->point && !w->parallel && !w->cut && !w->in_lanes;
}

const strategy cursor_strategy = {
    .name = "cursor",
    .words = "begins each window near where the last one began",
    .choose = choose,
};
