/* lane_kind.c - positions that are located on lanes.
 *
 *     position above       coordinate     level                       position
 *     SAME                 SAME           any                         SAME
 *     SAME                 CONSECUTIVE    consecutive                 CONSECUTIVE
 *     SAME                 EACH           consecutive                 SPREAD
 *     CONSECUTIVE, SPREAD  any            consecutive and even        SPREAD
 *     any                  any            implied by those above      that above
 */
#include "lane_kind.h"

#include "level_format.h"

lane_kind lane_kind_located(unsigned properties, lane_kind above, lane_kind at) {
  bool consecutive = properties & LEVEL_CONSECUTIVE;
  bool below_each = above == LANES_CONSECUTIVE || above == LANES_SPREAD;
  if (above == LANES_SAME && at == LANES_SAME)
    return LANES_SAME;
  if (level_is_implied(properties))
    return at == LANES_OTHER || at == LANES_SPREAD ? LANES_OTHER : above;
  if (at == LANES_OTHER || at == LANES_SPREAD || !consecutive)
    return LANES_OTHER;
  if (above == LANES_SAME)
    return at == LANES_CONSECUTIVE ? LANES_CONSECUTIVE : LANES_SPREAD;
  return below_each && (properties & LEVEL_EVEN) ? LANES_SPREAD : LANES_OTHER;
}
