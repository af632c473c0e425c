/* loose_compressed.c - the compressed level format with an end for each parent of its own: between
 * the children of one parent and those of the next there may be room.
 *
 *     pos_iter(p)                   <begin[p], end[p]>
 *     pos_access(q)                 <crd[q], true>
 *     append_coord(q, i)            crd[q] = i
 *     append_edges(p, begin, end)   begin[p] = begin;  end[p] = end
 *
 * Parents that were passed over begin and end at 0.
 */
#include "level_format.h"

enum { BEGIN = 0, CRD = 1, END = 2 };

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = level_load(l, BEGIN, parent);
  *end = level_load(l, END, parent);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = level_load(l, CRD, place);
}

static void append_init(level *l, MlirValue parent_size) {
  if (mlirValueIsNull(parent_size))
    return;
  level_allocate(l, BEGIN, parent_size);
  level_allocate(l, END, parent_size);
}

static void append_reserve(level *l, MlirValue parent_size, MlirValue size) {
  if (!mlirValueIsNull(parent_size)) {
    level_reserve(l, BEGIN, parent_size);
    level_reserve(l, END, parent_size);
  }
  if (!mlirValueIsNull(size))
    level_reserve(l, CRD, size);
}

static void append_coord(level *l, MlirValue position, MlirValue coordinate) {
  level_store(l, CRD, position, coordinate);
}

static void append_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  level_store(l, BEGIN, parent, begin);
  level_store(l, END, parent, end);
}

static void append_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_trim(l, BEGIN, parent_size);
  level_trim(l, END, parent_size);
  level_trim(l, CRD, size);
}

static const level_format format = {
    .name = "loose_compressed",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_APPEND,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arrays = {[BEGIN] = LEVEL_POSITIONS, [CRD] = LEVEL_EACH_COORDINATE, [END] = LEVEL_POSITIONS},
    .layout = "#0 >= p begins; #2 >= p ends; q = greatest 2; #1 >= q coordinates | "
              "under 0[p] 2[p]; at 1[q]; spans",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .append_init = append_init,
    .append_reserve = append_reserve,
    .append_coord = append_coord,
    .append_edges = append_edges,
    .append_finalize = append_finalize,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
