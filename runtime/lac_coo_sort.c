/* lac_coo_sort.c - sorts a coordinate list lexicographically, stably, by packed keys:
 *
 *     levels   i (size 5)   j (size 1000)         key = i << 10 | j
 *     bits     3            10
 *
 * Records are sorted by them (lac_radix.h).
 *
 * A record is a key and a payload: the entry's value where all levels fit one key and the value
 * fits 8 bytes, or else the entry's place, by which coordinates and values are gathered at the end.
 * Levels whose bits do not fit one key form several groups, sorted one after the other from the
 * last levels to the first.
 */
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_radix.h"

#include <string.h>

enum { KEY_BITS = 64, CHUNK = 512 }; /* records that the first cache holds */

/* A level as the sort sees it, in the new order. */
typedef struct sort_level {
  int64_t from; /* the old level */
  lac_array *coordinates;
  int64_t size;
  int bits;
  bool suffix_descends; /* the entries are not sorted by this level and those after it */
} sort_level;

typedef struct sorter {
  lac_tensor *coo;
  sort_level *levels;
  int64_t level_count;
  int64_t count;
  lac_pair *records, *spare; /* of a key and a payload */
  void *gathered;            /* room for one array, where records carry places */
  bool carries_values;
} sorter;

/* ---- Levels ------------------------------------------------------------------------------- */

static int bits_for(int64_t size) {
  return size <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)size - 1);
}

static bool order_levels(sorter *s, const int64_t *level_order) {
  for (int64_t l = 0; l < s->level_count; l++) {
    int64_t from = level_order ? level_order[l] : l;
    if (from < 0 || from >= s->level_count)
      return false;
    for (int64_t before = 0; before < l; before++)
      if (s->levels[before].from == from)
        return false;
    lac_level *level = &s->coo->levels[from];
    s->levels[l] = (sort_level){from, &level->array[LAC_COORDINATES], level->size,
                                bits_for(level->size), false};
  }
  return true;
}

static int32_t check_ranges(const sorter *s) {
  for (int64_t l = 0; l < s->level_count; l++) {
    const sort_level *level = &s->levels[l];
    for (int64_t p = 0; p < s->count; p++) {
      int64_t c = lac_array_get(level->coordinates, p);
      if (c < 0 || c >= level->size)
        return lac_error_set(
            LAC_ERROR_FORMAT,
            "coordinate list: level %lld: expected coordinates below %lld, found %lld",
            (long long)level->from, (long long)level->size, (long long)c);
    }
  }
  return LAC_OK;
}

/* Compares entries p-1 and p by every suffix of the levels, the shortest first, and marks those
 * that descend. */
static bool mark_descents(const sorter *s, int64_t p) {
  bool descends = false, all_descend = true;
  for (int64_t l = s->level_count; l-- > 0;) {
    int64_t before = lac_array_get(s->levels[l].coordinates, p - 1);
    int64_t here = lac_array_get(s->levels[l].coordinates, p);
    descends = here < before || (here == before && descends);
    s->levels[l].suffix_descends |= descends;
    all_descend &= s->levels[l].suffix_descends;
  }
  return !all_descend;
}

/* The first of the trailing levels by which the entries ascend already. */
static int64_t first_sorted_level(const sorter *s) {
  int64_t l = 0;
  for (int64_t p = 1; p < s->count && mark_descents(s, p); p++)
    ;
  while (l < s->level_count && s->levels[l].suffix_descends)
    l++;
  return l;
}

/* ---- Keys --------------------------------------------------------------------------------- */

/* The first level of the group that ends before level `end`, and its bits. */
static int64_t begin_of_group(const sorter *s, int64_t end, int *bits) {
  int64_t first = end;
  *bits = 0;
  while (first > 0 && *bits + s->levels[first - 1].bits <= KEY_BITS)
    *bits += s->levels[--first].bits;
  return first;
}

static void append_to_keys(const sorter *s, const sort_level *level, int64_t begin, int64_t end) {
  for (int64_t r = begin; r < end; r++) {
    int64_t p = s->carries_values ? r : s->records[r].position;
    uint64_t key = (uint64_t)s->records[r].coordinate << level->bits;
    s->records[r].coordinate = (int64_t)(key | (uint64_t)lac_array_get(level->coordinates, p));
  }
}

static int64_t end_of_chunk(const sorter *s, int64_t begin) {
  return s->count - begin < CHUNK ? s->count : begin + CHUNK;
}

/* A few records at a time, which stay in the first cache from level to level. */
static void pack_keys(const sorter *s, int64_t first, int64_t end) {
  for (int64_t begin = 0, stop; begin < s->count; begin = stop) {
    stop = end_of_chunk(s, begin);
    for (int64_t r = begin; r < stop; r++)
      s->records[r].coordinate = 0;
    for (int64_t l = first; l < end; l++)
      if (s->levels[l].bits > 0)
        append_to_keys(s, &s->levels[l], begin, stop);
  }
}

static void load_payloads(const sorter *s) {
  const char *values = s->coo->values.data;
  size_t width = (size_t)s->coo->values.width;
  for (int64_t r = 0; r < s->count; r++) {
    s->records[r].position = s->carries_values ? 0 : r;
    if (s->carries_values)
      memcpy(&s->records[r].position, values + (size_t)r * width, width);
  }
}

/* ---- Groups ------------------------------------------------------------------------------- */

static uint64_t bits_between(int low, int high) {
  return high == low ? 0 : ~UINT64_C(0) >> (64 - (high - low)) << low;
}

static void sort_by_bits(sorter *s, int low, int high) {
  lac_pair *sorted = lac_radix_pairs(s->records, s->spare, s->count, bits_between(low, high));
  if (sorted == s->spare) {
    s->spare = s->records;
    s->records = sorted;
  }
}

/* Sorts by levels 0 to `end`, the last group first; the lowest `skipped_bits` are in order. */
static void sort_groups(sorter *s, int64_t end, int skipped_bits) {
  int bits;
  for (int64_t first; end > 0; end = first, skipped_bits = 0) {
    first = begin_of_group(s, end, &bits);
    pack_keys(s, first, end);
    sort_by_bits(s, skipped_bits, bits);
  }
}

/* ---- Writing back ------------------------------------------------------------------------- */

static void store(lac_array *array, int64_t p, uint64_t coordinate) {
  switch (array->width) {
  case 1:
    ((uint8_t *)array->data)[p] = (uint8_t)coordinate;
    break;
  case 2:
    ((uint16_t *)array->data)[p] = (uint16_t)coordinate;
    break;
  case 4:
    ((uint32_t *)array->data)[p] = (uint32_t)coordinate;
    break;
  default:
    ((uint64_t *)array->data)[p] = coordinate;
  }
}

static void unpack_level(const sorter *s, sort_level *level, int shift, int64_t begin,
                         int64_t end) {
  uint64_t mask = (UINT64_C(1) << level->bits) - 1;
  if (level->bits == 0)
    return;
  for (int64_t r = begin; r < end; r++)
    store(level->coordinates, r, (uint64_t)s->records[r].coordinate >> shift & mask);
}

static void unpack_values(const sorter *s, int64_t begin, int64_t end) {
  char *values = s->coo->values.data;
  size_t width = (size_t)s->coo->values.width;
  for (int64_t r = begin; r < end; r++)
    memcpy(values + (size_t)r * width, &s->records[r].position, width);
}

static void unpack(const sorter *s) {
  for (int64_t begin = 0, end; begin < s->count; begin = end) {
    int shift = 0;
    end = end_of_chunk(s, begin);
    for (int64_t l = s->level_count; l-- > 0; shift += s->levels[l].bits)
      unpack_level(s, &s->levels[l], shift, begin, end);
    unpack_values(s, begin, end);
  }
}

static void gather_array(const sorter *s, lac_array *array) {
  size_t width = (size_t)array->width;
  for (int64_t r = 0; r < s->count; r++)
    memcpy((char *)s->gathered + (size_t)r * width,
           (char *)array->data + (size_t)s->records[r].position * width, width);
  memcpy(array->data, s->gathered, (size_t)s->count * width);
}

static void gather(const sorter *s) {
  for (int64_t l = 0; l < s->level_count; l++)
    gather_array(s, s->levels[l].coordinates);
  gather_array(s, &s->coo->values);
}

/* ---- The whole sort ----------------------------------------------------------------------- */

static int64_t widest(const sorter *s) {
  int64_t width = s->coo->values.width;
  for (int64_t l = 0; l < s->level_count; l++)
    if (s->levels[l].coordinates->width > width)
      width = s->levels[l].coordinates->width;
  return width;
}

static void sort_with_room(sorter *s, int64_t first_sorted, bool one_key) {
  int skipped = 0;
  load_payloads(s);
  for (int64_t l = first_sorted; one_key && l < s->level_count; l++)
    skipped += s->levels[l].bits;
  sort_groups(s, one_key ? s->level_count : first_sorted, skipped);
  if (s->carries_values)
    unpack(s);
  else
    gather(s);
}

/* Scratch memory as of arrays: from what earlier ones left, which has its pages. */
static int32_t sort_entries(sorter *s, int64_t first_sorted) {
  int bits;
  bool one_key = begin_of_group(s, s->level_count, &bits) == 0;
  s->carries_values = one_key && s->coo->values.width <= 8;
  lac_array records = {.width = sizeof(lac_pair)}, spare = records;
  lac_array gathered = {.width = (int32_t)widest(s)};
  int32_t status = lac_array_allocate_raw(&records, s->count);
  if (status == LAC_OK)
    status = lac_array_allocate_raw(&spare, s->count);
  if (status == LAC_OK && !s->carries_values)
    status = lac_array_allocate_raw(&gathered, s->count);
  s->records = records.data;
  s->spare = spare.data;
  s->gathered = gathered.data;
  if (status == LAC_OK)
    sort_with_room(s, first_sorted, one_key);
  lac_array_free(&records);
  lac_array_free(&spare);
  lac_array_free(&gathered);
  return status;
}

/* The kinds and the positions of level 0 stay where they are; sizes and coordinates move. */
static void permute_levels(const sorter *s, lac_array *coordinates) {
  for (int64_t l = 0; l < s->level_count; l++)
    coordinates[l] = *s->levels[l].coordinates;
  for (int64_t l = 0; l < s->level_count; l++) {
    s->coo->levels[l].array[LAC_COORDINATES] = coordinates[l];
    s->coo->levels[l].size = s->levels[l].size;
  }
}

static int32_t sort_with(sorter *s, lac_array *coordinates, const int64_t *level_order) {
  if (!order_levels(s, level_order))
    return lac_error_set(LAC_ERROR_FORMAT, "expected a permutation of the %lld levels to sort by",
                         (long long)s->level_count);
  int32_t status = check_ranges(s);
  if (status != LAC_OK)
    return status;
  int64_t first_sorted = first_sorted_level(s);
  if (first_sorted > 0)
    status = sort_entries(s, first_sorted);
  if (status == LAC_OK)
    permute_levels(s, coordinates);
  return status;
}

int32_t lac_coo_sort(lac_tensor *coo, const int64_t *level_order) {
  int32_t status = lac_coo_expect(coo);
  if (status != LAC_OK || coo->level_count == 0)
    return status;
  int64_t level_bytes = coo->level_count * (int64_t)sizeof(sort_level);
  int64_t array_bytes = coo->level_count * (int64_t)sizeof(lac_array);
  sorter s = {.coo = coo, .level_count = coo->level_count, .count = lac_coo_count(coo)};
  s.levels = lac_memory_allocate(level_bytes);
  lac_array *coordinates = lac_memory_allocate(array_bytes);
  status = s.levels && coordinates ? sort_with(&s, coordinates, level_order) : LAC_ERROR_MEMORY;
  lac_memory_release(s.levels, level_bytes);
  lac_memory_release(coordinates, array_bytes);
  return status;
}
