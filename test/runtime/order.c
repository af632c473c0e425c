// Entries in no order under their parents, in order with their values: any widths, lengths and
// coordinates, stably.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

enum { SEGMENTS_MOST = 400, LONG = 30000, ENTRIES = 120000 };

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

/* The entries in the order in which they are recorded, and those of each parent among them. */
static int64_t parents, count, lengths[5000], parent_of[ENTRIES];
static uint64_t coordinates[ENTRIES];

static int64_t segment_length(int64_t p) {
  if (parents > 1000)
    return (int64_t)random_number(p % 4 ? 20 : 3);
  return p == 7 ? LONG : p % 5 == 0 ? 0 : (int64_t)random_number(p < 30 ? 20 : SEGMENTS_MOST);
}

static void draw_entries(filling f, uint64_t size) {
  int64_t seen[5000] = {0};
  count = 0;
  for (int64_t p = 0; p < parents; p++) {
    lengths[p] = segment_length(p);
    for (int64_t i = 0; i < lengths[p]; i++)
      parent_of[count++] = p;
  }
  for (int64_t e = count - 1; e > 0; e--) {
    int64_t other = (int64_t)random_number((uint64_t)e + 1), moved = parent_of[e];
    parent_of[e] = parent_of[other];
    parent_of[other] = moved;
  }
  for (int64_t e = 0; e < count; e++) {
    int64_t p = parent_of[e];
    coordinates[e] = coordinate(f, seen[p]++, lengths[p], size);
  }
}

static uint64_t size_of(int64_t coordinate_bits, filling f) {
  if (coordinate_bits == 8 || coordinate_bits == 16)
    return coordinate_bits == 8 ? 200 : 60000;
  if (coordinate_bits == 32)
    return UINT64_C(1) << (f == FEW ? 31 : 20);
  return UINT64_C(1) << (f == FEW ? 62 : 40);
}

static void set_up(lac_tensor *a, const char *type, int64_t bits, int64_t coordinate_bits,
                   uint64_t size) {
  char signature[80];
  int64_t sizes[] = {parents, (int64_t)size};
  int32_t status = 0;
  snprintf(signature, sizeof signature, "%s 2 dense compressed:%d:%d", type, (int)bits,
           (int)coordinate_bits);
  CHECK(lac_kernel_setup(a, signature, sizes, sizes, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_POSITIONS, parents + 1, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_COORDINATES, count, &status));
  CHECK(lac_kernel_allocate(a, -1, 0, count, &status));
}

static void write_field(char *record, int32_t offset, int32_t width, uint64_t x) {
  memset(record + offset, 0, (size_t)width);
  memcpy(record + offset, &x, (size_t)(width < 8 ? width : 8));
}

/* As a kernel does.  Values are the numbers of their entries, cut to the width. */
static bool record(lac_records *r, const lac_tensor *a, int32_t *status) {
  int32_t coordinate_width = a->levels[1].array[LAC_COORDINATES].width, width = a->values.width;
  lac_record_layout layout = lac_record_layout_of(coordinate_width, width);
  if (!lac_kernel_parts(r, parents, status))
    return false;
  int64_t *parts = r->parts.data;
  for (int64_t e = 0; e < count; e++)
    parts[parent_of[e] >> r->shift]++;
  char *records = lac_kernel_records(r, layout.width, true, status);
  for (int64_t e = 0; records && e < count; e++) {
    char *at = records + parts[parent_of[e] >> r->shift]++ * layout.width;
    write_field(at, layout.parent, LAC_RECORD_PARENT, (uint64_t)parent_of[e]);
    write_field(at, layout.coordinate, coordinate_width, coordinates[e]);
    write_field(at, layout.value, width, (uint64_t)e);
  }
  return records;
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

static uint64_t cut(uint64_t x, int32_t width) {
  return width < 8 ? x & ((UINT64_C(1) << 8 * width) - 1) : x;
}

/* Whether the children of parent p are its entries, in order. */
static void check_parent(const lac_tensor *a, int64_t p, int64_t begin, bool *repeats) {
  static uint64_t c[ENTRIES], v[ENTRIES];
  const lac_array *crd = &a->levels[1].array[LAC_COORDINATES];
  int64_t found = 0;
  for (int64_t e = 0; e < count; e++)
    if (parent_of[e] == p) {
      c[found] = coordinates[e];
      v[found++] = cut((uint64_t)e, a->values.width);
    }
  CHECK((int64_t)element(&a->levels[1].array[LAC_POSITIONS], p + 1) == begin + found);
  *repeats |= order_plainly(c, v, found);
  for (int64_t i = 0; i < found; i++)
    CHECK(element(crd, begin + i) == c[i] && element(&a->values, begin + i) == v[i]);
}

static bool ascends(const lac_array *crd, int64_t begin, int64_t end) {
  for (int64_t i = begin + 1; i < end; i++)
    if (element(crd, i - 1) > element(crd, i))
      return false;
  return true;
}

/* Of many parents, some. */
static void check_ordered(const char *type, int64_t bits, int64_t coordinate_bits, filling f) {
  lac_tensor a = {0};
  lac_records r;
  int32_t status = 0;
  bool expected = false;
  uint64_t size = size_of(coordinate_bits, f);
  draw_entries(f, size);
  set_up(&a, type, bits, coordinate_bits, size);
  CHECK(record(&r, &a, &status));
  bool repeats = lac_kernel_order(&a, 1, LAC_POSITIONS, LAC_COORDINATES, parents, &r, &status);
  CHECK(status == 0 && element(&a.levels[1].array[LAC_POSITIONS], 0) == 0);
  for (int64_t p = 0, begin = 0; p < parents; begin += lengths[p++]) {
    CHECK(ascends(&a.levels[1].array[LAC_COORDINATES], begin, begin + lengths[p]));
    if (lengths[p] < LONG && (parents < 1000 || p % 97 == 0 || p > parents - 5))
      check_parent(&a, p, begin, &expected);
  }
  CHECK(repeats || !expected);
  lac_kernel_records_free(&r);
  lac_tensor_free(&a);
}

static void entries_are_ordered_with_their_values(void) {
  parents = 60;
  for (int t = 0; t < 5; t++)
    for (int b = 1; b < 3; b++)
      for (int64_t bits = 8; bits <= 64; bits *= 2)
        for (int f = 0; f < FILLINGS; f++)
          check_ordered(types[t], position_bits[b], bits, (filling)f);
  check_ordered("f64", position_bits[0], 8, RANDOM);
}

static void parents_of_a_part_are_told_apart(void) {
  parents = 5000;
  for (int t = 0; t < 5; t++)
    for (int64_t bits = 8; bits <= 64; bits *= 2)
      check_ordered(types[t], position_bits[1], bits, RANDOM);
}

static void no_parents_and_no_entries_are_fine(void) {
  for (parents = 0; parents < 2; parents++) {
    lac_tensor a = {0};
    lac_records r;
    int32_t status = 0;
    count = 0;
    set_up(&a, "f64", 32, 32, 6);
    CHECK(record(&r, &a, &status));
    CHECK(!lac_kernel_order(&a, 1, LAC_POSITIONS, LAC_COORDINATES, parents, &r, &status) &&
          status == 0);
    CHECK(element(&a.levels[1].array[LAC_POSITIONS], parents) == 0);
    lac_kernel_records_free(&r);
    lac_tensor_free(&a);
  }
}

static void distinct_coordinates_do_not_repeat(void) {
  static const int64_t under[] = {0, 1, 0};
  static const uint64_t shuffled[] = {5, 5, 1}, twice[] = {5, 1, 5};
  parents = 3;
  count = 3;
  for (int repeat = 0; repeat < 2; repeat++) {
    lac_tensor a = {0};
    lac_records r;
    int32_t status = 0;
    memcpy(parent_of, under, sizeof under);
    memcpy(coordinates, repeat ? twice : shuffled, sizeof twice);
    set_up(&a, "f64", 32, 32, 6);
    CHECK(record(&r, &a, &status));
    CHECK(lac_kernel_order(&a, 1, LAC_POSITIONS, LAC_COORDINATES, 3, &r, &status) ==
              (repeat == 1) &&
          status == 0);
    lac_kernel_records_free(&r);
    lac_tensor_free(&a);
  }
}

static void memory_that_runs_out_is_a_status(void) {
  lac_tensor a = {0};
  bool done = false;
  parents = 5000;
  draw_entries(RANDOM, size_of(32, RANDOM));
  parent_of[0] = parents - 1;
  for (int64_t e = 1; e < 1000; e++)
    parent_of[e] = parents - 1;
  set_up(&a, "c128", 32, 32, size_of(32, RANDOM));
  for (int allowed = 0; !done && allowed < 20; allowed++) {
    lac_records r;
    int32_t status = 0;
    lac_test_fail_allocation_after(allowed);
    if (record(&r, &a, &status))
      lac_kernel_order(&a, 1, LAC_POSITIONS, LAC_COORDINATES, parents, &r, &status);
    lac_test_fail_allocation_after(-1);
    done = status == 0;
    CHECK(done == (allowed >= 6) && (done || status == LAC_ERROR_MEMORY));
    lac_kernel_records_free(&r);
  }
  lac_tensor_free(&a);
}

/* ---- Coordinate lists --------------------------------------------------------------------- */

enum { LISTED = 3, LIST_PARENTS = 60 };
static const int64_t slots[LISTED] = {LAC_COORDINATES, LAC_COORDINATES, LAC_COORDINATES};

static void set_coordinate(lac_array *array, int64_t i, uint64_t x) {
  memcpy((char *)array->data + i * array->width, &x, (size_t)array->width);
}

static void make_lists(lac_tensor *a, int64_t bits, int64_t size) {
  char signature[100];
  int64_t sizes[] = {LIST_PARENTS, size, size, size}, end = 0;
  int32_t status = 0, width = (int32_t)bits / 8;
  snprintf(signature, sizeof signature,
           "f64 4 dense compressed:64:%d singleton:0:%d singleton:0:%d", (int)bits, (int)bits,
           (int)bits);
  CHECK(lac_kernel_setup(a, signature, sizes, sizes, &status));
  CHECK(lac_kernel_allocate(a, 1, LAC_POSITIONS, LIST_PARENTS + 1, &status));
  for (int64_t p = 0; p < LIST_PARENTS; p++) {
    end += p == 7 ? 3000 : (int64_t)random_number(p % 5 ? 200 : 1);
    ((int64_t *)a->levels[1].array[LAC_POSITIONS].data)[p + 1] = end;
  }
  CHECK(lac_kernel_allocate(a, -1, 0, end, &status));
  for (int64_t l = 1; l <= LISTED; l++) {
    CHECK(lac_kernel_allocate(a, l, LAC_COORDINATES, end, &status));
    CHECK(a->levels[l].array[LAC_COORDINATES].width == width);
    for (int64_t i = 0; i < end; i++)
      set_coordinate(&a->levels[l].array[LAC_COORDINATES], i,
                     random_number((uint64_t)size) >> (l < LISTED && i % 3 ? bits / 2 : 0));
  }
  for (int64_t i = 0; i < end; i++)
    ((double *)a->values.data)[i] = (double)i;
}

static int compare_entries(const lac_tensor *a, int64_t p, const lac_tensor *b, int64_t q) {
  for (int64_t l = 1; l <= LISTED; l++) {
    uint64_t x = element(&a->levels[l].array[LAC_COORDINATES], p);
    uint64_t y = element(&b->levels[l].array[LAC_COORDINATES], q);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

/* In order, equal entries as they came, each with the value that it had. */
static void lists_are_ordered_by_all_coordinates(void) {
  for (int64_t bits = 8; bits <= 64; bits *= 2)
    for (int small = 0; small < 2; small++) {
      lac_tensor a = {0}, before = {0};
      int32_t status = 0;
      bool expected = false;
      make_lists(&a, bits, small ? 3 : INT64_C(1) << (bits == 64 ? 60 : bits - 1));
      CHECK(lac_tensor_copy(&a, &before) == LAC_OK);
      bool repeats =
          lac_kernel_order_lists(&a, 1, LISTED, LAC_POSITIONS, slots, LIST_PARENTS, &status);
      const int64_t *ends = a.levels[1].array[LAC_POSITIONS].data;
      const double *values = a.values.data;
      for (int64_t p = 0; p < LIST_PARENTS; p++)
        for (int64_t i = ends[p]; i < ends[p + 1]; i++) {
          int64_t from = (int64_t)values[i];
          CHECK(from >= ends[p] && from < ends[p + 1] && !compare_entries(&a, i, &before, from));
          int order = i > ends[p] ? compare_entries(&a, i - 1, &a, i) : -1;
          CHECK(order < 0 || (order == 0 && values[i - 1] < values[i]));
          expected |= order == 0;
        }
      CHECK(status == 0 && repeats == expected && (!small || expected));
      CHECK(lac_kernel_order_lists(&a, 1, LISTED, LAC_POSITIONS, slots, LIST_PARENTS, &status) ==
            expected);
      lac_tensor_free(&a);
      lac_tensor_free(&before);
    }
}

static void lists_without_memory_stay(void) {
  for (int allowed = 0; allowed < 4; allowed++) {
    lac_tensor a = {0}, before = {0};
    int32_t status = 0;
    make_lists(&a, 16, 1000);
    CHECK(lac_tensor_copy(&a, &before) == LAC_OK);
    lac_test_fail_allocation_after(allowed);
    CHECK(!lac_kernel_order_lists(&a, 1, LISTED, LAC_POSITIONS, slots, LIST_PARENTS, &status) &&
          status == LAC_ERROR_MEMORY);
    lac_test_fail_allocation_after(-1);
    CHECK(memcmp(a.values.data, before.values.data, (size_t)(a.values.length * a.values.width)) ==
          0);
    lac_tensor_free(&a);
    lac_tensor_free(&before);
  }
}

int main(void) {
  lists_are_ordered_by_all_coordinates();
  lists_without_memory_stay();
  distinct_coordinates_do_not_repeat();
  no_parents_and_no_entries_are_fine();
  entries_are_ordered_with_their_values();
  parents_of_a_part_are_told_apart();
  memory_that_runs_out_is_a_status();
  return report();
}
