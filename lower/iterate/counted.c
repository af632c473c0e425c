/* counted.c - see counted.h; the rows of counts: assembly/counted.c. */
#include "counted.h"

#include "gpu_scratch.h"
#include "row_cut.h"

/* What is noted of each range: where it begins. */
enum { ROW, COLUMN, NOTES };

typedef struct counting {
  cutting *u;
  MlirValue ranges; /* how many */
  bool cuts_rows;
  storage_ranges *rows;
  storage *placing;
} counting;

/* ---- Where ranges begin ------------------------------------------------------------------- */

static void note_begin(void *data, MlirValue number) {
  const counting *n = data;
  row_cut begin = n->cuts_rows ? row_cut_find(n->u, number, n->ranges)
                               : (row_cut){.row = cut(n->u, number, n->ranges)};
  storage_ranges_note(n->rows, ROW, number, begin.row);
  if (n->cuts_rows)
    storage_ranges_note(n->rows, COLUMN, number, begin.column);
}

static row_cut begin_of(const counting *n, MlirValue number) {
  row_cut begin = {.row = storage_ranges_noted(n->rows, ROW, number)};
  if (n->cuts_rows)
    begin.column = storage_ranges_noted(n->rows, COLUMN, number);
  return begin;
}

static void noted_range(cutting *u, range *r, MlirValue count, void *data) {
  const counting *n = data;
  builder *b = u->c->k->b;
  (void)count;
  row_cut begin = begin_of(n, r->number);
  row_cut_range(b, r, begin, begin_of(n, add(b, r->number, constant_index(b, 1))));
}

/* ---- The entries of a range --------------------------------------------------------------- */

static void note_counts(storage *whole, storage *counts, const range *r, void *data) {
  const counting *n = data;
  (void)whole;
  storage_ranges_set(n->rows, counts, r->number);
}

static bool count_range(cutting *u, const range *r, void *data) {
  const counting *n = data;
  storage *counts = storage_ranges_counting(n->rows, gpu_thread(u->c->k));
  return range_loop(u->c, counts, constant_bool(u->c->k->b, true), r, note_counts, data);
}

static bool append_range(cutting *u, const range *r, void *data) {
  const counting *n = data;
  storage *view = storage_ranges_view(n->rows, n->placing, gpu_thread(u->c->k), r->number);
  return range_loop(u->c, view, constant_bool(u->c->k->b, true), r, NULL, NULL);
}

bool counted_assemble(cutting *u, MlirValue ranges) {
  builder *b = u->c->k->b;
  counting n = {.u = u, .ranges = ranges, .cuts_rows = rows_can_be_cut(u)};
  n.rows = storage_ranges_begin(range_result(u->c), ranges, n.cuts_rows ? NOTES : 1);
  launch_each(b, add(b, ranges, constant_index(b, 1)), u->c->k->status, note_begin, &n);
  u->c->k->counting = true;
  bool good = ranges_loop(u, ranges, noted_range, count_range, &n);
  u->c->k->counting = false;
  if_begin(b, storage_ranges_make(n.rows));
  n.placing = storage_ranges_placing(n.rows);
  good = good && ranges_loop(u, ranges, noted_range, append_range, &n);
  storage_ranges_append(n.rows);
  if_end(b);
  storage_ranges_end(n.rows);
  return good;
}
