/* split.c - i split by a size s into o and n, in the place of i.
 *
 *     extent     of o: ceil(extent(i) / s)      of n: s
 *     others     i = s o + n                    parts.c
 *
 * (Senanayake et al. 2020, figures 18 and 19.)
 */
#include "relation.h"

int64_t split_static_extent(const relation_scope *s, int child) {
  int64_t size = s->relation->size, whole = s->static_extent(s, s->relation->parents[0]);
  if (child == INNER)
    return size;
  return whole < 0 ? -1 : whole / size + (whole % size != 0);
}

MlirValue split_extent(const relation_scope *s, int child) {
  MlirValue size = constant_index(s->b, s->relation->size);
  return child == INNER ? size : ceil_div(s->b, scope_extent(s, s->relation->parents[0]), size);
}

const relation_rule split_relation = {
    .name = "cin.split",
    .consumes = 1,
    .divides = true,
    .ways = parts_ways,
    .static_extent = split_static_extent,
    .extent = split_extent,
    .coordinate = parts_coordinate,
    .derived = parts_derived,
    .guard = parts_guard,
    .bounds_from = parts_bounds_from,
    .bounds = parts_bounds,
    .rise = parts_rise,
    .contiguous_child = INNER,
};
