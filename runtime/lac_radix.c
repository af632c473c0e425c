/* lac_radix.c - a pass for each digit, from one array into the other (Knuth, volume 3, 5.2.5). */
#include "lac_radix.h"

#include <string.h>

enum { LEAST_DIGIT = 4, WIDEST_DIGIT = 11 };

static void sort_by_digit(const lac_pair *from, lac_pair *to, int64_t count, int shift, int width) {
  int64_t places[1 << WIDEST_DIGIT];
  uint64_t mask = (UINT64_C(1) << width) - 1;
  memset(places, 0, sizeof *places << width);
  for (int64_t i = 0; i < count; i++)
    places[(uint64_t)from[i].coordinate >> shift & mask]++;
  for (int64_t digit = 0, begin = 0; digit <= (int64_t)mask; digit++) {
    int64_t size = places[digit];
    places[digit] = begin;
    begin += size;
  }
  for (int64_t i = 0; i < count; i++)
    to[places[(uint64_t)from[i].coordinate >> shift & mask]++] = from[i];
}

static int digit_worth(int64_t count) {
  int width = 63 - __builtin_clzll((uint64_t)count);
  return width < LEAST_DIGIT ? LEAST_DIGIT : width > WIDEST_DIGIT ? WIDEST_DIGIT : width;
}

lac_pair *lac_radix_sort(lac_pair *pairs, lac_pair *spare, int64_t count, uint64_t differing) {
  if (!differing)
    return pairs;
  lac_pair *from = pairs, *to = spare;
  int low = __builtin_ctzll(differing), high = 64 - __builtin_clzll(differing);
  int digit = digit_worth(count), passes = (high - low + digit - 1) / digit;
  for (; passes > 0; passes--) {
    int width = (high - low + passes - 1) / passes;
    sort_by_digit(from, to, count, low, width);
    lac_pair *swapped = from;
    from = to;
    to = swapped;
    low += width;
  }
  return from;
}
