// RUN: sparse-opt %s --tin-expand-einsum --mlir-print-debuginfo | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-choose-assembly --sparsify -verify-diagnostics -o /dev/null
// What a statement's text becomes knows its column, and errors of later passes say it.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK: ^bb0(%{{.*}}: i32 loc("column 14 of the expression"({{.*}})), %{{.*}}: i32 loc("column 23 of the expression"
// CHECK: arith.muli {{.*}} loc([[PRODUCT:#loc[0-9]+]])
// CHECK: arith.divsi {{.*}} loc([[QUOTIENT:#loc[0-9]+]])
// CHECK: [[PRODUCT]] = loc("column 12 of the expression"(
// CHECK: [[QUOTIENT]] = loc("column 21 of the expression"(
func.func @f(%A: tensor<?x?xi32, #CSR>, %B: tensor<?x?xi32, #CSR>) -> tensor<?x?xi32, #CSR> {
  // expected-error @below {{column 21 of the expression: expected a divisor that is stored wherever the quotient is computed}}
  %C = tin.einsum "C(i,j) = 3 * A(i,j) / B(i,j)" (%A, %B) : (tensor<?x?xi32, #CSR>, tensor<?x?xi32, #CSR>) -> tensor<?x?xi32, #CSR>
  return %C : tensor<?x?xi32, #CSR>
}
