/* lac_check_tables.c - levels that were collected: hash tables, and one run under each parent.
 *
 *     kind       array lengths                                        positions
 *     hashed     positions p + 1, coordinates positions[p]            positions[p]
 *     banded     positions p + 1, first coordinates p                 positions[p]
 */
#include "lac_check_kinds.h"

static bool positions_of(const lac_place *at, int64_t parents, int64_t *positions) {
  if (!lac_level_long_enough(at, LAC_POSITIONS, "positions", parents + 1))
    return false;
  *positions = lac_array_get(&lac_level_at(at)->array[LAC_POSITIONS], parents);
  return *positions >= 0 ||
         lac_level_wrong_length(at, "or more as the last position", 0, *positions);
}

static int64_t position_at(const lac_place *at, int64_t parent) {
  return lac_array_get(&lac_level_at(at)->array[LAC_POSITIONS], parent);
}

static int64_t coordinate_at(const lac_place *at, int64_t i) {
  return lac_array_get(&lac_level_at(at)->array[LAC_COORDINATES], i);
}

/* ---- hashed ------------------------------------------------------------------------------- */

static bool hashed_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  return positions_of(at, parents, positions) &&
         lac_level_long_enough(at, LAC_COORDINATES, "slots", *positions);
}

/* All ones, as wide as coordinates are. */
static bool is_empty(const lac_place *at, int64_t slot) {
  int32_t width = lac_level_at(at)->array[LAC_COORDINATES].width;
  int64_t empty = width < 8 ? ((int64_t)1 << (8 * width)) - 1 : -1;
  return coordinate_at(at, slot) == empty;
}

/* Where the search for a coordinate begins, as the level format has it. */
static int64_t hash(int64_t coordinate) {
  uint64_t product = (uint64_t)coordinate * 0x9E3779B97F4A7C15u;
  return (int64_t)product >> 32;
}

/* Whether the search for a slot's coordinate comes to the slot: no empty one is before it, nor
 * another with the same. */
static bool is_reached(const lac_place *at, int64_t begin, int64_t slots, int64_t slot) {
  int64_t coordinate = coordinate_at(at, slot), mask = slots - 1, i = hash(coordinate) & mask;
  for (int64_t here; (here = begin + i) != slot; i = (i + 1) & mask)
    if (is_empty(at, here) || coordinate_at(at, here) == coordinate)
      return lac_level_wrong(at, "expected that a search for %lld ends at slot %lld, found %lld",
                             (long long)coordinate, (long long)slot, (long long)here);
  return true;
}

static bool is_table(const lac_place *at, int64_t begin, int64_t slots) {
  if (slots & (slots - 1))
    return lac_level_wrong(at, "expected a power of two of slots, found %lld at %lld",
                           (long long)slots, (long long)begin);
  for (int64_t slot = begin; slot < begin + slots; slot++)
    if (!is_empty(at, slot) &&
        (!lac_level_in_range(at, LAC_COORDINATES, slot) || !is_reached(at, begin, slots, slot)))
      return false;
  return true;
}

static bool hashed_content(const lac_place *at, int64_t parents, int64_t positions) {
  (void)positions;
  if (!lac_level_monotone(at, LAC_POSITIONS, parents))
    return false;
  for (int64_t p = 0; p < parents; p++)
    if (!is_table(at, position_at(at, p), position_at(at, p + 1) - position_at(at, p)))
      return false;
  return true;
}

const lac_kind_check lac_check_hashed = {
    .kind = "hashed", .lengths = hashed_lengths, .content = hashed_content};

/* ---- banded ------------------------------------------------------------------------------- */

static bool banded_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  return positions_of(at, parents, positions) &&
         lac_level_long_enough(at, LAC_COORDINATES, "first coordinates", parents);
}

static bool banded_content(const lac_place *at, int64_t parents, int64_t positions) {
  (void)positions;
  if (!lac_level_monotone(at, LAC_POSITIONS, parents))
    return false;
  for (int64_t p = 0; p < parents; p++) {
    int64_t length = position_at(at, p + 1) - position_at(at, p);
    int64_t low = coordinate_at(at, p), most = lac_level_at(at)->size - low;
    if (length && (low < 0 || length > most))
      return lac_level_wrong(
          at, "expected runs within coordinates 0 to %lld, found %lld from %lld on under %lld",
          (long long)lac_level_at(at)->size - 1, (long long)length, (long long)low, (long long)p);
  }
  return true;
}

const lac_kind_check lac_check_banded = {
    .kind = "banded", .lengths = banded_lengths, .content = banded_content};
