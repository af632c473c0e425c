// A counter has a loop of its own, which reduces: what it says is where an entry stands.
// RUN: sparse-opt %s --tin-expand-einsum --tin-convert-remapped --tin-insert-conversions --tin-lower-conversions --tin-to-cin | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-convert-remapped --tin-insert-conversions --tin-lower-conversions --tin-to-cin --cin-insert-workspaces --cin-choose-assembly --sparsify | FileCheck %s --check-prefix=SIT
// RUN: sed 's/padded/dense/' %s | not sparse-opt 2>&1 --tin-expand-einsum --tin-convert-remapped | FileCheck %s --check-prefix=FULL

// FULL: error: expected level formats that store which coordinates there are from level 0, a counter, on, found level 2 (dense)

#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
#SELL = #tin.format<(i, j) -> (i floordiv 4 : dense, #i : sliced, i mod 4 : dense, j : padded)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#LIST = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))>

// Rows outside, so that each sum is done before the next.
// CHECK-LABEL: @spmv
// CHECK:      %[[N:.*]] = cin.remap(%i) by #{{.*}}("i_slot")
// CHECK:      cin.forall %i {
// CHECK-NEXT:   cin.forall %[[N]] {
// CHECK-NEXT:     cin.forall %j {
// SIT-LABEL: @spmv
// SIT:      sit.coiterate over
// SIT:        sit.coiterate %A level 0
// SIT:          sit.locate %A level 1
// SIT:          sit.coiterate %A level 2 under
func.func @spmv(%A: tensor<?x?xf64, #ELL>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #ELL>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
// CHECK-LABEL: @slices
// CHECK:      cin.forall %i_block {
// CHECK-DAG:    cin.forall %i_in {
// CHECK-DAG:    cin.forall %i_slot {
// CHECK:          cin.forall %j {
func.func @slices(%A: tensor<?x?xf64, #SELL>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #SELL>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
// CHECK-LABEL: @list
// CHECK-COUNT-3: cin.forall
// CHECK:      cin.assign %B[%i, %j] =
func.func @list(%A: tensor<?x?xf64, #ELL>) -> tensor<?x?xf64, #LIST> {
  %B = tin.einsum "B(i,j) = 2 * A(i,j)" (%A) : (tensor<?x?xf64, #ELL>) -> tensor<?x?xf64, #LIST>
  return %B : tensor<?x?xf64, #LIST>
}
// A row of the result is gathered while all slots of the row are walked.
// CHECK-LABEL: @product
// CHECK:      cin.forall %i {
// CHECK-NEXT:   cin.forall %i_slot {
// CHECK-NEXT:     cin.forall %j {
// CHECK-NEXT:       cin.forall %k {
func.func @product(%A: tensor<?x?xf64, #ELL>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,k) = A(i,j) * B(j,k)" (%A, %B) : (tensor<?x?xf64, #ELL>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}
// What comes in no order is ordered in the result.
// CHECK-LABEL: @copy
// CHECK:      cin.kernel(%{{.*}}) by record attributes {conversion}
// CHECK:      cin.forall %d0 {
func.func @copy(%A: tensor<?x?xf64, #ELL>) -> tensor<?x?xf64, #CSR> {
  %B = tin.convert %A : tensor<?x?xf64, #ELL> to tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}
// What is merged with others is made rows, which it stores whole, and a list of those.
// CHECK-LABEL: @merged
// CHECK:      cin.kernel(%{{.*}}) by record attributes {conversion}
// CHECK-NOT:  record
// CHECK:      return
func.func @merged(%A: tensor<?x?xf64, #ELL>, %B: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * B(i,j)" (%A, %B) : (tensor<?x?xf64, #ELL>, tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
