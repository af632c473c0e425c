/* heap.c - see heap.h. */
#include "heap.h"

/* More than so many are worth a heap. */
enum { HEAP_FROM = 16 };

typedef struct heap {
  const heap_items *items;
  builder *b;
  variable first, end; /* the heap is what stands at first .. end - 1 */
} heap;

static MlirValue key_at(const heap *h, MlirValue i) {
  return h->items->key(h->items->data, i);
}

static void swap(const heap *h, MlirValue i, MlirValue j) {
  h->items->swap(h->items->data, i, j);
}

static MlirValue plus_one(const heap *h, MlirValue i) {
  return add(h->b, i, constant_index(h->b, 1));
}

static MlirValue left_below(const heap *h, MlirValue i) {
  return plus_one(h, mul(h->b, i, constant_index(h->b, 2)));
}

/* The greater one of the two below, of which the second may not be there. */
static MlirValue greater_below(const heap *h, MlirValue left) {
  builder *b = h->b;
  MlirValue next = plus_one(h, left);
  MlirValue right = select_value(b, less(b, next, var_get(b, h->end)), next, left);
  return select_value(b, less(b, key_at(h, left), key_at(h, right)), right, left);
}

/* Where it is not less than those below it, it stays: nothing is below `end`. */
static void sift_down(const heap *h) {
  builder *b = h->b;
  int mark = var_mark(b);
  variable at = var_make(b, var_get(b, h->first));
  while_begin(b);
  while_do(b, less(b, left_below(h, var_get(b, at)), var_get(b, h->end)));
  MlirValue here = var_get(b, at), below = greater_below(h, left_below(h, here));
  if_begin(b, less(b, key_at(h, here), key_at(h, below)));
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
  builder *b = h->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  if_begin(b, less(b, zero, var_get(b, h->first)));
  var_set(b, h->first, sub(b, var_get(b, h->first), one));
  if_else(b);
  var_set(b, h->end, sub(b, var_get(b, h->end), one));
  swap(h, zero, var_get(b, h->end));
  if_end(b);
}

static void sort_by_heap(const heap_items *items, MlirValue count) {
  builder *b = items->b;
  int mark = var_mark(b);
  MlirValue half = floor_div(b, count, constant_index(b, 2));
  heap h = {items, b, var_make(b, half), var_make(b, count)};
  while_begin(b);
  while_do(b, less(b, constant_index(b, 1), var_get(b, h.end)));
  step(&h);
  sift_down(&h);
  while_end(b);
  var_release(b, mark);
}

/* Exchanges what is at `at` with what is before it until that is not greater.  Nothing is before
 * the first, which is not less than itself. */
static void sink(const heap_items *items, variable at) {
  builder *b = items->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  while_begin(b);
  MlirValue here = var_get(b, at), before = max_i(b, sub(b, here, one), zero);
  while_do(b, less(b, items->key(items->data, here), items->key(items->data, before)));
  MlirValue moved = sub(b, var_get(b, at), one);
  items->swap(items->data, moved, var_get(b, at));
  var_set(b, at, moved);
  while_end(b);
}

static void sort_by_insertion(const heap_items *items, MlirValue count) {
  builder *b = items->b;
  MlirValue one = constant_index(b, 1);
  int mark = var_mark(b);
  MlirValue i = for_begin(b, one, count, one);
  sink(items, var_make(b, i));
  for_end(b);
  var_release(b, mark);
}

void heap_sort(const heap_items *items, MlirValue count) {
  builder *b = items->b;
  if_begin(b, less(b, constant_index(b, HEAP_FROM), count));
  sort_by_heap(items, count);
  if_else(b);
  sort_by_insertion(items, count);
  if_end(b);
}
