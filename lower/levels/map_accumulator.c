/* map_accumulator.c - a workspace whose entries are in order at any time: what each
 * insertion costs is a search, and a place among those behind it (one array that is a map: Zhang et
 * al. 2024, section 7.5).
 *
 *     listed     coordinate, position    ascending
 *     values     one for each, in the order of insertion
 *     count      how many they are;  room  for how many
 *
 *     insert_coord(i)    where there is no room, twice as much; the entry of i is searched for:
 *                        where there is none those behind move on, and its position is the next
 *     sort               nothing is left to do
 *     pos_iter           <0, count>
 *     pos_access(q)      <listed[q]>, and its position
 *     clear              values of what is listed;  count = 0
 *     release            clear, so that the next workspace finds the values zero
 */
#include "listed.h"
#include "workspace_memory.h"

/* ---- Clearing ----------------------------------------------------------------------------- */

static void clear(level *l) {
  workspace_reset_values(l, level_get(l, LISTED_COUNT));
  level_set(l, LISTED_COUNT, level_constant(l, 0));
}

static void release(level *l) {
  clear(l);
  level_scratch_free(l, LISTED);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_scratch_growing(l, LISTED, 64, level_product(l, size, level_constant(l, LISTED_WORDS)));
  level_set(l, LISTED_ROOM, size);
}

/* Without memory it is emptied, so that there is room; the kernel's status says what happened. */
static void grow(level *l) {
  builder *b = level_builder(l);
  MlirValue before = level_get(l, LISTED_ROOM), room = add(b, before, before);
  level_scratch_grow(l, LISTED, level_product(l, room, level_constant(l, LISTED_WORDS)));
  level_values_grow(l, before, room);
  if_begin(b, level_is_fine(l));
  level_set(l, LISTED_ROOM, room);
  if_else(b);
  clear(l);
  if_end(b);
}

/* Those from `place` on move on by one. */
static void make_place(level *l, MlirValue place) {
  builder *b = level_builder(l);
  MlirValue one = level_constant(l, 1);
  int mark = var_mark(b);
  variable to = var_make(b, level_get(l, LISTED_COUNT));
  while_begin(b);
  while_do(b, less(b, place, var_get(b, to)));
  MlirValue from = sub(b, var_get(b, to), one);
  listed_store(l, LISTED, var_get(b, to), listed_first(l, LISTED, from),
               listed_second(l, LISTED, from));
  var_set(b, to, from);
  while_end(b);
  var_release(b, mark);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue coordinate = level_key(l, coordinates), zero = level_constant(l, 0);
  if_begin(b, equal(b, level_get(l, LISTED_COUNT), level_get(l, LISTED_ROOM)));
  grow(l);
  if_end(b);
  MlirValue count = level_get(l, LISTED_COUNT);
  MlirValue last = level_last_not_above(l, listed_first, LISTED, coordinate, zero, count);
  MlirValue there = less(b, zero, count), found = listed_first(l, LISTED, last);
  MlirValue held = and_i(b, there, equal(b, found, coordinate));
  MlirValue is_behind = and_i(b, there, less(b, found, coordinate));
  MlirValue place = select_value(b, is_behind, level_plus_one(l, last), last);
  if_begin(b, equal(b, held, constant_bool(b, false)));
  make_place(l, place);
  listed_store(l, LISTED, place, coordinate, count);
  level_set(l, LISTED_COUNT, level_plus_one(l, count));
  if_end(b);
  return listed_second(l, LISTED, place);
}

/* ---- Sorting ------------------------------------------------------------------------------ */

static void sort(level *l) {
  (void)l;
}

static const level_format format = {
    .name = "map_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = listed_iter,
    .pos_access = level_entry_access,
    .insert_size = listed_insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "map",
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
