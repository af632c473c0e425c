/* linear.c - k = c + c1 x1 + c2 x2 + ..., the x from 0 to below N1, N2, ...
 *
 *     coordinate    k is counted from its least: each negative term, and a negative c, adds what it
 *                   takes away at most: k = max(c, 0) + sum over c_m > 0 of c_m x_m
 *                                                     + sum over c_m < 0 of |c_m| (N_m - 1 - x_m)
 *     extent        1 + max(c, 0) + sum of |c_m| (N_m - 1)
 *     recover       x_m from k and the others, if c_m divides what is left of k, and 0 <= x_m < N_m
 *     bounds        of x_m, from k: those for which the others can be in bounds, by the signs
 *
 *                   of k, from any x: from its least to its greatest, with what is known, or what
 *                   other relations leave: a part of x, where the part is known
 *
 *         j - i = d, d in -(M - 1) .. N - 1      j in [max(0, d), min(N, M + d))
 *                                                i in [max(0, -d), min(M, N - d))
 *
 * A diagonal is such a variable, and so is a compound subscript (Liu et al. 2024, section 5).  That
 * is counted from zero, whatever its least is: k is the sum itself, up to its greatest.  It is
 * checked to be within the operand's dimension before anything is computed.
 */
#include "relation.h"

#include "tin.h"

static int64_t size_of(int64_t factor) {
  return factor < 0 ? -factor : factor;
}

static int sign_of(int64_t factor) {
  return factor < 0 ? -1 : 1;
}

static int form_of(const relation *r) {
  return r->children[0];
}

static int64_t factor_of(const relation *r, int node) {
  for (int n = 0; n < r->parent_count; ++n)
    if (r->parents[n] == node)
      return r->factors[n];
  return 0;
}

static MlirValue scaled(builder *b, MlirValue x, int64_t factor) {
  return mul(b, x, constant_index(b, size_of(factor)));
}

/* sum + factor * x; the sum is null for none yet. */
static MlirValue plus(builder *b, MlirValue sum, MlirValue x, int64_t factor) {
  if (mlirValueIsNull(sum) && factor > 0)
    return scaled(b, x, factor);
  MlirValue from = mlirValueIsNull(sum) ? constant_index(b, 0) : sum;
  return factor < 0 ? sub(b, from, scaled(b, x, factor)) : add(b, from, scaled(b, x, factor));
}

static MlirValue last_of(const relation_scope *s, int node) {
  return sub(s->b, scope_extent(s, node), constant_index(s->b, 1));
}

static MlirValue plus_constant(builder *b, MlirValue sum, int64_t constant) {
  return constant ? plus(b, sum, constant_index(b, size_of(constant)), sign_of(constant)) : sum;
}

/* sum + sign * what k is counted from. */
static MlirValue plus_least(const relation_scope *s, MlirValue sum, int sign) {
  const relation *r = s->relation;
  if (r->is_value)
    return plus_constant(s->b, sum, sign * r->constant);
  for (int n = 0; n < r->parent_count; ++n)
    if (r->factors[n] < 0)
      sum = plus(s->b, sum, last_of(s, r->parents[n]), -sign * r->factors[n]);
  return r->constant > 0 ? plus_constant(s->b, sum, sign * r->constant) : sum;
}

/* ---- Extents ------------------------------------------------------------------------------ */

static int64_t linear_static_extent(const relation_scope *s, int child) {
  (void)s, (void)child;
  return -1;
}

static int64_t total_of(const relation *r) {
  int64_t total = 0;
  for (int n = 0; n < r->parent_count; ++n)
    total += size_of(r->factors[n]);
  return total;
}

/* How far term n takes k above what it is counted from, for each that x_n is above 0. */
static int64_t reach_of(const relation *r, int n) {
  return r->is_value && r->factors[n] < 0 ? 0 : size_of(r->factors[n]);
}

static int64_t constant_of(const relation *r) {
  return r->constant > 0 ? r->constant : 0;
}

/* Extents are bounded (verify.h), and so are constants: where the factors are few the sum of
 * products fits; else, where one of those may not, it is the least number, which is no extent, nor
 * are quotients of it. */
static MlirValue if_it_fits(const relation_scope *s, MlirValue extent) {
  const relation *r = s->relation;
  builder *b = s->b;
  int64_t most = (INT64_C(1) << 61) / total_of(r);
  MlirValue fits = {NULL};
  for (int n = 0; n < r->parent_count && most < TIN_LARGEST_SIZE; ++n) {
    MlirValue extent_of_one = scope_extent(s, r->parents[n]);
    MlirValue one = and_i(b, less_equal(b, constant_index(b, 0), extent_of_one),
                          less_equal(b, extent_of_one, constant_index(b, most)));
    fits = n ? and_i(b, fits, one) : one;
  }
  return mlirValueIsNull(fits) ? extent
                               : select_value(b, fits, extent, constant_index(b, INT64_MIN));
}

static MlirValue linear_extent(const relation_scope *s, int child) {
  const relation *r = s->relation;
  int64_t first = 1 + (r->is_value ? r->constant : constant_of(r));
  MlirValue sum = {NULL};
  (void)child;
  for (int n = 0; n < r->parent_count; ++n) {
    if (reach_of(r, n))
      sum = plus(s->b, sum, scope_extent(s, r->parents[n]), reach_of(r, n));
    first -= reach_of(r, n);
  }
  sum = mlirValueIsNull(sum) ? constant_index(s->b, first)
                             : sub(s->b, sum, constant_index(s->b, -first));
  return if_it_fits(s, max_i(s->b, sum, constant_index(s->b, 0)));
}

static const char *linear_size_text(arena *memory, const relation *r, int child,
                                    const char *const *parents) {
  const char *text = "";
  (void)child;
  for (int n = 0; n < r->parent_count; ++n) {
    const char *plus = n ? "+" : "";
    int64_t size = size_of(r->factors[n]);
    text = size == 1 ? arena_format(memory, "%s%s%s", text, plus, parents[n])
                     : arena_format(memory, "%s%s%lld*%s", text, plus, (long long)size, parents[n]);
  }
  int64_t constant = constant_of(r);
  return arena_format(memory, constant || r->parent_count < 2 ? "(%s+#%lld)" : "(%s)", text,
                      (long long)constant);
}

/* ---- What follows ------------------------------------------------------------------------- */

static void linear_ways(relation_graph *graph, const relation *r) {
  int *from = ARENA_ARRAY(relation_graph_memory(graph), int, r->parent_count);
  relation_graph_way(graph, r, form_of(r), r->parent_count, r->parents);
  for (int m = 0; m < r->parent_count; ++m) {
    int count = 0;
    from[count++] = form_of(r);
    for (int n = 0; n < r->parent_count; ++n)
      if (n != m)
        from[count++] = r->parents[n];
    relation_graph_way(graph, r, r->parents[m], count, from);
  }
}

/* The sum of the terms, but for that of a node. */
static MlirValue plus_others(const relation_scope *s, MlirValue sum, int but, int sign) {
  const relation *r = s->relation;
  for (int n = 0; n < r->parent_count; ++n)
    if (r->parents[n] != but)
      sum = plus(s->b, sum, scope_coordinate(s, r->parents[n]), sign * r->factors[n]);
  return sum;
}

/* |c_m| x_m. */
static MlirValue left_for(const relation_scope *s, int node) {
  MlirValue none = {NULL}, k = plus_least(s, scope_coordinate(s, form_of(s->relation)), -1);
  if (factor_of(s->relation, node) > 0)
    return plus_others(s, k, node, -1);
  return plus(s->b, plus_others(s, none, node, 1), k, -1);
}

static MlirValue linear_coordinate(const relation_scope *s, int node) {
  MlirValue none = {NULL};
  if (node == form_of(s->relation))
    return plus_least(s, plus_others(s, none, NO_NODE, 1), 1);
  int64_t factor = size_of(factor_of(s->relation, node));
  MlirValue left = left_for(s, node);
  return factor == 1 ? left : floor_div(s->b, left, constant_index(s->b, factor));
}

static MlirValue divides(const relation_scope *s, int64_t factor, MlirValue left) {
  builder *b = s->b;
  return equal(b, floor_mod(b, left, constant_index(b, factor)), constant_index(b, 0));
}

static MlirValue in_bounds(const relation_scope *s, int node) {
  MlirValue coordinate = scope_coordinate(s, node);
  MlirValue below = less(s->b, coordinate, scope_extent(s, node));
  return and_i(s->b, below, less_equal(s->b, constant_index(s->b, 0), coordinate));
}

static MlirValue linear_guard(const relation_scope *s, int node, bool bounded) {
  int64_t factor = size_of(factor_of(s->relation, node));
  MlirValue none = {NULL};
  if (node == form_of(s->relation))
    return none;
  MlirValue inside = bounded ? none : in_bounds(s, node);
  if (factor == 1)
    return inside;
  MlirValue whole = divides(s, factor, left_for(s, node));
  return bounded ? whole : and_i(s->b, inside, whole);
}

/* ---- Bounds ------------------------------------------------------------------------------- */

/* Of a parent from k; of k from any parent, or any that other relations bound. */
static bool linear_bounds_from(const relation_scope *s, int node) {
  const relation *r = s->relation;
  if (node != form_of(r))
    return s->is_known(s, form_of(r));
  for (int n = 0; n < r->parent_count; ++n)
    if (s->is_known(s, r->parents[n]) || s->is_bounded(s, r->parents[n]))
      return true;
  return false;
}

/* The greatest that a node which is not known can be; how many it can be. */
static MlirValue greatest_of(const relation_scope *s, int node) {
  if (!s->is_bounded(s, node))
    return last_of(s, node);
  return sub(s->b, s->bounds(s, node).high, constant_index(s->b, 1));
}

static MlirValue count_of(const relation_scope *s, int node) {
  if (!s->is_bounded(s, node))
    return scope_extent(s, node);
  interval left = s->bounds(s, node);
  return sub(s->b, left.high, left.low);
}

/* sum + sign * (the least, or for `sign` -1 the greatest, that the terms can be but for a node's).
 */
static MlirValue plus_least_others(const relation_scope *s, MlirValue sum, int but, int sign) {
  const relation *r = s->relation;
  for (int n = 0; n < r->parent_count; ++n) {
    int other = r->parents[n];
    int64_t factor = sign * r->factors[n];
    if (other != but && s->is_known(s, other))
      sum = plus(s->b, sum, scope_coordinate(s, other), factor);
    else if (other != but && factor < 0)
      sum = plus(s->b, sum, greatest_of(s, other), factor);
    else if (other != but && s->is_bounded(s, other))
      sum = plus(s->b, sum, s->bounds(s, other).low, factor);
  }
  return sum;
}

/* How many values there are from the least to the greatest. */
static MlirValue width_of_others(const relation_scope *s, int but) {
  const relation *r = s->relation;
  MlirValue sum = {NULL};
  int64_t total = 0;
  for (int n = 0; n < r->parent_count; ++n) {
    if (r->parents[n] == but || s->is_known(s, r->parents[n]))
      continue;
    sum = plus(s->b, sum, count_of(s, r->parents[n]), size_of(r->factors[n]));
    total += size_of(r->factors[n]);
  }
  if (mlirValueIsNull(sum))
    return constant_index(s->b, 1);
  return sub(s->b, sum, constant_index(s->b, total - 1));
}

/* Whether a term goes through a part of its coordinates. */
static bool is_cut(const relation_scope *s) {
  const relation *r = s->relation;
  for (int n = 0; n < r->parent_count; ++n)
    if (!s->is_known(s, r->parents[n]) && s->is_bounded(s, r->parents[n]))
      return true;
  return false;
}

/* A part that is empty, behind the end, tells a form that no level holds: none below zero. */
static interval form_bounds(const relation_scope *s) {
  MlirValue none = {NULL};
  MlirValue least = plus_least(s, plus_least_others(s, none, NO_NODE, 1), 1);
  if (is_cut(s))
    least = max_i(s->b, least, constant_index(s->b, 0));
  return (interval){least, max_i(s->b, least, add(s->b, width_of_others(s, NO_NODE), least))};
}

static interval linear_bounds(const relation_scope *s, int parent) {
  if (parent == form_of(s->relation))
    return form_bounds(s);
  builder *b = s->b;
  MlirValue none = {NULL}, least, k = plus_least(s, scope_coordinate(s, form_of(s->relation)), -1);
  int64_t factor = factor_of(s->relation, parent);
  if (factor > 0)
    least = plus_least_others(s, k, parent, -1);
  else
    least = plus(b, plus_least_others(s, none, parent, 1), k, -1);
  MlirValue end = add(b, width_of_others(s, parent), least),
            by = constant_index(b, size_of(factor));
  if (size_of(factor) != 1) {
    least = ceil_div(b, least, by);
    end = ceil_div(b, end, by);
  }
  MlirValue low = max_i(b, constant_index(b, 0), least);
  return (interval){low, max_i(b, low, min_i(b, scope_extent(s, parent), end))};
}

/* x_m goes against another x where both have the same sign. */
static bool linear_descends(const relation *r, int node, int from) {
  int sign = node == form_of(r) ? 1 : sign_of(factor_of(r, node));
  if (from != form_of(r))
    sign *= node == form_of(r) ? sign_of(factor_of(r, from)) : -sign_of(factor_of(r, from));
  return sign < 0;
}

/* c_m x_m rises as k does, and falls by c_n with each step of x_n. */
static bool linear_rise(const relation *r, int node, int from, int64_t *by) {
  if (node == form_of(r)) {
    *by = factor_of(r, from);
    return true;
  }
  int64_t factor = factor_of(r, node), change = from == form_of(r) ? 1 : -factor_of(r, from);
  *by = change / factor;
  return change % factor == 0;
}

const relation_rule linear_relation = {
    .ways = linear_ways,
    .static_extent = linear_static_extent,
    .extent = linear_extent,
    .size_text = linear_size_text,
    .coordinate = linear_coordinate,
    .guard = linear_guard,
    .bounds_from = linear_bounds_from,
    .bounds = linear_bounds,
    .descends = linear_descends,
    .rise = linear_rise,
};
