/* join.c - a result that is appended to on threads: each appends a piece of it, for a range of
 * coordinates of its first level, a tensor of its own; they are joined in the order of the ranges,
 * as they come (turns.c), or here, where an array can only be made when all sizes are known:
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
#include "piece_tensors.h"
#include "storage_state.h"

static bool is_appended(const storage *s, int k) {
  return s->levels[k].way == &building_append;
}

/* ---- Pieces ------------------------------------------------------------------------------- */

MlirValue storage_piece_count(storage *s) {
  if (turns_are_taken(s))
    return turns_count(s);
  MlirValue most = parallel_threads(s->b);
  MlirValue count = call(s->b, "lac_kernel_pieces_count", type_i(s->b, 64), 1, &most);
  return index_cast(s->b, count, type_index(s->b));
}

MlirValue storage_begin_pieces(storage *s, MlirValue count) {
  piece_tensors_make(s, count, piece_row_length(s));
  if (turns_are_taken(s))
    turns_begin(s);
  return storage_is_fine(s);
}

MlirValue storage_next_piece(storage *s, MlirValue n) {
  return turns_are_taken(s) ? piece_next(s) : n;
}

storage *storage_begin_piece(storage *s, MlirValue i, MlirValue first, MlirValue end,
                             MlirValue expected, MlirValue *begun) {
  bool ranges = !is_appended(s, 0);
  storage *piece = piece_begin(s, i, ranges ? sub(s->b, end, first) : s->levels[0].size,
                               turns_are_taken(s) ? turns_in_place(s) : 0);
  piece->expected = expected;
  piece->takes_turns = turns_are_taken(s);
  piece->pieces = s->pieces;
  piece->first = ranges ? first : (MlirValue){NULL};
  *begun = storage_begin_levels(piece);
  return piece;
}

void storage_finish_piece(storage *s, storage *piece, MlirValue i) {
  builder *b = s->b;
  int count = s->format->level_count;
  MlirValue *positions = ARENA_ARRAY(s->memory, MlirValue, count);
  if (is_appended(piece, 0))
    storage_close(piece, 0, constant_index(b, 0), constant_index(b, 0));
  storage_finish_levels(piece, positions);
  MlirValue sizes = piece_sizes(s, i);
  for (int k = 0; k < count; k++)
    piece_set_size(s, sizes, k, positions[k]);
  piece_note_counted(s, sizes, piece);
  if (turns_are_taken(s))
    turns_take(s, piece, i);
}

/* ---- Joining ------------------------------------------------------------------------------ */

/* Levels that have arrays; others follow from their parents. */
static bool has_join(const storage *s, int k) {
  return s->levels[k].format->format->join;
}

/* Exactly as much room as all need. */
static void make_room(storage *s, MlirValue totals) {
  MlirValue parents = constant_index(s->b, 1);
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    MlirValue total = piece_size(s, totals, k);
    if (has_join(s, k)) {
      storage_check_positions(s, l, total);
      piece_take_counted(l, piece_counted(s, totals, k));
      l->format->format->join_init(l, parents, total);
    }
    parents = total;
  }
  if (!s->plan.values_later) {
    s->values.raw = true;
    stored_array_allocate(s, &s->values, parents);
  }
}

/* Where a piece's positions of a level stand in the result, and how many there are. */
typedef struct share {
  MlirValue base, size;
} share;

static share share_of(storage *s, MlirValue own, MlirValue next, int k) {
  MlirValue base = piece_size(s, own, k);
  return (share){base, sub(s->b, piece_size(s, next, k), base)};
}

/* The same of what it counts; nothing of a level that does not. */
static share counted_of(storage *s, MlirValue own, MlirValue next, int k) {
  MlirValue base = piece_counted(s, own, k);
  return mlirValueIsNull(base) ? (share){{NULL}, {NULL}}
                               : (share){base, sub(s->b, piece_counted(s, next, k), base)};
}

static void join_piece(storage *s, MlirValue i) {
  builder *b = s->b;
  storage *piece = piece_open(s, i);
  MlirValue own = piece_sizes(s, i), next = piece_sizes(s, add(b, i, constant_index(b, 1)));
  share parents = {{NULL}, {NULL}};
  for (int k = 0; k < s->format->level_count; k++) {
    level l = s->levels[k];
    share here = share_of(s, own, next, k), counted = counted_of(s, own, next, k);
    piece_take_counted(&l, counted.base);
    piece_take_counted(&piece->levels[k], counted.size);
    if (has_join(s, k))
      l.format->format->join(&l, &piece->levels[k], parents.base, parents.size, here.base,
                             here.size);
    parents = here;
  }
  if (!s->plan.values_later)
    stored_array_copy(s, &s->values, parents.base, piece, constant_index(b, 0), parents.size);
  piece_tensors_order(s);
}

static void join_all(storage *s) {
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0);
  piece_tensors_sum(s);
  MlirValue totals = piece_sizes(s, s->piece_count);
  make_room(s, totals);
  piece_tensors_order(s);
  if_begin(b, storage_is_fine(s));
  MlirValue i = parallel_begin(b, zero, s->piece_count, constant_index(b, 1));
  join_piece(s, i);
  parallel_end(b);
  if (has_join(s, 0))
    s->levels[0].format->format->append_edges(&s->levels[0], zero, zero, piece_size(s, totals, 0));
  if_end(b);
}

void storage_join_pieces(storage *s) {
  builder *b = s->b;
  if_begin(b, storage_is_fine(s));
  if_begin(b, equal(b, s->piece_count, constant_index(b, 1)));
  piece_tensors_take(s);
  if_else(b);
  if (turns_are_taken(s))
    turns_finish(s);
  else
    join_all(s);
  if_end(b);
  if_end(b);
}

void storage_join(storage *s) {
  storage_join_pieces(s);
  piece_tensors_free(s);
}
