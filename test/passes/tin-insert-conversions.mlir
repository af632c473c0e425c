// Cycles in the iteration graph are broken by the cheapest conversions.
// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions -verify-diagnostics | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#DCSC = #tin.format<(i, j) -> (j : compressed, i : compressed)>
#Unordered = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#CSF210 = #tin.format<(i, j, k) -> (k : compressed, j : compressed, i : compressed)>

// CHECK-DAG: #[[CSR:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-DAG: #[[CSC:.*]] = #tin.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-DAG: #[[DCSR:.*]] = #tin.format<(i, j) -> (i : compressed, j : compressed)>
// CHECK-DAG: #[[DCSC:.*]] = #tin.format<(i, j) -> (j : compressed, i : compressed)>
// CHECK-DAG: #[[LOCATED:.*]] = #tin.format<(i, j) -> (i : compressed, j : run_length)>

// CHECK-LABEL: @sum
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSR]]>, %[[B:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  %[[B1:.*]] = tin.convert %[[B]] : tensor<?x?xf64, #[[CSC]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK-NEXT:  tin.compute (i, j) %[[A]][i, j], %[[B1]][i, j] -> [i, j]
func.func @sum(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'B' to (i, j) -> (i : dense, j : compressed), since the orders of the levels form a cycle, i -> j (C) -> i (B)}}
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// The result is scattered into: nothing to convert.
// CHECK-LABEL: @scattered
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @scattered(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> {
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC>
  return %C : tensor<?x?xf64, #CSC>
}

// Where it cannot be, one conversion of the result, not two of the operands.
// CHECK-LABEL: @result
// CHECK:       %[[C:.*]] = tin.compute
// CHECK:       } : {{.*}} -> tensor<?x?xf64, #[[DCSR]]>
// CHECK-NEXT:  tin.convert %[[C]] : tensor<?x?xf64, #[[DCSR]]> to tensor<?x?xf64, #[[DCSC]]>
func.func @result(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSC> {
  // expected-remark@+1 {{computed 'C' as (i, j) -> (i : compressed, j : compressed) and converted it}}
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSC>
  return %C : tensor<?x?xf64, #DCSC>
}

// What is not stored is infinity, before the conversion and after.
// CHECK-LABEL: @shortest
// CHECK:       tin.convert %{{.*}} {fill = 0x7FF0000000000000 : f64}
func.func @shortest(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'B'}}
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B) semiring "min_plus"
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Columns times rows scatter over the whole result: A goes by rows.
// CHECK-LABEL: @outer
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  tin.convert %[[A]]
func.func @outer(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'A' to (i, j) -> (i : dense, j : compressed)}}
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Rows times columns have an order, which looks at every pair of them.
// CHECK-LABEL: @inner
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSR]]>, %[[B:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  tin.convert %[[B]]
func.func @inner(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'B' to (i, j) -> (i : dense, j : compressed), since no order of the loops that agrees with its levels is fast}}
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Rows in no order are sorted one by one as they are visited, each once,
// CHECK-LABEL: @unordered
// CHECK-NOT:   tin.convert
func.func @unordered(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #Unordered>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #Unordered>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// but converted before where each is visited again and again.
// CHECK-LABEL: @unordered_rows_again
// CHECK:       tin.convert
func.func @unordered_rows_again(%X: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #Unordered>) -> tensor<?x?xf64> {
  // expected-remark@+1 {{converted operand 'B' to (i, j) -> (i : dense, j : compressed), since its unordered levels are merged with others}}
  %C = tin.einsum "C(i,j) = X(i,k) * (A(k,j) + B(k,j))" (%X, %A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #Unordered>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

// The order of higher orders, any of them.
// CHECK-LABEL: @tensors
// CHECK:       tin.convert %{{.*}} : tensor<?x?x?xf64, #{{.*}}> to tensor<?x?x?xf64, #{{.*}}>
func.func @tensors(%A: tensor<?x?x?xf64, #CSF>, %B: tensor<?x?x?xf64, #CSF210>) -> tensor<?x?x?xf64, #CSF> {
  // expected-remark@+1 {{converted operand 'B' to (i, j, k) -> (i : compressed, j : compressed, k : compressed)}}
  %C = tin.einsum "C(i,j,k) = A(i,j,k) * B(i,j,k)" (%A, %B)
     : (tensor<?x?x?xf64, #CSF>, tensor<?x?x?xf64, #CSF210>) -> tensor<?x?x?xf64, #CSF>
  return %C : tensor<?x?x?xf64, #CSF>
}

// Subscripts that are more than a variable locate; levels above that are walked stay.
// CHECK-LABEL: @located
// CHECK:       %[[A:.*]] = tin.convert %{{.*}} : tensor<?x?xf64, #[[DCSR]]> to tensor<?x?xf64, #[[LOCATED]]>
// CHECK-NEXT:  tin.compute (i, j, k) %[[A]][i, j + k]
func.func @located(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
  // expected-remark@+1 {{converted operand 'A' to (i, j) -> (i : compressed, j : run_length), since it is located in by more than a variable}}
  %y = tin.einsum "y(i) = A(i,j+k) * x(k) * z(j)" (%A, %x, %z)
     : (tensor<?x?xf64, #DCSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Nothing to do: the operand's order is the loops'.
// CHECK-LABEL: @agreeing
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @agreeing(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Rows of a list in no order are gathered as those of any other result.
#List = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
// CHECK-LABEL: @product_as_list
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @product_as_list(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #List> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #List>
  return %C : tensor<?x?xf64, #List>
}

// One coordinate is searched for among those of a row; nothing is converted.
// CHECK-LABEL: func.func @one_column
// CHECK-NOT: tin.convert
// CHECK: return
func.func @one_column(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,2)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
