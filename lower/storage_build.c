/* storage_build.c - a result built level by level, and values read and written. */
#include "storage_state.h"

#include <mlir-c/BuiltinAttributes.h>

/* ---- Appending ---------------------------------------------------------------------------- */

/* Below level k come levels that insert, with a block of positions for each of its own, down to the
 * next level that appends (which has arrays with an element for each of these) or to the values. */
static void reserve_below(storage *s, int k, MlirValue count) {
  for (k++; k < s->format->level_count && !level_is_appended(&s->levels[k]); k++) {
    const level_format *format = s->levels[k].format->format;
    MlirValue parents = count;
    count = format->insert_size(&s->levels[k], parents);
    if (format->insert_reserve)
      format->insert_reserve(&s->levels[k], parents, count);
  }
  if (k == s->format->level_count)
    stored_array_reserve(s, &s->values, count);
  else
    s->levels[k].format->format->append_reserve(&s->levels[k], count, (MlirValue){NULL});
}

void storage_reserve_positions(storage *s, level *l, MlirValue count) {
  l->format->format->append_reserve(l, (MlirValue){NULL}, count);
  reserve_below(s, l->number, count);
}

/* Doubles the room; where there is no memory the capacity stays and positions start again at 0, so
 * that all goes on in bounds until the status is seen. */
static void grow(storage *s, level *l) {
  builder *b = s->b;
  MlirValue capacity = var_get(b, l->capacity), end = var_get(b, l->end);
  MlirValue doubled = mul(b, capacity, constant_index(b, 2));
  storage_reserve_positions(s, l, doubled);
  MlirValue fine = storage_is_fine(s);
  var_set(b, l->capacity, select_value(b, fine, doubled, capacity));
  var_set(b, l->end, select_value(b, fine, end, constant_index(b, 0)));
}

static bool is_zero(MlirAttribute value) {
  if (mlirAttributeIsNull(value))
    return true;
  if (mlirAttributeIsAInteger(value))
    return mlirIntegerAttrGetValueInt(value) == 0;
  double x = mlirAttributeIsAFloat(value) ? mlirFloatAttrGetValueDouble(value) : 1;
  return x == 0 && !__builtin_signbit(x);
}

bool storage_starts_zero(const storage *s) {
  return is_zero(s->initial);
}

void storage_fill(storage *s, MlirValue begin, MlirValue end) {
  if (is_zero(s->initial))
    return;
  MlirValue initial = storage_initial_value(s);
  MlirValue i = for_begin(s->b, begin, end, constant_index(s->b, 1));
  stored_array_store(s, &s->values, i, initial);
  for_end(s->b);
}

/* The values below a position of level k that was just appended: where levels that insert lie
 * between, they are there from now on. */
static void fill_below(storage *s, int k, MlirValue position) {
  if (is_zero(s->initial))
    return;
  MlirValue begin = position, end = add(s->b, position, constant_index(s->b, 1));
  int below = k + 1;
  for (; below < s->format->level_count; below++) {
    level *l = &s->levels[below];
    if (level_is_appended(l))
      return;
    begin = l->format->format->insert_size(l, begin);
    end = l->format->format->insert_size(l, end);
  }
  if (below > k + 1)
    storage_fill(s, begin, end);
}

MlirValue storage_end(storage *s, int k) {
  return var_get(s->b, s->levels[k].end);
}

MlirValue storage_append(storage *s, int k, MlirValue coordinate) {
  builder *b = s->b;
  level *l = &s->levels[k];
  if (!l->roomy) {
    if_begin(b, less_equal(b, var_get(b, l->capacity), var_get(b, l->end)));
    grow(s, l);
    if_end(b);
  }
  MlirValue position = var_get(b, l->end);
  l->format->format->append_coord(l, position, coordinate);
  fill_below(s, k, position);
  var_set(b, l->end, add(b, position, constant_index(b, 1)));
  return position;
}

MlirValue storage_enter_room(storage *s, int k, MlirValue count) {
  builder *b = s->b;
  level *l = &s->levels[k];
  int mark = var_mark(b);
  variable there = var_make(b, constant_bool(b, true));
  MlirValue needed = add(b, var_get(b, l->end), count);
  if_begin(b, less(b, var_get(b, l->capacity), needed));
  MlirValue doubled = mul(b, var_get(b, l->capacity), constant_index(b, 2));
  MlirValue capacity = max_i(b, doubled, needed);
  storage_reserve_positions(s, l, capacity);
  var_set(b, there, storage_is_fine(s));
  var_set(b, l->capacity, select_value(b, var_get(b, there), capacity, var_get(b, l->capacity)));
  if_end(b);
  l->roomy = true;
  MlirValue result = var_get(b, there);
  var_release(b, mark);
  return result;
}

void storage_leave_room(storage *s, int k) {
  s->levels[k].roomy = false;
}

void storage_close(storage *s, int k, MlirValue begin, MlirValue parent) {
  level *l = &s->levels[k];
  l->format->format->append_edges(l, parent, begin, var_get(s->b, l->end));
}

MlirValue storage_insert(storage *s, int k, MlirValue parent, const MlirValue *coordinates) {
  level *l = &s->levels[k];
  return l->format->format->insert_coord(l, parent, coordinates);
}

/* ---- Values ------------------------------------------------------------------------------- */

MlirValue storage_initial_value(storage *s) {
  if (mlirAttributeIsNull(s->initial))
    return constant_scalar(s->b, s->format->element, 0);
  return constant_attr(s->b, s->initial);
}

static MlirValue place_of(storage *s, MlirValue position) {
  return mlirValueIsNull(position) ? constant_index(s->b, 0) : position;
}

/* A register is selected where it is not known which. */
static MlirValue load_register(storage *s, MlirValue i) {
  int64_t n;
  if (value_is_constant_index(i, &n))
    return var_get(s->b, s->registers[n]);
  MlirValue value = var_get(s->b, s->registers[0]);
  for (n = 1; n < s->register_count; n++)
    value = select_value(s->b, equal(s->b, i, constant_index(s->b, n)),
                         var_get(s->b, s->registers[n]), value);
  return value;
}

static void store_register(storage *s, MlirValue i, MlirValue value) {
  int64_t n;
  if (value_is_constant_index(i, &n)) {
    var_set(s->b, s->registers[n], value);
    return;
  }
  for (n = 0; n < s->register_count; n++)
    var_set(s->b, s->registers[n],
            select_value(s->b, equal(s->b, i, constant_index(s->b, n)), value,
                         var_get(s->b, s->registers[n])));
}

static MlirValue load_place(storage *s, MlirValue i) {
  return s->registers ? load_register(s, i) : stored_array_load(s, &s->values, i);
}

static void store_place(storage *s, MlirValue i, MlirValue value) {
  if (s->registers)
    store_register(s, i, value);
  else
    stored_array_store(s, &s->values, i, value);
}

MlirValue storage_load(storage *s, MlirValue position) {
  return load_place(s, place_of(s, position));
}

void storage_store(storage *s, MlirValue value, MlirValue position) {
  store_place(s, place_of(s, position), value);
}

static MlirValue values_at(storage *s, MlirValue position, int64_t lanes) {
  MlirValue end = add(s->b, position, constant_index(s->b, lanes));
  return stored_array_memory(s, &s->values, end);
}

MlirValue storage_load_lanes(storage *s, MlirValue position, int64_t lanes, MlirValue mask) {
  return load_lanes(s->b, values_at(s, position, lanes), position, lanes, mask);
}

void storage_store_lanes(storage *s, MlirValue value, MlirValue position, int64_t lanes,
                         MlirValue mask) {
  store_lanes(s->b, value, values_at(s, position, lanes), position, mask);
}

/* What is carried around a loop in registers takes one addition each time: were it free to be
 * reordered, the sums of the body would come in between. */
void storage_accumulate(storage *s, const char *kind, MlirValue value, MlirValue position,
                        bool atomic, bool strict) {
  MlirValue i = place_of(s, position);
  if (atomic) {
    storage_accumulate_atomic(s, kind, value, i);
    return;
  }
  bool in_order = strict || storage_in_registers(s);
  store_place(s, i, combine(s->b, kind, load_place(s, i), value, in_order));
}
