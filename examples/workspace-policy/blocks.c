/* blocks.c - a policy of workspaces of one's own: a bitmap and values for each block of 64
 * coordinates that anything was inserted in.
 *
 *     directory   for each block of the dimension     its number + 1; 0: nothing is in it
 *     bits        for each block that is there        a bit for each of its coordinates
 *     blocks      for each block that is there        which it is, in the order of insertion until
 *                                                     sorted
 *     listed      the coordinates, ascending          once sorted
 *     values      64 for each block that is there
 *
 *     insert_coord(i)    directory[i / 64], a block made present if it is not; its bit i mod 64 is
 *                        set;  position: its number * 64 + i mod 64
 *     sort               the blocks; then what their bits say is listed
 *     pos_iter           <0, count>
 *     pos_access(q)      <listed[q]>, and its position
 *     clear              values of what bits say, and all else of the blocks that are there
 *
 * Coordinates that are near each other share a block, so that there is little to sort, and the
 * values of one row after the other are in the same few cache lines.  Beside what is inserted it
 * takes half a bit for each coordinate of the dimension, where `dense` takes 129 bits.  (Zhang et
 * al. 2024, sections 4 and 5.)
 */
#include "level_format.h"

enum { DIRECTORY, BITS, BLOCKS, LISTED };             /* scratch memory */
enum { BLOCK_COUNT, BLOCK_ROOM, COUNT, LISTED_ROOM }; /* variables */
enum { BLOCK_BITS = 6, BLOCK = 64, FIRST_BLOCKS = 4 };

static MlirValue block_of(level *l, MlirValue coordinate) {
  return shift_right(level_builder(l), coordinate, level_constant(l, BLOCK_BITS));
}

static MlirValue place_in_block(level *l, MlirValue coordinate) {
  return and_i(level_builder(l), coordinate, level_constant(l, BLOCK - 1));
}

/* Of a block: its first coordinate; of its number: its first position. */
static MlirValue first_of(level *l, MlirValue block) {
  return shift_left(level_builder(l), block, level_constant(l, BLOCK_BITS));
}

static MlirValue number_of(level *l, MlirValue block) {
  return sub(level_builder(l), level_scratch_load(l, DIRECTORY, block), level_constant(l, 1));
}

/* math.cttz, math.ctpop */
static MlirValue bits_of(level *l, const char *op, MlirValue word) {
  builder *b = level_builder(l);
  MlirType i64 = type_i(b, 64);
  MlirValue bits = index_cast(b, word, i64);
  return index_cast(b, op_result(make_op(b, op, 1, &bits, 1, &i64, 0, NULL), 0), type_index(b));
}

/* Emits `visit` for each bit of a word: base + its place. */
static void each_bit(level *l, MlirValue word, MlirValue base,
                     void (*visit)(level *l, MlirValue at)) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable rest = var_make(b, word);
  while_begin(b);
  while_do(b, not_equal(b, var_get(b, rest), level_constant(l, 0)));
  MlirValue bits = var_get(b, rest);
  visit(l, add(b, base, bits_of(l, "math.cttz", bits)));
  var_set(b, rest, and_i(b, bits, sub(b, bits, level_constant(l, 1))));
  while_end(b);
  var_release(b, mark);
}

/* ---- Clearing ----------------------------------------------------------------------------- */

static void clear(level *l) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  MlirValue q = for_begin(b, zero, level_get(l, BLOCK_COUNT), level_constant(l, 1));
  MlirValue block = level_scratch_load(l, BLOCKS, q), number = number_of(l, block);
  each_bit(l, level_scratch_load(l, BITS, number), first_of(l, number), level_reset_value);
  level_scratch_store(l, BITS, number, zero);
  level_scratch_store(l, DIRECTORY, block, zero);
  for_end(b);
  level_set(l, BLOCK_COUNT, zero);
  level_set(l, COUNT, zero);
}

static void release(level *l) {
  clear(l);
  level_scratch_free_clean(l, DIRECTORY);
  level_scratch_free(l, BITS);
  level_scratch_free(l, BLOCKS);
  level_scratch_free(l, LISTED);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_constant(l, FIRST_BLOCKS * BLOCK);
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  builder *b = level_builder(l);
  MlirValue room = block_of(l, size);
  level_scratch(l, DIRECTORY, 32, ceil_div(b, level_size(l), level_constant(l, BLOCK)));
  level_scratch_growing(l, BITS, 64, room);
  level_scratch_growing(l, BLOCKS, 64, room);
  level_scratch_growing(l, LISTED, 64, size);
  level_set(l, BLOCK_ROOM, room);
  level_set(l, LISTED_ROOM, size);
}

/* Without memory it is emptied, so that there is room; the kernel's status says what happened. */
static void grow(level *l) {
  builder *b = level_builder(l);
  MlirValue before = level_get(l, BLOCK_ROOM), room = add(b, before, before);
  level_scratch_grow(l, BITS, room);
  level_scratch_grow(l, BLOCKS, room);
  level_values_grow(l, first_of(l, before), first_of(l, room));
  if_begin(b, level_is_fine(l));
  level_set(l, BLOCK_ROOM, room);
  if_else(b);
  clear(l);
  if_end(b);
}

static void add_block(level *l, MlirValue block) {
  builder *b = level_builder(l);
  if_begin(b, equal(b, level_get(l, BLOCK_COUNT), level_get(l, BLOCK_ROOM)));
  grow(l);
  if_end(b);
  MlirValue number = level_get(l, BLOCK_COUNT), count = level_plus_one(l, number);
  level_scratch_store(l, BLOCKS, number, block);
  level_scratch_store(l, DIRECTORY, block, count);
  level_set(l, BLOCK_COUNT, count);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue coordinate = coordinates[level_number(l)];
  MlirValue block = block_of(l, coordinate), place = place_in_block(l, coordinate);
  if_begin(b, equal(b, level_scratch_load(l, DIRECTORY, block), level_constant(l, 0)));
  add_block(l, block);
  if_end(b);
  MlirValue number = number_of(l, block), bits = level_scratch_load(l, BITS, number);
  MlirValue bit = shift_left(b, level_constant(l, 1), place);
  if_begin(b, equal(b, and_i(b, bits, bit), level_constant(l, 0)));
  level_scratch_store(l, BITS, number, or_i(b, bits, bit));
  if_end(b);
  return add(b, first_of(l, number), place);
}

/* ---- Sorting ------------------------------------------------------------------------------ */

static void sort_blocks(level *l) {
  builder *b = level_builder(l);
  MlirValue arguments[] = {level_scratch_pointer(l, BLOCKS),
                           index_cast(b, level_get(l, BLOCK_COUNT), type_i(b, 64))};
  call(b, "lac_kernel_sort", (MlirType){NULL}, 2, arguments);
}

static MlirValue count_bits(level *l) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  variable count = var_make(b, level_constant(l, 0));
  MlirValue q = for_begin(b, level_constant(l, 0), level_get(l, BLOCK_COUNT), level_constant(l, 1));
  MlirValue bits = bits_of(l, "math.ctpop", level_scratch_load(l, BITS, q));
  var_set(b, count, add(b, var_get(b, count), bits));
  for_end(b);
  MlirValue all = var_get(b, count);
  var_release(b, mark);
  return all;
}

/* Room to list so many; as grow. */
static void make_room(level *l, MlirValue count) {
  builder *b = level_builder(l);
  if_begin(b, less(b, level_get(l, LISTED_ROOM), count));
  MlirValue room = add(b, count, count);
  level_scratch_grow(l, LISTED, room);
  if_begin(b, level_is_fine(l));
  level_set(l, LISTED_ROOM, room);
  if_else(b);
  clear(l);
  if_end(b);
  if_end(b);
}

static void list(level *l, MlirValue coordinate) {
  MlirValue count = level_get(l, COUNT);
  level_scratch_store(l, LISTED, count, coordinate);
  level_set(l, COUNT, level_plus_one(l, count));
}

static void sort(level *l) {
  builder *b = level_builder(l);
  sort_blocks(l);
  make_room(l, count_bits(l));
  level_set(l, COUNT, level_constant(l, 0));
  MlirValue q = for_begin(b, level_constant(l, 0), level_get(l, BLOCK_COUNT), level_constant(l, 1));
  MlirValue block = level_scratch_load(l, BLOCKS, q);
  each_bit(l, level_scratch_load(l, BITS, number_of(l, block)), first_of(l, block), list);
  for_end(b);
}

/* ---- Walking ------------------------------------------------------------------------------ */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  (void)parent;
  *begin = level_constant(l, 0);
  *end = level_get(l, COUNT);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)found;
  *coordinate = level_scratch_load(l, LISTED, place);
  MlirValue number = number_of(l, block_of(l, *coordinate));
  *position = add(level_builder(l), first_of(l, number), place_in_block(l, *coordinate));
}

static const level_format format = {
    .name = "block_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "blocks",
    .grows = true,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
