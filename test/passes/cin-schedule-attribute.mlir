// The commands that a statement says of itself are for it, or for what it has become, alone; those
// that are for all come after them.
// RUN: sparse-opt --tin-expand-einsum --tin-split-terms --tin-to-cin --cin-schedule='schedule=unroll(j,2)' %s | FileCheck %s
// RUN: sed 's/unroll(i1/unroll(k/' %s | not sparse-opt --tin-expand-einsum --tin-to-cin --cin-schedule 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sed 's/split(i,/splt(i,/' %s | not sparse-opt --tin-expand-einsum --tin-to-cin --cin-schedule 2>&1 | FileCheck %s --check-prefix=SYNTAX

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @f
// CHECK-NOT: schedule
// CHECK: cin.forall %i0 {
// CHECK-NEXT: cin.forall %i1 unroll 4 {
// CHECK-NEXT: cin.forall %j unroll 2 {
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %j unroll 2 {
// UNKNOWN: error: 'unroll(k,4)': no variable 'k' here: expected one of i, j, i0, i1
// SYNTAX: error: schedule: expected one of reorder, split, {{.*}} found 'splt'
func.func @f(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) {schedule = "split(i,i0,i1,32), unroll(i1,4)"}
     : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  %z = tin.einsum "z(i) = A(i,j) * y(j)" (%A, %y)
     : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
