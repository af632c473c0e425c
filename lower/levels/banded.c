/* banded.c - the banded level format: under each parent one run of consecutive coordinates, from
 * the first that there is to the last.
 *
 *     coordinates  2 . 4 5 | | 0         LOW   2       0 0     the first of each parent
 *     parent       0       1   2         POS   0       4 4 5   where its run begins
 *
 *     pos_iter(p)            <POS[p], POS[p + 1]>
 *     pos_access(p, q)       <LOW[p] + q - POS[p], true>
 *     locate(p, i)           <POS[p] + i - LOW[p], LOW[p] <= i < LOW[p] + POS[p + 1] - POS[p]>
 *     collect_count(p, i)    LOW[p] = min(LOW[p], i);  HIGH[p] = max(HIGH[p], i + 1)
 *     collect_edges          POS[p + 1] = POS[p] + HIGH[p] - LOW[p]
 *     collect_coord(p, i)    POS[p] + i - LOW[p]
 *
 * Coordinates of a run that no entry comes to hold the fill.  (A matrix whose rows are stored so is
 * in profile, or skyline, storage.)
 */
#include "level_format.h"

enum { POS = 0, LOW = 1 };
enum { HIGH = 0 };  /* scratch: one more than the last coordinate, 0 for none */
enum { SHIFT = 0 }; /* of a walk: LOW[p] - POS[p] */

/* ---- Walking and locating ----------------------------------------------------------------- */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = level_load(l, POS, parent);
  *end = level_load(l, POS, level_plus_one(l, parent));
  level_set(l, SHIFT, sub(level_builder(l), level_load(l, LOW, parent), *begin));
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = add(level_builder(l), place, level_get(l, SHIFT));
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  builder *b = level_builder(l);
  MlirValue begin = level_load(l, POS, parent), end = level_load(l, POS, level_plus_one(l, parent));
  MlirValue into = sub(b, coordinates[level_number(l)], level_load(l, LOW, parent));
  *position = add(b, begin, into);
  *found = and_i(b, less_equal(b, level_constant(l, 0), into), less(b, *position, end));
}

/* ---- Collecting --------------------------------------------------------------------------- */

static void collect_init(level *l, MlirValue parent_size) {
  level_allocate(l, POS, level_plus_one(l, parent_size));
  level_allocate(l, LOW, parent_size);
  level_scratch(l, HIGH, 64, parent_size);
}

static void collect_count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue low = level_load(l, LOW, parent), high = level_scratch_load(l, HIGH, parent);
  MlirValue is_first = equal(b, high, level_constant(l, 0));
  level_store(l, LOW, parent, select_value(b, is_first, coordinate, min_i(b, low, coordinate)));
  level_scratch_store(l, HIGH, parent, max_i(b, high, level_plus_one(l, coordinate)));
}

static MlirValue collect_edges(level *l, MlirValue parent_size) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable sum = var_make(b, level_constant(l, 0));
  MlirValue parent = for_begin(b, level_constant(l, 0), parent_size, level_constant(l, 1));
  MlirValue length = sub(b, level_scratch_load(l, HIGH, parent), level_load(l, LOW, parent));
  var_set(b, sum, add(b, var_get(b, sum), length));
  level_store(l, POS, level_plus_one(l, parent), var_get(b, sum));
  for_end(b);
  MlirValue size = var_get(b, sum);
  var_release(b, mark);
  return size;
}

static MlirValue collect_coord(level *l, MlirValue parent, MlirValue coordinate) {
  MlirValue into = sub(level_builder(l), coordinate, level_load(l, LOW, parent));
  return add(level_builder(l), level_load(l, POS, parent), into);
}

static void collect_release(level *l) {
  level_scratch_free(l, HIGH);
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)size;
  level_ends_allocate(l, POS, parent_size);
  level_allocate(l, LOW, parent_size);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  (void)size;
  level_copy(l, LOW, parent_base, piece, level_constant(l, 0), parent_size);
  level_ends_join(l, POS, piece, parent_base, parent_size, base);
}

static const level_format format = {
    .name = "banded",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_LOCATE | LEVEL_COLLECT,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_PADDED,
    .arrays = {[POS] = LEVEL_POSITIONS, [LOW] = LEVEL_COORDINATES},
    .cursors = 1,
    .layout = "#0 >= p + 1 positions; q = 0[p] last position; #1 >= p first coordinates | "
              "rising 0 p; band 1 0",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .locate = locate,
    .collect_init = collect_init,
    .collect_count = collect_count,
    .collect_edges = collect_edges,
    .collect_coord = collect_coord,
    .shared = LEVEL_SHARED_APART,
    .collect_release = collect_release,
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
