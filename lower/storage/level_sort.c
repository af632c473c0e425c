/* level_sort.c - numbers in scratch memory put in order: by the runtime, or where a thread of a
 * device has them, which can call nothing, by a heapsort in the code (Williams, Algorithm 232, 1964).
 *
 *     heap = n / 2;  end = n
 *     while (end > 1) {
 *       if (heap > 0) heap -= 1; else { end -= 1; swap 0, end; }
 *       sift the number at `heap` down below `end`
 *     }
 */
#include "level_format.h"
#include "storage_state.h"

typedef struct heap {
  level *l;
  int memory;
  variable first, end; /* the heap is what stands at first .. end - 1 */
} heap;

static MlirValue number_at(const heap *h, MlirValue i) {
  return level_scratch_load(h->l, h->memory, i);
}

static void swap(const heap *h, MlirValue i, MlirValue j) {
  MlirValue x = number_at(h, i), y = number_at(h, j);
  level_scratch_store(h->l, h->memory, i, y);
  level_scratch_store(h->l, h->memory, j, x);
}

/* The greater one of the two below, of which the second may not be there. */
static MlirValue greater_below(const heap *h, MlirValue left) {
  builder *b = level_builder(h->l);
  MlirValue next = level_plus_one(h->l, left);
  MlirValue right = select_value(b, less(b, next, var_get(b, h->end)), next, left);
  return select_value(b, less(b, number_at(h, left), number_at(h, right)), right, left);
}

static MlirValue left_below(const heap *h, MlirValue i) {
  return level_plus_one(h->l, mul(level_builder(h->l), i, level_constant(h->l, 2)));
}

/* Where it is not less than those below it, it stays: nothing is below `end`. */
static void sift_down(const heap *h) {
  builder *b = level_builder(h->l);
  int mark = var_mark(b);
  variable at = var_make(b, var_get(b, h->first));
  while_begin(b);
  while_do(b, less(b, left_below(h, var_get(b, at)), var_get(b, h->end)));
  MlirValue here = var_get(b, at), below = greater_below(h, left_below(h, here));
  if_begin(b, less(b, number_at(h, here), number_at(h, below)));
  swap(h, here, below);
  var_set(b, at, below);
  if_else(b);
  var_set(b, at, var_get(b, h->end));
  if_end(b);
  while_end(b);
  var_release(b, mark);
}

/* One more for the heap, or, once all are in it, the greatest behind it. */
static void step(const heap *h) {
  builder *b = level_builder(h->l);
  MlirValue zero = level_constant(h->l, 0), one = level_constant(h->l, 1);
  if_begin(b, less(b, zero, var_get(b, h->first)));
  var_set(b, h->first, sub(b, var_get(b, h->first), one));
  if_else(b);
  var_set(b, h->end, sub(b, var_get(b, h->end), one));
  swap(h, zero, var_get(b, h->end));
  if_end(b);
}

static void sort_by_heap(level *l, int memory, MlirValue count) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  heap h = {l, memory, var_make(b, floor_div(b, count, level_constant(l, 2))), var_make(b, count)};
  while_begin(b);
  while_do(b, less(b, level_constant(l, 1), var_get(b, h.end)));
  step(&h);
  sift_down(&h);
  while_end(b);
  var_release(b, mark);
}

void level_sort(level *l, int n, MlirValue count) {
  builder *b = level_builder(l);
  if (l->owner->plan.thread) {
    sort_by_heap(l, n, count);
    return;
  }
  MlirValue arguments[] = {level_scratch_pointer(l, n), index_cast(b, count, type_i(b, 64))};
  call(b, "lac_kernel_sort", (MlirType){NULL}, 2, arguments);
}
