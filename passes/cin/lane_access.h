/* lane_access.h - whether an assignment can run for several coordinates of a variable at once, on
 * the lanes of vectors: what each level of what is accessed comes to in them.
 *
 *     y[i] add= A[i, j] * x[j]      A : (#i : sliced, i : dense, j : padded), lanes across i
 *
 *     level                coordinate            position
 *     A  #i : sliced       SAME                  SAME
 *     A  i : dense         NEXT                  NEXT
 *     A  j : padded        EACH, loaded          NEXT      the one entry below each
 *     x  j : dense         EACH                  EACH      gathered
 *     y  i : dense         NEXT                  NEXT
 */
#ifndef LACUNA_LANE_ACCESS_H
#define LACUNA_LANE_ACCESS_H

#include "cin_kernel.h"

/* Whether `assign` can, with lanes across the variable at `place` in its path of foralls.  That
 * variable moves to place `first`; from there on the foralls stand directly one in the other.
 * Scalar operations are not looked at.  Without
 * `gathers` no position is EACH. */
bool lanes_fit(arena *memory, provenance *graph, MlirOperation assign, op_list path, int first,
               int place, bool gathers);

#endif
