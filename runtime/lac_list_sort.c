/* lac_list_sort.c - sorts a list of entries lexicographically, stably, by packed keys (lac_list.h):
 *
 *     levels   i (size 5)   j (size 1000)         key = i << 10 | j
 *     bits     3            10
 *
 * An entry to be sorted (lac_entries.h) is a key, of as many words as the bits of all levels take,
 * and a payload: the entry's value where one word holds the key and the value fits 8 bytes, or else
 * the entry's place, by which coordinates and values are gathered at the end.
 */
#include "lac_entries.h"
#include "lac_error.h"
#include "lac_integer.h"
#include "lac_list.h"
#include "lac_memory.h"

#include <string.h>

enum { WORD_BITS = 64, WORD = WORD_BITS / 8, CHUNK = 512 }; /* entries that the first cache holds */

/* A level as the sort sees it, in the new order. */
typedef struct sort_level {
  int64_t from; /* the old level */
  lac_array *coordinates, was;
  int64_t size;
  int bits, word; /* of the key */
} sort_level;

typedef struct sorter {
  lac_array *values;
  sort_level *levels;
  int64_t level_count;
  int64_t count;
  int32_t keys, words; /* of an entry */
  uint64_t *entries, *spare;
  void *gathered; /* room for one array, where entries carry places */
  bool carries_values;
} sorter;

/* ---- Levels ------------------------------------------------------------------------------- */

static bool order_levels(sorter *s, const lac_list_key *keys, const int64_t *order) {
  for (int64_t l = 0; l < s->level_count; l++) {
    int64_t from = order ? order[l] : l;
    if (from < 0 || from >= s->level_count)
      return false;
    for (int64_t before = 0; before < l; before++)
      if (s->levels[before].from == from)
        return false;
    s->levels[l] = (sort_level){.from = from,
                                .coordinates = keys[from].coordinates,
                                .size = keys[from].size,
                                .bits = lac_bits(keys[from].size - 1)};
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

static bool descends(const sorter *s, int64_t p) {
  int64_t l = 0, before = 0, here = 0;
  for (; l < s->level_count && before == here; l++) {
    before = lac_array_get(s->levels[l].coordinates, p - 1);
    here = lac_array_get(s->levels[l].coordinates, p);
  }
  return before > here;
}

static bool is_sorted(const sorter *s) {
  int64_t p = 1;
  while (p < s->count && !descends(s, p))
    p++;
  return p >= s->count;
}

/* ---- Keys --------------------------------------------------------------------------------- */

/* The words of the key, each with as many levels as its bits are enough for. */
static int32_t assign_words(const sorter *s) {
  int word = 0, used = 0;
  for (int64_t l = 0; l < s->level_count; l++) {
    bool fits = used + s->levels[l].bits <= WORD_BITS;
    used = fits ? used + s->levels[l].bits : s->levels[l].bits;
    s->levels[l].word = fits ? word : ++word;
  }
  return word + 1;
}

static uint64_t *entry_at(const sorter *s, int64_t e) {
  return s->entries + e * s->words;
}

static uint64_t *payload_at(const sorter *s, int64_t e) {
  return entry_at(s, e) + s->keys;
}

static void append_to_keys(const sorter *s, const sort_level *level, int64_t begin, int64_t end) {
  for (int64_t e = begin; e < end; e++) {
    uint64_t *word = entry_at(s, e) + level->word;
    *word = *word << level->bits | (uint64_t)lac_array_get(level->coordinates, e);
  }
}

static int64_t end_of_chunk(const sorter *s, int64_t begin) {
  return s->count - begin < CHUNK ? s->count : begin + CHUNK;
}

static void begin_entries(const sorter *s, int64_t begin, int64_t end) {
  size_t width = (size_t)s->values->width;
  const char *values = s->values->data;
  for (int64_t e = begin; e < end; e++) {
    memset(entry_at(s, e), 0, (size_t)s->words * WORD);
    if (s->carries_values)
      memcpy(payload_at(s, e), values + (size_t)e * width, width);
    else
      *payload_at(s, e) = (uint64_t)e;
  }
}

/* A few entries at a time, which stay in the first cache from level to level. */
static void pack(const sorter *s) {
  for (int64_t begin = 0, end; begin < s->count; begin = end) {
    end = end_of_chunk(s, begin);
    begin_entries(s, begin, end);
    for (int64_t l = 0; l < s->level_count; l++)
      if (s->levels[l].bits > 0)
        append_to_keys(s, &s->levels[l], begin, end);
  }
}

/* ---- Writing back ------------------------------------------------------------------------- */

static void unpack_level(const sorter *s, sort_level *level, int shift, int64_t begin,
                         int64_t end) {
  uint64_t mask = (UINT64_C(1) << level->bits) - 1;
  if (level->bits == 0)
    return;
  for (int64_t e = begin; e < end; e++)
    lac_array_set(level->coordinates, e, (int64_t)(*entry_at(s, e) >> shift & mask));
}

static void unpack_values(const sorter *s, int64_t begin, int64_t end) {
  char *values = s->values->data;
  size_t width = (size_t)s->values->width;
  for (int64_t e = begin; e < end; e++)
    memcpy(values + (size_t)e * width, payload_at(s, e), width);
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
  for (int64_t e = 0; e < s->count; e++)
    memcpy((char *)s->gathered + (size_t)e * width,
           (char *)array->data + (size_t)*payload_at(s, e) * width, width);
  memcpy(array->data, s->gathered, (size_t)s->count * width);
}

static void gather(const sorter *s) {
  for (int64_t l = 0; l < s->level_count; l++)
    gather_array(s, s->levels[l].coordinates);
  gather_array(s, s->values);
}

/* ---- The whole sort ----------------------------------------------------------------------- */

static int64_t widest(const sorter *s) {
  int64_t width = s->values->width;
  for (int64_t l = 0; l < s->level_count; l++)
    if (s->levels[l].coordinates->width > width)
      width = s->levels[l].coordinates->width;
  return width;
}

static void sort_with_room(sorter *s) {
  pack(s);
  s->entries = lac_entries_sort(s->entries, s->spare, s->count, s->words, s->keys);
  if (s->carries_values)
    unpack(s);
  else
    gather(s);
}

/* Scratch memory as of arrays: from what earlier ones left, which has its pages. */
static int32_t sort_entries(sorter *s) {
  s->keys = assign_words(s);
  s->words = s->keys + 1;
  s->carries_values = s->keys == 1 && s->values->width <= WORD;
  lac_array entries = {.width = s->words * WORD}, spare = entries;
  lac_array gathered = {.width = (int32_t)widest(s)};
  int32_t status = lac_array_allocate_raw(&entries, s->count);
  if (status == LAC_OK)
    status = lac_array_allocate_raw(&spare, s->count);
  if (status == LAC_OK && !s->carries_values)
    status = lac_array_allocate_raw(&gathered, s->count);
  s->entries = entries.data;
  s->spare = spare.data;
  s->gathered = gathered.data;
  if (status == LAC_OK)
    sort_with_room(s);
  lac_array_free(&entries);
  lac_array_free(&spare);
  lac_array_free(&gathered);
  return status;
}

static void permute_keys(const sorter *s, lac_list_key *keys) {
  for (int64_t l = 0; l < s->level_count; l++)
    s->levels[l].was = *s->levels[l].coordinates;
  for (int64_t l = 0; l < s->level_count; l++) {
    *keys[l].coordinates = s->levels[l].was;
    keys[l].size = s->levels[l].size;
  }
}

static int32_t sort_with(sorter *s, lac_list_key *keys, const int64_t *order) {
  if (!order_levels(s, keys, order))
    return lac_error_set(LAC_ERROR_FORMAT, "expected a permutation of the %lld levels to sort by",
                         (long long)s->level_count);
  int32_t status = check_ranges(s);
  if (status == LAC_OK && !is_sorted(s))
    status = sort_entries(s);
  if (status == LAC_OK)
    permute_keys(s, keys);
  return status;
}

int32_t lac_list_sort_by(int64_t key_count, lac_list_key *keys, const int64_t *order,
                         lac_array *values, int64_t count) {
  int64_t bytes = key_count * (int64_t)sizeof(sort_level);
  sorter s = {.values = values, .level_count = key_count, .count = count};
  s.levels = lac_memory_allocate(bytes);
  int32_t status = s.levels ? sort_with(&s, keys, order) : LAC_ERROR_MEMORY;
  lac_memory_release(s.levels, bytes);
  return status;
}
