/* hashed.c - the hashed level format (Chou et al. 2018, Tables 1 and 2): under each parent a hash
 * table of coordinates, in no order.
 *
 *     coordinates  7, 2 | | 4            POS   0       4 4   6    where each parent's table begins
 *     parent       0    1   2            CRD   - 2 - 7 | | 4 -    its slots; all ones: empty
 *
 *     pos_iter(p)            <POS[p], POS[p + 1]>          every slot
 *     pos_access(q)          <CRD[q], CRD[q] is not empty>
 *     locate(p, i)           the slot of i, from hash(i) on, around the table, before an empty one
 *     collect_count(p)       count[p] += 1
 *     collect_edges          tables of a power of two slots, twice as many as entries or more
 *     collect_coord(p, i)    the slot of i, or the empty one where it would stand
 *
 * A table is at most half full, so that a search looks at few slots; that of a parent without
 * entries has none.  Entries of one coordinate are counted each, and take one slot: no table has
 * room for more than there are coordinates.
 */
#include "level_format.h"

enum { POS = 0, CRD = 1, LANES = 8 };
enum { COUNT = 0 }; /* scratch: the entries of each parent */

/* What an empty slot holds, as it is loaded. */
static MlirValue empty(level *l) {
  return level_all_ones(l, CRD);
}

typedef struct probe {
  MlirValue position, found;
} probe;

/* at = hash & mask;  while (CRD[begin + at] is neither the coordinate nor empty) at = at + 1 &
 * mask; at most once around. */
static probe search(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  MlirValue begin = level_load(l, POS, parent), end = level_load(l, POS, level_plus_one(l, parent));
  MlirValue slots = sub(b, end, begin), mask = sub(b, slots, level_constant(l, 1)),
            zero = level_constant(l, 0);
  variable at = var_make(b, and_i(b, level_hash(l, coordinate), mask)), left = var_make(b, slots);
  variable found = var_make(b, constant_bool(b, false));
  while_begin(b);
  while_do(b, less(b, zero, var_get(b, left)));
  MlirValue here = var_get(b, at), held = level_load(l, CRD, add(b, begin, here));
  MlirValue same = equal(b, held, coordinate);
  MlirValue stop = or_i(b, same, equal(b, held, empty(l)));
  var_set(b, found, same);
  var_set(b, at, select_value(b, stop, here, and_i(b, level_plus_one(l, here), mask)));
  var_set(b, left, select_value(b, stop, zero, sub(b, var_get(b, left), level_constant(l, 1))));
  while_end(b);
  probe p = {add(b, begin, var_get(b, at)), var_get(b, found)};
  var_release(b, mark);
  return p;
}

/* The same, by LANES slots at once: hardly ever more than once, which branches can be told from.
 * Threads of a GPU go slot by slot, as they have no lanes of their own. */
static probe search_lanes(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  MlirValue begin = level_load(l, POS, parent), end = level_load(l, POS, level_plus_one(l, parent));
  MlirValue slots = sub(b, end, begin), mask = sub(b, slots, level_constant(l, 1)),
            zero = level_constant(l, 0);
  MlirValue wanted = broadcast(b, coordinate, LANES), nothing = broadcast(b, empty(l), LANES);
  variable at = var_make(b, and_i(b, level_hash(l, coordinate), mask)), left = var_make(b, slots);
  variable found = var_make(b, constant_bool(b, false));
  while_begin(b);
  while_do(b, less(b, zero, var_get(b, left)));
  MlirValue here = var_get(b, at), count = min_i(b, sub(b, slots, here), level_constant(l, LANES));
  MlirValue place = add(b, begin, here);
  MlirValue held = lanes_as_index(b, level_load_lanes(l, CRD, place, count, LANES));
  MlirValue same = equal(b, held, wanted), ends = or_i(b, same, equal(b, held, nothing));
  MlirValue stop = any_lane(b, ends), first = add(b, here, first_lane(b, ends));
  MlirValue next = and_i(b, add(b, here, count), mask), less_left = sub(b, var_get(b, left), count);
  var_set(b, found, any_lane(b, same));
  var_set(b, at, select_value(b, stop, first, next));
  var_set(b, left, select_value(b, stop, zero, less_left));
  while_end(b);
  probe p = {add(b, begin, var_get(b, at)), var_get(b, found)};
  var_release(b, mark);
  return p;
}

/* ---- Walking and locating ----------------------------------------------------------------- */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = level_load(l, POS, parent);
  *end = level_load(l, POS, level_plus_one(l, parent));
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  *coordinate = level_load(l, CRD, place);
  *found = not_equal(level_builder(l), *coordinate, empty(l));
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  MlirValue coordinate = coordinates[level_number(l)];
  probe p = launch_is_around(level_builder(l)) ? search(l, parent, coordinate)
                                               : search_lanes(l, parent, coordinate);
  *position = p.position;
  *found = p.found;
}

/* ---- Collecting --------------------------------------------------------------------------- */

static void collect_init(level *l, MlirValue parent_size) {
  level_must_fit(l, level_size(l), level_width(l, CRD), "the number of coordinates");
  level_allocate(l, POS, level_plus_one(l, parent_size));
  level_scratch(l, COUNT, 64, parent_size);
}

static void collect_count(level *l, MlirValue parent, MlirValue coordinate) {
  (void)coordinate;
  MlirValue before = level_scratch_load(l, COUNT, parent);
  level_scratch_store(l, COUNT, parent, level_plus_one(l, before));
}

/* The smallest power of two that is twice the count or more; no slots for no entries. */
static MlirValue table_size(level *l, MlirValue count) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  MlirValue zero = level_constant(l, 0), wanted = add(b, count, count);
  variable slots = var_make(b, select_value(b, equal(b, count, zero), zero, level_constant(l, 2)));
  while_begin(b);
  while_do(b, less(b, var_get(b, slots), wanted));
  var_set(b, slots, add(b, var_get(b, slots), var_get(b, slots)));
  while_end(b);
  MlirValue size = var_get(b, slots);
  var_release(b, mark);
  return size;
}

static MlirValue place_tables(level *l, MlirValue parent_size) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable sum = var_make(b, level_constant(l, 0));
  MlirValue parent = for_begin(b, level_constant(l, 0), parent_size, level_constant(l, 1));
  MlirValue count = min_i(b, level_scratch_load(l, COUNT, parent), level_size(l));
  var_set(b, sum, add(b, var_get(b, sum), table_size(l, count)));
  level_store(l, POS, level_plus_one(l, parent), var_get(b, sum));
  for_end(b);
  MlirValue size = var_get(b, sum);
  var_release(b, mark);
  return size;
}

static MlirValue collect_edges(level *l, MlirValue parent_size) {
  builder *b = level_builder(l);
  MlirValue size = place_tables(l, parent_size);
  level_allocate_raw(l, CRD, size);
  if_begin(b, level_is_fine(l));
  MlirValue slot = for_begin(b, level_constant(l, 0), size, level_constant(l, 1));
  level_store(l, CRD, slot, empty(l));
  for_end(b);
  if_end(b);
  return size;
}

static MlirValue collect_coord(level *l, MlirValue parent, MlirValue coordinate) {
  MlirValue position = search(l, parent, coordinate).position;
  level_store(l, CRD, position, coordinate);
  return position;
}

static void collect_release(level *l) {
  level_scratch_free(l, COUNT);
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_allocate(l, POS, parent_size);
  level_allocate_raw(l, CRD, size);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  level_copy(l, CRD, base, piece, level_constant(l, 0), size);
  level_ends_join(l, POS, piece, parent_base, parent_size, base);
}

static const level_format format = {
    .name = "hashed",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_LOCATE | LEVEL_COLLECT,
    .properties = LEVEL_UNIQUE,
    .arrays = {[POS] = LEVEL_POSITIONS, [CRD] = LEVEL_COORDINATES},
    .layout = "#0 >= p + 1 positions; q = 0[p] last position; #1 >= q slots | rising 0 p; "
              "probed 1 0",
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
