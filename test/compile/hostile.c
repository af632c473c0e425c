// Operands from elsewhere that are not what they say: what shows without walking them is refused by
// the call, the rest by lacuna_check.
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env LACUNA_CACHE=off %t | FileCheck %s
#include "lacuna.h"

#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>

static const char spmv[] =
    "#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>\n"
    "func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %y = tin.einsum \"y(i) = A(i,j) * x(j)\" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) "
    "-> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

/* The same of a matrix whose rows are told, and a vector whose size is. */
static const char sized[] =
    "#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>\n"
    "func.func @spmv(%A: tensor<3x?xf64, #CSR>, %x: tensor<4xf64>) -> tensor<?xf64> {\n"
    "  %y = tin.einsum \"y(i) = A(i,j) * x(j)\" (%A, %x) : (tensor<3x?xf64, #CSR>, tensor<4xf64>) "
    "-> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

enum { ROWS = 3, COLUMNS = 4, ENTRIES = 4 };

/* A matrix whose arrays are its own members, and a vector beside it. */
typedef struct operands {
  int64_t positions[ROWS + 1], coordinates[ENTRIES], shape[2], size[1];
  double values[ENTRIES], vector[COLUMNS];
  lac_level levels[2], vector_level[1];
  lac_tensor A, x;
} operands;

static void make(operands *o) {
  *o = (operands){
      .positions = {0, 2, 2, 4},
      .coordinates = {0, 2, 1, 3},
      .shape = {ROWS, COLUMNS},
      .size = {COLUMNS},
      .values = {1, 2, 3, 4},
      .vector = {1, 10, 100, 1000},
      .levels = {{.kind = "dense", .size = ROWS}, {.kind = "compressed", .size = COLUMNS}},
      .vector_level = {{.kind = "dense", .size = COLUMNS}}};
  o->levels[1].array[LAC_POSITIONS] = lac_array_lend(o->positions, ROWS + 1, 8);
  o->levels[1].array[LAC_COORDINATES] = lac_array_lend(o->coordinates, ENTRIES, 8);
  o->A = (lac_tensor){.order = 2,
                      .level_count = 2,
                      .dimensions = o->shape,
                      .levels = o->levels,
                      .values = lac_array_lend(o->values, ENTRIES, 8),
                      .type = LAC_F64};
  o->x = (lac_tensor){.order = 1,
                      .level_count = 1,
                      .dimensions = o->size,
                      .levels = o->vector_level,
                      .values = lac_array_lend(o->vector, COLUMNS, 8),
                      .type = LAC_F64};
}

static void call(lacuna_kernel *k, operands *o) {
  lac_tensor y = {0};
  void *arguments[] = {&y, &o->A, &o->x};
  int32_t status = lacuna_call(k, "spmv", arguments);
  printf("call: %d: %s\n", status, status ? lac_error_message() : "done");
  if (!status)
    printf("y = %g %g %g\n", ((double *)y.values.data)[0], ((double *)y.values.data)[1],
           ((double *)y.values.data)[2]);
  lac_tensor_free(&y);
}

static void check(const operands *o, MlirType type) {
  int32_t status = lacuna_check(&o->A, type, "A");
  printf("check: %d: %s\n", status, status ? lac_error_message() : "sound");
}

static void refused_by_the_call(lacuna_kernel *k) {
  operands o;
  make(&o);
  // CHECK: call: 0: done
  // CHECK-NEXT: y = 201 0 4030
  call(k, &o);
  // CHECK-NEXT: call: 4: A: level 1 (compressed): expected 5 coordinates, found 4
  o.positions[ROWS] = 5;
  call(k, &o);
  // CHECK-NEXT: call: 4: A: level 1 (compressed): expected 0 or more as the last position, found -1
  o.positions[ROWS] = -1;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: level 1 (compressed): expected 4 positions, found 3
  o.levels[1].array[LAC_POSITIONS].length = ROWS;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: level 1 (compressed): expected {{.*}}found
  o.levels[1].array[LAC_COORDINATES].data = NULL;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: expected 4 values, found 3
  o.A.values.length = 3;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: expected a tensor stored as '{{.*}}', found '{{.*}}compressed:64:32'
  o.levels[1].array[LAC_COORDINATES].width = 4;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: expected 2 dimensions, found NULL
  o.A.dimensions = NULL;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: dimension 1: expected a size from 0 to 2^60, found -4
  o.shape[1] = -4;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: level 0: expected a size of 0 or more, found -3
  o.levels[0].size = -3;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: expected values of 8 bytes (f64), found 4
  o.A.values.width = 4;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 2: index variable j: expected size 4, found 3
  o.size[0] = o.vector_level[0].size = 3;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: x: level 0 (dense): expected the size 4 of dimension 0, found 2
  o.vector_level[0].size = 2;
  call(k, &o);
  make(&o);
  // CHECK-NEXT: call: 4: A: level 1 (compressed): expected the size 4 of dimension 1, found 9
  o.levels[1].size = 9;
  call(k, &o);
}

static void refused_by_the_check(MlirType type) {
  operands o;
  make(&o);
  // CHECK-NEXT: check: 0: sound
  check(&o, type);
  // CHECK-NEXT: check: 4: A: level 1 (compressed): expected positions that do not decrease, found 1 at 2
  o.positions[2] = 1;
  check(&o, type);
  // CHECK-NEXT: check: 4: A: level 1 (compressed): expected positions that {{.*}}, found -9
  o.positions[1] = -9;
  check(&o, type);
  make(&o);
  // CHECK-NEXT: check: 4: A: level 1 (compressed): expected coordinates from 0 to 3, found 4 at position 3
  o.coordinates[3] = 4;
  check(&o, type);
  // CHECK-NEXT: check: 4: A: level 1 (compressed): expected coordinates from 0 to 3, found -1 at position 0
  o.coordinates[0] = -1;
  check(&o, type);
  make(&o);
  // CHECK-NEXT: check: 4: A: level 1 (compressed): expected ascending coordinates, found 0 after 2 at position 1
  o.coordinates[0] = 2;
  o.coordinates[1] = 0;
  check(&o, type);
  make(&o);
  // CHECK-NEXT: check: 4: A: level 1 (compressed): expected the size 4 of dimension 1, found 9
  o.levels[1].size = 9;
  check(&o, type);
  make(&o);
  // CHECK-NEXT: check: 4: A: expected a tensor stored as 'f64 2 dense compressed:64:64', found 'f32
  o.A.type = LAC_F32;
  check(&o, type);
}

/* A shape that is sound in itself, and another than the type's: two rows, or five columns. */
static void refused_by_shape(lacuna_kernel *k, MlirType type) {
  operands o;
  make(&o);
  // CHECK-NEXT: call: 0: done
  // CHECK-NEXT: y = 201 0 4030
  call(k, &o);
  // CHECK-NEXT: call: 2: A: expected the shape 3x?, found 2x4
  // CHECK-NEXT: check: 2: A: expected the shape 3x?, found 2x4
  o.shape[0] = o.levels[0].size = 2;
  o.levels[1].array[LAC_POSITIONS].length = 3;
  o.levels[1].array[LAC_COORDINATES].length = o.A.values.length = 2;
  call(k, &o);
  check(&o, type);
  make(&o);
  // CHECK-NEXT: call: 2: x: expected the shape 4, found 3
  o.size[0] = o.vector_level[0].size = 3;
  call(k, &o);
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  lacuna_options options = lacuna_options_default();
  MlirAttribute csr = lacuna_format(c, "csr", 2);
  MlirType element = mlirF64TypeGet(lacuna_context(c));
  lacuna_kernel *k = lacuna_compile_text(c, spmv, "spmv", &options);
  if (!k)
    return 1;
  refused_by_the_call(k);
  refused_by_the_check(lacuna_tensor_type(2, NULL, element, csr));
  lacuna_kernel_free(k);
  k = lacuna_compile_text(c, sized, "spmv", &options);
  if (!k)
    return 1;
  refused_by_shape(k, lacuna_tensor_type(2, (int64_t[]){ROWS, -1}, element, csr));
  // CHECK-NEXT: no type
  puts(lacuna_tensor_type(3, NULL, element, csr).ptr ? "a type" : "no type");
  lacuna_kernel_free(k);
  lacuna_close(c);
  return 0;
}
