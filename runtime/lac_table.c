/* lac_table.c - tables in which the coordinates of a segment are looked up: what lac_kernel.h says
 * of them.  Generated code marks and looks up.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"

/* 64 MB: a dimension that is larger is not worth a table. */
enum { MOST = 1 << 24 };

static int64_t bytes_of(int64_t coordinates) {
  return coordinates * (int64_t)sizeof(int32_t);
}

lac_table *lac_kernel_table(int32_t *status) {
  lac_table *t = lac_memory_allocate(sizeof *t);
  if (!t)
    lac_status_take(status, LAC_ERROR_MEMORY);
  return t;
}

int64_t lac_kernel_table_grow(lac_table *t, int64_t coordinates) {
  if (coordinates <= t->count || coordinates > MOST)
    return t->count;
  int32_t *made = lac_memory_allocate(bytes_of(coordinates));
  if (!made)
    return t->count;
  lac_memory_release(t->places, bytes_of(t->count));
  t->marked_begin = t->marked_end = 0;
  t->places = made;
  t->count = coordinates;
  return t->count;
}

void lac_kernel_table_free(lac_table *t) {
  if (!t)
    return;
  lac_memory_release(t->places, bytes_of(t->count));
  lac_memory_release(t, sizeof *t);
}
