// A sum whose terms no nest of loops goes through together has a nest for each; nothing is converted.
// RUN: sparse-opt %s --tin-expand-einsum --tin-convert-remapped --tin-insert-conversions | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin | FileCheck %s --check-prefix=CIN

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#Blocks = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>

// CIN-LABEL: func.func @merged
// CIN:       cin.forall %i {
// CIN-NEXT:    cin.forall %j {
// CIN-NEXT:      cin.read %A
// CIN-NEXT:      cin.assign %C[%i, %j] add
// CIN:         cin.forall %j_block {
// CIN-NEXT:      cin.forall %j_in {
// CIN-NEXT:        cin.read %B
// CIN-NEXT:        cin.assign %C[%i, %j] add
// CHECK-LABEL: func.func @merged
// CHECK-NOT: tin.convert
// CHECK: tin.compute (i, j) %arg0[i, j], %arg1[i, j] -> [i, j]
func.func @merged(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}


// A dense result takes what comes in any order: the terms share no loops.

// CHECK-LABEL: func.func @dense
// CHECK-NOT: tin.convert
// CHECK: return
// CIN-LABEL: func.func @dense
// CIN:       cin.forall %i {
// CIN-NEXT:    cin.forall %j {
// CIN-NEXT:      cin.read %A
// CIN:       cin.forall %j {
// CIN-NEXT:    cin.forall %i {
// CIN-NEXT:      cin.read %B
// CIN-NEXT:      arith.constant
// CIN-NEXT:      arith.subf
func.func @dense(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64> {
  %C = tin.einsum "C(i,j) = A(i,j) - B(i,j)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}
