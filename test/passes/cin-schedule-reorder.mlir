// RUN: sparse-opt --cin-schedule='schedule=reorder(k,j)' %s | FileCheck %s --check-prefix=SWAP
// RUN: sparse-opt --cin-schedule='schedule="parallelize(i,cpu_thread,no_races) unroll(j,2) reorder(i,k,j)"' %s | FileCheck %s --check-prefix=CARRY
// RUN: sparse-opt --cin-schedule='schedule="split(k,k0,k1,8) reorder(k0,j,k1) reorder(k0,i)"' %s | FileCheck %s --check-prefix=TILE
// RUN: sparse-opt --cin-schedule='schedule="split(k,k0,k1,8) reorder(j,k1,k0)"' %s | FileCheck %s --check-prefix=STRIDE

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// A nest takes any order that the levels of A allow; what a forall runs on goes with its variable.

// SWAP-LABEL: @spmm
// SWAP: cin.forall %i {
// SWAP-NEXT: cin.forall %k attributes {fixed} {
// SWAP-NEXT: cin.forall %j attributes {fixed} {

// CARRY-LABEL: @spmm
// CARRY: cin.forall %i on cpu_thread no_races attributes {fixed} {
// CARRY-NEXT: cin.forall %k attributes {fixed} {
// CARRY-NEXT: cin.forall %j unroll 2 attributes {fixed} {

// TILE-LABEL: @spmm
// TILE: cin.forall %k0 attributes {fixed} {
// TILE-NEXT: cin.forall %i attributes {fixed} {
// TILE-NEXT: cin.forall %j attributes {fixed} {
// TILE-NEXT: cin.forall %k1 attributes {fixed} {

// STRIDE-LABEL: @spmm
// STRIDE: cin.forall %i {
// STRIDE-NEXT: cin.forall %j attributes {fixed} {
// STRIDE-NEXT: cin.forall %k1 attributes {fixed} {
// STRIDE-NEXT: cin.forall %k0 attributes {fixed} {
func.func @spmm(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %b = cin.read %B[%j, %k] : tensor<?x?xf64>
          %p = arith.mulf %a, %b : f64
          cin.assign %C[%i, %k] add %p : tensor<?x?xf64>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}
