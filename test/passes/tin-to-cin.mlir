// The order of the loops follows from the levels that must be walked, the result's append order, and costs.
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>

// CHECK-LABEL: @rows
// CHECK:       cin.kernel({{.*}}) attributes {tensor_names = ["A", "x", "y"]} {
// CHECK:         %[[i:.*]] = cin.index "i"
// CHECK-NEXT:    %[[j:.*]] = cin.index "j"
// CHECK-NEXT:    cin.forall %[[i]] {
// CHECK-NEXT:      cin.forall %[[j]] {
// CHECK-NEXT:        %[[a:.*]] = cin.read %A[%[[i]], %[[j]]]
// CHECK-NEXT:        %[[x:.*]] = cin.read %x[%[[j]]]
// CHECK-NEXT:        %[[p:.*]] = arith.mulf %[[a]], %[[x]]
// CHECK-NEXT:        cin.assign %y[%[[i]]] add %[[p]]
func.func @rows(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @columns
// CHECK:       cin.forall %j {
// CHECK-NEXT:    cin.forall %i {
func.func @columns(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A nested reduction is a producer where its variables are bound.
// CHECK-LABEL: @residual
// CHECK:       %[[t:.*]] = cin.workspace() : tensor<f64>
// CHECK-NEXT:  cin.forall %i {
// CHECK-NEXT:    cin.where {
// CHECK-NEXT:      %[[b:.*]] = cin.read %b[%i]
// CHECK-NEXT:      %[[s:.*]] = cin.read %[[t]][]
// CHECK-NEXT:      %[[d:.*]] = arith.subf %[[b]], %[[s]]
// CHECK-NEXT:      cin.assign %y[%i] = %[[d]]
// CHECK-NEXT:    } producing %[[t]] {
// CHECK-NEXT:      cin.forall %j {
// CHECK:             cin.assign %[[t]][] add
func.func @residual(%b: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) - A(i,j) * x(j)" (%b, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The producer stands above the loop over k, which it does not need; one that needs nothing stands on top.
// CHECK-LABEL: @hoisted
// CHECK:       cin.where {
// CHECK-NEXT:    cin.forall %i {
// CHECK-NEXT:      cin.where {
// CHECK-NEXT:        cin.forall %k {
// CHECK:           } producing
// CHECK-NEXT:        cin.forall %j {
// CHECK:       } producing
// CHECK-NEXT:    cin.forall %l {
func.func @hoisted(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?x?xf64> {
  %y = tin.einsum "y(i,k) = c(k) + A(i,j) * x(j) + x(l)" (%c, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// Rows of B into rows of C: what cin-insert-workspaces gathers.
// CHECK-LABEL: @spgemm
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %k {
// CHECK-NEXT:      cin.forall %j {
func.func @spgemm(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Appended at each entry of B: the reduction is inside.
// CHECK-LABEL: @sddmm
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %j {
// CHECK-NEXT:      cin.forall %k {
func.func @sddmm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,j) * C(i,k) * D(k,j)" (%B, %C, %D)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Contiguous dense loops are innermost.
// CHECK-LABEL: @spmm
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %k {
// CHECK-NEXT:      cin.forall %j {
func.func @spmm(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

// CHECK-LABEL: @gemm
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %k {
// CHECK-NEXT:      cin.forall %j {
func.func @gemm(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

// CHECK-LABEL: @mttkrp
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %k {
// CHECK-NEXT:      cin.forall %l {
// CHECK-NEXT:        cin.forall %r {
func.func @mttkrp(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %A = tin.einsum "A(i,r) = B(i,k,l) * C(k,r) * D(l,r)" (%B, %C, %D)
     : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %A : tensor<?x?xf64>
}

// Subscripts of dense operands are any affine expressions.
// CHECK-LABEL: @convolution
// CHECK:       cin.read %x[%i + %k]
func.func @convolution(%x: tensor<?xf64>, %f: tensor<3xf64>) -> tensor<10xf64> {
  %y = tin.einsum "y(i) = x(i + k) * f(k)" (%x, %f) : (tensor<?xf64>, tensor<3xf64>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}

// Fills and a reduction's identity go along.
// CHECK-LABEL: @semirings
// CHECK:       cin.kernel({{.*}}) attributes {fills = [0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64]
// CHECK:       cin.assign %d[%i] min
// CHECK:       cin.assign %m[%i] max %{{.*}} {identity = 0.000000e+00 : f64}
func.func @semirings(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %d = tin.einsum "d(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  %m = tin.einsum "m(i) = A(i,j) * x(j)" (%A, %x) semiring "max_times" : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %d, %m : tensor<?xf64>, tensor<?xf64>
}

// Constants may stand outside of the statement.
// CHECK-LABEL: @constant_outside
// CHECK:       cin.forall %i {
// CHECK:         arith.constant 2.0
func.func @constant_outside(%x: tensor<?xf64>) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %y = tin.compute (i) %x[i] -> [i] {
  ^bb0(%a: f64):
    %p = arith.mulf %a, %two : f64
    tin.yield %p : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
