/* lac_check_lists.c - levels that list the coordinates under a parent:
 *
 *     kind               array lengths                                  positions
 *     compressed         positions p + 1, coordinates positions[p]      positions[p]
 *     loose_compressed   begins p, ends p, coordinates as the last end  the last end
 *     singleton          coordinates p                                  p
 */
#include "lac_check_kinds.h"

static int64_t coordinate(const lac_place *at, int64_t position) {
  return lac_array_get(&lac_level_at(at)->array[LAC_COORDINATES], position);
}

static bool all_in_range(const lac_place *at, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++)
    if (!lac_level_in_range(at, LAC_COORDINATES, i))
      return false;
  return true;
}

/* ---- Compressed --------------------------------------------------------------------------- */

static bool compressed_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  return lac_level_ends(at, parents, positions) &&
         lac_level_long_enough(at, LAC_COORDINATES, "coordinates", *positions);
}

static bool compressed_content(const lac_place *at, int64_t parents, int64_t positions) {
  return lac_level_monotone(at, LAC_POSITIONS, parents) && all_in_range(at, 0, positions);
}

static void compressed_segment(const lac_place *at, int64_t parent, int64_t *begin, int64_t *end) {
  const lac_array *positions = &lac_level_at(at)->array[LAC_POSITIONS];
  *begin = lac_array_get(positions, parent);
  *end = lac_array_get(positions, parent + 1);
}

static int64_t compressed_parents(const lac_place *at) {
  return lac_level_at(at)->array[LAC_POSITIONS].length - 1;
}

const lac_kind_check lac_check_compressed = {.kind = "compressed",
                                             .lengths = compressed_lengths,
                                             .content = compressed_content,
                                             .segment = compressed_segment,
                                             .coordinate = coordinate,
                                             .own_parents = compressed_parents};

/* ---- Loose -------------------------------------------------------------------------------- */

static bool loose_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  const lac_array *ends = &lac_level_at(at)->array[LAC_ENDS];
  *positions = 0;
  if (!lac_level_long_enough(at, LAC_POSITIONS, "begins", parents) ||
      !lac_level_long_enough(at, LAC_ENDS, "ends", parents))
    return false;
  for (int64_t p = 0; p < parents; p++) {
    int64_t end = lac_array_get(ends, p);
    *positions = end > *positions ? end : *positions;
  }
  return lac_level_long_enough(at, LAC_COORDINATES, "coordinates", *positions);
}

static void loose_segment(const lac_place *at, int64_t parent, int64_t *begin, int64_t *end) {
  const lac_level *level = lac_level_at(at);
  *begin = lac_array_get(&level->array[LAC_POSITIONS], parent);
  *end = lac_array_get(&level->array[LAC_ENDS], parent);
}

static bool loose_content(const lac_place *at, int64_t parents, int64_t positions) {
  (void)positions;
  for (int64_t p = 0; p < parents; p++) {
    int64_t begin, end;
    loose_segment(at, p, &begin, &end);
    if (begin < 0 || begin > end)
      return lac_level_wrong(at, "expected a begin from 0 to the end, found %lld and %lld at %lld",
                             (long long)begin, (long long)end, (long long)p);
    if (!all_in_range(at, begin, end))
      return false;
  }
  return true;
}

const lac_kind_check lac_check_loose_compressed = {.kind = "loose_compressed",
                                                   .lengths = loose_lengths,
                                                   .content = loose_content,
                                                   .segment = loose_segment,
                                                   .coordinate = coordinate};

/* ---- Singleton ---------------------------------------------------------------------------- */

static bool singleton_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  *positions = parents;
  return lac_level_long_enough(at, LAC_COORDINATES, "coordinates", parents);
}

static bool singleton_content(const lac_place *at, int64_t parents, int64_t positions) {
  (void)parents;
  return all_in_range(at, 0, positions);
}

const lac_kind_check lac_check_singleton = {.kind = "singleton",
                                            .continues = true,
                                            .lengths = singleton_lengths,
                                            .content = singleton_content,
                                            .coordinate = coordinate};
