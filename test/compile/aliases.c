// A result that is an operand too, that owns what an operand has borrowed, that is two results.
// RUN: rm -rf %t.d && mkdir %t.d && sed -n 's@^// MLIR: @@p' %s > %t.d/f.mlir
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env LACUNA_CACHE=off %t %t.d/f.mlir | FileCheck %s
// RUN: sparse-cc %t.d/f.mlir -c -o %t.d/f.o
// RUN: %cc %includes -DAHEAD %s %t.d/f.o %lacuna -o %t.ahead && %t.ahead | FileCheck %s
// RUN: sparse-cc %t.d/f.mlir --target gpu-emulated -c -o %t.d/g.o 2>/dev/null
// RUN: %cc %includes -DAHEAD %s %t.d/g.o %lacuna -o %t.device && %t.device | FileCheck %s
#include "lacuna.h"

#include <stdio.h>
#include <string.h>

// MLIR: #CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// MLIR: !m = tensor<?x?xf64, #CSR>
// MLIR: !v = tensor<?xf64>
// MLIR: func.func @spmv(%A: !m, %x: !v) -> !v {
// MLIR:   %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (!m, !v) -> !v
// MLIR:   return %y : !v
// MLIR: }
// MLIR: func.func @adds(%y: !v, %A: !m, %x: !v) -> !v {
// MLIR:   %z = tin.einsum "y(i) += A(i,j) * x(j)" (%y, %A, %x) : (!v, !m, !v) -> !v
// MLIR:   return %z : !v
// MLIR: }
// MLIR: func.func @square(%A: !m) -> !m {
// MLIR:   %B = tin.einsum "B(i,k) = A(i,j) * A(j,k)" (%A) : (!m) -> !m
// MLIR:   return %B : !m
// MLIR: }
// MLIR: func.func @both(%A: !m, %x: !v) -> (!v, !v) {
// MLIR:   %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (!m, !v) -> !v
// MLIR:   %z = tin.einsum "z(i) = y(i) + x(i)" (%y, %x) : (!v, !v) -> !v
// MLIR:   return %y, %z : !v, !v
// MLIR: }

#ifdef AHEAD
int32_t spmv(lac_tensor *, const lac_tensor *, const lac_tensor *);
int32_t adds(lac_tensor *, const lac_tensor *, const lac_tensor *, const lac_tensor *);
int32_t square(lac_tensor *, const lac_tensor *);
int32_t both(lac_tensor *, lac_tensor *, const lac_tensor *, const lac_tensor *);

static int32_t call(const char *name, void **t) {
  return !strcmp(name, "spmv")     ? spmv(t[0], t[1], t[2])
         : !strcmp(name, "adds")   ? adds(t[0], t[1], t[2], t[3])
         : !strcmp(name, "square") ? square(t[0], t[1])
                                   : both(t[0], t[1], t[2], t[3]);
}
#else
static lacuna_kernel *kernel;
static int32_t call(const char *name, void **tensors) {
  return lacuna_call(kernel, name, tensors);
}
#endif

static void run(const char *name, void **tensors) {
  int32_t status = call(name, tensors);
  printf("%s: %d%s%s\n", name, status, status ? ": " : "", status ? lac_error_message() : "");
}

static void print(const char *name, const lac_tensor *t) {
  printf("%s =", name);
  for (int64_t i = 0; i < t->values.length; i++)
    printf(" %g", ((double *)t->values.data)[i]);
  printf("\n");
}

/* 2 0 1 / 0 3 0 / 0 0 1 */
static int64_t shape[] = {3, 3}, positions[] = {0, 2, 3, 4}, coordinates[] = {0, 2, 1, 2};
static double values[] = {2, 1, 3, 1};

static lac_tensor matrix(lac_level *levels) {
  levels[0] = (lac_level){.kind = "dense", .size = 3};
  levels[1] = (lac_level){.kind = "compressed", .size = 3};
  levels[1].array[LAC_POSITIONS] = lac_array_lend(positions, 4, 8);
  levels[1].array[LAC_COORDINATES] = lac_array_lend(coordinates, 4, 8);
  return (lac_tensor){.order = 2,
                      .level_count = 2,
                      .dimensions = shape,
                      .levels = levels,
                      .values = lac_array_lend(values, 4, 8),
                      .type = LAC_F64};
}

static lac_tensor vector(lac_level *level, double *elements) {
  *level = (lac_level){.kind = "dense", .size = 3};
  return (lac_tensor){.order = 1,
                      .level_count = 1,
                      .dimensions = shape,
                      .levels = level,
                      .values = lac_array_lend(elements, 3, 8),
                      .type = LAC_F64};
}

static void operands(lac_tensor *A, lac_tensor x) {
  lac_tensor y = {0};
  // CHECK: spmv: 0
  // CHECK-NEXT: y = 3 3 1
  run("spmv", (void *[]){&y, A, &x});
  print("y", &y);
  // CHECK-NEXT: spmv: 0
  // CHECK-NEXT: y = 7 9 1
  run("spmv", (void *[]){&y, A, &y});
  print("y", &y);
  // CHECK-NEXT: adds: 0
  // CHECK-NEXT: y = 10 12 2
  run("adds", (void *[]){&y, &y, A, &x});
  print("y", &y);
  // CHECK-NEXT: adds: 0
  // CHECK-NEXT: y = 32 48 4
  run("adds", (void *[]){&y, &y, A, &y});
  print("y", &y);
  // CHECK-NEXT: both: 0
  // CHECK-NEXT: y = 100 192 8
  run("both", (void *[]){&x, &y, A, &y});
  print("y", &y);
  lac_tensor_free(&x);
  lac_tensor_free(&y);
}

static void lent(lac_tensor *A, lac_tensor x) {
  lac_level level;
  lac_tensor y = {0};
  // CHECK-NEXT: spmv: 0
  run("spmv", (void *[]){&y, A, &x});
  lac_tensor z = vector(&level, y.values.data);
  // CHECK-NEXT: spmv: 0
  // CHECK-NEXT: y = 7 9 1
  run("spmv", (void *[]){&y, A, &z});
  print("y", &y);
  // CHECK-NEXT: both: 4: expected a tensor for each result, found one for results 0 and 1
  // CHECK-NEXT: y = 7 9 1
  run("both", (void *[]){&y, &y, A, &x});
  print("y", &y);
  lac_tensor_free(&y);
}

static void sparse(const lac_tensor *A) {
  lac_tensor B = {0};
  // CHECK-NEXT: square: 0
  // CHECK-NEXT: B = 4 3 9 1
  run("square", (void *[]){&B, (void *)A});
  print("B", &B);
  // CHECK-NEXT: square: 0
  // CHECK-NEXT: B = 16 15 81 1
  run("square", (void *[]){&B, &B});
  print("B", &B);
  lac_tensor_free(&B);
}

int main(int count, char **arguments) {
  lac_level levels[2], level;
  double ones[] = {1, 1, 1};
  lac_tensor A = matrix(levels);
#ifndef AHEAD
  static char text[4096];
  lacuna_compiler *c = lacuna_open();
  lacuna_options options = lacuna_options_default();
  FILE *file = count > 1 ? fopen(arguments[1], "r") : NULL;
  if (!file || !fread(text, 1, sizeof text - 1, file))
    return 1;
  fclose(file);
  kernel = lacuna_compile_text(c, text, "aliases", &options);
  if (!kernel)
    return puts(lacuna_error(c)), 1;
#else
  (void)count;
  (void)arguments;
#endif
  operands(&A, vector(&level, ones));
  lent(&A, vector(&level, ones));
  sparse(&A);
#ifndef AHEAD
  lacuna_kernel_free(kernel);
  lacuna_close(c);
#endif
  return 0;
}
