/* block.c - the quotient and the remainder of a variable by a size: q = x floordiv s, r = x mod s.
 *
 *     x = s q + r,  if x < N               known from both, or they from it
 *     x in [s q, min(s q + s, N))          where q alone is known
 *
 * A quotient of a quotient is the quotient by the product, so that in
 *
 *     i floordiv 16, (i floordiv 4) mod 4, i mod 4
 *
 * i floordiv 4 follows from the first two, and i from that and the third.
 */
#include "relation.h"

enum { QUOTIENT, REMAINDER };

static int whole_of(const relation *r) {
  return r->parents[0];
}

/* The quotient and the remainder of one parent by one size are one relation. */
static relation *block_add(relation_graph *graph, const remap *r, const int *parts, int child) {
  int place = r->kind == REMAP_REMAINDER ? REMAINDER : QUOTIENT;
  relation *both = relation_graph_find(graph, &block_relation, parts[0], r->size);
  if (!both || both->children[place] != NO_NODE)
    both = relation_add(graph, &block_relation, 1, parts, 2, (int[]){NO_NODE, NO_NODE});
  both->size = r->size;
  both->children[place] = child;
  return both;
}

static const relation *quotient_above(const relation_graph *graph, int node) {
  for (int n = 0; n < relation_graph_count(graph); ++n) {
    const relation *r = relation_graph_at(graph, n);
    if (r->rule == &block_relation && r->children[QUOTIENT] == node)
      return r;
  }
  return NULL;
}

static void block_infer(const relation_graph *graph, relation *r) {
  const relation *above = quotient_above(graph, whole_of(r));
  int64_t product;
  if (r->children[QUOTIENT] != NO_NODE || !above ||
      __builtin_mul_overflow(above->size, r->size, &product))
    return;
  const relation *both = relation_graph_find(graph, &block_relation, whole_of(above), product);
  if (both)
    r->children[QUOTIENT] = both->children[QUOTIENT];
}

static void block_ways(relation_graph *graph, const relation *r) {
  int whole = whole_of(r);
  if (r->children[QUOTIENT] != NO_NODE && r->children[REMAINDER] != NO_NODE)
    relation_graph_way(graph, r, whole, 2, r->children);
  for (int n = QUOTIENT; n <= REMAINDER; ++n)
    if (r->children[n] != NO_NODE)
      relation_graph_way(graph, r, r->children[n], 1, &whole);
}

/* Of a coordinate, which is not negative: `op` unless shifts and masks do. */
static MlirValue by_size(builder *b, bool is_quotient, int64_t n, MlirValue coordinate) {
  MlirValue size = constant_index(b, n);
  MlirType type = type_index(b);
  if ((n & (n - 1)) == 0)
    return is_quotient ? floor_div(b, coordinate, size) : floor_mod(b, coordinate, size);
  const char *op = is_quotient ? "arith.divui" : "arith.remui";
  return op_result(make_op(b, op, 2, (MlirValue[]){coordinate, size}, 1, &type, 0, NULL), 0);
}

static MlirValue block_coordinate(const relation_scope *s, int node) {
  const relation *r = s->relation;
  if (node == whole_of(r))
    return parts_coordinate(s, node);
  return by_size(s->b, node == r->children[QUOTIENT], r->size, scope_coordinate(s, whole_of(r)));
}

static MlirValue block_guard(const relation_scope *s, int node, bool bounded) {
  if (node != whole_of(s->relation) || s->is_whole(s, node))
    return (MlirValue){NULL};
  return parts_guard(s, node, bounded);
}

static bool block_bounds_from(const relation_scope *s, int parent) {
  int quotient = s->relation->children[QUOTIENT];
  return parent == whole_of(s->relation) && quotient != NO_NODE && s->is_known(s, quotient);
}

static interval block_bounds(const relation_scope *s, int parent) {
  MlirValue base = parts_base(s), end = add(s->b, base, constant_index(s->b, s->relation->size));
  return (interval){base, min_i(s->b, end, scope_extent(s, parent))};
}

/* Its parts do not rise with each step of the whole. */
static bool block_rise(const relation *r, int node, int from, int64_t *by) {
  return node == whole_of(r) && parts_rise(r, node, from, by);
}

static const char *block_size_text(arena *memory, const relation *r, int child,
                                   const char *const *parents) {
  return arena_format(memory, "%s%c%lld", parents[0], child == QUOTIENT ? '/' : '%',
                      (long long)r->size);
}

const relation_rule block_relation = {
    .divides = true,
    .add = block_add,
    .ways = block_ways,
    .infer = block_infer,
    .static_extent = split_static_extent,
    .extent = split_extent,
    .size_text = block_size_text,
    .coordinate = block_coordinate,
    .guard = block_guard,
    .bounds_from = block_bounds_from,
    .bounds = block_bounds,
    .rise = block_rise,
    .contiguous_child = REMAINDER,
};
