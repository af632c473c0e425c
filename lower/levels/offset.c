/* offset.c - the offset level format (Chou et al. 2018, Tables 1 and 2): the column that a diagonal
 * has in a row.
 *
 * The one coordinate below each parent follows from the coordinates above, j = i + d; nothing is
 * stored:
 *
 *     pos_iter(p)          <p, p + 1>
 *     pos_access(p, .., d, i)   <i + d, true>
 *     locate(p, j)         <p, true>
 *     size(parents)        parents
 */
#include "level_format.h"

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  builder *b = level_builder(l);
  *begin = parent;
  *end = add(b, parent, constant_index(b, 1));
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)place;
  (void)position;
  (void)found;
  *coordinate = level_implied(l, coordinates);
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  (void)l;
  (void)coordinates;
  (void)found;
  *position = parent;
}

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)l;
  return parent_size;
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)l;
  (void)coordinates;
  return parent;
}

static void nothing(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

static const level_format format = {
    .name = "offset",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_LOCATE | LEVEL_INSERT,
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS,
    .layout = "q = p",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .locate = locate,
    .insert_size = insert_size,
    .insert_init = nothing,
    .insert_coord = insert_coord,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
