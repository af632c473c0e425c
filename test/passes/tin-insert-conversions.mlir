// Where orders of levels form a cycle, the statement says the order that is cheapest to convert for;
// what must be in order is converted.
// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions -verify-diagnostics | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#DCSC = #tin.format<(i, j) -> (j : compressed, i : compressed)>
#Unordered = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>

// CHECK-DAG: #[[CSR:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-DAG: #[[CSC:.*]] = #tin.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-DAG: #[[DCSR:.*]] = #tin.format<(i, j) -> (i : compressed, j : compressed)>
// CHECK-DAG: #[[HASHED:.*]] = #tin.format<(i, j) -> (i : hashed, j : hashed)>
// CHECK-DAG: #[[UNORDERED:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>

// CHECK-LABEL: @sum
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSR]]>, %[[B:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  tin.compute (i, j) %[[A]][i, j], %[[B]][i, j] -> [i, j] attributes {order = ["i", "j"]
func.func @sum(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
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

// Where it cannot be, the order is that of the two operands.
// CHECK-LABEL: @result
// CHECK:       tin.compute (i, j) {{.*}}order = ["i", "j"]
func.func @result(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSC> {
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSC>
  return %C : tensor<?x?xf64, #DCSC>
}

// Columns times rows scatter over the whole result: A goes by rows.
// CHECK-LABEL: @outer
// CHECK-NEXT:  tin.compute {{.*}}order = ["i", "k", "j"]
func.func @outer(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Rows times columns have an order, which looks at every pair of them.
// CHECK-LABEL: @inner
// CHECK-NEXT:  tin.compute {{.*}}order = ["i", "k", "j"]
func.func @inner(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
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

// Subscripts that are more than a variable are searched for, where no loops go through them.
// CHECK-LABEL: @searched
// CHECK-NOT:   tin.convert
// CHECK:       tin.compute (i, j, k) %{{.*}}[i, j + k]
func.func @searched(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = abs(A(i,j+k) - x(k)) * z(j)" (%A, %x, %z)
     : (tensor<?x?xf64, #DCSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// What is in no order would be looked through again and again; once for each row it may be.
// CHECK-LABEL: @searched_again
// CHECK:       %[[A:.*]] = tin.convert %{{.*}} : tensor<?x?xf64, #[[UNORDERED]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK-NEXT:  tin.compute (i, j, k) %[[A]][i, j + k]
func.func @searched_again(%A: tensor<?x?xf64, #Unordered>, %x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
  // expected-remark@+1 {{converted operand 'A' to (i, j) -> (i : dense, j : compressed), since it is unordered, and searched by subscripts that are more than a variable}}
  %y = tin.einsum "y(i) = abs(A(i,j+k) - x(k)) * z(j)" (%A, %x, %z)
     : (tensor<?x?xf64, #Unordered>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @superdiagonal
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @superdiagonal(%A: tensor<?x?xf64, #Unordered>) -> tensor<5xf64> {
  %y = tin.einsum "y(i) = A(i,i+1)" (%A) : (tensor<?x?xf64, #Unordered>) -> tensor<5xf64>
  return %y : tensor<5xf64>
}

// CHECK-LABEL: @through
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @through(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
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

// Coordinates in an order that no loops go through are taken as they come, and ordered afterwards.
// CHECK-LABEL: func.func @shared
// CHECK:       %[[TAKEN:.*]] = tin.compute
// CHECK:       -> tensor<?x?xf64, #[[HASHED]]>
// CHECK-NEXT:  %[[ORDERED:.*]] = tin.convert %[[TAKEN]] : tensor<?x?xf64, #[[HASHED]]> to tensor<?x?xf64, #[[DCSR]]>
// CHECK-NEXT:  return %[[ORDERED]]
func.func @shared(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> {
  // expected-remark@+1 {{computed 'R' as (i, j) -> (i : hashed, j : hashed) and converted it, since its subscripts come in an order that no loops go through; stored so, it need not be}}
  %R = tin.einsum "R(i+j,i-j+9) = A(i,j)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  return %R : tensor<?x?xf64, #DCSR>
}

// One variable is enough for loops where it is outside: nothing is converted.
// CHECK-LABEL: func.func @shared_outside
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @shared_outside(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> {
  %R = tin.einsum "R(i,i+j) = A(i,j)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  return %R : tensor<?x?xf64, #DCSR>
}

// Where it is inside there are loops in order, but over all i + j and j.
// CHECK-LABEL: func.func @shared_inside
// CHECK:       tin.convert
func.func @shared_inside(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> {
  // expected-remark@+1 {{computed 'R' as (i, j) -> (i : hashed, j : hashed) and converted it, since loops through its subscripts in order would go where no entries are; stored so, it need not be}}
  %R = tin.einsum "R(i+j,j) = A(i,j)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  return %R : tensor<?x?xf64, #DCSR>
}

// Where no loops through a subscript are in the orders of all operands, what comes to it is computed before.
// CHECK-LABEL: func.func @computed_before
// CHECK-SAME:  %[[A:.*]]: tensor<{{.*}}>, %[[B:.*]]: tensor<{{.*}}>
// CHECK:       %[[T:.*]] = tin.compute (i, j) %[[A]][j, i], %[[B]][i, j] -> [i, j] attributes {order = ["i", "j"], order_is_chosen, tensor_names = ["A", "B", "t"]}
// CHECK:       tensor<?x?xf64, #[[HASHED]]>
// CHECK:       tin.compute (i, j, i_j) %[[T]][i, j] -> [i_j]
// CHECK-NEXT:  ^bb0(%[[VALUE:.*]]: f64):
// CHECK-NEXT:  tin.reduce add %[[VALUE]] over (i, j) at (i_j)
func.func @computed_before(%A: tensor<?x?xf64, #List>, %B: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  // expected-remark@+1 {{what comes to subscripts of the result is computed before, into a temporary over i, j, since no loops go through both}}
  %R = tin.einsum "R(i-j+9) = A(j,i) * B(i,j)" (%A, %B) : (tensor<?x?xf64, #List>, tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %R : tensor<?xf64>
}
