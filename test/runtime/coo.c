// Coordinate lists: append, and sort by any order of the levels.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_coo.h"
#include "lac_memory.h"

#include <stdlib.h>

static int compare_order, compare_levels[8];
typedef struct entry {
  int64_t c[8];
  int64_t place;
} entry;

static int compare(const void *a, const void *b) {
  const entry *x = a, *y = b;
  for (int l = 0; l < compare_order; l++) {
    int from = compare_levels[l];
    if (x->c[from] != y->c[from])
      return x->c[from] < y->c[from] ? -1 : 1;
  }
  return x->place < y->place ? -1 : x->place > y->place;
}

static void make_value(char *value, int64_t place, int width) {
  memset(value, 0, (size_t)width);
  memcpy(value, &place, (size_t)(width < 8 ? width : 8));
  if (width > 8)
    value[15] = 1;
}

static void sort_random(int order, const int64_t *sizes, int64_t n, int32_t type,
                        const int64_t *level_order) {
  lac_tensor coo;
  entry *entries = calloc((size_t)n + 1, sizeof *entries);
  int width = lac_type_width(type);
  char value[16];
  CHECK(lac_coo_create(&coo, type, order, sizes, 0) == LAC_OK);
  for (int64_t p = 0; p < n; p++) {
    for (int l = 0; l < order; l++)
      entries[p].c[l] = (int64_t)random_number((uint64_t)sizes[l]);
    entries[p].place = p;
    make_value(value, p, width);
    CHECK(lac_coo_append(&coo, entries[p].c, value) == LAC_OK);
  }
  CHECK(lac_coo_sort(&coo, level_order) == LAC_OK && lac_coo_count(&coo) == n);
  compare_order = order;
  for (int l = 0; l < order; l++)
    compare_levels[l] = level_order ? (int)level_order[l] : l;
  qsort(entries, (size_t)n, sizeof *entries, compare);
  for (int64_t p = 0; p < n; p++) {
    for (int l = 0; l < order; l++)
      CHECK(lac_array_get(&coo.levels[l].array[LAC_COORDINATES], p) ==
            entries[p].c[compare_levels[l]]);
    make_value(value, entries[p].place, width);
    CHECK(memcmp(value, (char *)coo.values.data + p * width, (size_t)width) == 0);
  }
  for (int l = 0; l < order; l++)
    CHECK(coo.levels[l].size == sizes[compare_levels[l]]);
  uint8_t flags[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(lac_tensor_check(&coo, flags) == LAC_OK);
  lac_tensor_free(&coo);
  free(entries);
}

static void entries_are_sorted_stably_by_any_order_of_levels(void) {
  int64_t matrix[] = {300, 5000}, vector[] = {70}, one[] = {1, 1, 3};
  int64_t tensor[] = {7, INT64_MAX, 1000, 3};
  int64_t wide[] = {INT64_C(1) << 40, 5, INT64_C(1) << 40, INT64_C(1) << 40};
  for (int64_t n = 0; n <= 10000; n = n * 10 + 1) {
    sort_random(2, matrix, n, LAC_F64, NULL);
    sort_random(2, matrix, n, LAC_I16, (int64_t[]){1, 0});
    sort_random(2, matrix, n, LAC_C128, (int64_t[]){1, 0});
    sort_random(1, vector, n, LAC_F32, NULL);
    sort_random(3, one, n, LAC_I64, (int64_t[]){2, 0, 1});
    sort_random(4, tensor, n, LAC_I64, (int64_t[]){3, 0, 2, 1});
    sort_random(4, wide, n, LAC_C64, (int64_t[]){1, 3, 0, 2});
    sort_random(4, wide, n, LAC_C128, NULL);
  }
}

static void lists_larger_than_the_cache_are_sorted(void) {
  int64_t matrix[] = {300, 5000}, few[] = {3, INT64_C(1) << 40}, same[] = {1, 1};
  int64_t wide[] = {INT64_C(1) << 40, 5, INT64_C(1) << 40, INT64_C(1) << 40};
  sort_random(2, matrix, 100000, LAC_F64, NULL);
  sort_random(2, matrix, 100000, LAC_F32, (int64_t[]){1, 0});
  sort_random(2, few, 150000, LAC_I8, NULL);
  sort_random(2, same, 50000, LAC_F64, NULL);
  sort_random(4, wide, 100000, LAC_C128, (int64_t[]){1, 3, 0, 2});
}

static void make_pairs(lac_tensor *coo, const int64_t (*pairs)[2], int64_t n) {
  int64_t sizes[] = {10, 20};
  CHECK(lac_coo_create(coo, LAC_F64, 2, sizes, n) == LAC_OK);
  for (int64_t p = 0; p < n; p++)
    CHECK(lac_coo_append(coo, pairs[p], &(double){(double)p}) == LAC_OK);
}

static void a_sorted_list_needs_no_scratch(void) {
  lac_tensor coo;
  make_pairs(&coo, (int64_t[][2]){{0, 3}, {1, 2}, {1, 2}, {2, 0}}, 4);
  void *values = coo.values.data;
  lac_test_fail_allocation_after(2);
  CHECK(lac_coo_sort(&coo, NULL) == LAC_OK && coo.values.data == values);
  lac_test_fail_allocation_after(-1);
  lac_tensor_free(&coo);
}

static void a_failed_sort_changes_nothing(void) {
  lac_tensor coo;
  for (int64_t n = 0; n < 5; n++) {
    make_pairs(&coo, (int64_t[][2]){{3, 3}, {1, 2}, {0, 19}}, 3);
    lac_test_fail_allocation_after(n);
    int32_t status = lac_coo_sort(&coo, (int64_t[]){1, 0});
    lac_test_fail_allocation_after(-1);
    CHECK(status == (n < 4 ? LAC_ERROR_MEMORY : LAC_OK));
    CHECK(coo.levels[0].size == (n < 4 ? 10 : 20));
    CHECK(lac_array_get(&coo.levels[0].array[LAC_COORDINATES], 0) == (n < 4 ? 3 : 2));
    lac_tensor_free(&coo);
  }
}

static void what_is_no_list_is_refused(void) {
  lac_tensor coo;
  make_pairs(&coo, (int64_t[][2]){{3, 3}, {1, 20}}, 2);
  CHECK(lac_coo_sort(&coo, NULL) == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 1: expected coordinates below 20, found 20");
  CHECK(lac_coo_sort(&coo, (int64_t[]){1, 1}) == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("permutation");
  coo.levels[1].kind = "dense";
  CHECK(lac_coo_sort(&coo, NULL) == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("expected a coordinate list");
  lac_tensor_free(&coo);
}

static void a_list_of_order_0_is_a_value(void) {
  lac_tensor coo;
  CHECK(lac_coo_create(&coo, LAC_F64, 0, NULL, 0) == LAC_OK && coo.values.length == 1);
  CHECK(lac_coo_append(&coo, NULL, &(double){3}) == LAC_OK && *(double *)coo.values.data == 3);
  CHECK(lac_coo_sort(&coo, NULL) == LAC_OK && lac_tensor_check(&coo, NULL) == LAC_OK);
  lac_tensor_free(&coo);
}

int main(void) {
  lists_larger_than_the_cache_are_sorted();
  entries_are_sorted_stably_by_any_order_of_levels();
  a_sorted_list_needs_no_scratch();
  a_failed_sort_changes_nothing();
  what_is_no_list_is_refused();
  a_list_of_order_0_is_a_value();
  return report();
}
