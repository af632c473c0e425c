/* relation.h - relations between index variables (Senanayake et al. 2020, sections 3.2, 3.3 and 5),
 * and between dimensions and what levels hold of them.
 *
 * A relation maps its parents to its children.  Each kind is a row of functions, in a file of its
 * own; nobody else knows what it computes:
 *
 *     split.c      i -> o, n            i = s o + n                     consumes i
 *     split_up.c   i -> o, n            i = ceil(N / s) o + n           consumes i
 *     collapse.c   j; i -> f            f = i N + j                     consumes j
 *     block.c      x -> q, r            q = x floordiv s, r = x mod s
 *     linear.c     x1, x2, ... -> k     k = c + c1 x1 + c2 x2 + ...     counted from the least, or
 *                                                                       as it is: a subscript
 *     constant.c   -> k               k = c, known from the start
 *     counter.c    i -> n               n = #i: nothing follows from it, nor it from anything
 *     pos.c        j; i -> p            p numbers what a level stores of j below i   consumes j
 *     coord.c      p; j, p0 -> c        c = j, within the piece p0      consumes p
 *     bound.c      i -> b               b = i, which ends at s          consumes i
 *     window.c     k; u -> s            s = k - (c + c1 u1 + ...), what other variables reach
 *
 * A cin.twin states one of these again, of another parent, for a child of its own beside the others
 * that there are: v -> o, t with the o of i -> o, n.
 *
 * A relation that consumes parents stands in their place: no forall ranges over them any more.
 * The others stand beside them.  Each row says which variables become known from which others, as a
 * list of ways:
 *
 *     q, r => x          x => q          x => r
 *
 * Variables are numbers here, the nodes of a graph.  docs/adding-a-relation.md adds one.
 */
#ifndef LACUNA_RELATION_H
#define LACUNA_RELATION_H

#include "arena.h"
#include "builder.h"
#include "remap.h"

typedef struct relation_rule relation_rule;
typedef struct relation_graph relation_graph;

/* So that bounds in the code being made, N + size at most, do not overflow. */
#define RELATION_MOST_SIZE (INT64_C(1) << 48)

enum { NO_NODE = -1 };

typedef struct relation {
  const relation_rule *rule;
  MlirOperation op; /* that states it; null where a level does */
  int parent_count, child_count;
  int *parents, *children; /* nodes; NO_NODE for a child that nobody asks for */
  int64_t size;            /* of parts */
  int64_t *factors;        /* of a linear form, for each parent */
  int64_t constant;        /* and its constant, or one alone */
  bool is_value;           /* of a linear form: counted from zero, not from its least */
} relation;

/* What the nodes of a relation are where code is made for it. */
typedef struct relation_scope relation_scope;
typedef struct interval {
  MlirValue low, high; /* [low, high), low <= high */
} interval;
struct relation_scope {
  builder *b;
  const relation *relation;
  void *owner;
  MlirValue (*coordinate)(const relation_scope *s, int node);
  MlirValue (*extent)(const relation_scope *s, int node);
  int64_t (*static_extent)(const relation_scope *s, int node); /* -1 where unknown */
  bool (*is_known)(const relation_scope *s, int node);
  bool (*is_consumed)(const relation_scope *s, int node);
  interval (*bounds)(const relation_scope *s, int node); /* that other relations leave of it */
  bool (*is_whole)(const relation_scope *s, int node);   /* its blocks are told to end in bounds */
  /* Whether other relations leave less than all of a node to be visited, and `bounds` what they do.
   */
  bool (*is_bounded)(const relation_scope *s, int node);
  /* Of the level that holds a parent, for relations to positions: how many positions it has; those
   * below the position that has been reached above it; the coordinate at one of them, -1 before the
   * first, the last of all that there are behind the last; how many positions of the level above
   * have theirs begin before one. */
  MlirValue (*level_count)(const relation_scope *s, int node);
  interval (*level_positions)(const relation_scope *s, int node);
  MlirValue (*level_coordinate)(const relation_scope *s, int node, MlirValue position);
  MlirValue (*level_parents)(const relation_scope *s, int node, MlirValue position);
};

/* The space that a variable goes through: coordinates, or the positions of a level of an operand.
 */
typedef struct relation_space {
  bool is_positions;
  MlirValue tensor; /* null for coordinates */
  int level;
} relation_space;

struct relation_rule {
  const char *name; /* of the operation that states it */
  int consumes;     /* so many of its parents, the first ones */
  bool endless;     /* the children end where entries do */
  bool divides;     /* the children are the quotient and the remainder of the parent by `size` */
  /* Adds what a level holds to a graph: the relation whose child is `child`.  Null: one of its own
   * with the parts as parents. */
  relation *(*add)(relation_graph *graph, const remap *r, const int *parts, int child);
  /* Tells relation_graph_way what becomes known from what. */
  void (*ways)(relation_graph *graph, const relation *r);
  /* Completes it by what other relations of the graph say; may be null. */
  void (*infer)(const relation_graph *graph, relation *r);
  /* How many coordinates a child has: where it is known now, else -1; emitted; and as
   * lac_kernel_sizes reads it, from texts of the parents' (null where no level holds it). */
  int64_t (*static_extent)(const relation_scope *s, int child);
  MlirValue (*extent)(const relation_scope *s, int child);
  const char *(*size_text)(arena *memory, const relation *r, int child, const char *const *parents);
  /* Whether code can be made for what the operation states; false after a diagnostic at it.  Null:
   * always. */
  bool (*verify)(MlirOperation op);
  /* The coordinate of a node that follows by one of the ways (coordinate recovery).  Null: what is
   * consumed is walked, never recovered. */
  MlirValue (*coordinate)(const relation_scope *s, int node);
  /* The coordinate of the child that is counted up (contiguous_child), from that of the first parent
   * and of all others that are known (derived recovery).  Null: it follows from none. */
  MlirValue (*derived)(const relation_scope *s, MlirValue parent);
  /* The condition (an i1) under which what follows so is a coordinate of the node; null where it
   * always is.  `bounded`: what made it follow was walked within `bounds`. */
  MlirValue (*guard)(const relation_scope *s, int node, bool bounded);
  /* What a walk of a node that does not follow visits, from what is known of the others; null where
   * that is all of it.  `bounds_from`: whether enough is known to ask. */
  bool (*bounds_from)(const relation_scope *s, int node);
  interval (*bounds)(const relation_scope *s, int node);
  /* The child, by its place, that when counted up, the others fixed, makes the parent visit an
   * interval; the others make it go in strides. */
  int contiguous_child;
  /* A parent, by its place, that the child is within bounds only, given those behind it, which other
   * relations have to know by then; 0: none. */
  int within_bounds;
  /* Whether a node that follows by one of the ways descends where `from`, one of those that it
   * follows from, is counted up and the others are fixed.  Null: never. */
  bool (*descends)(const relation *r, int node, int from);
  /* How much a node that follows by one of the ways rises with each step of `from`, the others fixed;
   * false where that is not a whole number.  Null: not the same everywhere. */
  bool (*rise)(const relation *r, int node, int from, int64_t *by);
  /* Of a child; null: coordinates, or the parent's space where that is consumed. */
  relation_space (*space)(const relation *r, int child);
};

/* ---- The table ---------------------------------------------------------------------------- */

extern const relation_rule split_relation, split_up_relation, block_relation, linear_relation;
extern const relation_rule counter_relation, constant_relation, pos_relation, collapse_relation;
extern const relation_rule coord_relation, bound_relation, window_relation;

/* A further row, for as long as the process lives. */
void relation_register(const relation_rule *rule);
/* The row that an operation states, NULL for none; and that of a level's expression. */
const relation_rule *relation_rule_named(MlirStringRef name);
const relation_rule *relation_rule_of(remap_kind kind);

/* ---- Graphs ------------------------------------------------------------------------------- */

typedef struct relation_way {
  const relation *by;
  int known; /* this node follows */
  int count; /* from these */
  int *from;
} relation_way;

relation_graph *relation_graph_create(arena *memory);
arena *relation_graph_memory(const relation_graph *graph);
int relation_graph_node(relation_graph *graph); /* a new one */
int relation_graph_nodes(const relation_graph *graph);

relation *relation_add(relation_graph *graph, const relation_rule *rule, int parent_count,
                       const int *parents, int child_count, const int *children);
/* The child is what `r` says of its parts (or of what it counts), these nodes. */
relation *relation_add_remap(relation_graph *graph, const remap *r, const int *parts, int child);

int relation_graph_count(const relation_graph *graph);
const relation *relation_graph_at(const relation_graph *graph, int n);
/* The relation of this kind, parent and size; NULL for none. */
relation *relation_graph_find(const relation_graph *graph, const relation_rule *rule, int parent,
                              int64_t size);

/* For the rows' `ways`. */
void relation_graph_way(relation_graph *graph, const relation *r, int known, int count,
                        const int *from);

/* What is known once nodes are, one after the other: the way by which each follows (NULL: by
 * itself), and at which of them, 0 for the first; -1 where it is not known. */
typedef struct relation_knowledge {
  int steps;
  const relation_way **by;
  int *since;
  bool *fresh; /* in the round at hand */
} relation_knowledge;
/* Nothing; `before`, if not NULL, was made for the same graph and is used again. */
relation_knowledge relation_knowledge_none(relation_graph *graph, const relation_knowledge *before);
void relation_know(relation_graph *graph, relation_knowledge *known, int node);

/* ---- Levels ------------------------------------------------------------------------------- */

/* The number of coordinates of a level that holds `expression` (canonical), given the extents of
 * the dimensions; null where no level can hold it.  The same for lac_kernel_sizes. */
MlirValue relation_level_size(arena *memory, builder *b, MlirAffineExpr expression,
                              const MlirValue *extents);
const char *relation_level_size_text(arena *memory, MlirAffineExpr expression);

/* The linear form that a level holds of dimensions, which are the nodes; the level is the node
 * `level`. */
const relation *relation_of_level(arena *memory, MlirAffineExpr expression, int level);

/* ---- For rows ----------------------------------------------------------------------------- */

static inline MlirValue scope_coordinate(const relation_scope *s, int node) {
  return s->coordinate(s, node);
}
static inline MlirValue scope_extent(const relation_scope *s, int node) {
  return s->extent(s, node);
}
/* What becomes known of parent n: itself, from the child and the parents behind it; as `ways`, of
 * the first. */
void parent_way(relation_graph *graph, const relation *r, int n);
void first_parent_ways(relation_graph *graph, const relation *r);
/* Of parent n and the child, which go through the same, that which a node is not; NO_NODE where it
 * is neither. */
int relation_other(const relation *r, int n, int node);
/* Parts, i = s o + n (parts.c), of rows that `divide` by a size, else into so many. */
enum { OUTER, INNER };
MlirValue parts_base(const relation_scope *s); /* s o */
MlirValue parts_coordinate(const relation_scope *s, int whole);
MlirValue parts_derived(const relation_scope *s, MlirValue whole); /* n = i - s o */
MlirValue parts_guard(const relation_scope *s, int whole, bool bounded);
void parts_ways(relation_graph *graph, const relation *r);
bool parts_rise(const relation *r, int whole, int part, int64_t *by);
bool parts_bounds_from(const relation_scope *s, int node);
interval parts_bounds(const relation_scope *s, int node);
/* Of those of a size (split.c). */
int64_t split_static_extent(const relation_scope *s, int child);
MlirValue split_extent(const relation_scope *s, int child);

#endif
