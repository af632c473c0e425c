/* provenance_forall.c - what a forall over a variable means: which variable becomes known, whether
 * by a walk or by recovery, in which bounds, and how what follows goes up or down with it.
 */
#include "provenance_state.h"

/* Whether the graph from `base` down to `leaf` goes along contiguous children only. */
static bool goes_contiguously(const provenance *graph, int base, int leaf) {
  while (base != leaf) {
    const relation *r = graph->nodes[base].consumed_by;
    if (!r || r->rule->contiguous_child < 0)
      return false;
    base = r->children[r->rule->contiguous_child];
  }
  return true;
}

static bool completes(const provenance *graph, int variable, int base) {
  bool before = node_is_known(graph, base), was_bound = graph->nodes[variable].bound;
  if (before || was_bound)
    return false;
  bind_node(graph, variable);
  bool after = node_is_known(graph, base);
  unbind_node(graph, variable);
  return after;
}

provenance_step provenance_next(const provenance *graph, MlirValue variable) {
  int self = find_node(graph, variable);
  const variable_node *n = &graph->nodes[self];
  if (n->derived_by && !node_is_derived(n) && !n->consumed_by)
    return (provenance_step){PROVENANCE_WALK, variable, !is_bounded(graph, self, NULL)};
  for (intptr_t i = 0; i < n->bases.count; ++i) {
    int base = find_node(graph, n->bases.variables[i]);
    if (!completes(graph, self, base))
      continue;
    bool walk = goes_contiguously(graph, base, self);
    return (provenance_step){walk ? PROVENANCE_WALK : PROVENANCE_RECOVER, n->bases.variables[i],
                             walk && !is_bounded(graph, base, NULL)};
  }
  return (provenance_step){.kind = PROVENANCE_COUNT};
}

/* Whether another child, in whose steps the one that is counted up goes on, is not known. */
static bool waits_for_steps(const provenance *graph, const relation *r, int at) {
  if (r->rule->contiguous_child < 0 || r->children[r->rule->contiguous_child] != at)
    return false;
  for (int c = 0; c < r->child_count; ++c)
    if (r->children[c] != at &&
        (r->children[c] == NO_NODE || !node_is_known(graph, r->children[c])))
      return true;
  return false;
}

static bool is_part_of(const provenance *graph, int at, int whole) {
  const relation *r = graph->nodes[at].derived_by;
  bool found = at == whole;
  for (int i = 0; r && i < r->parent_count && !found; ++i)
    found = is_part_of(graph, r->parents[i], whole);
  return found;
}

/* Whether a part on the way from a node up to what it is a part of waits for steps. */
static bool strides_up_to(const provenance *graph, int at, int whole) {
  while (at != whole) {
    const relation *r = graph->nodes[at].derived_by;
    int n = 0;
    if (waits_for_steps(graph, r, at))
      return true;
    while (!is_part_of(graph, r->parents[n], whole))
      ++n;
    at = r->parents[n];
  }
  return false;
}

bool provenance_is_strided(const provenance *graph, MlirValue variable) {
  int at = find_node(graph, variable);
  return strides_up_to(graph, at, find_node(graph, graph->nodes[at].bases.variables[0]));
}

bool provenance_strides_through(const provenance *graph, MlirValue variable, MlirValue whole) {
  int at = find_node(graph, variable), to = find_node(graph, whole);
  return provenance_is_strided(graph, variable) ||
         (to >= 0 && is_part_of(graph, at, to) && strides_up_to(graph, at, to));
}

void provenance_bounds(provenance *graph, builder *b, MlirValue known, MlirValue *low,
                       MlirValue *high) {
  interval whole = node_bounds(graph, b, find_node(graph, known), NULL);
  *low = whole.low;
  *high = whole.high;
}

bool provenance_is_bounded(const provenance *graph, MlirValue variable) {
  return is_bounded(graph, find_node(graph, variable), NULL);
}

/* Whether all that is known of the relation but for a node is since the first `count` are. */
static bool is_known_since(const provenance *graph, const relation *r, int but, int count) {
  for (int at = 0; at < graph->node_count; ++at)
    if (at != but && is_in(r, at) && graph->known->since[at] >= count)
      return false;
  return true;
}

bool provenance_bounds_follow(const provenance *graph, MlirValue variable, int count) {
  int at = find_node(graph, variable);
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    if (is_bounded_by(graph, r, at) && !is_known_since(graph, r, at, count))
      return false;
  }
  return true;
}

/* Whether a parent of the relation becomes known before the bounds that those behind it put it
 * in. */
static bool is_beyond_bounds(const provenance *graph, const relation *r, int self) {
  int within = r->rule->within_bounds;
  return within && r->parent_count > within + 1 && completes(graph, self, r->parents[within]) &&
         !is_bounded(graph, r->parents[within], r);
}

MlirValue provenance_unrecovered(const provenance *graph, MlirValue variable) {
  int self = find_node(graph, variable);
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    if (r->rule->consumes && !r->rule->coordinate && completes(graph, self, r->parents[0]) &&
        !goes_contiguously(graph, r->parents[0], self))
      return graph->nodes[r->parents[0]].value;
    if (is_beyond_bounds(graph, r, self))
      return graph->nodes[r->parents[r->rule->within_bounds]].value;
  }
  return (MlirValue){NULL};
}

bool provenance_position_bounds(const provenance *graph, MlirValue variable,
                                relation_space *space) {
  int self = find_node(graph, variable);
  for (int i = 0; i < relation_graph_count(graph->graph); ++i) {
    const relation *r = relation_graph_at(graph->graph, i);
    relation_scope s = scope_of(graph, NULL, r);
    bool positions = r->rule->space && r->rule->space(r, 0).is_positions;
    if (!positions || !is_parent(r, self) || self == r->parents[0] ||
        !is_bounded_by(graph, r, self))
      continue;
    *space = level_of(&s, self);
    return true;
  }
  return false;
}

/* Whether node `at` descends where the one that became known last ascends; it does not change with
 * those that were known before. */
static bool descends(const provenance *graph, int at, bool down) {
  const relation_way *way = way_to(graph, at);
  if (graph->known->since[at] < graph->bound_count - 1)
    return false;
  if (!way)
    return down;
  for (int n = 0; n < way->count; ++n) {
    const relation_rule *rule = way->by->rule;
    bool against = rule->descends && rule->descends(way->by, at, way->from[n]);
    if (descends(graph, way->from[n], down != against))
      return true;
  }
  return false;
}

bool provenance_descends(const provenance *graph, MlirValue variable, MlirValue known) {
  int self = find_node(graph, variable), at = find_node(graph, known);
  if (at < 0 || !completes(graph, self, at))
    return false;
  bind_node(graph, self);
  bool down = descends(graph, at, false);
  unbind_node(graph, self);
  return down;
}

/* The same of a node where `from` has become known last. */
static bool rise_since(const provenance *graph, int at, int from, int64_t *rise) {
  const relation_way *way = way_to(graph, at);
  *rise = at == from;
  if (at == from || graph->known->since[at] < graph->bound_count - 1)
    return true;
  for (int n = 0; way && n < way->count; ++n) {
    int64_t one, by = 0;
    const relation_rule *rule = way->by->rule;
    if (!rise_since(graph, way->from[n], from, &one) ||
        (one && !(rule->rise && rule->rise(way->by, at, way->from[n], &by))))
      return false;
    *rise += one * by;
  }
  return way;
}

bool provenance_rise(const provenance *graph, MlirValue variable, MlirValue from, int64_t *rise) {
  int self = find_node(graph, from), at = find_node(graph, variable);
  *rise = 0;
  if (at < 0 || self < 0 || node_is_known(graph, self))
    return false;
  if (node_is_known(graph, at))
    return true;
  bind_node(graph, self);
  bool follows = node_is_known(graph, at) && rise_since(graph, at, self, rise);
  unbind_node(graph, self);
  return follows;
}

/* The way by which a bound node follows from the others and one more; NULL for none. */
static const relation_way *way_with(const provenance *graph, int at, int more) {
  relation_knowledge known = relation_knowledge_none(graph->graph, NULL);
  for (int n = 0; n < graph->bound_count; ++n)
    if (graph->bound[n] != at)
      relation_know(graph->graph, &known, graph->bound[n]);
  relation_know(graph->graph, &known, more);
  return known.since[at] < 0 ? NULL : known.by[at];
}

MlirValue provenance_left_over(const provenance *graph, MlirValue variable) {
  provenance_step step = provenance_next(graph, variable);
  int self = find_node(graph, variable);
  for (int n = 0; n < graph->bound_count; ++n) {
    const relation_way *way = way_with(graph, graph->bound[n], self);
    bool bounded = way && step.kind == PROVENANCE_WALK &&
                   is_bounded_by(graph, way->by, find_node(graph, step.known));
    if (way && !bounded)
      return graph->nodes[graph->bound[n]].value;
  }
  return (MlirValue){NULL};
}
