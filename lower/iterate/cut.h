/* cut.h - the loop of a sit.coiterate cut into ranges of coordinates, by the work in each; one over
 * a level whose coordinates are in no order, into ranges of its places.
 *
 *     B : (i : dense, j : compressed)      entries before i = where the children of row i - 1 end
 *     C : (i : compressed, j : ...)        those before the first position whose coordinate is not
 *                                          below i
 *
 * What is before a coordinate grows with it, so that cuts are found by search.
 */
#ifndef LACUNA_CUT_H
#define LACUNA_CUT_H

#include "coiterate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cutting {
  coiteration *c;
  MlirValue *tensors; /* operands whose first level has the coordinate of the loop */
  int tensor_count, room;
  MlirValue low, high;   /* the coordinates, or places, that the loop visits: low .. high - 1 */
  MlirValue before, all; /* the work below low, and in them */
  MlirValue each;        /* of one range, the last one's may be less; null: a part of all */
} cutting;

/* Whether a coiteration walks one first level alone, whose coordinates are in no order, so that its
 * places can be cut. */
bool coiteration_is_cut_by_places(const coiteration *c);
/* Of a coiteration whose bounds are read. */
cutting cutting_of(coiteration *c);

/* The first coordinate below which the work is a part t / count of all. */
MlirValue cut(cutting *u, MlirValue t, MlirValue count);
/* Whether all the work is what one operand has whose first level is walked: places are searched
 * then, in each of which a number is read, and not coordinates, for each of which a place is. */
bool cut_is_of_one_walk(const cutting *u);
/* The work that range t of `count` has before it. */
MlirValue cut_work(cutting *u, MlirValue t, MlirValue count);
/* The work at coordinates below `bound`: about as many entries of the operands, and coordinates
 * where all of them are visited. */
MlirValue work_before(cutting *u, MlirValue bound);
/* The parts of it: of one operand, and below the first `count` positions of its level 1; whether
 * coordinates are one too. */
MlirValue work_of(cutting *u, int tensor, MlirValue bound);
MlirValue work_below(cutting *u, int tensor, MlirValue count);
bool work_has_coordinates(const cutting *u);

/* How many entries an operand has of `level` below coordinates of its first one that are less than
 * `bound`; whether that is known without walking them. */
bool entries_are_known(const tensor_format *format, int level);

/* Whether each coordinate of a level has a position, in order; whether those below one parent stand
 * right behind those below the one before, and nothing is remembered from one to the next. */
bool level_is_counted(const tensor_format *format, int level);
bool level_is_packed(const tensor_format *format, int level);
MlirValue entries_before(coiteration *c, MlirValue tensor, int level, MlirValue bound);
/* How many of `leaf` are below the first `count` of `level`. */
MlirValue entries_below(coiteration *c, MlirValue tensor, int level, int leaf, MlirValue count);

#ifdef __cplusplus
}
#endif
#endif
