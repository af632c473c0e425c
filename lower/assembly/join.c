/* join.c - a result that is appended to on threads: each appends a piece of it, for a range of
 * coordinates of its first level, a tensor of its own; then they are joined, in the order of the
 * ranges.
 *
 *     pieces           POS  0 2 3      0 0 1          each with private arrays
 *                      CRD  1 4 0      2
 *     sizes            2 rows, 3       2 rows, 1      summed up: where each piece begins
 *     result           POS  0 2 3 3 4                 exactly as much room, parallel copies: the
 *                      CRD  1 4 0 2                   level's `join` (level_format.h)
 *
 * A piece is built as the result would be on one thread, its first level from the range's begin on
 * where that level has a place for each coordinate.  So nothing depends on where the ranges end.
 * One piece, as a single thread makes, becomes the result as it is.
 */
#include "building.h"
#include "storage_state.h"

static MlirValue as_i64(storage *s, MlirValue v) {
  return index_cast(s->b, v, type_i(s->b, 64));
}

static MlirValue as_index(storage *s, MlirValue v) {
  return index_cast(s->b, v, type_index(s->b));
}

static bool is_appended(const storage *s, int k) {
  return s->levels[k].way == &building_append;
}

/* ---- Pieces ------------------------------------------------------------------------------- */

MlirValue storage_begin_joined(storage *s, const MlirValue *dimensions, const building_plan *p) {
  s->plan = *p;
  s->joined = true;
  storage_build(s, dimensions, p->initial);
  storage_set_up(s);
  storage_choose_ways(s, p);
  return storage_is_fine(s);
}

bool storage_is_joined(const storage *s) {
  return s->joined;
}

void storage_tell(storage *s) {
  s->told = true;
}

bool storage_is_told(const storage *s) {
  return s->told;
}

MlirValue storage_goes_well(storage *s) {
  return storage_is_fine(s);
}

bool storage_is_piece(const storage *s) {
  return s->piece;
}

MlirValue storage_pieces(storage *s, MlirValue count, MlirValue *there) {
  MlirValue levels = constant_integer(s->b, type_i(s->b, 64), s->format->level_count);
  MlirValue arguments[] = {as_i64(s, count), levels, s->status};
  MlirValue pieces = call(s->b, "lac_kernel_pieces", type_ptr(s->b), 3, arguments);
  *there = storage_is_fine(s);
  return pieces;
}

static MlirValue sizes_of(storage *s, MlirValue pieces, MlirValue i) {
  MlirValue arguments[] = {pieces, as_i64(s, i)};
  return call(s->b, "lac_kernel_piece_sizes", type_ptr(s->b), 2, arguments);
}

storage *storage_begin_piece(storage *s, MlirValue pieces, MlirValue i, MlirValue first,
                             MlirValue end, MlirValue expected, MlirValue *begun) {
  builder *b = s->b;
  bool ranges = !is_appended(s, 0);
  MlirValue size = ranges ? sub(b, end, first) : s->levels[0].size;
  MlirValue arguments[] = {pieces, as_i64(s, i), s->handle, as_i64(s, size), s->status};
  MlirValue handle = call(b, "lac_kernel_piece_begin", type_ptr(b), 5, arguments);
  storage *piece = storage_make(s->memory, b, s->format, s->name, handle, s->status);
  storage_build(piece, s->dimensions, s->plan.initial);
  piece->piece = true;
  piece->expected = expected;
  piece->levels[0].size = size;
  piece->first = ranges ? first : (MlirValue){NULL};
  storage_choose_ways(piece, &s->plan);
  *begun = storage_begin_levels(piece);
  return piece;
}

void storage_finish_piece(storage *piece, MlirValue pieces, MlirValue i) {
  builder *b = piece->b;
  int count = piece->format->level_count;
  MlirValue *positions = ARENA_ARRAY(piece->memory, MlirValue, count);
  if (is_appended(piece, 0))
    storage_close(piece, 0, constant_index(b, 0), constant_index(b, 0));
  storage_finish_levels(piece, positions);
  MlirValue sizes = sizes_of(piece, pieces, i);
  for (int k = 0; k < count; k++)
    store_element(b, as_i64(piece, positions[k]), sizes, constant_index(b, k));
}

/* ---- Joining ------------------------------------------------------------------------------ */

static MlirValue size_at(storage *s, MlirValue sizes, int k) {
  MlirValue at = constant_index(s->b, k);
  return as_index(s, load_element(s->b, sizes, at, type_i(s->b, 64)));
}

/* Exactly as much room as all need. */
static void make_room(storage *s, MlirValue totals) {
  MlirValue parents = constant_index(s->b, 1);
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    MlirValue total = size_at(s, totals, k);
    if (is_appended(s, k)) {
      storage_check_positions(s, l, total);
      l->format->format->join_init(l, parents, total);
    }
    parents = total;
  }
  s->values.raw = true;
  stored_array_allocate(s, &s->values, parents);
}

/* Where a piece's positions of a level stand in the result, and how many there are. */
typedef struct share {
  MlirValue base, size;
} share;

static share share_of(storage *s, MlirValue own, MlirValue next, int k) {
  MlirValue base = size_at(s, own, k);
  return (share){base, sub(s->b, size_at(s, next, k), base)};
}

static void join_piece(storage *s, MlirValue pieces, MlirValue i) {
  builder *b = s->b;
  MlirValue arguments[] = {pieces, as_i64(s, i)};
  MlirValue handle = call(b, "lac_kernel_piece", type_ptr(b), 2, arguments);
  MlirValue own = sizes_of(s, pieces, i);
  MlirValue next = sizes_of(s, pieces, add(b, i, constant_index(b, 1)));
  storage *piece = storage_make(s->memory, b, s->format, s->name, handle, s->status);
  storage_open(piece);
  share parents = {{NULL}, {NULL}};
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    share here = share_of(s, own, next, k);
    if (is_appended(s, k))
      l->format->format->join(l, &piece->levels[k], parents.base, parents.size, here.base,
                              here.size);
    parents = here;
  }
  stored_array_copy(s, &s->values, parents.base, piece, constant_index(b, 0), parents.size);
  call(b, "lac_kernel_pieces_order", (MlirType){NULL}, 1, &pieces);
}

static void join_all(storage *s, MlirValue pieces, MlirValue count) {
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0);
  call(b, "lac_kernel_pieces_sum", (MlirType){NULL}, 1, &pieces);
  MlirValue totals = sizes_of(s, pieces, count);
  make_room(s, totals);
  call(b, "lac_kernel_pieces_order", (MlirType){NULL}, 1, &pieces);
  if_begin(b, storage_is_fine(s));
  MlirValue i = parallel_begin(b, zero, count, constant_index(b, 1));
  join_piece(s, pieces, i);
  parallel_end(b);
  if (is_appended(s, 0))
    s->levels[0].format->format->append_edges(&s->levels[0], zero, zero, size_at(s, totals, 0));
  if_end(b);
}

void storage_join(storage *s, MlirValue pieces, MlirValue count) {
  builder *b = s->b;
  MlirValue arguments[] = {pieces, s->handle};
  if_begin(b, storage_is_fine(s));
  if_begin(b, equal(b, count, constant_index(b, 1)));
  call(b, "lac_kernel_pieces_take", (MlirType){NULL}, 2, arguments);
  if_else(b);
  join_all(s, pieces, count);
  if_end(b);
  if_end(b);
  call(b, "lac_kernel_pieces_free", (MlirType){NULL}, 1, &pieces);
}
