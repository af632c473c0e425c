/* relation_graph.c - nodes, the relations between them, and what becomes known from what.
 *
 * Knowledge grows by rounds: what follows from what was known before the round, by the first way
 * that there is, follows in it.  So what follows, follows by fewest ways, and never from itself.
 */
#include "relation.h"

#include <string.h>

struct relation_graph {
  arena *memory;
  int node_count, count, way_count;
  relation **relations;
  relation_way *ways;
  bool is_complete; /* its ways are listed */
};

relation_graph *relation_graph_create(arena *memory) {
  relation_graph *graph = ARENA_ARRAY(memory, relation_graph, 1);
  graph->memory = memory;
  return graph;
}

arena *relation_graph_memory(const relation_graph *graph) {
  return graph->memory;
}

int relation_graph_node(relation_graph *graph) {
  return graph->node_count++;
}

int relation_graph_nodes(const relation_graph *graph) {
  return graph->node_count;
}

int relation_graph_count(const relation_graph *graph) {
  return graph->count;
}

const relation *relation_graph_at(const relation_graph *graph, int n) {
  return graph->relations[n];
}

relation *relation_graph_find(const relation_graph *graph, const relation_rule *rule, int parent,
                              int64_t size) {
  for (int n = 0; n < graph->count; ++n) {
    relation *r = graph->relations[n];
    if (r->rule == rule && r->parent_count && r->parents[0] == parent && r->size == size)
      return r;
  }
  return NULL;
}

/* ---- Adding ------------------------------------------------------------------------------- */

/* Room for one more of `count` elements, doubled at powers of two. */
static void *one_more(arena *memory, void *elements, int count, size_t size) {
  if (count & (count - 1))
    return elements;
  void *moved = arena_alloc(memory, size * (size_t)(count ? 2 * count : 1));
  if (count)
    memcpy(moved, elements, size * (size_t)count);
  return moved;
}

static int *copied(arena *memory, int count, const int *nodes) {
  int *copy = ARENA_ARRAY(memory, int, count + 1);
  if (count)
    memcpy(copy, nodes, sizeof *nodes * (size_t)count);
  return copy;
}

relation *relation_add(relation_graph *graph, const relation_rule *rule, int parent_count,
                       const int *parents, int child_count, const int *children) {
  relation *r = ARENA_ARRAY(graph->memory, relation, 1);
  *r = (relation){.rule = rule,
                  .parent_count = parent_count,
                  .child_count = child_count,
                  .parents = copied(graph->memory, parent_count, parents),
                  .children = copied(graph->memory, child_count, children)};
  graph->relations = one_more(graph->memory, graph->relations, graph->count, sizeof(relation *));
  graph->relations[graph->count++] = r;
  graph->is_complete = false;
  return r;
}

relation *relation_add_remap(relation_graph *graph, const remap *r, const int *parts, int child) {
  const relation_rule *rule = relation_rule_of(r->kind);
  graph->is_complete = false;
  if (rule->add)
    return rule->add(graph, r, parts, child);
  int count = r->kind == REMAP_COUNTER ? 1 : r->count;
  relation *added = relation_add(graph, rule, count, parts, 1, &child);
  added->constant = r->constant;
  added->factors = ARENA_ARRAY(graph->memory, int64_t, count + 1);
  for (int n = 0; n < r->count; ++n)
    added->factors[n] = remap_term_at(r, n).factor;
  return added;
}

/* ---- Ways --------------------------------------------------------------------------------- */

void relation_graph_way(relation_graph *graph, const relation *r, int known, int count,
                        const int *from) {
  graph->ways = one_more(graph->memory, graph->ways, graph->way_count, sizeof(relation_way));
  graph->ways[graph->way_count++] =
      (relation_way){r, known, count, copied(graph->memory, count, from)};
}

void parent_way(relation_graph *graph, const relation *r, int n) {
  int *from = ARENA_ARRAY(graph->memory, int, r->parent_count), count = 0;
  from[count++] = r->children[0];
  for (int behind = n + 1; behind < r->parent_count; ++behind)
    from[count++] = r->parents[behind];
  relation_graph_way(graph, r, r->parents[n], count, from);
}

void first_parent_ways(relation_graph *graph, const relation *r) {
  parent_way(graph, r, 0);
}

int relation_other(const relation *r, int n, int node) {
  int parent = r->parents[n], child = r->children[0];
  return node == parent ? child : node == child ? parent : NO_NODE;
}

static void complete(relation_graph *graph) {
  if (graph->is_complete)
    return;
  graph->ways = NULL;
  graph->way_count = 0;
  for (int n = 0; n < graph->count; ++n)
    if (graph->relations[n]->rule->infer)
      graph->relations[n]->rule->infer(graph, graph->relations[n]);
  for (int n = 0; n < graph->count; ++n)
    if (graph->relations[n]->rule->ways)
      graph->relations[n]->rule->ways(graph, graph->relations[n]);
  graph->is_complete = true;
}

/* ---- Knowledge ---------------------------------------------------------------------------- */

/* Whether all were known before the round. */
static bool are_known(const relation_knowledge *known, const relation_way *way, const bool *fresh) {
  for (int n = 0; n < way->count; ++n)
    if (known->since[way->from[n]] < 0 || fresh[way->from[n]])
      return false;
  return true;
}

static bool know_more(const relation_graph *graph, relation_knowledge *known) {
  bool more = false, *fresh = known->fresh;
  memset(fresh, 0, sizeof *fresh * (size_t)graph->node_count);
  for (int n = 0; n < graph->way_count; ++n) {
    const relation_way *way = &graph->ways[n];
    if (known->since[way->known] >= 0 || !are_known(known, way, fresh))
      continue;
    known->since[way->known] = known->steps;
    known->by[way->known] = way;
    fresh[way->known] = more = true;
  }
  return more;
}

relation_knowledge relation_knowledge_none(relation_graph *graph,
                                           const relation_knowledge *before) {
  relation_knowledge none = {0};
  complete(graph);
  if (before && before->since)
    none = (relation_knowledge){0, before->by, before->since, before->fresh};
  else
    none = (relation_knowledge){
        0, ARENA_ARRAY(graph->memory, const relation_way *, graph->node_count + 1),
        ARENA_ARRAY(graph->memory, int, graph->node_count + 1),
        ARENA_ARRAY(graph->memory, bool, graph->node_count + 1)};
  for (int n = 0; n < graph->node_count; ++n)
    none.since[n] = -1;
  while (know_more(graph, &none))
    ;
  return none;
}

void relation_know(relation_graph *graph, relation_knowledge *known, int node) {
  if (known->since[node] < 0) {
    known->since[node] = known->steps;
    known->by[node] = NULL;
    while (know_more(graph, known))
      ;
  }
  known->steps++;
}
