// Operands with unordered levels are converted only where loops need an order and a scratch array for each visit
// costs more.
// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions -verify-diagnostics | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-lower-conversions --tin-to-cin --cin-insert-workspaces --cin-choose-assembly --sparsify 2>/dev/null

#Sparse = #tin.format<(i) -> (i : compressed)>
#Unordered = #tin.format<(i) -> (i : compressed(unordered))>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#Slices = #tin.format<(i, j, k) -> (i : compressed(unordered), j : compressed, k : compressed)>
#DenseSlices = #tin.format<(i, j, k) -> (i : dense, j : compressed, k : compressed)>
#Rows = #tin.format<(i, j) -> (i : compressed(unordered), j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))>
#Anyhow = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
#Repeated = #tin.format<(i) -> (i : compressed(nonunique, unordered))>
#Blocks = #tin.format<(i, j) -> (i floordiv 2 : compressed(nonunique), j floordiv 2 : singleton, i mod 2 : dense, j mod 2 : dense)>

// CHECK-LABEL: @alone
// CHECK-NOT:   tin.convert
func.func @alone(%A: tensor<?xf64, #Unordered>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = -A(i) * x(i)" (%A, %x) : (tensor<?xf64, #Unordered>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @merged
// CHECK-NOT:   tin.convert
func.func @merged(%A: tensor<?xf64, #Unordered>, %B: tensor<?xf64, #Sparse>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i) * B(i)" (%A, %B) : (tensor<?xf64, #Unordered>, tensor<?xf64, #Sparse>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @whole
// CHECK-NOT:   tin.convert
func.func @whole(%A: tensor<?xf64, #Unordered>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i) + x(i)" (%A, %x) : (tensor<?xf64, #Unordered>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// What is appended to row by row goes through the rows in order.
// CHECK-LABEL: @appended
// CHECK-NOT:   tin.convert
func.func @appended(%A: tensor<?x?x?xf64, #Slices>) -> tensor<?x?x?xf64, #DenseSlices> {
  %B = tin.einsum "B(i,j,k) = 2 * A(i,j,k)" (%A) : (tensor<?x?x?xf64, #Slices>) -> tensor<?x?x?xf64, #DenseSlices>
  return %B : tensor<?x?x?xf64, #DenseSlices>
}

// What can be scattered into takes them as they come.
// CHECK-LABEL: @scattered
// CHECK-NOT:   tin.convert
func.func @scattered(%A: tensor<?x?xf64, #Rows>) -> tensor<?x?xf64, #CSR> {
  %B = tin.einsum "B(i,j) = 2 * A(i,j)" (%A) : (tensor<?x?xf64, #Rows>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @appended_as_they_come
// CHECK-NOT:   tin.convert
func.func @appended_as_they_come(%A: tensor<?xf64, #Unordered>) -> tensor<?xf64, #Unordered> {
  %B = tin.einsum "B(i) = 2 * A(i)" (%A) : (tensor<?xf64, #Unordered>) -> tensor<?xf64, #Unordered>
  return %B : tensor<?xf64, #Unordered>
}

// Each entry adds its part, wherever the others of its row stand.
// CHECK-LABEL: @entries
// CHECK-NOT:   tin.convert
func.func @entries(%A: tensor<?x?xf64, #COO>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #COO>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Long lists are sorted once: what is below each entry would be far from the one before.
// CHECK-LABEL: @rows
// CHECK:       tin.convert
func.func @rows(%A: tensor<?x?xf64, #COO>) -> tensor<?xf64> {
  // expected-remark@+1 {{converted operand 'A' to (i, j) -> (i : compressed(nonunique), j : singleton), since it is unordered, and entries of the same coordinates belong together}}
  %y = tin.compute (i, j) %A[i, j] -> [i] attributes {tensor_names = ["A", "y"]} {
  ^bb0(%a: f64):
    %sum = tin.reduce add %a over (j) : f64
    %size = math.absf %sum : f64
    tin.yield %size : f64
  } : (tensor<?x?xf64, #COO>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @repeated
// CHECK-NOT:   tin.convert
func.func @repeated(%A: tensor<?xf64, #Repeated>, %x: tensor<?xf64>) -> tensor<f64> {
  %y = tin.einsum "y = A(i) * x(i)" (%A, %x) : (tensor<?xf64, #Repeated>, tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// CHECK-LABEL: @squares_of_repeated
// CHECK:       tin.convert
func.func @squares_of_repeated(%A: tensor<?xf64, #Repeated>) -> tensor<f64> {
  // expected-remark@+1 {{converted operand 'A' to (i) -> (i : compressed(nonunique)), since it is unordered, and entries of the same coordinates belong together}}
  %y = tin.einsum "y = abs(A(i))" (%A) : (tensor<?xf64, #Repeated>) -> tensor<f64>
  return %y : tensor<f64>
}

// Entries in no order, or repeated ones, are ordered and added up in the result where it can do that,
// CHECK-LABEL: @reordered
// CHECK-NOT:   tin.convert
// CHECK:       attributes {record
func.func @reordered(%A: tensor<?x?xf64, #Anyhow>, %x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{ordered the entries of 'B' last, not operand 'A', since it is unordered, and the result is appended to in order}}
  %B = tin.einsum "B(j,i) = 2 * A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Anyhow>, tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// but not where the sum of entries is not the entry of their sum.
// CHECK-LABEL: @squares
// CHECK:       tin.convert
// CHECK-NOT:   record
func.func @squares(%A: tensor<?x?xf64, #Anyhow>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'A'}}
  %B = tin.einsum "B(i,j) = A(i,j) * A(i,j)" (%A) : (tensor<?x?xf64, #Anyhow>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// A list of what the target's levels hold takes repeated entries as they come; then it is sorted.
// CHECK-LABEL: @blocks
func.func @blocks(%A: tensor<?x?xf64, #Anyhow>) -> tensor<?x?xf64, #Blocks> {
  %B = tin.convert %A : tensor<?x?xf64, #Anyhow> to tensor<?x?xf64, #Blocks>
  return %B : tensor<?x?xf64, #Blocks>
}
