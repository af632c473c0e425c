// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-vectorize --split-input-file | FileCheck %s

// The columns of a dense operand run on lanes, around the walk of a row.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: func.func @spmm
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %k on cpu_vector no_races {
// CHECK-NEXT: cin.forall %j {
func.func @spmm(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "C(i,k) = A(i,j) * B(j,k)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// Around both reductions.
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
// CHECK-LABEL: func.func @mttkrp
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %r on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK-NEXT: cin.forall %l {
func.func @mttkrp(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "A(i,r) = B(i,k,l) * C(l,r) * D(k,r)" (%B, %C, %D) : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// No reduction around, a sparse innermost walk, duplicates, complex numbers: left alone.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
// CHECK-LABEL: func.func @none
// CHECK-NOT: cpu_vector
func.func @none(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %L: tensor<?x?xf64, #COO>, %Z: tensor<?x?xcomplex<f64>>)
    -> (tensor<?x?xf64>, tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xcomplex<f64>>) {
  %0 = tin.einsum "C(i,j) = B(i,j) + B(i,j)" (%B) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = tin.einsum "C(i,k) = A(i,j) * A(j,k)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  %2 = tin.einsum "C(i,k) = L(i,j) * B(j,k)" (%L, %B) : (tensor<?x?xf64, #COO>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %3 = tin.einsum "C(i,k) = Z(i,j) * Z(j,k)" (%Z) : (tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  return %0, %1, %2, %3 : tensor<?x?xf64>, tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xcomplex<f64>>
}

// -----

// What a consumer does runs around none of its reductions alone: the producer would stay behind.
// CHECK-LABEL: func.func @consumer
// CHECK-NOT: cpu_vector
func.func @consumer(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "R(i,l) = (A(i,j) * B(j,m) - 0.5) * D(j,l)" (%A, %B, %D)
     : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
