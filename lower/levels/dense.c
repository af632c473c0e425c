/* dense.c - the dense level format (Chou et al. 2018, Tables 1, 2 and 4).
 *
 * Every coordinate of 0..N-1 is there under every parent; nothing is stored but the size N.
 *
 *     coord_iter()           <0, N>
 *     coord_access(p, i)     <p * N + i, true>
 *     locate(p, i)           <p * N + i, true>
 *     size(parents)          parents * N
 *     parents_before(q)      ceil(q / N)
 *     insert_*               nothing to do
 */
#include "level_format.h"

#include "lac_layout.h"

static void coord_iter(level *l, const MlirValue *coordinates, MlirValue *begin, MlirValue *end) {
  (void)coordinates;
  *begin = constant_index(level_builder(l), 0);
  *end = level_size(l);
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  (void)found;
  *position = level_place_of(l, parent, coordinates);
}

static MlirValue parents_before(level *l, MlirValue parent_size, MlirValue position) {
  builder *b = level_builder(l);
  MlirValue size = max_i(b, level_size(l), constant_index(b, 1));
  return min_i(b, ceil_div(b, position, size), parent_size);
}

static void nothing(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

static const level_format format = {
    .name = "dense",
    .capabilities = LEVEL_COORDINATE_ITERATION | LEVEL_LOCATE | LEVEL_INSERT,
    .properties =
        LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT | LEVEL_CONSECUTIVE | LEVEL_EVEN,
    .layout = LAC_LAYOUT_DENSE,
    .coord_iter = coord_iter,
    .coord_access = locate,
    .locate = locate,
    .parents_before = parents_before,
    .insert_size = level_place_count,
    .insert_init = nothing,
    .insert_coord = level_place_of,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
