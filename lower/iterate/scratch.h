/* scratch.h - scratch arrays that levels are walked through: a level that is unordered, or one
 * below places of several branches, as an ordered one (Chou et al. 2018, section 4.3: deduplication
 * and reordering).
 *
 *     i   1      1      4          a segment of level i, places 0 and 1: both are i = 1
 *         |      |      |
 *     j   7 2    2 9    3          positions 0 to 4
 *
 *     gathered   7:0 2:1 2:2 9:3       below all of the segment: coordinate and position
 *     sorted     2:1 2:2 7:0 9:3       only if neighbours descend
 *     walked     j = 2 (places 0 and 1 of the array), 7 (place 2), 9 (place 3)
 *
 * What is below j = 2 is below positions 1 and 2: a segment of places of the array, whose children
 * come into an array of their own.  A level that repeats nothing is at its positions again.
 *
 * An array belongs to one operation, for one of its levels; it is made at the kernel's top, or once
 * for a chunk of iterations of a loop on threads, and used again at each visit, so that it is as
 * large as the longest visit.  So does the table that an operation looks up in (look_up.h), and
 * that of where windows of rows began (cursor.h).
 */
#ifndef LACUNA_SCRATCH_H
#define LACUNA_SCRATCH_H

#include "walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of an operation's tables, which are of none of its levels. */
enum { SCRATCH_TABLE = -1, SCRATCH_CURSORS = -2 };

/* Whether operations in the regions of `op` want arrays: those that scratch_make makes here. */
bool scratch_is_needed(MlirOperation op);
/* Makes them; those in loops on threads come with the loop.  All that uses them must stand in the
 * rest of the block. */
void scratch_make(lowering *k, MlirOperation op);
/* The array of level `i` of an operation, or its table; a null value where it has none. */
MlirValue scratch_of(const lowering *k, MlirOperation op, int i);

/* Gathers in `array` what is below the walk's parent, sorted: the walk's places are those of the
 * array from then on, and in order. */
void scratch_fill(walk *w, MlirValue array);

/* The position of a coordinate below each place of a segment, as one segment. */
lowered scratch_locate(lowering *k, storage *s, int level, const lowered *parent,
                       MlirValue coordinate, MlirValue array);

/* What is at a place of an array. */
MlirValue scratch_coordinate(builder *b, MlirValue pairs, MlirValue place);
MlirValue scratch_position(builder *b, MlirValue pairs, MlirValue place);

/* Whether entries below several branches come together in a level with these properties. */
bool scratch_joins_branches(const lowered *parent, unsigned properties);

#ifdef __cplusplus
}
#endif
#endif
