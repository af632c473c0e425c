// The storage checker: what the layout of each level format promises, broken in one place at a
// time.
// RUN: %cc %includes -I%root/test/runtime -g -O1 %s %lacuna -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lacuna.h"

#include <mlir-c/BuiltinTypes.h>

static lacuna_compiler *with;

enum { MOST_LEVELS = 4 };

/* A tensor of levels of 4 coordinates each, with `values` values. */
typedef struct subject {
  lac_tensor tensor;
  lac_level levels[MOST_LEVELS];
  int64_t dimensions[2];
  double room[64];
  MlirType type;
} subject;

static MlirType type_of(const char *levels, int order) {
  char text[256];
  const int64_t sizes[] = {4, 4};
  snprintf(text, sizeof text, "(%s) -> (%s), pos = 8, crd = 8", order == 1 ? "i" : "i, j", levels);
  return lacuna_tensor_type(order, sizes, mlirF64TypeGet(lacuna_context(with)),
                            lacuna_format(with, text, order));
}

static void begin(subject *s, const char *levels, int64_t values) {
  bool is_vector = !strchr(levels, ',');
  *s = (subject){.dimensions = {4, 4}, .type = type_of(levels, is_vector ? 1 : 2)};
  CHECK(!mlirTypeIsNull(s->type));
  s->tensor = (lac_tensor){.order = is_vector ? 1 : 2,
                           .dimensions = s->dimensions,
                           .levels = s->levels,
                           .values = lac_array_lend(s->room, values, 8)};
}

static void add(subject *s, const char *kind) {
  s->levels[s->tensor.level_count++] = (lac_level){.kind = kind, .size = 4};
}

/* An array of the last level. */
#define ARRAY(s, slot, ...)                                                                        \
  static uint8_t elements_##slot[] = __VA_ARGS__;                                                  \
  (s)->levels[(s)->tensor.level_count - 1].array[slot] =                                           \
      lac_array_lend(elements_##slot, sizeof elements_##slot, 1)

/* With element `i` of an array of level `l` set to `wrong`, the check says `message`. */
static void expect_wrong(subject *s, int l, int slot, int i, uint8_t wrong, const char *message) {
  uint8_t *element = (uint8_t *)s->levels[l].array[slot].data + i, right = *element;
  CHECK(lacuna_check(&s->tensor, s->type, "A") == LAC_OK);
  *element = wrong;
  CHECK(lacuna_check(&s->tensor, s->type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE(message);
  *element = right;
}

/* With an array of level `l` one element shorter, the check says `message`. */
static void expect_short(subject *s, int l, int slot, const char *message) {
  CHECK(lacuna_check(&s->tensor, s->type, "A") == LAC_OK);
  s->levels[l].array[slot].length--;
  CHECK(lacuna_check(&s->tensor, s->type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE(message);
  s->levels[l].array[slot].length++;
}

static void compressed(void) {
  subject s;
  begin(&s, "i : dense, j : compressed", 5);
  add(&s, "dense");
  add(&s, "compressed");
  ARRAY(&s, LAC_POSITIONS, {0, 2, 2, 3, 5});
  ARRAY(&s, LAC_COORDINATES, {0, 2, 1, 0, 3});
  expect_wrong(&s, 1, LAC_POSITIONS, 0, 1, "expected positions that begin with 0, found 1 at 0");
  expect_wrong(&s, 1, LAC_POSITIONS, 1, 3, "positions that do not decrease, found 2 at 2");
  expect_wrong(&s, 1, LAC_COORDINATES, 4, 4, "coordinates from 0 to 3, found 4 at position 4");
  expect_wrong(&s, 1, LAC_COORDINATES, 4, 0, "ascending coordinates, found 0 after 0");
  expect_short(&s, 1, LAC_POSITIONS, "level 1 (compressed): expected 5 positions, found 4");
  expect_short(&s, 1, LAC_COORDINATES, "expected 5 coordinates, found 4");
  s.tensor.values.length = 4;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("expected 5 values, found 4");
}

static void hashed(void) {
  subject s;
  begin(&s, "i : dense, j : hashed", 6);
  add(&s, "dense");
  add(&s, "hashed");
  ARRAY(&s, LAC_POSITIONS, {0, 4, 4, 6, 6});
  ARRAY(&s, LAC_COORDINATES, {255, 255, 255, 255, 255, 255});
  uint8_t *slots = elements_LAC_COORDINATES;
  int home = (int)((int64_t)(2 * 0x9E3779B97F4A7C15u) >> 32) & 3;
  slots[home] = 2;
  slots[(home + 1) & 3] = 2;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 1 (hashed): expected that a search for 2 ends at slot");
  slots[(home + 1) & 3] = 255;
  expect_wrong(&s, 1, LAC_COORDINATES, home, 4, "coordinates from 0 to 3, found 4 at position");
  expect_wrong(&s, 1, LAC_COORDINATES, (home + 2) & 3, 2, "expected that a search for 2 ends at");
  expect_wrong(&s, 1, LAC_POSITIONS, 1, 3, "expected a power of two of slots, found 3 at 0");
  expect_wrong(&s, 1, LAC_POSITIONS, 2, 1, "positions that do not decrease, found 1 at 2");
  expect_short(&s, 1, LAC_COORDINATES, "level 1 (hashed): expected 6 slots, found 5");
  expect_short(&s, 1, LAC_POSITIONS, "expected 5 positions, found 4");
}

static void banded(void) {
  subject s;
  begin(&s, "i : dense, j : banded", 5);
  add(&s, "dense");
  add(&s, "banded");
  ARRAY(&s, LAC_POSITIONS, {0, 2, 2, 2, 5});
  ARRAY(&s, LAC_COORDINATES, {2, 9, 0, 1});
  expect_wrong(&s, 1, LAC_COORDINATES, 0, 3, "coordinates 0 to 3, found 2 from 3 on under 0");
  expect_wrong(&s, 1, LAC_POSITIONS, 1, 3, "positions that do not decrease, found 2 at 2");
  expect_short(&s, 1, LAC_POSITIONS, "level 1 (banded): expected 5 positions, found 4");
  expect_short(&s, 1, LAC_COORDINATES, "expected 4 first coordinates, found 3");
}

static void a_coordinate_list(void) {
  MlirType all = type_of("i : compressed(nonunique), j : singleton(nonunique)", 2);
  subject s;
  begin(&s, "i : compressed(nonunique), j : singleton", 3);
  add(&s, "compressed");
  ARRAY(&s, LAC_POSITIONS, {0, 3});
  ARRAY(&s, LAC_COORDINATES, {0, 0, 1});
  add(&s, "singleton");
  static uint8_t columns[] = {1, 2, 0};
  s.levels[1].array[LAC_COORDINATES] = lac_array_lend(columns, 3, 1);
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_OK);
  columns[1] = 1;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 1 (singleton): expected ascending coordinates, found 1 after 1");
  CHECK(lacuna_check(&s.tensor, all, "A") == LAC_OK);
}

static void loose(void) {
  subject s;
  begin(&s, "i : dense, j : loose_compressed", 8);
  add(&s, "dense");
  add(&s, "loose_compressed");
  ARRAY(&s, LAC_POSITIONS, {0, 3, 6, 3});
  ARRAY(&s, LAC_COORDINATES, {0, 2, 9, 1, 9, 9, 2, 3});
  ARRAY(&s, LAC_ENDS, {2, 4, 8, 3});
  expect_wrong(&s, 1, LAC_POSITIONS, 0, 3, "a begin from 0 to the end, found 3 and 2 at 0");
  expect_wrong(&s, 1, LAC_COORDINATES, 3, 4, "coordinates from 0 to 3, found 4 at position 3");
  expect_wrong(&s, 1, LAC_COORDINATES, 7, 1, "ascending coordinates, found 1 after 2");
  expect_short(&s, 1, LAC_ENDS, "expected 4 ends, found 3");
}

static void a_bitmap(void) {
  subject s;
  begin(&s, "i : bitmap", 4);
  add(&s, "bitmap");
  ARRAY(&s, LAC_FLAGS, {1, 0, 0, 1});
  expect_short(&s, 0, LAC_FLAGS, "level 0 (bitmap): expected 4 flags, found 3");
}

static void runs(void) {
  subject s;
  begin(&s, "i : dense, j : run_length", 6);
  add(&s, "dense");
  add(&s, "run_length");
  ARRAY(&s, LAC_POSITIONS, {0, 2, 2, 3, 3});
  ARRAY(&s, LAC_COORDINATES, {0, 3, 1});
  ARRAY(&s, LAC_FLAGS, {0, 2, 3, 6});
  expect_wrong(&s, 1, LAC_COORDINATES, 2, 2, "a run of 1 to 2 coordinates, found 3 at run 2");
  expect_wrong(&s, 1, LAC_COORDINATES, 1, 1, "coordinates, from 2 on, found 1 at run 1");
  expect_wrong(&s, 1, LAC_FLAGS, 1, 0, "a run of 1 to 4 coordinates, found 0 at run 0");
  expect_short(&s, 1, LAC_FLAGS, "expected 4 places of runs and their end, found 3");
}

static void tuples(void) {
  subject s;
  begin(&s, "i : tuples(2, nonunique), j : element(1)", 3);
  add(&s, "tuples");
  ARRAY(&s, LAC_POSITIONS, {0, 3});
  ARRAY(&s, LAC_COORDINATES, {0, 1, 0, 3, 2, 1});
  add(&s, "element");
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_OK);
  elements_LAC_COORDINATES[3] = 1;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 1 (element): expected ascending coordinates, found 1 after 1");
  elements_LAC_COORDINATES[3] = 4;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 1 (element): expected coordinates from 0 to 3, found 4 at position 1");
  s.levels[0].array[LAC_COORDINATES].length = 5;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 0 (tuples): expected 6 coordinates, found 5");
}

static void slots(void) {
  subject s;
  begin(&s, "#i : sliced, i : dense, j : padded", 8);
  add(&s, "sliced");
  ARRAY(&s, LAC_POSITIONS, {0, 2});
  add(&s, "dense");
  add(&s, "padded");
  ARRAY(&s, LAC_COORDINATES, {0, 3, 255, 1, 2, 255, 255, 255});
  expect_wrong(&s, 0, LAC_POSITIONS, 0, 1, "positions that begin with 0, found 1 at 0");
  expect_short(&s, 0, LAC_POSITIONS, "level 0 (sliced): expected 2 positions, found 1");
  expect_wrong(&s, 2, LAC_COORDINATES, 4, 4, "coordinates from 0 to 3, found 4 at position 4");
  expect_short(&s, 2, LAC_COORDINATES, "level 2 (padded): expected 8 coordinates, found 7");
  s.levels[0].size = 1;
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("level 0 (sliced): expected at most 1 coordinates, found 2 under position 0");
}

static void n_of_m(void) {
  subject s;
  begin(&s, "i : dense, j : nm(2)", 8);
  add(&s, "dense");
  add(&s, "nm(2)");
  ARRAY(&s, LAC_COORDINATES, {3, 0, 1, 255, 255, 255, 2, 1});
  expect_wrong(&s, 1, LAC_COORDINATES, 1, 3, "distinct coordinates, found 3 again at position 1");
  expect_wrong(&s, 1, LAC_COORDINATES, 2, 4, "coordinates from 0 to 3, found 4 at position 2");
  expect_short(&s, 1, LAC_COORDINATES, "level 1 (nm(2)): expected 8 coordinates, found 7");
  s.levels[1].kind = "nm(3)";
  CHECK(lacuna_check(&s.tensor, s.type, "A") == LAC_ERROR_FORMAT);
  CHECK_MESSAGE(
      "expected a tensor stored as 'f64 2 dense nm(2):0:8', found 'f64 2 dense nm(3):0:8'");
}

static void a_kind_without_a_layout(void) {
  subject s;
  begin(&s, "i : dense, j : compressed", 0);
  add(&s, "mine");
  ARRAY(&s, LAC_POSITIONS, {0, 3});
  CHECK(lac_tensor_check(&s.tensor, NULL) == LAC_OK);
  s.levels[0].array[LAC_POSITIONS].data = NULL;
  CHECK(lac_tensor_check(&s.tensor, NULL) == LAC_ERROR_FORMAT);
  CHECK_MESSAGE("expected 0 elements in an array with no data, found 2");
}

/* The layout of a level format of a user's own that says too much. */
static void a_malformed_layout(void) {
  subject s;
  begin(&s, "i : dense, j : compressed", 4);
  add(&s, "mine");
  ARRAY(&s, LAC_POSITIONS, {0, 3});
  s.tensor.order = 1;
  CHECK(lac_tensor_check_stored(&s.tensor, "f64 1 mine:8{#0 = 2 ends; q = 0[1]}", NULL, "A") ==
        LAC_OK);
  const char *malformed[] = {"f64 1 mine:8{q = 0[2]}",
                             "f64 1 mine:8{q = 5[0]}",
                             "f64 1 mine:8{q = }",
                             "f64 1 mine:8{q = 1 | at 1[q]; bounded}",
                             "f64 1 mine:8{# = p}",
                             "f64 1 mine:8{q = p | at ^1 0[q]}",
                             "f64 1 mine:8{q = p | under p p}",
                             "f64 1 mine:8{q = p | rising 0 9}"};
  for (size_t m = 0; m < sizeof malformed / sizeof *malformed; m++) {
    CHECK(lac_tensor_check_stored(&s.tensor, malformed[m], NULL, "A") == LAC_ERROR_FORMAT);
    CHECK_MESSAGE("level 0 (mine): its level format has a malformed layout");
  }
}

int main(void) {
  with = lacuna_open();
  compressed();
  hashed();
  banded();
  a_coordinate_list();
  loose();
  a_bitmap();
  runs();
  tuples();
  slots();
  n_of_m();
  a_kind_without_a_layout();
  a_malformed_layout();
  lacuna_close(with);
  return report();
}
