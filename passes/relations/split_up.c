/* split_up.c - i split into s pieces of equal size, in the place of i.
 *
 *     extent     of o: s      of n: e = ceil(extent(i) / s), at least 1
 *     recover    i = e o + n
 *     bounds     of i, when o is known: e o + bounds(n), cut at extent(i)
 *                of o, where [low, high) is left of i: low floordiv e .. (high - 1) floordiv e
 *     guard      i < extent(i), unless s divides extent(i)
 *
 * It is split.c with the size of a piece known where the code runs: with the number of pieces that
 * of threads, each has one.  (Senanayake et al. 2020, section 4, "split up"; TACO's `divide`.)
 */
#include "relation.h"

enum { OUTER, INNER };

static int64_t pieces_of(const relation_scope *s) {
  return s->relation->size;
}

static int64_t split_up_static_extent(const relation_scope *s, int child) {
  int64_t whole = s->static_extent(s, s->relation->parents[0]);
  if (child == OUTER)
    return pieces_of(s);
  if (whole < 0)
    return -1;
  int64_t piece = whole / pieces_of(s) + (whole % pieces_of(s) != 0);
  return piece ? piece : 1;
}

static MlirValue split_up_extent(const relation_scope *s, int child) {
  MlirValue pieces = constant_index(s->b, pieces_of(s));
  if (child == OUTER)
    return pieces;
  MlirValue piece = ceil_div(s->b, scope_extent(s, s->relation->parents[0]), pieces);
  return max_i(s->b, piece, constant_index(s->b, 1));
}

static MlirValue piece_size(const relation_scope *s) {
  return scope_extent(s, s->relation->children[INNER]);
}

static MlirValue base_of_piece(const relation_scope *s) {
  return mul(s->b, scope_coordinate(s, s->relation->children[OUTER]), piece_size(s));
}

static bool overruns(const relation_scope *s) {
  int64_t whole = s->static_extent(s, s->relation->parents[0]);
  return whole <= 0 || whole % pieces_of(s) != 0;
}

static void split_up_ways(relation_graph *graph, const relation *r) {
  relation_graph_way(graph, r, r->parents[0], 2, r->children);
}

static MlirValue split_up_coordinate(const relation_scope *s, int node) {
  (void)node;
  MlirValue base = base_of_piece(s);
  return add(s->b, base, scope_coordinate(s, s->relation->children[INNER]));
}

static MlirValue split_up_guard(const relation_scope *s, int node, bool bounded) {
  (void)bounded;
  return overruns(s) ? less(s->b, scope_coordinate(s, node), scope_extent(s, node))
                     : (MlirValue){NULL};
}

static bool split_up_bounds_from(const relation_scope *s, int node) {
  int parent = s->relation->parents[0], outer = s->relation->children[OUTER];
  return node == parent ? s->is_known(s, outer) : node == outer && s->is_bounded(s, parent);
}

static interval pieces_within(const relation_scope *s) {
  MlirValue size = piece_size(s);
  interval left = s->bounds(s, s->relation->parents[0]);
  return (interval){floor_div(s->b, left.low, size), ceil_div(s->b, left.high, size)};
}

/* The last pieces may begin behind the end: they are empty. */
static interval split_up_bounds(const relation_scope *s, int node) {
  const int *children = s->relation->children;
  if (node == children[OUTER])
    return pieces_within(s);
  MlirValue base = base_of_piece(s), end = scope_extent(s, s->relation->parents[0]);
  interval inner = s->bounds(s, children[INNER]);
  interval piece = {add(s->b, base, inner.low), add(s->b, base, inner.high)};
  bool nested = s->is_consumed(s, children[OUTER]) || s->is_consumed(s, children[INNER]);
  if (!nested && !overruns(s))
    return piece;
  MlirValue high = min_i(s->b, piece.high, end);
  return (interval){piece.low, max_i(s->b, high, piece.low)};
}

const relation_rule split_up_relation = {
    .name = "cin.split up",
    .consumes = 1,
    .ways = split_up_ways,
    .static_extent = split_up_static_extent,
    .extent = split_up_extent,
    .coordinate = split_up_coordinate,
    .guard = split_up_guard,
    .bounds_from = split_up_bounds_from,
    .bounds = split_up_bounds,
    .contiguous_child = INNER,
};
