/* numbers.c - the counters of a result's entries, #i: how many with that coordinate came before.
 *
 *     #i : dense, i : dense, j : padded        numbers[i]++ for each entry of row i
 *
 * They count anew in each walk over the entries: those that count levels, and that which places.
 */
#include "building.h"
#include "storage_state.h"

static MlirValue counted_size(const storage *s, int k) {
  return s->dimensions[remap_counted(s->format->levels[k].expression)];
}

static bool holds_counter(const storage *s, int k) {
  return remap_counted(s->format->levels[k].expression) >= 0;
}

bool storage_numbers(const storage *s, int k) {
  return !mlirValueIsNull(s->levels[k].numbers.pointer);
}

void numbers_make(storage *s) {
  for (int k = 0; k < s->format->level_count; k++)
    if (holds_counter(s, k))
      s->levels[k].numbers = scratch_take(s, type_i(s->b, 64), counted_size(s, k));
}

static void clear_level(storage *s, int k) {
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0);
  MlirValue i = for_begin(b, zero, counted_size(s, k), constant_index(b, 1));
  store(b, constant_scalar(b, type_i(b, 64), 0), s->levels[k].numbers.elements, i);
  for_end(b);
}

void numbers_clear(storage *s) {
  for (int k = 0; k < s->format->level_count; k++)
    if (storage_numbers(s, k))
      clear_level(s, k);
}

void numbers_release(storage *s) {
  for (int k = 0; k < s->format->level_count; k++)
    if (storage_numbers(s, k))
      scratch_release(s, &s->levels[k].numbers);
}

MlirValue storage_number(storage *s, int k, MlirValue coordinate) {
  builder *b = s->b;
  MlirValue memory = s->levels[k].numbers.elements, number = load(b, memory, coordinate);
  store(b, add(b, number, constant_scalar(b, type_i(b, 64), 1)), memory, coordinate);
  return index_cast(b, number, type_index(b));
}
