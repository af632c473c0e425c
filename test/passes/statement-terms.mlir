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

// A nested sum that is a term is added up in a row of the result, before the others; a zero is no term.

// CHECK-LABEL: func.func @nested
// CHECK: tin.compute
// CHECK-NOT: tin.compute
// CHECK: return
// CIN-LABEL: func.func @nested
// CIN:       cin.forall %i {
// CIN-NEXT:    cin.forall %k {
// CIN-NEXT:      cin.forall %j {
// CIN-NEXT:        cin.read %B
// CIN-NEXT:        cin.read %C
// CIN-NEXT:        arith.mulf
// CIN-NEXT:        arith.constant
// CIN-NEXT:        arith.subf
// CIN-NEXT:        cin.assign %A[%i, %j] add
// CIN:         cin.forall %j {
// CIN-NEXT:      cin.read %D
// CIN-NEXT:      cin.assign %A[%i, %j] add
func.func @nested(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %D: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = D(i,j) - B(i,k) * C(k,j)" (%D, %B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// CIN-LABEL: func.func @negative
// CIN:       cin.forall %j {
// CIN-NEXT:    cin.forall %i {
// CIN:           arith.subf
// CIN-NEXT:      cin.assign %{{.*}}[%i] add
// CIN-NOT:   cin.forall
// CIN:       return
func.func @negative(%A: tensor<?x?xf64, #CSC>) -> tensor<?xf64> {
  %y = tin.compute (i, j) %A[i, j] -> [i] {
  ^bb0(%a: f64):
    %zero = arith.constant 0.0 : f64
    %s = tin.reduce add %a over (j) : f64
    %z = arith.subf %zero, %s : f64
    tin.yield %z : f64
  } : (tensor<?x?xf64, #CSC>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
