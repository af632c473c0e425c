/* merge_strategy.h - which of the levels that are merged are walked, and which located at the
 * coordinates that the others have (Chou et al. 2018, section 4.4 and Figure 8).
 *
 *     b * c          both only walked             walk b and c, keep the coordinates of both
 *     b * c          c can locate                 walk b, locate in c
 *     (b + c) * d    d can locate                 walk b and c, locate in d
 *     b + c          c can locate, is not full    walk b and c, take the coordinates of either
 *     b + c          c is full and can locate     walk all coordinates, locate in c (iterator.h)
 *
 * Levels can be located in as long as each point of the merge lattice has a level that is walked.
 */
#ifndef LACUNA_MERGE_STRATEGY_H
#define LACUNA_MERGE_STRATEGY_H

#include "bit_set.h"

/* A level that is merged: its capabilities and properties (level_format.h). */
typedef struct merged_level {
  unsigned capabilities, properties;
} merged_level;

/* The set of levels to locate in, by number, given the points of the lattice as such
 * sets and whether the whole dimension is visited.  Of several that could be, those go first that
 * are unordered, then those with a place for each coordinate, whose walk takes longest. */
bit_set merge_located(arena *memory, int count, const merged_level *levels, int point_count,
                      const bit_set *points, bool whole);

#endif
