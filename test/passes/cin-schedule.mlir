// RUN: sparse-opt --cin-schedule='schedule=split(i,i0,i1,32)' %s | FileCheck %s --check-prefix=SPLIT
// RUN: sparse-opt --cin-schedule='schedule=split(i,i0,i1,32);split(i1,i2,i3,4)' %s | FileCheck %s --check-prefix=NESTED
// RUN: sparse-opt --cin-schedule='schedule="split(i,i0,i1,32) parallelize(i0,CPUThread,NoRaces)"' %s | FileCheck %s --check-prefix=PARALLEL
// RUN: sparse-opt --cin-schedule='schedule="parallelize(i,cpu_thread,no_races), unroll(j, 4)"' %s | FileCheck %s --check-prefix=UNROLL
// RUN: sparse-opt --cin-schedule='schedule=' %s | FileCheck %s --check-prefix=NONE

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// NONE-LABEL: @spmv
// NONE: cin.forall %i {
// NONE-NEXT: cin.forall %j {

// SPLIT-LABEL: @spmv
// SPLIT:      %j = cin.index "j"
// SPLIT-NEXT: %i0, %i1 = cin.split %i by 32("i0", "i1")
// SPLIT-NEXT: cin.forall %i0 {
// SPLIT-NEXT:   cin.forall %i1 {
// SPLIT-NEXT:     cin.forall %j {
// SPLIT-NEXT:       cin.read %{{.*}}[%i, %j]
// SPLIT:            cin.assign %{{.*}}[%i] add

// NESTED-LABEL: @spmv
// NESTED:      %i0, %i1 = cin.split %i by 32("i0", "i1")
// NESTED-NEXT: %i2, %i3 = cin.split %i1 by 4("i2", "i3")
// NESTED-NEXT: cin.forall %i0 {
// NESTED-NEXT:   cin.forall %i2 {
// NESTED-NEXT:     cin.forall %i3 {
// NESTED-NEXT:       cin.forall %j {

// PARALLEL-LABEL: @spmv
// PARALLEL: cin.forall %i0 on cpu_thread no_races {
// PARALLEL-NEXT: cin.forall %i1 {

// UNROLL-LABEL: @spmv
// UNROLL: cin.forall %i on cpu_thread no_races {
// UNROLL-NEXT: cin.forall %j unroll 4 {
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
