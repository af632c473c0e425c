// What is walked and merged follows from the algebra of the expression: one case for each point of
// the merge lattice, `over` where something is left to compute at coordinates with nothing stored.
//
// RUN: sparse-opt --tin-expand-einsum --tin-split-terms --tin-to-cin --cin-choose-assembly --sparsify %s | FileCheck %s

#SV = #tin.format<(i) -> (i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>

// CHECK-LABEL: @sum
// CHECK:      sit.coiterate %b level 0, %c level 0 named "i" :
// CHECK:      case (0, 1) as (%i, %pb0, %pc0) {
// CHECK:        arith.addf
// CHECK:      case (0) as (%i, %pb0) {
// CHECK-NOT:    arith
// CHECK:      case (1) as (%i, %pc0) {
// CHECK-NOT:    arith
// CHECK:      sit.close
func.func @sum(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) + c(i)" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// CHECK-LABEL: @difference
// CHECK:      case (0, 1) as
// CHECK:        arith.subf
// CHECK:      case (0) as
// CHECK-NOT:    arith
// CHECK:      case (1) as (%i, %[[p:.*]]) {
// CHECK:        %[[v:.*]] = sit.value %c at %[[p]]
// CHECK:        arith.negf %[[v]]
func.func @difference(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) - c(i)" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// CHECK-LABEL: @product
// CHECK:      sit.coiterate %b level 0, %c level 0 named "{{.*}}" :
// CHECK:      case (0, 1) as
// CHECK-NOT:  case
// CHECK:      sit.close
func.func @product(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) * c(i)" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// A dense operand is located, not walked.

// CHECK-LABEL: @product_with_dense
// CHECK:      sit.coiterate %b level 0 named "i" :
// CHECK:      case (0) as (%i, %{{.*}}) {
// CHECK:        sit.locate %c level 0 at %i
// CHECK-NOT:  case
// CHECK:      sit.finish
func.func @product_with_dense(%b: tensor<?xf64, #SV>, %c: tensor<?xf64>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) * c(i)" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// CHECK-LABEL: @sum_with_dense
// CHECK:      sit.coiterate %b level 0 over %{{.*}} named "i" :
// CHECK:      case (0) as
// CHECK:        arith.addf
// CHECK:      case () as (%i) {
// CHECK-NOT:    arith
func.func @sum_with_dense(%b: tensor<?xf64, #SV>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %a = tin.einsum "a(i) = b(i) + c(i)" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// (b + c) d: the points of the union, each with d.

// CHECK-LABEL: @product_of_sum
// CHECK:      sit.coiterate %b level 0, %c level 0, %d level 0 named "{{.*}}" :
// CHECK:      case (0, 1, 2) as
// CHECK:        arith.addf
// CHECK:        arith.mulf
// CHECK:      case (0, 2) as
// CHECK-NOT:    arith.addf
// CHECK:        arith.mulf
// CHECK:      case (1, 2) as
// CHECK-NOT:    arith.addf
// CHECK:        arith.mulf
// CHECK-NOT:  case
// CHECK:      sit.close
func.func @product_of_sum(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>, %d: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = (b(i) + c(i)) * d(i)" (%b, %c, %d) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// CHECK-LABEL: @sum_of_product
// CHECK:      case (0, 1, 2) as
// CHECK:      case (0, 1) as
// CHECK:      case (2) as
// CHECK-NOT:  case
// CHECK:      sit.close
func.func @sum_of_product(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>, %d: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) * c(i) + d(i)" (%b, %c, %d) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// CHECK-LABEL: @sum_of_three
// CHECK:      case (0, 1, 2) as
// CHECK:      case (0, 1) as
// CHECK:      case (0, 2) as
// CHECK:      case (1, 2) as
// CHECK:      case (0) as
// CHECK:      case (1) as
// CHECK:      case (2) as
// CHECK-NOT:  case
// CHECK:      sit.close
func.func @sum_of_three(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>, %d: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) + c(i) + d(i)" (%b, %c, %d) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// A row of C that is absent leaves B's row to be copied: levels below are merged only in the first case.

// CHECK-LABEL: @sum_of_matrices
// CHECK:      sit.coiterate %B level 0, %C level 0 named "i" :
// CHECK:      case (0, 1) as (%i, %pB0, %pC0) {
// CHECK:        sit.coiterate %B level 1 under %pB0, %C level 1 under %pC0 named "{{.*}}" :
// CHECK:      case (0) as (%i, %pB0) {
// CHECK:        sit.coiterate %B level 1 under %pB0 named "{{.*}}" :
// CHECK:      case (1) as (%i, %pC0) {
// CHECK:        sit.coiterate %C level 1 under %pC0 named "{{.*}}" :
func.func @sum_of_matrices(%B: tensor<?x?xf64, #DCSR>, %C: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSR> {
  %A = tin.einsum "A(i,j) = B(i,j) + C(i,j)" (%B, %C) : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSR>
  return %A : tensor<?x?xf64, #DCSR>
}

// exp(0) = 1 has to be stored everywhere.

// CHECK-LABEL: @exponential
// CHECK:      sit.coiterate %a level 0 over %{{.*}} named "{{.*}}" :
// CHECK:      case (0) as
// CHECK:        math.exp
// CHECK:      case () as
// CHECK:        %[[one:.*]] = arith.constant 1.000000e+00 : f64
// CHECK:        sit.store %[[one]] to
func.func @exponential(%a: tensor<?xf64, #SV>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = exp(a(i))" (%a) : (tensor<?xf64, #SV>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// sqrt(0) = 0 has not.

// CHECK-LABEL: @square_root
// CHECK:      sit.coiterate %a level 0 named "{{.*}}" :
// CHECK:      case (0) as
// CHECK-NOT:  case
// CHECK:      sit.finish
func.func @square_root(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %y = tin.einsum "y(i) = sqrt(a(i))" (%a) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %y : tensor<?xf64, #SV>
}

// min(b, 0) is not b: zero does not annihilate, and is no identity.

// CHECK-LABEL: @minimum
// CHECK:      case (0, 1) as
// CHECK:        arith.minimumf
// CHECK:      case (0) as
// CHECK:        arith.minimumf
// CHECK:      case (1) as
// CHECK:        arith.minimumf
// CHECK-NOT:  case
// CHECK:      sit.close
func.func @minimum(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = min(b(i), c(i))" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// CHECK-LABEL: @division_by_dense
// CHECK:      sit.coiterate %b level 0 named "{{.*}}" :
// CHECK:      case (0) as
// CHECK:        arith.divf
// CHECK-NOT:  case
// CHECK:      sit.finish
func.func @division_by_dense(%b: tensor<?xf64, #SV>, %c: tensor<?xf64>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) / c(i)" (%b, %c) : (tensor<?xf64, #SV>, tensor<?xf64>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// Where the divisor is absent the quotient is not: it is infinite.

// CHECK-LABEL: @division_by_sparse
// CHECK:      sit.coiterate %c level 0 over %{{.*}} named "{{.*}}" :
// CHECK:      case (0) as
// CHECK:        arith.divf
// CHECK:      case () as
// CHECK:        %[[zero:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:        arith.divf %{{.*}}, %[[zero]]
func.func @division_by_sparse(%b: tensor<?xf64>, %c: tensor<?xf64, #SV>) -> tensor<?xf64> {
  %a = tin.einsum "a(i) = b(i) / c(i)" (%b, %c) : (tensor<?xf64>, tensor<?xf64, #SV>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// One operand read twice has one iterator; its transpose another.

// CHECK-LABEL: @square
// CHECK:      sit.coiterate %b level 0 named "{{.*}}" :
// CHECK:      arith.mulf %[[v:.*]], %[[v]]
func.func @square(%b: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = tin.einsum "a(i) = b(i) * b(i)" (%b) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// The fill of (min, +) is infinity: it is min's identity, and annihilates +.

// CHECK-LABEL: @shortest_paths
// CHECK:      sit.result %y[%{{.*}}] initial 0x7FF0000000000000 : f64
// CHECK:      sit.coiterate over
// CHECK:        sit.coiterate %A level 1 under %{{.*}}, %x level 0 named "{{.*}}" :
// CHECK:        case (0, 1) as
// CHECK:          arith.addf
// CHECK:          sit.accumulate min
// CHECK-NOT:    case
// CHECK:      sit.finish
func.func @shortest_paths(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64, #SV>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (tensor<?x?xf64, #CSR>, tensor<?xf64, #SV>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Only rows of A or of B matter, also through the reduction.

// CHECK-LABEL: @sum_of_products
// CHECK:      sit.coiterate %A level 0, %B level 0 named "{{.*}}" :
// CHECK:      case (0, 1) as
// CHECK:      case (0) as
// CHECK:        sit.coiterate %A level 1
// CHECK:      case (1) as
// CHECK:        sit.coiterate %B level 1
// CHECK-NOT:  case ()
// CHECK:      sit.close
func.func @sum_of_products(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %B: tensor<?x?xf64, #DCSR>) -> tensor<?xf64, #SV> {
  %y = tin.einsum "y(i) = A(i,j) * x(j) + B(i,j) * x(j)" (%A, %x, %B) : (tensor<?x?xf64, #DCSR>, tensor<?xf64>, tensor<?x?xf64, #DCSR>) -> tensor<?xf64, #SV>
  return %y : tensor<?xf64, #SV>
}

// A stored zero may divide integers: the quotient is zero, and no process ends.

// CHECK-LABEL: @integer_division
// CHECK:      %[[by_zero:.*]] = arith.cmpi eq, %[[y:.*]], %{{.*}} : i32
// CHECK:      %[[special:.*]] = arith.ori %[[by_zero]], %{{.*}} : i1
// CHECK:      %[[divisor:.*]] = arith.select %[[special]], %{{.*}}, %[[y]] : i32
// CHECK:      %[[q:.*]] = arith.divsi %{{.*}}, %[[divisor]] : i32
// CHECK:      arith.select %[[by_zero]], %{{.*}}, %[[q]] : i32
func.func @integer_division(%b: tensor<?xi32, #SV>, %c: tensor<?xi32>) -> tensor<?xi32, #SV> {
  %a = tin.einsum "a(i) = b(i) / c(i)" (%b, %c) : (tensor<?xi32, #SV>, tensor<?xi32>) -> tensor<?xi32, #SV>
  return %a : tensor<?xi32, #SV>
}
