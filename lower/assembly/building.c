/* building.c - a result from its beginning to its end: the way of each level, chosen once, and
 * their steps one after the other (building.h). */
#include "building.h"
#include "storage_state.h"

#include "relation.h"

/* ---- Sizes -------------------------------------------------------------------------------- */

static MlirValue refuse_expression(storage *s) {
  builder_error(
      s->b,
      "expected levels of '%s' that hold dimensions, linear forms, their quotients and remainders, "
      "or counters, found another expression",
      s->name);
  return constant_index(s->b, 0);
}

/* The number of coordinates of an expression over the dimensions. */
static MlirValue extent_of(storage *s, MlirAffineExpr expression) {
  MlirValue size = relation_level_size(s->memory, s->b, expression, s->dimensions);
  return mlirValueIsNull(size) ? refuse_expression(s) : size;
}

static void take_sizes(storage *s, const MlirValue *dimensions) {
  for (int d = 0; d < s->format->order; d++)
    s->dimensions[d] = dimensions[d];
  for (int k = 0; k < s->format->level_count; k++)
    s->levels[k].size = extent_of(s, s->format->levels[k].expression);
}

static void make_variables(storage *s) {
  for (int k = 0; k < s->format->level_count; k++)
    for (int n = 0; n < LEVEL_COUNTERS; n++)
      s->levels[k].counters[n] = var_make(s->b, constant_index(s->b, 0));
}

void storage_build(storage *s, const MlirValue *dimensions, const building_plan *p) {
  s->plan = *p;
  s->waits_for = -1;
  take_sizes(s, dimensions);
  make_variables(s);
}

void *building_state(level *l, size_t size) {
  return arena_alloc(l->owner->memory, size);
}

MlirValue building_insert_coordinate(level *l, MlirValue parent, const MlirValue *coordinates) {
  return l->format->format->insert_coord(l, parent, coordinates);
}

void building_trim_values(level *l, MlirValue positions) {
  stored_array_trim(l->owner, &l->owner->values, positions);
}

MlirValue storage_size_if_fine(storage *s, MlirValue size) {
  return select_value(s->b, storage_is_fine(s), size, constant_index(s->b, 0));
}

/* ---- Ways --------------------------------------------------------------------------------- */

/* Of several that take a level, the first; the last one takes any. */
static const building *const ways[] = {&building_copy,           &building_collect_recorded,
                                       &building_collect_along,  &building_note,
                                       &building_collect,        &building_record,
                                       &building_record_along,   &building_scatter,
                                       &building_scatter_listed, &building_append,
                                       &building_insert};
enum { REGISTERED_MOST = 16 };
static const building *registered[REGISTERED_MOST];
static int registered_count;

bool building_register(const building *way) {
  if (registered_count == REGISTERED_MOST || !way->takes)
    return false;
  registered[registered_count++] = way;
  return true;
}

bool building_appends(const tensor_format *format, int k) {
  return format->levels[k].format->capabilities & LEVEL_APPEND;
}

static const building *way_of(const tensor_format *format, int k, const building_plan *p) {
  for (int n = 0; n < registered_count; n++)
    if (registered[n]->takes(format, k, p))
      return registered[n];
  int n = 0;
  while (!ways[n]->takes(format, k, p))
    n++;
  return ways[n];
}

int building_plan_unfit(const tensor_format *format, const building_plan *p) {
  for (int k = 0; k < format->level_count; k++)
    if (way_of(format, k, p) == &building_insert &&
        !(format->levels[k].format->capabilities & LEVEL_INSERT))
      return k;
  return -1;
}

const building *storage_building(const storage *s, int k) {
  return s->levels[k].way;
}

bool storage_has_places(const storage *s) {
  return tensor_format_no_array_level(s->format) < 0 || s->plan.way == CIN_COPY;
}

storage_role storage_role_of(const storage *s) {
  return s->plan.role;
}

bool storage_is_apart(const storage *s) {
  return s->plan.apart;
}

int storage_waits_for(const storage *s) {
  return s->waits_for;
}

/* ---- Beginning ---------------------------------------------------------------------------- */

/* An int64_t array on the stack with these elements. */
static MlirValue sizes_in_memory(storage *s, int count, MlirValue *const *sizes) {
  MlirValue array = stack_array(s->b, type_i(s->b, 64), count > 0 ? count : 1);
  for (int i = 0; i < count; i++)
    store_field(s->b, *sizes[i], array, i * (int64_t)sizeof(int64_t));
  return array;
}

void storage_set_up(storage *s) {
  int order = s->format->order, level_count = s->format->level_count;
  MlirValue **dimensions = ARENA_ARRAY(s->memory, MlirValue *, order);
  MlirValue **sizes = ARENA_ARRAY(s->memory, MlirValue *, level_count);
  for (int d = 0; d < order; d++)
    dimensions[d] = &s->dimensions[d];
  for (int k = 0; k < level_count; k++)
    sizes[k] = &s->levels[k].size;
  MlirValue signature = constant_text(s->b, storage_signature(s->memory, s->format));
  MlirValue arguments[] = {s->handle, signature, sizes_in_memory(s, order, dimensions),
                           sizes_in_memory(s, level_count, sizes), s->status};
  call(s->b, "lac_kernel_setup", type_i(s->b, 1), 5, arguments);
}

/* Whether an array holds the level's coordinates, its own or that of a level which lends it. */
static bool stores_coordinates(const level_format *format) {
  bool stores = format->borrows;
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    stores |=
        format->arrays[slot] == LEVEL_COORDINATES || format->arrays[slot] == LEVEL_EACH_COORDINATE;
  return stores;
}

static void check_coordinates(storage *s, level *l) {
  builder *b = s->b;
  if (!stores_coordinates(l->format->format) || s->format->coordinate_width >= 64)
    return;
  MlirValue greatest = sub(b, l->size, constant_index(b, 1));
  level_must_fit(l, max_i(b, greatest, constant_index(b, 0)), s->format->coordinate_width,
                 "a coordinate");
}

/* The last level whose way makes the values; NULL where each position has one. */
static level *values_level(storage *s) {
  for (int k = s->format->level_count - 1; k >= 0; k--)
    if (s->levels[k].way->begin_values)
      return &s->levels[k];
  return NULL;
}

static void begin_values(storage *s, MlirValue positions) {
  level *l = values_level(s);
  s->positions = positions;
  if (l)
    l->way->begin_values(l, positions);
  else
    storage_begin_values(s, positions);
}

/* Levels from k on, with so many positions above, up to one that waits for its edges, or the
 * values; whether all is well so far. */
MlirValue storage_begin_levels_from(storage *s, int k, MlirValue positions) {
  for (; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    l->parents = positions;
    positions = l->way->begin(l);
    if (l->way->edges) {
      s->waits_for = k;
      return storage_is_fine(s);
    }
  }
  s->waits_for = -1;
  begin_values(s, positions);
  return storage_is_fine(s);
}

void storage_choose_ways(storage *s) {
  s->values.raw = s->plan.stored;
  for (int k = 0; k < s->format->level_count; k++) {
    s->levels[k].way = way_of(s->format, k, &s->plan);
    check_coordinates(s, &s->levels[k]);
  }
}

MlirValue storage_begin_levels(storage *s) {
  return storage_begin_levels_from(s, 0, constant_index(s->b, 1));
}

MlirValue storage_begin(storage *s, const MlirValue *dimensions, const building_plan *p) {
  storage_build(s, dimensions, p);
  storage_set_up(s);
  storage_choose_ways(s);
  if (p->role == STORAGE_JOINED)
    return storage_is_fine(s);
  if (p->way == CIN_COLLECT)
    numbers_make(s);
  return storage_begin_levels(s);
}

MlirValue storage_edges(storage *s, int k) {
  level *l = &s->levels[k];
  l->positions = l->way->edges(l);
  numbers_clear(s);
  return storage_begin_levels_from(s, k + 1, l->positions);
}

/* ---- Ending ------------------------------------------------------------------------------- */

/* From here on others see what was stored past the caches. */
static void fence_values(storage *s) {
  if (!s->values.streams.ptr)
    return;
  if_begin(s->b, s->values.streams);
  fence(s->b);
  if_end(s->b);
}

void storage_finish_levels_from(storage *s, int k, MlirValue positions, MlirValue *of_levels) {
  level *last = values_level(s);
  for (; k < s->format->level_count; k++) {
    positions = s->levels[k].way->finish(&s->levels[k], positions);
    if (of_levels)
      of_levels[k] = positions;
  }
  if (last && last->way->finish_values)
    last->way->finish_values(last, positions);
  fence_values(s);
}

void storage_finish_levels(storage *s, MlirValue *of_levels) {
  storage_finish_levels_from(s, 0, constant_index(s->b, 1), of_levels);
}

void storage_finish(storage *s) {
  if (s->plan.role != STORAGE_JOINED)
    storage_finish_levels(s, NULL);
}

static bool is_first_counted(const storage *s, int k) {
  while (k > 0 && !s->levels[k - 1].way->count)
    k--;
  return k == 0;
}

void storage_release(storage *s, int k) {
  level *l = &s->levels[k];
  if (l->way && l->way->release)
    l->way->release(l);
  if (is_first_counted(s, k))
    numbers_release(s);
}

/* ---- Whether it is worth its memory ------------------------------------------------------- */

void storage_check_worth(storage *s, MlirValue values, MlirValue entries) {
  builder *b = s->b;
  MlirType i64 = type_i(b, 64);
  MlirValue arguments[] = {s->handle, index_cast(b, values, i64), index_cast(b, entries, i64),
                           constant_text(b, s->name), s->status};
  call(b, "lac_kernel_worthwhile", type_i(b, 1), 5, arguments);
}

MlirValue storage_is_worthwhile_full(storage *s, MlirValue entries) {
  MlirValue values = constant_index(s->b, 1);
  for (int d = 0; d < s->format->order; d++)
    values = storage_product(s, values, s->dimensions[d]);
  storage_check_worth(s, values, entries);
  return storage_is_fine(s);
}

void storage_check_positions(storage *s, level *l, MlirValue size) {
  bool stored = false;
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    stored |= l->format->format->arrays[slot] == LEVEL_POSITIONS;
  if (!stored || s->format->position_width >= 64)
    return;
  level_must_fit(l, size, s->format->position_width, "the number of entries");
}
