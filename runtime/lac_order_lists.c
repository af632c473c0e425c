/* lac_order_lists.c - orders the entries of each segment of a coordinate list below other levels
 * lexicographically, and the values along with them:
 *
 *     pos  0     3   5            pos  0     3   5
 *     i    2 0 2 1 0              i    0 2 2 0 1
 *     j    5 7 1 0 3       ->     j    7 1 5 3 0
 *     val  a b c d e              val  b c a e d
 *
 * What is in order already is left after one look.  Else the coordinates of an entry are packed
 * into a word with its place in the lowest bits, and the words sorted by the bits in which their
 * coordinates differ (lac_radix.h):
 *
 *     i 2  j 5  place 0      word  2:5:0
 *
 * Where the bits of all levels do not fit one word, the last levels' come first, and what they put
 * into order is the place in the words of the next: least-significant-digit radix sort, whose
 * digits are as many bits as a word has room for.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"
#include "lac_radix.h"

#include <string.h>

enum { WORD_BITS = 63 };

typedef struct list_orderer {
  lac_level *levels;    /* those of the list */
  const int64_t *slots; /* of the arrays of their coordinates */
  const lac_array *positions;
  int64_t level_count;
  lac_array *values;
  lac_array words, spare, order, moved; /* room for the longest segment */
} list_orderer;

/* A segment of the list, and how far its levels' coordinates are packed: bits of levels after
 * `level`, and `low` bits of its own, are done. */
typedef struct list_segment {
  int64_t begin, count;
  int place_bits;
  int64_t level;
  int low;
} list_segment;

static int bits_below(int64_t size) {
  return size <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)size - 1);
}

static const lac_array *coordinates_of(const list_orderer *o, int64_t level) {
  return &o->levels[level].array[o->slots[level]];
}

/* How entry p compares with the one before it: less than, equal to or greater than 0. */
static int compare_with_last(const list_orderer *o, int64_t p) {
  for (int64_t l = 0; l < o->level_count; l++) {
    uint64_t before = (uint64_t)lac_array_get(coordinates_of(o, l), p - 1);
    uint64_t here = (uint64_t)lac_array_get(coordinates_of(o, l), p);
    if (before != here)
      return before < here ? 1 : -1;
  }
  return 0;
}

/* Whether neighbours descend, and whether two are equal. */
static bool descends(const list_orderer *o, int64_t begin, int64_t count, bool *repeats) {
  bool descending = false;
  for (int64_t p = begin + 1; p < begin + count && !descending; p++) {
    int order = compare_with_last(o, p);
    descending = order < 0;
    *repeats |= order == 0;
  }
  return descending;
}

/* ---- Words -------------------------------------------------------------------------------- */

static uint64_t *words_of(const list_orderer *o) {
  return o->words.data;
}
static int64_t *order_of(const list_orderer *o) {
  return o->order.data;
}

static uint64_t mask_of(int bits) {
  return (UINT64_C(1) << bits) - 1;
}

/* Adds to each word, from bit `at` on, `bits` bits of its entry's coordinate in level s->level. */
static void pack_level(const list_orderer *o, const list_segment *s, int at, int bits) {
  const lac_array *from = coordinates_of(o, s->level);
  for (int64_t i = 0; i < s->count; i++) {
    uint64_t coordinate = (uint64_t)lac_array_get(from, s->begin + order_of(o)[i]);
    words_of(o)[i] |= (coordinate >> s->low & mask_of(bits)) << at;
  }
}

/* Packs as much of the coordinates as there is room for; gives whether anything was left. */
static bool pack_words(const list_orderer *o, list_segment *s) {
  int at = s->place_bits;
  if (s->level < 0)
    return false;
  for (int64_t i = 0; i < s->count; i++)
    words_of(o)[i] = (uint64_t)i;
  while (s->level >= 0 && at < WORD_BITS) {
    int left = bits_below(o->levels[s->level].size) - s->low;
    int bits = left < WORD_BITS - at ? left : WORD_BITS - at;
    pack_level(o, s, at, bits);
    at += bits;
    s->low += bits;
    if (bits == left) {
      s->level--;
      s->low = 0;
    }
  }
  return true;
}

/* ---- Sorting ------------------------------------------------------------------------------ */

/* Gives where the sorted words are. */
static const uint64_t *sort_words(const list_orderer *o, const list_segment *s) {
  uint64_t *words = o->words.data, differing = 0;
  for (int64_t i = 1; i < s->count; i++)
    differing |= words[i] ^ words[0];
  return lac_radix_keys(words, o->spare.data, s->count, 0, differing & ~mask_of(s->place_bits));
}

/* The entries in the order of the words. */
static void take_order(const list_orderer *o, const list_segment *s, const uint64_t *sorted) {
  int64_t *last = o->moved.data;
  memcpy(last, order_of(o), (size_t)s->count * sizeof *last);
  for (int64_t i = 0; i < s->count; i++)
    order_of(o)[i] = last[sorted[i] & mask_of(s->place_bits)];
}

static void move_elements(const list_orderer *o, const list_segment *s, lac_array *array) {
  size_t width = (size_t)array->width;
  char *elements = (char *)array->data + (size_t)s->begin * width, *moved = o->moved.data;
  for (int64_t i = 0; i < s->count; i++)
    memcpy(moved + (size_t)i * width, elements + (size_t)order_of(o)[i] * width, width);
  memcpy(elements, moved, (size_t)s->count * width);
}

static void order_segment(const list_orderer *o, int64_t begin, int64_t count) {
  list_segment s = {begin, count, bits_below(count), o->level_count - 1, 0};
  for (int64_t i = 0; i < count; i++)
    order_of(o)[i] = i;
  while (pack_words(o, &s))
    take_order(o, &s, sort_words(o, &s));
  for (int64_t l = 0; l < o->level_count; l++)
    move_elements(o, &s, &o->levels[l].array[o->slots[l]]);
  move_elements(o, &s, o->values);
}

/* ---- All segments ------------------------------------------------------------------------- */

static int64_t longest_segment(const lac_array *positions, int64_t parents) {
  int64_t longest = 0;
  for (int64_t p = 0; p < parents; p++) {
    int64_t count = lac_array_get(positions, p + 1) - lac_array_get(positions, p);
    longest = count > longest ? count : longest;
  }
  return longest;
}

static int32_t take_room(list_orderer *o, int64_t longest) {
  enum { WIDTH = sizeof(int64_t) };
  lac_array *room[] = {&o->words, &o->spare, &o->order, &o->moved};
  int32_t status = LAC_OK;
  for (int i = 0; i < 4 && status == LAC_OK; i++) {
    bool widest = room[i] == &o->moved && o->values->width > WIDTH;
    room[i]->width = widest ? o->values->width : WIDTH;
    status = lac_array_allocate_raw(room[i], longest);
  }
  return status;
}

static void free_room(list_orderer *o) {
  lac_array_free(&o->words);
  lac_array_free(&o->spare);
  lac_array_free(&o->order);
  lac_array_free(&o->moved);
}

/* Orders the segments that are not in order; gives whether entries repeat. */
static bool order_segments(list_orderer *o, int64_t parents, int32_t *status) {
  const lac_array *positions = o->positions;
  bool repeats = false, has_room = false;
  for (int64_t p = 0; p < parents && lac_status_is_fine(status); p++) {
    int64_t begin = lac_array_get(positions, p), count = lac_array_get(positions, p + 1) - begin;
    if (!descends(o, begin, count, &repeats))
      continue;
    if (!has_room)
      lac_status_take(status, take_room(o, longest_segment(positions, parents)));
    has_room = lac_status_is_fine(status);
    if (has_room) {
      order_segment(o, begin, count);
      descends(o, begin, count, &repeats);
    }
  }
  return repeats;
}

bool lac_kernel_order_lists(lac_tensor *result, int64_t first, int64_t count, int64_t positions,
                            const int64_t *coordinates, int64_t parents, int32_t *status) {
  list_orderer o = {.levels = &result->levels[first],
                    .level_count = count,
                    .slots = coordinates,
                    .positions = &result->levels[first].array[positions],
                    .values = &result->values};
  bool repeats = order_segments(&o, parents, status);
  free_room(&o);
  return repeats && lac_status_is_fine(status);
}
