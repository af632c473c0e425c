/* split_up.c - i split into s pieces of equal size, in the place of i.
 *
 *     extent     of o: s      of n: e = ceil(extent(i) / s), at least 1
 *     others     i = e o + n                    parts.c
 *
 * It is split.c with the size of a piece known where the code runs: with the number of pieces that
 * of threads, each has one.  (Senanayake et al. 2020, section 4, "split up"; TACO's `divide`.)
 */
#include "relation.h"

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

const relation_rule split_up_relation = {
    .name = "cin.split up",
    .consumes = 1,
    .ways = parts_ways,
    .static_extent = split_up_static_extent,
    .extent = split_up_extent,
    .coordinate = parts_coordinate,
    .derived = parts_derived,
    .guard = parts_guard,
    .bounds_from = parts_bounds_from,
    .bounds = parts_bounds,
    .rise = parts_rise,
    .contiguous_child = INNER,
};
