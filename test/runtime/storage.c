// Storage: arrays grow and shrink, signatures are checked, frames own their temporaries.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

static const char csr[] = "f64 2 dense compressed:64:32";

static bool setup_csr(lac_tensor *result, int64_t rows, int64_t columns, int32_t *status) {
  int64_t sizes[] = {rows, columns};
  return lac_kernel_setup(result, csr, sizes, sizes, status);
}

/* The matrix of lac_tensor.h. */
static void make_csr(lac_tensor *a) {
  static const int64_t positions[] = {0, 2, 2, 3};
  static const int32_t coordinates[] = {0, 2, 1};
  static const double values[] = {1, 2, 3};
  int32_t status = 0;
  CHECK(setup_csr(a, 3, 4, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_POSITIONS, 4, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_COORDINATES, 3, &status));
  CHECK(lac_kernel_allocate(a, -1, 0, 3, &status));
  memcpy(a->levels[1].array[LAC_POSITIONS].data, positions, sizeof positions);
  memcpy(a->levels[1].array[LAC_COORDINATES].data, coordinates, sizeof coordinates);
  memcpy(a->values.data, values, sizeof values);
  CHECK(status == 0);
}

static void a_growing_array_keeps_its_content_and_is_zero_beyond(void) {
  lac_tensor y = {0};
  int32_t status = 0;
  CHECK(setup_csr(&y, 3, 4, &status));
  CHECK(lac_kernel_allocate(&y, -1, 0, 3, &status));
  int64_t capacity = 3;
  for (int64_t p = 0; p < 3000000; p++) {
    if (p >= capacity) {
      int64_t grown = lac_kernel_grow(&y, -1, 0, p + 1, &status);
      CHECK(grown >= 2 * capacity);
      CHECK(((double *)y.values.data)[grown - 1] == 0);
      capacity = grown;
    }
    ((double *)y.values.data)[p] = (double)p;
  }
  for (int64_t p = 0; p < 3000000; p++)
    if (((double *)y.values.data)[p] != (double)p)
      CHECK(!"content was kept");
  CHECK((uintptr_t)y.values.data % (2 << 20) == 0);
  lac_kernel_trim(&y, -1, 0, 300000);
  CHECK(y.values.length == 300000 && y.values.capacity == 300000);
  CHECK(((double *)y.values.data)[299999] == 299999);
  CHECK(lac_kernel_grow(&y, -1, 0, 300001, &status) >= 600000);
  CHECK(((double *)y.values.data)[300000] == 0 && ((double *)y.values.data)[599999] == 0);
  lac_kernel_trim(&y, -1, 0, 7);
  CHECK(((double *)y.values.data)[6] == 6 && y.values.capacity == 7);
  CHECK(status == 0);
  lac_tensor_free(&y);
  lac_tensor_free(&y);
  CHECK(y.levels == NULL);
}

/* A status that a call left, taken so that the next call is made as if nothing had failed. */
static int32_t taken(int32_t *status) {
  int32_t came_to = *status;
  *status = LAC_OK;
  return came_to;
}

static void impossible_sizes_are_a_status(void) {
  lac_tensor y = {0};
  int32_t status = 0;
  CHECK(setup_csr(&y, 3, 4, &status));
  CHECK(!lac_kernel_allocate(&y, -1, 0, INT64_MAX, &status) && taken(&status) == LAC_ERROR_MEMORY);
  CHECK(!lac_kernel_allocate(&y, -1, 0, -1, &status) && taken(&status) == LAC_ERROR_MEMORY);
  CHECK(!lac_kernel_allocate(&y, -1, 0, INT64_C(1) << 50, &status));
  CHECK(taken(&status) == LAC_ERROR_MEMORY);
  CHECK_MESSAGE("out of memory: an array would take 9007199254740992 bytes; this machine has ");
  CHECK(lac_kernel_allocate(&y, -1, 0, 5, &status));
  CHECK(lac_kernel_grow(&y, -1, 0, INT64_MAX, &status) == 5 && taken(&status) == LAC_ERROR_MEMORY);
  CHECK(!lac_kernel_allocate(&y, 7, 0, 5, &status) && taken(&status) == LAC_ERROR_FORMAT);
  CHECK(!lac_kernel_allocate(&y, 0, 0, 5, &status) && taken(&status) == LAC_ERROR_FORMAT);
  CHECK(lac_kernel_product(INT64_C(1) << 40, 1 << 20, &status) == INT64_C(1) << 60);
  CHECK(status == LAC_OK);
  CHECK(lac_kernel_product(INT64_C(1) << 40, 1 << 24, &status) == 0 && status == LAC_ERROR_MEMORY);
  CHECK(lac_kernel_data(&y, -1, 0) == y.values.data && lac_kernel_data(&y, 7, 0) == NULL);
  CHECK(lac_kernel_room(&y, -1, 0) == y.values.capacity && lac_kernel_room(&y, 7, 0) == 0);
  lac_tensor_free(&y);
}

static void after_a_failure_nothing_is_allocated(void) {
  lac_tensor y = {0};
  int32_t status = 0;
  CHECK(setup_csr(&y, 3, 4, &status));
  CHECK(!lac_kernel_fits(256, 8, "positions of y", &status));
  CHECK(!lac_kernel_allocate(&y, -1, 0, 5, &status) && lac_kernel_grow(&y, -1, 0, 5, &status) == 0);
  CHECK(status == LAC_ERROR_OVERFLOW && y.values.data == NULL);
  CHECK_MESSAGE("positions of y");
  lac_tensor_free(&y);
}

static void a_width_that_overflows_is_a_status(void) {
  lac_tensor y = {0};
  int32_t status = 0;
  CHECK(lac_kernel_fits(255, 8, "x", &status) && lac_kernel_fits(INT64_MAX, 64, "x", &status));
  CHECK(!lac_kernel_fits(256, 8, "positions of y", &status) && status == LAC_ERROR_OVERFLOW);
  CHECK_MESSAGE("positions of y: 256 does not fit in 8 bits");
  status = 0;
  CHECK(!setup_csr(&y, 3, INT64_MIN, &status) && status == LAC_ERROR_OVERFLOW);
  CHECK_MESSAGE("level 1 (compressed): expected coordinates that fit in 63 bits, found more");
  CHECK(y.levels == NULL);
}

static void an_operand_stored_otherwise_is_refused(void) {
  lac_tensor a = {0};
  int32_t status = 0;
  make_csr(&a);
  CHECK(lac_kernel_expect(&a, csr, "A", &status) && status == 0);
  CHECK(!lac_kernel_expect(&a, "f32 2 dense compressed:64:32", "A", &status) &&
        status == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("A: expected a tensor stored as 'f32 2 dense compressed:64:32', found 'f64 2 dense "
                "compressed:64:32'");
  CHECK(!lac_kernel_expect(&a, "f64 2 dense compressed:64:64", "A", &status));
  CHECK(!lac_kernel_expect(&a, "f64 2 dense", "A", &status));
  CHECK(!lac_kernel_expect(&a, "f64 2 dense compressed:64:32 dense", "A", &status));
  CHECK(!lac_kernel_expect(&a, "f64 3 dense compressed:64:32", "A", &status));
  CHECK(!lac_kernel_expect(&a, "f64 dense", "A", &status));
  CHECK_MESSAGE("malformed signature");
  a.levels[1].array[LAC_POSITIONS].length = 3;
  CHECK(!lac_kernel_expect(&a, csr, "A", &status));
  CHECK_MESSAGE("A: level 1 (compressed): expected 4 positions, found 3");
  a.levels[1].array[LAC_POSITIONS].length = 4;
  a.levels[1].array[LAC_COORDINATES].length = 2;
  CHECK(!lac_kernel_expect(&a, csr, "A", &status));
  CHECK_MESSAGE("expected 3 coordinates, found 2");
  a.levels[1].array[LAC_COORDINATES].length = 3;
  a.values.length = 2;
  CHECK(!lac_kernel_expect(&a, csr, "A", &status));
  CHECK_MESSAGE("A: expected 3 values, found 2");
  lac_tensor_free(&a);
  CHECK(!lac_kernel_expect(&a, csr, "A", &status));
}

static void broken_invariants_are_found(void) {
  lac_tensor a = {0};
  make_csr(&a);
  int64_t *positions = a.levels[1].array[LAC_POSITIONS].data;
  int32_t *coordinates = a.levels[1].array[LAC_COORDINATES].data;
  CHECK(lac_tensor_check(&a, NULL) == LAC_OK);
  positions[1] = 5;
  CHECK(lac_tensor_check(&a, NULL) != LAC_OK);
  CHECK_MESSAGE("expected positions that do not decrease, found 2 at 2");
  positions[1] = 2, positions[0] = 1;
  CHECK(lac_tensor_check(&a, NULL) != LAC_OK);
  CHECK_MESSAGE("begin with 0");
  positions[0] = 0, coordinates[1] = 4;
  CHECK(lac_tensor_check(&a, NULL) != LAC_OK);
  CHECK_MESSAGE("expected coordinates from 0 to 3, found 4 at position 1");
  coordinates[1] = 0;
  CHECK(lac_tensor_check(&a, NULL) != LAC_OK);
  CHECK_MESSAGE("expected ascending coordinates, found 0 after 0 at position 1");
  CHECK(lac_tensor_check(&a, (uint8_t[]){0, LAC_NONUNIQUE}) == LAC_OK);
  coordinates[0] = 2, coordinates[1] = 1;
  CHECK(lac_tensor_check(&a, (uint8_t[]){0, LAC_NONUNIQUE}) != LAC_OK);
  CHECK(lac_tensor_check(&a, (uint8_t[]){0, LAC_UNORDERED}) == LAC_OK);
  lac_tensor_free(&a);
}

static void kinds_outlive_the_signature(void) {
  char text[] = "f32 1 my_level:8:0:16:32";
  int64_t size = 4;
  int32_t status = 0;
  lac_tensor y = {0};
  CHECK(lac_kernel_setup(&y, text, &size, &size, &status));
  memset(text, 'x', sizeof text - 1);
  CHECK(strcmp(y.levels[0].kind, "my_level") == 0 && y.levels[0].kind == lac_intern("my_level"));
  CHECK(y.levels[0].array[0].width == 1 && y.levels[0].array[1].width == 0);
  CHECK(y.levels[0].array[2].width == 2 && y.levels[0].array[3].width == 4 && y.values.width == 4);
  lac_tensor_free(&y);
}

static void a_frame_moves_its_own_result_and_copies_others(void) {
  lac_tensor operand = {0}, out = {0}, second = {0};
  make_csr(&operand);
  lac_frame *frame = lac_frame_enter();
  lac_tensor *temporary = lac_frame_tensor(frame);
  make_csr(temporary);
  void *values = temporary->values.data;
  lac_frame_result(frame, temporary, &out);
  lac_frame_result(frame, temporary, &second);
  CHECK(out.values.data == values && second.values.data != values && second.values.length == 3);
  lac_frame_result(frame, &operand, &out);
  CHECK(out.values.data != operand.values.data && out.values.length == 3);
  CHECK(lac_frame_ok(frame) && lac_frame_leave(frame) == LAC_OK);
  frame = lac_frame_enter();
  lac_frame_check(frame, LAC_ERROR_SHAPE);
  lac_frame_check(frame, LAC_ERROR_MEMORY);
  CHECK(!lac_frame_ok(frame) && lac_frame_leave(frame) == LAC_ERROR_SHAPE);
  lac_tensor_free(&operand);
  lac_tensor_free(&out);
  lac_tensor_free(&second);
}

static bool is_zero(const char *block, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i++)
    if (block[i])
      return false;
  return true;
}

static void clean_scratch_is_kept_for_the_next_of_its_size(void) {
  static const int64_t sizes[] = {8, 4096, 125000, 3 << 20, 20 << 20};
  int32_t status = 0;
  lac_memory_keep(1 << 30);
  for (int i = 0; i < 5; i++) {
    char *first = lac_kernel_scratch(sizes[i], &status);
    CHECK(first && is_zero(first, sizes[i]));
    first[sizes[i] - 1] = 1;
    first[sizes[i] - 1] = 0;
    lac_kernel_release_clean(first, sizes[i]);
    char *other = lac_kernel_scratch(sizes[i] + 8, &status);
    char *second = lac_kernel_scratch(sizes[i], &status);
    CHECK(other && is_zero(other, sizes[i] + 8) && second && is_zero(second, sizes[i]));
    CHECK(sizes[i] < 4096 || (second == first && other != first));
    memset(other, 1, (size_t)sizes[i]);
    lac_kernel_release(other, sizes[i] + 8);
    lac_kernel_release_clean(second, sizes[i]);
  }
  lac_memory_keep(0);
  char *last = lac_kernel_scratch(sizes[3], &status);
  lac_kernel_release_clean(last, sizes[3]);
  lac_kernel_release_clean(NULL, sizes[3]);
  CHECK(status == 0);
  lac_memory_keep(1 << 30);
}

static void scratch_that_is_left_as_it_is_is_cleared_for_the_next(void) {
  enum { BYTES = 300000 };
  int32_t status = 0;
  lac_memory_keep(1 << 30);
  char *first = lac_kernel_scratch(BYTES, &status);
  CHECK(first != NULL);
  memset(first, 1, BYTES);
  lac_kernel_release(first, BYTES);
  char *second = lac_kernel_scratch(BYTES - 1000, &status);
  CHECK(second == first && is_zero(second, BYTES - 1000));
  lac_kernel_release_clean(second, BYTES - 1000);
  CHECK(status == 0);
}

static int32_t work_in_a_frame(lac_tensor *out) {
  int32_t status = 0;
  lac_frame *frame = lac_frame_enter();
  lac_tensor *y = lac_frame_tensor(frame);
  if (y && setup_csr(y, 3, 4, &status) && lac_kernel_allocate(y, 1, LAC_POSITIONS, 4, &status))
    lac_kernel_grow(y, -1, 0, 500000, &status);
  void *scratch = lac_kernel_scratch(100, &status);
  lac_kernel_release(scratch, 100);
  lac_frame_check(frame, status);
  lac_frame_result(frame, y, out);
  return lac_frame_leave(frame);
}

static void memory_that_runs_out_is_a_status_wherever_it_does(void) {
  int passed = -1;
  for (int64_t n = 0; n < 100 && passed < 0; n++) {
    lac_tensor out = {0};
    lac_test_fail_allocation_after(n);
    int32_t status = work_in_a_frame(&out);
    lac_test_fail_allocation_after(-1);
    CHECK(status == LAC_OK || (status == LAC_ERROR_MEMORY && out.values.data == NULL));
    if (status == LAC_OK)
      passed = (int)n;
    lac_tensor_free(&out);
  }
  CHECK(passed > 5);
}

static void coordinates_are_sorted(void) {
  static int64_t c[5000], count[5000];
  for (int64_t n = 0; n < 5000; n = n < 80 ? n + 1 : n * 3 / 2) {
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; i++)
      count[c[i] = (int64_t)random_number(5000)]++;
    lac_test_fail_allocation_after(n % 2 ? -1 : 0);
    lac_kernel_sort(c, n);
    lac_test_fail_allocation_after(-1);
    for (int64_t i = 0; i < n; i++) {
      count[c[i]]--;
      CHECK(i == 0 || c[i - 1] <= c[i]);
    }
    for (int64_t i = 0; i < 5000; i++)
      CHECK(count[i] == 0);
  }
}

/* Memory of arrays that are gone is kept: zeroed for arrays that are to be zero, as it is for raw
 * ones. */
static void kept_memory_is_as_new(void) {
  enum { MANY = 1 << 20 };
  lac_array y = {.width = 8};
  for (int round = 0; round < 3; round++) {
    CHECK(lac_array_allocate(&y, MANY + 100 * round) == LAC_OK);
    for (int64_t p = 0; p < y.length; p++)
      if (((int64_t *)y.data)[p] != 0)
        CHECK(!"kept memory was zeroed");
    memset(y.data, 1, (size_t)y.length * 8);
    lac_array_free(&y);
  }
}

static void a_raw_array_grows_into_kept_memory(void) {
  enum { MANY = 3 << 20 };
  lac_array old = {.width = 8}, y = {.width = 4};
  CHECK(lac_array_allocate(&old, MANY) == LAC_OK);
  memset(old.data, 1, (size_t)MANY * 8);
  void *kept = old.data;
  lac_array_free(&old);
  for (int32_t p = 0; p < 2 * MANY; p++) {
    CHECK(lac_array_reserve_raw(&y, p + 1) == LAC_OK);
    ((int32_t *)y.data)[p] = p;
  }
  CHECK(y.data == kept && y.capacity == 2 * MANY);
  CHECK(lac_array_reserve_raw(&y, 5 * MANY) == LAC_OK && y.capacity >= 5 * MANY);
  for (int32_t p = 0; p < 2 * MANY; p++)
    if (((int32_t *)y.data)[p] != p)
      CHECK(!"content was kept");
  lac_array_trim(&y, 2 * MANY);
  CHECK(lac_array_reserve(&y, 2 * MANY + 1) == LAC_OK && ((int32_t *)y.data)[2 * MANY] == 0);
  lac_array_free(&y);
}

static void fill(lac_array *y, int64_t count, int32_t (*reserve)(lac_array *y, int64_t needed)) {
  for (int64_t p = 0; p < count; p++) {
    CHECK(reserve(y, p + 1) == LAC_OK);
    ((int64_t *)y->data)[p] = p;
  }
}

/* What pieces leave is for the next pieces, and what results leave for the next results, whichever
 * is larger and asked for first; also where neither is mapped. */
static void pieces_leave_to_results_what_these_left(void) {
  for (int64_t many = 20000; many <= 1 << 20; many *= 30) {
    lac_array result = {.width = 8}, piece = {.width = 8};
    fill(&result, many, lac_array_reserve_raw);
    fill(&piece, 2 * many, lac_array_reserve_aside);
    void *of_result = result.data, *of_piece = piece.data;
    lac_array_free(&result);
    lac_array_free_aside(&piece);
    fill(&piece, many, lac_array_reserve_aside);
    fill(&result, many, lac_array_reserve_raw);
    CHECK(piece.data == of_piece && result.data == of_result);
    for (int64_t p = 0; p < many; p++)
      if (((int64_t *)piece.data)[p] != p || ((int64_t *)result.data)[p] != p)
        CHECK(!"content was kept");
    lac_array_free_aside(&piece);
    lac_array_free(&result);
  }
}

/* Results of one size after another, smaller than what is mapped: each goes on where the one before
 * was, as soon as it is not small. */
static void small_arrays_grow_into_kept_memory(void) {
  enum { MANY = 100000 };
  void *was = NULL;
  for (int round = 0; round < 3; round++) {
    lac_array y = {.width = 8};
    for (int64_t p = 0; p < MANY; p++) {
      CHECK(lac_array_reserve_raw(&y, p + 1) == LAC_OK);
      ((int64_t *)y.data)[p] = p;
    }
    for (int64_t p = 0; p < MANY; p++)
      if (((int64_t *)y.data)[p] != p)
        CHECK(!"content was kept");
    lac_array_trim(&y, MANY);
    CHECK(y.length == MANY && (round < 2 || y.data == was));
    was = y.data;
    lac_array_free(&y);
  }
}

/* What has grown beyond what it needs and is mapped stays where half of it is needed, and else
 * leaves its block to the next one. */
static void trimmed_arrays_leave_what_they_do_not_need(void) {
  enum { ROOM = 1 << 18, MOST = ROOM - 100, FEW = 100 };
  lac_array y = {.width = 8}, next = {.width = 8};
  CHECK(lac_array_allocate_raw(&y, ROOM) == LAC_OK);
  void *mapped = y.data;
  lac_array_trim(&y, MOST / 4 * 3);
  CHECK(y.data == mapped && y.length == MOST / 4 * 3 && y.capacity == ROOM);
  ((int64_t *)y.data)[FEW - 1] = FEW;
  lac_array_trim(&y, FEW);
  CHECK(y.data != mapped && y.capacity == FEW && ((int64_t *)y.data)[FEW - 1] == FEW);
  CHECK(lac_array_allocate_raw(&next, ROOM) == LAC_OK && next.data == mapped);
  lac_array_free(&next);
  lac_array_free(&y);
}

/* An array that is zero is so where it grows, whatever block it was made in. */
static void zero_arrays_grow_into_zeros(void) {
  enum { ROOM = 1 << 20, FEW = ROOM * 3 / 5 };
  lac_array old = {.width = 8}, y = {.width = 8};
  CHECK(lac_array_allocate_raw(&old, ROOM) == LAC_OK);
  memset(old.data, 1, (size_t)ROOM * 8);
  lac_array_free(&old);
  CHECK(lac_array_allocate(&y, FEW) == LAC_OK && lac_array_reserve(&y, ROOM - 1) == LAC_OK);
  for (int64_t p = 0; p < ROOM - 1; p++)
    if (((int64_t *)y.data)[p] != 0)
      CHECK(!"what it grew into was zero");
  lac_array_free(&y);
}

/* What is told how large it will be takes a block that fits, and leaves the larger one to the next
 * array: coordinates and values of one result after another go where those before were. */
static void what_is_told_takes_what_fits(void) {
  enum { MANY = 1 << 20, FEW = 256 };
  lac_array coordinates = {.width = 4}, values = {.width = 8};
  void *was = NULL;
  for (int round = 0; round < 3; round++) {
    CHECK(lac_array_reserve_raw(&coordinates, FEW) == LAC_OK);
    CHECK(lac_array_reserve_raw(&values, FEW) == LAC_OK);
    memset(coordinates.data, 1, FEW * 4);
    CHECK(lac_array_reserve_raw(&coordinates, MANY) == LAC_OK && coordinates.capacity >= MANY);
    CHECK(lac_array_reserve_raw(&values, MANY) == LAC_OK && values.capacity >= MANY);
    CHECK(((int32_t *)coordinates.data)[FEW - 1] == 0x01010101);
    CHECK(round == 0 || values.data == was);
    was = values.data;
    lac_array_free(&coordinates);
    lac_array_free(&values);
  }
}

static void nothing_is_kept_where_nothing_may_be(void) {
  enum { MANY = 1 << 20 };
  lac_array y = {.width = 8};
  lac_memory_keep(0);
  CHECK(lac_array_allocate(&y, MANY) == LAC_OK);
  lac_array_free(&y);
  lac_test_fail_allocation_after(0);
  CHECK(lac_array_reserve_raw(&y, MANY) == LAC_ERROR_MEMORY);
  lac_memory_keep(INT64_C(64) << 20);
  lac_test_fail_allocation_after(-1);
  CHECK(lac_array_allocate(&y, MANY) == LAC_OK);
  lac_array_free(&y);
  lac_test_fail_allocation_after(0);
  CHECK(lac_array_allocate(&y, MANY) == LAC_ERROR_MEMORY);
  lac_test_fail_allocation_after(-1);
  lac_memory_keep(0);
}

static void levels_are_as_large_as_what_they_hold(void) {
  int64_t dimensions[] = {7, 9};
  lac_level levels[4] = {{.kind = "dense", .size = 2},
                         {.kind = "compressed", .size = 3},
                         {.kind = "dense", .size = 4},
                         {.kind = "dense", .size = 4}};
  lac_tensor a = {.order = 2, .level_count = 4, .dimensions = dimensions, .levels = levels};
  int32_t status = LAC_OK;
  CHECK(lac_kernel_sizes(&a, "0/4 1/4 0%4 1%4", "A", &status) && status == LAC_OK);
  levels[1].size = 2;
  CHECK(!lac_kernel_sizes(&a, "0/4 1/4 0%4 1%4", "A", &status) && status == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("A: level 1 (compressed): expected the size 3, found 2");
  status = LAC_OK;
  levels[0].size = 15;
  levels[1].size = 5;
  levels[2].size = 7;
  a.level_count = 3;
  CHECK(lac_kernel_sizes(&a, "1+0 * 0", "A", &status));
  levels[2].size = 8;
  CHECK(!lac_kernel_sizes(&a, "1+0 * 0", "A", &status));
  CHECK_MESSAGE("A: level 2 (dense): expected the size 7 of dimension 0, found 8");
}

static void shapes_are_those_of_types(void) {
  int64_t dimensions[] = {5, 6};
  lac_tensor a = {.order = 2, .dimensions = dimensions};
  int32_t status = LAC_OK;
  CHECK(lac_kernel_shape(&a, "5x6", "A", &status) && lac_kernel_shape(&a, "5x?", "A", &status));
  CHECK(lac_kernel_shape(&a, "?x6", "A", &status) && status == LAC_OK);
  CHECK(!lac_kernel_shape(&a, "?x4", "A", &status) && status == LAC_ERROR_SHAPE);
  CHECK_MESSAGE("A: expected the shape ?x4, found 5x6");
  CHECK(!lac_kernel_shape(&a, "5x6", "A", &status));
}

/* As it grows too, in what malloc gives and behind it. */
static void long_arrays_begin_where_a_line_does(void) {
  enum { LINE = 64 };
  int32_t status = 0;
  lac_memory_keep(0);
  for (int64_t bytes = 4096; bytes < 5 << 20; bytes += bytes / 3 + 8) {
    char *block = lac_kernel_scratch(bytes, &status), *aside = lac_kernel_scratch(24, &status);
    CHECK(block && (uintptr_t)block % LINE == 0);
    block[bytes - 1] = 1;
    block = lac_memory_resize(block, bytes, 2 * bytes);
    CHECK(block && (uintptr_t)block % LINE == 0 && block[bytes - 1] == 1);
    CHECK(is_zero(block + bytes, bytes));
    block = lac_memory_resize(block, 2 * bytes, bytes);
    CHECK(block && (uintptr_t)block % LINE == 0 && block[bytes - 1] == 1);
    lac_memory_release(block, bytes);
    lac_kernel_release(aside, 24);
  }
  CHECK(status == 0);
  lac_memory_keep(1 << 30);
}

int main(void) {
  long_arrays_begin_where_a_line_does();
  kept_memory_is_as_new();
  a_raw_array_grows_into_kept_memory();
  small_arrays_grow_into_kept_memory();
  pieces_leave_to_results_what_these_left();
  trimmed_arrays_leave_what_they_do_not_need();
  zero_arrays_grow_into_zeros();
  what_is_told_takes_what_fits();
  nothing_is_kept_where_nothing_may_be();
  a_growing_array_keeps_its_content_and_is_zero_beyond();
  impossible_sizes_are_a_status();
  after_a_failure_nothing_is_allocated();
  a_width_that_overflows_is_a_status();
  an_operand_stored_otherwise_is_refused();
  broken_invariants_are_found();
  levels_are_as_large_as_what_they_hold();
  shapes_are_those_of_types();
  kinds_outlive_the_signature();
  a_frame_moves_its_own_result_and_copies_others();
  memory_that_runs_out_is_a_status_wherever_it_does();
  clean_scratch_is_kept_for_the_next_of_its_size();
  scratch_that_is_left_as_it_is_is_cleared_for_the_next();
  coordinates_are_sorted();
  return report();
}
