// Accumulation arrays of a workspace: what is inserted is sorted and merged, on this thread or by
// another one, in place or between two buffers; equal keys leave one position each, with the
// values of all, in the order in which they came.
// RUN: %cc -g -O1 %s %runtime -lpthread -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { PAIR = 2, MEMORIES = LAC_ACCUMULATION_VALUES, FACTOR = 31 };

/* What generated code has: memory, and values, of each position the hash of what was combined. */
typedef struct workspace {
  lac_accumulation own;
  int64_t *memory[MEMORIES];
  uint64_t *values;
  int64_t next;
} workspace;

static void grow_as_wanted(workspace *w) {
  lac_accumulation *a = &w->own;
  for (int m = 0; m < LAC_ACCUMULATION_MEMORIES; m++)
    if (a->room[m] < a->wanted[m]) {
      void **where = m < MEMORIES ? (void **)&w->memory[m] : (void **)&w->values;
      *where = realloc(*where, (size_t)a->wanted[m] * sizeof(int64_t));
      a->room[m] = a->wanted[m];
    }
}

static void combine_listed(workspace *w) {
  const int64_t *pair = w->memory[LAC_ACCUMULATION_LISTED] + PAIR * w->own.free;
  for (int64_t n = 0; n < w->own.combines; n++, pair += PAIR)
    w->values[pair[0]] = w->values[pair[0]] * FACTOR + w->values[pair[1]];
}

static void begin(workspace *w, int64_t size, int64_t threshold, int64_t buffers, int64_t threads) {
  const int64_t words[] = {PAIR, PAIR * size, PAIR, size};
  *w = (workspace){0};
  memcpy(w->own.wanted, words, sizeof words);
  grow_as_wanted(w);
  lac_kernel_accumulation_begin(&w->own, w->memory[LAC_ACCUMULATION_INSERTED], size, threshold,
                                buffers, threads);
}

static void make_room(workspace *w) {
  int64_t **m = w->memory;
  grow_as_wanted(w);
  lac_kernel_accumulation_merge(&w->own, m[LAC_ACCUMULATION_ALL], m[LAC_ACCUMULATION_INSERTED],
                                m[LAC_ACCUMULATION_LISTED], w->next);
  combine_listed(w);
  grow_as_wanted(w);
  lac_kernel_accumulation_next(&w->own, m[LAC_ACCUMULATION_ALL], m[LAC_ACCUMULATION_INSERTED],
                               m[LAC_ACCUMULATION_LISTED]);
  w->next = w->own.begin;
}

static void insert(workspace *w, int64_t key, uint64_t value) {
  if (w->next == w->own.end)
    make_room(w);
  int64_t *pair = w->memory[LAC_ACCUMULATION_INSERTED] + PAIR * w->next++;
  pair[0] = key;
  w->values[pair[1]] = value;
}

static void order(workspace *w) {
  int64_t **m = w->memory;
  bool more = true;
  while (more) {
    grow_as_wanted(w);
    more = lac_kernel_accumulation_order(&w->own, m[LAC_ACCUMULATION_ALL],
                                         m[LAC_ACCUMULATION_INSERTED], m[LAC_ACCUMULATION_LISTED],
                                         w->next);
    combine_listed(w);
  }
}

static int64_t key_of(int64_t i, int64_t below) {
  return (int64_t)((uint64_t)i * 0x9E3779B97F4A7C15u >> 2) % below;
}

static void holds(workspace *w, const uint64_t *expected, int64_t below) {
  const int64_t *pair = w->memory[LAC_ACCUMULATION_ALL] + PAIR * w->own.base;
  int64_t count = 0;
  for (int64_t key = 0; key < below; key++)
    if (expected[key]) {
      CHECK(count < w->own.count && pair[0] == key && w->values[pair[1]] == expected[key]);
      pair += PAIR;
      count++;
    }
  CHECK(count == w->own.count);
}

static void fill(workspace *w, int64_t count, int64_t below) {
  uint64_t *expected = calloc((size_t)below, sizeof *expected);
  for (int64_t i = 0; i < count; i++) {
    int64_t key = key_of(i, below);
    uint64_t value = 2 * (uint64_t)i + 1;
    expected[key] = expected[key] ? expected[key] * FACTOR + value : value;
    insert(w, key, value);
  }
  order(w);
  holds(w, expected, below);
  free(expected);
}

static void end(workspace *w) {
  lac_kernel_accumulation_end(&w->own);
  for (int m = 0; m < MEMORIES; m++)
    free(w->memory[m]);
  free(w->values);
}

/* Emptied, it is as it was; so it is while another thread is at work. */
static void gathers(int64_t size, int64_t threshold, int64_t buffers, int64_t threads) {
  const int64_t counts[] = {0, 1, 7, 100, 5000, 3, 70000};
  workspace w;
  begin(&w, size, threshold, buffers, threads);
  for (int n = 0; n < 7; n++)
    for (int64_t below = 1; below < 1000000; below *= 10) {
      fill(&w, counts[n], below);
      lac_kernel_accumulation_clear(&w.own, w.memory[LAC_ACCUMULATION_INSERTED]);
      w.next = w.own.begin;
    }
  for (int64_t i = 0; i < 10 * size + 3; i++)
    insert(&w, i, 1);
  end(&w);
}

int main(void) {
  lac_kernel_accumulation_end(NULL);
  for (int64_t buffers = 1; buffers <= 2; buffers++)
    for (int64_t threads = 1; threads <= 2; threads++) {
      gathers(1, 1, buffers, threads);
      gathers(256, 1 << 16, buffers, threads);
      gathers(100, 1000, buffers, threads);
    }
  return report();
}
