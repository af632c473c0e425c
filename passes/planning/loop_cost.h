/* loop_cost.h - the parts of what an order of loops is estimated to cost (iteration_graph.h).
 *
 * A unit is about a tenth of a nanosecond.
 */
#ifndef LACUNA_LOOP_COST_H
#define LACUNA_LOOP_COST_H

#include "statement.h"

/* The last place in the path whose variable subscripts the access, or -1. */
int innermost_place(const access *a, const int *path, int length);

/* What it takes to come to a value of the result at the loop at `place`. */
double result_cost(const statement *s, const int *path, int place, bool scatters);

/* Of each of so many entries that are noted in any order, sorted, and stored, each of the levels
 * that have lists. */
double recording_cost(const access *made, double entries);

/* Adds for the levels of a nest's operands that are looked through what that takes, at the loop
 * inside of which their coordinates are known. */
void add_searches(const statement *s, const nest *n, const int *path, int length, double *searches);

/* Whether a sparse result has entries where nothing is computed, of windows that are empty; and
 * what that multiplies the cost by. */
bool stores_empty_windows(const statement *s, const int *order);
extern const double cost_of_empty_windows;

/* Whether a statement is one that window_cost estimates: of one nest, with windows, at compound
 * subscripts of operands; and what it estimates (window_cost.c). */
bool has_windows(const statement *s);
double window_cost(const statement *s, const int *order, bool scatters);
/* The loops that are made of an order, into `path`, and the place of the one on lanes, -1 for none;
 * how many loops. */
int window_loops(const statement *s, const int *order, int *path, int *lanes);

/* How many iterations of loops in windows are written out one after another at most, in all
 * (cin-unroll.c). */
enum { WRITTEN_OUT_MOST = 16 };

/* How many bytes an array has at most that stays in a cache; that stays in the first one, beside
 * what is made of it; what it takes to expand so many entries of so many rows into it, and to empty
 * so many arrays of so many bytes. */
extern const double window_cache, window_block;
double expansion_cost(double rows, double entries, bool copies);
double clearing_cost(double arrays, double bytes);

/* Whether all levels of an access are full, and how many bytes one of its numbers has. */
bool access_is_array(const access *a);
double access_bytes(const access *a);
/* The number of the only operand that is something, or that is no array; -1 where there are several
 * or none. */
int only_operand(const statement *s, bool (*is)(const access *a));
int only_sparse_operand(const statement *s);

#endif
