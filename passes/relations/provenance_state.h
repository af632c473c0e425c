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

bool is_one_of(int count, const int *nodes, int at);
/* What a row is told of this graph. */
relation_scope scope_of(const provenance *graph, builder *b, const relation *r);
/* Knows what is bound, and nothing else. */
void know_bound(const provenance *graph);

#endif
