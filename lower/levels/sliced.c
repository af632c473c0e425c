/* sliced.c - a level whose children under each parent are the coordinates 0, 1, 2 ... up to an end
 * of each parent's own (Chou et al. 2020, section 3): the slots of ELL.
 *
 *     pos_iter(p)          <pos[p], pos[p + 1]>
 *     pos_access(q)        <q - pos[p], true>
 *
 * So ELL is (i, j) -> (#i : sliced, i : dense, j : padded), and in slices of C rows each, with as
 * many slots as the longest row of the slice has entries,
 * (i floordiv C : dense, #i : sliced, i mod C : dense, j : padded).  Of a dimension instead of a
 * counter it stores rows up to their last entry.
 */
#include "level_format.h"

enum { POS = 0 };

static MlirValue plus_one(level *l, MlirValue x) {
  builder *b = level_builder(l);
  return add(b, x, constant_index(b, 1));
}

/* Remembers where the children of the parent begin. */
static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = level_load(l, POS, parent);
  *end = level_load(l, POS, plus_one(l, parent));
  level_set(l, 0, *begin);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = sub(level_builder(l), place, level_get(l, 0));
}

static const level_format format = {
    .name = "sliced",
    .capabilities = LEVEL_POSITION_ITERATION,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT | LEVEL_CONSECUTIVE,
    .arrays = {[POS] = LEVEL_POSITIONS},
    .cursors = 1,
    .pos_iter = pos_iter,
    .pos_access = pos_access,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
