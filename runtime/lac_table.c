/* lac_table.c - tables in which the coordinates of a segment are looked up: what lac_kernel.h says
 * of them.  Generated code marks and looks up.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"

/* Of a dimension of 64 million coordinates, 16 MB: one that is larger is not worth a table. */
enum { MOST_WORDS = 1 << 20 };

static int64_t bytes_of(int64_t words) {
  return words * (int64_t)sizeof(lac_table_word);
}

lac_table *lac_kernel_table(int32_t *status) {
  lac_table *t = lac_memory_allocate(sizeof *t);
  if (!t)
    lac_status_take(status, LAC_ERROR_MEMORY);
  return t;
}

int64_t lac_kernel_table_grow(lac_table *t, int64_t words) {
  if (words <= t->count || words > MOST_WORDS)
    return t->count;
  lac_table_word *made = lac_memory_allocate(bytes_of(words));
  if (!made)
    return t->count;
  lac_memory_release(t->words, bytes_of(t->count));
  t->marked_begin = t->marked_end = 0;
  t->words = made;
  t->count = words;
  return t->count;
}

void lac_kernel_table_free(lac_table *t) {
  if (!t)
    return;
  lac_memory_release(t->words, bytes_of(t->count));
  lac_memory_release(t, sizeof *t);
}
