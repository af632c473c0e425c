// Every public function of the runtime with NULL and numbers that nobody means: a status and a
// message of one line, never a signal.
// RUN: %cc %s %runtime -I%root/test/runtime -o %t
// RUN: %t
#include "check.h"

#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void expect_refused(int32_t status) {
  CHECK(status != LAC_OK);
  CHECK(*lac_error_message() && !strchr(lac_error_message(), '\n'));
  lac_error_clear();
}

static void types_and_names(void) {
  CHECK(lac_type_from_name(NULL) == -1);
  CHECK(!lac_type_name(-1) && !lac_type_name(INT32_MAX) && !lac_type_name(INT32_MIN));
  CHECK(!lac_type_width(-1) && !lac_type_width(INT32_MAX) && !lac_type_width(INT32_MIN));
  CHECK(!lac_intern(NULL));
  CHECK(!lac_is_scalar(NULL));
  CHECK(!lac_file_writes(NULL));
}

/* A tensor that says of itself what its fields do not hold. */
static void broken_tensors(void (*visit)(const lac_tensor *broken)) {
  int64_t dimensions[] = {3, -4};
  lac_level levels[] = {{.kind = "dense", .size = 3}, {.kind = NULL, .size = 4}};
  double values[12] = {0};
  const lac_array lent = lac_array_lend(values, 12, 8), short_of_data = {NULL, 12, 12, 8, 0};
  const lac_tensor broken[] = {
      {.order = 2, .level_count = 2, .values = lent},
      {.order = 2, .level_count = 2, .dimensions = dimensions, .values = lent},
      {.order = 2, .level_count = 2, .dimensions = dimensions, .levels = levels, .values = lent},
      {.order = -1, .level_count = -1, .dimensions = dimensions, .levels = levels, .values = lent},
      {.order = INT64_MIN, .level_count = 1, .dimensions = dimensions, .levels = levels},
      {.order = 1, .level_count = 1, .dimensions = dimensions, .levels = levels, .type = 99},
      {.order = 1,
       .level_count = 1,
       .dimensions = dimensions,
       .levels = levels,
       .values = short_of_data},
      {.order = 1,
       .level_count = 1,
       .dimensions = dimensions,
       .levels = levels,
       .values = {values, -1, -1, 8, 0}}};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
    visit(&broken[i]);
}

static void look_at(const lac_tensor *broken) {
  expect_refused(lac_tensor_check(broken, NULL));
  expect_refused(lac_tensor_check_named(broken, NULL, NULL));
  expect_refused(lac_coo_expect(broken));
  lac_tensor list = *broken;
  expect_refused(lac_coo_sort(&list, NULL));
  expect_refused(lac_file_write("-", broken, NULL));
}

static void tensors(void) {
  lac_tensor copy = {0}, empty = {0};
  lac_tensor_free(NULL);
  expect_refused(lac_tensor_copy(NULL, &copy));
  expect_refused(lac_tensor_copy(&empty, NULL));
  expect_refused(lac_tensor_copy(&(lac_tensor){.order = 2}, &copy));
  expect_refused(lac_tensor_copy(&(lac_tensor){.order = -2}, &copy));
  expect_refused(lac_tensor_copy(&(lac_tensor){.level_count = INT64_MAX}, &copy));
  expect_refused(lac_tensor_check(NULL, NULL));
  expect_refused(lac_tensor_check_named(NULL, NULL, NULL));
  broken_tensors(look_at);
}

static void lists(void) {
  lac_tensor list = {0};
  int64_t dimensions[] = {3, 4}, twice[] = {0, 0}, far[] = {5, -1}, at[] = {1, 2};
  double value = 1;
  expect_refused(lac_coo_create(NULL, LAC_F64, 2, dimensions, 1));
  expect_refused(lac_coo_create(&list, LAC_F64, 2, NULL, 1));
  expect_refused(lac_coo_create(&list, LAC_F64, -1, dimensions, 1));
  expect_refused(lac_coo_create(&list, 99, 2, dimensions, 1));
  expect_refused(lac_coo_create(&list, -1, 2, dimensions, 1));
  expect_refused(lac_coo_create(&list, LAC_F64, INT64_MAX, dimensions, 1));
  expect_refused(lac_coo_create(&list, LAC_F64, 2, dimensions, INT64_MAX));
  expect_refused(lac_coo_expect(NULL));
  expect_refused(lac_coo_append(NULL, at, &value));
  expect_refused(lac_coo_append(&(lac_tensor){.order = 1}, at, &value));
  CHECK(lac_coo_count(NULL) == 0 && lac_coo_count(&(lac_tensor){.order = 2}) == 0);
  CHECK(lac_coo_create(&list, LAC_F64, 2, dimensions, -5) == LAC_OK);
  expect_refused(lac_coo_append(&list, NULL, &value));
  expect_refused(lac_coo_append(&list, at, NULL));
  CHECK(lac_coo_append(&list, at, &value) == LAC_OK && lac_coo_count(&list) == 1);
  expect_refused(lac_coo_sort(NULL, NULL));
  expect_refused(lac_coo_sort(&list, twice));
  expect_refused(lac_coo_sort(&list, far));
  lac_tensor_free(&list);
}

static void files(void) {
  lac_tensor t = {0};
  int64_t far[] = {5, -1}, dimensions[] = {3, 4};
  lac_read_options options = LAC_READ_AS_IT_IS;
  expect_refused(lac_file_read(NULL, NULL, &t, NULL));
  expect_refused(lac_file_read("none.mtx", NULL, NULL, NULL));
  options.type = 99;
  expect_refused(lac_file_read("none.mtx", &options, &t, NULL));
  options = LAC_READ_AS_IT_IS;
  options.order = INT64_MAX;
  expect_refused(lac_file_read("none.mtx", &options, &t, NULL));
  options.order = INT64_MIN;
  expect_refused(lac_file_read("none.mtx", &options, &t, NULL));
  expect_refused(lac_scalar_read(NULL, LAC_F64, &t));
  expect_refused(lac_scalar_read("1", LAC_F64, NULL));
  expect_refused(lac_scalar_read("1", 99, &t));
  expect_refused(lac_file_can_write(NULL, 2));
  expect_refused(lac_file_write(NULL, &t, NULL));
  expect_refused(lac_file_write("-", NULL, NULL));
  CHECK(lac_coo_create(&t, LAC_F64, 2, dimensions, 1) == LAC_OK);
  expect_refused(lac_file_write("-", &t, far));
  lac_tensor_free(&t);
}

int main(void) {
  types_and_names();
  tensors();
  lists();
  files();
  return failures != 0;
}
