/* lac_records.c - the entries of a level that come in any order, held as records, then put where
 * they belong (Knuth, volume 3: distribution by the most significant digits, then counting).
 *
 *     parents     0 1 2 3   4 5 6 7        2^shift consecutive ones are a part
 *     records     ..........|...........   entries as they come, one part after the other
 *     the level   .|....|.|.|...|..||...   entries of a part to their parents, these in order
 *
 * Entries that go to a part go side by side, so that as many cache lines are written to at once as
 * there are parts, not parents: few enough for the caches to hold.  What is of one part then fits
 * the caches as well, and is counted, placed and ordered there.
 */
#include "lac_element.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_order.h"

enum { PART_BITS = 11, SHIFT_MOST = 16 };

/* A result's level being filled.  `ends` has where the next child of each parent of a part goes, at
 * last its end, from the part's first entry on; `moved` the records of a part, parent by parent. */
typedef struct filling {
  const lac_records *records;
  lac_record_layout layout;
  lac_array *positions, *coordinates, *values; /* of the result */
  int64_t parents;
  lac_array ends, moved;
  lac_orderer order;
} filling;

typedef struct part {
  int64_t first, parents; /* and how many */
  int64_t begin, count;   /* of its records */
} part;

/* ---- Recording ---------------------------------------------------------------------------- */

static int64_t shift_for(int64_t parents) {
  int bits = parents <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)parents - 1);
  return bits <= PART_BITS ? 0 : bits - PART_BITS < SHIFT_MOST ? bits - PART_BITS : SHIFT_MOST;
}

bool lac_kernel_parts(lac_records *r, int64_t parents, int32_t *status) {
  *r = (lac_records){.parts = {.width = sizeof(int64_t)}, .shift = shift_for(parents)};
  if (lac_status_is_fine(status))
    lac_status_take(status, lac_array_allocate(&r->parts, (parents >> r->shift) + 1));
  return lac_status_is_fine(status);
}

/* Counts become where those before them end; their sum is given. */
static int64_t begin_each(int64_t *counts, int64_t length) {
  int64_t sum = 0;
  for (int64_t p = 0; p < length; p++) {
    int64_t count = counts[p];
    counts[p] = sum;
    sum += count;
  }
  return sum;
}

void *lac_kernel_records(lac_records *r, int32_t width, bool raw, int32_t *status) {
  r->records.width = width;
  if (!lac_status_is_fine(status))
    return NULL;
  int64_t count = begin_each(r->parts.data, r->parts.length);
  lac_status_take(status, (raw ? lac_array_allocate_raw : lac_array_allocate)(&r->records, count));
  return r->records.data;
}

void lac_kernel_records_free(lac_records *r) {
  lac_array_free(&r->parts);
  lac_array_free(&r->records);
}

/* ---- Parents of a part -------------------------------------------------------------------- */

ALWAYS int64_t parent_of(const char *record, lac_record_layout layout, int64_t first) {
  return (uint32_t)lac_element_get(record + layout.parent, LAC_RECORD_PARENT) - (uint32_t)first;
}

ALWAYS void count_children(const char *records, const part *p, int64_t *counts,
                           lac_record_layout layout) {
  memset(counts, 0, (size_t)p->parents * sizeof *counts);
  for (int64_t i = 0; i < p->count; i++)
    counts[parent_of(records + i * layout.width, layout, p->first)]++;
}

ALWAYS void move_to_parents(const char *records, const part *p, int64_t *begins, char *moved,
                            lac_record_layout layout) {
  for (int64_t i = 0; i < p->count; i++) {
    const char *record = records + i * layout.width;
    int64_t to = begins[parent_of(record, layout, p->first)]++;
    memcpy(moved + to * layout.width, record, (size_t)layout.width);
  }
}

ALWAYS void split(const char *records, const part *p, int64_t *ends, char *moved,
                  lac_record_layout layout) {
  count_children(records, p, ends, layout);
  begin_each(ends, p->parents);
  move_to_parents(records, p, ends, moved, layout);
}

/* The records of the part, parent by parent; the only parent's are there. */
static const char *split_part(const filling *f, const part *p) {
  const char *records = (const char *)f->records->records.data + p->begin * f->layout.width;
  int64_t *ends = f->ends.data;
  if (f->records->shift == 0) {
    ends[0] = p->count;
    return records;
  }
  lac_record_layout common = lac_record_layout_of(4, 8);
  if (f->layout.width == common.width && f->layout.parent == common.parent)
    split(records, p, ends, f->moved.data, common);
  else
    split(records, p, ends, f->moved.data, f->layout);
  return f->moved.data;
}

/* ---- All parts ---------------------------------------------------------------------------- */

ALWAYS void store_ends_of(const lac_array *positions, int32_t width, const part *p,
                          const int64_t *ends) {
  char *to = (char *)positions->data + (p->first + 1) * width;
  for (int64_t i = 0; i < p->parents; i++)
    lac_element_set(to + i * width, width, (uint64_t)(p->begin + ends[i]));
}

static void store_ends(const filling *f, const part *p) {
  const lac_array *positions = f->positions;
  if (positions->width == 4)
    store_ends_of(positions, 4, p, f->ends.data);
  else
    store_ends_of(positions, positions->width, p, f->ends.data);
}

static int32_t fill_part(filling *f, const part *p, bool *repeats) {
  const lac_array *coordinates = f->coordinates;
  lac_ordered a = {.records = split_part(f, p),
                   .ends = f->ends.data,
                   .segments = p->parents,
                   .coordinates = (char *)coordinates->data + p->begin * coordinates->width,
                   .values = (char *)f->values->data + p->begin * f->values->width};
  store_ends(f, p);
  int32_t status = lac_orderer_order(&f->order, &a);
  *repeats |= a.repeats;
  return status;
}

static int32_t fill(filling *f, bool *repeats) {
  const int64_t *part_ends = f->records->parts.data;
  const lac_array *positions = f->positions;
  int64_t size = INT64_C(1) << f->records->shift, begin = 0;
  int32_t status = LAC_OK;
  lac_element_set(positions->data, positions->width, 0);
  for (int64_t first = 0; status == LAC_OK && first < f->parents; first += size) {
    int64_t end = part_ends[first >> f->records->shift], rest = f->parents - first;
    part p = {first, rest < size ? rest : size, begin, end - begin};
    status = fill_part(f, &p, repeats);
    begin = end;
  }
  return status;
}

static int64_t largest_part(const lac_records *r) {
  const int64_t *ends = r->parts.data;
  int64_t largest = 0;
  for (int64_t p = 0, begin = 0; p < r->parts.length; begin = ends[p++])
    largest = ends[p] - begin > largest ? ends[p] - begin : largest;
  return largest;
}

static int32_t take_room(filling *f) {
  int32_t status = lac_array_allocate_raw(&f->ends, INT64_C(1) << f->records->shift);
  if (status == LAC_OK && f->records->shift > 0)
    status = lac_array_allocate_raw(&f->moved, largest_part(f->records));
  return status;
}

bool lac_kernel_order(lac_tensor *result, int64_t level, int64_t positions, int64_t coordinates,
                      int64_t parents, const lac_records *r, int32_t *status) {
  lac_level *l = &result->levels[level];
  int32_t coordinate_width = l->array[coordinates].width, value_width = result->values.width;
  bool repeats = false;
  filling f = {.records = r,
               .layout = lac_record_layout_of(coordinate_width, value_width),
               .positions = &l->array[positions],
               .coordinates = &l->array[coordinates],
               .values = &result->values,
               .parents = parents,
               .ends = {.width = sizeof(int64_t)},
               .moved = {.width = r->records.width},
               .order = lac_orderer_make(coordinate_width, value_width, l->size)};
  if (lac_status_is_fine(status))
    lac_status_take(status, take_room(&f));
  if (lac_status_is_fine(status))
    lac_status_take(status, fill(&f, &repeats));
  lac_array_free(&f.ends);
  lac_array_free(&f.moved);
  lac_orderer_free(&f.order);
  return lac_status_is_fine(status) && repeats;
}
