/* lac_order.c - the records of each parent, by coordinate:
 *
 *     ends         3             5            ends  3     5
 *     records  7 2 4         1 0       ->     crd   2 4 7 0 1
 *              a b c         d e              val   b c a e d
 *
 * Short segments are ranked (lac_rank.h).  Longer ones are copied where they are in order already.
 * Long ones are sorted as pairs (coordinate, value) (lac_radix.h); a value of more than 8 bytes
 * stays where it is, and its place is sorted.
 */
#include "lac_order.h"

#include "lac_element.h"
#include "lac_memory.h"
#include "lac_radix.h"
#include "lac_rank.h"

#include <string.h>

typedef lac_orderer orderer;

/* `count` records, and where their coordinates and values go; all of these widths. */
typedef struct segment {
  const char *records;
  char *coordinates, *values;
  int64_t count;
  int32_t coordinate_width, value_width;
  lac_record_layout layout;
} segment;

/* ---- Elements ----------------------------------------------------------------------------- */

ALWAYS uint64_t coordinate_at(const segment *s, int64_t i) {
  return lac_element_get(s->records + i * s->layout.width + s->layout.coordinate,
                         s->coordinate_width);
}

ALWAYS const char *value_at(const segment *s, int64_t i) {
  return s->records + i * s->layout.width + s->layout.value;
}

ALWAYS void put_coordinate(const segment *s, int64_t i, uint64_t coordinate) {
  lac_element_set(s->coordinates + i * s->coordinate_width, s->coordinate_width, coordinate);
}

ALWAYS void put_value(const segment *s, int64_t i, const char *value) {
  lac_element_copy(s->values + i * s->value_width, value, s->value_width);
}

ALWAYS bool descends(const segment *s) {
  bool descending = false;
  for (int64_t i = 1; i < s->count; i++)
    descending |= coordinate_at(s, i) < coordinate_at(s, i - 1);
  return descending;
}

/* Whether two coordinates of an ordered segment are equal. */
ALWAYS bool has_equal(const segment *s) {
  bool equal = false;
  const char *c = s->coordinates;
  int32_t width = s->coordinate_width;
  for (int64_t i = 1; i < s->count; i++)
    equal |= lac_element_get(c + i * width, width) == lac_element_get(c + (i - 1) * width, width);
  return equal;
}

ALWAYS void copy(const segment *s) {
  for (int64_t i = 0; i < s->count; i++) {
    put_coordinate(s, i, coordinate_at(s, i));
    put_value(s, i, value_at(s, i));
  }
}

/* ---- Short segments: ranks ---------------------------------------------------------------- */

ALWAYS void place(const segment *s, int64_t i, int64_t rank, uint64_t key) {
  put_coordinate(s, rank, key >> RANK_BITS);
  put_value(s, rank, value_at(s, i));
}

/* The last block of lanes is whole. */
ALWAYS void rank_by_narrow(const segment *s) {
  int32_t keys[RANK_LIMIT + LANES], ranks[RANK_LIMIT];
  memset(keys + (s->count & -LANES), 0, LANES * sizeof *keys);
  for (int64_t i = 0; i < s->count; i++)
    keys[i] = (int32_t)(coordinate_at(s, i) << RANK_BITS | (uint64_t)i);
  rank_narrow(keys, s->count, ranks);
  for (int64_t i = 0; i < s->count; i++)
    place(s, i, ranks[i], (uint64_t)keys[i]);
}

ALWAYS void rank_by_wide(const segment *s) {
  int64_t keys[RANK_LIMIT + LANES], ranks[RANK_LIMIT];
  memset(keys + (s->count & -LANES), 0, LANES * sizeof *keys);
  for (int64_t i = 0; i < s->count; i++)
    keys[i] = (int64_t)(coordinate_at(s, i) << RANK_BITS | (uint64_t)i);
  rank_wide(keys, s->count, ranks);
  for (int64_t i = 0; i < s->count; i++)
    place(s, i, ranks[i], (uint64_t)keys[i]);
}

/* ---- Long segments: radix sort ------------------------------------------------------------ */

static bool carries_values(const orderer *o) {
  return o->value_width <= (int32_t)sizeof(uint64_t);
}

/* In place of positions the pairs have values, or their places.  Gives the bits in which the
 * coordinates differ. */
static uint64_t take_pairs(const orderer *o, const segment *s) {
  lac_pair *pairs = o->pairs.data;
  uint64_t first = coordinate_at(s, 0), differing = 0;
  for (int64_t i = 0; i < s->count; i++) {
    uint64_t coordinate = coordinate_at(s, i), payload = (uint64_t)i;
    if (carries_values(o))
      payload = lac_element_get(value_at(s, i), s->value_width);
    differing |= coordinate ^ first;
    pairs[i] = (lac_pair){(int64_t)coordinate, (int64_t)payload};
  }
  return differing;
}

static void radix_sort(const orderer *o, const segment *s) {
  uint64_t differing = take_pairs(o, s);
  const lac_pair *sorted = lac_radix_pairs(o->pairs.data, o->spare.data, s->count, differing);
  for (int64_t i = 0; i < s->count; i++) {
    put_coordinate(s, i, (uint64_t)sorted[i].coordinate);
    if (carries_values(o))
      lac_element_set(s->values + i * s->value_width, s->value_width, (uint64_t)sorted[i].position);
    else
      put_value(s, i, value_at(s, sorted[i].position));
  }
}

/* Room for a segment to be sorted. */
static int32_t make_room(orderer *o, int64_t count) {
  if (count <= o->pairs.length)
    return LAC_OK;
  lac_orderer_free(o);
  int32_t status = lac_array_allocate_raw(&o->spare, count + count / 4);
  if (status == LAC_OK)
    status = lac_array_allocate_raw(&o->pairs, count + count / 4);
  return status;
}

static int32_t sort_segment(orderer *o, const segment *s) {
  int32_t status = make_room(o, s->count);
  if (status == LAC_OK)
    radix_sort(o, s);
  return status;
}

/* ---- All segments ------------------------------------------------------------------------- */

static int bits_for(int64_t size) {
  return size <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)size - 1);
}

lac_orderer lac_orderer_make(int32_t coordinate_width, int32_t value_width, int64_t size) {
  return (orderer){.coordinate_width = coordinate_width,
                   .value_width = value_width,
                   .bits = bits_for(size),
                   .pairs = {.width = sizeof(lac_pair)},
                   .spare = {.width = sizeof(lac_pair)}};
}

void lac_orderer_free(orderer *o) {
  lac_array_free(&o->pairs);
  lac_array_free(&o->spare);
}

ALWAYS int32_t order_segment(orderer *o, const segment *s) {
  bool is_ranked = s->count <= (o->bits <= WIDE_BITS ? RANK_LIMIT : 1);
  if ((s->count > LANES || !is_ranked) && !descends(s))
    copy(s);
  else if (!is_ranked)
    return sort_segment(o, s);
  else if (o->bits <= NARROW_BITS)
    rank_by_narrow(s);
  else
    rank_by_wide(s);
  return LAC_OK;
}

ALWAYS int32_t order_all(orderer *o, lac_ordered *a, int32_t coordinate_width,
                         int32_t value_width) {
  segment s = {.records = a->records,
               .coordinates = a->coordinates,
               .values = a->values,
               .coordinate_width = coordinate_width,
               .value_width = value_width,
               .layout = lac_record_layout_of(coordinate_width, value_width)};
  int32_t status = LAC_OK;
  for (int64_t p = 0, begin = 0; status == LAC_OK && p < a->segments; begin = a->ends[p++]) {
    s.count = a->ends[p] - begin;
    status = order_segment(o, &s);
    a->repeats |= has_equal(&s);
    s.records += s.count * s.layout.width;
    s.coordinates += s.count * coordinate_width;
    s.values += s.count * value_width;
  }
  return status;
}

ALWAYS int32_t order_widths(orderer *o, lac_ordered *a) {
  if (o->coordinate_width == 4 && o->value_width == 8)
    return order_all(o, a, 4, 8);
  if (o->coordinate_width == 4 && o->value_width == 4)
    return order_all(o, a, 4, 4);
  if (o->coordinate_width == 8 && o->value_width == 8)
    return order_all(o, a, 8, 8);
  return order_all(o, a, o->coordinate_width, o->value_width);
}

/* For each width of the machine's registers. */

static int32_t order_anywhere(orderer *o, lac_ordered *a) {
  return order_widths(o, a);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static int32_t order_by_eight(orderer *o, lac_ordered *a) {
  return order_widths(o, a);
}
__attribute__((target("avx512f"))) static int32_t order_by_sixteen(orderer *o, lac_ordered *a) {
  return order_widths(o, a);
}
#endif

int32_t lac_orderer_order(orderer *o, lac_ordered *a) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return order_by_sixteen(o, a);
  if (__builtin_cpu_supports("avx2"))
    return order_by_eight(o, a);
#endif
  return order_anywhere(o, a);
}
