/* parts.c - a variable in parts, i = s o + n: what split.c, split_up.c and block.c share.
 *
 *     recover    i = s o + n
 *     derived    n = i - s o
 *     bounds     of i, when o is known: s o + bounds(n), cut at extent(i)
 *                of o, where [low, high) is left of i: low floordiv s .. (high - 1) floordiv s
 *     guard      i < extent(i), unless the parts are as long as i is
 *
 * s is the size that the relation tells or, where that is the number of parts, how far n goes.
 */
#include "relation.h"

static MlirValue size_of_part(const relation_scope *s) {
  const relation *r = s->relation;
  return r->rule->divides ? constant_index(s->b, r->size) : scope_extent(s, r->children[INNER]);
}

MlirValue parts_base(const relation_scope *s) {
  MlirValue outer = scope_coordinate(s, s->relation->children[OUTER]);
  return mul(s->b, outer, size_of_part(s));
}

MlirValue parts_coordinate(const relation_scope *s, int node) {
  (void)node;
  MlirValue base = parts_base(s);
  return add(s->b, base, scope_coordinate(s, s->relation->children[INNER]));
}

/* Parts of nothing are one long. */
static bool overruns(const relation_scope *s) {
  int64_t whole = s->static_extent(s, s->relation->parents[0]);
  return whole <= 0 || whole % s->relation->size != 0;
}

MlirValue parts_derived(const relation_scope *s, MlirValue whole) {
  return sub(s->b, whole, parts_base(s));
}

MlirValue parts_guard(const relation_scope *s, int node, bool bounded) {
  (void)bounded;
  return overruns(s) ? less(s->b, scope_coordinate(s, node), scope_extent(s, node))
                     : (MlirValue){NULL};
}

void parts_ways(relation_graph *graph, const relation *r) {
  relation_graph_way(graph, r, r->parents[0], 2, r->children);
}

bool parts_rise(const relation *r, int node, int from, int64_t *by) {
  bool is_inner = from == r->children[INNER];
  (void)node;
  *by = is_inner ? 1 : r->size;
  return is_inner || r->rule->divides;
}

bool parts_bounds_from(const relation_scope *s, int node) {
  int parent = s->relation->parents[0], outer = s->relation->children[OUTER];
  return node == parent ? s->is_known(s, outer) : node == outer && s->is_bounded(s, parent);
}

static interval outer_bounds(const relation_scope *s) {
  MlirValue size = size_of_part(s);
  interval left = s->bounds(s, s->relation->parents[0]);
  return (interval){floor_div(s->b, left.low, size), ceil_div(s->b, left.high, size)};
}

/* Of so many parts the last may begin behind the end, as what is split again may: they are empty.
 */
interval parts_bounds(const relation_scope *s, int node) {
  const int *children = s->relation->children;
  if (node == children[OUTER])
    return outer_bounds(s);
  bool nested = s->is_consumed(s, children[OUTER]) || s->is_consumed(s, children[INNER]);
  MlirValue base = parts_base(s);
  interval inner = s->bounds(s, children[INNER]);
  interval part = {add(s->b, base, inner.low), add(s->b, base, inner.high)};
  if (!nested && !overruns(s))
    return part;
  part.high = min_i(s->b, part.high, scope_extent(s, s->relation->parents[0]));
  if (nested || !s->relation->rule->divides)
    part.high = max_i(s->b, part.high, part.low);
  return part;
}
