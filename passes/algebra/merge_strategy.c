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

static bool leaves_one_walked(int point_count, const bit_set *points, bit_set located) {
  for (int p = 0; p < point_count; p++)
    if (!set_is_empty(points[p]) && set_within(points[p], located))
      return false;
  return true;
}

/* Where every coordinate is visited anyway, levels that are walked in order are not searched. */
static bool is_worth_it(int rank, bool whole) {
  return !whole || rank > 1;
}

bit_set merge_located(arena *memory, int count, const merged_level *levels, int point_count,
                      const bit_set *points, bool whole) {
  bit_set located = set_empty();
  for (int rank = 3; rank > 0; rank--)
    for (int n = 0; n < count && is_worth_it(rank, whole); n++) {
      bit_set more = set_union(memory, located, set_of(memory, n));
      if (rank_of(&levels[n]) == rank && (whole || leaves_one_walked(point_count, points, more)))
        located = more;
    }
  return located;
}
