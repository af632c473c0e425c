/* collapse.c - i1, i2, ..., j as one variable f, which numbers their points in the order of nested
 * loops (Senanayake et al. 2020, sections 3.3, 4 and 5), in the place of j.
 *
 *     f = (i1 N2 + i2) Nj + j          S, the stride of a variable: of i1 N2 Nj, of i2 Nj, of j 1
 *
 * With b what the variables known make of f, [low, high) what is left of f:
 *
 *     extent     of f: the product
 *     bounds     of f, from i1, ...:   b .. b + the stride of the last that is known
 *                of each i:            (low - b) floordiv S .. (high - b) ceildiv S, within its own
 *                of j, from all i:     low - b .. high - b, within its own
 *     derived    f = b + j
 *     recover    j = f - b             guard: 0 <= j < Nj
 *
 * The i have foralls of their own, inside of pieces of f: so the coordinates of a piece are found
 * by one division at its start, and then counted on (coordinate tracking), and whatever is stored
 * is walked as in nested loops.  Where f goes in strides, j is recovered.
 */
#include "relation.h"

static int inner_of(const relation *r) {
  return r->parents[0];
}

static int form_of(const relation *r) {
  return r->children[0];
}

static int above_count(const relation *r) {
  return r->parent_count - 1;
}

/* The place among those above; their number for the inner one. */
static int place_of(const relation *r, int node) {
  int place = 0;
  while (place < above_count(r) && r->parents[1 + place] != node)
    ++place;
  return place;
}

static int64_t collapse_static_extent(const relation_scope *s, int child) {
  (void)child;
  int64_t product = 1;
  for (int n = 0; n < s->relation->parent_count; ++n) {
    int64_t one = s->static_extent(s, s->relation->parents[n]);
    if (one < 0 || __builtin_mul_overflow(product, one, &product) || product > RELATION_MOST_SIZE)
      return -1;
  }
  return product;
}

/* How far f goes on while the one at `place` goes on by one. */
static MlirValue stride(const relation_scope *s, int place) {
  const relation *r = s->relation;
  MlirValue product =
      place < above_count(r) ? scope_extent(s, inner_of(r)) : constant_index(s->b, 1);
  for (int n = place + 1; n < above_count(r); ++n)
    product = mul(s->b, scope_extent(s, r->parents[1 + n]), product);
  return product;
}

static MlirValue collapse_extent(const relation_scope *s, int child) {
  (void)child;
  return mul(s->b, scope_extent(s, s->relation->parents[1]), stride(s, 0));
}

/* What the first `count` of those above make of f. */
static MlirValue base_of(const relation_scope *s, int count) {
  MlirValue base = constant_index(s->b, 0);
  for (int n = 0; n < count; ++n) {
    MlirValue at = scope_coordinate(s, s->relation->parents[1 + n]);
    base = add(s->b, base, mul(s->b, at, stride(s, n)));
  }
  return base;
}

static int known_count(const relation_scope *s) {
  int count = 0;
  while (count < above_count(s->relation) && s->is_known(s, s->relation->parents[1 + count]))
    ++count;
  return count;
}

/* ---- Bounds ------------------------------------------------------------------------------- */

static bool collapse_bounds_from(const relation_scope *s, int node) {
  const relation *r = s->relation;
  if (node == form_of(r))
    return known_count(s) > 0;
  return known_count(s) >= place_of(r, node) && s->is_bounded(s, form_of(r));
}

static interval form_bounds(const relation_scope *s) {
  int count = known_count(s);
  MlirValue base = base_of(s, count);
  return (interval){base, add(s->b, base, stride(s, count - 1))};
}

/* low .. high of what f has left, from what those before the node make of it. */
static interval left_from(const relation_scope *s, int place) {
  builder *b = s->b;
  MlirValue base = base_of(s, place), zero = constant_index(b, 0);
  interval left = s->bounds(s, form_of(s->relation));
  return (interval){max_i(b, zero, sub(b, left.low, base)),
                    max_i(b, zero, sub(b, left.high, base))};
}

static interval collapse_bounds(const relation_scope *s, int node) {
  const relation *r = s->relation;
  if (node == form_of(r))
    return form_bounds(s);
  builder *b = s->b;
  int place = place_of(r, node);
  interval left = left_from(s, place);
  if (place < above_count(r)) {
    MlirValue by = max_i(b, stride(s, place), constant_index(b, 1));
    left = (interval){floor_div(b, left.low, by), ceil_div(b, left.high, by)};
  }
  return (interval){left.low, max_i(b, left.low, min_i(b, left.high, scope_extent(s, node)))};
}

/* ---- Recovery ----------------------------------------------------------------------------- */

static MlirValue collapse_coordinate(const relation_scope *s, int node) {
  (void)node;
  MlirValue base = base_of(s, above_count(s->relation));
  return sub(s->b, scope_coordinate(s, form_of(s->relation)), base);
}

static MlirValue collapse_derived(const relation_scope *s, MlirValue inner) {
  return add(s->b, base_of(s, above_count(s->relation)), inner);
}

static MlirValue collapse_guard(const relation_scope *s, int node, bool bounded) {
  (void)bounded;
  MlirValue at = scope_coordinate(s, node);
  return and_i(s->b, less_equal(s->b, constant_index(s->b, 0), at),
               less(s->b, at, scope_extent(s, node)));
}

const relation_rule collapse_relation = {
    .name = "cin.collapse",
    .consumes = 1,
    .ways = first_parent_ways,
    .static_extent = collapse_static_extent,
    .extent = collapse_extent,
    .coordinate = collapse_coordinate,
    .derived = collapse_derived,
    .guard = collapse_guard,
    .bounds_from = collapse_bounds_from,
    .bounds = collapse_bounds,
    .contiguous_child = 0,
};
