// Ordering the segments of a level with their values: any widths, lengths and coordinates, stably.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

enum { PARENTS = 60, SEGMENTS_MOST = 400, LONG = 30000 };

static const int64_t position_bits[] = {16, 32, 64};
static const char *const types[] = {"i8", "f16", "f32", "f64", "c128"};

/* What a segment is made of. */
typedef enum filling { RANDOM, ASCENDING, DESCENDING, ALL_EQUAL, FEW, FILLINGS } filling;

static uint64_t element(const lac_array *array, int64_t p) {
  uint64_t x = 0;
  memcpy(&x, (const char *)array->data + p * array->width,
         (size_t)(array->width < 8 ? array->width : 8));
  return x;
}

static void set_element(lac_array *array, int64_t p, uint64_t x) {
  memset((char *)array->data + p * array->width, 0, (size_t)array->width);
  memcpy((char *)array->data + p * array->width, &x, (size_t)(array->width < 8 ? array->width : 8));
}

static uint64_t coordinate(filling f, int64_t i, int64_t count, uint64_t size) {
  switch (f) {
  case ASCENDING:
    return (uint64_t)i % size;
  case DESCENDING:
    return (uint64_t)(count - i) % size;
  case ALL_EQUAL:
    return size - 1;
  case FEW:
    return random_number(3 < size ? 3 : size);
  default:
    return random_number(size);
  }
}

static int64_t segment_length(int64_t p) {
  return p == 7 ? LONG : p % 5 == 0 ? 0 : (int64_t)random_number(p < 30 ? 20 : SEGMENTS_MOST);
}

/* Values are the places of their entries, cut to the width. */
static bool make(lac_tensor *a, const char *type, int64_t bits, int64_t coordinate_bits,
                 filling f) {
  char signature[80];
  int64_t size = coordinate_bits == 8 ? 200 : coordinate_bits == 16 ? 60000 : INT64_C(1) << 20;
  if (coordinate_bits == 32 && f == FEW)
    size = INT64_C(1) << 31;
  if (coordinate_bits == 64)
    size = f == FEW ? INT64_C(1) << 62 : INT64_C(1) << 40;
  int64_t sizes[] = {PARENTS, size}, ends[PARENTS + 1] = {0};
  int32_t status = 0;
  for (int64_t p = 0; p < PARENTS; p++)
    ends[p + 1] = ends[p] + segment_length(p);
  snprintf(signature, sizeof signature, "%s 2 dense compressed:%d:%d", type, (int)bits,
           (int)coordinate_bits);
  CHECK(lac_kernel_setup(a, signature, sizes, sizes, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_POSITIONS, PARENTS + 1, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_COORDINATES, ends[PARENTS], &status));
  CHECK(lac_kernel_allocate(a, -1, 0, ends[PARENTS], &status));
  lac_level *level = &a->levels[1];
  for (int64_t p = 0; p < PARENTS; p++) {
    set_element(&level->array[LAC_POSITIONS], p + 1, (uint64_t)ends[p + 1]);
    for (int64_t i = ends[p]; i < ends[p + 1]; i++) {
      uint64_t c = coordinate(f, i - ends[p], ends[p + 1] - ends[p], (uint64_t)size);
      set_element(&level->array[LAC_COORDINATES], i, c);
      set_element(&a->values, i, (uint64_t)i);
    }
  }
  return status == 0;
}

/* The same by insertion. */
static bool order_plainly(uint64_t *c, uint64_t *v, int64_t count) {
  bool repeats = false;
  for (int64_t i = 1; i < count; i++) {
    uint64_t moved = c[i], value = v[i];
    int64_t to = i;
    for (; to > 0 && c[to - 1] > moved; to--) {
      c[to] = c[to - 1];
      v[to] = v[to - 1];
    }
    c[to] = moved;
    v[to] = value;
  }
  for (int64_t i = 1; i < count; i++)
    repeats |= c[i] == c[i - 1];
  return repeats;
}

static void check_ordered(const char *type, int64_t bits, int64_t coordinate_bits, filling f) {
  static uint64_t c[LONG], v[LONG];
  lac_tensor a = {0}, before = {0};
  int32_t status = 0;
  CHECK(make(&a, type, bits, coordinate_bits, f));
  CHECK(lac_tensor_copy(&a, &before) == LAC_OK);
  bool repeats = lac_kernel_order(&a, 1, PARENTS, &status), expected = false;
  CHECK(status == 0);
  const lac_array *positions = &a.levels[1].array[LAC_POSITIONS];
  for (int64_t p = 0; p < PARENTS; p++) {
    int64_t begin = (int64_t)element(positions, p), end = (int64_t)element(positions, p + 1);
    if (p == 7 && f == DESCENDING) /* long, and slow to insert into */
      continue;
    for (int64_t i = begin; i < end; i++) {
      c[i - begin] = element(&before.levels[1].array[LAC_COORDINATES], i);
      v[i - begin] = element(&before.values, i);
    }
    expected |= end - begin < LONG && order_plainly(c, v, end - begin);
    for (int64_t i = begin; i < end && end - begin < LONG; i++) {
      CHECK(element(&a.levels[1].array[LAC_COORDINATES], i) == c[i - begin]);
      CHECK(element(&a.values, i) == v[i - begin]);
    }
    for (int64_t i = begin + 1; i < end; i++)
      CHECK(element(&a.levels[1].array[LAC_COORDINATES], i - 1) <=
            element(&a.levels[1].array[LAC_COORDINATES], i));
  }
  CHECK(repeats || !expected);
  lac_tensor_free(&a);
  lac_tensor_free(&before);
}

static void segments_are_ordered_with_their_values(void) {
  for (int t = 0; t < 5; t++)
    for (int b = 1; b < 3; b++)
      for (int64_t bits = 8; bits <= 64; bits *= 2)
        for (int f = 0; f < FILLINGS; f++)
          check_ordered(types[t], position_bits[b], bits, (filling)f);
  check_ordered("f64", position_bits[0], 8, RANDOM);
}

static void distinct_coordinates_do_not_repeat(void) {
  static const int32_t positions[] = {0, 2, 3, 3};
  static const int32_t shuffled[] = {5, 1, 5}, twice[] = {5, 5, 1};
  for (int repeat = 0; repeat < 2; repeat++) {
    lac_tensor a = {0};
    int64_t sizes[] = {3, 6};
    int32_t status = 0;
    CHECK(lac_kernel_setup(&a, "f64 2 dense compressed:32:32", sizes, sizes, &status));
    CHECK(lac_kernel_allocate(&a, 1, LAC_POSITIONS, 4, &status));
    CHECK(lac_kernel_allocate(&a, 1, LAC_COORDINATES, 3, &status));
    CHECK(lac_kernel_allocate(&a, -1, 0, 3, &status));
    memcpy(a.levels[1].array[LAC_POSITIONS].data, positions, sizeof positions);
    memcpy(a.levels[1].array[LAC_COORDINATES].data, repeat ? twice : shuffled, sizeof twice);
    CHECK(lac_kernel_order(&a, 1, 3, &status) == (repeat == 1) && status == 0);
    lac_tensor_free(&a);
  }
}

static void without_memory_nothing_changes(void) {
  lac_tensor a = {0}, before = {0};
  int32_t status = 0;
  CHECK(make(&a, "c128", 32, 32, RANDOM));
  CHECK(lac_tensor_copy(&a, &before) == LAC_OK);
  for (int allowed = 0; allowed < 3; allowed++) {
    status = 0;
    lac_test_fail_allocation_after(allowed);
    CHECK(!lac_kernel_order(&a, 1, PARENTS, &status) && status == LAC_ERROR_MEMORY);
    lac_test_fail_allocation_after(-1);
    CHECK(memcmp(a.values.data, before.values.data, (size_t)(a.values.length * a.values.width)) ==
          0);
  }
  lac_tensor_free(&a);
  lac_tensor_free(&before);
}

int main(void) {
  distinct_coordinates_do_not_repeat();
  segments_are_ordered_with_their_values();
  without_memory_nothing_changes();
  return report();
}
