/* lac_entries.c - the sort of the runtime, and buffers of what it sorts (lac_entries.h).
 *
 * An entry is `words` words of 64 bits: the first `keys` of them are its key, the first the most
 * significant, the rest goes along.  What they stand for the caller knows: coordinates alone, with
 * their positions (lac_pairs.c), keys of several coordinates with a value or a place.
 *
 *     entries     5 a   1 b   5 c   0 d        words 2, keys 1
 *     sorted      0 d   1 b   5 a   5 c        stably
 *
 * One word of the key after the other is sorted by, each under those that agree in the ones before:
 *
 *     very few    by insertion
 *     few         by ranks: the place of an entry is the number of keys below its own, compared
 * with many at once, without a branch many        by digits (Knuth, volume 3, 5.2.5), from one
 * array into the other and back: by all of them where they are two, the lower one first, else by
 * the highest, and then each digit's entries by themselves
 *
 * A look at them first tells which bits differ, and whether they are in order already.
 */
#include "lac_entries.h"

#include "lac_element.h"
#include "lac_error.h"
#include "lac_memory.h"

#include <string.h>

enum { INSERTION_LIMIT = 8, INSERTED_WORDS = 8 };
enum { RANK_BITS = 7, RANK_LIMIT = 1 << RANK_BITS, LANES = 16 };
enum { NARROW_BITS = 31 - RANK_BITS, WIDE_BITS = 63 - RANK_BITS }; /* of what is ranked */
enum { DIGIT_LEAST = 4, DIGIT_MOST = 11, PER_DIGIT_BITS = 4, MANY = 1 << 18 };

/* Entries at `at`, and as much room at `other`; where they are wanted once sorted. */
typedef enum place { HERE, OTHER, ANYWHERE } place;
typedef struct part {
  uint64_t *at, *other;
  int64_t count;
  place wanted;
} part;

/* Ranks entries from one array into another one by the bits low .. low + width - 1 of a word. */
typedef void ranking(const uint64_t *from, uint64_t *to, int64_t count, int64_t words, int word,
                     int low, int width);

typedef struct entry_sort {
  int64_t words;
  int32_t keys;
  ranking *rank;
} entry_sort;

/* A function for entries of any number of words, which is the last argument; compiled for few. */
#define BY_WORDS(words, function, ...)                                                             \
  ((words) == 1   ? function(__VA_ARGS__, 1)                                                       \
   : (words) == 2 ? function(__VA_ARGS__, 2)                                                       \
   : (words) == 3 ? function(__VA_ARGS__, 3)                                                       \
                  : function(__VA_ARGS__, words))

ALWAYS void move_entry(uint64_t *to, int64_t t, const uint64_t *from, int64_t f, int64_t words) {
  memcpy(to + t * words, from + f * words, (size_t)words * sizeof *to);
}

static void move_all(const entry_sort *s, const uint64_t *from, uint64_t *to, int64_t count) {
  memcpy(to, from, (size_t)(count * s->words) * sizeof *to);
}

/* Gives whether sorted entries, in `other` or not, are there in the end. */
static bool settle(const entry_sort *s, const part *p, bool in_other) {
  if (p->wanted == ANYWHERE || in_other == (p->wanted == OTHER))
    return in_other;
  move_all(s, in_other ? p->other : p->at, in_other ? p->at : p->other, p->count);
  return !in_other;
}

/* ---- Very few entries: insertion ---------------------------------------------------------- */

ALWAYS void insert_each(uint64_t *entries, int64_t count, int word, int64_t words) {
  for (int64_t i = 1; i < count; i++) {
    uint64_t key = entries[i * words + word], moved[INSERTED_WORDS];
    int64_t to = i;
    if (entries[(i - 1) * words + word] <= key)
      continue;
    memcpy(moved, entries + i * words, (size_t)words * sizeof *moved);
    for (; to > 0 && entries[(to - 1) * words + word] > key; to--)
      move_entry(entries, to, entries, to - 1, words);
    memcpy(entries + to * words, moved, (size_t)words * sizeof *moved);
  }
}

/* ---- Few entries: ranks ------------------------------------------------------------------- */

typedef int32_t narrow_lanes __attribute__((vector_size(4 * LANES)));
typedef int64_t wide_lanes __attribute__((vector_size(8 * LANES)));

ALWAYS uint64_t digit_of(uint64_t key, int low, int width) {
  return key >> low & (~UINT64_C(0) >> (64 - width));
}

/* With the entry's place in the lowest bits, so that all differ and equal ones keep their order:
 *
 *     7 2 4      7:0 2:1 4:2      rank  2 0 1
 *
 * Those from `count` on, up to a multiple of LANES, are ranked along: any will do.  For keys of
 * 32 bits where the digit and the place fit, and of 64. */
#define RANK_BY(name, key_type, lanes_type)                                                        \
  ALWAYS void name(const uint64_t *from, uint64_t *to, int64_t count, int word, int low,           \
                   int width, int64_t words) {                                                     \
    key_type keys[RANK_LIMIT + LANES], ranks[RANK_LIMIT + LANES];                                  \
    memset(keys + (count & -LANES), 0, LANES * sizeof *keys);                                      \
    for (int64_t i = 0; i < count; i++)                                                            \
      keys[i] =                                                                                    \
          (key_type)(digit_of(from[i * words + word], low, width) << RANK_BITS | (uint64_t)i);     \
    for (int64_t first = 0; first < count; first += LANES) {                                       \
      lanes_type here, below = {0};                                                                \
      memcpy(&here, keys + first, sizeof here);                                                    \
      for (int64_t i = 0; i < count; i++)                                                          \
        below -= here > keys[i];                                                                   \
      memcpy(ranks + first, &below, sizeof below);                                                 \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++)                                                            \
      move_entry(to, ranks[i], from, i, words);                                                    \
  }
RANK_BY(rank_by_narrow, int32_t, narrow_lanes)
RANK_BY(rank_by_wide, int64_t, wide_lanes)

ALWAYS void rank_words(const uint64_t *from, uint64_t *to, int64_t count, int word, int low,
                       int width, int64_t words) {
  if (width <= NARROW_BITS)
    rank_by_narrow(from, to, count, word, low, width, words);
  else
    rank_by_wide(from, to, count, word, low, width, words);
}

ALWAYS void rank(const uint64_t *from, uint64_t *to, int64_t count, int64_t words, int word,
                 int low, int width) {
  BY_WORDS(words, rank_words, from, to, count, word, low, width);
}

/* For each width of the machine's registers, and the one for this machine.  Registers of 512 bits
 * gain nothing: their comparisons go to masks, which take one more step to be counted. */
#define RANK_WITH(name, attribute)                                                                 \
  attribute static void name(const uint64_t *from, uint64_t *to, int64_t count, int64_t words,     \
                             int word, int low, int width) {                                       \
    rank(from, to, count, words, word, low, width);                                                \
  }
RANK_WITH(rank_anywhere, )
#ifdef __x86_64__
RANK_WITH(rank_by_eight, __attribute__((target("avx2"))))
static ranking *choose_ranking(void) {
  return __builtin_cpu_supports("avx2") ? rank_by_eight : rank_anywhere;
}
#else
static ranking *choose_ranking(void) {
  return rank_anywhere;
}
#endif

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

/* For about 2^per_digit_bits entries of each digit. */
static int digit_worth(int64_t count, int per_digit_bits) {
  int worth = 63 - __builtin_clzll((uint64_t)count) - per_digit_bits;
  return worth < DIGIT_LEAST ? DIGIT_LEAST : worth > DIGIT_MOST ? DIGIT_MOST : worth;
}

static bool sort_word(const entry_sort *s, const part *p, int word);

/* By the highest digit, and then each digit's entries by themselves, where they are. */
static bool sort_downwards(const entry_sort *s, const part *p, int word, int high, int width) {
  int64_t places[1 << DIGIT_MOST];
  int digit = digit_worth(p->count, PER_DIGIT_BITS);
  digit = digit < width ? digit : width;
  place wanted = p->wanted == OTHER ? HERE : OTHER;
  BY_WORDS(s->words, move_by_digit, p->at, p->other, p->count, word, high - digit, digit, places);
  if (digit == width)
    return settle(s, p, true);
  for (int64_t d = 0, begin = 0; d < INT64_C(1) << digit; begin = places[d++]) {
    int64_t first = begin * s->words;
    part same = {p->other + first, p->at + first, places[d] - begin, wanted};
    sort_word(s, &same, word);
  }
  return p->wanted == OTHER;
}

/* Digits of nearly the same width, the lowest first. */
static bool sort_upwards(const entry_sort *s, const part *p, int word, int low, int width,
                         int digits) {
  int64_t places[1 << DIGIT_MOST];
  bool in_other = false;
  for (; digits > 0; digits--) {
    int digit = (width + digits - 1) / digits;
    const uint64_t *from = in_other ? p->other : p->at;
    uint64_t *to = in_other ? p->at : p->other;
    BY_WORDS(s->words, move_by_digit, from, to, p->count, word, low, digit, places);
    in_other = !in_other;
    low += digit;
    width -= digit;
  }
  return settle(s, p, in_other);
}

/* ---- A word, and those after it ----------------------------------------------------------- */

/* The bits in which a word of the entries differs; 0 where it ascends. */
ALWAYS uint64_t look_at(const uint64_t *entries, int64_t count, int64_t words) {
  uint64_t differing = 0;
  int64_t sorted = 1;
  while (sorted < count && entries[(sorted - 1) * words] <= entries[sorted * words])
    sorted++;
  for (int64_t i = 1; sorted < count && i < count; i++)
    differing |= entries[i * words] ^ entries[0];
  return differing;
}

static bool sort_few(const entry_sort *s, const part *p, int word) {
  bool moves = p->wanted == OTHER;
  if (moves)
    move_all(s, p->at, p->other, p->count);
  BY_WORDS(s->words, insert_each, moves ? p->other : p->at, p->count, word);
  return moves;
}

/* Sorts by one word; gives whether the entries are in `other` then. */
static bool sort_word(const entry_sort *s, const part *p, int word) {
  if (p->count <= INSERTION_LIMIT && s->words <= INSERTED_WORDS)
    return sort_few(s, p, word);
  uint64_t differing = BY_WORDS(s->words, look_at, p->at + word, p->count);
  if (!differing)
    return settle(s, p, false);
  int low = __builtin_ctzll(differing), high = 64 - __builtin_clzll(differing), width = high - low;
  if (p->count <= RANK_LIMIT && width <= WIDE_BITS) {
    s->rank(p->at, p->other, p->count, s->words, word, low, width);
    return settle(s, p, true);
  }
  int worth = digit_worth(p->count, 0), digits = (width + worth - 1) / worth;
  if (digits <= (p->count > MANY ? 3 : 2))
    return sort_upwards(s, p, word, low, width, digits);
  return sort_downwards(s, p, word, high, width);
}

/* Those that agree in a word, by the ones after it. */
static void sort_from_word(const entry_sort *s, part all, int word) {
  sort_word(s, &all, word);
  for (int64_t begin = 0, end; word + 1 < s->keys && begin < all.count; begin = end) {
    uint64_t key = all.at[begin * s->words + word];
    for (end = begin + 1; end < all.count && all.at[end * s->words + word] == key; end++)
      ;
    int64_t first = begin * s->words;
    if (end > begin + 1)
      sort_from_word(s, (part){all.at + first, all.other + first, end - begin, HERE}, word + 1);
  }
}

/* ---- For callers -------------------------------------------------------------------------- */

uint64_t *lac_entries_sort(uint64_t *entries, uint64_t *spare, int64_t count, int32_t words,
                           int32_t keys) {
  entry_sort s = {words, keys, NULL};
  part all = {entries, spare, count, keys == 1 ? ANYWHERE : HERE};
  if (count < 2)
    return entries;
  s.rank = choose_ranking();
  if (keys == 1)
    return sort_word(&s, &all, 0) ? spare : entries;
  sort_from_word(&s, all, 0);
  return entries;
}

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

static void sort_in_place(uint64_t *entries, uint64_t *spare, int64_t count, int32_t words,
                          int32_t keys) {
  uint64_t *sorted = lac_entries_sort(entries, spare, count, words, keys);
  if (sorted != entries)
    memcpy(entries, sorted, (size_t)(count * words) * sizeof *entries);
}

void lac_kernel_entries_sort_part(void *entries, int64_t begin, int64_t end, void *spare,
                                  int64_t at, int32_t words, int32_t keys) {
  sort_in_place((uint64_t *)entries + begin * words, (uint64_t *)spare + at * words, end - begin,
                words, keys);
}

void lac_kernel_entries_sort(void *entries, int64_t count, int32_t words, int32_t keys,
                             int32_t *status) {
  lac_array spare = {.width = words * (int32_t)sizeof(uint64_t)};
  if (!lac_status_is_fine(status) || are_sorted(entries, count, words, keys))
    return;
  lac_status_take(status, lac_array_allocate_raw(&spare, count));
  if (lac_status_is_fine(status))
    sort_in_place(entries, spare.data, count, words, keys);
  lac_array_free(&spare);
}

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
