/* lac_radix.c - radix sort (Knuth, volume 3, 5.2.5), from one array into the other and back.
 *
 *     few        by insertion
 *     many       the lowest digit first; a digit has as many bits as the count is worth
 *     more than the caches hold, of long keys
 *                by the highest digit, and then each digit's by themselves
 *
 * A record is one word, the key, or two, the key and its payload: `words` is known where a loop
 * over records stands, which is compiled for each.  Pairs are sorted as they are, their `least` is
 * 0.
 */
#include "lac_radix.h"

#include "lac_element.h"

enum { LEAST_DIGIT = 4, WIDEST_DIGIT = 11 };
enum { INSERTION_LIMIT = 24, CACHED = 1 << 21, LONG = 3 * WIDEST_DIGIT };

/* Records at `from` and room at `other`, where they may be wanted in the end. */
typedef struct piece {
  uint64_t *from, *other;
  int64_t count;
  int words;
  uint64_t least;
  bool wanted_in_other;
} piece;

typedef struct digit {
  int shift;
  uint64_t mask;
} digit;

/* ---- Records ------------------------------------------------------------------------------ */

ALWAYS void move_record(uint64_t *to, int64_t t, const uint64_t *from, int64_t f, int words) {
  memcpy(to + t * words, from + f * words, (size_t)words * sizeof *to);
}

ALWAYS bool ascends(const uint64_t *records, int64_t count, int words) {
  for (int64_t r = 1; r < count; r++)
    if (records[(r - 1) * words] > records[r * words])
      return false;
  return true;
}

ALWAYS void insert_each(uint64_t *records, int64_t count, uint64_t least, int low, int words) {
  for (int64_t r = 1; r < count; r++) {
    uint64_t moved[2];
    int64_t to = r;
    move_record(moved, 0, records, r, words);
    uint64_t key = (moved[0] - least) >> low;
    for (; to > 0 && (records[(to - 1) * words] - least) >> low > key; to--)
      move_record(records, to, records, to - 1, words);
    move_record(records, to, moved, 0, words);
  }
}

/* Counts become where those before them end. */
static void begin_digits(int64_t *places, uint64_t mask) {
  int64_t begin = 0;
  for (uint64_t d = 0; d <= mask; d++) {
    int64_t size = places[d];
    places[d] = begin;
    begin += size;
  }
}

/* Moves records to their digits' places; then places[d] is where digit d ends.  False, and nothing
 * is moved, where all have the same digit. */
ALWAYS bool move_records(const uint64_t *from, uint64_t *to, int64_t count, uint64_t least, digit d,
                         int64_t *places, int words) {
  memset(places, 0, (d.mask + 1) * sizeof *places);
  for (int64_t r = 0; r < count; r++)
    places[(from[r * words] - least) >> d.shift & d.mask]++;
  if (places[(from[0] - least) >> d.shift & d.mask] == count)
    return false;
  begin_digits(places, d.mask);
  for (int64_t r = 0; r < count; r++)
    move_record(to, places[(from[r * words] - least) >> d.shift & d.mask]++, from, r, words);
  return true;
}

/* ---- Pieces ------------------------------------------------------------------------------- */

static bool is_sorted(const piece *p) {
  return p->words == 1 ? ascends(p->from, p->count, 1) : ascends(p->from, p->count, 2);
}

static void insert(const piece *p, int low) {
  if (p->words == 1)
    insert_each(p->from, p->count, p->least, low, 1);
  else
    insert_each(p->from, p->count, 0, low, 2);
}

static bool move_by_digit(const piece *p, bool back, digit d, int64_t *places) {
  const uint64_t *from = back ? p->other : p->from;
  uint64_t *to = back ? p->from : p->other;
  if (p->words == 1)
    return move_records(from, to, p->count, p->least, d, places, 1);
  return move_records(from, to, p->count, 0, d, places, 2);
}

static digit digit_at(int shift, int width) {
  return (digit){shift, (UINT64_C(1) << width) - 1};
}

static int digit_worth(int64_t count) {
  int width = 63 - __builtin_clzll((uint64_t)count);
  return width < LEAST_DIGIT ? LEAST_DIGIT : width > WIDEST_DIGIT ? WIDEST_DIGIT : width;
}

/* In digits of nearly the same width, the lowest first; gives whether they end up in `other`. */
static bool sort_upwards(const piece *p, int low, int high) {
  int64_t places[1 << WIDEST_DIGIT];
  bool in_other = false;
  int most = digit_worth(p->count), passes = (high - low + most - 1) / most;
  for (; passes > 0; passes--) {
    int width = (high - low + passes - 1) / passes;
    if (move_by_digit(p, in_other, digit_at(low, width), places))
      in_other = !in_other;
    low += width;
  }
  return in_other;
}

static void settle(const piece *p, bool in_other) {
  if (in_other != p->wanted_in_other)
    memcpy(in_other ? p->from : p->other, in_other ? p->other : p->from,
           (size_t)p->count * (size_t)p->words * sizeof *p->from);
}

static void sort_piece(const piece *p, int low, int high);

/* By the highest digit, and then each digit's records by themselves, where they are wanted. */
static void sort_downwards(const piece *p, int low, int high) {
  int64_t places[1 << WIDEST_DIGIT];
  int width = high - low < WIDEST_DIGIT ? high - low : WIDEST_DIGIT;
  if (!move_by_digit(p, false, digit_at(high - width, width), places)) {
    sort_piece(p, low, high - width);
    return;
  }
  for (int64_t d = 0, begin = 0; d < INT64_C(1) << width; begin = places[d++]) {
    piece same = *p;
    same.from = p->other + begin * p->words;
    same.other = p->from + begin * p->words;
    same.count = places[d] - begin;
    same.wanted_in_other = !p->wanted_in_other;
    sort_piece(&same, low, high - width);
  }
}

static void sort_piece(const piece *p, int low, int high) {
  bool in_other = false;
  if (p->count <= INSERTION_LIMIT)
    insert(p, low);
  else if (low < high && !is_sorted(p))
    in_other = sort_upwards(p, low, high);
  settle(p, in_other);
}

static uint64_t *sort_all(const piece *p, uint64_t bits) {
  if (!bits || p->count < 2)
    return p->from;
  int low = __builtin_ctzll(bits), high = 64 - __builtin_clzll(bits);
  if (p->count > INSERTION_LIMIT && (p->count <= CACHED || high - low <= LONG))
    return sort_upwards(p, low, high) ? p->other : p->from;
  if (p->count > CACHED)
    sort_downwards(p, low, high);
  else
    insert(p, low);
  return p->from;
}

/* ---- For callers -------------------------------------------------------------------------- */

uint64_t *lac_radix_keys(uint64_t *keys, uint64_t *spare, int64_t count, uint64_t least,
                         uint64_t bits) {
  piece all = {.from = keys, .other = spare, .count = count, .words = 1, .least = least};
  return sort_all(&all, bits);
}

lac_pair *lac_radix_pairs(lac_pair *pairs, lac_pair *spare, int64_t count, uint64_t bits) {
  piece all = {.from = (uint64_t *)pairs, .other = (uint64_t *)spare, .count = count, .words = 2};
  return (lac_pair *)sort_all(&all, bits);
}

void lac_radix_insert_keys(uint64_t *keys, int64_t count) {
  insert_each(keys, count, 0, 0, 1);
}
