/* point.c - a sit.coiterate at one coordinate, of levels that can locate it.
 *
 *     at %c                             position, found = locate(c)   of each level
 *       case (0, 1) ...                 if (found 0 and found 1) case (0, 1)
 *       case (0) ...           -->      else if (found 0) case (0)
 *       case () ...                     else case ()
 */
#include "coiterate.h"

#include "sit.h"

/* Whether it is the same coordinate on all lanes of a loop around. */
static bool is_one_point(const coiteration *c) {
  return c->at_point &&
         (!c->k->lanes || lowering_find(c->k, sit_coiterate_lower(c->op))->lanes == LANES_SAME);
}

bool coiterates_point(const coiteration *c) {
  bool all_locate = c->level_count && !c->parallel && is_one_point(c);
  for (int i = 0; all_locate && i < c->level_count; i++) {
    const walk *w = &c->levels[i];
    all_locate = (w->format->capabilities & LEVEL_LOCATE) && (w->properties & LEVEL_UNIQUE) &&
                 !w->parent.last.ptr && w->parent.lanes == LANES_SAME && !w->scratch.ptr;
  }
  return all_locate;
}

/* Whether level i has the coordinate; null where it always has. */
static MlirValue locate(coiteration *c, int i, lowered *position) {
  walk *w = &c->levels[i];
  entry n = walk_locate(w, c->low);
  *position = walk_position(w, &n, (MlirValue){NULL});
  return n.found;
}

/* Whether all levels of a case have it. */
static MlirValue all_found(coiteration *c, lattice_point levels, const MlirValue *found) {
  MlirValue all = constant_bool(c->k->b, true);
  for (int i = 0; i < c->level_count; i++)
    if (set_has(levels, i) && found[i].ptr)
      all = and_i(c->k->b, all, found[i]);
  return all;
}

static bool cases_from(coiteration *c, int number, const MlirValue *found,
                       const lowered *positions) {
  builder *b = c->k->b;
  if (number == c->case_count)
    return true;
  if (set_is_empty(c->cases[number]))
    return coiteration_body(c, number, c->low, positions);
  if_begin(b, all_found(c, c->cases[number], found));
  bool good = coiteration_body(c, number, c->low, positions);
  if_else(b);
  good = good && cases_from(c, number + 1, found, positions);
  if_end(b);
  return good;
}

/* With `any`: where some level has it, or all coordinates are visited. */
static bool all_at_once(coiteration *c, const MlirValue *found, lowered *positions) {
  builder *b = c->k->b;
  MlirValue some = constant_bool(b, c->extent.ptr != NULL);
  for (int i = 0; i < c->level_count; i++) {
    positions[i].present = found[i];
    some = or_i(b, some, found[i].ptr ? found[i] : constant_bool(b, true));
  }
  if_begin(b, some);
  bool good = coiteration_body(c, 0, c->low, positions);
  if_end(b);
  return good;
}

bool coiterate_point(coiteration *c) {
  MlirValue *found = ARENA_ARRAY(c->k->memory, MlirValue, c->level_count + 1);
  lowered *positions = ARENA_ARRAY(c->k->memory, lowered, c->level_count + 1);
  for (int i = 0; i < c->level_count; i++) {
    positions[i] = (lowered){0};
    found[i] = locate(c, i, &positions[i]);
  }
  return c->any ? all_at_once(c, found, positions) : cases_from(c, 0, found, positions);
}
