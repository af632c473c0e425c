// Text in tensor index notation becomes a statement with its reductions where the notation means them.
// RUN: sparse-opt %s --tin-expand-einsum --split-input-file | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @product
// CHECK:       tin.compute (i, j) %{{.*}}[i, j], %{{.*}}[j] -> [i] attributes {tensor_names = ["A", "x", "y"]} {
// CHECK-NEXT:  ^bb0(%[[a:.*]]: f64, %[[x:.*]]: f64):
// CHECK-NEXT:    %[[p:.*]] = arith.mulf %[[a]], %[[x]] : f64
// CHECK-NEXT:    %[[s:.*]] = tin.reduce add %[[p]] over (j) : f64
// CHECK-NEXT:    tin.yield %[[s]] : f64
func.func @product(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The product alone is summed.
// CHECK-LABEL: @residual
// CHECK:       ^bb0(%[[b:.*]]: f64, %[[a:.*]]: f64, %[[x:.*]]: f64):
// CHECK-NEXT:    %[[p:.*]] = arith.mulf %[[a]], %[[x]] : f64
// CHECK-NEXT:    %[[s:.*]] = tin.reduce add %[[p]] over (j) : f64
// CHECK-NEXT:    %[[d:.*]] = arith.subf %[[b]], %[[s]] : f64
// CHECK-NEXT:    tin.yield %[[d]]
func.func @residual(%b: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) - A(i,j) * x(j)" (%b, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The sum in parentheses belongs to the product.
// CHECK-LABEL: @sum_in_a_product
// CHECK:         arith.addf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    tin.reduce add %{{.*}} over (j)
// CHECK-NEXT:    tin.yield
func.func @sum_in_a_product(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = (A(i,j) + B(i,j)) * x(j)" (%A, %B, %x)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// c counts once, before it is multiplied.
// CHECK-LABEL: @term_without_the_variable
// CHECK:         %[[s:.*]] = tin.reduce add %{{.*}} over (j)
// CHECK-NEXT:    %[[sum:.*]] = arith.addf %{{.*}}, %[[s]]
// CHECK-NEXT:    %[[p:.*]] = arith.mulf %{{.*}}, %[[sum]]
// CHECK-NEXT:    tin.yield %[[p]]
func.func @term_without_the_variable(%b: tensor<?xf64>, %c: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) * (c(i) + A(i,j))" (%b, %c, %A)
     : (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Two terms over j share a reduction, and c between them counts once.
// CHECK-LABEL: @terms_around_another
// CHECK:       ^bb0(%[[a:.*]]: f64, %[[b:.*]]: f64, %[[c:.*]]: f64):
// CHECK-NEXT:    %[[d:.*]] = arith.subf %[[a]], %[[b]]
// CHECK-NEXT:    %[[s:.*]] = tin.reduce add %[[d]] over (j)
// CHECK-NEXT:    arith.addf %[[s]], %[[c]]
func.func @terms_around_another(%A: tensor<?x?xf64, #CSR>, %c: tensor<?xf64>, %B: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) + c(i) - B(i,j)" (%A, %c, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Sums that overlap get variables of their own, of one size.
// CHECK-LABEL: @overlapping
// CHECK:       tin.compute (j, k, k_1) %{{.*}}[j], %{{.*}}[j, k_1], %{{.*}}[k] -> [] attributes {alike = {k_1 = "k"}
// CHECK:         %[[row:.*]] = tin.reduce add %{{.*}} over (k_1)
// CHECK-NEXT:    arith.addf %{{.*}}, %[[row]]
// CHECK-NEXT:    tin.reduce add %{{.*}} over (j)
// CHECK-NEXT:    tin.reduce add %{{.*}} over (k)
func.func @overlapping(%x: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>, %z: tensor<?xf64>) -> tensor<f64> {
  %y = tin.einsum "y = x(j) + A(j,k) + z(k)" (%x, %A, %z)
     : (tensor<?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// CHECK-LABEL: @function
// CHECK:         math.exp
// CHECK-NEXT:    tin.reduce add %{{.*}} over (j)
func.func @function(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = exp(A(i,j))" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @accumulate
// CHECK:       tin.compute (i, j) %{{.*}}[i], %{{.*}}[i, j], %{{.*}}[j] -> [i]
// CHECK-NEXT:  ^bb0(%[[y:.*]]: f64, %[[a:.*]]: f64, %[[x:.*]]: f64):
// CHECK:         %[[s:.*]] = tin.reduce add
// CHECK-NEXT:    arith.addf %[[y]], %[[s]]
func.func @accumulate(%y0: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) += A(i,j) * x(j)" (%y0, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @semiring
// CHECK:       fills = [0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64]
// CHECK:         arith.addf
// CHECK-NEXT:    tin.reduce min %{{.*}} over (j)
func.func @semiring(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The greatest integer is the infinity: it annihilates, as nothing else of integers does.
// CHECK-LABEL: @integer_semiring
// CHECK:         arith.maxsi %[[A:.*]], %[[X:.*]] : i32
// CHECK:         arith.constant 2147483647
// CHECK:         arith.cmpi eq
// CHECK:         arith.addi %[[A]], %[[X]]
// CHECK:         arith.select
// CHECK-NEXT:    tin.reduce min
func.func @integer_semiring(%A: tensor<?x?xi32, #CSR>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (tensor<?x?xi32, #CSR>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Numbers from 0 on: nothing stored is 0, and the maximum starts from it.
// CHECK-LABEL: @max_times
// CHECK-NOT:   fills
// CHECK:         arith.mulf
// CHECK-NEXT:    tin.reduce max %{{.*}} over (j) {identity = 0.000000e+00 : f64}
func.func @max_times(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) semiring "max_times" : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @or_and
// CHECK:         arith.andi
// CHECK-NEXT:    tin.reduce or
func.func @or_and(%A: tensor<?x?xi8, #CSR>, %x: tensor<?xi8>) -> tensor<?xi8> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) semiring "or_and" : (tensor<?x?xi8, #CSR>, tensor<?xi8>) -> tensor<?xi8>
  return %y : tensor<?xi8>
}

// Scalars, numbers, and an access that occurs twice; values become the result's element type.
// CHECK-LABEL: @scalars
// CHECK:       tin.compute (i) %{{.*}}[], %{{.*}}[i], %{{.*}}[] -> [i] attributes {tensor_names = ["alpha", "x", "beta", "y"]}
// CHECK-NEXT:  ^bb0(%[[alpha:.*]]: f64, %[[x:.*]]: f32, %[[beta:.*]]: i32):
// CHECK-DAG:     arith.extf %[[x]] : f32 to f64
// CHECK-DAG:     arith.sitofp %[[beta]] : i32 to f64
// CHECK-DAG:     arith.constant -2.500000e-01 : f64
// CHECK-NOT:     tin.reduce
func.func @scalars(%alpha: tensor<f64>, %x: tensor<?xf32>, %beta: i32) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = alpha() * x(i) + beta * max(x(i), -2.5e-1, 1)" (%alpha, %x, %beta)
     : (tensor<f64>, tensor<?xf32>, i32) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @complex
// CHECK:         complex.mul
// CHECK-NEXT:    tin.reduce add
func.func @complex(%A: tensor<?x?xcomplex<f64>, #CSR>, %x: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x)
     : (tensor<?x?xcomplex<f64>, #CSR>, tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
  return %y : tensor<?xcomplex<f64>>
}

// CHECK-LABEL: @subscripts
// CHECK:       tin.compute (i, k) %{{.*}}[i * 2 - k + 3], %{{.*}}[k] -> [i]
func.func @subscripts(%x: tensor<?xf64>, %f: tensor<?xf64>) -> tensor<8xf64> {
  %y = tin.einsum "y(i) = x(2*i - k + 3) * f(k)" (%x, %f) : (tensor<?xf64>, tensor<?xf64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

// The diagonal, and a row repeated.
// CHECK-LABEL: @diagonal
// CHECK:       tin.compute (j, i) %{{.*}}[i, i] -> [j, i]
func.func @diagonal(%A: tensor<?x?xf64>) -> tensor<4x?xf64> {
  %y = tin.einsum "y(j,i) = A(i,i)" (%A) : (tensor<?x?xf64>) -> tensor<4x?xf64>
  return %y : tensor<4x?xf64>
}

// A variable that is a subscript of the result again goes with a loop of one iteration there.
// CHECK-LABEL: @diagonal_matrix
// CHECK:       tin.compute (i, once, i_plus_once) %{{.*}}[i] -> [i, i_plus_once] attributes {extents = {once = 1 : i64}, subscripts = {i_plus_once = #{{.*}}}
// CHECK:         tin.reduce add %{{.*}} over (once) at (i_plus_once)
func.func @diagonal_matrix(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %D = tin.einsum "D(i,i) = x(i)" (%x) : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %D : tensor<?x?xf64, #CSR>
}
