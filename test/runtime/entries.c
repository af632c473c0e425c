// Entries sorted by keys of one word or several: any number of words, any bits that differ, stably;
// and buffers.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_entries.h"
#include "lac_memory.h"

enum { MOST = 60000, WORDS_MOST = 6 };

static const int64_t counts[] = {0, 1, 2, 3, 17, 100, 128, 129, 400, 5000, MOST};
static const int widths[] = {1, 3, 9, 20, 24, 31, 50, 57, 64};

/* What the words of keys are made of. */
typedef enum filling { RANDOM, ASCENDING, DESCENDING, FEW, CLUSTERED, FILLINGS } filling;

static uint64_t entries[MOST * WORDS_MOST], before[MOST * WORDS_MOST], spare[MOST * WORDS_MOST];

static uint64_t word_of(filling f, int64_t i, int64_t count, int width, int low) {
  uint64_t most = ~UINT64_C(0) >> (64 - width), random = random_number(UINT64_C(1) << 62) * 2;
  switch (f) {
  case ASCENDING:
    return ((uint64_t)i & most) << low;
  case DESCENDING:
    return ((uint64_t)(count - i) & most) << low;
  case FEW:
    return (random_number(3) & most) << low;
  case CLUSTERED:
    return (random_number(20) ? random % 5 & most : random & most) << low;
  default:
    return (random & most) << low;
  }
}

/* The last word tells the order in which entries came. */
static void draw(filling f, int64_t count, int words, int keys, int width) {
  int low = width < 40 ? (int)random_number(64 - (uint64_t)width) : 0;
  for (int64_t i = 0; i < count; i++)
    for (int w = 0; w < words; w++)
      entries[i * words + w] = w < keys         ? word_of(f, i, count, width, low)
                               : w == words - 1 ? (uint64_t)i
                                                : random_number(1000);
  memcpy(before, entries, sizeof *before * (size_t)(count * words));
}

/* Less than, equal to, or greater than 0. */
static int compare(const uint64_t *left, const uint64_t *right, int keys) {
  for (int w = 0; w < keys; w++)
    if (left[w] != right[w])
      return left[w] < right[w] ? -1 : 1;
  return 0;
}

static bool are_in_order(int64_t count, int words, int keys) {
  for (int64_t i = 0; i < count; i++) {
    const uint64_t *here = entries + i * words, *last = here - words;
    int64_t came = (int64_t)here[words - 1];
    if (came >= count || memcmp(here, before + came * words, sizeof *here * (size_t)words) != 0)
      return false;
    int order = i > 0 ? compare(last, here, keys) : -1;
    if (order > 0 || (order == 0 && (int64_t)last[words - 1] >= came))
      return false;
  }
  return true;
}

static void entries_are_sorted(void) {
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
      for (filling f = 0; f < FILLINGS; f++)
        for (int keys = 1; keys < WORDS_MOST; keys += 1 + (counts[c] > 1000)) {
          int words = keys + 1 + (int)random_number((uint64_t)(WORDS_MOST - keys));
          int32_t status = 0;
          draw(f, counts[c], words, keys, widths[w]);
          lac_kernel_entries_sort(entries, counts[c], words, keys, &status);
          CHECK(status == 0 && are_in_order(counts[c], words, keys));
        }
}

/* Without anything that goes along. */
static void keys_are_sorted(void) {
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
      for (filling f = 0; f < FILLINGS; f++) {
        uint64_t sum = 0;
        for (int64_t i = 0; i < counts[c]; i++)
          sum += entries[i] = word_of(f, i, counts[c], widths[w], 0);
        const uint64_t *sorted = lac_entries_sort(entries, spare, counts[c], 1, 1);
        for (int64_t i = 0; i < counts[c]; i++) {
          sum -= sorted[i];
          CHECK(i == 0 || sorted[i - 1] <= sorted[i]);
        }
        CHECK(sum == 0);
      }
}

/* More of them than the lowest digits first are worth two for. */
static void many_are_sorted(void) {
  enum { MANY = 600000 };
  static uint64_t pairs[2 * MANY], room[2 * MANY];
  for (int width = 20; width <= 60; width += 10) {
    for (uint64_t i = 0; i < MANY; i++) {
      pairs[2 * i] = word_of(RANDOM, 0, 0, width, 0);
      pairs[2 * i + 1] = i;
    }
    const uint64_t *sorted = lac_entries_sort(pairs, room, MANY, 2, 1);
    for (int64_t i = 1; i < MANY; i++) {
      const uint64_t *here = sorted + 2 * i, *last = here - 2;
      CHECK(last[0] < here[0] || (last[0] == here[0] && last[1] < here[1]));
    }
  }
}

static void a_part_is_sorted_alone(void) {
  enum { COUNT = 1000, BEGIN = 300, END = 900 };
  draw(RANDOM, COUNT, 2, 1, 40);
  lac_kernel_entries_sort_part(entries, BEGIN, END, spare, 10, 2, 1);
  for (int64_t i = 0; i < COUNT; i++) {
    if (i < BEGIN || i >= END)
      CHECK(entries[2 * i] == before[2 * i]);
    else if (i > BEGIN)
      CHECK(entries[2 * i - 2] <= entries[2 * i]);
  }
}

static void without_memory_nothing_changes(void) {
  int32_t status = 0;
  draw(RANDOM, MOST, 3, 1, 40);
  lac_test_fail_allocation_after(0);
  lac_kernel_entries_sort(entries, MOST, 3, 1, &status);
  lac_test_fail_allocation_after(-1);
  CHECK(status == LAC_ERROR_MEMORY);
  CHECK(memcmp(entries, before, sizeof *before * 3 * MOST) == 0);
}

static void buffers_grow_and_keep(void) {
  lac_array buffer = {.width = 16};
  int32_t status = 0;
  uint64_t *at = lac_kernel_buffer(&buffer, 3, false, &status);
  CHECK(status == 0 && at && at[0] == 0 && at[5] == 0 && buffer.capacity == 3);
  for (int64_t i = 0; i < 5; i++)
    at[i] = (uint64_t)i;
  at = lac_kernel_buffer_grow(&buffer, 100000, &status);
  CHECK(status == 0 && at == buffer.data && buffer.capacity >= 100000 && at[4] == 4);
  lac_test_fail_allocation_after(0);
  CHECK(lac_kernel_buffer_grow(&buffer, INT64_C(1) << 40, &status) == at && at[4] == 4);
  CHECK(status == LAC_ERROR_MEMORY && buffer.capacity >= 100000);
  lac_kernel_buffer_free(&buffer);
  CHECK(lac_kernel_buffer(&buffer, 3, true, &status) == NULL && buffer.data == NULL);
  lac_test_fail_allocation_after(-1);
}

int main(void) {
  entries_are_sorted();
  keys_are_sorted();
  many_are_sorted();
  a_part_is_sorted_alone();
  without_memory_nothing_changes();
  buffers_grow_and_keep();
  return report();
}
