// Results that are stored past the caches: large ones, in memory that has been used before.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "lac_kernel.h"

#include <stdlib.h>

enum { COUNT = 1 << 19, HALF = 1 << 21 };

static void make(lac_tensor *y) {
  const int64_t size[] = {COUNT};
  int32_t status = 0;
  CHECK(lac_kernel_setup(y, "f64 1 dense", size, size, &status));
  CHECK(lac_kernel_allocate_raw(y, -1, 0, COUNT, &status));
}

static void new_pages_are_cleared_in_the_caches(void) {
  lac_tensor y = {0};
  lac_stream_set_from(HALF);
  make(&y);
  CHECK(!lac_kernel_streams(&y, -1, 0));
  memset(y.values.data, 1, COUNT * sizeof(double) / 2);
  CHECK(!lac_kernel_streams(&y, -1, 0));
  memset(y.values.data, 1, COUNT * sizeof(double));
  CHECK(lac_kernel_streams(&y, -1, 0));
  lac_tensor_free(&y);
}

static void only_large_ones(void) {
  lac_tensor y = {0};
  make(&y);
  memset(y.values.data, 1, COUNT * sizeof(double));
  lac_stream_set_from(2 * HALF);
  CHECK(lac_kernel_streams(&y, -1, 0));
  lac_stream_set_from(2 * HALF + 1);
  CHECK(!lac_kernel_streams(&y, -1, 0));
  CHECK(!lac_kernel_streams(&y, 7, 0) && !lac_kernel_streams(&y, 0, 0));
  lac_tensor_free(&y);
}

static void the_environment_says_how_large(void) {
  setenv("LACUNA_STREAM_FROM", "50", 1);
  lac_stream_set_from(-1);
  CHECK(lac_stream_from() == 50);
  setenv("LACUNA_STREAM_FROM", "many", 1);
  lac_stream_set_from(-1);
  CHECK(lac_stream_from() > 0 && lac_stream_from() <= INT64_C(32) << 20);
  unsetenv("LACUNA_STREAM_FROM");
  lac_stream_set_from(0);
  lac_tensor y = {0};
  make(&y);
  CHECK(lac_kernel_streams(&y, -1, 0));
  lac_tensor_free(&y);
}

int main(void) {
  new_pages_are_cleared_in_the_caches();
  only_large_ones();
  the_environment_says_how_large();
  return report();
}
