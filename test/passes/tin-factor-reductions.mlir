// What a sum does not go over is taken out of it, where some loop is then no longer around another.
// RUN: sparse-opt %s --tin-expand-einsum --tin-factor-reductions | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-factor-reductions=strict | FileCheck %s --check-prefix=STRICT
// RUN: sparse-opt %s --tin-expand-einsum --tin-factor-reductions --tin-to-cin | FileCheck %s --check-prefix=LOOPS

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>

// CHECK-LABEL: @sampled
// CHECK:       ^bb0(%[[a:.*]]: f64, %[[b:.*]]: f64, %[[c:.*]]: f64, %[[d:.*]]: f64):
// CHECK-NEXT:    %[[p:.*]] = arith.mulf %[[b]], %[[c]] : f64
// CHECK-NEXT:    %[[k:.*]] = tin.reduce add %[[p]] over (k) {factored} : f64
// CHECK-NEXT:    %[[q:.*]] = arith.mulf %[[k]], %[[a]] : f64
// CHECK-NEXT:    %[[r:.*]] = arith.mulf %[[q]], %[[d]] : f64
// CHECK-NEXT:    %[[j:.*]] = tin.reduce add %[[r]] over (j) : f64
// CHECK-NEXT:    tin.yield %[[j]] : f64
// STRICT-LABEL: @sampled
// STRICT:        tin.reduce add %{{.*}} over (j, k) : f64
// LOOPS-LABEL: @sampled
// LOOPS:         cin.forall %i {
// LOOPS-NEXT:      cin.forall %j {
// LOOPS-NEXT:        cin.where {
// LOOPS-NEXT:          cin.forall %l {
// LOOPS:             } producing %[[t:.*]] {
// LOOPS-NEXT:          cin.forall %k {
// LOOPS:             } {factored} : tensor<f64>
func.func @sampled(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "Y(i,l) = A(i,j) * B(i,k) * C(j,k) * D(j,l)" (%A, %B, %C, %D)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// One variable after the other.
// CHECK-LABEL: @twice
// CHECK:         tin.reduce add %{{.*}} over (k) {factored}
// CHECK:         tin.reduce add %{{.*}} over (m) {factored}
// CHECK:         tin.reduce add %{{.*}} over (j) : f64
// LOOPS-LABEL: @twice
// LOOPS-COUNT-2: producing
func.func @twice(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>, %E: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "Y(i,l) = A(i,j) * B(i,k) * C(j,k) * D(j,l) * E(i,m)" (%A, %B, %C, %D, %E)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// All that is reduced goes into the sum: none is left around it.
// CHECK-LABEL: @whole
// CHECK:         tin.reduce add %{{.*}} over (k) {factored}
// CHECK-NOT:     tin.reduce
// CHECK:         tin.yield
func.func @whole(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "Y(i,j) = A(i,j) * B(i,k) * C(i,k)" (%A, %B, %C)
     : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// Integers are the same in any order; + distributes over min.
// CHECK-LABEL: @integers
// CHECK:         tin.reduce add %{{.*}} over (k) {factored} : i64
// STRICT-LABEL: @integers
// STRICT:        tin.reduce add %{{.*}} over (k) {factored} : i64
func.func @integers(%A: tensor<?x?xi64, #CSR>, %B: tensor<?x?xi64>, %C: tensor<?x?xi64>, %D: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %0 = tin.einsum "Y(i,l) = A(i,j) * B(i,k) * C(j,k) * D(j,l)" (%A, %B, %C, %D)
     : (tensor<?x?xi64, #CSR>, tensor<?x?xi64>, tensor<?x?xi64>, tensor<?x?xi64>) -> tensor<?x?xi64>
  return %0 : tensor<?x?xi64>
}
// CHECK-LABEL: @paths
// CHECK:         %[[p:.*]] = arith.addf
// CHECK-NEXT:    tin.reduce min %[[p]] over (k) {factored}
func.func @paths(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "Y(i,l) = A(i,j) * B(i,k) * C(j,k) * D(j,l)" (%A, %B, %C, %D) {semiring = "min_plus"}
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// A negation distributes as well, and has one operand.
// CHECK-LABEL: @negated
// CHECK:         arith.negf
// CHECK-NEXT:    tin.reduce add
func.func @negated(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>) -> tensor<?xf64> {
  %0 = tin.einsum "y(i) = -(A(i,j) * B(i,k))" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// What is stored sparsely is not added up where nothing is stored; the same loops in another order
// are not worth it, nor is a sum that everything else is in; a schedule is about what is written.
// CHECK-LABEL: @kept
// CHECK-NOT:     factored
func.func @kept(%A: tensor<?x?xf64, #CSR>, %S: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %0 = tin.einsum "Y(i,l) = A(i,j) * S(i,k) * C(j,k) * D(j,l)" (%A, %S, %C, %D)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = tin.einsum "Y(i,l) = A(i,j) * B(j,k) * C(k,l)" (%A, %B, %C)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %2 = tin.einsum "Y(i,l) = B(i,j) * C(j,l)" (%B, %C) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %3 = tin.einsum "Y(i,l) = A(i,j) * B(i,k) * C(j,k) * D(j,l)" (%A, %B, %C, %D) {schedule = "parallelize(i,cpu_thread,no_races)"}
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0, %1, %2, %3 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
