/* level_notes.c - coordinates under parents that a level that is collected notes, in the runtime's
 * lac_collected in scratch memory (level_format.h).
 *
 *     note      if count < room { parents[count] = p;  coordinates[count] = i;  count += 1 }
 *               else the runtime makes room, and notes it
 */
#include "storage_state.h"

#include "lac_kernel.h"

#include <stddef.h>

enum { WORD = 64, WORDS = sizeof(lac_collected) / sizeof(int64_t) };

static MlirValue as_i64(level *l, MlirValue v) {
  return index_cast(l->owner->b, v, type_i(l->owner->b, WORD));
}

void level_notes(level *l, int n) {
  level_scratch(l, n, WORD, constant_index(l->owner->b, WORDS));
}

static MlirValue load_state(level *l, int n, size_t field) {
  return load_field(l->owner->b, level_scratch_pointer(l, n), (int64_t)field,
                    type_index(l->owner->b));
}

static void store_noted(level *l, int n, size_t array, MlirValue i, MlirValue value) {
  builder *b = l->owner->b;
  MlirValue elements = load_field(b, level_scratch_pointer(l, n), (int64_t)array, type_ptr(b));
  store_element(b, as_i64(l, value), elements, i);
}

static void note_in_runtime(level *l, int n, MlirValue parent, MlirValue coordinate) {
  MlirValue arguments[] = {level_scratch_pointer(l, n), as_i64(l, parent), as_i64(l, coordinate),
                           l->owner->status};
  call_seldom(l->owner->b, "lac_kernel_collect", (MlirType){NULL}, 4, arguments);
}

void level_note(level *l, int n, MlirValue parent, MlirValue coordinate) {
  builder *b = l->owner->b;
  MlirValue count = load_state(l, n, offsetof(lac_collected, count));
  if_begin(b, less(b, count, load_state(l, n, offsetof(lac_collected, room))));
  store_noted(l, n, offsetof(lac_collected, parents), count, parent);
  store_noted(l, n, offsetof(lac_collected, coordinates), count, coordinate);
  store_field(b, as_i64(l, add(b, count, constant_index(b, 1))), level_scratch_pointer(l, n),
              offsetof(lac_collected, count));
  if_else(b);
  note_in_runtime(l, n, parent, coordinate);
  if_end(b);
}

MlirValue level_notes_number(level *l, int n, MlirValue parent_size) {
  builder *b = l->owner->b;
  MlirValue arguments[] = {level_scratch_pointer(l, n), as_i64(l, parent_size), l->owner->status};
  MlirValue count = call(b, "lac_kernel_collected", type_i(b, WORD), 3, arguments);
  return index_cast(b, count, type_index(b));
}

static MlirValue load_noted(level *l, int n, size_t array, MlirValue i) {
  builder *b = l->owner->b;
  MlirValue elements = load_field(b, level_scratch_pointer(l, n), (int64_t)array, type_ptr(b));
  return index_cast(b, load_element(b, elements, i, type_i(b, WORD)), type_index(b));
}

MlirValue level_noted_coordinate(level *l, int n, MlirValue i) {
  return load_noted(l, n, offsetof(lac_collected, coordinates), i);
}

MlirValue level_noted_end(level *l, int n, MlirValue parent) {
  return load_noted(l, n, offsetof(lac_collected, ends), parent);
}

void level_notes_free(level *l, int n) {
  MlirValue notes = level_scratch_pointer(l, n);
  call(l->owner->b, "lac_kernel_collected_free", (MlirType){NULL}, 1, &notes);
  level_scratch_free(l, n);
}
