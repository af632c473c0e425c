/* merge_strategy.c - walking or locating (merge_strategy.h). */
#include "merge_strategy.h"

#include "level_format.h"

static bool can_locate(const merged_level *level) {
  return level->capabilities & LEVEL_LOCATE && level->properties & LEVEL_UNIQUE;
}

/* How much there is to gain: 0 for levels that cannot be located in. */
static int rank_of(const merged_level *level) {
  if (!can_locate(level))
    return 0;
  if (!(level->properties & LEVEL_ORDERED))
    return 3;
  return level->capabilities & LEVEL_POSITION_ITERATION ? 1 : 2;
}

static bool leaves_one_walked(int point_count, const uint64_t *points, uint64_t located) {
  for (int p = 0; p < point_count; p++)
    if (points[p] && !(points[p] & ~located))
      return false;
  return true;
}

/* Where every coordinate is visited anyway, levels that are walked in order are not searched. */
static bool is_worth_it(int rank, bool whole) {
  return !whole || rank > 1;
}

uint64_t merge_located(int count, const merged_level *levels, int point_count,
                       const uint64_t *points, bool whole) {
  uint64_t located = 0;
  for (int rank = 3; rank > 0; rank--)
    for (int n = 0; n < count && is_worth_it(rank, whole); n++) {
      uint64_t more = located | UINT64_C(1) << n;
      if (rank_of(&levels[n]) == rank && (whole || leaves_one_walked(point_count, points, more)))
        located = more;
    }
  return located;
}
