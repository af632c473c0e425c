/* singleton.c - the singleton level format (Chou et al. 2018, Tables 1, 2 and 4).
 *
 * Each parent has exactly one child, at the parent's own position.  Under a level that inserts,
 * what has none or several is refused: the kernel ends with a status.
 *
 *     pos_iter(p)          <p, p + 1>
 *     pos_access(q)        <crd[q], true>
 *     append_coord(q, i)   crd[q] = i
 *     scatter_coord(q, i)  crd[q] = i
 */
#include "level_format.h"

#include "lac_layout.h"

enum { CRD = 1 };

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  builder *b = level_builder(l);
  *begin = parent;
  *end = add(b, parent, constant_index(b, 1));
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = level_load(l, CRD, place);
}

static void pos_access_lanes(level *l, MlirValue place, MlirValue mask, int64_t lanes,
                             MlirValue *coordinates, MlirValue *found) {
  (void)found;
  *coordinates = level_load_masked(l, CRD, place, mask, lanes);
}

static void append_init(level *l, MlirValue parent_size) {
  (void)l;
  (void)parent_size;
}

static void append_reserve(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  if (!mlirValueIsNull(size))
    level_reserve_raw(l, CRD, size);
}

static void append_coord(level *l, MlirValue position, MlirValue coordinate) {
  level_store(l, CRD, position, coordinate);
}

static void expect_equal(level *l, MlirValue x, MlirValue y) {
  builder *b = level_builder(l);
  if_begin(b, not_equal(b, x, y));
  level_refuse_other(l, 1);
  if_end(b);
}

static void append_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  (void)parent;
  expect_equal(l, sub(level_builder(l), end, begin), level_constant(l, 1));
}

static void append_finalize(level *l, MlirValue parent_size, MlirValue size) {
  if (!mlirValueEqual(parent_size, size))
    expect_equal(l, size, parent_size);
  level_trim(l, CRD, size);
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

static void scatter_edges(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_allocate_raw(l, CRD, size);
}

static MlirValue scatter_coord(level *l, MlirValue parent, MlirValue coordinate) {
  level_store(l, CRD, parent, coordinate);
  return parent;
}

static const level_format format = {
    .name = "singleton",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_APPEND | LEVEL_SCATTER,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arrays = {[CRD] = LEVEL_EACH_COORDINATE},
    .layout = LAC_LAYOUT_SINGLETON,
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .pos_access_lanes = pos_access_lanes,
    .append_init = append_init,
    .append_reserve = append_reserve,
    .append_coord = append_coord,
    .append_edges = append_edges,
    .append_finalize = append_finalize,
    .join_init = join_init,
    .join = join,
    .scatter_edges = scatter_edges,
    .scatter_coord = scatter_coord,
    .scatter_finalize = append_finalize,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
