/* padded.c - a level with one coordinate, or none, under each parent: the columns of ELL, where
 * rows end before the longest one does.
 *
 *     pos_iter(p)          <p, p + 1>
 *     pos_access(q)        <crd[q], crd[q] is not all ones>
 *     insert_coord(p, i)   crd[p] = i
 *     size(parents)        parents
 *
 * Where there is none the stored coordinate is all ones, which is why the level must have fewer
 * coordinates than its width can tell apart.
 */
#include "level_format.h"

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
  *coordinate = level_load(l, CRD, place);
  *found = not_equal(level_builder(l), *coordinate, level_all_ones(l, CRD));
}

static void pos_access_lanes(level *l, MlirValue place, MlirValue mask, int64_t lanes,
                             MlirValue *coordinates, MlirValue *found) {
  *coordinates = level_load_masked(l, CRD, place, mask, lanes);
  *found = level_lanes_found(l, *coordinates);
}

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)l;
  return parent_size;
}

/* The loop has nothing to go through where there is no memory. */
static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  builder *b = level_builder(l);
  if (level_width(l, CRD) < 64)
    level_must_fit(l, level_size(l), level_width(l, CRD), "the number of coordinates");
  level_allocate_raw(l, CRD, size);
  if_begin(b, level_is_fine(l));
  MlirValue i = for_begin(b, constant_index(b, 0), size, constant_index(b, 1));
  level_store(l, CRD, i, level_all_ones(l, CRD));
  for_end(b);
  if_end(b);
}

/* Unless a counter tells entries apart, another one may have come there before. */
static void refuse_second(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue held = level_load(l, CRD, parent);
  MlirValue is_there = not_equal(b, held, level_all_ones(l, CRD));
  if_begin(b, and_i(b, is_there, not_equal(b, held, coordinate)));
  level_refuse_more(l, 1);
  if_end(b);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  MlirValue coordinate = coordinates[level_number(l)];
  if (!level_is_numbered(l))
    refuse_second(l, parent, coordinate);
  level_store(l, CRD, parent, coordinate);
  return parent;
}

static void insert_finalize(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
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
    .name = "padded",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS,
    .arrays = {[CRD] = LEVEL_COORDINATES},
    .layout = "q = p; #1 >= p coordinates | at 1[q]; bounded or none",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .pos_access_lanes = pos_access_lanes,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .insert_finalize = insert_finalize,
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
