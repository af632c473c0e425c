/* lac_sort.c - sorts the coordinates of one row of a workspace, ascending, in place.
 *
 * Short rows by insertion; longer ones by least-significant-digit radix sort on the bits in which
 * the coordinates differ (from the least to the largest), 8 bits a pass, between the row and a
 * buffer; where a buffer cannot be had, by heap.  A row that is sorted already is left after one
 * look.
 */
#include "lac_kernel.h"
#include "lac_memory.h"

#include <string.h>

enum { INSERTION_LIMIT = 40, STACK_LIMIT = 1024, DIGITS = 256 };

static void insertion_sort(int64_t *c, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    int64_t moved = c[i], to = i;
    for (; to > 0 && c[to - 1] > moved; to--)
      c[to] = c[to - 1];
    c[to] = moved;
  }
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

static void radix_pass(const int64_t *from, int64_t *to, int64_t count, int64_t least, int shift) {
  int64_t place[DIGITS] = {0};
  for (int64_t i = 0; i < count; i++)
    place[((uint64_t)from[i] - (uint64_t)least) >> shift & (DIGITS - 1)]++;
  for (int64_t digit = 0, begin = 0; digit < DIGITS; digit++) {
    int64_t size = place[digit];
    place[digit] = begin;
    begin += size;
  }
  for (int64_t i = 0; i < count; i++)
    to[place[((uint64_t)from[i] - (uint64_t)least) >> shift & (DIGITS - 1)]++] = from[i];
}

static void radix_sort(int64_t *c, int64_t *buffer, int64_t count, int64_t least, uint64_t span) {
  int64_t *from = c, *to = buffer;
  for (int shift = 0; shift < 64 && span >> shift; shift += 8) {
    radix_pass(from, to, count, least, shift);
    int64_t *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != c)
    memcpy(c, from, (size_t)count * sizeof *c);
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
    insertion_sort(coordinates, count);
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
