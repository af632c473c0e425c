/* counted.c - a result that is appended to in ranges, of which a first walk counts the entries and
 * a second one appends them where they go:
 *
 *     counted    range 0    range 1             before       range 0    range 1    all
 *       level 1        2          3         -->     level 1        0          2      5
 *
 * Each appended level has a row of as many numbers as there are ranges, and one behind the last.
 * In the first walk entries have numbers and nothing is stored; in the second each range appends
 * through a view, in room that is exactly enough (append.c).
 */
#include "building.h"
#include "storage_state.h"

typedef struct row {
  int level;
  scratch_memory numbers;
} row;

struct storage_ranges {
  storage *s;
  MlirValue count; /* of ranges */
  row *rows;       /* of the levels that are appended to */
  int row_count;
  scratch_memory *notes;
  int note_count;
};

static MlirValue as_word(const storage_ranges *c, MlirValue n) {
  return index_cast(c->s->b, n, type_i(c->s->b, 64));
}

static MlirValue number_in(const storage_ranges *c, const scratch_memory *numbers,
                           MlirValue range) {
  return index_cast(c->s->b, scratch_load(c->s, numbers, range), type_index(c->s->b));
}

static MlirValue number_at(const storage_ranges *c, const row *r, MlirValue range) {
  return number_in(c, &r->numbers, range);
}

void storage_ranges_note(storage_ranges *c, int note, MlirValue range, MlirValue number) {
  scratch_store(c->s, &c->notes[note], range, as_word(c, number));
}

MlirValue storage_ranges_noted(storage_ranges *c, int note, MlirValue range) {
  return number_in(c, &c->notes[note], range);
}

storage_ranges *storage_ranges_begin(storage *s, MlirValue count, int notes) {
  storage_ranges *c = arena_alloc(s->memory, sizeof *c);
  MlirValue length = add(s->b, count, constant_index(s->b, 1));
  *c = (storage_ranges){.s = s,
                        .count = count,
                        .rows = ARENA_ARRAY(s->memory, row, s->format->level_count),
                        .notes = ARENA_ARRAY(s->memory, scratch_memory, notes),
                        .note_count = notes};
  for (int k = 0; k < s->format->level_count; k++)
    if (s->levels[k].way == &building_append)
      c->rows[c->row_count++] = (row){k, scratch_take(s, type_i(s->b, 64), length)};
  for (int n = 0; n < notes; n++)
    c->notes[n] = scratch_take(s, type_i(s->b, 64), length);
  return c;
}

storage *storage_ranges_counting(storage_ranges *c, const device_thread *thread) {
  storage *counts = append_counting(c->s);
  counts->plan.thread = thread;
  return counts;
}

void storage_ranges_set(storage_ranges *c, storage *counts, MlirValue range) {
  for (int n = 0; n < c->row_count; n++) {
    const row *r = &c->rows[n];
    scratch_store(c->s, &r->numbers, range, as_word(c, storage_end(counts, r->level)));
  }
}

/* before = 0;  for range { n = counted;  its number = before;  before += n };  that of all */
static void sum(storage_ranges *c, const row *r) {
  builder *b = c->s->b;
  int mark = var_mark(b);
  MlirValue zero = constant_index(b, 0);
  variable before = var_make(b, zero);
  MlirValue i = for_begin_plain(b, zero, c->count, constant_index(b, 1));
  MlirValue counted = number_at(c, r, i), here = var_get(b, before);
  scratch_store(c->s, &r->numbers, i, as_word(c, here));
  var_set(b, before, add(b, here, counted));
  for_end(b);
  scratch_store(c->s, &r->numbers, c->count, as_word(c, var_get(b, before)));
  var_release(b, mark);
}

MlirValue storage_ranges_make(storage_ranges *c) {
  builder *b = c->s->b;
  if_begin(b, storage_is_fine(c->s));
  for (int n = 0; n < c->row_count; n++)
    sum(c, &c->rows[n]);
  for (int n = 0; n < c->row_count; n++)
    storage_reserve_told(c->s, c->rows[n].level, number_at(c, &c->rows[n], c->count));
  if_end(b);
  return storage_is_fine(c->s);
}

storage *storage_ranges_placing(storage_ranges *c) {
  return append_fixed(c->s);
}

storage *storage_ranges_view(storage_ranges *c, storage *placing, const device_thread *thread,
                             MlirValue range) {
  MlirValue next = add(c->s->b, range, constant_index(c->s->b, 1));
  storage *view = storage_begin_view(placing);
  view->plan.thread = thread;
  for (int n = 0; n < c->row_count; n++) {
    const row *r = &c->rows[n];
    storage_view_room(view, r->level, number_at(c, r, range), number_at(c, r, next));
    append_unchecked(view, r->level);
  }
  return view;
}

void storage_ranges_append(storage_ranges *c) {
  for (int n = 0; n < c->row_count; n++)
    storage_append_told(c->s, c->rows[n].level, number_at(c, &c->rows[n], c->count));
}

void storage_ranges_end(storage_ranges *c) {
  for (int n = 0; n < c->row_count; n++)
    scratch_release(c->s, &c->rows[n].numbers);
  for (int n = 0; n < c->note_count; n++)
    scratch_release(c->s, &c->notes[n]);
}
