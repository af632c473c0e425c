/* lane_access.h - whether an assignment can run for several coordinates of a variable at once, on
 * the lanes of vectors: what each level of what is accessed comes to in them.
 *
 *     y[i] add= A[i, j] * x[j]      A : (#i : sliced, i : dense, j : padded), lanes across i
 *
 *     level                coordinate            position
 *     A  #i : sliced       SAME                  SAME
 *     A  i : dense         CONSECUTIVE           CONSECUTIVE
 *     A  j : padded        EACH, loaded          CONSECUTIVE   the one entry below each
 *     x  j : dense         EACH                  SPREAD        gathered
 *     y  i : dense         CONSECUTIVE           CONSECUTIVE
 */
#ifndef LACUNA_LANE_ACCESS_H
#define LACUNA_LANE_ACCESS_H

#include "cin_kernel.h"
#include "lane_kind.h"

/* What may be read at a position for each lane: nothing; what a last level has at coordinates that
 * are loaded; or all that can be, strided as well, as where somebody asks for it. */
typedef enum lane_gathers {
  LANES_GATHER_NOTHING,
  LANES_GATHER_LOADED,
  LANES_GATHER_ALL
} lane_gathers;

/* Whether `assign` can, with lanes across the variable at `place` in its path of foralls: NULL, or
 * what cannot, as "expected ..., found ..." in memory of the arena.  That variable moves to place
 * `first`; from there on the foralls stand directly one in the other.  Scalar operations are not
 * looked at.  `*each` is the number of variables whose coordinates are loaded for each lane. */
const char *lanes_misfit(arena *memory, provenance *graph, MlirOperation assign, op_list path,
                         int first, int place, lane_gathers gathers, int *each);

/* Of the code around an assignment (lane_hazard.c): whether what stands beside it has a form on
 * lanes; whether lanes can put together what it reduces. */
bool lanes_body_fits(arena *memory, MlirOperation assign);
bool lanes_combine(MlirOperation assign);

/* Why a forall may not run on lanes as it stands, under the race strategy, as "expected ..., found
 * ..." in memory of the arena; NULL where it may.  And the strategy that it needs. */
const char *lanes_hazard(arena *memory, provenance *graph, MlirOperation kernel,
                         MlirOperation forall, cin_race race);
cin_race lanes_race(arena *memory, const provenance *graph, MlirOperation forall);

#endif
