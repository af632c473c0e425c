// The module of an expression: operands that are read and stored alike are packed by one kernel.
// RUN: %cc -D_GNU_SOURCE -I%root/tools/driver %includes %s %root/tools/driver/statement_spec.c -o %t
// RUN: %t | FileCheck %s
// RUN: %t | sparse-opt --sparse-cpu | FileCheck %s --check-prefix=CODE
#include "statement_spec.h"

#include <stdio.h>
#include <stdlib.h>

#define CSR "#tin.format<(i, j) -> (i : dense, j : compressed)>"
#define CSC "#tin.format<(i, j) -> (j : dense, i : compressed)>"
#define COO "#tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>"

// CHECK-LABEL: func.func @pack_0(
// CHECK-NEXT:    tin.convert
// CHECK-LABEL: func.func @pack_1(
// CHECK-NEXT:    call @pack_0(
// CHECK-LABEL: func.func @pack_2(
// CHECK-NEXT:    tin.convert
// CHECK-LABEL: func.func @pack_3(
// CHECK-NEXT:    tin.convert
// CHECK-LABEL: func.func @pack_4(
// CHECK-NEXT:    call @pack_2(
//
// CODE-DAG:     llvm.func internal @pack_0_kernel
// CODE-DAG:     llvm.func internal @pack_2_kernel
// CODE-DAG:     llvm.func internal @pack_3_kernel
// CODE-NOT:     @pack_1_kernel
// CODE-NOT:     @pack_4_kernel
int main(void) {
  int64_t sizes[] = {4, -1};
  statement_tensor operands[] = {{"A", 2, CSR, COO, LAC_F64, NULL, NULL},
                                 {"B", 2, CSR, COO, LAC_F64, NULL, NULL},
                                 {"C", 2, CSC, COO, LAC_F64, NULL, NULL},
                                 {"D", 2, CSC, COO, LAC_F64, sizes, NULL},
                                 {"E", 2, CSC, COO, LAC_F64, NULL, NULL}};
  statement_spec s = {.expression = "R(i,j) = A(i,j) + B(i,j) + C(i,j) + D(i,j) + E(i,j)",
                      .operand_count = 5,
                      .operands = operands,
                      .result = {"R", 2, CSR, NULL, LAC_F64, NULL, NULL}};
  char *text = statement_text(&s, true);
  fputs(text, stdout);
  free(text);
  return 0;
}
