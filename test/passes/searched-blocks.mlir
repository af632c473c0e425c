// RUN: sparse-opt %s --tin-expand-einsum --tin-convert-remapped --tin-insert-conversions --tin-to-cin -verify-diagnostics | FileCheck %s

// A compound subscript of an operand in blocks is a variable: its levels hold the blocks of that.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#BCSR = #tin.format<(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)>
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>

// CHECK-LABEL: @superdiagonal
// CHECK-NOT:   tin.convert
// CHECK:       %[[S:.*]] = cin.remap(%i) by #{{.*}}("i_moved") value
// CHECK:       cin.remap(%[[S]]) by #{{.*}}("i_moved_block")
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.read
func.func @superdiagonal(%A: tensor<?x?xf64, #BCSR>) -> tensor<5xf64> {
  %y = tin.einsum "y(i) = A(i,i+1)" (%A) : (tensor<?x?xf64, #BCSR>) -> tensor<5xf64>
  return %y : tensor<5xf64>
}

// CHECK-LABEL: @window
// CHECK-NOT:   tin.convert
// CHECK:       %[[S:.*]] = cin.remap({{.*}}) by #{{.*}}("j_plus_k") value
// CHECK:       %[[B:.*]] = cin.remap(%[[S]]) by #{{.*}}("j_plus_k_block")
// CHECK:       cin.forall %[[B]]
func.func @window(%A: tensor<?x?xf64, #BCSR>, %f: tensor<3xf64>, %g: tensor<4xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j+k) * f(k) * g(j)" (%A, %f, %g) : (tensor<?x?xf64, #BCSR>, tensor<3xf64>, tensor<4xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The rows of A are gone through, and blocks searched for what they have.
// CHECK-LABEL: @entries
// CHECK-NOT:   tin.convert
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %j {
func.func @entries(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #BCSR>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,j) = A(i,j) * B(i,j)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #BCSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// What is subtracted says what diagonals are counted from: i + 1 does not go as far as the rows.
// CHECK-LABEL: @subdiagonal
// CHECK:       tin.convert
func.func @subdiagonal(%A: tensor<?x?xf64, #DIA>) -> tensor<5xf64> {
  // expected-remark@+1 {{converted operand 'A' to (i, j) -> (i : compressed(nonunique), j : singleton), since no loops go through}}
  %y = tin.einsum "y(i) = A(i+1,i)" (%A) : (tensor<?x?xf64, #DIA>) -> tensor<5xf64>
  return %y : tensor<5xf64>
}
