/* lac_entries.c - buffers of entries, and the sort of entries by their keys.
 *
 * An entry is `words` words of 64 bits: the first `keys` of them are its key, the first the most
 * significant, the rest goes along.  What they stand for the caller knows.
 *
 *     entries     5 a   1 b   5 c   0 d        words 2, keys 1
 *     sorted      0 d   1 b   5 a   5 c        stably
 *
 * One word of the key after the other is sorted by, each under those that agree in the ones before:
 * many entries by their highest digit (Knuth, volume 3, 5.2.5), each digit's then by themselves,
 * from one array into the other and back; few by ranks (lac_rank.h).  A look at them first tells
 * which bits differ, and whether they are in order already.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"
#include "lac_rank.h"

#include <string.h>

enum { DIGIT_LEAST = 4, DIGIT_MOST = 11, PER_DIGIT_BITS = 4 };

/* ---- Buffers ------------------------------------------------------------------------------ */

static int32_t allocate(lac_array *buffer, int64_t count, bool raw) {
  return raw ? lac_array_allocate_raw(buffer, count) : lac_array_allocate(buffer, count);
}

void *lac_kernel_buffer(lac_array *buffer, int64_t count, bool raw, int32_t *status) {
  if (!lac_status_is_fine(status))
    return NULL;
  lac_status_take(status, allocate(buffer, count, raw));
  return lac_status_is_fine(status) ? buffer->data : NULL;
}

void *lac_kernel_buffer_grow(lac_array *buffer, int64_t needed, int32_t *status) {
  if (lac_status_is_fine(status))
    lac_status_take(status, lac_array_reserve_raw(buffer, needed));
  return buffer->data;
}

void lac_kernel_buffer_free(lac_array *buffer) {
  lac_array_free(buffer);
}

/* ---- A look at a word --------------------------------------------------------------------- */

/* A function for entries of any number of words, which is the last argument; compiled for few. */
#define BY_WORDS(words, function, ...)                                                             \
  ((words) == 2   ? function(__VA_ARGS__, 2)                                                       \
   : (words) == 3 ? function(__VA_ARGS__, 3)                                                       \
                  : function(__VA_ARGS__, words))

typedef struct entry_sort {
  int32_t words, keys;
  void (*rank)(const struct entry_sort *s, const uint64_t *from, uint64_t *to, int64_t count,
               int word, int low, int width);
} entry_sort;

/* The bits in which a word of the entries differs; 0 where it ascends. */
ALWAYS uint64_t look_at(const uint64_t *entries, int64_t count, int64_t words) {
  uint64_t differing = 0, descends = 0, last = entries[0];
  for (int64_t i = 1; i < count; i++) {
    uint64_t key = entries[i * words];
    differing |= key ^ last;
    descends |= key < last;
    last = key;
  }
  return descends ? differing : 0;
}

static uint64_t disorder(const entry_sort *s, const uint64_t *entries, int64_t count, int word) {
  return BY_WORDS(s->words, look_at, entries + word, count);
}

ALWAYS void move_entry(uint64_t *to, int64_t t, const uint64_t *from, int64_t f, int64_t words) {
  memcpy(to + t * words, from + f * words, (size_t)words * sizeof *to);
}

static void move_all(const entry_sort *s, const uint64_t *from, uint64_t *to, int64_t count) {
  memcpy(to, from, (size_t)(count * s->words) * sizeof *to);
}

/* ---- Few entries: ranks ------------------------------------------------------------------- */

ALWAYS uint64_t digit_of(uint64_t key, int low, int width) {
  return key >> low & (~UINT64_C(0) >> (64 - width));
}

ALWAYS void rank_by_narrow(const uint64_t *from, uint64_t *to, int64_t count, int word, int low,
                           int width, int64_t words) {
  int32_t keys[RANK_LIMIT + LANES], ranks[RANK_LIMIT];
  memset(keys + (count & -LANES), 0, LANES * sizeof *keys);
  for (int64_t i = 0; i < count; i++)
    keys[i] = (int32_t)(digit_of(from[i * words + word], low, width) << RANK_BITS | (uint64_t)i);
  rank_narrow(keys, count, ranks);
  for (int64_t i = 0; i < count; i++)
    move_entry(to, ranks[i], from, i, words);
}

ALWAYS void rank_by_wide(const uint64_t *from, uint64_t *to, int64_t count, int word, int low,
                         int width, int64_t words) {
  int64_t keys[RANK_LIMIT + LANES], ranks[RANK_LIMIT];
  memset(keys + (count & -LANES), 0, LANES * sizeof *keys);
  for (int64_t i = 0; i < count; i++)
    keys[i] = (int64_t)(digit_of(from[i * words + word], low, width) << RANK_BITS | (uint64_t)i);
  rank_wide(keys, count, ranks);
  for (int64_t i = 0; i < count; i++)
    move_entry(to, ranks[i], from, i, words);
}

ALWAYS void rank_words(const uint64_t *from, uint64_t *to, int64_t count, int word, int low,
                       int width, int64_t words) {
  if (width <= NARROW_BITS)
    rank_by_narrow(from, to, count, word, low, width, words);
  else
    rank_by_wide(from, to, count, word, low, width, words);
}

ALWAYS void rank(const entry_sort *s, const uint64_t *from, uint64_t *to, int64_t count, int word,
                 int low, int width) {
  BY_WORDS(s->words, rank_words, from, to, count, word, low, width);
}

RANK_FOR_MACHINE(ranking, choose_ranking, rank,
                 (const entry_sort *s, const uint64_t *from, uint64_t *to, int64_t count, int word,
                  int low, int width),
                 (s, from, to, count, word, low, width))

/* ---- Many entries: by a digit ------------------------------------------------------------- */

/* Moves entries to their digits' places; then places[d] is where digit d ends. */
ALWAYS void move_by_digit(const uint64_t *from, uint64_t *to, int64_t count, int word, int low,
                          int width, int64_t *places, int64_t words) {
  memset(places, 0, sizeof *places << width);
  for (int64_t i = 0; i < count; i++)
    places[digit_of(from[i * words + word], low, width)]++;
  for (int64_t d = 0, begin = 0; d < INT64_C(1) << width; d++) {
    int64_t size = places[d];
    places[d] = begin;
    begin += size;
  }
  for (int64_t i = 0; i < count; i++)
    move_entry(to, places[digit_of(from[i * words + word], low, width)]++, from, i, words);
}

static int digit_worth(int64_t count, int width) {
  int worth = 63 - __builtin_clzll((uint64_t)count) - PER_DIGIT_BITS;
  worth = worth < DIGIT_LEAST ? DIGIT_LEAST : worth > DIGIT_MOST ? DIGIT_MOST : worth;
  return worth < width ? worth : width;
}

static void sort_word(const entry_sort *s, uint64_t *at, uint64_t *other, int64_t count, int word,
                      bool to_other);

static void sort_by_digit(const entry_sort *s, uint64_t *at, uint64_t *other, int64_t count,
                          int word, bool to_other, int high, int width) {
  int64_t places[1 << DIGIT_MOST];
  int digit = digit_worth(count, width);
  BY_WORDS(s->words, move_by_digit, at, other, count, word, high - digit, digit, places);
  for (int64_t d = 0, begin = 0; d < INT64_C(1) << digit; begin = places[d++])
    sort_word(s, other + begin * s->words, at + begin * s->words, places[d] - begin, word,
              !to_other);
}

/* ---- A word, and those after it ----------------------------------------------------------- */

/* Sorts by one word; sorted, the entries are in `other` if wanted there, else where they were. */
static void sort_word(const entry_sort *s, uint64_t *at, uint64_t *other, int64_t count, int word,
                      bool to_other) {
  uint64_t differing = count > 1 ? disorder(s, at, count, word) : 0;
  if (!differing) {
    if (to_other && count > 0)
      move_all(s, at, other, count);
    return;
  }
  int low = __builtin_ctzll(differing), high = 64 - __builtin_clzll(differing), width = high - low;
  if (count > RANK_LIMIT || width > WIDE_BITS) {
    sort_by_digit(s, at, other, count, word, to_other, high, width);
    return;
  }
  s->rank(s, at, other, count, word, low, width);
  if (!to_other)
    move_all(s, other, at, count);
}

static void sort_from_word(const entry_sort *s, uint64_t *at, uint64_t *other, int64_t count,
                           int word) {
  sort_word(s, at, other, count, word, false);
  for (int64_t begin = 0, end; word + 1 < s->keys && begin < count; begin = end) {
    uint64_t key = at[begin * s->words + word];
    for (end = begin + 1; end < count && at[end * s->words + word] == key; end++)
      ;
    if (end > begin + 1)
      sort_from_word(s, at + begin * s->words, other + begin * s->words, end - begin, word + 1);
  }
}

/* ---- For callers -------------------------------------------------------------------------- */

static bool are_sorted(const uint64_t *entries, int64_t count, int32_t words, int32_t keys) {
  for (int64_t i = 1; i < count; i++) {
    const uint64_t *before = entries + (i - 1) * words, *here = before + words;
    int32_t k = 0;
    while (k < keys - 1 && before[k] == here[k])
      k++;
    if (before[k] > here[k])
      return false;
  }
  return true;
}

static void sort_entries(uint64_t *entries, uint64_t *spare, int64_t count, int32_t words,
                         int32_t keys) {
  entry_sort s = {words, keys, choose_ranking()};
  sort_from_word(&s, entries, spare, count, 0);
}

void lac_kernel_entries_sort_part(void *entries, int64_t begin, int64_t end, void *spare,
                                  int64_t at, int32_t words, int32_t keys) {
  sort_entries((uint64_t *)entries + begin * words, (uint64_t *)spare + at * words, end - begin,
               words, keys);
}

void lac_kernel_entries_sort(void *entries, int64_t count, int32_t words, int32_t keys,
                             int32_t *status) {
  lac_array spare = {.width = words * (int32_t)sizeof(uint64_t)};
  if (!lac_status_is_fine(status) || are_sorted(entries, count, words, keys))
    return;
  lac_status_take(status, lac_array_allocate_raw(&spare, count));
  if (lac_status_is_fine(status))
    sort_entries(entries, spare.data, count, words, keys);
  lac_array_free(&spare);
}
