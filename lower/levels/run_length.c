/* run_length.c - the run-length level format: coordinates under a parent as runs of consecutive
 * ones, of which only the first is stored.
 *
 *     coordinates   2 3 4   7 8   |   0 1     POS    0       2       3    first run of each parent
 *     places        0 1 2   3 4   |   5 6     CRD    2   7 | 0            first coordinate
 *     runs          r = 0   r = 1 |   r = 2   FIRST  0   3 | 5       7    first place
 *
 *     pos_iter(p)                   <FIRST[POS[p]], FIRST[POS[p + 1]]>
 *     pos_access(q)                 <CRD[r] + q - FIRST[r], true>, r the run of q
 *     locate(p, i)                  <FIRST[r] + i - CRD[r], i - CRD[r] < FIRST[r + 1] - FIRST[r]>,
 *                                   r the last run of p with CRD[r] <= i
 *     append_coord(q, i)            r's next coordinate is i: nothing to store; else a run <i, q>
 *     append_edges(p, begin, end)   POS[p + 1] = runs
 *     join(p0, q0), r0 runs before  CRD[r0 + r] = CRD[r];  FIRST[r0 + r] = q0 + FIRST[r];
 *                                   POS[p0 + p + 1] = r0 + POS[p + 1]
 *
 * A walk remembers the run that it is in, and looks at the next one; a place elsewhere is searched
 * for among all runs.
 */
#include "level_format.h"

enum { POS = 0, CRD = 1, FIRST = 2 };
enum { RUN = 0 }; /* of a walk: the run of the last place */
enum {
  RUNS = 0,
  NEXT = 1,
  IS_OPEN = 2
}; /* of a result: the number of runs, the coordinate that
     would extend the last one, whether it is the parent's */

/* ---- Walking ------------------------------------------------------------------------------ */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  MlirValue run = level_load(l, POS, parent);
  level_set(l, RUN, run);
  *begin = level_load(l, FIRST, run);
  *end = level_load(l, FIRST, level_load(l, POS, level_plus_one(l, parent)));
}

static MlirValue search(level *l, MlirValue place) {
  MlirValue runs = sub(level_builder(l), level_length(l, FIRST), level_constant(l, 1));
  return level_last_not_above(l, level_load, FIRST, place, level_constant(l, 0), runs);
}

/* Whether a place is outside of a run (before, or after). */
static MlirValue is_outside(level *l, MlirValue run, MlirValue place) {
  builder *b = level_builder(l);
  MlirValue before = less(b, place, level_load(l, FIRST, run));
  MlirValue after = less_equal(b, level_load(l, FIRST, level_plus_one(l, run)), place);
  return or_i(b, before, after);
}

/* From the run that the walk is in: mostly that one or the next. */
static MlirValue follow(level *l, MlirValue place) {
  builder *b = level_builder(l);
  MlirValue end = level_load(l, FIRST, level_plus_one(l, level_get(l, RUN)));
  MlirValue is_past = index_cast(b, less_equal(b, end, place), type_index(b));
  level_set(l, RUN, add(b, level_get(l, RUN), is_past));
  if_begin(b, is_outside(l, level_get(l, RUN), place));
  level_set(l, RUN, search(l, place));
  if_end(b);
  return level_get(l, RUN);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  builder *b = level_builder(l);
  MlirValue run = level_can_set(l, RUN) ? follow(l, place) : search(l, place);
  MlirValue into = sub(b, place, level_load(l, FIRST, run));
  *coordinate = add(b, level_load(l, CRD, run), into);
}

/* Below a parent without runs the search says its begin, which may be the end of the array. */
static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  builder *b = level_builder(l);
  MlirValue coordinate = coordinates[level_number(l)], zero = level_constant(l, 0);
  MlirValue begin, end;
  level_children(l, POS, parent, &begin, &end);
  int mark = var_mark(b);
  variable at = var_make(b, zero), there = var_make(b, constant_bool(b, false));
  if_begin(b, less(b, begin, end));
  MlirValue run = level_last_not_above(l, level_load, CRD, coordinate, begin, end);
  MlirValue first = level_load(l, FIRST, run), into = sub(b, coordinate, level_load(l, CRD, run));
  MlirValue length = sub(b, level_load(l, FIRST, level_plus_one(l, run)), first);
  var_set(b, there, and_i(b, less_equal(b, zero, into), less(b, into, length)));
  var_set(b, at, select_value(b, var_get(b, there), add(b, first, into), zero));
  if_end(b);
  *position = var_get(b, at);
  *found = var_get(b, there);
  var_release(b, mark);
}

/* ---- Appending ---------------------------------------------------------------------------- */

static void append_init(level *l, MlirValue parent_size) {
  level_ends_allocate(l, POS, parent_size);
}

static void append_reserve(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_reserve(l, POS, parent_size);
  if (mlirValueIsNull(size))
    return;
  level_reserve_raw(l, CRD, size);
  level_reserve_raw(l, FIRST, level_plus_one(l, size));
}

/* There are at most as many runs as places, also where memory ran out and places start again. */
static MlirValue run_count(level *l, MlirValue places) {
  return min_i(level_builder(l), level_get(l, RUNS), places);
}

static void append_coord(level *l, MlirValue position, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue is_next = equal(b, coordinate, level_get(l, NEXT));
  MlirValue is_open = not_equal(b, level_get(l, IS_OPEN), level_constant(l, 0));
  if_begin(b, not_i1(b, and_i(b, is_open, is_next)));
  MlirValue run = run_count(l, position);
  level_store(l, CRD, run, coordinate);
  level_store(l, FIRST, run, position);
  level_set(l, RUNS, level_plus_one(l, run));
  level_set(l, IS_OPEN, level_constant(l, 1));
  if_end(b);
  level_set(l, NEXT, level_plus_one(l, coordinate));
}

static void append_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  (void)begin;
  (void)end;
  level_ends_store(l, POS, parent, level_get(l, RUNS));
  level_set(l, IS_OPEN, level_constant(l, 0));
}

static void append_finalize(level *l, MlirValue parent_size, MlirValue size) {
  MlirValue runs = run_count(l, size);
  level_set(l, RUNS, runs);
  level_ends_finalize(l, POS, parent_size);
  level_store(l, FIRST, runs, size);
  level_trim(l, CRD, runs);
  level_trim(l, FIRST, level_plus_one(l, runs));
}

/* ---- Joining ------------------------------------------------------------------------------ */

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  MlirValue runs = level_get(l, RUNS);
  level_ends_allocate(l, POS, parent_size);
  level_allocate_raw(l, CRD, runs);
  level_allocate_raw(l, FIRST, level_plus_one(l, runs));
  if_begin(level_builder(l), level_is_fine(l));
  level_store(l, FIRST, runs, size);
  if_end(level_builder(l));
}

/* The end of a piece's last run is where the next one's first begins. */
static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  builder *b = level_builder(l);
  MlirValue before = level_get(l, RUNS), zero = level_constant(l, 0);
  (void)size;
  level_copy(l, CRD, before, piece, zero, level_get(piece, RUNS));
  MlirValue run = for_begin(b, zero, level_get(piece, RUNS), level_constant(l, 1));
  level_store(l, FIRST, add(b, before, run), add(b, base, level_load(piece, FIRST, run)));
  for_end(b);
  level_ends_join(l, POS, piece, parent_base, parent_size, before);
}

static const level_format format = {
    .name = "run_length",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_LOCATE | LEVEL_APPEND,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .arrays = {[POS] = LEVEL_POSITIONS, [CRD] = LEVEL_COORDINATES, [FIRST] = LEVEL_POSITIONS},
    .cursors = 1,
    .layout = "#0 >= p + 1 positions; r = 0[p] last position; "
              "#2 = r + 1 places of runs and their end; q = 2[r] last place; #1 >= r coordinates | "
              "rising 0 p; rising 2 r; runs 1 2 0",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .locate = locate,
    .append_init = append_init,
    .append_reserve = append_reserve,
    .append_coord = append_coord,
    .append_edges = append_edges,
    .append_finalize = append_finalize,
    .counts = true,
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
