/* storage_records.c - a result whose entries come in any order: recorded, with their parents, then
 * put where they belong by the runtime (lac_records.c).
 *
 *     begin        no entries in any part; a part is 2^shift parents
 *     count        parts[parent >> shift] += 1
 *     edges        room for a record of each entry, part by part: parts[p] is where the next goes
 *     place        q = parts[parent >> shift]++;  record q = (parent, coordinate, .), its value is
 *                  stored as any other is, at position q
 *     order        the level's arrays and the values, of the records
 *     release
 */
#include "storage_state.h"

#include "lac_kernel.h"

#include <mlir-c/BuiltinAttributes.h>

#include <stddef.h>

enum { WORD = 64, WORDS = sizeof(lac_records) / sizeof(int64_t) };

bool storage_is_recorded(const storage *s) {
  return s->records.used;
}

static MlirValue load_index(storage *s, size_t field) {
  return load_field(s->b, s->records.state, (int64_t)field, type_index(s->b));
}

void storage_begin_recording(storage *s) {
  builder *b = s->b;
  stored_records *r = &s->records;
  MlirType i64 = type_i(b, WORD);
  r->state = stack_array(b, i64, WORDS);
  MlirValue arguments[] = {r->state, index_cast(b, s->levels[s->scatter].parents, i64), s->status};
  call(b, "lac_kernel_parts", type_i(b, 1), 3, arguments);
  r->shift = load_index(s, offsetof(lac_records, shift));
  MlirValue data = load_field(b, r->state, offsetof(lac_records, parts) + offsetof(lac_array, data),
                              type_ptr(b));
  MlirValue length = load_index(s, offsetof(lac_records, parts) + offsetof(lac_array, length));
  r->parts = memory_at(s, data, length, i64);
}

/* One more in the part of the parent; gives how many there were. */
static MlirValue count_in_part(storage *s, MlirValue parent) {
  builder *b = s->b;
  const stored_records *r = &s->records;
  MlirValue part = shift_right(b, parent, r->shift), count = load(b, r->parts, part);
  store(b, add(b, count, constant_scalar(b, type_i(b, WORD), 1)), r->parts, part);
  return index_cast(b, count, type_index(b));
}

void storage_record_count(storage *s, MlirValue parent) {
  count_in_part(s, parent);
}

/* A field of the records, at `offset` in each. */
static void open_field(storage *s, stored_array *field, MlirType element, MlirValue records,
                       int64_t offset, int64_t width) {
  int64_t bytes = storage_bytes_of(element);
  MlirValue count =
      mul(s->b, var_get(s->b, s->levels[s->scatter].end), constant_index(s->b, width / bytes));
  *field = (stored_array){.level = field->level,
                          .slot = field->slot,
                          .raw = field->raw,
                          .element = element,
                          .fixed = memory_at(s, records, count, element),
                          .stride = width / bytes,
                          .first = offset / bytes};
}

MlirValue storage_record_edges(storage *s) {
  builder *b = s->b;
  stored_records *r = &s->records;
  MlirType coordinate = type_i(b, s->format->coordinate_width);
  lac_record_layout layout = lac_record_layout_of((int32_t)storage_bytes_of(coordinate),
                                                  (int32_t)storage_bytes_of(s->values.element));
  MlirValue arguments[] = {r->state,
                           constant_attr(b, mlirIntegerAttrGet(type_i(b, 32), layout.width)),
                           constant_bool(b, s->values.raw), s->status};
  MlirValue records = call(b, "lac_kernel_records", type_ptr(b), 4, arguments);
  open_field(s, &r->parents, type_i(b, 32), records, layout.parent, layout.width);
  open_field(s, &r->coordinates, coordinate, records, layout.coordinate, layout.width);
  open_field(s, &s->values, s->values.element, records, layout.value, layout.width);
  return storage_is_fine(s);
}

static void store_field_of(storage *s, const stored_array *field, MlirValue q, MlirValue x) {
  stored_array_store(s, field, q, index_cast(s->b, x, field->element));
}

MlirValue storage_record(storage *s, MlirValue parent, MlirValue coordinate) {
  MlirValue q = count_in_part(s, parent);
  store_field_of(s, &s->records.parents, q, parent);
  store_field_of(s, &s->records.coordinates, q, coordinate);
  return q;
}

/* Whether some siblings are equal. */
MlirValue storage_order_records(storage *s) {
  level *l = &s->levels[s->scatter];
  MlirValue size = var_get(s->b, l->end);
  s->values.stride = 0;
  s->values.raw = true;
  stored_array_allocate(s, &s->values, size);
  return l->format->format->scatter_order(l, l->parents, size);
}

void storage_records_release(storage *s) {
  call(s->b, "lac_kernel_records_free", (MlirType){NULL}, 1, &s->records.state);
}
