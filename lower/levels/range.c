/* range.c - the range level format (Chou et al. 2018, Tables 1 and 2): the rows of a diagonal.
 *
 * Below the difference d = j - i the rows are those where i and i + d are in bounds.  Nothing is
 * stored, and there is room for all N of them:
 *
 *     coord_iter(.., d)      <max(0, -d), min(N, M - d)>
 *     coord_access(p, i)     <p * N + i, true>
 *     locate(p, i)           <p * N + i, true>
 *     size(parents)          parents * N
 *
 * It is full: it has every coordinate that those above leave.
 */
#include "level_format.h"

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  (void)found;
  *position = level_place_of(l, parent, coordinates);
}

static void nothing(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

static const level_format format = {
    .name = "range",
    .capabilities = LEVEL_COORDINATE_ITERATION | LEVEL_LOCATE | LEVEL_INSERT,
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_CONSECUTIVE | LEVEL_EVEN,
    .layout = "q = p * n",
    .coord_iter = level_bounds,
    .coord_access = locate,
    .locate = locate,
    .insert_size = level_place_count,
    .insert_init = nothing,
    .insert_coord = level_place_of,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
