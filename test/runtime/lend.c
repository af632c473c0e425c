// Tensors from a program's own arrays: where the arrays are, what is checked, who frees what.
// RUN: %cc %s %runtime -I%root/test/runtime -o %t
// RUN: %t
#include "check.h"

#include "lac_coo.h"
#include "lac_lend.h"

#include <stdlib.h>

static int32_t positions[] = {0, 2, 3, 5}, columns[] = {0, 2, 1, 0, 3}, rows[] = {0, 0, 1, 2, 2};
static double values[] = {1, 2, 3, 4, 5};
static const int64_t shape[] = {3, 4};

static void refused(int32_t status, const lac_tensor *tensor, const char *message) {
  CHECK(status == LAC_ERROR_FORMAT);
  CHECK_MESSAGE(message);
  CHECK(!tensor || (!tensor->dimensions && !tensor->levels && !tensor->values.data));
}

static void lends(void) {
  lac_tensor A = {0}, x = {0}, C = {0}, s = {0}, copy = {0};
  void *coordinates[] = {rows, columns};
  CHECK(lac_lend_csr(&A, LAC_F64, 3, 4, 32, positions, columns, values) == LAC_OK);
  CHECK(A.values.data == values && A.values.length == 5 && !A.values.owned);
  CHECK(A.levels[1].array[LAC_POSITIONS].data == positions && A.dimensions[1] == 4);
  CHECK(lac_tensor_copy(&A, &copy) == LAC_OK && copy.values.data != values);
  CHECK(lac_lend_dense(&x, LAC_F64, 2, (int64_t[]){1, 5}, values) == LAC_OK);
  CHECK(x.values.length == 5 && x.order == 2);
  CHECK(lac_lend_dense(&s, LAC_F64, 0, NULL, values) == LAC_OK && s.values.length == 1);
  CHECK(lac_lend_coo(&C, LAC_F64, 2, shape, 5, 32, coordinates, values) == LAC_OK);
  CHECK(lac_coo_expect(&C) == LAC_OK && lac_coo_count(&C) == 5);
  CHECK(C.levels[0].array[LAC_COORDINATES].data == rows);
  lac_tensor_free(&A);
  lac_tensor_free(&x);
  lac_tensor_free(&s);
  lac_tensor_free(&C);
  lac_tensor_free(&copy);
  CHECK(values[4] == 5 && columns[4] == 3);
  CHECK(lac_lend_dense(&x, LAC_F64, 1, (int64_t[]){0}, NULL) == LAC_OK);
  lac_tensor_free(&x);
  CHECK(lac_lend_csr(&A, LAC_F64, 0, 0, 32, positions, NULL, NULL) == LAC_OK);
  lac_tensor_free(&A);
}

static void sorts_a_copy(void) {
  lac_tensor C = {0};
  int16_t i[] = {2, 0, 1, 0}, j[] = {0, 3, 1, 0};
  float v[] = {1, 2, 3, 4};
  void *coordinates[] = {i, j};
  CHECK(lac_copy_coo(&C, LAC_F32, 2, shape, 4, 16, coordinates, v) == LAC_OK);
  const float *sorted = C.values.data;
  CHECK(sorted[0] == 4 && sorted[1] == 2 && sorted[2] == 3 && sorted[3] == 1);
  CHECK(lac_array_get(&C.levels[0].array[LAC_COORDINATES], 3) == 2 && v[0] == 1 && i[0] == 2);
  lac_tensor_free(&C);
  refused(lac_lend_coo(&C, LAC_F32, 2, shape, 4, 16, coordinates, v), &C, "ascending coordinates");
  j[3] = 3;
  refused(lac_copy_coo(&C, LAC_F32, 2, shape, 4, 16, coordinates, v), &C, "ascending coordinates");
  j[3] = 9;
  refused(lac_copy_coo(&C, LAC_F32, 2, shape, 4, 16, coordinates, v), &C, "from 0 to 3, found 9");
}

static void refuses(void) {
  lac_tensor A = {0};
  void *missing[] = {rows, NULL};
  int32_t falling[] = {0, 2, 1, 5}, far[] = {0, 2, 1, 0, 4};
  refused(lac_lend_csr(NULL, LAC_F64, 3, 4, 32, positions, columns, values), NULL, "NULL");
  refused(lac_lend_csr(&A, LAC_F64, 3, 4, 32, NULL, columns, values), &A, "positions, found NULL");
  refused(lac_lend_csr(&A, LAC_F64, 3, 4, 32, positions, NULL, values), &A, "no data");
  refused(lac_lend_csr(&A, LAC_F64, 3, 4, 32, positions, columns, NULL), &A, "5 values, found 0");
  refused(lac_lend_csr(&A, LAC_F64, 3, 4, 31, positions, columns, values), &A, "found 31");
  refused(lac_lend_csr(&A, LAC_F64, -3, 4, 32, positions, columns, values), &A, "found -3");
  refused(lac_lend_csr(&A, LAC_F64, INT64_MAX, 4, 32, positions, columns, values), &A,
          "fewer rows");
  refused(lac_lend_csr(&A, 99, 3, 4, 32, positions, columns, values), &A, "number 99");
  refused(lac_lend_csr(&A, LAC_F64, 3, 4, 32, falling, columns, values), &A, "do not decrease");
  refused(lac_lend_csr(&A, LAC_F64, 3, 4, 32, positions, far, values), &A, "from 0 to 3, found 4");
  refused(lac_lend_dense(&A, LAC_F64, 2, NULL, values), &A, "dimensions, found NULL");
  refused(lac_lend_dense(&A, LAC_F64, -1, shape, values), &A, "found -1");
  refused(lac_lend_dense(&A, LAC_F64, 2, shape, NULL), &A, "12 values, found 0");
  refused(lac_lend_dense(&A, LAC_F64, 2, (int64_t[]){INT64_MAX, 3}, values), &A, "63 bits");
  refused(lac_lend_coo(&A, LAC_F64, 0, NULL, 1, 32, missing, values), &A, "order 1 or more");
  refused(lac_lend_coo(&A, LAC_F64, 2, shape, 5, 32, NULL, values), &A, "coordinates, found NULL");
  refused(lac_lend_coo(&A, LAC_F64, 2, shape, 5, 32, missing, values), &A, "no data");
  refused(lac_lend_coo(&A, LAC_F64, 2, shape, -5, 32, missing, values), &A, "found -5");
  refused(lac_copy_coo(NULL, LAC_F64, 2, shape, 5, 32, missing, values), NULL, "NULL");
}

int main(void) {
  lends();
  sorts_a_copy();
  refuses();
  return failures != 0;
}
