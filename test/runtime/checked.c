// A check that came out well is remembered, and is made again once anything has changed that it looked at.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"

#include <stdlib.h>

#define DENSE "dense{q = p * n | all}"
#define COMPRESSED                                                                                 \
  "compressed:64:64{#0 = p + 1 positions; q = 0[p] last position; #1 >= q coordinates"             \
  " | rising 0 p; under 0[p] 0[p+1]; at 1[q]; bounded}"

enum { ROWS = 3, COLUMNS = 4, ENTRIES = 5 };

static int64_t dimensions[2] = {ROWS, COLUMNS};
static int64_t positions[ROWS + 1] = {0, 2, 2, ENTRIES}, coordinates[ENTRIES] = {0, 3, 0, 1, 2};
static double values[ENTRIES] = {1, 2, 3, 4, 5};
static char first_kind[16] = "dense", second_kind[16] = "compressed";
static lac_level levels[2];

static lac_tensor csr(void) {
  levels[0] = (lac_level){.kind = first_kind, .size = ROWS};
  levels[1] = (lac_level){.kind = second_kind, .size = COLUMNS};
  levels[1].array[LAC_POSITIONS] = lac_array_lend(positions, ROWS + 1, 8);
  levels[1].array[LAC_COORDINATES] = lac_array_lend(coordinates, ENTRIES, 8);
  return (lac_tensor){.order = 2,
                      .level_count = 2,
                      .dimensions = dimensions,
                      .levels = levels,
                      .values = lac_array_lend(values, ENTRIES, 8),
                      .type = LAC_F64};
}

static char signature[256] = "f64 2 " DENSE " " COMPRESSED;

static bool is_expected(const lac_tensor *t) {
  int32_t status = LAC_OK;
  bool good = lac_kernel_expect(t, signature, "A", &status);
  CHECK(good == (status == LAC_OK));
  return good;
}

/* After calls that are right, one with a change is wrong, and the next without it right again. */
#define CHANGED(place, to)                                                                         \
  do {                                                                                             \
    __typeof__(place) before = place;                                                              \
    CHECK(is_expected(&t) && is_expected(&t));                                                     \
    place = to;                                                                                    \
    CHECK(!is_expected(&t));                                                                       \
    CHECK(!is_expected(&t));                                                                       \
    place = before;                                                                                \
    CHECK(is_expected(&t));                                                                        \
  } while (0)

static void fields(void) {
  lac_tensor t = csr();
  CHANGED(t.order, 1);
  CHANGED(t.level_count, 1);
  CHANGED(t.dimensions, NULL);
  CHANGED(t.levels, NULL);
  CHANGED(t.type, LAC_I64);
  CHANGED(t.values.length, ENTRIES - 1);
  CHANGED(t.values.data, NULL);
  CHANGED(t.values.width, 4);
  CHANGED(dimensions[1], -1);
  CHANGED(levels[1].size, -1);
  CHANGED(levels[1].kind, first_kind);
  CHANGED(levels[0].kind, NULL);
  CHANGED(levels[1].array[LAC_POSITIONS].length, ROWS);
  CHANGED(levels[1].array[LAC_POSITIONS].data, NULL);
  CHANGED(levels[1].array[LAC_COORDINATES].length, ENTRIES - 1);
  CHANGED(levels[1].array[LAC_COORDINATES].width, 4);
}

/* What lies at the same place is not what it was. */
static void contents(void) {
  lac_tensor t = csr();
  CHANGED(positions[ROWS], ENTRIES + 1);
  CHANGED(second_kind[0], 'C');
  CHANGED(signature[4], '1');
  CHANGED(signature[strlen(signature) - 1], ' ');
}

/* Elements are read at the widths that the arrays have. */
static void widths(void) {
  lac_tensor t = csr();
  int32_t narrow[ROWS + 1] = {0, 2, 2, ENTRIES};
  levels[1].array[LAC_POSITIONS] = lac_array_lend(narrow, ROWS + 1, 4);
  CHECK(!is_expected(&t));
  char *width = strstr(signature, ":64");
  memcpy(width, ":32", 3);
  CHANGED(narrow[ROWS], ENTRIES + 1);
  memcpy(width, ":64", 3);
  CHECK(!is_expected(&t));
}

/* The greatest of all ends is not remembered, since any may have changed. */
static void greatest(void) {
  static const char loose[] =
      "f64 1 loose_compressed:64:64:64{#0 >= p begins; #2 >= p ends; q = greatest 2; "
      "#1 >= q coordinates | under 0[p] 2[p]; at 1[q]; spans}";
  int64_t size = 9, begins[1] = {1}, ends[1] = {ENTRIES};
  lac_level level = {.kind = "loose_compressed", .size = size};
  level.array[LAC_POSITIONS] = lac_array_lend(begins, 1, 8);
  level.array[LAC_COORDINATES] = lac_array_lend(coordinates, ENTRIES, 8);
  level.array[LAC_ENDS] = lac_array_lend(ends, 1, 8);
  lac_tensor t = {
      .order = 1, .level_count = 1, .dimensions = &size, .levels = &level, .type = LAC_F64};
  t.values = lac_array_lend(values, ENTRIES, 8);
  int32_t status = LAC_OK;
  CHECK(lac_kernel_expect(&t, loose, "x", &status) && lac_kernel_expect(&t, loose, "x", &status));
  ends[0] = ENTRIES + 1;
  CHECK(!lac_kernel_expect(&t, loose, "x", &status));
  ends[0] = ENTRIES;
  status = LAC_OK;
  CHECK(lac_kernel_expect(&t, loose, "x", &status));
}

/* Many tensors that take each other's places. */
static void many(void) {
  enum { COUNT = 100 };
  lac_tensor *all = calloc(COUNT, sizeof *all);
  for (int n = 0; n < COUNT; n++)
    all[n] = csr();
  for (int round = 0; round < 3; round++)
    for (int n = 0; n < COUNT; n++)
      CHECK(is_expected(&all[n]));
  all[COUNT - 1].values.length = 0;
  for (int n = 0; n < COUNT; n++)
    CHECK(is_expected(&all[n]) == (n < COUNT - 1));
  free(all);
}

static void sizes(void) {
  lac_tensor t = csr();
  int32_t status = LAC_OK;
  CHECK(lac_kernel_sizes(&t, "0 1", "A", &status) && lac_kernel_sizes(&t, "0 *", "A", &status));
  CHECK(!lac_kernel_sizes(&t, "1 0", "A", &status));
  CHECK_MESSAGE("A: level 0 (dense): expected the size 4 of dimension 1, found 3");
  CHECK(!lac_kernel_sizes(&t, "0 1", "A", &status));
  status = LAC_OK;
  levels[1].size = COLUMNS + 1;
  CHECK(!lac_kernel_sizes(&t, "0 1", "A", &status));
  CHECK_MESSAGE("A: level 1 (compressed): expected the size 4 of dimension 1, found 5");
}

int main(void) {
  fields();
  contents();
  widths();
  greatest();
  many();
  sizes();
  return report();
}
