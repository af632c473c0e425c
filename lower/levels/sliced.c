/* sliced.c - a level whose children under each parent are the coordinates 0, 1, 2 ... up to an end
 * of each parent's own (Chou et al. 2020, section 3): the slots of ELL.
 *
 *     pos_iter(p)          <pos[p], pos[p + 1]>
 *     pos_access(q)        <q - pos[p], true>
 *     collect_count(p, c)  count[p] = max(count[p], c + 1)
 *     collect_edges        pos[p + 1] = pos[p] + count[p]
 *     collect_coord(p, c)  pos[p] + c
 *
 * So ELL is (i, j) -> (#i : sliced, i : dense, j : padded), and in slices of C rows each, with as
 * many slots as the longest row of the slice has entries,
 * (i floordiv C : dense, #i : sliced, i mod C : dense, j : padded).  Of a dimension instead of a
 * counter it stores rows up to their last entry.
 */
#include "level_format.h"

enum { POS = 0 };
enum { COUNT = 0 }; /* scratch */

/* Remembers where the children of the parent begin. */
static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = level_load(l, POS, parent);
  *end = level_load(l, POS, level_plus_one(l, parent));
  level_set(l, 0, *begin);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = sub(level_builder(l), place, level_get(l, 0));
}

static void collect_init(level *l, MlirValue parent_size) {
  level_scratch(l, COUNT, 64, parent_size);
  level_allocate(l, POS, level_plus_one(l, parent_size));
}

static void collect_count(level *l, MlirValue parent, MlirValue coordinate) {
  level_scratch_raise(l, COUNT, parent, level_plus_one(l, coordinate));
}

static MlirValue collect_edges(level *l, MlirValue parent_size) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable sum = var_make(b, constant_index(b, 0));
  MlirValue parent = for_begin(b, constant_index(b, 0), parent_size, constant_index(b, 1));
  var_set(b, sum, add(b, var_get(b, sum), level_scratch_load(l, COUNT, parent)));
  level_store(l, POS, level_plus_one(l, parent), var_get(b, sum));
  for_end(b);
  MlirValue total = var_get(b, sum);
  var_release(b, mark);
  return total;
}

static MlirValue collect_coord(level *l, MlirValue parent, MlirValue coordinate) {
  return add(level_builder(l), level_load(l, POS, parent), coordinate);
}

static void collect_finalize(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

static void collect_release(level *l) {
  level_scratch_free(l, COUNT);
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)size;
  level_ends_allocate(l, POS, parent_size);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  (void)size;
  level_ends_join(l, POS, piece, parent_base, parent_size, base);
}

static const level_format format = {
    .name = "sliced",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_COLLECT,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .arrays = {[POS] = LEVEL_POSITIONS},
    .cursors = 1,
    .layout = "#0 = p + 1 positions; q = 0[p] last position | rising 0 p; few 0",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .collect_init = collect_init,
    .collect_count = collect_count,
    .collect_edges = collect_edges,
    .collect_coord = collect_coord,
    .shared = LEVEL_SHARED,
    .collect_finalize = collect_finalize,
    .collect_release = collect_release,
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
