/* coord_accumulator.c - workspaces that take what is inserted as it comes: insert, sort, merge
 * (Zhang et al. 2024, section 4).
 *
 *     listed     key, position        0 .. settled - 1: ascending, each once (all array)
 *                                     settled .. count - 1: as inserted (accumulation array)
 *                                     and as much room behind them, to sort in
 *     values     one for each, at its position below count
 *     count      how many they are;  room  for how many;  settled
 *
 *     insert_coord(i)    where there is no room it is made; listed[count] = i, count; count + 1
 *     settle             sort what was inserted, merge it with what is settled, combine equal ones
 *     sort               settle
 *     pos_iter           <0, count>
 *     pos_access(q)      <listed[q]>, and its position
 *     clear              count = settled = 0
 *
 * Two policies make room each in its way: `coord` settles, and grows where that leaves little room,
 * so that memory is for what is there and not for what was inserted; `vector` grows, and settles
 * once, at the end.
 */
#include "listed.h"

enum { SETTLED = LISTED_ROOM + 1, USED }; /* variables; USED: the most that there have been */
enum { FIRST_ROOM = 256, ROOM_WORDS = 2 * LISTED_WORDS };

static MlirValue zero(level *l) {
  return level_constant(l, 0);
}

static void step(level *l, variable n) {
  builder *b = level_builder(l);
  var_set(b, n, level_plus_one(l, var_get(b, n)));
}

/* ---- Settling ----------------------------------------------------------------------------- */

static void merge(level *l) {
  builder *b = level_builder(l);
  MlirType i64 = type_i(b, 64);
  MlirValue arguments[] = {level_scratch_pointer(l, LISTED),
                           index_cast(b, level_get(l, SETTLED), i64),
                           index_cast(b, level_get(l, LISTED_COUNT), i64),
                           index_cast(b, level_get(l, LISTED_ROOM), i64)};
  call(b, "lac_kernel_merge_pairs", (MlirType){NULL}, 4, arguments);
}

/* Whether pair q has the key of the last one that is kept. */
static MlirValue is_kept(level *l, MlirValue q, MlirValue kept) {
  builder *b = level_builder(l);
  MlirValue none = equal(b, kept, zero(l));
  MlirValue last = sub(b, select_value(b, none, level_constant(l, 1), kept), level_constant(l, 1));
  MlirValue alike = equal(b, listed_first(l, LISTED, q), listed_first(l, LISTED, last));
  return and_i(b, not_equal(b, kept, zero(l)), alike);
}

/* Of equal ones the first is kept, with the values of all; in the room to sort in, the positions
 * that are free then. */
static void combine_equal(level *l, variable kept, variable freed) {
  builder *b = level_builder(l);
  MlirValue one = level_constant(l, 1), room = level_get(l, LISTED_ROOM);
  MlirValue q = for_begin(b, zero(l), level_get(l, LISTED_COUNT), one);
  MlirValue key = listed_first(l, LISTED, q), position = listed_second(l, LISTED, q);
  if_begin(b, is_kept(l, q, var_get(b, kept)));
  level_combine_values(l, listed_second(l, LISTED, sub(b, var_get(b, kept), one)), position);
  listed_store(l, LISTED, add(b, room, var_get(b, freed)), position, position);
  step(l, freed);
  if_else(b);
  listed_store(l, LISTED, var_get(b, kept), key, position);
  step(l, kept);
  if_end(b);
  for_end(b);
}

/* The next free position below `kept`. */
static MlirValue take_free(level *l, variable taken, MlirValue kept) {
  builder *b = level_builder(l);
  MlirValue room = level_get(l, LISTED_ROOM);
  while_begin(b);
  MlirValue is_beyond =
      less_equal(b, kept, listed_first(l, LISTED, add(b, room, var_get(b, taken))));
  while_do(b, is_beyond);
  step(l, taken);
  while_end(b);
  MlirValue position = listed_first(l, LISTED, add(b, room, var_get(b, taken)));
  step(l, taken);
  return position;
}

/* Values of those that are kept go to the first positions: as many are free as lie beyond. */
static void close_gaps(level *l, MlirValue kept) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable taken = var_make(b, zero(l));
  MlirValue q = for_begin(b, zero(l), kept, level_constant(l, 1));
  MlirValue key = listed_first(l, LISTED, q), position = listed_second(l, LISTED, q);
  if_begin(b, less_equal(b, kept, position));
  MlirValue to = take_free(l, taken, kept);
  level_move_value(l, to, position);
  listed_store(l, LISTED, q, key, to);
  if_end(b);
  for_end(b);
  var_release(b, mark);
}

static void note_used(level *l) {
  level_set(l, USED, max_i(level_builder(l), level_get(l, USED), level_get(l, LISTED_COUNT)));
}

static void settle(level *l) {
  builder *b = level_builder(l);
  note_used(l);
  if_begin(b, less(b, level_get(l, SETTLED), level_get(l, LISTED_COUNT)));
  merge(l);
  int mark = var_mark(b);
  variable kept = var_make(b, zero(l)), freed = var_make(b, zero(l));
  combine_equal(l, kept, freed);
  MlirValue count = var_get(b, kept);
  if_begin(b, less(b, zero(l), var_get(b, freed)));
  close_gaps(l, count);
  if_end(b);
  level_set(l, LISTED_COUNT, count);
  level_set(l, SETTLED, count);
  var_release(b, mark);
  if_end(b);
}

/* ---- Making room -------------------------------------------------------------------------- */

static MlirValue words_for(level *l, MlirValue room) {
  return level_product(l, room, level_constant(l, ROOM_WORDS));
}

static void clear(level *l) {
  note_used(l);
  level_set(l, LISTED_COUNT, zero(l));
  level_set(l, SETTLED, zero(l));
}

/* Without memory it is emptied, so that there is room; the kernel's status says what happened. */
static void grow(level *l) {
  builder *b = level_builder(l);
  MlirValue before = level_get(l, LISTED_ROOM);
  MlirValue half = ceil_div(b, before, level_constant(l, 2)), room = add(b, before, half);
  level_scratch_grow(l, LISTED, words_for(l, room));
  level_values_grow(l, before, room);
  if_begin(b, level_is_fine(l));
  level_set(l, LISTED_ROOM, room);
  if_else(b);
  clear(l);
  if_end(b);
}

/* Where less than a quarter would be left. */
static void settle_or_grow(level *l) {
  builder *b = level_builder(l);
  settle(l);
  MlirValue used = mul(b, level_get(l, LISTED_COUNT), level_constant(l, 4));
  MlirValue most = mul(b, level_get(l, LISTED_ROOM), level_constant(l, 3));
  if_begin(b, less(b, most, used));
  grow(l);
  if_end(b);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_constant(l, level_option_said(l, 0, FIRST_ROOM));
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_scratch_growing(l, LISTED, 64, words_for(l, size));
  level_set(l, LISTED_ROOM, size);
}

static MlirValue insert(level *l, const MlirValue *coordinates, void (*make_room)(level *l)) {
  builder *b = level_builder(l);
  MlirValue key = level_key(l, coordinates);
  if_begin(b, equal(b, level_get(l, LISTED_COUNT), level_get(l, LISTED_ROOM)));
  make_room(l);
  if_end(b);
  MlirValue position = level_get(l, LISTED_COUNT);
  listed_store(l, LISTED, position, key, position);
  level_reset_value(l, position);
  level_set(l, LISTED_COUNT, level_plus_one(l, position));
  return position;
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  return insert(l, coordinates, settle_or_grow);
}

static MlirValue insert_at_end(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  return insert(l, coordinates, grow);
}

/* Values start anew when they are inserted, but what is released is to be as it was made. */
static void release(level *l) {
  builder *b = level_builder(l);
  note_used(l);
  MlirValue position = for_begin(b, zero(l), level_get(l, USED), level_constant(l, 1));
  level_reset_value(l, position);
  for_end(b);
  level_scratch_free(l, LISTED);
}

static const level_format coord = {
    .name = "coord_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = listed_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "coord",
    .options = listed_options,
    .grows = true,
    .entry = listed_entry,
    .sort = settle,
    .clear = clear,
    .release = release,
};

static const level_format vector = {
    .name = "vector_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = listed_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_at_end,
    .policy = "vector",
    .options = listed_options,
    .grows = true,
    .entry = listed_entry,
    .sort = settle,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&coord);
  level_format_register(&vector);
}
