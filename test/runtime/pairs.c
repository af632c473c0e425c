// Scratch arrays of coordinates with their positions: sorted at any length, equal coordinates as
// they came, and what is there is kept where there is no memory for more.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

static int64_t coordinate_of(int64_t i, int64_t below) {
  return (int64_t)((uint64_t)i * 0x9E3779B97F4A7C15u >> 2) % below;
}

static void sorts(lac_pairs *p, int64_t count, int64_t below) {
  int32_t status = 0;
  if (p->room < count)
    lac_kernel_pairs_grow(p, count, &status);
  CHECK(status == 0 && p->room >= count);
  for (int64_t i = 0; i < count; i++)
    p->pairs[i] = (lac_pair){coordinate_of(i, below), i};
  lac_kernel_pairs_sort(p, count);
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    const lac_pair *here = &p->pairs[i], *before = here - 1;
    CHECK(here->coordinate == coordinate_of(here->position, below));
    CHECK(i == 0 || before->coordinate < here->coordinate ||
          (before->coordinate == here->coordinate && before->position < here->position));
    sum += here->position;
  }
  CHECK(sum == count * (count - 1) / 2);
}

static void grows_or_stays(void) {
  int32_t status = 0;
  lac_pairs *p = lac_kernel_pairs(&status);
  int64_t room = p->room;
  p->pairs[3] = (lac_pair){7, 8};
  lac_test_fail_allocation_after(0);
  lac_kernel_pairs_grow(p, room + 1, &status);
  CHECK(status == LAC_ERROR_MEMORY && p->room == room);
  lac_test_fail_allocation_after(-1);
  status = 0;
  lac_kernel_pairs_grow(p, -1, &status);
  CHECK(status == LAC_ERROR_MEMORY && p->room == room);
  status = 0;
  lac_kernel_pairs_grow(p, room + 1, &status);
  CHECK(status == 0 && p->room > room && p->pairs[3].coordinate == 7 && p->pairs[3].position == 8);
  lac_kernel_pairs_free(p);
}

static void needs_memory(void) {
  for (int n = 0; n < 2; n++) {
    int32_t status = 0;
    lac_test_fail_allocation_after(n);
    lac_pairs *p = lac_kernel_pairs(&status);
    lac_test_fail_allocation_after(-1);
    CHECK(status == LAC_ERROR_MEMORY);
    lac_kernel_pairs_free(p);
  }
}

int main(void) {
  static const int64_t counts[] = {0, 1, 2, 5, 6, 7, 16, 17, 100, 127, 128, 129, 1000, 20000};
  static const int64_t limits[] = {
      1, 3, 200, 1 << 23, 1 << 24, 1 << 25, INT64_C(1) << 55, INT64_C(1) << 56, INT64_C(1) << 61};
  int32_t status = 0;
  lac_pairs *p = lac_kernel_pairs(&status);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
      sorts(p, counts[c], limits[l]);
  lac_kernel_pairs_free(p);
  grows_or_stays();
  needs_memory();
  return report();
}
