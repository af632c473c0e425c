/* compressed.c - the compressed level format (Chou et al. 2018, Tables 1, 2 and 4).
 *
 * The children of all parents stand one after another in `crd`; pos[p] is where those of parent p
 * begin, pos[p + 1] where they end.
 *
 *     pos_iter(p)                   <pos[p], pos[p + 1]>
 *     pos_access(q)                 <crd[q], true>
 *     append_coord(q, i)            crd[q] = i
 *     append_edges(p, begin, end)   pos[p + 1] = end
 *     append_finalize               pos[p + 1] = max(pos[p], pos[p + 1]), p ascending
 *     scatter_coord(p, i)           q = pos[p + 1]++;  crd[q] = i
 *
 *   The first level:
 *     collect_count(i)              mark[i] = 1
 *     collect_edges                 rank[i] = mark[0] + .. + mark[i - 1];  where mark[i] is set,
 *                                   crd[rank[i]] = i
 *     collect_coord(i)              rank[i]
 *   Below others, where entries mostly come one parent after another (mark[i]: the last parent, and
 *   one, that i came under; rank[i]: its position there):
 *     collect_count(p, i)           if mark[i] != p + 1 { mark[i] = p + 1; note (p, i) }
 *     collect_edges                 pos, crd: what is noted, each once, ordered;  mark[i] = 0
 *     collect_coord(p, i)           if mark[i] != p + 1 { mark[i] = p + 1; rank[i] = q, found by
 *                                   binary search: crd[q] = i };  rank[i]
 *
 * What there is to `pos` is that of all levels with ends (level_format.h).
 */
#include "level_format.h"

#include "lac_layout.h"

enum { POS = 0, CRD = 1 };
enum { MARK = 0, RANK = 1, NOTES = 2 }; /* scratch */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  level_children(l, POS, parent, begin, end);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  *coordinate = level_load(l, CRD, place);
}

static void append_init(level *l, MlirValue parent_size) {
  level_ends_allocate(l, POS, parent_size);
}

static void append_reserve(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_reserve(l, POS, parent_size);
  if (!mlirValueIsNull(size))
    level_reserve_raw(l, CRD, size);
}

static void append_coord(level *l, MlirValue position, MlirValue coordinate) {
  level_store(l, CRD, position, coordinate);
}

static void append_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  (void)begin;
  level_ends_store(l, POS, parent, end);
}

static void append_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_finalize(l, POS, parent_size);
  level_trim(l, CRD, size);
}

static void join_init(level *l, MlirValue parent_size, MlirValue size) {
  level_allocate_raw(l, CRD, size);
  level_ends_allocate(l, POS, parent_size);
}

static void join(level *l, level *piece, MlirValue parent_base, MlirValue parent_size,
                 MlirValue base, MlirValue size) {
  level_copy(l, CRD, base, piece, level_constant(l, 0), size);
  level_ends_join(l, POS, piece, parent_base, parent_size, base);
}

static void scatter_init(level *l, MlirValue parent_size) {
  level_counts_allocate(l, POS, parent_size);
}

static void scatter_count(level *l, MlirValue parent) {
  level_counts_add(l, POS, parent);
}

static MlirValue scatter_sum(level *l, MlirValue parent_size) {
  return level_counts_sum_at_once(l, POS, parent_size);
}

static void scatter_edges(level *l, MlirValue parent_size, MlirValue size) {
  level_counts_sum(l, POS, parent_size);
  level_allocate_raw(l, CRD, size);
}

static MlirValue scatter_coord(level *l, MlirValue parent, MlirValue coordinate) {
  MlirValue position = level_counts_place(l, POS, parent);
  level_store(l, CRD, position, coordinate);
  return position;
}

static MlirValue scatter_share(level *piece, MlirValue parent, MlirValue begin) {
  return level_counts_share(piece, POS, parent, begin);
}

static void scatter_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_trim(l, POS, parent_size);
  level_trim(l, CRD, size);
}

static bool is_first(const level *l) {
  return level_number(l) == 0;
}

static void collect_init(level *l, MlirValue parent_size) {
  level_scratch(l, MARK, is_first(l) ? 8 : 64, level_size(l));
  level_scratch(l, RANK, 64, level_size(l));
  if (!is_first(l))
    level_notes(l, NOTES);
  level_ends_allocate(l, POS, parent_size);
}

/* Opens an `if` for a coordinate that did not come under the same parent the last time. */
static void mark_new(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue next = level_plus_one(l, parent);
  if_begin(b, not_equal(b, level_scratch_load(l, MARK, coordinate), next));
  level_scratch_store(l, MARK, coordinate, next);
}

static void collect_count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = level_builder(l);
  if (is_first(l)) {
    level_scratch_raise(l, MARK, coordinate, constant_index(b, 1));
    return;
  }
  mark_new(l, parent, coordinate);
  level_note(l, NOTES, parent, coordinate);
  if_end(b);
}

/* The number of coordinates that are marked; with `store` they are stored as well. */
static MlirValue rank(level *l, bool store) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  MlirValue zero = constant_index(b, 0);
  variable count = var_make(b, zero);
  MlirValue i = for_begin(b, zero, level_size(l), constant_index(b, 1));
  MlirValue marked = level_scratch_load(l, MARK, i), position = var_get(b, count);
  if (store) {
    if_begin(b, not_equal(b, marked, zero));
    level_scratch_store(l, RANK, i, position);
    level_store(l, CRD, position, i);
    if_end(b);
  }
  var_set(b, count, add(b, position, marked));
  for_end(b);
  MlirValue size = var_get(b, count);
  var_release(b, mark);
  return size;
}

static MlirValue edges_of_marks(level *l, MlirValue parent_size) {
  MlirValue size = rank(l, false);
  level_allocate_raw(l, CRD, size);
  if_begin(level_builder(l), level_is_fine(l));
  level_store(l, POS, parent_size, size);
  rank(l, true);
  if_end(level_builder(l));
  return size;
}

static void store_notes(level *l, MlirValue parent_size, MlirValue size) {
  builder *b = level_builder(l);
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  MlirValue parent = for_begin(b, zero, parent_size, one);
  level_ends_store(l, POS, parent, level_noted_end(l, NOTES, parent));
  for_end(b);
  MlirValue position = for_begin(b, zero, size, one);
  level_store(l, CRD, position, level_noted_coordinate(l, NOTES, position));
  for_end(b);
  MlirValue coordinate = for_begin(b, zero, level_size(l), one);
  level_scratch_store(l, MARK, coordinate, zero);
  for_end(b);
}

static MlirValue collect_edges(level *l, MlirValue parent_size) {
  if (is_first(l))
    return edges_of_marks(l, parent_size);
  MlirValue size = level_notes_number(l, NOTES, parent_size);
  level_allocate_raw(l, CRD, size);
  if_begin(level_builder(l), level_is_fine(l));
  store_notes(l, parent_size, size);
  if_end(level_builder(l));
  return size;
}

/* The position of a coordinate that is there, between pos[p] and pos[p + 1]. */
static MlirValue find_child(level *l, MlirValue parent, MlirValue coordinate) {
  MlirValue begin, end;
  level_children(l, POS, parent, &begin, &end);
  return level_last_not_above(l, level_load, CRD, coordinate, begin, end);
}

static MlirValue collect_coord(level *l, MlirValue parent, MlirValue coordinate) {
  if (!is_first(l)) {
    mark_new(l, parent, coordinate);
    level_scratch_store(l, RANK, coordinate, find_child(l, parent, coordinate));
    if_end(level_builder(l));
  }
  return level_scratch_load(l, RANK, coordinate);
}

static void collect_release(level *l) {
  level_scratch_free(l, MARK);
  level_scratch_free(l, RANK);
  if (!is_first(l))
    level_notes_free(l, NOTES);
}

static const level_format format = {
    .name = "compressed",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_APPEND | LEVEL_SCATTER | LEVEL_COLLECT,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arrays = {[POS] = LEVEL_POSITIONS, [CRD] = LEVEL_EACH_COORDINATE},
    .layout = LAC_LAYOUT_COMPRESSED,
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .append_init = append_init,
    .append_reserve = append_reserve,
    .append_coord = append_coord,
    .append_edges = append_edges,
    .append_finalize = append_finalize,
    .join_init = join_init,
    .join = join,
    .scatter_init = scatter_init,
    .scatter_count = scatter_count,
    .scatter_edges = scatter_edges,
    .scatter_coord = scatter_coord,
    .scatter_finalize = scatter_finalize,
    .scatter_share = scatter_share,
    .scatter_sum = scatter_sum,
    .collect_init = collect_init,
    .collect_count = collect_count,
    .collect_edges = collect_edges,
    .collect_coord = collect_coord,
    .shared = LEVEL_SHARED_FIRST,
    .collect_release = collect_release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
