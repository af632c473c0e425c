/* coord_accumulator.c - workspaces that take what is inserted as it comes: insert, sort, merge
 * (Zhang et al. 2024, sections 4 and 5).
 *
 *     all        key, position     in order, each key once
 *     inserted   key, position     as inserted, in an accumulation array; the positions of values
 *                                  stand there before
 *     listed     positions of two values that are to be combined, then the second is free
 *     own        what the runtime knows of them (lac_kernel.h)
 *     values     one for each position
 *     next, end  of the accumulation array
 *
 *     insert_coord(i)    where there is no room the array is merged; inserted[next] = i; next + 1
 *     merge              the runtime sorts and merges the array, its keys and positions alone, or
 *                        another thread does while the next one is filled; then values of what is
 *                        equal are combined, and the next array begins
 *     sort               merges what is left
 *     pos_iter           <base, base + count>
 *     pos_access(q)      <all[q]>, and its position
 *     clear              the first array again
 */
#include "lac_kernel.h"
#include "listed.h"
#include "workspace_memory.h"

#include <stddef.h>

enum { ALL = LISTED, INSERTED, COMBINED, OWN }; /* scratch, as the runtime numbers it */
enum { NEXT, END, USED }; /* variables; USED: the positions that there have been */
enum { SIZE_OPTION, THRESHOLD_OPTION, BUFFERS_OPTION, THREADS_OPTION };
enum { SIZE = 256, THRESHOLD = 1 << 16, BUFFERS = 1, THREADS = 1 };
enum { MOST_SIZE = 1 << 30, FIRST_WORDS = 2 };
enum { OWN_WORDS = sizeof(lac_accumulation) / sizeof(int64_t) };

#define WORD_OF(field) ((int64_t)(offsetof(lac_accumulation, field) / sizeof(int64_t)))

static const workspace_memory memory;

static MlirValue own(level *l, int64_t word) {
  return workspace_word(l, &memory, word);
}

/* ---- The runtime's part ------------------------------------------------------------------- */

static void read_array(level *l) {
  level_set(l, NEXT, own(l, WORD_OF(begin)));
  level_set(l, END, own(l, WORD_OF(end)));
  level_set(l, USED, own(l, WORD_OF(touched)));
}

static void clear(level *l) {
  builder *b = level_builder(l);
  MlirValue arguments[] = {level_scratch_pointer(l, OWN), level_scratch_pointer(l, INSERTED)};
  call(b, "lac_kernel_accumulation_clear", (MlirType){NULL}, 2, arguments);
  read_array(l);
}

static MlirValue said(level *l, int option, int64_t usual) {
  return workspace_number(l, level_constant(l, level_option_said(l, option, usual)));
}

static void begin(level *l) {
  builder *b = level_builder(l);
  MlirValue arguments[] = {level_scratch_pointer(l, OWN),    level_scratch_pointer(l, INSERTED),
                           said(l, SIZE_OPTION, SIZE),       said(l, THRESHOLD_OPTION, THRESHOLD),
                           said(l, BUFFERS_OPTION, BUFFERS), said(l, THREADS_OPTION, THREADS)};
  call(b, "lac_kernel_accumulation_begin", (MlirType){NULL}, 6, arguments);
  read_array(l);
}

static void grow(level *l, int number, MlirValue room, MlirValue count) {
  if (number == LAC_ACCUMULATION_VALUES)
    level_values_grow(l, room, count);
  else
    level_scratch_grow(l, number, count);
}

/* A quarter more at least, so that it is seldom. */
static const workspace_memory memory = {.own = OWN,
                                        .room = WORD_OF(room),
                                        .wanted = WORD_OF(wanted),
                                        .count = LAC_ACCUMULATION_MEMORIES,
                                        .share = 4,
                                        .grow = grow,
                                        .clear = clear};

enum { MEMORY_ARGUMENTS = 4 };

/* function(own, all, inserted, listed, next), the last one where it is given. */
static MlirValue call_runtime(level *l, const char *function, MlirType type, bool with_next) {
  builder *b = level_builder(l);
  MlirValue arguments[MEMORY_ARGUMENTS + 1] = {
      level_scratch_pointer(l, OWN), level_scratch_pointer(l, ALL),
      level_scratch_pointer(l, INSERTED), level_scratch_pointer(l, COMBINED)};
  if (with_next)
    arguments[MEMORY_ARGUMENTS] = workspace_number(l, level_get(l, NEXT));
  return call(b, function, type, MEMORY_ARGUMENTS + with_next, arguments);
}

static void combine_listed(level *l) {
  builder *b = level_builder(l);
  MlirValue first = own(l, WORD_OF(free)), end = add(b, first, own(l, WORD_OF(combines)));
  MlirValue n = for_begin(b, first, end, level_constant(l, 1));
  level_combine_values(l, listed_first(l, COMBINED, n), listed_second(l, COMBINED, n));
  for_end(b);
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static void make_room(level *l) {
  const MlirType nothing = {NULL};
  workspace_grow_as_wanted(l, &memory);
  call_runtime(l, "lac_kernel_accumulation_merge", nothing, true);
  combine_listed(l);
  workspace_grow_as_wanted(l, &memory);
  call_runtime(l, "lac_kernel_accumulation_next", nothing, false);
  read_array(l);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue key = level_key(l, coordinates);
  if_begin(b, equal(b, level_get(l, NEXT), level_get(l, END)));
  make_room(l);
  if_end(b);
  MlirValue next = level_get(l, NEXT), position = listed_second(l, INSERTED, next);
  listed_store(l, INSERTED, next, key, position);
  level_reset_value(l, position);
  level_set(l, NEXT, level_plus_one(l, next));
  return position;
}

/* ---- Ordering, walking -------------------------------------------------------------------- */

static void sort(level *l) {
  builder *b = level_builder(l);
  while_begin(b);
  workspace_grow_as_wanted(l, &memory);
  MlirValue more = call_runtime(l, "lac_kernel_accumulation_order", type_i(b, 1), true);
  combine_listed(l);
  while_do(b, more);
  while_end(b);
  read_array(l);
}

static void pos_iter(level *l, MlirValue parent, MlirValue *first, MlirValue *end) {
  (void)parent;
  *first = own(l, WORD_OF(base));
  *end = add(level_builder(l), *first, own(l, WORD_OF(count)));
}

/* ---- Memory ------------------------------------------------------------------------------- */

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_constant(l, level_option_said(l, SIZE_OPTION, SIZE));
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  builder *b = level_builder(l);
  int64_t first = level_option_said(l, SIZE_OPTION, SIZE);
  const int64_t rooms[] = {FIRST_WORDS, LISTED_WORDS * first, FIRST_WORDS, OWN_WORDS};
  for (int n = 0; n <= OWN; n++)
    level_scratch_growing(l, n, 64, level_constant(l, rooms[n]));
  if_begin(b, level_is_fine(l));
  for (int n = 0; n < LAC_ACCUMULATION_MEMORIES; n++)
    workspace_set_room(l, &memory, n,
                       n == LAC_ACCUMULATION_VALUES ? size : level_constant(l, rooms[n]));
  begin(l);
  if_end(b);
}

/* Positions that there have been: of the first array, where nothing was merged, those before. */
static MlirValue used(level *l) {
  builder *b = level_builder(l);
  MlirValue used = level_get(l, USED), none = equal(b, used, level_constant(l, 0));
  return select_value(b, none, level_get(l, NEXT), used);
}

/* Values start anew when they are inserted, but what is released is to be as it was made. */
static void release(level *l) {
  builder *b = level_builder(l);
  MlirValue pointer = level_scratch_pointer(l, OWN);
  call(b, "lac_kernel_accumulation_end", (MlirType){NULL}, 1, &pointer);
  workspace_reset_values(l, used(l));
  for (int n = 0; n <= OWN; n++)
    level_scratch_free(l, n);
}

static const level_option options[] = {[SIZE_OPTION] = {"size", MOST_SIZE},
                                       [THRESHOLD_OPTION] = {"threshold", MOST_SIZE},
                                       [BUFFERS_OPTION] = {"buffers", 2},
                                       [THREADS_OPTION] = {"threads", 2},
                                       {NULL, 0}};

static const level_format format = {
    .name = "coord_accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = pos_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .policy = "coord",
    .options = options,
    .grows = true,
    .entry = listed_entry,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
