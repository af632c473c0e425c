/* merge_lattice.h - which iterators have to be walked at an index variable, and what remains to be
 * computed where some of them have no entry (Kjolstad et al. 2017, section 5; Chou et al. 2018,
 * sections 4.1 and 4.2).
 *
 *     b(i) + c(i)                 b(i) * c(i)            (b(i) + c(i)) * d(i)
 *
 *        {b, c}                      {b, c}              {b, c, d}
 *        /    \                        |                  /      \
 *      {b}    {c}                      {}             {b, d}    {c, d}
 *        \    /                                           \      /
 *          {}                                                {}
 *
 * A point is the set of iterators that have an entry.  What is computed there is the statement with
 * all other iterators absent; a point that computes the same as the one below it is no point.  The
 * bottom {} is one only if something remains to be computed where nothing is stored; then the whole
 * dimension is visited.
 */
#ifndef LACUNA_MERGE_LATTICE_H
#define LACUNA_MERGE_LATTICE_H

#include "bit_set.h"
#include "kernel_statement.h"

/* `points` are sets of numbers, n standing for iterators[n]; larger sets first, so that the first
 * point whose iterators all have an entry is the one that applies.  `whole`: every coordinate of
 * the dimension is visited, and {} is the last point. */
typedef struct merge_lattice {
  bool any; /* one body for all points: those listed have one iterator each, and are not all */
  int iterator_count;
  const iterator **iterators;
  int point_count;
  bit_set *points;
  bool whole;
} merge_lattice;

/* That nothing is absent. */
absence absence_of_nothing(arena *memory, const kernel_statement *s);

/* The lattice of `all` over the candidates (iterators that the variable makes ready to be walked),
 * given what is absent already.  Only iterators that some point has are in it.  NULL where there
 * would be more than `most` points. */
enum { MERGE_LATTICE_MOST_POINTS = 1024 };
merge_lattice *merge_lattice_build(const absence *known, const effects *all, int candidate_count,
                                   const iterator *const *candidates, int most);

/* What is visited by the union of all candidates, without its points. */
merge_lattice *merge_lattice_of_any(const absence *known, const effects *all, int candidate_count,
                                    const iterator *const *candidates);

/* Which of its iterators are located at the coordinates of the others, as such a set
 * (merge_strategy.h); none of those of `below_segments`, which are below several positions. */
bit_set merge_lattice_located(arena *memory, const merge_lattice *l, bit_set below_segments);

/* The value of an assignment given what is absent; NULL where that adds nothing to what its target
 * holds anyway. */
const expression *assignment_remainder(const absence *known, const assignment *a);

/* Whether nothing remains of any of them. */
bool effects_vanish(const absence *known, const effects *all);
/* Or where the iterator has no entry either. */
bool effects_vanish_without(const absence *known, const effects *all, const iterator *i);

#endif
