// The sort of keys and of pairs: few and many, by some of their bits, stable.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_radix.h"

#include <stdlib.h>

static uint64_t state = 88172645463325252u;

static uint64_t some(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static uint64_t mask_of(int low, int high) {
  return high == low ? 0 : ~UINT64_C(0) >> (64 - (high - low)) << low;
}

/* Pairs whose bits below `low` ascend with their places, as callers have sorted them before. */
static void pairs_are_sorted_stably(int64_t count, int low, int high) {
  uint64_t bits = mask_of(low, high);
  lac_pair *pairs = calloc((size_t)count + 1, sizeof *pairs);
  lac_pair *spare = calloc((size_t)count + 1, sizeof *spare);
  for (int64_t i = 0; i < count; i++)
    pairs[i] = (lac_pair){(int64_t)(some() & bits), i};
  const lac_pair *sorted = lac_radix_pairs(pairs, spare, count, bits);
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    sum += sorted[i].position;
    if (i > 0)
      CHECK((uint64_t)sorted[i - 1].coordinate < (uint64_t)sorted[i].coordinate ||
            (sorted[i - 1].coordinate == sorted[i].coordinate &&
             sorted[i - 1].position < sorted[i].position));
  }
  CHECK(sum == count * (count - 1) / 2);
  free(pairs);
  free(spare);
}

static void keys_are_sorted_from_the_least(int64_t count, uint64_t least, uint64_t span) {
  uint64_t *keys = calloc((size_t)count + 1, sizeof *keys);
  uint64_t *spare = calloc((size_t)count + 1, sizeof *spare), sum = 0;
  for (int64_t i = 0; i < count; i++)
    sum += keys[i] = least + some() % span;
  const uint64_t *sorted =
      lac_radix_keys(keys, spare, count, least, mask_of(0, 64 - __builtin_clzll(span)));
  for (int64_t i = 0; i < count; i++) {
    sum -= sorted[i];
    CHECK(i == 0 || sorted[i - 1] <= sorted[i]);
  }
  CHECK(sum == 0);
  free(keys);
  free(spare);
}

/* Words that hold a place in their lowest bits keep its order. */
static void low_bits_are_left(void) {
  enum { COUNT = 100, PLACE = 7 };
  uint64_t keys[COUNT], spare[COUNT];
  for (uint64_t i = 0; i < COUNT; i++)
    keys[i] = (some() & 3) << PLACE | i;
  const uint64_t *sorted = lac_radix_keys(keys, spare, COUNT, 0, mask_of(PLACE, PLACE + 2));
  for (int i = 1; i < COUNT; i++)
    CHECK(sorted[i - 1] < sorted[i]);
}

int main(void) {
  static const int64_t counts[] = {0, 1, 2, 24, 25, 130, 3000, 70000};
  static const int ends[][2] = {{0, 0}, {0, 9}, {0, 17}, {0, 64}, {20, 31}, {63, 64}};
  for (int c = 0; c < 8; c++)
    for (int e = 0; e < 6; e++)
      pairs_are_sorted_stably(counts[c], ends[e][0], ends[e][1]);
  pairs_are_sorted_stably((INT64_C(1) << 21) + 1000, 0, 40);
  for (int c = 0; c < 8; c++) {
    keys_are_sorted_from_the_least(counts[c], 250, 11);
    keys_are_sorted_from_the_least(counts[c], UINT64_C(1) << 40, 1000000);
  }
  low_bits_are_left();
  return report();
}
