/* turns.c - pieces of a result that are joined as they come (join.c), in the loop on threads that
 * makes them: in order, so that each stands right behind those before it.
 *
 *     result    POS  0 2 3 3 ..           so far
 *               CRD  1 4 0 . . . .        room for more, as where one thread appends
 *     piece     POS  0 0 1                its turn: ends become 3 3 4, the coordinate goes to
 *               CRD  2                    position 3; the next piece takes its memory
 *
 * What goes through memory is what one thread would write: a piece is no larger than fits a cache.
 * One that begins when it has the next turn has no arrays of its own where elements stand as they
 * are: it is made in the result, and only ends of parents are copied.
 * Who finishes a piece joins those whose turn it is then, and nobody waits (lac_pieces.c).  Room is
 * made under a lock, where all copies into the result have ended.
 *
 * This is so where all arrays are those of levels that are appended to, which can grow.
 */
#include "building.h"
#include "piece_tensors.h"
#include "storage_state.h"

static bool is_appended(const storage *s, int k) {
  return s->levels[k].way == &building_append;
}

static bool has_join(const storage *s, int k) {
  return s->levels[k].format->format->join;
}

bool turns_are_taken(const storage *s) {
  bool appends = false, grows = true;
  for (int k = 0; k < s->format->level_count; k++) {
    appends |= is_appended(s, k);
    grows &= is_appended(s, k) || !has_join(s, k);
  }
  return appends && grows && !s->plan.values_later;
}

static MlirValue as_i64(storage *s, MlirValue v) {
  return index_cast(s->b, v, type_i(s->b, 64));
}

MlirValue turns_count(storage *s) {
  MlirValue most = parallel_threads(s->b);
  MlirValue count = call(s->b, "lac_kernel_turns_count", type_i(s->b, 64), 1, &most);
  return index_cast(s->b, count, type_index(s->b));
}

/* ---- Sets of arrays ----------------------------------------------------------------------- */

/* As the runtime takes them (lac_kernel.h). */
enum { VALUES_BIT = 62 };

static uint64_t bit_of(int k, int slot) {
  int bit = k * LEVEL_ARRAY_COUNT + slot;
  return bit < VALUES_BIT ? UINT64_C(1) << bit : 0;
}

bool turns_lend(const storage *s, int k, int slot) {
  if (k < 0)
    return s->plan.stored && is_appended(s, s->format->level_count - 1);
  return is_appended(s, k) && s->format->levels[k].format->arrays[slot] == LEVEL_EACH_COORDINATE;
}

int64_t turns_in_place(const storage *s) {
  uint64_t set = (uint64_t)turns_lend(s, -1, 0) << VALUES_BIT;
  for (int k = 0; k < s->format->level_count; k++)
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
      if (turns_lend(s, k, slot))
        set |= bit_of(k, slot);
  return (int64_t)set;
}

/* Those of a piece that need not be zero for the next one. */
static int64_t kept_arrays(const storage *piece) {
  uint64_t kept = (uint64_t)piece->values.raw << VALUES_BIT;
  for (int k = 0; k < piece->format->level_count; k++)
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
      if (piece->levels[k].arrays[slot].raw)
        kept |= bit_of(k, slot);
  return (int64_t)kept;
}

/* ---- Begin -------------------------------------------------------------------------------- */

static MlirValue are_several(storage *s) {
  return less(s->b, constant_index(s->b, 1), s->piece_count);
}

void turns_begin(storage *s) {
  builder *b = s->b;
  int mark = var_mark(b);
  if_begin(b, and_i(b, are_several(s), storage_is_fine(s)));
  storage_begin_levels(piece_of_all(s));
  if_end(b);
  var_release(b, mark);
}

/* ---- A turn ------------------------------------------------------------------------------- */

/* Of a row beside the sizes (lac_kernel.h): that of all, and that of what there is room for. */
static MlirValue row_of_all(storage *s) {
  return piece_sizes(s, s->piece_count);
}
static MlirValue row_of_room(storage *s) {
  return piece_sizes(s, add(s->b, s->piece_count, constant_index(s->b, 1)));
}

/* Of each level that counts (piece_tensors.h). */
static MlirValue *read_counted(storage *s, MlirValue row) {
  MlirValue *counted = ARENA_ARRAY(s->memory, MlirValue, s->format->level_count);
  for (int k = 0; k < s->format->level_count; k++)
    counted[k] = piece_counted(s, row, k);
  return counted;
}

static MlirValue *read_row(storage *s, MlirValue row) {
  MlirValue *sizes = ARENA_ARRAY(s->memory, MlirValue, s->format->level_count);
  for (int k = 0; k < s->format->level_count; k++)
    sizes[k] = piece_size(s, row, k);
  return sizes;
}

static void make_room(storage *s, storage *now, int k, MlirValue needed) {
  builder *b = s->b;
  MlirValue rooms = row_of_room(s), room = piece_size(s, rooms, k);
  if_begin(b, less(b, room, needed));
  call(b, "lac_kernel_turn_alone", (MlirType){NULL}, 1, &s->pieces);
  MlirValue more = max_i(b, mul(b, room, constant_index(b, 2)), needed);
  append_reserve_positions(&now->levels[k], more);
  piece_set_size(s, rooms, k, more);
  if_end(b);
}

/* What stands before the piece, and what it has. */
static void take_counted(storage *now, storage *piece, const MlirValue *begins,
                         const MlirValue *ends) {
  for (int k = 0; k < now->format->level_count; k++) {
    if (mlirValueIsNull(begins[k]))
      continue;
    piece_take_counted(&now->levels[k], begins[k]);
    piece_take_counted(&piece->levels[k], sub(now->b, ends[k], begins[k]));
  }
}

static void copy_piece(storage *now, storage *piece, const MlirValue *begins,
                       const MlirValue *ends) {
  builder *b = now->b;
  MlirValue zero = constant_index(b, 0), parents = {NULL}, parent_count = {NULL}, size = zero;
  for (int k = 0; k < now->format->level_count; k++) {
    level *l = &now->levels[k];
    size = sub(b, ends[k], begins[k]);
    if (has_join(now, k))
      l->format->format->join(l, &piece->levels[k], parents, parent_count, begins[k], size);
    parents = begins[k];
    parent_count = size;
  }
  stored_array_copy(now, &now->values, parents, piece, zero, size);
}

static void take_turn(storage *s, const storage *made, MlirValue i) {
  builder *b = s->b;
  MlirValue *begins = read_row(s, piece_sizes(s, i)), *ends = read_row(s, row_of_all(s));
  MlirValue *counted = read_counted(s, piece_sizes(s, i));
  MlirValue *counted_ends = read_counted(s, row_of_all(s));
  storage *now = append_to_now(s, ends);
  for (int k = 0; k < s->format->level_count; k++)
    if (is_appended(s, k)) /* and for a piece in place */
      make_room(s, now, k, add(b, ends[k], made->expected));
  MlirValue placed[] = {s->pieces, as_i64(s, i), s->handle};
  call(b, "lac_kernel_turn_go", (MlirType){NULL}, 3, placed);
  if_begin(b, storage_is_fine(s));
  storage *piece = piece_open(s, i);
  take_counted(now, piece, counted, counted_ends);
  copy_piece(now, piece, begins, ends);
  if_end(b);
  MlirValue kept = constant_integer(b, type_i(b, 64), kept_arrays(made));
  MlirValue arguments[] = {s->pieces, as_i64(s, i), kept};
  call(b, "lac_kernel_turn_end", (MlirType){NULL}, 3, arguments);
}

static MlirValue begin_turn(storage *s, MlirValue made) {
  MlirValue arguments[] = {s->pieces, as_i64(s, made)};
  MlirValue turn = call(s->b, "lac_kernel_turn_begin", type_i(s->b, 64), 2, arguments);
  return index_cast(s->b, turn, type_index(s->b));
}

/* for (turn = begin(i); turn >= 0; turn = begin(none)) */
void turns_take(storage *s, const storage *piece, MlirValue i) {
  builder *b = s->b;
  int mark = var_mark(b);
  if_begin(b, are_several(s));
  variable turn = var_make(b, begin_turn(s, i));
  while_begin(b);
  while_do(b, less_equal(b, constant_index(b, 0), var_get(b, turn)));
  int inside = var_mark(b);
  take_turn(s, piece, var_get(b, turn));
  var_release(b, inside);
  var_set(b, turn, begin_turn(s, constant_index(b, -1)));
  while_end(b);
  if_end(b);
  var_release(b, mark);
}

/* ---- End ---------------------------------------------------------------------------------- */

void turns_finish(storage *s) {
  builder *b = s->b;
  int mark = var_mark(b);
  MlirValue zero = constant_index(b, 0);
  storage *all = append_to_now(s, read_row(s, row_of_all(s)));
  for (int k = 0; k < s->format->level_count; k++)
    piece_take_counted(&all->levels[k], piece_counted(s, row_of_all(s), k));
  if (is_appended(all, 0))
    storage_close(all, 0, zero, zero);
  storage_finish_levels(all, NULL);
  var_release(b, mark);
}
