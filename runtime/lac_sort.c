/* lac_sort.c - sorts the coordinates of one row of a workspace, ascending, in place.
 *
 * Short rows by insertion; longer ones by radix sort of their distances from the least
 * (lac_radix.h), between the row and a buffer; where a buffer cannot be had, by heap.  A row that
 * is sorted already is left after one look.
 */
#include "lac_kernel.h"
#include "lac_memory.h"
#include "lac_radix.h"

#include <string.h>

enum { INSERTION_LIMIT = 40, STACK_LIMIT = 1024 };

/* All bits up to the highest of a span. */
static uint64_t bits_of(uint64_t span) {
  return span ? ~UINT64_C(0) >> __builtin_clzll(span) : 0;
}

static void sift_down(int64_t *c, int64_t root, int64_t count) {
  int64_t moved = c[root];
  for (int64_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && c[child + 1] > c[child])
      child++;
    if (c[child] <= moved)
      break;
    c[root] = c[child];
  }
  c[root] = moved;
}

static void heap_sort(int64_t *c, int64_t count) {
  for (int64_t root = count / 2; root-- > 0;)
    sift_down(c, root, count);
  for (int64_t last = count - 1; last > 0; last--) {
    int64_t largest = c[0];
    c[0] = c[last];
    c[last] = largest;
    sift_down(c, 0, last);
  }
}

static void radix_sort(int64_t *c, int64_t *buffer, int64_t count, int64_t least, uint64_t span) {
  uint64_t *sorted =
      lac_radix_keys((uint64_t *)c, (uint64_t *)buffer, count, (uint64_t)least, bits_of(span));
  if (sorted != (uint64_t *)c)
    memcpy(c, sorted, (size_t)count * sizeof *c);
}

static void sort_long(int64_t *c, int64_t count, int64_t least, uint64_t span) {
  int64_t bytes = count * (int64_t)sizeof *c;
  int64_t *buffer = lac_memory_allocate(bytes);
  if (buffer)
    radix_sort(c, buffer, count, least, span);
  else
    heap_sort(c, count);
  lac_memory_release(buffer, bytes);
}

void lac_kernel_sort(int64_t *coordinates, int64_t count) {
  if (count <= INSERTION_LIMIT) {
    lac_radix_insert_keys((uint64_t *)coordinates, count);
    return;
  }
  int64_t least = coordinates[0], largest = coordinates[0];
  bool sorted = true;
  for (int64_t i = 1; i < count; i++) {
    sorted &= coordinates[i - 1] <= coordinates[i];
    least = coordinates[i] < least ? coordinates[i] : least;
    largest = coordinates[i] > largest ? coordinates[i] : largest;
  }
  uint64_t span = (uint64_t)largest - (uint64_t)least;
  int64_t buffer[STACK_LIMIT];
  if (sorted)
    return;
  if (count <= STACK_LIMIT)
    radix_sort(coordinates, buffer, count, least, span);
  else
    sort_long(coordinates, count, least, span);
}
