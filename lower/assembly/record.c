/* record.c - levels down to the values whose entries come in any order, and again and again:
 * recorded, sorted, then appended in order (a workspace over the whole of them: Zhang et al. 2024,
 * section 4).
 *
 *     i : dense, j : compressed, k : compressed          recorded are j and k, under their i
 *
 *     count        the entries of each part
 *     edges        room for all (entry_buffer.h); levels below are begun along
 *     place        q = a new entry, its j;  its k;  its value is stored as any other is, at q
 *     order        part by part: sorted, then walked, as long as ..
 *
 *                    while the parent i is the same        append_edges(i, begin, end) at the end
 *                      append_coord(j)
 *                      while j is the same                 append_edges(j, begin, end) at the end
 *                        append_coord(k), the value
 *                        while k is the same: add its value to that
 *     release
 *
 * Levels of a list (branchless ones below) are appended along with the first.  How a level stores
 * what is appended is its format's own matter.
 */
#include "building.h"
#include "entry_buffer.h"
#include "storage_state.h"

#include "sit.h"

typedef struct recorded {
  entry_buffer *entries;
  variable *ends; /* positions in use of level first + n */
  variable next;  /* of a walk: the entry that it is at */
  MlirValue stop; /* and where its part ends */
} recorded;

static recorded *state_of(const level *l) {
  return l->state;
}

static level *level_of(const recorded *r, int k) {
  return &r->entries->s->levels[k];
}

static builder *builder_of(const recorded *r) {
  return r->entries->s->b;
}

static variable end_of(const recorded *r, int k) {
  return r->ends[k - r->entries->first];
}

/* ---- Recording ---------------------------------------------------------------------------- */

static MlirValue begin(level *l) {
  storage *s = l->owner;
  recorded *r = l->state = building_state(l, sizeof *r);
  int end = s->format->level_count;
  r->ends = ARENA_ARRAY(s->memory, variable, end - l->number);
  for (int n = 0; n < end - l->number; n++)
    r->ends[n] = var_make(s->b, constant_index(s->b, 0));
  r->next = var_make(s->b, constant_index(s->b, 0));
  r->entries = entry_buffer_make(l, end);
  return (MlirValue){NULL};
}

static MlirValue begin_along(level *l) {
  l->state = level_above(l, 1)->state;
  return l->parents;
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  entry_buffer_count(state_of(l)->entries, parent, coordinate);
}

static MlirValue edges(level *l) {
  storage *s = l->owner;
  entry_buffer *e = state_of(l)->entries;
  storage_check_positions(s, l, var_get(s->b, e->count));
  MlirValue count = entry_buffer_begin(e);
  s->values = e->values;
  return count;
}

/* They are those of the entries. */
static void begin_values(level *l, MlirValue positions) {
  (void)l;
  (void)positions;
}

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  return entry_buffer_add(state_of(l)->entries, parent, coordinates[l->number]);
}

static MlirValue place_along(level *l, MlirValue parent, const MlirValue *coordinates) {
  entry_buffer_set(state_of(l)->entries, l->number, parent, coordinates[l->number]);
  return parent;
}

/* ---- Appending ---------------------------------------------------------------------------- */

/* The end of the levels that are appended along with level k. */
static int list_end(const recorded *r, int k) {
  do
    k++;
  while (k < r->entries->end && level_of(r, k)->format->properties & LEVEL_BRANCHLESS);
  return k;
}

/* No level has more positions than there are entries. */
static void make_room(recorded *r) {
  entry_buffer *e = r->entries;
  storage *s = e->s;
  MlirValue most = max_i(s->b, var_get(s->b, e->count), constant_index(s->b, 1));
  for (int k = e->first; k < e->end; k++) {
    level *l = level_of(r, k);
    const level_format *format = l->format->format;
    format->append_init(l, k == e->first ? l->parents : (MlirValue){NULL});
    if (k > e->first)
      format->append_reserve(l, most, (MlirValue){NULL});
    format->append_reserve(l, (MlirValue){NULL}, most);
  }
  s->values = (stored_array){.level = VALUES, .element = s->values.element, .raw = true};
  stored_array_allocate(s, &s->values, var_get(s->b, e->count));
}

/* The value of the entry that the walk is at. */
static MlirValue take_value(recorded *r) {
  builder *b = builder_of(r);
  MlirValue q = var_get(b, r->next);
  var_set(b, r->next, add(b, q, constant_index(b, 1)));
  return stored_array_load(r->entries->s, &r->entries->values, q);
}

/* Opens a loop that goes on as long as entries agree with `first` in what stands above level k. */
static void while_agree(const recorded *r, int k, MlirValue first) {
  builder *b = builder_of(r);
  while_begin(b);
  MlirValue q = var_get(b, r->next), is_there = less(b, q, r->stop);
  while_do(b, and_i(b, is_there, entry_buffer_agree(r->entries, k, q, first)));
}

static void append_value(recorded *r, MlirValue position) {
  storage *s = r->entries->s;
  MlirValue first = var_get(s->b, r->next);
  storage_store(s, take_value(r), position);
  while_agree(r, r->entries->end, first);
  storage_accumulate(s, TIN_ADD, take_value(r), position, false, true);
  while_end(s->b);
}

static void append_below(recorded *r, int k, MlirValue parent);

/* The entry that the walk is at, and what is below its coordinate of level k. */
static void append_entry(recorded *r, int k) {
  builder *b = builder_of(r);
  int end = list_end(r, k);
  MlirValue position = var_get(b, end_of(r, k)), q = var_get(b, r->next);
  for (int n = k; n < end; n++) {
    level *l = level_of(r, n);
    l->format->format->append_coord(l, position, entry_buffer_coordinate(r->entries, n, q));
    var_set(b, end_of(r, n), add(b, position, constant_index(b, 1)));
  }
  if (end < r->entries->end)
    append_below(r, end, position);
  else
    append_value(r, position);
}

static void append_below(recorded *r, int k, MlirValue parent) {
  builder *b = builder_of(r);
  level *l = level_of(r, k);
  MlirValue begin = var_get(b, end_of(r, k));
  while_agree(r, k, var_get(b, r->next));
  append_entry(r, k);
  while_end(b);
  l->format->format->append_edges(l, parent, begin, var_get(b, end_of(r, k)));
}

static void append_part(recorded *r, MlirValue part) {
  builder *b = builder_of(r);
  while_begin(b);
  while_do(b, less(b, var_get(b, r->next), r->stop));
  if (r->entries->first == 0)
    append_entry(r, 0);
  else
    append_below(r, r->entries->first, entry_buffer_parent(r->entries, part, var_get(b, r->next)));
  while_end(b);
}

static void append_parts(recorded *r) {
  entry_buffer *e = r->entries;
  builder *b = builder_of(r);
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  MlirValue part = for_begin(b, zero, e->part_count, one);
  r->stop = entry_buffer_part_end(e, part);
  entry_buffer_sort(e, var_get(b, r->next), r->stop);
  append_part(r, part);
  for_end(b);
}

static void append_all(recorded *r) {
  builder *b = builder_of(r);
  level *l = level_of(r, r->entries->first);
  append_parts(r);
  if (r->entries->first == 0)
    l->format->format->append_edges(l, constant_index(b, 0), constant_index(b, 0),
                                    var_get(b, end_of(r, 0)));
}

static void order(level *l) {
  recorded *r = state_of(l);
  make_room(r);
  entry_buffer_begin_sorting(r->entries);
  if_begin(l->owner->b, storage_is_fine(l->owner));
  append_all(r);
  if_end(l->owner->b);
  entry_buffer_end_sorting(r->entries);
}

/* ---- Ending ------------------------------------------------------------------------------- */

/* Where memory has run out while they were ordered, there are no arrays to complete. */
static MlirValue finish(level *l, MlirValue parents) {
  builder *b = l->owner->b;
  MlirValue size = var_get(b, end_of(state_of(l), l->number));
  if_begin(b, storage_is_fine(l->owner));
  l->format->format->append_finalize(l, parents, size);
  if_end(b);
  return size;
}

static void release(level *l) {
  entry_buffer_free(state_of(l)->entries);
}

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_RECORD && k == tensor_format_record_level(format);
}

const building building_record = {.name = "recorded",
                                  .takes = takes,
                                  .placed_by = sit_is_place,
                                  .begin = begin,
                                  .count = count,
                                  .edges = edges,
                                  .place = place,
                                  .order = order,
                                  .finish = finish,
                                  .release = release,
                                  .begin_values = begin_values,
                                  .finish_values = building_trim_values};

static bool takes_along(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_RECORD && k > tensor_format_record_level(format);
}

/* A level below the first. */
const building building_record_along = {.name = "recorded",
                                        .takes = takes_along,
                                        .placed_by = sit_is_place,
                                        .begin = begin_along,
                                        .place = place_along,
                                        .finish = finish,
                                        .begin_values = begin_values,
                                        .finish_values = building_trim_values};
