/* pos.c - p numbers what a level of an operand stores of j, all of it, in the order in which it is
 * stored (Senanayake et al. 2020, sections 3.3, 4 and 5): a variable in position space, in the
 * place of j.
 *
 *     A : (i : dense, j : compressed)        p        0  1 | 2 | | 3  4  5 |
 *                                            i          0    1  2     3
 *
 * Every point (i, j), stored or not, belongs to one position, so that any statement can be computed
 * piece by piece: to that of the next entry of its i, and where there is none, to the one behind
 * the last entry of its i.  With x an end of a piece [low, high), b and e those of the positions
 * below i:
 *
 *     bounds     of j, from p and i:    j(x) = 0                              x <= b
 *                                              coordinate at x - 1, and one   b < x <= e
 *                                              N                              e < x
 *                of p, from i:          b .. e
 *                of i, from p:          those whose positions begin before `high`, the first of
 *                                       them the last that begins before `low`
 *     extent     of p: the number of positions, and one: behind the last of all
 *
 * Those of i are found by search in what is stored, from those of the piece before on
 * (lower/iterate/parents.c); the level format says how (level_format.h, parents_before).  So pieces
 * of equal size are dealt out whichever loop stands outside,
 *
 *     split(p,p0,p1,n), loops i, p0, p1      pieces of each i
 *     loops p0, i, p1                        pieces of all that is stored, i begins where it ends
 *
 * j is found by search at the begin of each piece, and walked from there.
 */
#include "relation.h"

#include "cin.h"
#include "ir.h"
#include "tensor_format.h"

static int inner_of(const relation *r) {
  return r->parents[0];
}

/* The variables of levels above the positions', so many, the outermost first. */
static bool are_known(const relation_scope *s, int count) {
  for (int n = 0; n < count; ++n)
    if (!s->is_known(s, s->relation->parents[1 + n]))
      return false;
  return true;
}

static int level_of_variable(const relation *r, int node) {
  int level = 0;
  while (r->parents[1 + level] != node)
    ++level;
  return level;
}

static int64_t pos_static_extent(const relation_scope *s, int child) {
  (void)s, (void)child;
  return -1;
}

static MlirValue pos_extent(const relation_scope *s, int child) {
  (void)child;
  return add(s->b, s->level_count(s, inner_of(s->relation)), constant_index(s->b, 1));
}

/* ---- Bounds ------------------------------------------------------------------------------- */

static bool pos_bounds_from(const relation_scope *s, int node) {
  const relation *r = s->relation;
  int above = r->parent_count - 1, position = r->children[0];
  if (node == position)
    return are_known(s, above);
  if (!s->is_bounded(s, position))
    return false;
  return are_known(s, node == inner_of(r) ? above : level_of_variable(r, node));
}

/* The coordinate after the one at the position before. */
static MlirValue coordinate_after(const relation_scope *s, int node, MlirValue position) {
  MlirValue one = constant_index(s->b, 1);
  return add(s->b, s->level_coordinate(s, node, sub(s->b, position, one)), one);
}

/* The positions of the level above that those of this one, `within`, are below. */
static interval parents_of(const relation_scope *s, int node, interval within) {
  MlirValue one = constant_index(s->b, 1);
  MlirValue first = max_i(s->b, s->level_parents(s, node, within.low), one);
  return (interval){sub(s->b, first, one), s->level_parents(s, node, within.high)};
}

static interval bounds_above(const relation_scope *s, int node) {
  const relation *r = s->relation;
  interval within = s->bounds(s, r->children[0]);
  int level = r->parent_count - 1;
  for (int below = inner_of(r); below != node; below = r->parents[level + 1]) {
    within = parents_of(s, below, within);
    --level;
  }
  MlirValue low = s->level_coordinate(s, node, within.low);
  low = max_i(s->b, low, constant_index(s->b, 0));
  return (interval){low, max_i(s->b, low, coordinate_after(s, node, within.high))};
}

static interval pos_bounds(const relation_scope *s, int node) {
  const relation *r = s->relation;
  if (node == r->children[0]) {
    interval below = s->level_positions(s, inner_of(r));
    return (interval){below.low, add(s->b, below.high, constant_index(s->b, 1))};
  }
  if (node != inner_of(r))
    return bounds_above(s, node);
  interval within = s->bounds(s, r->children[0]);
  MlirValue low = coordinate_after(s, node, within.low);
  return (interval){low, max_i(s->b, low, coordinate_after(s, node, within.high))};
}

/* ---- What can be numbered ----------------------------------------------------------------- */

static relation_space pos_space(const relation *r, int child) {
  (void)child;
  return (relation_space){true, cin_pos_tensor(r->op), (int)cin_pos_level(r->op)};
}

static bool refuse(MlirOperation op, const tensor_format *format, int level, const char *what) {
  return error_at(op, "expected %s, found level %d (%s)", what, level,
                  format->levels[level].format->name);
}

/* Whether any of its positions can be looked at, in ascending order of the coordinates. */
static bool can_number(MlirOperation op, const tensor_format *format, int level) {
  const format_level *l = &format->levels[level];
  if (!(l->format->capabilities & LEVEL_POSITION_ITERATION))
    return refuse(op, format, level, "a level that is walked by position");
  if (!(l->properties & LEVEL_ORDERED))
    return refuse(op, format, level, "a level whose coordinates ascend");
  if (l->format->cursors || l->format->properties & LEVEL_PADDED)
    return refuse(op, format, level,
                  "a level that has a coordinate at every position, each by itself");
  return true;
}

static bool has_parents(const level_format *format) {
  return format->parents_before ||
         (format->capabilities & LEVEL_POSITION_ITERATION && format->properties & LEVEL_COMPACT);
}

static bool pos_verify(MlirOperation op) {
  arena *memory = arena_create();
  int level = (int)cin_pos_level(op);
  const tensor_format *format =
      tensor_format_get(memory, mlirValueGetType(cin_pos_tensor(op)), mlirOperationGetLocation(op));
  bool good = format && can_number(op, format, level);
  for (int l = 0; good && l <= level; ++l)
    good = has_parents(format->levels[l].format) ||
           refuse(op, format, l, "levels whose positions stand in the order of their parents");
  arena_free(memory);
  return good;
}

const relation_rule pos_relation = {
    .name = "cin.pos",
    .consumes = 1,
    .ways = first_parent_ways,
    .static_extent = pos_static_extent,
    .extent = pos_extent,
    .verify = pos_verify,
    .bounds_from = pos_bounds_from,
    .bounds = pos_bounds,
    .contiguous_child = 0,
    .space = pos_space,
};
