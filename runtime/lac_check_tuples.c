/* lac_check_tuples.c - coordinates of several levels in one array:
 *
 *     kind       array lengths                                  positions
 *     tuples     positions p + 1, coordinates n * positions[p]  positions[p]
 *     element    (those of the tuples k levels above)           p
 *
 * n is one more than the elements that follow.
 */
#include "lac_check_kinds.h"

#include <string.h>

static bool is_kind(const lac_tensor *tensor, int64_t l, const char *kind) {
  return l >= 0 && l < tensor->level_count && strcmp(tensor->levels[l].kind, kind) == 0;
}

/* The level that holds the tuples; -1 where none does. */
static int64_t tuples_level(const lac_place *at) {
  int64_t l = at->l;
  while (is_kind(at->tensor, l, "element"))
    l--;
  return is_kind(at->tensor, l, "tuples") ? l : -1;
}

static int64_t tuple_size(const lac_tensor *tensor, int64_t l) {
  int64_t end = l + 1;
  while (is_kind(tensor, end, "element"))
    end++;
  return end - l;
}

static int64_t coordinate(const lac_place *at, int64_t position) {
  int64_t l = tuples_level(at);
  return lac_array_get(&at->tensor->levels[l].array[LAC_COORDINATES],
                       position * tuple_size(at->tensor, l) + at->l - l);
}

static bool all_in_range(const lac_place *at, int64_t positions) {
  int64_t size = lac_level_at(at)->size;
  for (int64_t q = 0; q < positions; q++) {
    int64_t found = coordinate(at, q);
    if (found < 0 || found >= size)
      return lac_level_wrong(at, "expected coordinates from 0 to %lld, found %lld at position %lld",
                             (long long)size - 1, (long long)found, (long long)q);
  }
  return true;
}

static bool tuples_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  int64_t n = tuple_size(at->tensor, at->l), most = INT64_MAX / n;
  if (!lac_level_long_enough(at, LAC_POSITIONS, "positions", parents + 1))
    return false;
  *positions = lac_array_get(&lac_level_at(at)->array[LAC_POSITIONS], parents);
  if (*positions < 0 || *positions > most)
    return lac_level_wrong_length(at, "or more as the last position", 0, *positions);
  return lac_level_long_enough(at, LAC_COORDINATES, "coordinates", n * *positions);
}

static bool tuples_content(const lac_place *at, int64_t parents, int64_t positions) {
  return lac_level_monotone(at, LAC_POSITIONS, parents) && all_in_range(at, positions);
}

static void tuples_segment(const lac_place *at, int64_t parent, int64_t *begin, int64_t *end) {
  const lac_array *positions = &lac_level_at(at)->array[LAC_POSITIONS];
  *begin = lac_array_get(positions, parent);
  *end = lac_array_get(positions, parent + 1);
}

static bool element_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  *positions = parents;
  return tuples_level(at) >= 0 || lac_level_wrong(at, "expected tuples in a level above");
}

static bool element_content(const lac_place *at, int64_t parents, int64_t positions) {
  (void)parents;
  return all_in_range(at, positions);
}

const lac_kind_check lac_check_tuples = {.kind = "tuples",
                                         .lengths = tuples_lengths,
                                         .content = tuples_content,
                                         .segment = tuples_segment,
                                         .coordinate = coordinate};

const lac_kind_check lac_check_element = {.kind = "element",
                                          .continues = true,
                                          .lengths = element_lengths,
                                          .content = element_content,
                                          .coordinate = coordinate};
