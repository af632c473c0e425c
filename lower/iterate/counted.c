/* counted.c - see counted.h; the rows of counts: assembly/counted.c. */
#include "counted.h"

#include "gpu_scratch.h"

typedef struct counting {
  storage_ranges *rows;
  storage *placing;
} counting;

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
  counting n = {storage_ranges_begin(range_result(u->c), ranges), NULL};
  bool good = ranges_loop(u, ranges, range_cut, count_range, &n);
  if_begin(b, storage_ranges_make(n.rows));
  n.placing = storage_ranges_placing(n.rows);
  good = good && ranges_loop(u, ranges, range_cut, append_range, &n);
  storage_ranges_append(n.rows);
  if_end(b);
  storage_ranges_end(n.rows);
  return good;
}
