/* counted.c - a result that is appended to in ranges, of which a first walk counts the entries and
 * a second one appends them where they go:
 *
 *     counted         range 0    range 1             before       range 0    range 1    all
 *       level 1    0       2          3         -->     level 1        0          2      5
 *
 * Each appended level has a row of as many numbers as there are ranges, and one before the first:
 * of launches alone, which sum them up as well (prefix_sum.h).
 * In the first walk entries have numbers and nothing is stored; in the second each range appends
 * through a view, in room that is exactly enough (append.c).
 */
#include "building.h"
#include "prefix_sum.h"
#include "storage_state.h"

typedef struct row {
  int level;
  scratch_memory numbers;
  variable all; /* in the last range and before it */
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

static MlirValue behind(const storage_ranges *c, MlirValue range) {
  return add(c->s->b, range, constant_index(c->s->b, 1));
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
  MlirType word = type_i(s->b, 64);
  *c = (storage_ranges){.s = s,
                        .count = count,
                        .rows = ARENA_ARRAY(s->memory, row, s->format->level_count),
                        .notes = ARENA_ARRAY(s->memory, scratch_memory, notes),
                        .note_count = notes};
  for (int k = 0; k < s->format->level_count; k++)
    if (s->levels[k].way == &building_append)
      c->rows[c->row_count++] = (row){k, scratch_take_for_launches(s, word, length),
                                      var_make(s->b, constant_index(s->b, 0))};
  for (int n = 0; n < notes; n++)
    c->notes[n] = scratch_take_for_launches(s, word, length);
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
    scratch_store(c->s, &r->numbers, behind(c, range), as_word(c, storage_end(counts, r->level)));
  }
}

/* A row and what it is of. */
typedef struct row_of {
  const storage_ranges *c;
  const row *r;
} row_of;

static MlirValue load_count(void *data, MlirValue range) {
  const row_of *of = data;
  return number_at(of->c, of->r, behind(of->c, range));
}

static void store_sum(void *data, MlirValue range, MlirValue sum) {
  const row_of *of = data;
  scratch_store(of->c->s, &of->r->numbers, behind(of->c, range), as_word(of->c, sum));
}

MlirValue storage_ranges_make(storage_ranges *c) {
  builder *b = c->s->b;
  if_begin(b, storage_is_fine(c->s));
  for (int n = 0; n < c->row_count; n++) {
    row_of of = {c, &c->rows[n]};
    prefix_items counts = {load_count, store_sum, &of};
    var_set(b, c->rows[n].all, prefix_sum(c->s, &counts, c->count));
  }
  for (int n = 0; n < c->row_count; n++)
    storage_reserve_told(c->s, c->rows[n].level, var_get(b, c->rows[n].all));
  if_end(b);
  return storage_is_fine(c->s);
}

storage *storage_ranges_placing(storage_ranges *c) {
  return append_fixed(c->s);
}

storage *storage_ranges_view(storage_ranges *c, storage *placing, const device_thread *thread,
                             MlirValue range) {
  storage *view = storage_begin_view(placing);
  view->plan.thread = thread;
  for (int n = 0; n < c->row_count; n++) {
    const row *r = &c->rows[n];
    storage_view_room(view, r->level, number_at(c, r, range), number_at(c, r, behind(c, range)));
    append_unchecked(view, r->level);
  }
  return view;
}

void storage_ranges_append(storage_ranges *c) {
  for (int n = 0; n < c->row_count; n++)
    storage_append_told(c->s, c->rows[n].level, var_get(c->s->b, c->rows[n].all));
}

void storage_ranges_end(storage_ranges *c) {
  for (int n = 0; n < c->row_count; n++)
    scratch_release_of_launches(c->s, &c->rows[n].numbers);
  for (int n = 0; n < c->note_count; n++)
    scratch_release_of_launches(c->s, &c->notes[n]);
}
