// Generated tensors: sorted, distinct, as many entries as asked for, the same for the same seed.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_coo.h"
#include "lac_generate.h"
#include "lac_memory.h"

static void is_sound(const lac_tensor *t, int64_t entries) {
  uint8_t flags[8] = {LAC_NONUNIQUE, LAC_NONUNIQUE, LAC_NONUNIQUE, LAC_NONUNIQUE};
  flags[t->order > 0 ? t->order - 1 : 0] = 0;
  CHECK(lac_tensor_check(t, flags) == LAC_OK);
  CHECK(lac_coo_count(t) == entries);
}

static void random_tensors_have_the_density_asked_for(void) {
  int64_t dimensions[] = {30, 20, 10, 5};
  const double densities[] = {0, 0.001, 0.1, 0.5, 0.51, 0.99, 1};
  for (int64_t order = 1; order <= 4; order++)
    for (int d = 0; d < 7; d++) {
      double places = 1;
      lac_tensor t, again;
      for (int64_t l = 0; l < order; l++)
        places *= (double)dimensions[l];
      CHECK(lac_generate_random(order, dimensions, densities[d], 3, LAC_I32, &t) == LAC_OK);
      is_sound(&t, (int64_t)(densities[d] * places + 0.5));
      for (int64_t p = 0; p < t.values.length; p++)
        CHECK(((int32_t *)t.values.data)[p] != 0);
      CHECK(lac_generate_random(order, dimensions, densities[d], 3, LAC_I32, &again) == LAC_OK);
      CHECK(again.values.length == t.values.length &&
            memcmp(again.values.data, t.values.data, (size_t)t.values.length * 4) == 0);
      lac_tensor_free(&t);
      lac_tensor_free(&again);
    }
}

static void odd_sizes_work(void) {
  lac_tensor t;
  int64_t none[] = {5, 0, 5}, one[] = {1, 1, 1}, huge[] = {INT64_MAX, INT64_MAX, INT64_MAX};
  CHECK(lac_generate_random(3, none, 1, 1, LAC_F64, &t) == LAC_OK);
  is_sound(&t, 0);
  lac_tensor_free(&t);
  CHECK(lac_generate_random(3, one, 1, 1, LAC_F64, &t) == LAC_OK);
  is_sound(&t, 1);
  lac_tensor_free(&t);
  CHECK(lac_generate_uniform(3, huge, 1000, 1, LAC_F64, &t) == LAC_OK);
  is_sound(&t, 1000);
  lac_tensor_free(&t);
  CHECK(lac_generate_random(0, NULL, 0.5, 1, LAC_F64, &t) == LAC_OK && t.values.length == 1);
  lac_tensor_free(&t);
  CHECK(lac_generate_random(3, huge, 0.5, 1, LAC_F64, &t) == LAC_ERROR_SHAPE);
  CHECK(lac_generate_random(3, one, 1.5, 1, LAC_F64, &t) == LAC_ERROR_SHAPE);
  CHECK(lac_generate_random(1, (int64_t[]){-1}, 1, 1, LAC_F64, &t) == LAC_ERROR_SHAPE);
}

static void other_kinds_are_sound(void) {
  lac_tensor t;
  CHECK(lac_generate_rmat(1000, 300, 4000, 1, LAC_F32, &t) == LAC_OK);
  is_sound(&t, 4000);
  lac_tensor_free(&t);
  CHECK(lac_generate_skewed(3, (int64_t[]){100, 200, 300}, 5000, 1, LAC_C64, &t) == LAC_OK);
  is_sound(&t, 5000);
  lac_tensor_free(&t);
  CHECK(lac_generate_banded(5, 7, 100, 1, LAC_F16, &t) == LAC_OK);
  is_sound(&t, 35);
  lac_tensor_free(&t);
  CHECK(lac_generate_blocked(10, 10, 4, 1000, 1, LAC_BF16, &t) == LAC_OK);
  is_sound(&t, 100);
  lac_tensor_free(&t);
  CHECK(lac_generate_stencil(3, 4, LAC_I8, &t) == LAC_OK);
  is_sound(&t, 7 * 64 - 6 * 16);
  lac_tensor_free(&t);
}

static void memory_that_runs_out_is_a_status(void) {
  for (int64_t n = 0; n < 40; n++) {
    lac_tensor t = {0};
    lac_test_fail_allocation_after(n);
    int32_t status = n % 2 ? lac_generate_blocked(500, 500, 4, 10000, 1, LAC_F64, &t)
                           : lac_generate_uniform(2, (int64_t[]){500, 500}, 10000, 1, LAC_F64, &t);
    lac_test_fail_allocation_after(-1);
    CHECK(status == LAC_OK || (status == LAC_ERROR_MEMORY && t.levels == NULL));
    lac_tensor_free(&t);
  }
}

int main(void) {
  random_tensors_have_the_density_asked_for();
  odd_sizes_work();
  other_kinds_are_sound();
  memory_that_runs_out_is_a_status();
  return report();
}
