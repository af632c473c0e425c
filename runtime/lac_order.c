/* lac_order.c - orders the coordinates of each segment of a level, and the values along with them:
 *
 *     pos  0     3   5            pos  0     3   5
 *     crd  7 2 4 1 0       ->     crd  2 4 7 0 1
 *     val  a b c d e              val  b c a e d
 *
 * What is in order already is left after one look.  Short segments are ranked: the place of an
 * entry is the number of keys below its own, compared with many keys at once, without a branch.  A
 * key is a coordinate with the entry's place in its lowest bits, so that all keys differ and equal
 * coordinates keep their order:
 *
 *     crd  7 2 4      key  7:0 2:1 4:2      rank  2 0 1
 *
 * Long ones are sorted by least-significant-digit radix sort of records (coordinate, value), with
 * digits as wide as the segment is worth, on the bits in which its coordinates differ; a value of
 * more than 8 bytes stays where it is, and its place is sorted.
 */
#include "lac_kernel.h"
#include "lac_memory.h"

#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

enum { RANK_BITS = 7, RANK_LIMIT = 1 << RANK_BITS, LANES = 16 };
enum { NARROW_BITS = 31 - RANK_BITS, WIDE_BITS = 63 - RANK_BITS }; /* of ranked coordinates */
enum { LEAST_DIGIT = 4, WIDEST_DIGIT = 11 };

typedef struct record {
  uint64_t coordinate;
  uint64_t payload; /* the value, or its place */
} record;

typedef struct orderer {
  int32_t coordinate_width, value_width, bits;
  int64_t rank_limit;
  int64_t longest;         /* segment that is not ranked */
  record *records, *spare; /* for it */
  char *moved;             /* for its values */
} orderer;

typedef struct segment {
  char *coordinates, *values;
  int64_t count;
} segment;

/* ---- Elements ----------------------------------------------------------------------------- */

ALWAYS uint64_t get(const char *array, int32_t width, int64_t i) {
  switch (width) {
  case 1:
    return ((const uint8_t *)array)[i];
  case 2:
    return ((const uint16_t *)array)[i];
  case 4:
    return ((const uint32_t *)array)[i];
  default:
    return ((const uint64_t *)array)[i];
  }
}

ALWAYS void set(char *array, int32_t width, int64_t i, uint64_t element) {
  switch (width) {
  case 1:
    ((uint8_t *)array)[i] = (uint8_t)element;
    break;
  case 2:
    ((uint16_t *)array)[i] = (uint16_t)element;
    break;
  case 4:
    ((uint32_t *)array)[i] = (uint32_t)element;
    break;
  default:
    ((uint64_t *)array)[i] = element;
  }
}

/* Whether neighbours descend, and whether two are equal. */
ALWAYS bool descends_in(const char *array, int32_t width, int64_t count, bool *repeats) {
  bool descends = false, equal = false;
  for (int64_t i = 1; i < count; i++) {
    uint64_t before = get(array, width, i - 1), here = get(array, width, i);
    descends |= here < before;
    equal |= here == before;
  }
  *repeats |= equal;
  return descends;
}

static bool descends(const orderer *o, const segment *s, bool *repeats) {
  return o->coordinate_width == 4
             ? descends_in(s->coordinates, 4, s->count, repeats)
             : descends_in(s->coordinates, o->coordinate_width, s->count, repeats);
}

/* ---- Short segments: ranks ---------------------------------------------------------------- */

typedef int32_t narrow_lanes __attribute__((vector_size(4 * LANES)));
typedef int64_t wide_lanes __attribute__((vector_size(8 * LANES)));

/* Keys from `count` on, up to a multiple of LANES, are ranked along: any will do. */
ALWAYS void rank_narrow(const int32_t *keys, int64_t count, int32_t *ranks) {
  for (int64_t first = 0; first < count; first += LANES) {
    narrow_lanes here, below = {0};
    memcpy(&here, keys + first, sizeof here);
    for (int64_t i = 0; i < count; i++)
      below -= here > keys[i];
    memcpy(ranks + first, &below, sizeof below);
  }
}

ALWAYS void rank_wide(const int64_t *keys, int64_t count, int64_t *ranks) {
  for (int64_t first = 0; first < count; first += LANES) {
    wide_lanes here, below = {0};
    memcpy(&here, keys + first, sizeof here);
    for (int64_t i = 0; i < count; i++)
      below -= here > keys[i];
    memcpy(ranks + first, &below, sizeof below);
  }
}

ALWAYS void place_values(const char *from, char *to, int32_t width, int64_t count,
                         const int32_t *ranks) {
  switch (width) {
  case 4:
    for (int64_t i = 0; i < count; i++)
      ((uint32_t *)to)[ranks[i]] = ((const uint32_t *)from)[i];
    break;
  case 8:
    for (int64_t i = 0; i < count; i++)
      ((uint64_t *)to)[ranks[i]] = ((const uint64_t *)from)[i];
    break;
  default:
    for (int64_t i = 0; i < count; i++)
      memcpy(to + (int64_t)ranks[i] * width, from + i * width, (size_t)width);
  }
}

/* The last block of lanes is whole. */
ALWAYS void rank_by_narrow(const segment *s, int32_t width, int32_t *ranks) {
  int32_t keys[RANK_LIMIT];
  memset(keys + (s->count & -LANES), 0, s->count % LANES ? LANES * sizeof *keys : 0);
  for (int64_t i = 0; i < s->count; i++)
    keys[i] = (int32_t)(get(s->coordinates, width, i) << RANK_BITS | (uint64_t)i);
  rank_narrow(keys, s->count, ranks);
  for (int64_t i = 0; i < s->count; i++)
    set(s->coordinates, width, ranks[i], (uint64_t)keys[i] >> RANK_BITS);
}

ALWAYS void rank_by_wide(const segment *s, int32_t width, int32_t *ranks) {
  int64_t keys[RANK_LIMIT], wide[RANK_LIMIT];
  memset(keys + (s->count & -LANES), 0, s->count % LANES ? LANES * sizeof *keys : 0);
  for (int64_t i = 0; i < s->count; i++)
    keys[i] = (int64_t)(get(s->coordinates, width, i) << RANK_BITS | (uint64_t)i);
  rank_wide(keys, s->count, wide);
  for (int64_t i = 0; i < s->count; i++) {
    ranks[i] = (int32_t)wide[i];
    set(s->coordinates, width, wide[i], (uint64_t)keys[i] >> RANK_BITS);
  }
}

ALWAYS void rank(const orderer *o, const segment *s) {
  int32_t ranks[RANK_LIMIT];
  char values[RANK_LIMIT * 16];
  if (o->bits > NARROW_BITS)
    rank_by_wide(s, o->coordinate_width, ranks);
  else if (o->coordinate_width == 4)
    rank_by_narrow(s, 4, ranks);
  else
    rank_by_narrow(s, o->coordinate_width, ranks);
  memcpy(values, s->values, (size_t)(s->count * o->value_width));
  place_values(values, s->values, o->value_width, s->count, ranks);
}

/* For each width of the machine's registers. */

static void rank_anywhere(const orderer *o, const segment *s) {
  rank(o, s);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void rank_by_eight(const orderer *o, const segment *s) {
  rank(o, s);
}
__attribute__((target("avx512f"))) static void rank_by_sixteen(const orderer *o, const segment *s) {
  rank(o, s);
}
#endif

typedef void ranking(const orderer *o, const segment *s);

static ranking *choose_ranking(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return rank_by_sixteen;
  if (__builtin_cpu_supports("avx2"))
    return rank_by_eight;
#endif
  return rank_anywhere;
}

/* ---- Long segments: radix sort ------------------------------------------------------------ */

static bool carries_values(const orderer *o) {
  return o->value_width <= (int32_t)sizeof(uint64_t);
}

/* Gives the bits in which the coordinates differ. */
static uint64_t take_records(const orderer *o, const segment *s) {
  uint64_t first = get(s->coordinates, o->coordinate_width, 0), differing = 0;
  for (int64_t i = 0; i < s->count; i++) {
    record r = {get(s->coordinates, o->coordinate_width, i), (uint64_t)i};
    if (carries_values(o))
      r.payload = get(s->values, o->value_width, i);
    differing |= r.coordinate ^ first;
    o->records[i] = r;
  }
  return differing;
}

static void sort_by_digit(const record *from, record *to, int64_t count, int shift, int width) {
  int64_t places[1 << WIDEST_DIGIT];
  uint64_t mask = (UINT64_C(1) << width) - 1;
  memset(places, 0, sizeof *places << width);
  for (int64_t i = 0; i < count; i++)
    places[from[i].coordinate >> shift & mask]++;
  for (int64_t digit = 0, begin = 0; digit <= (int64_t)mask; digit++) {
    int64_t size = places[digit];
    places[digit] = begin;
    begin += size;
  }
  for (int64_t i = 0; i < count; i++)
    to[places[from[i].coordinate >> shift & mask]++] = from[i];
}

static int digit_worth(int64_t count) {
  int width = 63 - __builtin_clzll((uint64_t)count);
  return width < LEAST_DIGIT ? LEAST_DIGIT : width > WIDEST_DIGIT ? WIDEST_DIGIT : width;
}

/* Gives where the sorted records are. */
static const record *sort_records(const orderer *o, int64_t count, uint64_t differing) {
  record *from = o->records, *to = o->spare;
  int low = __builtin_ctzll(differing), high = 64 - __builtin_clzll(differing);
  int digit = digit_worth(count), passes = (high - low + digit - 1) / digit;
  for (; passes > 0; passes--) {
    int width = (high - low + passes - 1) / passes;
    sort_by_digit(from, to, count, low, width);
    record *swapped = from;
    from = to;
    to = swapped;
    low += width;
  }
  return from;
}

static void move_values(const orderer *o, const segment *s, const record *sorted) {
  size_t width = (size_t)o->value_width;
  for (int64_t i = 0; i < s->count; i++)
    memcpy(o->moved + (size_t)i * width, s->values + sorted[i].payload * width, width);
  memcpy(s->values, o->moved, (size_t)s->count * width);
}

static void radix_sort(const orderer *o, const segment *s) {
  uint64_t differing = take_records(o, s);
  const record *sorted = sort_records(o, s->count, differing);
  for (int64_t i = 0; i < s->count; i++) {
    set(s->coordinates, o->coordinate_width, i, sorted[i].coordinate);
    if (carries_values(o))
      set(s->values, o->value_width, i, sorted[i].payload);
  }
  if (!carries_values(o))
    move_values(o, s, sorted);
}

/* ---- All segments ------------------------------------------------------------------------- */

static int64_t longest_segment(const char *positions, int32_t width, int64_t parents) {
  int64_t longest = 0, begin = 0;
  for (int64_t p = 1; p <= parents; p++) {
    int64_t end = (int64_t)get(positions, width, p);
    longest = end - begin > longest ? end - begin : longest;
    begin = end;
  }
  return longest;
}

static bool order_segments(const orderer *o, const char *positions, int32_t position_width,
                           int64_t parents, segment s) {
  ranking *rank_segment = choose_ranking();
  bool repeats = false;
  for (int64_t p = 0, begin = 0, end; p < parents; p++, begin = end) {
    end = (int64_t)get(positions, position_width, p + 1);
    s.count = end - begin;
    bool repeats_here = false;
    if (descends(o, &s, &repeats_here)) {
      if (s.count <= o->rank_limit)
        rank_segment(o, &s);
      else
        radix_sort(o, &s);
      descends(o, &s, &repeats_here);
    }
    repeats |= repeats_here;
    s.coordinates += s.count * o->coordinate_width;
    s.values += s.count * o->value_width;
  }
  return repeats;
}

static int bits_for(int64_t size) {
  return size <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)size - 1);
}

/* Scratch memory for the longest segment, which may be none. */
typedef struct scratch {
  lac_array records, spare, moved;
} scratch;

static int32_t take_scratch(orderer *o, scratch *room) {
  *room =
      (scratch){{.width = sizeof(record)}, {.width = sizeof(record)}, {.width = o->value_width}};
  if (o->longest == 0)
    return LAC_OK;
  int32_t status = lac_array_allocate_raw(&room->records, o->longest);
  if (status == LAC_OK)
    status = lac_array_allocate_raw(&room->spare, o->longest);
  if (status == LAC_OK && !carries_values(o))
    status = lac_array_allocate_raw(&room->moved, o->longest);
  o->records = room->records.data;
  o->spare = room->spare.data;
  o->moved = room->moved.data;
  return status;
}

static void free_scratch(scratch *room) {
  lac_array_free(&room->records);
  lac_array_free(&room->spare);
  lac_array_free(&room->moved);
}

bool lac_kernel_order(lac_tensor *result, int64_t level, int64_t parents, int32_t *status) {
  const lac_level *ordered = &result->levels[level];
  const lac_array *positions = &ordered->array[LAC_POSITIONS];
  const lac_array *coordinates = &ordered->array[LAC_COORDINATES];
  orderer o = {.coordinate_width = coordinates->width,
               .value_width = result->values.width,
               .bits = bits_for(ordered->size)};
  scratch room;
  if (*status != LAC_OK)
    return false;
  o.rank_limit = o.bits <= WIDE_BITS ? RANK_LIMIT : 1;
  o.longest = longest_segment(positions->data, positions->width, parents);
  o.longest = o.longest > o.rank_limit ? o.longest : 0;
  *status = take_scratch(&o, &room);
  bool repeats =
      *status == LAC_OK && order_segments(&o, positions->data, positions->width, parents,
                                          (segment){coordinates->data, result->values.data, 0});
  free_scratch(&room);
  return repeats;
}
