/* provenance.c - the provenance graph of a kernel's index variables: the graph of relations with
 * what each variable is in the code being made.
 *
 * Nothing here knows what a relation computes: the rows say it (relation.h).  A variable is known
 * once it is bound, or follows from what is; the variables that are bound, in the order in which
 * they were, are all that there is to know, so that to unbind is to know again without one.
 */
#include "provenance_state.h"

#include "cin.h"
#include "ir.h"

/* ---- Reading ------------------------------------------------------------------------------ */

int find_node(const provenance *graph, MlirValue variable) {
  for (int i = 0; i < graph->node_count; ++i)
    if (mlirValueEqual(graph->nodes[i].value, variable))
      return i;
  return NO_NODE;
}

variable_node *node_of(const provenance *graph, MlirValue variable) {
  int i = find_node(graph, variable);
  return i < 0 ? NULL : &graph->nodes[i];
}

bool node_is_derived(const variable_node *n) {
  return n->derived_by && n->derived_by->rule->consumes;
}

bool node_is_known(const provenance *graph, int at) {
  return graph->known->since[at] >= 0;
}

const relation_way *way_to(const provenance *graph, int at) {
  return node_is_known(graph, at) && !graph->nodes[at].bound ? graph->known->by[at] : NULL;
}

bool is_one_of(int count, const int *nodes, int at) {
  for (int i = 0; i < count; ++i)
    if (nodes[i] == at)
      return true;
  return false;
}

bool is_parent(const relation *r, int at) {
  return is_one_of(r->parent_count, r->parents, at);
}

static int place_of_child(const relation *r, int at) {
  int place = 0;
  while (place < r->child_count - 1 && r->children[place] != at)
    ++place;
  return place;
}

bool node_is_endless(const variable_node *n) {
  return n->derived_by && n->derived_by->rule->endless;
}

void know_bound(const provenance *graph) {
  *graph->known = relation_knowledge_none(graph->graph, graph->known);
  for (int i = 0; i < graph->bound_count; ++i)
    relation_know(graph->graph, graph->known, graph->bound[i]);
}

/* ---- What the rows ask -------------------------------------------------------------------- */

static MlirValue node_extent(const provenance *graph, builder *b, int at) {
  variable_node *n = &graph->nodes[at];
  if (n->static_extent >= 0)
    return constant_index(b, n->static_extent);
  if (mlirValueIsNull(n->extent) && n->derived_by) {
    relation_scope s = scope_of(graph, b, n->derived_by);
    n->extent = n->derived_by->rule->extent(&s, place_of_child(n->derived_by, at));
  }
  return n->extent;
}

static MlirValue node_coordinate(const provenance *graph, builder *b, int at) {
  const relation_way *way = way_to(graph, at);
  if (!way)
    return graph->nodes[at].coordinate;
  relation_scope s = scope_of(graph, b, way->by);
  return way->by->rule->coordinate(&s, at);
}

static interval intersection(builder *b, interval x, interval y) {
  MlirValue low = max_i(b, x.low, y.low);
  return (interval){low, max_i(b, low, min_i(b, x.high, y.high))};
}

bool is_in(const relation *r, int at) {
  return is_parent(r, at) || is_one_of(r->child_count, r->children, at);
}

bool is_bounded_by(const provenance *graph, const relation *r, int at) {
  relation_scope s = scope_of(graph, NULL, r);
  return r->rule->bounds && is_in(r, at) && r->rule->bounds_from(&s, at);
}

bool is_bounded(const provenance *graph, int at, const relation *but) {
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    if (r != but && is_bounded_by(graph, r, at))
      return true;
  }
  return false;
}

interval node_bounds(const provenance *graph, builder *b, int at, const relation *but) {
  interval all = {{NULL}, {NULL}};
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    if (r == but || !is_bounded_by(graph, r, at))
      continue;
    relation_scope s = scope_of(graph, b, r);
    interval one = r->rule->bounds(&s, at);
    all = mlirValueIsNull(all.low) ? one : intersection(b, all, one);
  }
  if (mlirValueIsNull(all.low))
    all = (interval){constant_index(b, 0), node_extent(graph, b, at)};
  return all;
}

static MlirValue coordinate_in_scope(const relation_scope *s, int at) {
  return node_coordinate(s->owner, s->b, at);
}

static MlirValue extent_in_scope(const relation_scope *s, int at) {
  return node_extent(s->owner, s->b, at);
}

static int64_t scope_static_extent(const relation_scope *s, int at) {
  return ((const provenance *)s->owner)->nodes[at].static_extent;
}

static bool scope_is_known(const relation_scope *s, int at) {
  return node_is_known(s->owner, at);
}

static bool scope_is_consumed(const relation_scope *s, int at) {
  return ((const provenance *)s->owner)->nodes[at].consumed_by;
}

static interval scope_bounds(const relation_scope *s, int at) {
  return node_bounds(s->owner, s->b, at, s->relation);
}

static bool scope_is_bounded(const relation_scope *s, int at) {
  return is_bounded(s->owner, at, s->relation);
}

static bool scope_is_whole(const relation_scope *s, int at) {
  return ((const provenance *)s->owner)->nodes[at].whole;
}

relation_space level_of(const relation_scope *s, int at) {
  const relation *r = s->relation;
  relation_space space = r->rule->space(r, 0);
  for (int place = 1; place < r->parent_count; ++place)
    if (r->parents[place] == at && r->parents[0] != at)
      space.level = place - 1;
  return space;
}

static const provenance_levels *levels_of(const relation_scope *s) {
  return ((const provenance *)s->owner)->levels;
}

static MlirValue value_of(const relation_scope *s, int at) {
  return ((const provenance *)s->owner)->nodes[at].value;
}

static MlirValue scope_level_count(const relation_scope *s, int at) {
  return levels_of(s)->count(levels_of(s)->owner, level_of(s, at));
}

static interval scope_level_positions(const relation_scope *s, int at) {
  return levels_of(s)->positions(levels_of(s)->owner, level_of(s, at), value_of(s, at));
}

static MlirValue scope_level_coordinate(const relation_scope *s, int at, MlirValue position) {
  return levels_of(s)->coordinate(levels_of(s)->owner, level_of(s, at), value_of(s, at), position);
}

static MlirValue scope_level_parents(const relation_scope *s, int at, MlirValue position) {
  return levels_of(s)->parents(levels_of(s)->owner, level_of(s, at), position);
}

relation_scope scope_of(const provenance *graph, builder *b, const relation *r) {
  return (relation_scope){.b = b,
                          .relation = r,
                          .owner = (void *)(uintptr_t)graph,
                          .coordinate = coordinate_in_scope,
                          .extent = extent_in_scope,
                          .static_extent = scope_static_extent,
                          .is_known = scope_is_known,
                          .is_consumed = scope_is_consumed,
                          .bounds = scope_bounds,
                          .is_whole = scope_is_whole,
                          .is_bounded = scope_is_bounded,
                          .level_count = scope_level_count,
                          .level_positions = scope_level_positions,
                          .level_coordinate = scope_level_coordinate,
                          .level_parents = scope_level_parents};
}

/* ---- Names, ancestors, extents, spaces ---------------------------------------------------- */

MlirStringRef provenance_name(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  intptr_t result = mlirOperationIsNull(op) ? 0 : mlirOpResultGetResultNumber(variable);
  return cin_variable_name(op, result);
}

bool provenance_is_underived(MlirValue variable) {
  return cin_is_index(value_owner(variable));
}

intptr_t provenance_roots(const provenance *graph, MlirValue variable, const MlirValue **roots) {
  const variable_node *n = node_of(graph, variable);
  *roots = n ? n->roots.variables : NULL;
  return n ? n->roots.count : 0;
}

bool provenance_has_root(const provenance *graph, MlirValue variable, MlirValue root) {
  const variable_node *n = node_of(graph, variable);
  for (intptr_t i = 0; n && i < n->roots.count; ++i)
    if (mlirValueEqual(n->roots.variables[i], root))
      return true;
  return false;
}

intptr_t provenance_bases(const provenance *graph, MlirValue variable, const MlirValue **bases) {
  const variable_node *n = node_of(graph, variable);
  *bases = n ? n->bases.variables : NULL;
  return n ? n->bases.count : 0;
}

bool provenance_leads_to(const provenance *graph, MlirValue variable, MlirValue from) {
  const variable_node *n = node_of(graph, variable);
  bool found = mlirValueEqual(variable, from);
  for (intptr_t i = 0; n && i < n->bases.count; ++i)
    found = found || mlirValueEqual(n->bases.variables[i], from);
  return found;
}

bool provenance_is_consumed(const provenance *graph, MlirValue variable) {
  const variable_node *n = node_of(graph, variable);
  return n && n->consumed_by;
}

relation_space provenance_space(const provenance *graph, MlirValue variable) {
  return node_of(graph, variable)->space;
}

bool provenance_is_collapsed(const provenance *graph, MlirValue variable) {
  const variable_node *n = node_of(graph, variable);
  while (n && node_is_derived(n)) {
    if (n->derived_by->parent_count > n->derived_by->rule->consumes)
      return true;
    n = &graph->nodes[n->derived_by->parents[0]];
  }
  return false;
}

const char *provenance_space_text(arena *memory, relation_space space) {
  return space.is_positions ? arena_format(memory, "positions of level %d", space.level)
                            : "coordinates";
}

void provenance_set_extent(provenance *graph, MlirValue underived, MlirValue extent) {
  node_of(graph, underived)->extent = extent;
}

void provenance_emit_extents(provenance *graph, builder *b, bool positions) {
  for (int i = 0; i < graph->node_count; ++i)
    if (graph->nodes[i].static_extent < 0 && graph->nodes[i].space.is_positions == positions)
      node_extent(graph, b, i);
}

void provenance_set_levels(provenance *graph, const provenance_levels *levels) {
  graph->levels = levels;
}

MlirValue provenance_extent(provenance *graph, builder *b, MlirValue variable) {
  return node_extent(graph, b, find_node(graph, variable));
}

int64_t provenance_static_extent(const provenance *graph, MlirValue variable) {
  const variable_node *n = node_of(graph, variable);
  return n ? n->static_extent : -1;
}

/* ---- Binding ------------------------------------------------------------------------------ */

void bind_node(const provenance *graph, int at) {
  provenance *g = (provenance *)(uintptr_t)graph;
  g->nodes[at].bound = true;
  g->bound[g->bound_count++] = at;
  relation_know(g->graph, g->known, at);
}

void unbind_node(const provenance *graph, int at) {
  provenance *g = (provenance *)(uintptr_t)graph;
  int kept = 0;
  g->nodes[at].bound = false;
  for (int i = 0; i < g->bound_count; ++i)
    if (g->bound[i] != at)
      g->bound[kept++] = g->bound[i];
  g->bound_count = kept;
  know_bound(g);
}

void provenance_bind(provenance *graph, MlirValue variable, MlirValue coordinate) {
  int at = find_node(graph, variable);
  if (!graph->nodes[at].bound)
    bind_node(graph, at);
  graph->nodes[at].coordinate = coordinate;
}

void provenance_unbind(provenance *graph, MlirValue variable) {
  int at = find_node(graph, variable);
  if (graph->nodes[at].bound)
    unbind_node(graph, at);
}

bool provenance_is_bound(const provenance *graph, MlirValue variable) {
  const variable_node *n = node_of(graph, variable);
  return n && n->bound;
}

bool provenance_is_known(const provenance *graph, MlirValue variable) {
  return node_is_known(graph, find_node(graph, variable));
}

bool provenance_is_remapped(const provenance *graph, MlirValue variable) {
  int at = find_node(graph, variable);
  const relation_way *way = way_to(graph, at);
  return way && !way->by->rule->consumes;
}

bool provenance_follows(const provenance *graph, MlirValue variable, intptr_t count,
                        const MlirValue *from) {
  relation_knowledge known = relation_knowledge_none(graph->graph, NULL);
  for (intptr_t i = 0; i < count; ++i)
    relation_know(graph->graph, &known, find_node(graph, from[i]));
  return known.since[find_node(graph, variable)] >= 0;
}

MlirValue provenance_coordinate(provenance *graph, builder *b, MlirValue variable) {
  return node_coordinate(graph, b, find_node(graph, variable));
}

static MlirValue node_derived(const provenance *graph, builder *b, int at, MlirValue position) {
  const relation *r = graph->nodes[at].derived_by;
  if (!node_is_derived(&graph->nodes[at]))
    return node_coordinate(graph, b, at);
  if (r->rule->space && r->rule->space(r, 0).is_positions)
    return position;
  MlirValue parent = node_derived(graph, b, r->parents[0], position);
  relation_scope s = scope_of(graph, b, r);
  return mlirValueIsNull(parent) || !r->rule->derived ? (MlirValue){NULL}
                                                      : r->rule->derived(&s, parent);
}

MlirValue provenance_derived(provenance *graph, builder *b, MlirValue variable,
                             MlirValue position) {
  return node_derived(graph, b, find_node(graph, variable), position);
}

/* ---- Guards ------------------------------------------------------------------------------- */

static MlirValue both_hold(builder *b, MlirValue x, MlirValue y) {
  if (mlirValueIsNull(x) || mlirValueIsNull(y))
    return mlirValueIsNull(x) ? y : x;
  return and_i(b, x, y);
}

/* Whether the relation left less than all of a node to be visited when it was bound, after `count`
 * others. */
static bool was_bounded_by(const provenance *graph, const relation *r, int count) {
  relation_knowledge known = relation_knowledge_none(graph->graph, NULL);
  provenance before = *graph;
  before.known = &known;
  for (int n = 0; n < count; ++n)
    relation_know(graph->graph, &known, graph->bound[n]);
  return is_bounded_by(&before, r, graph->bound[count]);
}

/* Of what follows by a way, and of what that follows from and has no guard of its own.  Bounds are
 * kept where a node of the relation was walked within them, and that made this one follow. */
static MlirValue node_guard(const provenance *graph, builder *b, int at) {
  const relation_way *way = way_to(graph, at);
  MlirValue guard = {NULL};
  if (!way)
    return guard;
  for (int i = 0; i < way->count && way->by->rule->consumes; ++i)
    if (node_is_derived(&graph->nodes[way->from[i]]))
      guard = both_hold(b, guard, node_guard(graph, b, way->from[i]));
  if (!way->by->rule->guard)
    return guard;
  relation_scope s = scope_of(graph, b, way->by);
  bool bounded = was_bounded_by(graph, way->by, graph->known->since[at]);
  return both_hold(b, guard, way->by->rule->guard(&s, at, bounded));
}

/* The least round first: what others follow from. */
MlirValue provenance_guard(provenance *graph, builder *b, MlirValue variable) {
  int self = find_node(graph, variable);
  int since = graph->known->since[self];
  MlirValue guard = node_guard(graph, b, self);
  for (int at = 0; at < graph->node_count; ++at)
    if (at != self && graph->known->since[at] == since && since >= 0 &&
        !node_is_derived(&graph->nodes[at]))
      guard = both_hold(b, guard, node_guard(graph, b, at));
  return guard;
}

/* Whether a node that follows so can be beyond what it has, where that is not beyond the end of the
 * whole: the place in a part, or of what is collapsed with others. */
static bool can_leave_part(const provenance *graph, int at, const relation_way *way) {
  const variable_node *n = &graph->nodes[at];
  const relation *r = n->derived_by;
  if (way->by->parent_count > way->by->rule->consumes)
    return true;
  return node_is_derived(n) && r->child_count > 1 && r->children[r->rule->contiguous_child] == at;
}

MlirValue provenance_count_guard(provenance *graph, builder *b) {
  MlirValue guard = {NULL};
  for (int at = 0; at < graph->node_count; ++at) {
    const relation_way *way = way_to(graph, at);
    if (way && graph->known->since[at] == graph->bound_count - 1 && way->by->rule->consumes &&
        can_leave_part(graph, at, way))
      guard = both_hold(b, guard, node_guard(graph, b, at));
  }
  return guard;
}

bool provenance_is_beside(const provenance *graph, MlirValue variable) {
  int self = find_node(graph, variable);
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    for (int n = r->rule->consumes; r->rule->consumes && n < r->parent_count; ++n)
      if (r->parents[n] == self)
        return true;
  }
  return false;
}

/* ---- Parts -------------------------------------------------------------------------------- */

static bool take_part(const provenance *graph, const relation *r, int at, provenance_part *part) {
  if (!r->rule->divides || r->rule->consumes || !is_one_of(r->child_count, r->children, at))
    return false;
  bool is_quotient = r->children[0] == at;
  int other = r->children[is_quotient];
  *part = (provenance_part){.whole = graph->nodes[r->parents[0]].value,
                            .other = other < 0 ? (MlirValue){NULL} : graph->nodes[other].value,
                            .is_quotient = is_quotient,
                            .size = r->size};
  return true;
}

bool provenance_part_of(const provenance *graph, MlirValue variable, provenance_part *part) {
  int at = find_node(graph, variable);
  provenance_part one;
  bool found = false;
  for (int i = 0; at >= 0 && i < relation_graph_count(graph->graph); ++i)
    if (take_part(graph, relation_graph_at(graph->graph, i), at, &one) &&
        (!found || mlirValueIsNull(part->other))) {
      *part = one;
      found = true;
    }
  return found;
}

void provenance_tell_whole(provenance *graph, MlirValue variable, bool whole) {
  node_of(graph, variable)->whole = whole;
}

bool provenance_is_whole(const provenance *graph, const provenance_part *part) {
  const variable_node *n = node_of(graph, part->whole);
  return n->whole || (n->static_extent >= 0 && n->static_extent % part->size == 0);
}

bool provenance_is_in_form(const provenance *graph, MlirValue variable) {
  int at = find_node(graph, variable);
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    if (r->rule == &linear_relation && is_in(r, at))
      return true;
  }
  return false;
}

bool provenance_is_counter(const provenance *graph, MlirValue variable) {
  const variable_node *n = node_of(graph, variable);
  return n && node_is_endless(n);
}
