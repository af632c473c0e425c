/* provenance_state.h - what a provenance graph holds; for provenance*.c only. */
#ifndef LACUNA_PROVENANCE_STATE_H
#define LACUNA_PROVENANCE_STATE_H

#include "provenance.h"

typedef struct variable_list {
  intptr_t count;
  MlirValue *variables;
} variable_list;

typedef struct variable_node {
  MlirValue value;
  const relation *derived_by, *consumed_by; /* derived: the first that it is a child of */
  int64_t static_extent;                    /* -1 where unknown */
  MlirValue extent;                         /* null until told or emitted */
  bool bound;
  bool whole; /* blocks that it is recovered from end in bounds */
  MlirValue coordinate;
  variable_list roots, bases;
  relation_space space;
} variable_node;

struct provenance {
  arena *memory;
  relation_graph *graph;
  int node_count;
  variable_node *nodes;
  int bound_count;
  int *bound; /* nodes, in the order in which they were */
  relation_knowledge *known;
  const provenance_levels *levels; /* null where no code is made */
};

/* A variable's node, NO_NODE and NULL where it has none. */
int find_node(const provenance *graph, MlirValue variable);
variable_node *node_of(const provenance *graph, MlirValue variable);

/* Whether it stands in the place of others: a relation that consumes them derives it. */
bool node_is_derived(const variable_node *n);
/* Whether it ends where entries do. */
bool node_is_endless(const variable_node *n);

bool node_is_known(const provenance *graph, int at);
/* The way by which a node follows; NULL where it is bound, or not known. */
const relation_way *way_to(const provenance *graph, int at);
void bind_node(const provenance *graph, int at);
void unbind_node(const provenance *graph, int at);

bool is_one_of(int count, const int *nodes, int at);
bool is_parent(const relation *r, int at);
bool is_in(const relation *r, int at);

/* Whether the relation leaves less than all of a node to be visited. */
bool is_bounded_by(const provenance *graph, const relation *r, int at);
/* Whether relations do, and what they leave; not counting `but` (NULL: all count). */
bool is_bounded(const provenance *graph, int at, const relation *but);
interval node_bounds(const provenance *graph, builder *b, int at, const relation *but);
/* The level that holds a parent of a relation to positions: the first one is that of the positions,
 * the others those above it. */
relation_space level_of(const relation_scope *s, int at);

/* What a row is told of this graph. */
relation_scope scope_of(const provenance *graph, builder *b, const relation *r);
/* Knows what is bound, and nothing else. */
void know_bound(const provenance *graph);

#endif
