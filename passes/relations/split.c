/* split.c - i split by a size s into o and n, in the place of i.
 *
 *     extent     of o: ceil(extent(i) / s)      of n: s
 *     recover    i = s o + n
 *     bounds     of i, when o is known: s o + bounds(n), cut at extent(i)
 *                of o, where [low, high) is left of i: low floordiv s .. (high - 1) floordiv s
 *     guard      i < extent(i), unless s divides extent(i)
 *
 * (Senanayake et al. 2020, figures 18 and 19.)
 */
#include "relation.h"

enum { OUTER, INNER };

int64_t parts_static_extent(const relation_scope *s, int child) {
  int64_t size = s->relation->size, whole = s->static_extent(s, s->relation->parents[0]);
  if (child == INNER)
    return size;
  return whole < 0 ? -1 : whole / size + (whole % size != 0);
}

MlirValue parts_extent(const relation_scope *s, int child) {
  MlirValue size = constant_index(s->b, s->relation->size);
  return child == INNER ? size : ceil_div(s->b, scope_extent(s, s->relation->parents[0]), size);
}

MlirValue parts_base(const relation_scope *s) {
  MlirValue outer = scope_coordinate(s, s->relation->children[OUTER]);
  return mul(s->b, outer, constant_index(s->b, s->relation->size));
}

MlirValue parts_whole(const relation_scope *s) {
  MlirValue base = parts_base(s);
  return add(s->b, base, scope_coordinate(s, s->relation->children[INNER]));
}

static bool overruns(const relation_scope *s) {
  int64_t whole = s->static_extent(s, s->relation->parents[0]);
  return whole < 0 || whole % s->relation->size != 0;
}

MlirValue parts_guard(const relation_scope *s, int node, bool bounded) {
  (void)bounded;
  return overruns(s) ? less(s->b, scope_coordinate(s, node), scope_extent(s, node))
                     : (MlirValue){NULL};
}

static void split_ways(relation_graph *graph, const relation *r) {
  relation_graph_way(graph, r, r->parents[0], 2, r->children);
}

static MlirValue split_coordinate(const relation_scope *s, int node) {
  (void)node;
  return parts_whole(s);
}

static bool split_bounds_from(const relation_scope *s, int node) {
  int parent = s->relation->parents[0], outer = s->relation->children[OUTER];
  return node == parent ? s->is_known(s, outer) : node == outer && s->is_bounded(s, parent);
}

static interval outer_bounds(const relation_scope *s) {
  MlirValue size = constant_index(s->b, s->relation->size);
  interval left = s->bounds(s, s->relation->parents[0]);
  return (interval){floor_div(s->b, left.low, size), ceil_div(s->b, left.high, size)};
}

static interval split_bounds(const relation_scope *s, int node) {
  const int *children = s->relation->children;
  int parent = s->relation->parents[0];
  if (node == children[OUTER])
    return outer_bounds(s);
  bool nested = s->is_consumed(s, children[OUTER]) || s->is_consumed(s, children[INNER]);
  MlirValue base = parts_base(s);
  interval inner = s->bounds(s, children[INNER]);
  interval whole = {add(s->b, base, inner.low), add(s->b, base, inner.high)};
  if (nested || overruns(s))
    whole.high = min_i(s->b, whole.high, scope_extent(s, parent));
  if (nested)
    whole.high = max_i(s->b, whole.high, whole.low);
  return whole;
}

const relation_rule split_relation = {
    .name = "cin.split",
    .consumes = 1,
    .divides = true,
    .ways = split_ways,
    .static_extent = parts_static_extent,
    .extent = parts_extent,
    .coordinate = split_coordinate,
    .guard = parts_guard,
    .bounds_from = split_bounds_from,
    .bounds = split_bounds,
    .contiguous_child = INNER,
};
