/* lac_check_slots.c - levels that have room where nothing may be:
 *
 *     kind      array lengths       positions
 *     sliced    positions p + 1     positions[p]
 *     padded    coordinates p       p
 *     nm(n)     coordinates n p     n p
 *
 * A coordinate of all ones is that of no entry.
 */
#include "lac_check_kinds.h"
#include "lac_memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sliced ------------------------------------------------------------------------------- */

static bool sliced_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  return lac_level_ends(at, parents, positions);
}

static bool sliced_content(const lac_place *at, int64_t parents, int64_t positions) {
  const lac_level *level = lac_level_at(at);
  const lac_array *array = &level->array[LAC_POSITIONS];
  (void)positions;
  if (!lac_level_monotone(at, LAC_POSITIONS, parents))
    return false;
  for (int64_t p = 0; p < parents; p++) {
    int64_t count = lac_array_get(array, p + 1) - lac_array_get(array, p);
    if (count > level->size)
      return lac_level_wrong(at,
                             "expected at most %lld coordinates, found %lld under position %lld",
                             (long long)level->size, (long long)count, (long long)p);
  }
  return true;
}

static int64_t sliced_parents(const lac_place *at) {
  return lac_level_at(at)->array[LAC_POSITIONS].length - 1;
}

const lac_kind_check lac_check_sliced = {.kind = "sliced",
                                         .lengths = sliced_lengths,
                                         .content = sliced_content,
                                         .own_parents = sliced_parents};

/* ---- Padded ------------------------------------------------------------------------------- */

static bool is_all_ones(const lac_array *array, int64_t i) {
  int64_t value = lac_array_get(array, i);
  return array->width == 8 ? value == -1 : value == (INT64_C(1) << 8 * array->width) - 1;
}

static bool padded_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  *positions = parents;
  return lac_level_long_enough(at, LAC_COORDINATES, "coordinates", parents);
}

static bool padded_content(const lac_place *at, int64_t parents, int64_t positions) {
  (void)parents;
  for (int64_t i = 0; i < positions; i++)
    if (!is_all_ones(&lac_level_at(at)->array[LAC_COORDINATES], i) &&
        !lac_level_in_range(at, LAC_COORDINATES, i))
      return false;
  return true;
}

const lac_kind_check lac_check_padded = {
    .kind = "padded", .lengths = padded_lengths, .content = padded_content};

/* ---- n of m ------------------------------------------------------------------------------- */

static int64_t place_count(const lac_place *at) {
  const char *argument = strchr(lac_level_at(at)->kind, '(');
  return argument ? strtoll(argument + 1, NULL, 10) : 0;
}

static bool nm_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  int64_t count = place_count(at);
  *positions = count > 0 ? lac_memory_bytes(parents, count) : -1;
  if (*positions < 0)
    return lac_level_wrong(at, "expected 1 place or more under each parent, found %lld",
                           (long long)count);
  return lac_level_long_enough(at, LAC_COORDINATES, "coordinates", *positions);
}

static bool is_repeated(const lac_array *array, int64_t first, int64_t i) {
  for (int64_t before = first; before < i; before++)
    if (lac_array_get(array, before) == lac_array_get(array, i))
      return true;
  return false;
}

static bool nm_content(const lac_place *at, int64_t parents, int64_t positions) {
  const lac_array *array = &lac_level_at(at)->array[LAC_COORDINATES];
  int64_t count = place_count(at);
  (void)parents;
  for (int64_t i = 0; count > 0 && i < positions; i++) {
    if (is_all_ones(array, i))
      continue;
    if (!lac_level_in_range(at, LAC_COORDINATES, i))
      return false;
    if (is_repeated(array, i - i % count, i))
      return lac_level_wrong(at, "expected distinct coordinates, found %lld again at position %lld",
                             (long long)lac_array_get(array, i), (long long)i);
  }
  return true;
}

const lac_kind_check lac_check_nm = {.kind = "nm", .lengths = nm_lengths, .content = nm_content};
