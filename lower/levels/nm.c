/* nm.c - at most n of m: n places under each parent, each with a coordinate or none, as in 2:4
 * sparsity, (i : dense, j floordiv 4 : dense, j mod 4 : nm(2)).
 *
 *     pos_iter(p)          <n p, n p + n>
 *     pos_access(q)        <crd[q], crd[q] is not 255>
 *     locate(p, i)         the q among the n of p where crd[q] = i
 *     collect_count(p, i)  the first q of p where crd[q] is i or 255:  crd[q] = i
 *     size(parents)        n * parents
 *
 * Coordinates are bytes, so that there are 255 at most.  One that finds no place is refused: the
 * kernel ends with a status.  They stand in the order in which they came.
 */
#include "level_format.h"

enum { CRD = 1 };

static MlirValue place_count(level *l) {
  return level_constant(l, level_argument(l, 0));
}

static MlirValue first_place(level *l, MlirValue parent) {
  return mul(level_builder(l), parent, place_count(l));
}

static MlirValue is_empty(level *l, MlirValue coordinate) {
  return equal(level_builder(l), coordinate, level_all_ones(l, CRD));
}

/* ---- Walking ------------------------------------------------------------------------------ */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = first_place(l, parent);
  *end = add(level_builder(l), *begin, place_count(l));
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  *coordinate = level_load(l, CRD, place);
  *found = not_equal(level_builder(l), *coordinate, level_all_ones(l, CRD));
}

/* ---- Searching ---------------------------------------------------------------------------- */

/* The number of the first place of a parent that has the coordinate, or (`room`) is empty; n where
 * none is. */
static MlirValue search(level *l, MlirValue parent, MlirValue coordinate, bool room) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  MlirValue count = place_count(l), last = sub(b, count, level_constant(l, 1));
  variable first = var_make(b, count);
  MlirValue i = for_begin(b, level_constant(l, 0), count, level_constant(l, 1));
  MlirValue number = sub(b, last, i);
  MlirValue stored = level_load(l, CRD, add(b, first_place(l, parent), number));
  MlirValue fits = equal(b, stored, coordinate);
  if (room)
    fits = or_i(b, fits, is_empty(l, stored));
  var_set(b, first, select_value(b, fits, number, var_get(b, first)));
  for_end(b);
  MlirValue result = var_get(b, first);
  var_release(b, mark);
  return result;
}

/* Where there is none, a place that is there is given all the same. */
static MlirValue place_of(level *l, MlirValue parent, MlirValue number) {
  builder *b = level_builder(l);
  MlirValue last = sub(b, place_count(l), level_constant(l, 1));
  return add(b, first_place(l, parent), min_i(b, number, last));
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  builder *b = level_builder(l);
  MlirValue number = search(l, parent, coordinates[level_number(l)], false);
  *found = less(b, number, place_count(l));
  *position = place_of(l, parent, number);
}

/* ---- Collecting --------------------------------------------------------------------------- */

static void collect_init(level *l, MlirValue parent_size) {
  builder *b = level_builder(l);
  MlirValue size = level_product(l, parent_size, place_count(l));
  level_must_fit(l, level_size(l), 8, "the number of coordinates");
  level_allocate_raw(l, CRD, size);
  if_begin(b, level_is_fine(l));
  MlirValue i = for_begin(b, level_constant(l, 0), size, level_constant(l, 1));
  level_store(l, CRD, i, level_all_ones(l, CRD));
  for_end(b);
  if_end(b);
}

static void collect_count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue number = search(l, parent, coordinate, true);
  if_begin(b, less(b, number, place_count(l)));
  level_store(l, CRD, add(b, first_place(l, parent), number), coordinate);
  if_else(b);
  level_refuse_more(l, level_argument(l, 0));
  if_end(b);
}

static MlirValue collect_edges(level *l, MlirValue parent_size) {
  return level_product(l, parent_size, place_count(l));
}

static MlirValue collect_coord(level *l, MlirValue parent, MlirValue coordinate) {
  return place_of(l, parent, search(l, parent, coordinate, false));
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_allocate_raw(l, CRD, size);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  (void)parent_base;
  (void)parent_size;
  level_copy(l, CRD, base, piece, level_constant(l, 0), size);
}

static const level_format format = {
    .name = "nm",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_LOCATE | LEVEL_COLLECT,
    .properties = LEVEL_UNIQUE,
    .arguments = 1,
    .places = true,
    .arrays = {[CRD] = LEVEL_BYTES},
    .layout = "q = k * p; #1 >= q coordinates | at 1[q]; bounded or none; distinct k",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .locate = locate,
    .collect_init = collect_init,
    .collect_count = collect_count,
    .collect_edges = collect_edges,
    .collect_coord = collect_coord,
    .shared = LEVEL_SHARED_APART,
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
