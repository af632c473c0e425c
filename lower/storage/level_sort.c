/* level_sort.c - numbers in scratch memory put in order: by the runtime, or, where a thread of a
 * device has them, which can call nothing, by a heapsort in the code. */
#include "heap.h"
#include "level_format.h"
#include "storage_state.h"

typedef struct numbers {
  level *l;
  int memory;
} numbers;

static MlirValue number_at(void *data, MlirValue i) {
  const numbers *n = data;
  return level_scratch_load(n->l, n->memory, i);
}

static void swap(void *data, MlirValue i, MlirValue j) {
  const numbers *n = data;
  MlirValue x = number_at(data, i), y = number_at(data, j);
  level_scratch_store(n->l, n->memory, i, y);
  level_scratch_store(n->l, n->memory, j, x);
}

void level_sort(level *l, int n, MlirValue count) {
  builder *b = level_builder(l);
  if (l->owner->plan.any_order)
    return;
  if (l->owner->plan.thread) {
    numbers all = {l, n};
    heap_sort(&(heap_items){b, number_at, swap, &all}, count);
    return;
  }
  MlirValue arguments[] = {level_scratch_pointer(l, n), index_cast(b, count, type_i(b, 64))};
  call(b, "lac_kernel_sort", (MlirType){NULL}, 2, arguments);
}
