// Runs of entries that threads gathered: merged by keys, equal ones in the order of the runs; one
// that is alone stays; and what fails leaves nothing behind.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

enum { MOST_THREADS = 4 };

/* Entry n of run i: words 1 and on say which it was. */
static int64_t key_of(int64_t i, int64_t n) {
  return n * 3 + i % 2;
}

static void fill(lac_runs *r, int64_t i, int64_t count, int32_t words, int32_t *status) {
  int64_t *entries = lac_kernel_run(r, i, count, status);
  for (int64_t n = 0; entries && n < count; n++)
    for (int32_t w = 0; w < words; w++)
      entries[n * words + w] = w ? i : key_of(i, n);
  lac_kernel_run_end(r, i, entries ? count : 0);
}

/* Keeps the first entry of each key. */
static void combine(lac_runs *r, int64_t range, int32_t words, int32_t *status) {
  int64_t *entries = lac_kernel_runs_merge(r, range, status), kept = 0, before = 0;
  int64_t count = entries ? lac_kernel_runs_size(r, range) : 0;
  for (int64_t q = 0; q < count; q++) {
    CHECK(before <= entries[q * words]);
    before = entries[q * words];
    if (kept && entries[(kept - 1) * words] == entries[q * words]) {
      CHECK(entries[(kept - 1) * words + 1] <= entries[q * words + 1]);
      continue;
    }
    for (int32_t w = 0; w < words; w++)
      entries[kept * words + w] = entries[q * words + w];
    kept++;
  }
  lac_kernel_runs_kept(r, range, kept);
}

static void order(lac_runs *r, int32_t words, int32_t *status) {
  int64_t ranges = lac_kernel_runs_cut(r, MOST_THREADS, status);
  for (int64_t n = 0; n < ranges; n++)
    combine(r, n, words, status);
  lac_kernel_runs_place(r, status);
  for (int64_t n = 0; n < ranges && !*status; n++)
    lac_kernel_runs_copy(r, n);
}

/* Even runs have one half of the keys, odd ones the other, run i up to its length. */
static void merges(int64_t runs, int64_t count, int32_t words) {
  int32_t status = 0;
  lac_runs *r = lac_kernel_runs(words, &status);
  lac_kernel_runs_begin(r, runs, &status);
  int64_t longest[2] = {0, 0};
  for (int64_t i = 0; i < runs; i++) {
    int64_t own = count - i * (count / 8);
    fill(r, i, own, words, &status);
    longest[i % 2] = own > longest[i % 2] ? own : longest[i % 2];
  }
  order(r, words, &status);
  CHECK(status == 0 && lac_kernel_runs_count(r) == longest[0] + longest[1]);
  const int64_t *all = lac_kernel_runs_all(r);
  for (int64_t q = 0; q < lac_kernel_runs_count(r); q++) {
    CHECK(q == 0 || all[(q - 1) * words] < all[q * words]);
    CHECK(all[q * words + 1] == all[q * words] % 3);
  }
  lac_kernel_runs_free(r);
}

static void one_alone_stays(void) {
  int32_t status = 0;
  lac_runs *r = lac_kernel_runs(2, &status);
  lac_kernel_runs_begin(r, 3, &status);
  fill(r, 0, 0, 2, &status);
  fill(r, 1, 5, 2, &status);
  fill(r, 2, 0, 2, &status);
  CHECK(lac_kernel_runs_cut(r, MOST_THREADS, &status) == 0);
  lac_kernel_runs_place(r, &status);
  CHECK(lac_kernel_runs_count(r) == 5);
  const int64_t *all = lac_kernel_runs_all(r);
  CHECK(all[8] == key_of(1, 4) && all[9] == 1);
  lac_kernel_runs_clear(r);
  CHECK(lac_kernel_runs_count(r) == 0);
  lac_kernel_runs_free(r);
  lac_kernel_runs_free(NULL);
}

static void parts_are_taken_once(void) {
  int32_t status = 0;
  lac_runs *r = lac_kernel_runs(2, &status);
  lac_kernel_runs_begin(r, 2, &status);
  CHECK(lac_kernel_runs_next(r) == 0 && lac_kernel_runs_next(r) == 1);
  lac_kernel_runs_begin(r, 2, &status);
  CHECK(lac_kernel_runs_next(r) == 0);
  lac_kernel_runs_free(r);
}

static void needs_memory(void) {
  for (int64_t left = 0; left < 12; left++) {
    int32_t status = 0;
    lac_memory_keep(0);
    lac_test_fail_allocation_after(left);
    lac_runs *r = lac_kernel_runs(2, &status);
    if (r) {
      lac_kernel_runs_begin(r, 5, &status);
      for (int64_t i = 0; i < 5; i++)
        fill(r, i, 30000, 2, &status);
      order(r, 2, &status);
      CHECK(status == 0 || lac_kernel_runs_count(r) == 0 || left > 0);
    }
    CHECK(r || status == LAC_ERROR_MEMORY);
    lac_test_fail_allocation_after(-1);
    lac_kernel_runs_free(r);
  }
}

int main(void) {
  for (int64_t runs = 1; runs < 9; runs++)
    for (int64_t count = 0; count < 40000; count = count * 5 + 1)
      for (int32_t words = 2; words < 5; words += 2)
        merges(runs, count, words);
  one_alone_stays();
  parts_are_taken_once();
  needs_memory();
  return report();
}
