// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-schedule='schedule=reorder(i_plus_k,j_plus_l,k,l)' --cin-choose-assembly --cin-unroll --split-input-file | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-schedule='schedule=reorder(i_plus_k,j_plus_l,k,l)' --cin-choose-assembly --cin-unroll --sparsify --split-input-file | FileCheck %s --check-prefix=SIT
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-schedule='schedule="reorder(i_plus_k,j_plus_l,k,l) unroll(l,1)"' --cin-choose-assembly --cin-unroll --split-input-file | FileCheck %s --check-prefix=TOLD

// Taps inside of the nonzeros: as many as the type has.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DENSE = #tin.format<(i, j) -> (i : dense, j : dense)>
// CHECK-LABEL: func.func @taps
// CHECK: cin.forall %i_plus_k attributes
// CHECK-NEXT: cin.forall %j_plus_l attributes
// CHECK-NEXT: cin.forall %k unroll 3
// CHECK-NEXT: cin.forall %l unroll 3
// TOLD-LABEL: func.func @taps
// TOLD: cin.forall %k attributes
// TOLD-NEXT: cin.forall %l unroll 1
//
// All of them where the window is not cut off, and it is as wide as that.
// SIT-LABEL: func.func @taps
// SIT: sit.coiterate %X level 1
// SIT: %[[LOW:.*]] = arith.subi %i_plus_k
// SIT: %[[HIGH:.*]] = arith.addi %{{.*}}, %[[LOW]]
// SIT: arith.cmpi sle, %[[LOW]], %c0
// SIT: arith.cmpi sle, %c3{{.*}}, %[[HIGH]]
// SIT: scf.if
// SIT-NEXT: sit.coiterate over %c3{{.*}} named "k"
// SIT: scf.if
// SIT-NEXT: sit.coiterate over %c3{{.*}} named "l"
// SIT: else
// SIT-NEXT: sit.coiterate over %{{.*}} from %{{.*}} to %{{.*}} unroll 3 named "l"
// SIT: else
// SIT-NEXT: sit.coiterate over %{{.*}} from %{{.*}} to %{{.*}} unroll 3 named "k"
func.func @taps(%X: tensor<?x?xf64, #CSR>, %W: tensor<3x3xf64, #DENSE>) -> tensor<?x?xf64, #DENSE> {
  %0 = tin.einsum "Y(i,j) = X(i+k,j+l) * W(k,l)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<3x3xf64, #DENSE>) -> tensor<?x?xf64, #DENSE>
  return %0 : tensor<?x?xf64, #DENSE>
}

// -----

// As many as are said; of more than fit, the inner loop alone.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DENSE = #tin.format<(i, j) -> (i : dense, j : dense)>
// CHECK-LABEL: func.func @held
// CHECK: cin.forall %k attributes
// CHECK-NEXT: cin.forall %l unroll 5
// SIT-LABEL: func.func @held
// SIT: arith.cmpi eq, %{{.*}}, %c5
func.func @held(%X: tensor<?x?xf64, #CSR>, %W: tensor<?x?xf64, #DENSE> {tin.holds = array<i64: 25, 5, 5>}) -> tensor<?x?xf64, #DENSE> {
  %0 = tin.einsum "Y(i,j) = X(i+k,j+l) * W(k,l)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #DENSE>) -> tensor<?x?xf64, #DENSE>
  return %0 : tensor<?x?xf64, #DENSE>
}

// -----

// How many there are is not known; they are many; the filter is sparse, and its entries are walked.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DENSE = #tin.format<(i, j) -> (i : dense, j : dense)>
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: unroll
// CHECK-LABEL: func.func @many
// CHECK-NOT: unroll
// CHECK-LABEL: func.func @sparse
// CHECK-NOT: unroll
func.func @unknown(%X: tensor<?x?xf64, #CSR>, %W: tensor<?x?xf64, #DENSE>) -> tensor<?x?xf64, #DENSE> {
  %0 = tin.einsum "Y(i,j) = X(i+k,j+l) * W(k,l)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #DENSE>) -> tensor<?x?xf64, #DENSE>
  return %0 : tensor<?x?xf64, #DENSE>
}
func.func @many(%X: tensor<?x?xf64, #CSR>, %W: tensor<40x40xf64, #DENSE>) -> tensor<?x?xf64, #DENSE> {
  %0 = tin.einsum "Y(i,j) = X(i+k,j+l) * W(k,l)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<40x40xf64, #DENSE>) -> tensor<?x?xf64, #DENSE>
  return %0 : tensor<?x?xf64, #DENSE>
}
func.func @sparse(%X: tensor<?x?xf64, #CSR>, %W: tensor<3x3xf64, #CSR>) -> tensor<?x?xf64, #DENSE> {
  %0 = tin.einsum "Y(i,j) = X(i+k,j+l) * W(k,l)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<3x3xf64, #CSR>) -> tensor<?x?xf64, #DENSE>
  return %0 : tensor<?x?xf64, #DENSE>
}
