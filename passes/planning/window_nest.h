/* window_nest.h - loops through windows as they are made of an order, and what the parts of their
 * cost ask of them (window_cost.c, window_conflicts.c).
 */
#ifndef LACUNA_WINDOW_NEST_H
#define LACUNA_WINDOW_NEST_H

#include "statement.h"

/* Bytes of the first cache, and of a line of it. */
enum { NEAR_CACHE = 32 << 10, LINE = 64 };

/* So many iterations go at once at least, where what they read is shared. */
enum { JAMMED = 2 };

typedef struct window_nest {
  const statement *s;
  int *path, length;
  int lanes;        /* the place of the loop on lanes; -1 for none */
  int written;      /* that of the first of those that are written out; `length` for none */
  double registers; /* of lanes in an iteration of it, */
  double strips;    /* and how many of those there are */
  int jammed;       /* the place of the loop of which several iterations go at once; -1 for none */
  bool scatters;
} window_nest;

/* Whether the place of an access changes with a loop. */
bool access_changes_with(const access *a, int variable);

/* How many bytes of a dense access the loops of a path come to from a place on. */
double bytes_reached(const statement *s, const access *a, const int *path, int first, int length);

/* Whether what is read of an access on lanes is read once for the iterations that go at once. */
bool is_read_at_once(const window_nest *n, const access *a);

/* What it takes at each iteration of the loop at a place, which has so many, that lines of arrays
 * are no longer in the first cache when loops come to them again (window_conflicts.c). */
double conflict_cost(const window_nest *n, int place, double trips);

#endif
