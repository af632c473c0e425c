/* seek.c - levels of a merge that are much longer than those that they meet.
 *
 *     B   3 . . . . . 9 . . . . . . . 17                  few
 *     C   1 2 4 5 6 7 8 9 10 11 12 13 14 15 16 18 19      LONGER times as many
 *                       ^ from 4 on to 9 at once
 *
 * An entry of a level counts only where all other levels of some case have the coordinate too.  So
 * a level can go on to the least coordinate that is left to all others of one of its cases,
 *
 *     case (B, C)                  C goes on to B's
 *     case (B, C, D)               C goes on to the greater of B's and D's
 *     case (B, C), case (C, D)     C goes on to the lesser of B's and D's
 *     case (B, C), case (C)        C goes on one by one
 *
 * and does where it has at that time much more entries left than one of them (Demaine,
 * Lopez-Ortiz, Munro: Adaptive Set Intersections, Unions, and Differences, 2000; Barbay, Kenyon:
 * Adaptive Intersection and t-Threshold Problems, 2002).  Which levels that are is decided once
 * before the loop.
 */
#include "merge.h"
#include "strategy.h"

#include "ir.h"
#include "sit.h"

enum { LONGER = 8 };

typedef MlirValue pick(builder *b, MlirValue x, MlirValue y);

static MlirValue pick_of(merge *m, lattice_point levels, const MlirValue *values, pick *better) {
  MlirValue best = {NULL};
  for (int i = 0; i < m->c->level_count; i++)
    if (set_has(levels, i))
      best = best.ptr ? better(m->b, best, values[i]) : values[i];
  return best;
}

/* Picks one value of the others for each case of the level, and then one of those; null where a
 * case has no others. */
static MlirValue pick_of_others(merge *m, lattice_point point, int level, const MlirValue *values,
                                pick *within, pick *among) {
  MlirValue best = {NULL};
  for (int n = 0; n < m->c->case_count; n++) {
    lattice_point all = m->c->cases[n], others = set_minus(m->c->k->memory, all, m->located);
    set_remove(m->c->k->memory, &others, level);
    if (!set_has(all, level) || !merge_has_case(m, point, n))
      continue;
    if (set_is_empty(others))
      return (MlirValue){NULL};
    MlirValue value = pick_of(m, others, values, within);
    best = best.ptr ? among(m->b, best, value) : value;
  }
  return best;
}

static MlirValue places_left(merge *m, const strand *s) {
  return sub(m->b, s->walk->end, var_get(m->b, s->cursor));
}

static bool can_seek(const strand *s) {
  return s->walk->properties & LEVEL_ORDERED && !walk_is_single(s->walk);
}

static MlirValue is_longer(builder *b, MlirValue many, MlirValue few, int64_t times) {
  return less(b, mul(b, few, constant_index(b, times)), many);
}

seeking seek_begin(merge *m, lattice_point point) {
  builder *b = m->b;
  arena *memory = m->c->k->memory;
  MlirValue *left = ARENA_ARRAY(memory, MlirValue, m->c->level_count + 1);
  seeking s = {.is_long = ARENA_ARRAY(memory, MlirValue, m->c->level_count + 1),
               .near = ARENA_ARRAY(memory, MlirValue, m->c->level_count + 1)};
  if (!strategy_is_taken(m->c->op, &search_strategy))
    return s;
  for (int i = 0; i < m->c->level_count; i++)
    if (set_has(point, i))
      left[i] = places_left(m, &m->strands[i]);
  for (int i = 0; i < m->c->level_count; i++) {
    if (!set_has(point, i) || !can_seek(&m->strands[i]))
      continue;
    MlirValue least = pick_of_others(m, point, i, left, min_i, max_i);
    if (!least.ptr)
      continue;
    s.is_long[i] = is_longer(b, left[i], least, LONGER);
    s.near[i] = select_value(b, is_longer(b, left[i], least, WALK_NEAR), constant_index(b, 0),
                             constant_index(b, WALK_NEAR));
    s.any = s.any.ptr ? or_i(b, s.any, s.is_long[i]) : s.is_long[i];
  }
  return s;
}

static void seek_levels(merge *m, lattice_point point, const seeking *s) {
  builder *b = m->b;
  MlirValue *heads = ARENA_ARRAY(m->c->k->memory, MlirValue, m->c->level_count + 1);
  for (int i = 0; i < m->c->level_count; i++)
    if (set_has(point, i))
      heads[i] = walk_access(m->strands[i].walk, var_get(b, m->strands[i].cursor)).coordinate;
  for (int i = 0; i < m->c->level_count; i++) {
    if (!s->is_long[i].ptr)
      continue;
    strand *t = &m->strands[i];
    if_begin(b, s->is_long[i]);
    MlirValue bound = pick_of_others(m, point, i, heads, max_i, min_i);
    var_set(b, t->cursor, walk_gallop(t->walk, var_get(b, t->cursor), bound));
    if_end(b);
  }
}

void seek(merge *m, lattice_point point, const seeking *s) {
  if (!s->any.ptr)
    return;
  if_begin(m->b, s->any);
  if_begin(m->b, merge_has_places(m, point));
  seek_levels(m, point, s);
  if_end(m->b);
  if_end(m->b);
}

/* ---- The choice --------------------------------------------------------------------------- */

/* Whether all cases of the level within a point have others, so that it can go on to theirs. */
static bool has_others(const walked *w, lattice_point point, int level) {
  arena *memory = w->k->memory;
  lattice_point within = set_union(memory, point, w->located);
  lattice_point not_others = set_union(memory, w->located, set_of(memory, level));
  bool any = false;
  for (int n = 0; n < w->case_count; n++) {
    if (!set_has(w->cases[n], level) || !set_within(w->cases[n], within))
      continue;
    if (set_within(w->cases[n], not_others))
      return false;
    any = true;
  }
  return any;
}

static bool seeks_at(const walked *w, lattice_point point) {
  for (int i = set_first(point); i >= 0; i = set_next(point, i + 1)) {
    const walked_level *l = &w->levels[i];
    if (l->properties & LEVEL_ORDERED && !l->single && has_others(w, point, i))
      return true;
  }
  return false;
}

static bool choose(const walked *w, int64_t *number) {
  lattice_point points[WALKED_POINTS_MAX];
  (void)number;
  if (!walked_merges(w) || w->parallel || w->whole)
    return false;
  int count = walked_points(w->k->memory, w->op, w->located, points);
  for (int p = 0; p < count; p++)
    if (seeks_at(w, points[p]))
      return true;
  return false;
}

/* In a merge of many operands, whose cases have merges of their own, the searches would be half of
 * the code and more of the time to compile it. */
enum { SEARCHED_LEVELS = 21 };

const strategy search_strategy = {
    .name = "search",
    .words = "skips by searching where one is much longer than the others",
    .choose = choose,
    .most_levels = SEARCHED_LEVELS,
};
