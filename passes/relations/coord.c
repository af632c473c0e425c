/* coord.c - c goes through the coordinates of j where p, or the pieces of it that are known, goes
 * through positions (Senanayake et al. 2020, section 4): back from position space, in the place of
 * p.
 *
 *     pos(j,p,A) split(p,p0,p1,8) coord(p1,c) split(c,c0,c1,32)
 *
 *         p0     pieces of equal numbers of entries
 *         c0     within each, pieces of equal width
 *
 *     extent     of c: that of j
 *     recover    j = c, once the pieces are known
 *     bounds     of either, what is left of the other: of c, where a piece begins and ends
 *     guard      where c goes in strides: j is in the piece
 */
#include "relation.h"

/* The parents: behind these two the pieces. */
enum { POSITION, COORDINATE };

static int coordinate_of(const relation *r) {
  return r->parents[COORDINATE];
}

static int64_t coord_static_extent(const relation_scope *s, int child) {
  (void)child;
  return s->static_extent(s, coordinate_of(s->relation));
}

static MlirValue coord_extent(const relation_scope *s, int child) {
  (void)child;
  return scope_extent(s, coordinate_of(s->relation));
}

static void coord_ways(relation_graph *graph, const relation *r) {
  parent_way(graph, r, COORDINATE);
}

static MlirValue coord_coordinate(const relation_scope *s, int node) {
  (void)node;
  return scope_coordinate(s, s->relation->children[0]);
}

static MlirValue coord_guard(const relation_scope *s, int node, bool bounded) {
  (void)bounded;
  if (!s->is_bounded(s, node))
    return (MlirValue){NULL};
  MlirValue at = scope_coordinate(s, node);
  interval piece = s->bounds(s, node);
  return and_i(s->b, less_equal(s->b, piece.low, at), less(s->b, at, piece.high));
}

static bool coord_bounds_from(const relation_scope *s, int node) {
  int other = relation_other(s->relation, COORDINATE, node);
  return other != NO_NODE && s->is_bounded(s, other);
}

static interval coord_bounds(const relation_scope *s, int node) {
  return s->bounds(s, relation_other(s->relation, COORDINATE, node));
}

static relation_space coord_space(const relation *r, int child) {
  (void)r, (void)child;
  return (relation_space){0};
}

const relation_rule coord_relation = {
    .name = "cin.coord",
    .consumes = 1,
    .ways = coord_ways,
    .static_extent = coord_static_extent,
    .extent = coord_extent,
    .coordinate = coord_coordinate,
    .guard = coord_guard,
    .bounds_from = coord_bounds_from,
    .bounds = coord_bounds,
    .contiguous_child = 0,
    .within_bounds = COORDINATE,
    .space = coord_space,
};
