/* merge.c - several levels walked together.
 *
 * Each level has a cursor, at a place.  For each point of the merge lattice, from the top down, a
 * loop runs while all levels of the point have places left (Kjolstad et al. 2017, section 5; Chou
 * et al. 2018, figure 9):
 *
 *     while (b < b_end && c < c_end)            point {B, C}
 *       i = min(B.crd[b], C.crd[c])
 *       if (B.crd[b] == i && C.crd[c] == i)  case (0, 1)
 *       else if (B.crd[b] == i)              case (0)
 *       else if (C.crd[c] == i)              case (1)
 *       b += B.crd[b] == i;  c += C.crd[c] == i
 *     while (b < b_end) ...                     point {B}
 *     while (c < c_end) ...                     point {C}
 *
 * Where the cases do the same with other values, select.c does without the branches. The points are
 * the unions of cases.  Where they or their code are many (merge_points.c), and where every
 * coordinate of a range is visited, one loop is made instead (merge_heads.c); an intersection of
 * two levels compares blocks (intersect.c), or looks up one in a table of the other (look_up.c).  A
 * level that is much longer than those that it meets is searched (seek.c).
 *
 * Levels that merge_strategy.h locates have no cursor and are in no point: at a coordinate of the
 * others, where some case wants them, their entry is located.
 *
 *     for b in B.pos[p]..B.pos[p+1]-1           {B, D}, D located
 *       i = B.crd[b];  d, found = locate(D, i)
 *       if (found) case (0, 1)
 */
#include "merge.h"

#include "ir.h"
#include "look_up.h"
#include "merge_strategy.h"
#include "strategy.h"

#include <mlir-c/BuiltinAttributes.h>

/* The dispatch on cases, given for each level whether it is present. */

static MlirValue all_present(merge *m, lattice_point levels) {
  MlirValue all = constant_bool(m->b, true);
  for (int i = 0; i < m->c->level_count; i++)
    if (set_has(levels, i))
      all = and_i(m->b, all, m->strands[i].present);
  return all;
}

static bool case_body(merge *m, int number, MlirValue coordinate) {
  lowered *positions = ARENA_ARRAY(m->c->k->memory, lowered, m->c->level_count + 1);
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    MlirValue last = s->walk->chained ? var_get(m->b, s->last) : (MlirValue){NULL};
    if (!set_has(m->c->cases[number], i))
      continue;
    if (m->heads && !s->located)
      s->entry = walk_access(s->walk, s->place);
    positions[i] = walk_position(s->walk, &s->entry, last);
  }
  return coiteration_body(m->c, number, coordinate, positions);
}

bool merge_has_case(const merge *m, lattice_point point, int number) {
  bool within = true;
  for (int i = set_first(m->c->cases[number]); i >= 0 && within;
       i = set_next(m->c->cases[number], i + 1))
    within = set_has(point, i) || set_has(m->located, i);
  return within;
}

/* if (case number) ... else if (the next one within `point`) ... */
static bool cases_from(merge *m, int number, lattice_point point, MlirValue coordinate) {
  while (number < m->c->case_count && !merge_has_case(m, point, number))
    number++;
  if (number == m->c->case_count)
    return true;
  if (set_is_empty(m->c->cases[number]))
    return case_body(m, number, coordinate);
  if_begin(m->b, all_present(m, m->c->cases[number]));
  bool good = case_body(m, number, coordinate);
  if_else(m->b);
  good = good && cases_from(m, number + 1, point, coordinate);
  if_end(m->b);
  return good;
}

/* Located levels: where a case that has the level may be the one, its entry at the coordinate. */

static MlirValue is_wanted(merge *m, lattice_point point, int level) {
  MlirValue wanted = constant_bool(m->b, false);
  for (int i = 0; i < m->c->case_count; i++)
    if (set_has(m->c->cases[i], level) && merge_has_case(m, point, i))
      wanted = or_i(m->b, wanted,
                    all_present(m, set_minus(m->c->k->memory, m->c->cases[i], m->located)));
  return wanted;
}

static void locate_strand(merge *m, lattice_point point, int level, MlirValue coordinate) {
  builder *b = m->b;
  strand *s = &m->strands[level];
  int mark = var_mark(b);
  variable there = var_make(b, constant_bool(b, false)), at = var_make(b, constant_index(b, 0));
  if_begin(b, is_wanted(m, point, level));
  entry n = walk_locate(s->walk, coordinate);
  var_set(b, at, n.position);
  var_set(b, there, n.found.ptr ? n.found : constant_bool(b, true));
  if_end(b);
  s->present = var_get(b, there);
  s->entry = (entry){.coordinate = coordinate, .position = var_get(b, at)};
  var_release(b, mark);
}

/* With `any`: a level's position where it has the coordinate, else none. */
static lowered position_if_present(merge *m, strand *s, MlirValue coordinate) {
  builder *b = m->b;
  int mark = var_mark(b);
  variable at = var_make(b, constant_index(b, 0));
  if_begin(b, s->present);
  var_set(b, at, s->located ? s->entry.position : walk_access(s->walk, s->place).position);
  if_end(b);
  entry n = {.coordinate = coordinate, .position = var_get(b, at)};
  var_release(b, mark);
  MlirValue last = s->walk->chained && !s->located ? var_get(b, s->last) : (MlirValue){NULL};
  lowered position = walk_position(s->walk, &n, last);
  position.present = s->present;
  return position;
}

static bool all_at_once(merge *m, MlirValue coordinate) {
  lowered *positions = ARENA_ARRAY(m->c->k->memory, lowered, m->c->level_count + 1);
  for (int i = 0; i < m->c->level_count; i++)
    positions[i] = position_if_present(m, &m->strands[i], coordinate);
  return coiteration_body(m->c, 0, coordinate, positions);
}

bool merge_cases(merge *m, lattice_point point, MlirValue coordinate) {
  for (int i = 0; i < m->c->level_count; i++)
    if (set_has(m->located, i))
      locate_strand(m, point, i, coordinate);
  return m->c->any ? all_at_once(m, coordinate) : cases_from(m, 0, point, coordinate);
}

void merge_find_last(merge *m, strand *s, MlirValue coordinate) {
  var_set(m->b, s->last, s->place);
  if_begin(m->b, s->here);
  var_set(m->b, s->last, walk_segment_end(s->walk, s->place, coordinate));
  if_end(m->b);
}

/* Lattice loops. */

MlirValue merge_has_places(merge *m, lattice_point point) {
  MlirValue all = constant_bool(m->b, true);
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (!set_has(point, i))
      continue;
    MlirValue end = m->are_followed ? s->followed : s->walk->end;
    all = and_i(m->b, all, less(m->b, var_get(m->b, s->cursor), end));
  }
  return all;
}

MlirValue merge_least(merge *m, lattice_point point, strand_coordinate *coordinate) {
  MlirValue least = {NULL};
  for (int i = set_first(point); i >= 0; i = set_next(point, i + 1)) {
    MlirValue found = coordinate(m, &m->strands[i]);
    least = least.ptr ? min_i(m->b, least, found) : found;
  }
  return least;
}

static MlirValue coordinate_at_cursor(merge *m, strand *s) {
  s->place = var_get(m->b, s->cursor);
  s->entry = walk_access(s->walk, s->place);
  return s->entry.coordinate;
}

static void find_present(merge *m, lattice_point point, MlirValue coordinate) {
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (!set_has(point, i))
      continue;
    s->here = equal(m->b, s->entry.coordinate, coordinate);
    s->present = s->entry.found.ptr ? and_i(m->b, s->here, s->entry.found) : s->here;
    if (s->walk->chained)
      merge_find_last(m, s, coordinate);
  }
}

static void advance(merge *m, lattice_point point) {
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (!set_has(point, i))
      continue;
    MlirValue step = index_cast(m->b, s->here, type_index(m->b));
    var_set(m->b, s->cursor, s->walk->chained ? var_get(m->b, s->last) : add(m->b, s->place, step));
  }
}

bool merge_branching_loop(merge *m, lattice_point point, const seeking *s) {
  while_begin(m->b);
  coiteration_unroll(m->c);
  if (s)
    seek(m, point, s);
  while_do(m->b, merge_has_places(m, point));
  MlirValue coordinate = merge_least(m, point, coordinate_at_cursor);
  find_present(m, point, coordinate);
  bool good = merge_cases(m, point, coordinate);
  advance(m, point);
  while_end(m->b);
  return good;
}

/* The loop of a point whose cases are all done at once (select.c).  The coordinate at each cursor
 * is in a variable, its head, and the one after it is loaded before it is known whether it is next,
 * so that one iteration waits for a comparison only, not for memory:
 *
 *     next = B.crd[b + 1]
 *     i = min(B.head, C.head)
 *     b += B.head == i;  B.head = B.head == i ? next : B.head
 *
 * What is behind the last one, below the next parent, is loaded in vain.  At the last of all, as in
 * the last row, a loop of its own goes on, which loads B.crd[min(b + 1, b_end - 1)].
 */

static bool load_heads(merge *m, lattice_point point) {
  bool all_there = true;
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (!set_has(point, i))
      continue;
    s->entry = walk_access(s->walk, var_get(m->b, s->cursor));
    s->head = var_make(m->b, s->entry.coordinate);
    all_there &= !s->entry.found.ptr;
  }
  return all_there;
}

static MlirValue coordinate_after(merge *m, const strand *s) {
  MlirValue one = constant_index(m->b, 1), after = add(m->b, s->place, one);
  if (!m->are_followed)
    after = min_i(m->b, after, sub(m->b, s->walk->end, one));
  return walk_access(s->walk, after).coordinate;
}

/* The coordinate at the cursor, as its head has it. */
static MlirValue coordinate_of_head(merge *m, strand *s) {
  coordinate_at_cursor(m, s);
  return s->entry.coordinate = var_get(m->b, s->head);
}

static void advance_heads(merge *m, lattice_point point) {
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (!set_has(point, i))
      continue;
    MlirValue next = coordinate_after(m, s);
    var_set(m->b, s->head, select_value(m->b, s->here, next, s->entry.coordinate));
  }
  advance(m, point);
}

static bool selected_cases(merge *m, lattice_point point, MlirValue coordinate) {
  MlirValue *present = ARENA_ARRAY(m->c->k->memory, MlirValue, m->c->level_count + 1);
  lowered *positions = ARENA_ARRAY(m->c->k->memory, lowered, m->c->level_count + 1);
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (!set_has(point, i))
      continue;
    present[i] = s->present = s->here = equal(m->b, s->entry.coordinate, coordinate);
    positions[i] = walk_position(s->walk, &s->entry, (MlirValue){NULL});
  }
  return cases_select(m->c, point, coordinate, present, positions);
}

static bool selecting_loop(merge *m, lattice_point point) {
  while_begin(m->b);
  coiteration_unroll(m->c);
  while_do(m->b, merge_has_places(m, point));
  MlirValue coordinate = merge_least(m, point, coordinate_of_head);
  bool good = selected_cases(m, point, coordinate);
  advance_heads(m, point);
  while_end(m->b);
  return good;
}

/* Whether it is known of all levels of the point. */
static bool find_followed(merge *m, lattice_point point) {
  bool all = true;
  for (int i = 0; all && i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (set_has(point, i))
      all = (s->followed = walk_followed(s->walk)).ptr;
  }
  return all;
}

static bool selecting_loops(merge *m, lattice_point point) {
  m->are_followed = find_followed(m, point);
  bool good = !m->are_followed || selecting_loop(m, point);
  m->are_followed = false;
  return good && selecting_loop(m, point);
}

static bool selects(merge *m, lattice_point point) {
  if (!strategy_is_taken(m->c->op, &select_strategy))
    return false;
  for (int i = 0; i < m->c->level_count; i++)
    if (set_has(point, i) && m->strands[i].walk->chained)
      return false;
  for (int i = 0; i < m->c->case_count; i++)
    if (set_meets(m->c->cases[i], m->located) && merge_has_case(m, point, i))
      return false;
  return !m->c->k->lanes &&
         cases_selectable(m->c->k->memory, m->c->op, m->c->case_count, m->c->cases, point);
}

static bool seeking_loop(merge *m, lattice_point point) {
  seeking s = seek_begin(m, point);
  return merge_branching_loop(m, point, &s);
}

static bool point_loop(merge *m, lattice_point point) {
  if (!selects(m, point))
    return seeking_loop(m, point);
  int mark = var_mark(m->b);
  if_begin(m->b, merge_has_places(m, point));
  bool good = load_heads(m, point) ? selecting_loops(m, point) : seeking_loop(m, point);
  if_end(m->b);
  var_release(m->b, mark);
  return good;
}

static bool rest_iteration(merge *m, int i) {
  strand *s = &m->strands[i];
  s->entry = walk_access(s->walk, s->place);
  MlirValue guard = coiteration_guard(m->c, s->walk, &s->entry);
  s->present = guard.ptr ? guard : constant_bool(m->b, true);
  return merge_cases(m, set_of(m->c->k->memory, i), s->entry.coordinate);
}

/* A point of one level that has no duplicates to keep together: what is left of it. */
static bool rest_loop(merge *m, int i) {
  strand *s = &m->strands[i];
  MlirValue end = s->walk->end;
  s->place = for_begin(m->b, var_get(m->b, s->cursor), end, constant_index(m->b, 1));
  coiteration_unroll(m->c);
  bool good = rest_iteration(m, i);
  for_end(m->b);
  return good;
}

static bool loop_of(merge *m, lattice_point point) {
  int first = set_first(point);
  bool alone = set_size(point) == 1;
  return alone && !m->strands[first].walk->chained ? rest_loop(m, first) : point_loop(m, point);
}

static bool lattice_loops(merge *m, const lattice_point *points, int count) {
  bool good = true;
  for (int i = 0; good && i < count; i++)
    good = loop_of(m, points[i]);
  return good;
}

static bool merging_loops(merge *m) {
  lattice_point points[WALKED_POINTS_MAX];
  if (blocks_can_meet(m))
    return blocks_loop(m);
  if (m->c->extent.ptr)
    return merge_coordinate_loop(m);
  int count = walked_points(m->c->k->memory, m->c->op, m->located, points);
  return count < 0 ? merge_head_loop(m) : lattice_loops(m, points, count);
}

static bool merge_loops(merge *m) {
  MlirValue ready = look_up_begin(m);
  if (!ready.ptr)
    return merging_loops(m);
  if_begin(m->b, ready);
  bool good = look_up_loop(m);
  if_else(m->b);
  good = good && merging_loops(m);
  if_end(m->b);
  return good;
}

static void choose_located(merge *m) {
  const coiteration *c = m->c;
  merged_level *levels = ARENA_ARRAY(c->k->memory, merged_level, c->level_count + 1);
  for (int i = 0; i < c->level_count; i++) {
    const walk *w = &c->levels[i];
    levels[i] = (merged_level){w->format->capabilities, w->properties};
    if (w->parent.last.ptr || w->scratch.ptr)
      levels[i].capabilities &= ~(unsigned)LEVEL_LOCATE;
  }
  m->located =
      merge_located(c->k->memory, c->level_count, levels, c->case_count, c->cases, c->extent.ptr);
  for (int i = 0; i < c->level_count; i++)
    m->strands[i].located = set_has(m->located, i);
}

static int walked_count(const merge *m) {
  return m->c->level_count - set_size(m->located);
}

static int first_walked(const merge *m) {
  int first = 0;
  while (set_has(m->located, first))
    first++;
  return first;
}

static bool all_ordered(const merge *m) {
  const coiteration *c = m->c;
  for (int i = 0; i < c->level_count && (walked_count(m) > 1 || c->extent.ptr); i++)
    if (!m->strands[i].located && !(c->levels[i].properties & LEVEL_ORDERED))
      return error_at(
          c->op,
          "'sit.coiterate' expected ordered levels where several are walked together or a whole "
          "range is visited, found level %d '%s' unordered",
          c->levels[i].number, c->levels[i].format->name);
  return true;
}

static void begin_strands(merge *m) {
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    s->walk = &m->c->levels[i];
    if (s->located)
      continue;
    if (s->walk->properties & LEVEL_ORDERED)
      coiteration_clip(m->c, i, m->c->low, m->c->extent.ptr ? (MlirValue){NULL} : m->c->high);
    s->cursor = var_make(m->b, s->walk->begin);
    s->last = var_make(m->b, s->walk->begin);
  }
}

/* One walked level, or none and all coordinates, on threads: the others are located in each
 * iteration. */

static bool visit_place(coiteration *c, MlirValue place) {
  merge *m = c->visitor;
  int i = first_walked(m);
  m->strands[i].place = place;
  return rest_iteration(m, i);
}

static bool visit_coordinate(coiteration *c, MlirValue coordinate) {
  return merge_cases(c->visitor, set_empty(), coordinate);
}

static bool parallel_loops(merge *m) {
  coiteration *c = m->c;
  const walk *w = walked_count(m) ? &c->levels[first_walked(m)] : NULL;
  if (walked_count(m) + (c->extent.ptr != NULL) != 1 || (w && w->chained))
    return error_at(c->op,
                    "'sit.coiterate' cannot run in parallel: expected one case of one level "
                    "or of none, found %d levels and %d cases",
                    c->level_count, c->case_count);
  c->visitor = m;
  c->visit = w ? visit_place : visit_coordinate;
  if (w)
    return coiteration_dealt_loop(c, w->begin, w->end);
  MlirValue begin = c->low.ptr ? c->low : constant_index(m->b, 0);
  return coiteration_dealt_loop(c, begin, coiteration_high(c));
}

bool coiterate_merge(coiteration *c) {
  merge m = {
      .c = c, .b = c->k->b, .strands = ARENA_ARRAY(c->k->memory, strand, c->level_count + 1)};
  choose_located(&m);
  if (!all_ordered(&m))
    return false;
  int mark = var_mark(m.b);
  begin_strands(&m);
  bool good = c->parallel ? parallel_loops(&m) : merge_loops(&m);
  var_release(m.b, mark);
  return good;
}
