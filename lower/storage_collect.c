/* storage_collect.c - a result whose entries come in any order, and several to one coordinate:
 * counted, level by level, then placed (Chou et al. 2020, sections 4 and 5).
 *
 *     begin         levels insert, down to the first that is collected: wanted
 *     count         once for each entry, of the level wanted
 *     edges         its positions are numbered; levels below insert, down to the next; or the
 * values
 *     ...           until no level is wanted
 *     place         gives the position of a coordinate of a level that has edges
 *
 * A level that can only append is counted and placed by storage_noted.c.
 *
 * All values are the initial one before anything is placed.  Far more of them than entries are
 * refused, unless they are forced.  A level that holds a counter numbers the entries of each
 * coordinate of its dimension, anew in each walk.
 */
#include "storage_state.h"

bool storage_is_collected(const storage *s, int k) {
  return s->collects && tensor_format_collects_level(s->format, k);
}

int storage_wanted(const storage *s) {
  if (!s->collects)
    return s->counted ? -1 : s->scatter;
  for (int k = 0; k < s->format->level_count; k++)
    if (storage_is_collected(s, k) && !s->levels[k].positions.ptr)
      return k;
  return -1;
}

static MlirValue zero_unless(storage *s, MlirValue fine, MlirValue size) {
  return select_value(s->b, fine, size, constant_index(s->b, 0));
}

/* The entries that were counted in the last walk. */
static MlirValue counted_entries(storage *s) {
  int k = s->format->level_count - 1;
  while (!storage_is_collected(s, k))
    k--;
  return var_get(s->b, s->levels[k].end);
}

static void start_values(storage *s, MlirValue positions) {
  storage_check_worth(s, positions, counted_entries(s));
  stored_array_allocate(s, &s->values, positions);
  storage_fill(s, constant_index(s->b, 0), zero_unless(s, storage_is_fine(s), positions));
}

/* Levels from k on, with so many positions above; whether all is well so far. */
static MlirValue start_levels(storage *s, int k, MlirValue positions) {
  for (; k < s->format->level_count && !storage_is_collected(s, k); k++) {
    level *l = &s->levels[k];
    MlirValue parents = positions;
    positions = l->format->format->insert_size(l, parents);
    l->format->format->insert_init(l, parents, positions);
  }
  if (k == s->format->level_count) {
    start_values(s, positions);
    return storage_is_fine(s);
  }
  s->levels[k].parents = positions;
  if (tensor_format_notes_level(s->format, k))
    storage_noted_begin(&s->levels[k]);
  else
    s->levels[k].format->format->collect_init(&s->levels[k], positions);
  return storage_is_fine(s);
}

/* ---- Counters ----------------------------------------------------------------------------- */

bool storage_numbers(const storage *s, int k) {
  return s->collects && remap_counted(s->format->levels[k].expression) >= 0;
}

static MlirValue counted_size(const storage *s, int k) {
  return s->dimensions[remap_counted(s->format->levels[k].expression)];
}

static void make_numbers(storage *s) {
  for (int k = 0; k < s->format->level_count; k++)
    if (storage_numbers(s, k))
      s->levels[k].numbers = scratch_take(s, type_i(s->b, 64), counted_size(s, k));
}

static void clear_numbers(storage *s, int k) {
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0);
  MlirValue i = for_begin(b, zero, counted_size(s, k), constant_index(b, 1));
  store(b, constant_scalar(b, type_i(b, 64), 0), s->levels[k].numbers.elements, i);
  for_end(b);
}

MlirValue storage_number(storage *s, int k, MlirValue coordinate) {
  builder *b = s->b;
  MlirValue memory = s->levels[k].numbers.elements, number = load(b, memory, coordinate);
  store(b, add(b, number, constant_scalar(b, type_i(b, 64), 1)), memory, coordinate);
  return index_cast(b, number, type_index(b));
}

/* ---- Walks -------------------------------------------------------------------------------- */

MlirValue storage_begin_collecting(storage *s) {
  make_numbers(s);
  return start_levels(s, 0, constant_index(s->b, 1));
}

void storage_collect_count(storage *s, int k, MlirValue parent, MlirValue coordinate) {
  level *l = &s->levels[k];
  if (tensor_format_notes_level(s->format, k))
    storage_noted_count(l, parent, coordinate);
  else
    l->format->format->collect_count(l, parent, coordinate);
  var_set(s->b, l->end, add(s->b, var_get(s->b, l->end), constant_index(s->b, 1)));
}

static MlirValue make_edges(storage *s, level *l) {
  if (tensor_format_notes_level(s->format, l->number))
    return storage_noted_edges(s, l);
  MlirValue counted = l->format->format->collect_edges(l, l->parents);
  storage_check_positions(s, l, counted);
  return zero_unless(s, storage_is_fine(s), counted);
}

MlirValue storage_collect_place(storage *s, int k, MlirValue parent, MlirValue coordinate) {
  level *l = &s->levels[k];
  if (tensor_format_notes_level(s->format, k))
    return storage_noted_place(l, parent, coordinate);
  return l->format->format->collect_coord(l, parent, coordinate);
}

void storage_collect_finish(storage *s, int k, MlirValue parents) {
  level *l = &s->levels[k];
  const level_format *format = l->format->format;
  if (tensor_format_notes_level(s->format, k))
    format->append_finalize(l, parents, l->positions);
  else if (format->collect_finalize)
    format->collect_finalize(l, parents, l->positions);
}

MlirValue storage_collect_edges(storage *s, int k) {
  level *l = &s->levels[k];
  l->positions = make_edges(s, l);
  for (int n = 0; n < s->format->level_count; n++)
    if (storage_numbers(s, n))
      clear_numbers(s, n);
  return start_levels(s, k + 1, l->positions);
}

static bool is_first_collected(const storage *s, int k) {
  while (k > 0 && !storage_is_collected(s, k - 1))
    k--;
  return k == 0;
}

void storage_collected_release(storage *s, int k) {
  level *l = &s->levels[k];
  if (tensor_format_notes_level(s->format, k))
    storage_noted_release(l);
  else if (l->format->format->collect_release)
    l->format->format->collect_release(l);
  for (int n = 0; n < s->format->level_count && is_first_collected(s, k); n++)
    if (storage_numbers(s, n))
      scratch_release(s, &s->levels[n].numbers);
}
