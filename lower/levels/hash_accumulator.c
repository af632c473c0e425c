/* hash_accumulator.c - a workspace of order 1 that takes memory for what is inserted alone, however
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
#include "level_format.h"

enum { TABLE = 0, LISTED = 1 };             /* scratch */
enum { COUNT = 0, ROOM = 1 };               /* variables */
enum { PAIR = 2, FIRST_ROOM = 32 };         /* words of a slot, and of what is listed */
enum { TABLE_WORDS = 4, LISTED_WORDS = 4 }; /* for each that there is room for */

static MlirValue first_word(level *l, MlirValue i) {
  return mul(level_builder(l), i, level_constant(l, PAIR));
}

static MlirValue second_word(level *l, MlirValue i) {
  return level_plus_one(l, first_word(l, i));
}

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
  MlirValue found = level_scratch_load(l, TABLE, first_word(l, var_get(b, slot)));
  MlirValue goes_on = not_equal(b, found, zero);
  while_do(b, held ? and_i(b, goes_on, not_equal(b, found, key)) : goes_on);
  var_set(b, slot, next_slot(l, var_get(b, slot), mask));
  while_end(b);
  MlirValue at = var_get(b, slot);
  var_release(b, mark);
  return at;
}

static void fill_slot(level *l, MlirValue slot, MlirValue coordinate, MlirValue position) {
  level_scratch_store(l, TABLE, first_word(l, slot), level_plus_one(l, coordinate));
  level_scratch_store(l, TABLE, second_word(l, slot), position);
}

/* ---- Clearing ----------------------------------------------------------------------------- */

static void clear_slots(level *l, MlirValue coordinate, MlirValue mask) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  int mark = var_mark(b);
  variable slot = var_make(b, and_i(b, level_hash(l, coordinate), mask));
  while_begin(b);
  MlirValue at = var_get(b, slot), held = level_scratch_load(l, TABLE, first_word(l, at));
  while_do(b, not_equal(b, held, zero));
  level_scratch_store(l, TABLE, first_word(l, at), zero);
  level_scratch_store(l, TABLE, second_word(l, at), zero);
  var_set(b, slot, next_slot(l, at, mask));
  while_end(b);
  var_release(b, mark);
}

static void clear(level *l) {
  builder *b = level_builder(l);
  MlirValue mask = mask_of(l, level_get(l, ROOM));
  MlirValue q = for_begin(b, level_constant(l, 0), level_get(l, COUNT), level_constant(l, 1));
  level_reset_value(l, q);
  clear_slots(l, level_scratch_load(l, LISTED, first_word(l, q)), mask);
  for_end(b);
  level_set(l, COUNT, level_constant(l, 0));
}

static void release(level *l) {
  clear(l);
  level_scratch_free_clean(l, TABLE);
  level_scratch_free(l, LISTED);
}

/* ---- Growing ------------------------------------------------------------------------------ */

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

static void fill_table(level *l, MlirValue mask) {
  builder *b = level_builder(l);
  MlirValue q = for_begin(b, level_constant(l, 0), level_get(l, COUNT), level_constant(l, 1));
  MlirValue coordinate = level_scratch_load(l, LISTED, first_word(l, q));
  fill_slot(l, find_slot(l, coordinate, mask, false), coordinate, q);
  for_end(b);
}

/* Without memory it is emptied, so that there is room; the kernel's status says what happened. */
static void grow(level *l) {
  builder *b = level_builder(l);
  MlirValue before = level_get(l, ROOM), room = add(b, before, before);
  level_scratch_grow(l, TABLE, words_for(l, room, TABLE_WORDS));
  level_scratch_grow(l, LISTED, words_for(l, room, LISTED_WORDS));
  level_values_grow(l, before, room);
  if_begin(b, level_is_fine(l));
  clear_table(l, before);
  fill_table(l, mask_of(l, room));
  level_set(l, ROOM, room);
  if_else(b);
  clear(l);
  if_end(b);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_constant(l, FIRST_ROOM);
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_scratch_growing(l, TABLE, 64, words_for(l, size, TABLE_WORDS));
  level_scratch_growing(l, LISTED, 64, words_for(l, size, LISTED_WORDS));
  level_set(l, ROOM, size);
}

static void list_coordinate(level *l, MlirValue slot, MlirValue coordinate) {
  MlirValue position = level_get(l, COUNT);
  fill_slot(l, slot, coordinate, position);
  level_scratch_store(l, LISTED, first_word(l, position), coordinate);
  level_scratch_store(l, LISTED, second_word(l, position), position);
  level_set(l, COUNT, level_plus_one(l, position));
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue coordinate = coordinates[level_number(l)];
  if_begin(b, equal(b, level_get(l, COUNT), level_get(l, ROOM)));
  grow(l);
  if_end(b);
  MlirValue slot = find_slot(l, coordinate, mask_of(l, level_get(l, ROOM)), true);
  MlirValue held = level_scratch_load(l, TABLE, first_word(l, slot));
  if_begin(b, equal(b, held, level_constant(l, 0)));
  list_coordinate(l, slot, coordinate);
  if_end(b);
  return level_scratch_load(l, TABLE, second_word(l, slot));
}

static void insert_finalize(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

/* ---- Sorting, walking --------------------------------------------------------------------- */

static void sort(level *l) {
  builder *b = level_builder(l);
  MlirType i64 = type_i(b, 64);
  MlirValue arguments[] = {level_scratch_pointer(l, LISTED),
                           index_cast(b, level_get(l, COUNT), i64),
                           index_cast(b, level_get(l, ROOM), i64)};
  call(b, "lac_kernel_sort_pairs", (MlirType){NULL}, 3, arguments);
}

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  (void)parent;
  *begin = level_constant(l, 0);
  *end = level_get(l, COUNT);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)found;
  *coordinate = level_scratch_load(l, LISTED, first_word(l, place));
  *position = level_scratch_load(l, LISTED, second_word(l, place));
}

static const level_format format = {
    .name = "hash_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .insert_finalize = insert_finalize,
    .policy = "hash",
    .usual = true,
    .grows = true,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
