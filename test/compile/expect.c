// Compiled for tensors like those at hand: an outer product whose small result is met again and again
// is gathered in an array, any other recorded; and both give what the other gives.
// RUN: %cc %includes %s %lacuna -o %t
// RUN: %t | FileCheck %s
#include "lacuna.h"

#include <stdio.h>
#include <string.h>

#define CSC "#tin.format<(i, j) -> (j : dense, i : compressed)>"
#define CSR "#tin.format<(i, j) -> (i : dense, j : compressed)>"

static const char program[] =
    "func.func @outer(%B: tensor<?x?xf64, " CSC "> {tin.holds = array<i64: 1, 1, 1>}, "
    "%C: tensor<?x?xf64, " CSR ">) -> tensor<?x?xf64, " CSR "> {\n"
    "  %A = tin.einsum \"A(i,j) = B(i,k) * C(k,j)\" (%B, %C) {schedule = \"reorder(k,i,j)\"}\n"
    "     : (tensor<?x?xf64, " CSC ">, tensor<?x?xf64, " CSR ">) -> tensor<?x?xf64, " CSR ">\n"
    "  return %A : tensor<?x?xf64, " CSR ">\n"
    "}\n";

static void listen(void *data, const char *severity, const char *message) {
  (void)data;
  printf("%s: %s\n", severity, message);
}

enum { N = 4 };

/* A full matrix, by rows or by columns. */
static double values[N * N];
static int64_t positions[N + 1], coordinates[N * N];

static void make(lac_tensor *t) {
  for (int n = 0; n < N * N; n++) {
    positions[n / N + 1] = n - n % N + N;
    coordinates[n] = n % N;
    values[n] = n;
  }
  lac_lend_csr(t, LAC_F64, N, N, 64, positions, coordinates, values);
}

static void run(lacuna_compiler *c, MlirModule module, lac_tensor *operand) {
  lac_tensor A = {0};
  lacuna_kernel *k = lacuna_compile(c, module, NULL);
  int32_t status = k ? lacuna_call(k, "outer", (void *[]){&A, operand, operand}) : -1;
  const double *computed = A.values.data;
  if (status == LAC_OK)
    printf("%lld values, the last %g\n", (long long)A.values.length, computed[A.values.length - 1]);
  else
    printf("%s\n", k ? lac_error_message() : lacuna_error(c));
  lac_tensor_free(&A);
  lacuna_kernel_free(k);
}

static void print_text(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stdout);
}

/* Where few have entries, of four rows or columns: told as well. */
static void expect_few(lacuna_compiler *c, MlirModule module, int64_t *ends, int64_t *columns) {
  lac_tensor few = {0};
  lac_lend_csr(&few, LAC_F64, N, N, 64, ends, columns, values);
  printf("expected: %d\n", lacuna_expect(c, module, "outer", (const lac_tensor *[]){&few, &few}));
  mlirOperationPrint(mlirModuleGetOperation(module), print_text, NULL);
  lac_tensor_free(&few);
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  MlirModule module =
      mlirModuleCreateParse(lacuna_context(c), mlirStringRefCreate(program, strlen(program)));
  lac_tensor full = {0};
  make(&full);
  lacuna_listen(c, listen, NULL);
  // CHECK: remark: recorded the entries of 'A'
  // CHECK-NEXT: 16 values, the last 404
  run(c, module, &full);
  // CHECK-NEXT: expected: 1
  // CHECK-NEXT: 16 values, the last 404
  const lac_tensor *operands[] = {&full, &full};
  printf("expected: %d\n", lacuna_expect(c, module, "outer", operands));
  run(c, module, &full);
  // CHECK-NEXT: expected: 1
  // CHECK: tin.holds = array<i64: 4, 4, 4, 0, 0, 0, 1>{{.*}}tin.holds = array<i64: 4, 4, 4, 0, 0, 1, 0>
  expect_few(c, module, (int64_t[]){0, 0, 0, 0, N}, coordinates);
  // CHECK: expected: 1
  // CHECK: tin.holds = array<i64: 4, 4, 4, 0, 0, 1, 0>{{.*}}tin.holds = array<i64: 4, 4, 4, 0, 0, 0, 1>
  expect_few(c, module, (int64_t[]){0, 1, 2, 3, N}, (int64_t[N]){0});
  lac_tensor_free(&full);
  mlirModuleDestroy(module);
  lacuna_close(c);
  return 0;
}
