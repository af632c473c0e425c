/* provenance_state.h - what a provenance graph holds; for provenance*.c only. */
#ifndef LACUNA_PROVENANCE_STATE_H
#define LACUNA_PROVENANCE_STATE_H

#include "provenance.h"
#include "remap.h"

enum { NO_RELATION = -1, MOST_PARENTS = 2, MOST_CHILDREN = 2 };

/* So that bounds in the code being made, N + size at most, do not overflow. */
#define MOST_SIZE (INT64_C(1) << 48)

typedef struct interval {
  MlirValue low, high;
} interval;

typedef struct variable_list {
  intptr_t count;
  MlirValue *variables;
} variable_list;

typedef struct node {
  MlirValue value;
  int derived_by, consumed_by; /* relations */
  int64_t static_extent;       /* -1 where unknown */
  MlirValue extent;            /* null until told or emitted */
  bool bound;
  bool whole; /* blocks that it is recovered from end in bounds */
  MlirValue coordinate;
  variable_list roots, bases;
  const struct remapping *remapping; /* of a cin.remap */
} node;

/* A cin.remap: node `self` is the remap of the nodes of its dimensions. */
typedef struct remapping {
  remap by; /* `dimension` and `minus` are nodes */
  int self;
} remapping;

typedef struct relation relation;

typedef struct relation_rule {
  const char *name;
  int64_t (*static_extent)(const provenance *graph, const relation *r, int child);
  MlirValue (*extent)(provenance *graph, builder *b, const relation *r, int child);
  MlirValue (*recover)(provenance *graph, builder *b, const relation *r, int parent);
  interval (*bounds)(provenance *graph, builder *b, const relation *r);
  bool (*overruns)(const provenance *graph, const relation *r);
  int contiguous_child; /* counting it up, the others fixed, the parent visits an interval */
} relation_rule;

struct relation {
  MlirOperation op;
  const relation_rule *rule;
  int parent_count, child_count;
  int parents[MOST_PARENTS], children[MOST_CHILDREN];
};

struct provenance {
  arena *memory;
  int node_count, relation_count, remapping_count;
  node *nodes;
  relation *relations;
  remapping *remappings;
};

/* How a node follows from variables of remappings that are bound. */
typedef struct recovery {
  const remapping *quotient, *remainder; /* both, or neither */
  const remapping *difference;           /* whose other dimension is bound */
} recovery;

MlirValue both_hold(builder *b, MlirValue x, MlirValue y);
int find_node(const provenance *graph, MlirValue variable);
node *node_of(const provenance *graph, MlirValue variable);
int add_node(provenance *graph, MlirValue variable, int derived_by, int64_t static_extent);
/* Whether it is bound, or all that relations derive from it are; whether it is known so or by
 * remappings. */
bool node_is_bound(const provenance *graph, const node *n);
bool node_is_known(const provenance *graph, const node *n);
MlirValue node_extent(provenance *graph, builder *b, int at);
MlirValue node_coordinate(provenance *graph, builder *b, int at);

/* provenance_remap.c: adds a cin.remap to the graph, false after a diagnostic; its roots. */
bool add_remapping(provenance *graph, MlirOperation op);
void find_remapped_roots(provenance *graph, node *n);

/* How the node `at` can be recovered, and from what; a bound difference of it and another node, or
 * NULL. */
bool find_recovery(const provenance *graph, int at, recovery *r);
const remapping *bound_difference(const provenance *graph, int at);
MlirValue recovered_coordinate(provenance *graph, builder *b, int at, const recovery *r);
interval difference_bounds(provenance *graph, builder *b, int at, const remapping *m);
/* Whether what follows from the node, which is not walked, by a bound difference is in bounds; null
 * where nothing does. */
MlirValue difference_guard(provenance *graph, builder *b, int at);

/* Of the variable of a remapping. */
bool remapping_is_known(const provenance *graph, const remapping *m);
MlirValue remapping_extent(provenance *graph, builder *b, const remapping *m);
MlirValue remapped_coordinate(provenance *graph, builder *b, const remapping *m);

#endif
