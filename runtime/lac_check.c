/* lac_check.c - whether the storage of a tensor is what its levels' kinds promise.
 *
 * Below p parent positions a level has (Chou et al. 2018, section 3.1, table of level types)
 *
 *     kind         array lengths                              positions   order below one parent
 *     dense, range                                            p * size
 *     offset                                                  p
 *     bitmap       flags p * size                             p * size
 *     loose        begins p, ends p, coordinates as the       the last end
 *                  last end
 *     compressed   positions p + 1, coordinates positions[p]  positions[p]  ascending
 *     singleton    coordinates p                              p           (one only)
 *
 * and the values are as many as the last level's positions.  Of other kinds nothing is known.
 */
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <string.h>

typedef struct place {
  const lac_tensor *tensor;
  const char *name;
  int64_t l;
} place;

static const lac_level *level_at(const place *at) {
  return &at->tensor->levels[at->l];
}

static bool wrong_length(const place *at, const char *what, int64_t expected, int64_t found) {
  lac_error_set(LAC_ERROR_FORMAT, "%s: level %lld (%s): expected %lld %s, found %lld", at->name,
                (long long)at->l, level_at(at)->kind, (long long)expected, what, (long long)found);
  return false;
}

static bool is_index_width(int32_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

static bool long_enough(const place *at, int slot, const char *what, int64_t expected) {
  const lac_array *array = &level_at(at)->array[slot];
  int64_t found = array->data && is_index_width(array->width) ? array->length : 0;
  return found >= expected || wrong_length(at, what, expected, found);
}

/* ---- Lengths ------------------------------------------------------------------------------ */

static bool dense_positions(const place *at, int64_t parents, int64_t *positions) {
  int64_t count = lac_memory_bytes(parents, level_at(at)->size);
  *positions = count;
  if (count >= 0 && count < INT64_MAX)
    return true;
  lac_error_set(LAC_ERROR_MEMORY,
                "%s: level %lld (%s): %lld * %lld positions do not fit in 63 bits", at->name,
                (long long)at->l, level_at(at)->kind, (long long)parents,
                (long long)level_at(at)->size);
  return false;
}

/* One coordinate under each parent, which follows from those above. */
static bool implied_positions(const place *at, int64_t parents, int64_t *positions) {
  (void)at;
  *positions = parents;
  return true;
}

static bool compressed_positions(const place *at, int64_t parents, int64_t *positions) {
  const lac_array *array = &level_at(at)->array[LAC_POSITIONS];
  if (!array->data || array->length != parents + 1 || !is_index_width(array->width))
    return wrong_length(at, "positions", parents + 1, array->data ? array->length : 0);
  *positions = lac_array_get(array, parents);
  if (*positions < 0)
    return wrong_length(at, "or more as the last position", 0, *positions);
  return long_enough(at, LAC_COORDINATES, "coordinates", *positions);
}

static bool bitmap_positions(const place *at, int64_t parents, int64_t *positions) {
  return dense_positions(at, parents, positions) && long_enough(at, LAC_FLAGS, "flags", *positions);
}

static bool loose_positions(const place *at, int64_t parents, int64_t *positions) {
  const lac_array *ends = &level_at(at)->array[LAC_ENDS];
  *positions = 0;
  if (!long_enough(at, LAC_POSITIONS, "begins", parents) ||
      !long_enough(at, LAC_ENDS, "ends", parents))
    return false;
  for (int64_t p = 0; p < parents; p++) {
    int64_t end = lac_array_get(ends, p);
    *positions = end > *positions ? end : *positions;
  }
  return long_enough(at, LAC_COORDINATES, "coordinates", *positions);
}

static bool singleton_positions(const place *at, int64_t parents, int64_t *positions) {
  *positions = parents;
  return long_enough(at, LAC_COORDINATES, "coordinates", parents);
}

/* ---- Order and ranges --------------------------------------------------------------------- */

static bool check_range_of(const place *at, int64_t begin, int64_t end) {
  const lac_level *level = level_at(at);
  for (int64_t p = begin; p < end; p++) {
    int64_t coordinate = lac_array_get(&level->array[LAC_COORDINATES], p);
    if (coordinate >= 0 && coordinate < level->size)
      continue;
    lac_error_set(
        LAC_ERROR_FORMAT,
        "%s: level %lld (%s): expected coordinates from 0 to %lld, found %lld at position %lld",
        at->name, (long long)at->l, level->kind, (long long)level->size - 1, (long long)coordinate,
        (long long)p);
    return false;
  }
  return true;
}

static bool check_range(const place *at, int64_t positions) {
  return check_range_of(at, 0, positions);
}

static bool check_monotone(const place *at, int64_t parents) {
  const lac_array *array = &level_at(at)->array[LAC_POSITIONS];
  int64_t previous = 0;
  for (int64_t p = 0; p <= parents; p++) {
    int64_t position = lac_array_get(array, p);
    if (p == 0 ? position != 0 : position < previous) {
      lac_error_set(LAC_ERROR_FORMAT,
                    "%s: level %lld (%s): expected positions that %s, found %lld at %lld", at->name,
                    (long long)at->l, level_at(at)->kind,
                    p == 0 ? "begin with 0" : "do not decrease", (long long)position, (long long)p);
      return false;
    }
    previous = position;
  }
  return true;
}

static bool is_kind(const lac_level *level, const char *kind) {
  return strcmp(level->kind, kind) == 0;
}

static int64_t end_of_chain(const lac_tensor *tensor, int64_t l) {
  do
    l++;
  while (l < tensor->level_count && is_kind(&tensor->levels[l], "singleton"));
  return l;
}

/* Compares entry p of a compressed level, and of the singleton levels that continue it, with the
 * entry before: the level where they are out of order, or -1. */
static int64_t misplaced_level(const place *at, int64_t end, const uint8_t *flags, int64_t p) {
  for (int64_t l = at->l; l < end; l++) {
    const lac_array *coordinates = &at->tensor->levels[l].array[LAC_COORDINATES];
    int64_t before = lac_array_get(coordinates, p - 1), here = lac_array_get(coordinates, p);
    int flag = flags ? flags[l] : 0;
    if (here < before)
      return flag & LAC_UNORDERED ? -1 : l;
    if (here > before)
      return -1;
    if (!(flag & LAC_NONUNIQUE))
      return l;
  }
  return -1;
}

static bool check_segment(const place *at, int64_t end, const uint8_t *flags, int64_t first,
                          int64_t last) {
  for (int64_t p = first + 1; p < last; p++) {
    int64_t l = misplaced_level(at, end, flags, p);
    if (l < 0)
      continue;
    const lac_array *coordinates = &at->tensor->levels[l].array[LAC_COORDINATES];
    lac_error_set(LAC_ERROR_FORMAT,
                  "%s: level %lld (%s): expected ascending coordinates, found %lld after %lld at "
                  "position %lld",
                  at->name, (long long)l, at->tensor->levels[l].kind,
                  (long long)lac_array_get(coordinates, p),
                  (long long)lac_array_get(coordinates, p - 1), (long long)p);
    return false;
  }
  return true;
}

static bool check_compressed(const place *at, int64_t parents, int64_t positions) {
  return check_monotone(at, parents) && check_range(at, positions);
}

static bool check_singleton(const place *at, int64_t parents, int64_t positions) {
  (void)parents;
  return check_range(at, positions);
}

/* ---- Kinds -------------------------------------------------------------------------------- */

static bool wrong_segment(const place *at, int64_t p, int64_t begin, int64_t end) {
  lac_error_set(LAC_ERROR_FORMAT,
                "%s: level %lld (%s): expected a begin from 0 to the end, found %lld and %lld at "
                "%lld",
                at->name, (long long)at->l, level_at(at)->kind, (long long)begin, (long long)end,
                (long long)p);
  return false;
}

static bool check_loose(const place *at, int64_t parents, int64_t positions) {
  const lac_level *level = level_at(at);
  (void)positions;
  for (int64_t p = 0; p < parents; p++) {
    int64_t begin = lac_array_get(&level->array[LAC_POSITIONS], p);
    int64_t end = lac_array_get(&level->array[LAC_ENDS], p);
    if (begin < 0 || begin > end)
      return wrong_segment(at, p, begin, end);
    if (!check_range_of(at, begin, end))
      return false;
  }
  return true;
}

typedef struct kind_check {
  const char *kind;
  bool (*positions)(const place *at, int64_t parents, int64_t *positions);
  bool (*content)(const place *at, int64_t parents, int64_t positions);
} kind_check;

static const kind_check kind_checks[] = {
    {"dense", dense_positions, NULL},
    {"range", dense_positions, NULL},
    {"offset", implied_positions, NULL},
    {"bitmap", bitmap_positions, NULL},
    {"loose_compressed", loose_positions, check_loose},
    {"compressed", compressed_positions, check_compressed},
    {"singleton", singleton_positions, check_singleton},
};

static const kind_check *find_check(const char *kind) {
  for (size_t k = 0; k < sizeof kind_checks / sizeof kind_checks[0]; k++)
    if (strcmp(kind_checks[k].kind, kind) == 0)
      return &kind_checks[k];
  return NULL;
}

static bool check_lent_data(const place *at) {
  for (int slot = 0; slot < LAC_ARRAYS; slot++) {
    const lac_array *array = &level_at(at)->array[slot];
    if (array->length < 0 || (array->length > 0 && !array->data))
      return wrong_length(at, "elements in an array with no data", 0, array->length);
  }
  return true;
}

/* Below a kind of which nothing is known, a compressed level still ends where its own positions
 * end. */
static int64_t parents_of(const lac_level *level, int64_t parents) {
  if (parents == LAC_UNKNOWN_COUNT && is_kind(level, "compressed") &&
      level->array[LAC_POSITIONS].length > 0)
    return level->array[LAC_POSITIONS].length - 1;
  return parents;
}

bool lac_level_positions(const lac_tensor *tensor, int64_t l, int64_t parents, const char *name,
                         int64_t *positions) {
  place at = {tensor, name, l};
  const kind_check *check = find_check(tensor->levels[l].kind);
  *positions = LAC_UNKNOWN_COUNT;
  if (!check_lent_data(&at))
    return false;
  parents = parents_of(&tensor->levels[l], parents);
  if (!check || parents == LAC_UNKNOWN_COUNT)
    return true;
  return check->positions(&at, parents, positions);
}

static bool check_values(const lac_tensor *tensor, const char *name, int64_t positions) {
  int64_t found = tensor->values.data ? tensor->values.length : 0;
  if (found >= positions && tensor->values.length >= 0)
    return true;
  lac_error_set(LAC_ERROR_FORMAT, "%s: expected %lld values, found %lld", name,
                (long long)(positions < 0 ? 0 : positions), (long long)found);
  return false;
}

bool lac_storage_lengths(const lac_tensor *tensor, const char *name) {
  int64_t positions = 1;
  for (int64_t l = 0; l < tensor->level_count; l++)
    if (!lac_level_positions(tensor, l, positions, name, &positions))
      return false;
  return check_values(tensor, name, positions);
}

static bool check_fields(const lac_tensor *tensor, const char *name) {
  bool sound = tensor->order >= 0 && tensor->level_count >= 0 &&
               (tensor->order == 0 || tensor->dimensions) &&
               (tensor->level_count == 0 || tensor->levels) && lac_type_width(tensor->type) > 0 &&
               tensor->values.width == lac_type_width(tensor->type);
  for (int64_t d = 0; d < tensor->order && sound; d++)
    sound = tensor->dimensions[d] >= 0;
  for (int64_t l = 0; l < tensor->level_count && sound; l++)
    sound = tensor->levels[l].kind && tensor->levels[l].size >= 0;
  if (!sound)
    lac_error_set(LAC_ERROR_FORMAT,
                  "%s: expected an element type with values of its width, and for each dimension "
                  "and level a size that is not negative",
                  name);
  return sound;
}

static bool has_segments(const lac_level *level) {
  return is_kind(level, "compressed") || is_kind(level, "loose_compressed");
}

static bool check_order(const place *at, int64_t parents, const uint8_t *flags) {
  const lac_array *begins = &level_at(at)->array[LAC_POSITIONS];
  const lac_array *ends = &level_at(at)->array[LAC_ENDS];
  int64_t end = end_of_chain(at->tensor, at->l);
  for (int64_t p = 0; p < parents; p++) {
    int64_t last =
        is_kind(level_at(at), "compressed") ? lac_array_get(begins, p + 1) : lac_array_get(ends, p);
    if (!check_segment(at, end, flags, lac_array_get(begins, p), last))
      return false;
  }
  return true;
}

static bool check_content(const lac_tensor *tensor, const uint8_t *flags, const char *name) {
  int64_t parents = 1, positions;
  for (int64_t l = 0; l < tensor->level_count; l++, parents = positions) {
    place at = {tensor, name, l};
    const kind_check *check = find_check(tensor->levels[l].kind);
    lac_level_positions(tensor, l, parents, name, &positions);
    parents = parents_of(&tensor->levels[l], parents);
    if (positions < 0 || !check || !check->content)
      continue;
    if (!check->content(&at, parents, positions))
      return false;
    if (has_segments(&tensor->levels[l]) && !check_order(&at, parents, flags))
      return false;
  }
  return true;
}

/* The lengths first: they make every access of the second pass safe. */
int32_t lac_tensor_check_named(const lac_tensor *tensor, const uint8_t *level_flags,
                               const char *name) {
  bool sound = check_fields(tensor, name) && lac_storage_lengths(tensor, name) &&
               check_content(tensor, level_flags, name);
  return sound ? LAC_OK : LAC_ERROR_FORMAT;
}

int32_t lac_tensor_check(const lac_tensor *tensor, const uint8_t *level_flags) {
  return lac_tensor_check_named(tensor, level_flags, "tensor");
}
