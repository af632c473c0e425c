/* remap.h - levels that hold an expression of dimensions: blocks, diagonals and counters.
 *
 *     i floordiv 4     QUOTIENT      coordinates 0 .. ceil(M / 4) - 1
 *     i mod 4          REMAINDER     coordinates 0 .. 3
 *     j - i            DIFFERENCE    coordinates j - i + M - 1, so that the least is 0:
 *                                    0 .. M + N - 2
 *     i + j            SUM           coordinates 0 .. M + N - 2
 *     #i               COUNTER       0, 1, ... for the first, second, ... stored entry of that i
 *
 * A dimension can be recovered from levels that hold its quotient and its remainder by one size, or
 * its difference from another dimension that is known, or their sum (coordinate recovery).  A
 * counter (Chou et al. 2020, section 3) says nothing about where an entry stands: it is known where
 * it is stored alone.
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
  REMAP_SUM,
  REMAP_COUNTER
} remap_kind;

/* `other` is the dimension taken away or added, -1 but for differences and sums; `size` the
 * divisor.  A counter is the symbol of the number of its dimension. */
typedef struct remap {
  remap_kind kind;
  int dimension, other;
  int64_t size;
} remap;

/* Takes `expression` apart; false where it is a dimension alone, or none of these. */
bool remap_of(MlirAffineExpr expression, remap *r);
/* The dimension that `expression` counts the entries of; -1 where it is no counter. */
int remap_counted(MlirAffineExpr expression);
bool remap_equal(const remap *r, const remap *s);

/* Whether it is of two dimensions: a difference or a sum. */
bool remap_is_diagonal(const remap *r);
/* Whether one of a `dimension` and an `other` value is what `by` is of its own. */
bool remap_equal_of(const remap *r, MlirValue dimension, MlirValue other, const remap *by,
                    MlirValue by_dimension, MlirValue by_other);

/* The number of coordinates, given the extents of the dimension and of the other one; of a counter,
 * which ends where the entries do, the greatest number that there is. */
MlirValue remap_extent(builder *b, const remap *r, MlirValue extent, MlirValue other);
/* The number of coordinates of a level that holds `expression`, given the extents of the
 * dimensions; null where it is none that is known. */
MlirValue remap_size(builder *b, MlirAffineExpr expression, const MlirValue *extents);
/* The coordinate of the level, given those of the dimensions and the extent of the other one; not
 * of a counter. */
MlirValue remap_coordinate(builder *b, const remap *r, MlirValue coordinate, MlirValue other,
                           MlirValue other_extent);

/* One of the two dimensions of a difference or a sum, r->dimension or (`of_other`) r->other, given
 * `at`, the coordinate of the level, and the extents of both: its coordinate where the second one's
 * is `known`; and the coordinates for which that one is in bounds, as many as it has, from the
 * least on, which may be negative:
 *
 *     j - i = d      j in [d, M + d)              i in [-d, N - d)
 *     i + j = s      j in [s - M + 1, s + 1)      i in [s - N + 1, s + 1)
 */
typedef struct remap_extents {
  MlirValue dimension, other;
} remap_extents;
MlirValue remap_solved(builder *b, const remap *r, bool of_other, MlirValue at,
                       remap_extents extents, MlirValue known);
MlirValue remap_least(builder *b, const remap *r, bool of_other, MlirValue at,
                      remap_extents extents);

#ifdef __cplusplus
}
#endif
#endif
