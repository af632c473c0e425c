/* level_notes.c - coordinates under parents that a level that is collected notes (level_format.h):
 * entries of two words, parent and coordinate, in a buffer, sorted once all are there.
 *
 *     note       (2, 5) (0, 7) (2, 1) (2, 5)        parents 0 to 2
 *     number     coordinates 7 | | 1 5              ends 1 1 3
 */
#include "storage_state.h"

#include "lac_kernel.h"

#include <stddef.h>

enum { WORD = 64, NOTE_WORDS = 2, FIRST_ROOM = 256, ARRAY_WORDS = sizeof(lac_array) / 8 };

static MlirValue as_i64(level *l, MlirValue v) {
  return index_cast(l->owner->b, v, type_i(l->owner->b, WORD));
}

static MlirValue number(level *l, int64_t x) {
  return constant_index(l->owner->b, x);
}

/* A lac_array on the stack, empty. */
static MlirValue make_array(level *l, int width) {
  builder *b = l->owner->b;
  MlirType i64 = type_i(b, WORD);
  MlirValue array = stack_array(b, i64, ARRAY_WORDS);
  for (int word = 0; word < ARRAY_WORDS; word++)
    store_field(b, constant_integer(b, i64, 0), array, word * WORD / 8);
  store_field(b, constant_integer(b, type_i(b, 32), width), array, offsetof(lac_array, width));
  return array;
}

void level_notes(level *l, int n) {
  l->notes[n] = (level_noted){make_array(l, NOTE_WORDS * WORD / 8), make_array(l, WORD / 8)};
}

/* ---- Elements ----------------------------------------------------------------------------- */

static MlirValue data_of(level *l, MlirValue array) {
  return load_field(l->owner->b, array, offsetof(lac_array, data), type_ptr(l->owner->b));
}

static MlirValue load_size(level *l, int n, size_t field) {
  builder *b = l->owner->b;
  return load_field(b, l->notes[n].notes, (int64_t)field, type_index(b));
}

static MlirValue load_index(level *l, MlirValue data, MlirValue i) {
  builder *b = l->owner->b;
  return index_cast(b, load_element(b, data, i, type_i(b, WORD)), type_index(b));
}

static void store_index(level *l, MlirValue value, MlirValue data, MlirValue i) {
  store_element(l->owner->b, as_i64(l, value), data, i);
}

static MlirValue word_of(level *l, MlirValue note, int word) {
  builder *b = l->owner->b;
  return add(b, mul(b, note, number(l, NOTE_WORDS)), number(l, word));
}

static void store_note(level *l, MlirValue data, MlirValue note, MlirValue parent,
                       MlirValue coordinate) {
  store_index(l, parent, data, word_of(l, note, 0));
  store_index(l, coordinate, data, word_of(l, note, 1));
}

/* ---- Noting ------------------------------------------------------------------------------- */

static void grow(level *l, int n, MlirValue count) {
  builder *b = l->owner->b;
  MlirValue needed = max_i(b, add(b, count, number(l, 1)), number(l, FIRST_ROOM));
  MlirValue arguments[] = {l->notes[n].notes, as_i64(l, needed), l->owner->status};
  call_seldom(b, "lac_kernel_buffer_grow", type_ptr(b), 3, arguments);
}

/* Where memory has run out, nothing more. */
void level_note(level *l, int n, MlirValue parent, MlirValue coordinate) {
  builder *b = l->owner->b;
  MlirValue count = load_size(l, n, offsetof(lac_array, length));
  if_begin(b, less_equal(b, load_size(l, n, offsetof(lac_array, capacity)), count));
  grow(l, n, count);
  if_end(b);
  if_begin(b, less(b, count, load_size(l, n, offsetof(lac_array, capacity))));
  store_note(l, data_of(l, l->notes[n].notes), count, parent, coordinate);
  store_field(b, as_i64(l, add(b, count, number(l, 1))), l->notes[n].notes,
              offsetof(lac_array, length));
  if_end(b);
}

/* ---- Numbering ---------------------------------------------------------------------------- */

/* Moves note `i` to the number `kept`, unless the one before is the same; the next number. */
static MlirValue keep_note(level *l, MlirValue notes, MlirValue ends, MlirValue i, MlirValue kept) {
  builder *b = l->owner->b;
  int mark = var_mark(b);
  MlirValue parent = load_index(l, notes, word_of(l, i, 0));
  MlirValue coordinate = load_index(l, notes, word_of(l, i, 1));
  MlirValue before = sub(b, max_i(b, kept, number(l, 1)), number(l, 1));
  MlirValue differs = or_i(b, not_equal(b, load_index(l, notes, word_of(l, before, 0)), parent),
                           not_equal(b, load_index(l, notes, word_of(l, before, 1)), coordinate));
  variable next = var_make(b, kept);
  if_begin(b, or_i(b, equal(b, kept, number(l, 0)), differs));
  store_note(l, notes, kept, parent, coordinate);
  var_set(b, next, add(b, kept, number(l, 1)));
  store_index(l, var_get(b, next), ends, parent);
  if_end(b);
  MlirValue after = var_get(b, next);
  var_release(b, mark);
  return after;
}

/* Each note once; ends of parents that have any. */
static void keep_notes(level *l, MlirValue notes, MlirValue ends, MlirValue count, variable kept) {
  builder *b = l->owner->b;
  MlirValue i = for_begin(b, number(l, 0), count, number(l, 1));
  var_set(b, kept, keep_note(l, notes, ends, i, var_get(b, kept)));
  for_end(b);
}

/* Those of parents without any are where those before them end. */
static void fill_ends(level *l, MlirValue ends, MlirValue parents) {
  builder *b = l->owner->b;
  int mark = var_mark(b);
  variable last = var_make(b, number(l, 0));
  MlirValue parent = for_begin(b, number(l, 0), parents, number(l, 1));
  var_set(b, last, max_i(b, var_get(b, last), load_index(l, ends, parent)));
  store_index(l, var_get(b, last), ends, parent);
  for_end(b);
  var_release(b, mark);
}

static void sort_notes(level *l, MlirValue notes, MlirValue count) {
  builder *b = l->owner->b;
  MlirType i32 = type_i(b, 32);
  MlirValue words = constant_integer(b, i32, NOTE_WORDS);
  MlirValue arguments[] = {notes, as_i64(l, count), words, words, l->owner->status};
  call(b, "lac_kernel_entries_sort", (MlirType){NULL}, 5, arguments);
}

static void make_ends(level *l, int n, MlirValue parents) {
  builder *b = l->owner->b;
  MlirValue arguments[] = {l->notes[n].ends, as_i64(l, parents), constant_bool(b, false),
                           l->owner->status};
  call(b, "lac_kernel_buffer", type_ptr(b), 4, arguments);
}

MlirValue level_notes_number(level *l, int n, MlirValue parent_size) {
  builder *b = l->owner->b;
  int mark = var_mark(b);
  MlirValue count = load_size(l, n, offsetof(lac_array, length)),
            notes = data_of(l, l->notes[n].notes);
  variable kept = var_make(b, number(l, 0));
  sort_notes(l, notes, count);
  make_ends(l, n, parent_size);
  if_begin(b, storage_is_fine(l->owner));
  MlirValue ends = data_of(l, l->notes[n].ends);
  keep_notes(l, notes, ends, count, kept);
  fill_ends(l, ends, parent_size);
  if_end(b);
  MlirValue numbered = var_get(b, kept);
  var_release(b, mark);
  return numbered;
}

MlirValue level_noted_coordinate(level *l, int n, MlirValue i) {
  return load_index(l, data_of(l, l->notes[n].notes), word_of(l, i, 1));
}

MlirValue level_noted_end(level *l, int n, MlirValue parent) {
  return load_index(l, data_of(l, l->notes[n].ends), parent);
}

void level_notes_free(level *l, int n) {
  call(l->owner->b, "lac_kernel_buffer_free", (MlirType){NULL}, 1, &l->notes[n].notes);
  call(l->owner->b, "lac_kernel_buffer_free", (MlirType){NULL}, 1, &l->notes[n].ends);
}
