/* tuples.c - coordinate lists as an array of structures: tuples(n) and element(k).
 *
 * The coordinates of an entry stand together.  `tuples(n)` is a compressed level whose entries are
 * tuples of n coordinates, of which its own is the first; the n - 1 levels below, `element(1)`,
 * element(2), ..., have exactly one coordinate under each parent, as singleton levels do, which is
 * element k of the tuple.
 *
 *     (i : tuples(2, nonunique), j : element(1))       i0 j0 | i1 j1 | i2 j2 | ...
 *
 *     tuples(n)     pos_access(q)                      crd[q * n]
 *     element(k)    pos_access(q)                      crd[q * n + k] of the level k above
 *
 * What is counted and what is appended is as in a compressed level.
 */
#include "level_format.h"

enum { POS = 0, CRD = 1 };

/* Where element `k` of the tuple at a position stands, in the level that holds the tuples. */
static MlirValue place_of(level *tuples, MlirValue position, int64_t k) {
  builder *b = level_builder(tuples);
  MlirValue first = mul(b, position, level_constant(tuples, level_argument(tuples, 0)));
  return add(b, first, level_constant(tuples, k));
}

/* ---- tuples(n) ---------------------------------------------------------------------------- */

static void tuples_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  level_children(l, POS, parent, begin, end);
}

static void tuples_access(level *l, MlirValue place, const MlirValue *coordinates,
                          MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = level_load(l, CRD, place_of(l, place, 0));
}

static void tuples_init(level *l, MlirValue parent_size) {
  level_ends_allocate(l, POS, parent_size);
}

static void tuples_reserve(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_reserve(l, POS, parent_size);
  if (!mlirValueIsNull(size))
    level_reserve_raw(l, CRD, place_of(l, size, 0));
}

static void tuples_append(level *l, MlirValue position, MlirValue coordinate) {
  level_store(l, CRD, place_of(l, position, 0), coordinate);
}

static void tuples_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  (void)begin;
  level_ends_store(l, POS, parent, end);
}

static void tuples_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_finalize(l, POS, parent_size);
  level_trim(l, CRD, place_of(l, size, 0));
}

/* Room for exactly so many tuples. */
static void allocate_tuples(level *l, MlirValue size) {
  level_allocate_raw(l, CRD, level_product(l, size, level_constant(l, level_argument(l, 0))));
}

static void tuples_join_init(level *l, MlirValue parent_size, MlirValue size) {
  allocate_tuples(l, size);
  level_ends_allocate(l, POS, parent_size);
}

static void tuples_join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                        MlirValue base, MlirValue size) {
  level_copy(l, CRD, place_of(l, base, 0), piece, level_constant(l, 0), place_of(l, size, 0));
  level_ends_join(l, POS, piece, parent_base, parent_size, base);
}

static void count_init(level *l, MlirValue parent_size) {
  level_counts_allocate(l, POS, parent_size);
}

static void count(level *l, MlirValue parent) {
  level_counts_add(l, POS, parent);
}

static void count_edges(level *l, MlirValue parent_size, MlirValue size) {
  level_counts_sum(l, POS, parent_size);
  allocate_tuples(l, size);
}

static MlirValue tuples_share(level *piece, MlirValue parent, MlirValue begin) {
  return level_counts_share(piece, POS, parent, begin);
}

static MlirValue tuples_scatter(level *l, MlirValue parent, MlirValue coordinate) {
  MlirValue position = level_counts_place(l, POS, parent);
  tuples_append(l, position, coordinate);
  return position;
}

static void count_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_trim(l, POS, parent_size);
  level_trim(l, CRD, place_of(l, size, 0));
}

static const level_format tuples = {
    .name = "tuples",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_APPEND | LEVEL_SCATTER,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arguments = 1, /* coordinates in a tuple */
    .lends = true,
    .arrays = {[POS] = LEVEL_POSITIONS, [CRD] = LEVEL_COORDINATES},
    .layout = "#0 >= p + 1 positions; q = 0[p] last position; #1 >= k * q coordinates | "
              "rising 0 p; under 0[p] 0[p+1]; at 1[k*q]; bounded",
    .pos_iter = tuples_iter,
    .pos_access = tuples_access,
    .append_init = tuples_init,
    .append_reserve = tuples_reserve,
    .append_coord = tuples_append,
    .append_edges = tuples_edges,
    .append_finalize = tuples_finalize,
    .join_init = tuples_join_init,
    .join = tuples_join,
    .scatter_init = count_init,
    .scatter_count = count,
    .scatter_edges = count_edges,
    .scatter_coord = tuples_scatter,
    .scatter_finalize = count_finalize,
    .scatter_share = tuples_share,
};

/* ---- element(k) --------------------------------------------------------------------------- */

static level *tuples_of(level *l) {
  return level_above(l, level_argument(l, 0));
}

static void element_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = parent;
  *end = level_plus_one(l, parent);
}

static void element_access(level *l, MlirValue place, const MlirValue *coordinates,
                           MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  level *above = tuples_of(l);
  *coordinate = level_load(above, CRD, place_of(above, place, level_argument(l, 0)));
}

/* There is room for the tuple once its first coordinate is appended. */
static void element_append(level *l, MlirValue position, MlirValue coordinate) {
  level *above = tuples_of(l);
  level_store(above, CRD, place_of(above, position, level_argument(l, 0)), coordinate);
}

static MlirValue element_scatter(level *l, MlirValue parent, MlirValue coordinate) {
  element_append(l, parent, coordinate);
  return parent;
}

static void nothing_to_init(level *l, MlirValue parent_size) {
  (void)l;
  (void)parent_size;
}

static void nothing_of_sizes(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

/* The level above holds the tuples. */
static void nothing_to_join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                            MlirValue base, MlirValue size) {
  (void)l;
  (void)piece;
  (void)parent_base;
  (void)parent_size;
  (void)base;
  (void)size;
}

static void no_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  (void)l;
  (void)parent;
  (void)begin;
  (void)end;
}

static const level_format element = {
    .name = "element",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_APPEND | LEVEL_SCATTER,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arguments = 1, /* which of the tuple */
    .borrows = true,
    .layout = "q = p | one; at ^k 1[m*q+k]; bounded",
    .pos_iter = element_iter,
    .pos_access = element_access,
    .append_init = nothing_to_init,
    .append_reserve = nothing_of_sizes,
    .append_coord = element_append,
    .append_edges = no_edges,
    .append_finalize = nothing_of_sizes,
    .join_init = nothing_of_sizes,
    .join = nothing_to_join,
    .scatter_edges = nothing_of_sizes,
    .scatter_coord = element_scatter,
    .scatter_finalize = nothing_of_sizes,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&tuples);
  level_format_register(&element);
}
