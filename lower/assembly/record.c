/* record.c - a level, right above the values, whose entries come in any order: recorded, with their
 * parents, then put where they belong by the runtime (lac_records.c).
 *
 *     begin        no entries in any part; a part is 2^shift parents
 *     count        parts[parent >> shift] += 1
 *     edges        room for a record of each entry, part by part: parts[p] is where the next goes
 *     place        q = parts[parent >> shift]++;  record q = (parent, coordinate, .), its value is
 *                  stored as any other is, at position q
 *     order        the level's arrays and the values, of the records
 *     release
 */
#include "building.h"

#include "lac_kernel.h"
#include "sit.h"

#include <stddef.h>

enum { WORD = 64, WORDS = sizeof(lac_records) / sizeof(int64_t) };

typedef struct recorded {
  variable end;      /* how many entries */
  MlirValue records; /* the runtime's lac_records */
  MlirValue shift, parts;
  stored_array parents, coordinates;
} recorded;

static MlirValue load_index(const level *l, size_t field) {
  const recorded *r = l->state;
  return load_field(l->owner->b, r->records, (int64_t)field, type_index(l->owner->b));
}

static MlirValue begin(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  recorded *r = l->state = building_state(l, sizeof *r);
  MlirType i64 = type_i(b, WORD);
  r->end = var_make(b, constant_index(b, 0));
  r->records = stack_array(b, i64, WORDS);
  MlirValue arguments[] = {r->records, index_cast(b, l->parents, i64), s->status};
  call(b, "lac_kernel_parts", type_i(b, 1), 3, arguments);
  r->shift = load_index(l, offsetof(lac_records, shift));
  MlirValue data = load_field(
      b, r->records, offsetof(lac_records, parts) + offsetof(lac_array, data), type_ptr(b));
  MlirValue length = load_index(l, offsetof(lac_records, parts) + offsetof(lac_array, length));
  r->parts = memory_at(s, data, length, i64);
  return (MlirValue){NULL};
}

/* One more in the part of the parent; gives how many there were. */
static MlirValue count_in_part(const level *l, MlirValue parent) {
  builder *b = l->owner->b;
  const recorded *r = l->state;
  MlirValue part = shift_right(b, parent, r->shift), entries = load(b, r->parts, part);
  store(b, add(b, entries, constant_integer(b, type_i(b, WORD), 1)), r->parts, part);
  return index_cast(b, entries, type_index(b));
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = l->owner->b;
  const recorded *r = l->state;
  (void)coordinate;
  count_in_part(l, parent);
  var_set(b, r->end, add(b, var_get(b, r->end), constant_index(b, 1)));
}

/* A field of the records, at `offset` in each. */
static void open_field(const level *l, stored_array *field, MlirType element, MlirValue records,
                       int64_t offset, int64_t width) {
  storage *s = l->owner;
  const recorded *r = l->state;
  int64_t bytes = storage_bytes_of(element);
  MlirValue length = mul(s->b, var_get(s->b, r->end), constant_index(s->b, width / bytes));
  *field = (stored_array){.level = field->level,
                          .slot = field->slot,
                          .raw = field->raw,
                          .element = element,
                          .fixed = memory_at(s, records, length, element),
                          .stride = width / bytes,
                          .first = offset / bytes};
}

static MlirValue edges(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  recorded *r = l->state;
  MlirValue size = var_get(b, r->end);
  storage_check_positions(s, l, size);
  MlirType coordinate = type_i(b, s->format->coordinate_width);
  lac_record_layout layout = lac_record_layout_of((int32_t)storage_bytes_of(coordinate),
                                                  (int32_t)storage_bytes_of(s->values.element));
  MlirValue arguments[] = {r->records, constant_integer(b, type_i(b, 32), layout.width),
                           constant_bool(b, s->values.raw), s->status};
  MlirValue records = call(b, "lac_kernel_records", type_ptr(b), 4, arguments);
  open_field(l, &r->parents, type_i(b, 32), records, layout.parent, layout.width);
  open_field(l, &r->coordinates, coordinate, records, layout.coordinate, layout.width);
  open_field(l, &s->values, s->values.element, records, layout.value, layout.width);
  return size;
}

/* They are fields of the records. */
static void begin_values(level *l, MlirValue positions) {
  (void)l;
  (void)positions;
}

static void store_field_of(const level *l, const stored_array *field, MlirValue q, MlirValue x) {
  stored_array_store(l->owner, field, q, index_cast(l->owner->b, x, field->element));
}

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  const recorded *r = l->state;
  MlirValue q = count_in_part(l, parent);
  store_field_of(l, &r->parents, q, parent);
  store_field_of(l, &r->coordinates, q, coordinates[l->number]);
  return q;
}

static MlirValue order_children(level *l, int ends, MlirValue parent_size) {
  storage *s = l->owner;
  const recorded *r = l->state;
  MlirType i64 = type_i(s->b, WORD);
  int coordinates = level_format_coordinates(l->format->format);
  MlirValue arguments[] = {s->handle,
                           constant_integer(s->b, i64, l->number),
                           constant_integer(s->b, i64, ends),
                           constant_integer(s->b, i64, coordinates),
                           index_cast(s->b, parent_size, i64),
                           r->records,
                           s->status};
  return call(s->b, "lac_kernel_order", type_i(s->b, 1), 7, arguments);
}

/* Whether some siblings are equal; the values have an array of their own from now on. */
static MlirValue order_records(level *l) {
  storage *s = l->owner;
  const recorded *r = l->state;
  MlirValue size = var_get(s->b, r->end);
  s->values.stride = 0;
  s->values.raw = true;
  stored_array_allocate(s, &s->values, size);
  return l->format->format->scatter_order(l, l->parents, size);
}

static void order(level *l) {
  builder *b = l->owner->b;
  const recorded *r = l->state;
  if_begin(b, order_records(l));
  var_set(b, r->end, l->format->format->scatter_combine(l, l->parents));
  if_end(b);
}

static MlirValue finish(level *l, MlirValue parents) {
  const recorded *r = l->state;
  MlirValue size = var_get(l->owner->b, r->end);
  l->format->format->scatter_finalize(l, parents, size);
  return size;
}

static void release(level *l) {
  recorded *r = l->state;
  call(l->owner->b, "lac_kernel_records_free", (MlirType){NULL}, 1, &r->records);
}

const building building_record = {.name = "scattered into",
                                  .placed_by = sit_is_place,
                                  .begin = begin,
                                  .count = count,
                                  .edges = edges,
                                  .place = place,
                                  .order = order,
                                  .order_children = order_children,
                                  .finish = finish,
                                  .release = release,
                                  .begin_values = begin_values,
                                  .finish_values = building_trim_values};
