/* bucket_accumulator.c - workspaces that keep what is inserted by ranges of keys, so that what
 * meets is found in the caches: insert, sort, merge, range by range (Zhang et al. 2024,
 * sections 4 and 5.2).
 *
 *     directory  for key >> shift, the word of `own` where its bucket is
 *     own        what the runtime knows of buckets (lac_kernel.h), then the buckets; of each the
 *                next position comes first
 *     keys       one for each position, in chunks that belong to a bucket each
 *     values     the same
 *     listed     the chunks that are in order, and what is to be combined and moved
 *
 *     insert_coord(i)    where the bucket's chunk is full there is made room; keys[next] = i;
 *                        next + 1
 *     make room          the runtime finds out which keys are equal, and what moves so that no
 *                        gaps stay, or that a bucket is divided; then what it lists is done with
 *                        the values
 *     sort               bucket by bucket, to the end of what is in order
 *     pos_iter           <0, count>
 *     pos_access(q)      the key at place q of the chunks in order, and the position
 *     clear              one empty bucket
 *     release            values as they were
 */
#include "lac_kernel.h"
#include "workspace_memory.h"

#include <stddef.h>

enum { KEYS, DIRECTORY, LISTED, OWN }; /* scratch, as the runtime numbers it */
enum { COUNT, SHIFT, USED };           /* variables */
enum { CHUNK = 1 << LAC_BUCKETS_CHUNK_BITS };
enum { SIZE_OPTION, BUCKETS_OPTION, SIZE = 4096, MOST_SIZE = 1 << 20, MOST_BUCKETS = 1 << 16 };

#define WORD_OF(field) ((int64_t)(offsetof(lac_buckets, field) / sizeof(int64_t)))

static const workspace_memory memory;

static MlirValue own(level *l, int64_t word) {
  return workspace_word(l, &memory, word);
}

/* ---- The runtime's part ------------------------------------------------------------------- */

static void begin(level *l) {
  builder *b = level_builder(l);
  MlirValue bits = level_key_bits(l);
  MlirValue arguments[] = {
      level_scratch_pointer(l, OWN), level_scratch_pointer(l, DIRECTORY), workspace_number(l, bits),
      workspace_number(l, level_constant(l, level_option_said(l, SIZE_OPTION, SIZE))),
      workspace_number(l, level_constant(l, level_option_said(l, BUCKETS_OPTION, 1)))};
  call(b, "lac_kernel_buckets_begin", (MlirType){NULL}, 5, arguments);
  level_set(l, SHIFT, bits);
  level_set(l, COUNT, level_constant(l, 0));
}

/* The pairs that are listed, each (to, from). */
static void follow(level *l, MlirValue first, MlirValue count,
                   void (*act)(level *l, MlirValue to, MlirValue from)) {
  builder *b = level_builder(l);
  MlirValue end = add(b, first, add(b, count, count));
  MlirValue word = for_begin(b, first, end, level_constant(l, 2));
  MlirValue to = level_scratch_load(l, LISTED, word);
  act(l, to, level_scratch_load(l, LISTED, level_plus_one(l, word)));
  for_end(b);
}

static void follow_lists(level *l) {
  follow(l, own(l, WORD_OF(combined)), own(l, WORD_OF(combines)), level_combine_values);
  follow(l, own(l, WORD_OF(moved)), own(l, WORD_OF(moves)), level_move_value);
  level_set(l, USED, own(l, WORD_OF(used)));
}

static void clear(level *l) {
  begin(l);
}

/* Each key has a value. */
static void grow(level *l, int number, MlirValue room, MlirValue count) {
  level_scratch_grow(l, number, count);
  if (number == KEYS)
    level_values_grow(l, room, count);
}

static const workspace_memory memory = {.own = OWN,
                                        .room = WORD_OF(room),
                                        .wanted = WORD_OF(wanted),
                                        .count = LAC_BUCKETS_MEMORIES,
                                        .share = 2,
                                        .grow = grow,
                                        .clear = clear};

enum { MEMORY_ARGUMENTS = 4 };

static void list_memory(level *l, MlirValue *arguments) {
  const int order[MEMORY_ARGUMENTS] = {OWN, DIRECTORY, KEYS, LISTED};
  for (int n = 0; n < MEMORY_ARGUMENTS; n++)
    arguments[n] = level_scratch_pointer(l, order[n]);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static void make_room(level *l, MlirValue key) {
  builder *b = level_builder(l);
  MlirValue arguments[MEMORY_ARGUMENTS + 1];
  workspace_grow_as_wanted(l, &memory);
  list_memory(l, arguments);
  arguments[MEMORY_ARGUMENTS] = workspace_number(l, key);
  call_seldom(b, "lac_kernel_buckets_room", (MlirType){NULL}, MEMORY_ARGUMENTS + 1, arguments);
  level_set(l, SHIFT, own(l, WORD_OF(shift)));
  follow_lists(l);
}

static MlirValue bucket_of(level *l, MlirValue key) {
  return level_scratch_load(l, DIRECTORY, shift_right(level_builder(l), key, level_get(l, SHIFT)));
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue key = level_key(l, coordinates);
  int mark = var_mark(b);
  variable bucket = var_make(b, bucket_of(l, key));
  variable next = var_make(b, level_scratch_load(l, OWN, var_get(b, bucket)));
  MlirValue place = and_i(b, var_get(b, next), level_constant(l, CHUNK - 1));
  if_begin(b, equal(b, place, level_constant(l, 0)));
  make_room(l, key);
  var_set(b, bucket, bucket_of(l, key));
  var_set(b, next, level_scratch_load(l, OWN, var_get(b, bucket)));
  if_end(b);
  MlirValue position = var_get(b, next);
  level_scratch_store(l, KEYS, position, key);
  level_scratch_store(l, OWN, var_get(b, bucket), level_plus_one(l, position));
  level_reset_value(l, position);
  var_release(b, mark);
  return position;
}

/* ---- Ordering, walking -------------------------------------------------------------------- */

static void sort(level *l) {
  builder *b = level_builder(l);
  MlirValue arguments[MEMORY_ARGUMENTS];
  while_begin(b);
  workspace_grow_as_wanted(l, &memory);
  list_memory(l, arguments);
  MlirValue more = call(b, "lac_kernel_buckets_order", type_i(b, 1), MEMORY_ARGUMENTS, arguments);
  while_do(b, more);
  follow_lists(l);
  while_end(b);
  level_set(l, COUNT, own(l, WORD_OF(count)));
}

static void pos_iter(level *l, MlirValue parent, MlirValue *first, MlirValue *end) {
  (void)parent;
  *first = level_constant(l, 0);
  *end = level_get(l, COUNT);
}

static void entry(level *l, MlirValue place, MlirValue *key, MlirValue *position) {
  builder *b = level_builder(l);
  MlirValue size = level_constant(l, CHUNK), number = floor_div(b, place, size);
  MlirValue word = level_plus_one(l, add(b, number, number));
  MlirValue chunk = level_scratch_load(l, LISTED, word);
  *position = add(b, mul(b, chunk, size), floor_mod(b, place, size));
  *key = level_scratch_load(l, KEYS, *position);
}

/* ---- Memory ------------------------------------------------------------------------------- */

/* As an empty one has it, and for buckets that there are to be. */
static int64_t first_room(const level *l, int number) {
  enum { BUCKET_WORDS = sizeof(lac_bucket) / sizeof(int64_t) };
  int64_t buckets = 1;
  while (buckets < level_option_said(l, BUCKETS_OPTION, 1))
    buckets *= 2;
  const int64_t rooms[] = {LAC_BUCKETS_FIRST_KEYS, LAC_BUCKETS_FIRST_DIRECTORY * buckets,
                           LAC_BUCKETS_FIRST_LISTED,
                           LAC_BUCKETS_FIRST_OWN + BUCKET_WORDS * (buckets - 1)};
  return rooms[number];
}

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_constant(l, first_room(l, KEYS));
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  (void)size;
  builder *b = level_builder(l);
  for (int n = 0; n < LAC_BUCKETS_MEMORIES; n++)
    level_scratch_growing(l, n, 64, level_constant(l, first_room(l, n)));
  if_begin(b, level_is_fine(l));
  for (int n = 0; n < LAC_BUCKETS_MEMORIES; n++)
    workspace_set_room(l, &memory, n, level_constant(l, first_room(l, n)));
  begin(l);
  if_end(b);
}

/* Values start anew when they are inserted, but what is released is to be as it was made. */
static void release(level *l) {
  workspace_reset_values(l, level_get(l, USED));
  for (int n = 0; n < LAC_BUCKETS_MEMORIES; n++)
    level_scratch_free(l, n);
}

static const level_option options[] = {
    [SIZE_OPTION] = {"size", MOST_SIZE}, [BUCKETS_OPTION] = {"buckets", MOST_BUCKETS}, {NULL, 0}};

static const level_format format = {
    .name = "bucket_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = pos_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "bucket",
    .options = options,
    .grows = true,
    .entry = entry,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
