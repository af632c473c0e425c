/* bound.c - i as b, of which the end is told: what code is made for a constant, where it is exact
 * (Senanayake et al. 2020, section 4).  It stands in the place of i, and is i.
 *
 *     extent     of b: the size, where it is exact; else that of i
 *     recover    i = b
 *     bounds     of either, what is left of the other
 *
 * That the size holds is checked where the kernel begins.
 */
#include "relation.h"

#include "cin.h"

static bool is_exact(const relation *r) {
  return cin_op_bound_kind(r->op) == CIN_MAX_EXACT;
}

static int64_t bound_static_extent(const relation_scope *s, int child) {
  (void)child;
  return is_exact(s->relation) ? s->relation->size : s->static_extent(s, s->relation->parents[0]);
}

static MlirValue bound_extent(const relation_scope *s, int child) {
  (void)child;
  return scope_extent(s, s->relation->parents[0]);
}

static MlirValue bound_coordinate(const relation_scope *s, int node) {
  (void)node;
  return scope_coordinate(s, s->relation->children[0]);
}

static MlirValue bound_derived(const relation_scope *s, MlirValue parent) {
  (void)s;
  return parent;
}

static bool bound_bounds_from(const relation_scope *s, int node) {
  return s->is_bounded(s, relation_other(s->relation, 0, node));
}

static interval bound_bounds(const relation_scope *s, int node) {
  return s->bounds(s, relation_other(s->relation, 0, node));
}

const relation_rule bound_relation = {
    .name = "cin.bound",
    .consumes = 1,
    .ways = first_parent_ways,
    .static_extent = bound_static_extent,
    .extent = bound_extent,
    .coordinate = bound_coordinate,
    .derived = bound_derived,
    .bounds_from = bound_bounds_from,
    .bounds = bound_bounds,
    .contiguous_child = 0,
};
