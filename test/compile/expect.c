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

/* A full matrix as one list for each row, or column. */
typedef struct listed {
  lac_tensor tensor;
  int64_t dimensions[2], positions[5], coordinates[16];
  double values[16];
  lac_level levels[2];
} listed;

static lac_array lend(void *data, int64_t length) {
  return (lac_array){data, length, length, 8, 0};
}

static void make(listed *l) {
  *l = (listed){.dimensions = {4, 4}};
  for (int n = 0; n < 16; n++) {
    l->positions[n / 4 + 1] = n - n % 4 + 4;
    l->coordinates[n] = n % 4;
    l->values[n] = n;
  }
  l->levels[0] = (lac_level){.kind = "dense", .size = 4};
  l->levels[1] = (lac_level){.kind = "compressed", .size = 4};
  l->levels[1].array[LAC_POSITIONS] = lend(l->positions, 5);
  l->levels[1].array[LAC_COORDINATES] = lend(l->coordinates, 16);
  l->tensor = (lac_tensor){2, 2, l->dimensions, l->levels, lend(l->values, 16), LAC_F64, 0};
}

static void run(lacuna_compiler *c, MlirModule module, const listed *operand) {
  lac_tensor A = {0};
  lacuna_kernel *k = lacuna_compile(c, module, NULL);
  int32_t status =
      k ? lacuna_call(k, "outer",
                      (void *[]){&A, (void *)&operand->tensor, (void *)&operand->tensor})
        : -1;
  const double *values = A.values.data;
  if (status == LAC_OK)
    printf("%lld values, the last %g\n", (long long)A.values.length, values[A.values.length - 1]);
  else
    printf("%s\n", k ? lac_error_message() : lacuna_error(c));
  lac_tensor_free(&A);
  lacuna_kernel_free(k);
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  MlirModule module =
      mlirModuleCreateParse(lacuna_context(c), mlirStringRefCreate(program, strlen(program)));
  listed full;
  make(&full);
  lacuna_listen(c, listen, NULL);
  // CHECK: remark: recorded the entries of 'A'
  // CHECK-NEXT: 16 values, the last 404
  run(c, module, &full);
  // CHECK-NEXT: expected: 1
  // CHECK-NEXT: 16 values, the last 404
  const lac_tensor *operands[] = {&full.tensor, &full.tensor};
  printf("expected: %d\n", lacuna_expect(c, module, "outer", operands));
  run(c, module, &full);
  mlirModuleDestroy(module);
  lacuna_close(c);
  return 0;
}
