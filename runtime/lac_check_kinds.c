/* lac_check_kinds.c - the table of kinds that lac_tensor_check knows, what their checks share, and
 * those kinds whose positions are computed:
 *
 *     kind           array lengths       positions
 *     dense, range                       p * size
 *     offset                             p
 *     bitmap         flags p * size      p * size
 */
#include "lac_check_kinds.h"

#include "lac_error.h"
#include "lac_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const lac_kind_check *const kinds[] = {
    &lac_check_dense,     &lac_check_range,      &lac_check_offset,
    &lac_check_bitmap,    &lac_check_compressed, &lac_check_loose_compressed,
    &lac_check_singleton, &lac_check_run_length, &lac_check_tuples,
    &lac_check_element,   &lac_check_sliced,     &lac_check_padded,
    &lac_check_hashed,    &lac_check_banded,     &lac_check_nm,
};

/* Whether `kind` is that name, or, as in nm(2), with a number behind it. */
static bool is_kind(const char *name, const char *kind) {
  size_t length = strlen(name);
  return strncmp(name, kind, length) == 0 && (kind[length] == '\0' || kind[length] == '(');
}

const lac_kind_check *lac_kind_check_find(const char *kind) {
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    if (is_kind(kinds[k]->kind, kind))
      return kinds[k];
  return NULL;
}

/* ---- What checks share -------------------------------------------------------------------- */

bool lac_level_wrong(const lac_place *at, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lac_error_set(LAC_ERROR_FORMAT, "%s: level %lld (%s): %s", at->name, (long long)at->l,
                lac_level_at(at)->kind, text);
  return false;
}

bool lac_level_wrong_length(const lac_place *at, const char *what, int64_t expected,
                            int64_t found) {
  return lac_level_wrong(at, "expected %lld %s, found %lld", (long long)expected, what,
                         (long long)found);
}

static bool is_index_width(int32_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

bool lac_level_long_enough(const lac_place *at, int slot, const char *what, int64_t expected) {
  const lac_array *array = &lac_level_at(at)->array[slot];
  int64_t found = array->data && is_index_width(array->width) ? array->length : 0;
  return found >= expected || lac_level_wrong_length(at, what, expected, found);
}

bool lac_level_ends(const lac_place *at, int64_t parents, int64_t *positions) {
  const lac_array *array = &lac_level_at(at)->array[LAC_POSITIONS];
  int64_t found = array->data ? array->length : 0;
  if (!array->data || found != parents + 1)
    return lac_level_wrong_length(at, "positions", parents + 1, found);
  if (!lac_level_long_enough(at, LAC_POSITIONS, "positions", parents + 1))
    return false;
  *positions = lac_array_get(array, parents);
  return *positions >= 0 ||
         lac_level_wrong_length(at, "or more as the last position", 0, *positions);
}

bool lac_level_places(const lac_place *at, int64_t parents, int64_t *positions) {
  const lac_level *level = lac_level_at(at);
  *positions = lac_memory_bytes(parents, level->size);
  if (*positions >= 0 && *positions < INT64_MAX)
    return true;
  lac_error_set(LAC_ERROR_MEMORY,
                "%s: level %lld (%s): %lld * %lld positions do not fit in 63 bits", at->name,
                (long long)at->l, level->kind, (long long)parents, (long long)level->size);
  return false;
}

bool lac_level_in_range(const lac_place *at, int slot, int64_t i) {
  const lac_level *level = lac_level_at(at);
  int64_t coordinate = lac_array_get(&level->array[slot], i);
  if (coordinate >= 0 && coordinate < level->size)
    return true;
  return lac_level_wrong(at, "expected coordinates from 0 to %lld, found %lld at position %lld",
                         (long long)level->size - 1, (long long)coordinate, (long long)i);
}

bool lac_level_monotone(const lac_place *at, int slot, int64_t count) {
  const lac_array *array = &lac_level_at(at)->array[slot];
  int64_t previous = 0;
  for (int64_t i = 0; i <= count; i++) {
    int64_t here = lac_array_get(array, i);
    if (i == 0 ? here != 0 : here < previous)
      return lac_level_wrong(at, "expected positions that %s, found %lld at %lld",
                             i == 0 ? "begin with 0" : "do not decrease", (long long)here,
                             (long long)i);
    previous = here;
  }
  return true;
}

/* ---- Positions that are computed ---------------------------------------------------------- */

/* One coordinate under each parent, which follows from those above. */
static bool implied_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  (void)at;
  *positions = parents;
  return true;
}

static bool bitmap_lengths(const lac_place *at, int64_t parents, int64_t *positions) {
  return lac_level_places(at, parents, positions) &&
         lac_level_long_enough(at, LAC_FLAGS, "flags", *positions);
}

const lac_kind_check lac_check_dense = {.kind = "dense", .lengths = lac_level_places};
const lac_kind_check lac_check_range = {.kind = "range", .lengths = lac_level_places};
const lac_kind_check lac_check_offset = {.kind = "offset", .lengths = implied_lengths};
const lac_kind_check lac_check_bitmap = {.kind = "bitmap", .lengths = bitmap_lengths};
