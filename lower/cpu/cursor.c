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
 * A window that has moved down is found the same way.  So it is right however the windows move, and
 * fast where they move little.
 */
#include "cursor.h"
#include "coiterate.h"
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

bool cursor_clip(coiteration *c, int level, MlirValue low, MlirValue high) {
  walk *w = &c->levels[level];
  kept_cursor *kept = low.ptr && w->by_position && !w->scratch.ptr ? cursor_of(c, level) : NULL;
  if (!kept)
    return false;
  MlirValue last = max_i(c->k->b, w->begin, min_i(c->k->b, var_get(c->k->b, kept->place), w->end));
  w->begin = walk_seek_near(w, w->begin, last, low);
  var_set(c->k->b, kept->place, w->begin);
  if (high.ptr)
    w->end = walk_seek_near(w, w->begin, w->begin, high);
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
