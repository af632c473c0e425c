// Runs the kernels of levels.mlir on random matrices and compares with plain loops; then once more
// with every allocation failing in turn.
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

#include <stdlib.h>

typedef int32_t kernel(lac_tensor *result, const lac_tensor *a);
kernel to_dcsr, from_dcsr, to_coo, to_rows, to_nest, column_sums, column_minima;

enum { LONGEST = 1 << 16 };

/* A matrix in CSR with a dense copy: absent[i] rows have no entries. */
typedef struct matrix {
  int64_t rows, columns;
  lac_tensor stored;
  double *dense;
} matrix;

static matrix make(int64_t rows, int64_t columns, int percent) {
  matrix a = {rows, columns, {0}, calloc((size_t)(rows * columns + 1), sizeof(double))};
  int64_t sizes[] = {rows, columns}, count = 0;
  int32_t status = 0;
  CHECK(lac_kernel_setup(&a.stored, "f64 2 dense compressed:64:64", sizes, sizes, &status));
  CHECK(lac_kernel_allocate(&a.stored, 1, 0, rows + 1, &status));
  CHECK(lac_kernel_allocate(&a.stored, 1, 1, rows * columns, &status));
  CHECK(lac_kernel_allocate(&a.stored, -1, 0, rows * columns, &status));
  int64_t *pos = a.stored.levels[1].array[0].data, *crd = a.stored.levels[1].array[1].data;
  for (int64_t i = 0; i < rows; i++) {
    bool empty = random_number(3) == 0;
    for (int64_t j = 0; j < columns; j++)
      if (!empty && random_number(100) < (uint64_t)percent) {
        crd[count] = j;
        a.dense[i * columns + j] = ((double *)a.stored.values.data)[count] =
            1 + (double)random_number(900);
        count++;
      }
    pos[i + 1] = count;
  }
  lac_kernel_trim(&a.stored, 1, 1, count);
  lac_kernel_trim(&a.stored, -1, 0, count);
  return a;
}

static void drop(matrix *a) {
  lac_tensor_free(&a->stored);
  free(a->dense);
}

static int64_t element(const lac_array *array, int64_t i) {
  CHECK(i < array->length);
  switch (array->width) {
  case 1:
    return ((uint8_t *)array->data)[i];
  case 2:
    return ((uint16_t *)array->data)[i];
  case 4:
    return ((uint32_t *)array->data)[i];
  default:
    return ((int64_t *)array->data)[i];
  }
}

static int64_t position(const lac_tensor *t, int level, int64_t i) {
  return element(&t->levels[level].array[LAC_POSITIONS], i);
}

static int64_t coordinate(const lac_tensor *t, int level, int64_t i) {
  return element(&t->levels[level].array[LAC_COORDINATES], i);
}

static double value(const lac_tensor *t, int64_t i) {
  CHECK(i < t->values.length);
  return ((double *)t->values.data)[i];
}

static bool has_entries(const matrix *a, int64_t i) {
  for (int64_t j = 0; j < a->columns; j++)
    if (a->dense[i * a->columns + j] != 0)
      return true;
  return false;
}

/* ---- What results must be ----------------------------------------------------------------- */

/* Checks that children of one parent from `q`, in the last level, are the entries of row i; returns
 * where they end. */
static int64_t check_row(const matrix *a, const lac_tensor *t, int64_t i, int64_t q) {
  int last = (int)t->level_count - 1;
  for (int64_t j = 0; j < a->columns; j++)
    if (a->dense[i * a->columns + j] != 0) {
      CHECK(coordinate(t, last, q) == j && value(t, q) == a->dense[i * a->columns + j]);
      q++;
    }
  return q;
}

static void check_dcsr(const matrix *a, const lac_tensor *t) {
  int64_t p = 0, q = 0;
  for (int64_t i = 0; i < a->rows; i++)
    if (has_entries(a, i)) {
      CHECK(coordinate(t, 0, p) == i && position(t, 1, p) == q);
      q = check_row(a, t, i, q);
      p++;
    }
  CHECK(position(t, 0, 0) == 0 && position(t, 0, 1) == p && position(t, 1, p) == q);
  CHECK(t->values.length == q && t->levels[0].array[1].length == p);
}

static void check_csr(const matrix *a, const lac_tensor *t) {
  int64_t q = 0;
  for (int64_t i = 0; i < a->rows; i++) {
    CHECK(position(t, 1, i) == q);
    q = check_row(a, t, i, q);
  }
  CHECK(position(t, 1, a->rows) == q && t->levels[1].array[0].length == a->rows + 1);
  CHECK(t->levels[1].array[1].length == q && t->values.length == q);
}

static void check_coo(const matrix *a, const lac_tensor *t) {
  int64_t q = 0;
  for (int64_t i = 0; i < a->rows; i++) {
    int64_t end = check_row(a, t, i, q);
    for (; q < end; q++)
      CHECK(coordinate(t, 0, q) == i);
  }
  CHECK(position(t, 0, 1) == q && t->values.length == q);
}

static void check_rows(const matrix *a, const lac_tensor *t) {
  int64_t p = 0;
  for (int64_t i = 0; i < a->rows; i++) {
    if (!has_entries(a, i))
      continue;
    bool first = true;
    for (int64_t j = 0; j < a->columns; j++) {
      double stored = a->dense[i * a->columns + j];
      CHECK(value(t, p * a->columns + j) == (stored != 0 && first ? stored : 7));
      first &= stored == 0;
    }
    CHECK(coordinate(t, 0, p++) == i);
  }
  CHECK(t->values.length == p * a->columns);
}

static void check_nest(const matrix *a, const lac_tensor *t) {
  int64_t q = 0;
  for (int64_t i = 0; i < a->rows; i++) {
    CHECK(coordinate(t, 0, i) == i && position(t, 2, 3 * i) == q && position(t, 2, 3 * i + 1) == q);
    q = check_row(a, t, i, q);
    CHECK(position(t, 2, 3 * i + 2) == q && position(t, 2, 3 * i + 3) == q);
  }
  CHECK(position(t, 0, 1) == a->rows && t->levels[2].array[0].length == 3 * a->rows + 1);
  CHECK(t->values.length == q);
}

static void check_sums(const matrix *a, const lac_tensor *t) {
  int64_t q = 0;
  for (int64_t k = 0; k < 2; k++) {
    CHECK(position(t, 1, k) == q);
    for (int64_t j = 0; j < a->columns; j++) {
      double sum = 0;
      for (int64_t i = 0; i < a->rows >> k; i++)
        sum += a->dense[i * a->columns + j];
      if (sum == 0)
        continue;
      CHECK(coordinate(t, 1, q) == j && value(t, q) == sum);
      q++;
    }
  }
  CHECK(position(t, 1, 2) == q && t->values.length == q);
}

static void check_minima(const matrix *a, const lac_tensor *t) {
  for (int64_t j = 0; j < a->columns; j++) {
    double least = 1000;
    for (int64_t i = 0; i < a->rows; i++) {
      double stored = a->dense[i * a->columns + j];
      least = stored != 0 && stored < least ? stored : least;
    }
    CHECK(value(t, j) == least);
  }
}

/* ---- Running ------------------------------------------------------------------------------ */

typedef struct trial {
  kernel *run;
  void (*check)(const matrix *a, const lac_tensor *t);
} trial;
static const trial trials[] = {{to_dcsr, check_dcsr},     {to_coo, check_coo},
                               {to_rows, check_rows},     {to_nest, check_nest},
                               {column_sums, check_sums}, {column_minima, check_minima}};

static void run_all(const matrix *a) {
  for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
    lac_tensor result = {0};
    int32_t status = trials[i].run(&result, &a->stored);
    CHECK(status == LAC_OK);
    if (status == LAC_OK)
      trials[i].check(a, &result);
    lac_tensor_free(&result);
  }
}

/* Whatever allocation fails, the kernel says so, and the next run is right. */
static void run_without_memory(const matrix *a) {
  for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
    int32_t status = LAC_ERROR_MEMORY;
    for (int64_t after = 0; status != LAC_OK && after < 1000; after++) {
      lac_tensor result = {0};
      lac_test_fail_allocation_after(after);
      status = trials[i].run(&result, &a->stored);
      lac_test_fail_allocation_after(-1);
      CHECK(status == LAC_OK || status == LAC_ERROR_MEMORY);
      if (status == LAC_OK)
        trials[i].check(a, &result);
      lac_tensor_free(&result);
    }
    CHECK(status == LAC_OK);
  }
}

/* Positions of 8 bits hold up to 255 entries. */
static void round_trip(const matrix *a) {
  lac_tensor between = {0}, back = {0};
  CHECK(to_dcsr(&between, &a->stored) == LAC_OK);
  int32_t status = from_dcsr(&back, &between);
  if (a->stored.values.length < 256) {
    CHECK(status == LAC_OK);
    check_csr(a, &back);
  } else {
    CHECK(status == LAC_ERROR_OVERFLOW);
    CHECK_MESSAGE("level 1");
  }
  lac_tensor_free(&between);
  lac_tensor_free(&back);
}

static void too_many_columns(void) {
  lac_tensor result = {0};
  matrix a = make(1, LONGEST + 1, 0);
  CHECK(to_dcsr(&result, &a.stored) == LAC_ERROR_OVERFLOW);
  CHECK(column_sums(&result, &a.stored) == LAC_OK);
  lac_tensor_free(&result);
  drop(&a);
}

int main(void) {
  static const struct {
    int64_t rows, columns;
    int percent;
  } shapes[] = {{0, 0, 0},   {0, 3, 50},   {3, 0, 50},     {1, 1, 100},   {5, 4, 40},
                {20, 9, 50}, {40, 70, 30}, {3, 20000, 20}, {300, 100, 2}, {900, 64, 50}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    matrix a = make(shapes[k].rows, shapes[k].columns, shapes[k].percent);
    run_all(&a);
    round_trip(&a);
    run_without_memory(&a);
    drop(&a);
  }
  too_many_columns();
  return report();
}
