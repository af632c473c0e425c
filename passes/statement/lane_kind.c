/* lane_kind.c - positions that are located on lanes.
 *
 *     position above       coordinate     level                       position
 *     SAME                 SAME           any                         SAME
 *     SAME                 CONSECUTIVE    consecutive                 CONSECUTIVE
 *     SAME                 STRIDED        consecutive                 STRIDED
 *     SAME                 EACH           consecutive                 SPREAD
 *     any other            any            consecutive and even        SPREAD
 *     any                  any            implied by those above      that above
 */
#include "lane_kind.h"

#include "level_format.h"

static bool is_vector(lane_kind x) {
  return x != LANES_SAME && x != LANES_OTHER && x != LANES_SPREAD;
}

lane_kind lane_kind_scaled(lane_kind x, int64_t factor) {
  if (!is_vector(x) || factor == 1)
    return x;
  bool near = factor != 0 && factor >= -LANES_STEP_MOST && factor <= LANES_STEP_MOST;
  return x == LANES_CONSECUTIVE && near ? LANES_STRIDED : LANES_EACH;
}

lane_kind lane_kind_sum(lane_kind x, lane_kind y) {
  if (x == LANES_SAME || y == LANES_SAME)
    return x == LANES_SAME ? y : x;
  return is_vector(x) && is_vector(y) ? LANES_EACH : LANES_OTHER;
}

lane_kind lane_kind_located(unsigned properties, lane_kind above, lane_kind at) {
  bool consecutive = properties & LEVEL_CONSECUTIVE;
  bool below_each = above == LANES_CONSECUTIVE || above == LANES_STRIDED || above == LANES_SPREAD;
  if (above == LANES_SAME && at == LANES_SAME)
    return LANES_SAME;
  if (level_is_implied(properties))
    return at == LANES_OTHER || at == LANES_SPREAD ? LANES_OTHER : above;
  if (at == LANES_OTHER || at == LANES_SPREAD || !consecutive)
    return LANES_OTHER;
  if (above == LANES_SAME)
    return at == LANES_EACH ? LANES_SPREAD : at;
  return below_each && (properties & LEVEL_EVEN) ? LANES_SPREAD : LANES_OTHER;
}
