/* vector_accumulator.c - workspaces that take what is inserted as it comes, and sort it once, at
 * the end: expand, sort, compress.
 *
 *     listed     key, position        as inserted; then ascending, each once
 *                                     and as much room behind them, to sort in
 *     values     one for each, at its position below USED
 *     count      how many they are;  room  for how many
 *
 *     insert_coord(i)    where there is no room it grows; listed[count] = i, count; count + 1
 *     sort               sort, combine equal ones
 *     pos_iter           <0, count>
 *     pos_access(q)      <listed[q]>, and its position
 *     clear              count = 0
 */
#include "listed.h"
#include "workspace_memory.h"

enum { USED = LISTED_ROOM + 1 }; /* a variable: the most that there have been */
enum { FIRST_ROOM = 256, ROOM_WORDS = 2 * LISTED_WORDS };

static MlirValue zero(level *l) {
  return level_constant(l, 0);
}

/* ---- Sorting ------------------------------------------------------------------------------ */

/* Whether pair q has the key of the last one that is kept. */
static MlirValue is_kept(level *l, MlirValue q, MlirValue kept) {
  builder *b = level_builder(l);
  MlirValue none = equal(b, kept, zero(l));
  MlirValue last = sub(b, select_value(b, none, level_constant(l, 1), kept), level_constant(l, 1));
  MlirValue alike = equal(b, listed_first(l, LISTED, q), listed_first(l, LISTED, last));
  return and_i(b, not_equal(b, kept, zero(l)), alike);
}

/* Of equal ones the first is kept, with the values of all. */
static void combine_equal(level *l, variable kept) {
  builder *b = level_builder(l);
  MlirValue one = level_constant(l, 1);
  MlirValue q = for_begin(b, zero(l), level_get(l, LISTED_COUNT), one);
  MlirValue key = listed_first(l, LISTED, q), position = listed_second(l, LISTED, q);
  if_begin(b, is_kept(l, q, var_get(b, kept)));
  level_combine_values(l, listed_second(l, LISTED, sub(b, var_get(b, kept), one)), position);
  if_else(b);
  listed_store(l, LISTED, var_get(b, kept), key, position);
  var_set(b, kept, level_plus_one(l, var_get(b, kept)));
  if_end(b);
  for_end(b);
}

static void note_used(level *l) {
  level_set(l, USED, max_i(level_builder(l), level_get(l, USED), level_get(l, LISTED_COUNT)));
}

static void sort(level *l) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable kept = var_make(b, zero(l));
  note_used(l);
  listed_sort(l);
  combine_equal(l, kept);
  level_set(l, LISTED_COUNT, var_get(b, kept));
  var_release(b, mark);
}

/* ---- Making room -------------------------------------------------------------------------- */

static MlirValue words_for(level *l, MlirValue room) {
  return level_product(l, room, level_constant(l, ROOM_WORDS));
}

static void clear(level *l) {
  note_used(l);
  level_set(l, LISTED_COUNT, zero(l));
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

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue key = level_key(l, coordinates);
  if_begin(b, equal(b, level_get(l, LISTED_COUNT), level_get(l, LISTED_ROOM)));
  grow(l);
  if_end(b);
  MlirValue position = level_get(l, LISTED_COUNT);
  listed_store(l, LISTED, position, key, position);
  level_reset_value(l, position);
  level_set(l, LISTED_COUNT, level_plus_one(l, position));
  return position;
}

/* Values start anew when they are inserted, but what is released is to be as it was made. */
static void release(level *l) {
  note_used(l);
  workspace_reset_values(l, level_get(l, USED));
  level_scratch_free(l, LISTED);
}

static const level_format format = {
    .name = "vector_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = listed_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "vector",
    .options = listed_options,
    .grows = true,
    .entry = listed_entry,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
