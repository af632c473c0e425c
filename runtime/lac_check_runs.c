/* lac_check_runs.c - levels of runs of consecutive coordinates:
 *
 *     kind         array lengths                                     positions
 *     run_length   positions p + 1, coordinates R = positions[p],    firsts[R]
 *                  firsts R + 1
 */
#include "lac_check_kinds.h"

enum { FIRSTS = LAC_FLAGS };

static bool run_length_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  const lac_level *level = lac_level_at(at);
  if (!lac_level_long_enough(at, LAC_POSITIONS, "positions", parents + 1))
    return false;
  int64_t runs = lac_array_get(&level->array[LAC_POSITIONS], parents);
  int64_t found = level->array[FIRSTS].data ? level->array[FIRSTS].length : 0;
  if (runs < 0)
    return lac_level_wrong_length(at, "or more as the last position", 0, runs);
  if (found != runs + 1)
    return lac_level_wrong_length(at, "places of runs and their end", runs + 1, found);
  if (!lac_level_long_enough(at, FIRSTS, "places of runs and their end", runs + 1))
    return false;
  *positions = lac_array_get(&level->array[FIRSTS], runs);
  if (*positions < 0)
    return lac_level_wrong_length(at, "or more as the last place", 0, *positions);
  return lac_level_long_enough(at, LAC_COORDINATES, "coordinates", runs);
}

static int64_t first_coordinate(const lac_place *at, int64_t run) {
  return lac_array_get(&lac_level_at(at)->array[LAC_COORDINATES], run);
}

static int64_t length_of(const lac_place *at, int64_t run) {
  const lac_array *firsts = &lac_level_at(at)->array[FIRSTS];
  return lac_array_get(firsts, run + 1) - lac_array_get(firsts, run);
}

/* Whether a run's last coordinate is in range where its first is. */
static bool ends_in_range(const lac_place *at, int64_t run) {
  int64_t most = lac_level_at(at)->size - first_coordinate(at, run), length = length_of(at, run);
  return (length > 0 && length <= most) ||
         lac_level_wrong(at, "expected a run of 1 to %lld coordinates, found %lld at run %lld",
                         (long long)most, (long long)length, (long long)run);
}

static bool runs_ascend(const lac_place *at, int64_t begin, int64_t end) {
  for (int64_t run = begin + 1; run < end; run++) {
    int64_t least = first_coordinate(at, run - 1) + length_of(at, run - 1);
    if (first_coordinate(at, run) < least)
      return lac_level_wrong(
          at, "expected ascending coordinates, from %lld on, found %lld at run %lld",
          (long long)least, (long long)first_coordinate(at, run), (long long)run);
  }
  return true;
}

static bool run_length_content(const lac_place *at, int64_t parents, int64_t positions) {
  const lac_array *array = &lac_level_at(at)->array[LAC_POSITIONS];
  int64_t runs = lac_array_get(array, parents);
  (void)positions;
  if (!lac_level_monotone(at, LAC_POSITIONS, parents) || !lac_level_monotone(at, FIRSTS, runs))
    return false;
  for (int64_t run = 0; run < runs; run++)
    if (!lac_level_in_range(at, LAC_COORDINATES, run) || !ends_in_range(at, run))
      return false;
  for (int64_t p = 0; p < parents; p++)
    if (!runs_ascend(at, lac_array_get(array, p), lac_array_get(array, p + 1)))
      return false;
  return true;
}

const lac_kind_check lac_check_run_length = {
    .kind = "run_length", .lengths = run_length_lengths, .content = run_length_content};
