/* lane_kind.h - what a value is in a loop that runs several iterations at once, on the lanes of
 * vectors: before there is code (passes/cin/lane_access.c) and in it (lower/cpu/lanes.c).
 *
 *     D(k,j) in lanes across k, both levels dense, 100 long        lane    0     1     2
 *
 *     level 0 at k      coordinate k .. k + 7, CONSECUTIVE                 k     k+1   k+2
 *                       position CONSECUTIVE                               k     k+1   k+2
 *     level 1 at j      coordinate j, SAME                                 j     j     j
 *                       position SPREAD: what is there is gathered         100k+j, + 100, + 200
 *
 *     V(2*k+j)          coordinate and position STRIDED                    2k+j, + 2,   + 4
 */
#ifndef LACUNA_LANE_KIND_H
#define LACUNA_LANE_KIND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lane_kind {
  LANES_SAME,        /* one value for all lanes */
  LANES_CONSECUTIVE, /* an index or position that grows by one from lane to lane */
  LANES_STRIDED,     /* one that grows by the same, a constant, from lane to lane */
  LANES_SPREAD,      /* a position for each lane, anywhere */
  LANES_EACH,        /* a vector with a value for each lane */
  LANES_OTHER        /* nothing that lanes have */
} lane_kind;

/* The steps from lane to lane, up and down, that pay as STRIDED. */
enum { LANES_STEP_MOST = 4 };

/* A value times a constant; the sum of two. */
lane_kind lane_kind_scaled(lane_kind x, int64_t factor);
lane_kind lane_kind_sum(lane_kind x, lane_kind y);

/* The position of a coordinate `at` that a level with such properties (LEVEL_CONSECUTIVE, ...)
 * locates below the position `above`, which is SAME for the root. */
lane_kind lane_kind_located(unsigned properties, lane_kind above, lane_kind at);

#ifdef __cplusplus
}
#endif
#endif
