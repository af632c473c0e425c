/* toy_reverse.h - a relation of a test's own: i = N - 1 - r. */
#ifndef TOY_REVERSE_H
#define TOY_REVERSE_H

#include "ir.h"
#include "relation.h"

static void reverse_ways(relation_graph *graph, const relation *r) {
  relation_graph_way(graph, r, r->parents[0], 1, r->children);
}

static int64_t reverse_static_extent(const relation_scope *s, int child) {
  (void)child;
  return s->static_extent(s, s->relation->parents[0]);
}

static MlirValue reverse_extent(const relation_scope *s, int child) {
  (void)child;
  return scope_extent(s, s->relation->parents[0]);
}

static MlirValue reverse_coordinate(const relation_scope *s, int node) {
  MlirValue last = sub(s->b, scope_extent(s, node), constant_index(s->b, 1));
  return sub(s->b, last, scope_coordinate(s, s->relation->children[0]));
}

static relation_space reverse_space(const relation *r, int child) {
  (void)child;
  return (relation_space){.is_positions = op_has(r->op, "level"),
                          .level = (int)op_integer(r->op, "level", 0)};
}

static const relation_rule reverse_relation = {
    .name = "toy.reverse",
    .consumes = 1,
    .ways = reverse_ways,
    .static_extent = reverse_static_extent,
    .extent = reverse_extent,
    .coordinate = reverse_coordinate,
    .contiguous_child = -1, /* counting it up, i goes down */
    .space = reverse_space,
};

#endif
