/* loose_compressed.c - the compressed level format with an end for each parent of its own: between
 * the children of one parent and those of the next there may be room.
 *
 *     pos_iter(p)                   <begin[p], end[p]>
 *     pos_access(q)                 <crd[q], true>
 *     append_coord(q, i)            crd[q] = i
 *     append_edges(p, begin, end)   begin[p] = begin;  end[p] = end
 *     join(p0, q0)                  begin[p0 + p] = q0 + begin[p];  end[p0 + p] = q0 + end[p]
 *
 * Parents without children begin and end at 0, wherever they stand.
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

static void store_span(level *l, MlirValue parent, MlirValue is_some, MlirValue begin,
                       MlirValue end) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  level_store(l, BEGIN, parent, select_value(b, is_some, begin, zero));
  level_store(l, END, parent, select_value(b, is_some, end, zero));
}

static void append_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  store_span(l, parent, less(level_builder(l), begin, end), begin, end);
}

static void append_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_trim(l, BEGIN, parent_size);
  level_trim(l, END, parent_size);
  level_trim(l, CRD, size);
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  level_allocate_raw(l, CRD, size);
  append_init(l, parent_size);
}

static void join_spans(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                       MlirValue base) {
  builder *b = level_builder(l);
  MlirValue parent = for_begin(b, level_constant(l, 0), parent_size, level_constant(l, 1));
  MlirValue begin = level_load(piece, BEGIN, parent), end = level_load(piece, END, parent);
  store_span(l, add(b, parent_base, parent), less(b, begin, end), add(b, base, begin),
             add(b, base, end));
  for_end(b);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  level_copy(l, CRD, base, piece, level_constant(l, 0), size);
  if (!mlirValueIsNull(parent_base))
    join_spans(l, piece, parent_base, parent_size, base);
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
    .join_init = join_init,
    .join = join,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
