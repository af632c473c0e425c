/* window.c - s = f - start(u1, u2, ...): what a linear form f goes through where some of its
 * variables, u, are known, and the others, v, are not, counted from where that begins.
 *
 *     f = i + k - 1,  i = 8 u + v        start  8 u - 1        s = v + k
 *
 *     u = 1      f   7  8  9 ... 16      v from 0 to 7, k from 0 to 2
 *                s   0  1  2 ...  9
 *
 *     extent     of s: 1 + sum over the v of |c_v| (N_v - 1)
 *     recover    s = f - start, once f and all u are known
 *     bounds     of f, from the u: [start, start + extent of s), where f is
 *
 * The last block of a split may end beyond f; of that nothing is visited.
 */
#include "relation.h"

#include "cin.h"
#include "tin.h"

/* The factor of dimension `d` in a linear map; and its constant. */
static int64_t factor_in(MlirAffineMap map, intptr_t d) {
  remap r;
  MlirAffineExpr e = remap_canonical(mlirAffineMapGetResult(map, 0));
  if (mlirAffineExprIsADim(e))
    return mlirAffineDimExprGetPosition(e) == d;
  bool form = remap_of(e, &r) && r.kind == REMAP_LINEAR;
  for (int n = 0; form && n < r.count; ++n)
    if (mlirAffineDimExprGetPosition(remap_term_at(&r, n).of) == d)
      return remap_term_at(&r, n).factor;
  return 0;
}

static int64_t constant_in(MlirAffineMap map) {
  remap r;
  MlirAffineExpr e = remap_canonical(mlirAffineMapGetResult(map, 0));
  if (mlirAffineExprIsAConstant(e))
    return mlirAffineConstantExprGetValue(e);
  return remap_of(e, &r) && r.kind == REMAP_LINEAR ? r.constant : 0;
}

/* The parents: the form, those that tell where it starts, and the others. */
static int form_of(const relation *r) {
  return r->parents[0];
}

static int outer_count(const relation *r) {
  return (int)cin_window_outer_count(r->op);
}

static int outer_of(const relation *r, int n) {
  return r->parents[1 + n];
}

static int inner_count(const relation *r) {
  return (int)cin_window_inner_count(r->op);
}

static int inner_of(const relation *r, int n) {
  return r->parents[1 + outer_count(r) + n];
}

static int64_t outer_factor(const relation *r, int n) {
  return factor_in(cin_window_start(r->op), n);
}

static int64_t inner_factor(const relation *r, int n) {
  return factor_in(cin_window_reach(r->op), n);
}

static void window_ways(relation_graph *graph, const relation *r) {
  relation_graph_way(graph, r, r->children[0], 1 + outer_count(r), r->parents);
}

/* ---- Extents ------------------------------------------------------------------------------ */

static int64_t window_static_extent(const relation_scope *s, int child) {
  const relation *r = s->relation;
  int64_t sum = 1, product;
  (void)child;
  for (int n = 0; n < inner_count(r); ++n) {
    int64_t extent = s->static_extent(s, inner_of(r, n));
    if (extent < 1 || __builtin_mul_overflow(inner_factor(r, n), extent - 1, &product) ||
        __builtin_add_overflow(sum, product, &sum) || sum > TIN_LARGEST_SIZE)
      return -1;
  }
  return sum;
}

/* Where the sum may not fit, more than any memory has. */
static MlirValue window_extent(const relation_scope *s, int child) {
  const relation *r = s->relation;
  builder *b = s->b;
  int64_t total = 1;
  (void)child;
  for (int n = 0; n < inner_count(r); ++n)
    total += inner_factor(r, n);
  MlirValue most = constant_index(b, (INT64_C(1) << 61) / total);
  MlirValue one = constant_index(b, 1), sum = one, fits = constant_bool(b, true);
  for (int n = 0; n < inner_count(r); ++n) {
    MlirValue extent = max_i(b, scope_extent(s, inner_of(r, n)), one);
    fits = and_i(b, fits, less_equal(b, extent, most));
    sum = add(b, sum, mul(b, sub(b, extent, one), constant_index(b, inner_factor(r, n))));
  }
  return select_value(b, fits, sum, constant_index(b, INT64_C(1) << 61));
}

/* ---- Coordinates and bounds --------------------------------------------------------------- */

static MlirValue start_of(const relation_scope *s) {
  const relation *r = s->relation;
  builder *b = s->b;
  MlirValue sum = constant_index(b, constant_in(cin_window_start(r->op)));
  for (int n = 0; n < outer_count(r); ++n)
    sum = add(b, sum,
              mul(b, scope_coordinate(s, outer_of(r, n)), constant_index(b, outer_factor(r, n))));
  return sum;
}

static MlirValue window_coordinate(const relation_scope *s, int node) {
  (void)node;
  return sub(s->b, scope_coordinate(s, form_of(s->relation)), start_of(s));
}

static bool window_bounds_from(const relation_scope *s, int node) {
  const relation *r = s->relation;
  for (int n = 0; n < outer_count(r); ++n)
    if (!s->is_known(s, outer_of(r, n)))
      return false;
  return node == form_of(r);
}

static interval window_bounds(const relation_scope *s, int node) {
  builder *b = s->b;
  MlirValue start = start_of(s), end = add(b, start, scope_extent(s, s->relation->children[0]));
  MlirValue low = max_i(b, constant_index(b, 0), start);
  return (interval){low, max_i(b, low, min_i(b, scope_extent(s, node), end))};
}

static int place_of(const relation *r, int node) {
  for (int n = 0; n < outer_count(r); ++n)
    if (outer_of(r, n) == node)
      return n;
  return -1;
}

/* s goes down as what it is counted from goes up. */
static bool window_descends(const relation *r, int node, int from) {
  (void)node;
  return from != form_of(r) && outer_factor(r, place_of(r, from)) > 0;
}

static bool window_rise(const relation *r, int node, int from, int64_t *by) {
  (void)node;
  *by = from == form_of(r) ? 1 : -outer_factor(r, place_of(r, from));
  return true;
}

const relation_rule window_relation = {
    .name = "cin.window",
    .ways = window_ways,
    .static_extent = window_static_extent,
    .extent = window_extent,
    .coordinate = window_coordinate,
    .bounds_from = window_bounds_from,
    .bounds = window_bounds,
    .descends = window_descends,
    .rise = window_rise,
};
