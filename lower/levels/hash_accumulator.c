/* hash_accumulator.c - a workspace that takes memory for what is inserted alone, however
 * long the dimension is: a hash table (Zhang et al. 2024, section 5; Chou et al. 2018, Table 1).
 *
 *     table      slots, a power of two:  coordinate + 1 (0: empty), position
 *     listed     coordinate, position    in the order of insertion until sorted; and as much room
 *                                        behind them, to sort in
 *     values     one for each of those
 *     count      how many they are;  room  for how many, half as many as there are slots
 *
 *     insert_coord(i)    where there is no room, twice as much; the slot of i, or the empty one
 *                        where it would stand: listed[count] = i, count; count = count + 1
 *     sort               what is listed, by coordinates
 *     pos_iter           <0, count>
 *     pos_access(q)      <listed[q]>, and its position
 *     clear              values and slots of what is listed;  count = 0
 *     release            clear, so that the next workspace finds all of it zero
 *
 * A slot is sought from hash(i) on, around the table: what is listed is cleared so too, up to the
 * next empty slot, as all that stands there goes.
 */
#include "listed.h"
#include "workspace_memory.h"

enum { TABLE = LISTED + 1 }; /* scratch */

/* For each that there is room for: two slots; its pair, and one to sort in. */
enum { TABLE_WORDS = 2 * LISTED_WORDS, ROOM_WORDS = 2 * LISTED_WORDS };

static MlirValue mask_of(level *l, MlirValue room) {
  builder *b = level_builder(l);
  return sub(b, add(b, room, room), level_constant(l, 1));
}

static MlirValue next_slot(level *l, MlirValue slot, MlirValue mask) {
  return and_i(level_builder(l), level_plus_one(l, slot), mask);
}

/* The first slot from hash(coordinate) on that is empty, or, if `held`, holds it. */
static MlirValue find_slot(level *l, MlirValue coordinate, MlirValue mask, bool held) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0), key = level_plus_one(l, coordinate);
  int mark = var_mark(b);
  variable slot = var_make(b, and_i(b, level_hash(l, coordinate), mask));
  while_begin(b);
  MlirValue found = listed_first(l, TABLE, var_get(b, slot));
  MlirValue goes_on = not_equal(b, found, zero);
  while_do(b, held ? and_i(b, goes_on, not_equal(b, found, key)) : goes_on);
  var_set(b, slot, next_slot(l, var_get(b, slot), mask));
  while_end(b);
  MlirValue at = var_get(b, slot);
  var_release(b, mark);
  return at;
}

/* ---- Clearing ----------------------------------------------------------------------------- */

static void clear_slots(level *l, MlirValue coordinate, MlirValue mask) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  int mark = var_mark(b);
  variable slot = var_make(b, and_i(b, level_hash(l, coordinate), mask));
  while_begin(b);
  MlirValue held = listed_first(l, TABLE, var_get(b, slot));
  while_do(b, not_equal(b, held, zero));
  MlirValue at = var_get(b, slot);
  listed_store(l, TABLE, at, zero, zero);
  var_set(b, slot, next_slot(l, at, mask));
  while_end(b);
  var_release(b, mark);
}

static MlirValue words_for(level *l, MlirValue room, int words) {
  return level_product(l, room, level_constant(l, words));
}

static void clear_table(level *l, MlirValue room) {
  builder *b = level_builder(l);
  MlirValue end = words_for(l, room, TABLE_WORDS);
  MlirValue word = for_begin(b, level_constant(l, 0), end, level_constant(l, 1));
  level_scratch_store(l, TABLE, word, level_constant(l, 0));
  for_end(b);
}

/* Slot by slot where the table is large for what is listed, else all of it in order. */
static void clear(level *l) {
  enum { LARGE = 4 };
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0), one = level_constant(l, 1);
  MlirValue count = level_get(l, LISTED_COUNT), room = level_get(l, LISTED_ROOM);
  workspace_reset_values(l, count);
  if_begin(b, less(b, mul(b, count, level_constant(l, LARGE)), room));
  MlirValue mask = mask_of(l, room), q = for_begin(b, zero, count, one);
  clear_slots(l, listed_first(l, LISTED, q), mask);
  for_end(b);
  if_else(b);
  clear_table(l, room);
  if_end(b);
  level_set(l, LISTED_COUNT, zero);
}

static void release(level *l) {
  clear(l);
  level_scratch_free_clean(l, TABLE);
  level_scratch_free(l, LISTED);
}

/* ---- Growing ------------------------------------------------------------------------------ */

static void fill_table(level *l, MlirValue mask) {
  builder *b = level_builder(l);
  MlirValue q =
      for_begin(b, level_constant(l, 0), level_get(l, LISTED_COUNT), level_constant(l, 1));
  MlirValue coordinate = listed_first(l, LISTED, q);
  listed_store(l, TABLE, find_slot(l, coordinate, mask, false), level_plus_one(l, coordinate), q);
  for_end(b);
}

/* Without memory it is emptied, so that there is room; the kernel's status says what happened. */
static void grow(level *l) {
  builder *b = level_builder(l);
  MlirValue before = level_get(l, LISTED_ROOM), room = add(b, before, before);
  level_scratch_grow(l, TABLE, words_for(l, room, TABLE_WORDS));
  level_scratch_grow(l, LISTED, words_for(l, room, ROOM_WORDS));
  level_values_grow(l, before, room);
  if_begin(b, level_is_fine(l));
  clear_table(l, before);
  fill_table(l, mask_of(l, room));
  level_set(l, LISTED_ROOM, room);
  if_else(b);
  clear(l);
  if_end(b);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

/* A power of two, as the table has twice as many slots. */
static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  int64_t size = 1;
  while (size < level_option_said(l, 0, LISTED_FIRST_ROOM))
    size *= 2;
  return level_constant(l, size);
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_scratch_growing(l, TABLE, 64, words_for(l, size, TABLE_WORDS));
  level_scratch_growing(l, LISTED, 64, words_for(l, size, ROOM_WORDS));
  level_set(l, LISTED_ROOM, size);
}

static void list_coordinate(level *l, MlirValue slot, MlirValue coordinate) {
  MlirValue position = level_get(l, LISTED_COUNT);
  listed_store(l, TABLE, slot, level_plus_one(l, coordinate), position);
  listed_store(l, LISTED, position, coordinate, position);
  level_set(l, LISTED_COUNT, level_plus_one(l, position));
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue coordinate = level_key(l, coordinates);
  if_begin(b, equal(b, level_get(l, LISTED_COUNT), level_get(l, LISTED_ROOM)));
  grow(l);
  if_end(b);
  MlirValue slot = find_slot(l, coordinate, mask_of(l, level_get(l, LISTED_ROOM)), true);
  MlirValue held = listed_first(l, TABLE, slot);
  if_begin(b, equal(b, held, level_constant(l, 0)));
  list_coordinate(l, slot, coordinate);
  if_end(b);
  return listed_second(l, TABLE, slot);
}

static const level_format format = {
    .name = "hash_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = listed_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "hash",
    .options = listed_options,
    .usual = true,
    .grows = true,
    .entry = listed_entry,
    .sort = listed_sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
