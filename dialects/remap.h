/* remap.h - levels that hold an expression of dimensions: blocks, diagonals and counters.
 *
 *     i floordiv 4     QUOTIENT      coordinates 0 .. ceil(M / 4) - 1
 *     i mod 4          REMAINDER     coordinates 0 .. 3
 *     j - i            DIFFERENCE    coordinates j - i + M - 1, so that the least is 0:
 *                                    0 .. M + N - 2
 *     #i               COUNTER       0, 1, ... for the first, second, ... stored entry of that i
 *
 * A dimension can be recovered from levels that hold its quotient and its remainder by one size, or
 * its difference from another dimension that is known (coordinate recovery).  A counter (Chou et
 * al. 2020, section 3) says nothing about where an entry stands: it is known where it is stored
 * alone.
 */
#ifndef LACUNA_REMAP_H
#define LACUNA_REMAP_H

#include "builder.h"

#include <mlir-c/AffineExpr.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum remap_kind {
  REMAP_QUOTIENT,
  REMAP_REMAINDER,
  REMAP_DIFFERENCE,
  REMAP_COUNTER
} remap_kind;

/* `minus` is the dimension taken away, -1 but for differences; `size` the divisor.  A counter is
 * the symbol of the number of its dimension. */
typedef struct remap {
  remap_kind kind;
  int dimension, minus;
  int64_t size;
} remap;

/* Takes `expression` apart; false where it is a dimension alone, or none of these. */
bool remap_of(MlirAffineExpr expression, remap *r);
/* The dimension that `expression` counts the entries of; -1 where it is no counter. */
int remap_counted(MlirAffineExpr expression);
bool remap_equal(const remap *r, const remap *s);

/* The number of coordinates, given the extent of the dimension and that of the one taken away; of a
 * counter, which ends where the entries do, the greatest number that there is. */
MlirValue remap_extent(builder *b, const remap *r, MlirValue extent, MlirValue minus);
/* The number of coordinates of a level that holds `expression`, given the extents of the
 * dimensions; null where it is none that is known. */
MlirValue remap_size(builder *b, MlirAffineExpr expression, const MlirValue *extents);
/* The coordinate of the level, given those of the dimensions and the extent of the one taken away;
 * not of a counter. */
MlirValue remap_coordinate(builder *b, const remap *r, MlirValue coordinate, MlirValue minus,
                           MlirValue minus_extent);

#ifdef __cplusplus
}
#endif
#endif
