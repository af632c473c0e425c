/* storage_scatter.c - a result whose entries come in any order of their parents: counted, then
 * placed (Chou et al. 2020, section 4).
 *
 *     begin        levels above insert; no entries
 *     count        end = end + 1                    once for each entry that will be placed
 *     edges        room for exactly `end` entries, and for what levels below insert under them
 *     place        once for each entry
 *
 * Where siblings come in no order either, entries of a list are ordered as they are placed, and
 * others recorded meanwhile (storage_records.c):
 *
 *     order        the level made of them; if siblings are equal, these combined, and `end` is what
 *                  is left
 *
 * The entries are counted in an index beside the level's own counts, which are as narrow as its
 * positions: that all fit is known before any is relied on.
 */
#include "storage_state.h"

#include <mlir-c/BuiltinAttributes.h>

bool storage_is_scattered(const storage *s, int k) {
  return s->scatter >= 0 && k >= s->scatter && level_is_appended(&s->levels[k]);
}

void storage_count(storage *s, int k, MlirValue parent, MlirValue coordinate) {
  level *l = &s->levels[k];
  if (s->collects) {
    storage_collect_count(s, k, parent, coordinate);
    return;
  }
  if (s->records.used)
    storage_record_count(s, parent);
  else
    l->format->format->scatter_count(l, parent);
  var_set(s->b, l->end, add(s->b, var_get(s->b, l->end), constant_index(s->b, 1)));
}

/* The edges of the scattered levels, with `size` entries each; the levels below them. */
static int make_edges(storage *s, MlirValue size) {
  MlirValue parents = s->levels[s->scatter].parents;
  int k = s->scatter;
  for (; k < s->format->level_count && storage_is_scattered(s, k); k++) {
    s->levels[k].format->format->scatter_edges(&s->levels[k], parents, size);
    parents = size;
  }
  return k;
}

/* The number of values under `size` entries of level `k - 1`: levels from k on insert. */
static MlirValue insert_below(storage *s, int k, MlirValue size) {
  for (; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    MlirValue parents = size;
    size = l->format->format->insert_size(l, parents);
    l->format->format->insert_init(l, parents, size);
  }
  return size;
}

static MlirValue zero_unless(storage *s, MlirValue fine, MlirValue size) {
  return select_value(s->b, fine, size, constant_index(s->b, 0));
}

static MlirValue scatter_edges(storage *s) {
  level *l = &s->levels[s->scatter];
  s->counted = true;
  MlirValue counted = var_get(s->b, l->end);
  storage_check_positions(s, l, counted);
  if (s->records.used)
    return storage_record_edges(s);
  MlirValue size = zero_unless(s, storage_is_fine(s), counted);
  int below = make_edges(s, size);
  MlirValue positions = insert_below(s, below, size);
  stored_array_allocate(s, &s->values, positions);
  MlirValue fine = storage_is_fine(s);
  if (below < s->format->level_count)
    storage_fill(s, constant_index(s->b, 0), zero_unless(s, fine, positions));
  return fine;
}

MlirValue storage_edges(storage *s, int k) {
  return s->collects ? storage_collect_edges(s, k) : scatter_edges(s);
}

MlirValue storage_place(storage *s, int k, MlirValue parent, MlirValue coordinate) {
  level *l = &s->levels[k];
  if (s->collects)
    return storage_collect_place(s, k, parent, coordinate);
  if (s->records.used)
    return storage_record(s, parent, coordinate);
  return l->format->format->scatter_coord(l, parent, coordinate);
}

/* Whether some entries of a list are equal, which were placed as they came. */
static MlirValue order_lists(storage *s) {
  builder *b = s->b;
  level *l = &s->levels[s->scatter];
  MlirType i64 = type_i(b, 64);
  MlirValue arguments[] = {s->handle, constant_attr(b, mlirIntegerAttrGet(i64, l->number)),
                           constant_attr(b, mlirIntegerAttrGet(i64, level_listed_count(l))),
                           index_cast(b, l->parents, i64), s->status};
  return call(b, "lac_kernel_order_lists", type_i(b, 1), 5, arguments);
}

void storage_order(storage *s) {
  builder *b = s->b;
  level *l = &s->levels[s->scatter];
  const level_format *format = l->format->format;
  if_begin(b, s->records.used ? storage_order_records(s) : order_lists(s));
  var_set(b, l->end, format->scatter_combine(l, l->parents));
  if_end(b);
}
