/* bitmap.c - a bitmap: which coordinates are there, one flag for each.
 *
 *     coord_iter()           <0, N>
 *     coord_access(p, i)     <p * N + i, flag[p * N + i]>
 *     locate(p, i)           the same
 *     size(parents)          parents * N
 *     insert_coord(p, i)     flag[p * N + i] = 1
 *
 * A flag is a byte, so that several threads may insert different coordinates.
 */
#include "level_format.h"

enum { FLAG = 2 };

static void coord_iter(level *l, const MlirValue *coordinates, MlirValue *begin, MlirValue *end) {
  (void)coordinates;
  *begin = constant_index(level_builder(l), 0);
  *end = level_size(l);
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  builder *b = level_builder(l);
  *position = level_place_of(l, parent, coordinates);
  *found = not_equal(b, level_load(l, FLAG, *position), constant_index(b, 0));
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_allocate(l, FLAG, size);
}

static void insert_reserve(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_reserve(l, FLAG, size);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  MlirValue position = level_place_of(l, parent, coordinates);
  level_store(l, FLAG, position, constant_index(level_builder(l), 1));
  return position;
}

static void insert_finalize(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_trim(l, FLAG, size);
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_allocate_raw(l, FLAG, size);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  (void)parent_base;
  (void)parent_size;
  level_copy(l, FLAG, base, piece, level_constant(l, 0), size);
}

static const level_format format = {
    .name = "bitmap",
    .capabilities = LEVEL_COORDINATE_ITERATION | LEVEL_LOCATE | LEVEL_INSERT,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arrays = {[FLAG] = LEVEL_BYTES},
    .layout = "q = p * n; #2 >= q flags",
    .coord_iter = coord_iter,
    .coord_access = locate,
    .locate = locate,
    .insert_size = level_place_count,
    .insert_init = insert_init,
    .insert_reserve = insert_reserve,
    .insert_coord = insert_coord,
    .insert_finalize = insert_finalize,
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
