/* remap.h - levels that hold an expression of dimensions: blocks and diagonals.
 *
 *     i floordiv 4     QUOTIENT      coordinates 0 .. ceil(M / 4) - 1
 *     i mod 4          REMAINDER     coordinates 0 .. 3
 *     j - i            DIFFERENCE    coordinates j - i + M - 1, so that the least is 0:
 *                                    0 .. M + N - 2
 *
 * A dimension can be recovered from levels that hold its quotient and its remainder by one size, or
 * its difference from another dimension that is known (coordinate recovery).
 */
#ifndef LACUNA_REMAP_H
#define LACUNA_REMAP_H

#include "builder.h"

#include <mlir-c/AffineExpr.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum remap_kind { REMAP_QUOTIENT, REMAP_REMAINDER, REMAP_DIFFERENCE } remap_kind;

/* `minus` is the dimension taken away, -1 but for differences; `size` the divisor. */
typedef struct remap {
  remap_kind kind;
  int dimension, minus;
  int64_t size;
} remap;

/* Takes `expression` apart; false where it is a dimension alone, or none of these. */
bool remap_of(MlirAffineExpr expression, remap *r);
bool remap_equal(const remap *r, const remap *s);

/* The number of coordinates, given the extent of the dimension and that of the one taken away. */
MlirValue remap_extent(builder *b, const remap *r, MlirValue extent, MlirValue minus);
/* The coordinate of the level, given those of the dimensions and the extent of the one taken away.
 */
MlirValue remap_coordinate(builder *b, const remap *r, MlirValue coordinate, MlirValue minus,
                           MlirValue minus_extent);

#ifdef __cplusplus
}
#endif
#endif
