/* iteration_graph.h - in which orders the loops of a statement can stand, and which of them is
 * best.
 *
 * The iteration graph (Kjolstad et al. 2017, section 4.1) has the index variables as nodes and an
 * edge i -> j where the loop over j must stand inside the loop over i:
 *
 *   - a level that only position iteration can walk comes after all levels above it.  Levels that
 * can locate ask for nothing: their position is found once their coordinates are known;
 *   - what the way to assemble the result asks of its levels (assembly.h): which stand inside
 * which, inside of which reductions stand, and counters, along which the coordinates of the levels
 * below come again.  Each way is a graph of its own; they are alternatives;
 *   - a nested reduction stands inside the loops over the variables that its term depends on.
 *
 *     A(i,j) = B(i,j) + C(i,j), B by rows, C by columns:   i -> j (B), j -> i (C): a cycle
 */
#ifndef LACUNA_ITERATION_GRAPH_H
#define LACUNA_ITERATION_GRAPH_H

#include "statement.h"

typedef struct iteration_edge {
  int from, to;
  int access; /* that asks for it, or -1: a nested reduction */
  const char *reason;
} iteration_edge;

typedef struct iteration_graph {
  const statement *statement;
  variable_set *before; /* for each variable the ones whose loops go around its */
  int edge_count, edge_room;
  iteration_edge *edges;
  struct iteration_graph *other; /* with the result assembled in another way, or NULL */
} iteration_graph;

/* The graph of `s`.  `with_accesses`: with the edges that accesses ask for, not only those of
 * nested reductions. */
iteration_graph *iteration_graph_create(const statement *s, bool with_accesses);

/* The best order of all variables, outermost first.  False where there is a cycle. */
bool iteration_graph_order(const iteration_graph *g, int *order);

/* Whether the order agrees with every edge, or every one of an alternative. */
bool iteration_graph_permits(const iteration_graph *g, const int *order);

/* A cycle in words: "i -> j (B) -> i (C)"; in the arena of the statement. */
char *iteration_graph_cycle(const iteration_graph *g);

/* Whether the order walks what operand (or result) `access_number` stores in an order that it
 * cannot be walked (or built) in. */
bool access_contradicts(const iteration_graph *g, int access_number, const int *order);

/* Calls `visit` with every order that the graph (not its alternatives) permits, until it returns
 * false: for graphs that are small, with seven variables at most. */
typedef bool order_visitor(const int *order, void *data);
void iteration_graph_visit_orders(const iteration_graph *g, order_visitor *visit, void *data);
bool iteration_graph_is_small(const iteration_graph *g);

/* For others a search that goes downhill, from an order as each access would have it: the result
 * first, then the operands.  What variables are called makes no difference.
 *
 * - visit_starts: calls `visit` with each of those orders
 * - improve: moves one variable after the other to where the order gets cheaper (INFINITY where it
 *   is none), as the graph permits, until none does
 *   or a thousand orders have been looked at; fewer of many variables
 * - order_from: from `natural`, always the first variable whose predecessors are there; false
 *   where there is a cycle */
typedef double order_cost(const int *order, void *data);
void iteration_graph_visit_starts(const iteration_graph *g, order_visitor *visit, void *data);
void iteration_graph_improve(const iteration_graph *g, int *order, order_cost *cost, void *data);
bool iteration_graph_order_from(const iteration_graph *g, const int *natural, int *order);

/* Whether the result is scattered into, or collected, in that order. */
bool order_scatters(const statement *s, const int *order);

/* The estimated time of the loops in that order, in units of an access to contiguous memory. */
double loop_cost(const statement *s, const int *order);

/* The loops of a nest in the given order of all variables, those of the nests around it included:
 * their number, and the variables in `path`.  A nested one starts after the last variable that its
 * term depends on. */
int nest_path(const statement *s, const nest *n, const int *order, int *path);

#endif
