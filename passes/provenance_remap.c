/* provenance_remap.c - variables of cin.remap in the provenance graph: known where those that they
 * map are, and these recovered from them.
 *
 *     q = i floordiv s, r = i mod s      i = s q + r,  guarded by i < N
 *     d = j - i (+ M - 1)                j = d' + i,  i = j - d'   with d' = d - (M - 1)
 *     s = i + j                          j = s - i,   i = s - j
 *     n = #i                             nothing follows from it, nor it from anything
 */
#include "provenance_state.h"

#include "ir.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>

/* ---- what follows from what --------------------------------------------------------------- */

static const remapping *find_bound(const provenance *graph, int at, remap_kind kind, int64_t size) {
  for (int i = 0; i < graph->remapping_count; ++i) {
    const remapping *m = &graph->remappings[i];
    if (m->by.kind == kind && m->by.dimension == at && (!size || m->by.size == size) &&
        node_is_bound(graph, &graph->nodes[m->self]))
      return m;
  }
  return NULL;
}

static int other_dimension(const remapping *difference, int at) {
  return difference->by.dimension == at ? difference->by.other : difference->by.dimension;
}

/* A bound difference or sum of the node and another. */
const remapping *bound_difference(const provenance *graph, int at) {
  for (int i = 0; i < graph->remapping_count; ++i) {
    const remapping *m = &graph->remappings[i];
    if (remap_is_diagonal(&m->by) && (m->by.dimension == at || m->by.other == at) &&
        node_is_bound(graph, &graph->nodes[m->self]))
      return m;
  }
  return NULL;
}

bool find_recovery(const provenance *graph, int at, recovery *r) {
  *r = (recovery){.quotient = find_bound(graph, at, REMAP_QUOTIENT, 0)};
  if (r->quotient)
    r->remainder = find_bound(graph, at, REMAP_REMAINDER, r->quotient->by.size);
  if (r->remainder)
    return true;
  r->difference = bound_difference(graph, at);
  return r->difference && node_is_bound(graph, &graph->nodes[other_dimension(r->difference, at)]);
}

bool remapping_is_known(const provenance *graph, const remapping *m) {
  return m->by.kind != REMAP_COUNTER && node_is_known(graph, &graph->nodes[m->by.dimension]) &&
         (m->by.other < 0 || node_is_known(graph, &graph->nodes[m->by.other]));
}

/* ---- extents, coordinates, bounds --------------------------------------------------------- */

MlirValue remapping_extent(provenance *graph, builder *b, const remapping *m) {
  MlirValue extent = node_extent(graph, b, m->by.dimension);
  MlirValue minus = m->by.other < 0 ? extent : node_extent(graph, b, m->by.other);
  return remap_extent(b, &m->by, extent, minus);
}

MlirValue remapped_coordinate(provenance *graph, builder *b, const remapping *m) {
  MlirValue coordinate = node_coordinate(graph, b, m->by.dimension), none = {NULL};
  if (m->by.other < 0)
    return remap_coordinate(b, &m->by, coordinate, none, none);
  MlirValue minus = node_coordinate(graph, b, m->by.other);
  return remap_coordinate(b, &m->by, coordinate, minus, node_extent(graph, b, m->by.other));
}

static remap_extents extents_of(provenance *graph, builder *b, const remapping *m) {
  return (remap_extents){node_extent(graph, b, m->by.dimension),
                         node_extent(graph, b, m->by.other)};
}

/* size * quotient + remainder, or d = j - i or s = i + j solved for j or i. */
MlirValue recovered_coordinate(provenance *graph, builder *b, int at, const recovery *r) {
  if (r->remainder) {
    MlirValue outer = node_coordinate(graph, b, r->quotient->self);
    MlirValue base = mul(b, outer, constant_index(b, r->quotient->by.size));
    return add(b, base, node_coordinate(graph, b, r->remainder->self));
  }
  const remapping *m = r->difference;
  MlirValue known = node_coordinate(graph, b, other_dimension(m, at));
  return remap_solved(b, &m->by, m->by.dimension != at, node_coordinate(graph, b, m->self),
                      extents_of(graph, b, m), known);
}

/* The coordinates for which the other dimension of a bound difference d, or a sum, is in bounds:
 *
 *     j in [max(0, d), min(N, M + d))        i in [max(0, -d), min(M, N - d))
 */
interval difference_bounds(provenance *graph, builder *b, int at, const remapping *m) {
  MlirValue coordinate = node_coordinate(graph, b, m->self);
  MlirValue least =
      remap_least(b, &m->by, m->by.dimension != at, coordinate, extents_of(graph, b, m));
  MlirValue other = node_extent(graph, b, other_dimension(m, at));
  MlirValue low = max_i(b, constant_index(b, 0), least);
  MlirValue high = min_i(b, node_extent(graph, b, at), add(b, other, least));
  return (interval){low, max_i(b, low, high)};
}

/* ---- making ------------------------------------------------------------------------------- */

static int64_t remapping_static_extent(const provenance *graph, const remap *by) {
  int64_t whole = graph->nodes[by->dimension].static_extent;
  if (by->kind == REMAP_REMAINDER)
    return by->size;
  if (by->kind == REMAP_QUOTIENT)
    return whole < 0 ? -1 : whole / by->size + (whole % by->size != 0);
  return -1;
}

bool add_remapping(provenance *graph, MlirOperation op) {
  remapping *m = &graph->remappings[graph->remapping_count];
  MlirAffineMap map = mlirAffineMapAttrGetValue(op_attribute(op, "map"));
  if (!remap_of(mlirAffineMapGetResult(map, 0), &m->by) || m->by.size > MOST_SIZE)
    return error_at(
        op, "expected a quotient, a remainder, a difference, a sum or a counter of variables");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!provenance_is_underived(mlirOperationGetOperand(op, i)))
      return error_at(op, "expected a remap of underived variables");
  m->by.dimension = find_node(graph, mlirOperationGetOperand(op, m->by.dimension));
  if (m->by.other >= 0)
    m->by.other = find_node(graph, mlirOperationGetOperand(op, m->by.other));
  m->self = add_node(graph, mlirOperationGetResult(op, 0), NO_RELATION,
                     remapping_static_extent(graph, &m->by));
  graph->nodes[m->self].remapping = m;
  graph->remapping_count++;
  return true;
}

void find_remapped_roots(provenance *graph, node *n) {
  const remap *by = &n->remapping->by;
  n->roots = (variable_list){1, ARENA_ARRAY(graph->memory, MlirValue, 2)};
  n->roots.variables[0] = by->kind == REMAP_COUNTER ? n->value : graph->nodes[by->dimension].value;
  if (by->other >= 0)
    n->roots.variables[n->roots.count++] = graph->nodes[by->other].value;
}

/* ---- guards ------------------------------------------------------------------------------- */

static MlirValue in_bounds(provenance *graph, builder *b, int at) {
  MlirValue coordinate = node_coordinate(graph, b, at);
  MlirValue below = less(b, coordinate, node_extent(graph, b, at));
  return and_i(b, below, less_equal(b, constant_index(b, 0), coordinate));
}

MlirValue difference_guard(provenance *graph, builder *b, int at) {
  const remapping *m = graph->nodes[at].bound ? NULL : bound_difference(graph, at);
  if (!m || node_is_bound(graph, &graph->nodes[other_dimension(m, at)]))
    return (MlirValue){NULL};
  return in_bounds(graph, b, other_dimension(m, at));
}

static MlirValue recovered_guard(provenance *graph, builder *b, int at, int by) {
  recovery r;
  MlirValue guard = {NULL};
  if (node_is_bound(graph, &graph->nodes[at]) || !find_recovery(graph, at, &r))
    return guard;
  if (r.remainder) {
    provenance_part part = {.whole = graph->nodes[at].value, .size = r.quotient->by.size};
    bool follows = r.quotient->self == by || r.remainder->self == by;
    if (!follows || provenance_is_whole(graph, &part))
      return guard;
    return less(b, node_coordinate(graph, b, at), node_extent(graph, b, at));
  }
  return r.difference->self == by ? in_bounds(graph, b, at) : guard;
}

MlirValue provenance_remap_guard(provenance *graph, builder *b, MlirValue variable) {
  const node *n = node_of(graph, variable);
  MlirValue guard = {NULL};
  if (!n->remapping)
    return guard;
  guard = recovered_guard(graph, b, n->remapping->by.dimension, n->remapping->self);
  if (n->remapping->by.other < 0)
    return guard;
  return both_hold(b, guard, recovered_guard(graph, b, n->remapping->by.other, n->remapping->self));
}

/* ---- parts -------------------------------------------------------------------------------- */

static bool is_other_part(const remap *r, const remap *of) {
  return r->dimension == of->dimension && r->size == of->size && r->kind != of->kind &&
         (r->kind == REMAP_QUOTIENT || r->kind == REMAP_REMAINDER);
}

bool provenance_part_of(const provenance *graph, MlirValue variable, provenance_part *part) {
  const node *n = node_of(graph, variable);
  const remap *by = n && n->remapping ? &n->remapping->by : NULL;
  if (!by || (by->kind != REMAP_QUOTIENT && by->kind != REMAP_REMAINDER))
    return false;
  *part = (provenance_part){.whole = graph->nodes[by->dimension].value,
                            .is_quotient = by->kind == REMAP_QUOTIENT,
                            .size = by->size};
  for (int i = 0; i < graph->remapping_count; ++i)
    if (is_other_part(&graph->remappings[i].by, by))
      part->other = graph->nodes[graph->remappings[i].self].value;
  return true;
}

void provenance_tell_whole(provenance *graph, MlirValue variable, bool whole) {
  node_of(graph, variable)->whole = whole;
}

bool provenance_is_whole(const provenance *graph, const provenance_part *part) {
  const node *n = node_of(graph, part->whole);
  return n->whole || (n->static_extent >= 0 && n->static_extent % part->size == 0);
}

bool provenance_is_counter(const provenance *graph, MlirValue variable) {
  const node *n = node_of(graph, variable);
  return n->remapping && n->remapping->by.kind == REMAP_COUNTER;
}

bool provenance_is_remapped(const provenance *graph, MlirValue variable) {
  const node *n = node_of(graph, variable);
  recovery ignored;
  return !node_is_bound(graph, n) && !n->remapping &&
         find_recovery(graph, find_node(graph, variable), &ignored);
}
