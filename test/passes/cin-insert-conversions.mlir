// What is stored in another order than the loops go in is converted; results that they cannot build are
// built otherwise.
// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-to-cin --cin-insert-conversions -verify-diagnostics | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#TABLE = #tin.format<(i) -> (i : hashed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#DCSC = #tin.format<(i, j) -> (j : compressed, i : compressed)>
#NARROW = #tin.format<(i, j) -> (i : compressed, j : compressed), pos = 16, crd = 16>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#CSF210 = #tin.format<(i, j, k) -> (k : compressed, j : compressed, i : compressed)>

// CHECK-DAG: #[[CSR:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-DAG: #[[CSC:.*]] = #tin.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-DAG: #[[DCSR:.*]] = #tin.format<(i, j) -> (i : compressed, j : compressed)>
// CHECK-DAG: #[[DCSC:.*]] = #tin.format<(i, j) -> (j : compressed, i : compressed)>
// CHECK-DAG: #[[NARROW:.*]] = #tin.format<(i, j) -> (i : compressed, j : compressed), pos = 16, crd = 16>
// CHECK-DAG: #[[LIST:.*]] = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>

// CHECK-LABEL: @sum
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSR]]>, %[[B:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  %[[B1:.*]] = tin.convert %[[B]] : tensor<?x?xf64, #[[CSC]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK-NEXT:  cin.kernel(%[[A]], %[[B1]])
// CHECK-NEXT:  %{{.*}}: tensor<?x?xf64, #[[CSR]]>, %{{.*}}: tensor<?x?xf64, #[[CSR]]>
func.func @sum(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'B' to (i, j) -> (i : dense, j : compressed), since the orders of the levels form a cycle, i -> j (A) -> i (B); stored so, it need not be}}
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// One conversion of the result, not two of the operands.
// CHECK-LABEL: @result
// CHECK:       %[[C:.*]] = cin.kernel
// CHECK:       } : {{.*}} -> tensor<?x?xf64, #[[DCSR]]>
// CHECK-NEXT:  tin.convert %[[C]] : tensor<?x?xf64, #[[DCSR]]> to tensor<?x?xf64, #[[DCSC]]>
func.func @result(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSC> {
  // expected-remark@+1 {{computed 'C' as (i, j) -> (i : compressed, j : compressed) and converted it, since the orders of the levels form a cycle, i -> j (A) -> i (C); stored so, it need not be}}
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
  // expected-remark@+1 {{converted operand 'A' to (i, j) -> (i : dense, j : compressed), since the orders of the levels form a cycle, i -> k (C) -> i (A)}}
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Rows times columns have an order, which looks at every pair of them.
// CHECK-LABEL: @inner
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSR]]>, %[[B:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  tin.convert %[[B]]
func.func @inner(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{converted operand 'B' to (i, j) -> (i : dense, j : compressed), since the loop over 'k' is outside of the one over 'j'; stored so, or by reorder(j,k), it need not be}}
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Levels of any number.
// CHECK-LABEL: @tensors
// CHECK:       tin.convert %{{.*}} : tensor<?x?x?xf64, #{{.*}}> to tensor<?x?x?xf64, #{{.*}}>
func.func @tensors(%A: tensor<?x?x?xf64, #CSF>, %B: tensor<?x?x?xf64, #CSF210>) -> tensor<?x?x?xf64, #CSF> {
  // expected-remark@+1 {{converted operand 'B' to (i, j, k) -> (i : compressed, j : compressed, k : compressed)}}
  %C = tin.einsum "C(i,j,k) = A(i,j,k) * B(i,j,k)" (%A, %B)
     : (tensor<?x?x?xf64, #CSF>, tensor<?x?x?xf64, #CSF210>) -> tensor<?x?x?xf64, #CSF>
  return %C : tensor<?x?x?xf64, #CSF>
}

// Loops that somebody ordered: outer products are recorded by rows,
// CHECK-LABEL: @products_by_rows
// CHECK-NOT:   tin.convert
// CHECK:       cin.kernel({{.*}}) by record
// CHECK:       cin.assign %{{.*}}[%i, %l] = %
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @products_by_rows(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{recorded the entries of 'A' and ordered them afterwards, since the sum over 'k' goes on outside of its entries}}
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// and else, where repetitions have no room, listed.
// CHECK-LABEL: @products_listed
// CHECK:       %[[A:.*]] = cin.kernel
// CHECK:       cin.assign %{{.*}}[%i, %l] = %
// CHECK:       } : {{.*}} -> tensor<?x?xf64, #[[LIST]]>
// CHECK:       tin.convert %[[A]] : tensor<?x?xf64, #[[LIST]]> to tensor<?x?xf64, #[[NARROW]]>
func.func @products_listed(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #NARROW> {
  // expected-remark@+1 {{computed 'A' as (i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered)) and converted it, since the sum over 'k' goes on outside of its entries}}
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #NARROW>
  return %A : tensor<?x?xf64, #NARROW>
}

// Where a part of the sum goes on inside of the entries, each is that part of it.
// CHECK-LABEL: @parts_of_sums
// CHECK:       cin.kernel({{.*}}) by record
// CHECK:       cin.assign %{{.*}}[%j, %i] add
// CHECK:       return
func.func @parts_of_sums(%A: tensor<?x?x?xf64>) -> tensor<?x?xf64, #DCSR> {
  // expected-remark@+1 {{recorded the entries of 'R' and ordered them afterwards, since the sum over 'k0' goes on outside of its entries}}
  %R = cin.kernel(%A) attributes {tensor_names = ["A", "R"]} {
  ^bb0(%A: tensor<?x?x?xf64>, %R: tensor<?x?xf64, #DCSR>):
    %j = cin.index "j"
    %i = cin.index "i"
    %k = cin.index "k"
    %k0, %k1 = cin.split %k by 5("k0", "k1")
    cin.forall %k0 {
      cin.forall %j {
        cin.forall %i {
          cin.forall %k1 {
            %1 = cin.read %A[%k, %i, %j] : tensor<?x?x?xf64>
            cin.assign %R[%j, %i] add %1 : tensor<?x?xf64, #DCSR>
          }
        }
      }
    }
  } : (tensor<?x?x?xf64>) -> tensor<?x?xf64, #DCSR>
  return %R : tensor<?x?xf64, #DCSR>
}

// Nothing to do: located, searched for, or alone with an order of its own.
// CHECK-LABEL: @agreeing
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @agreeing(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j) * B(j,2)" (%A, %x, %B)
     : (tensor<?x?xf64, #CSC>, tensor<?xf64>, tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Of what is known, a first level gets a place for each of its coordinates where these are no more than the
// entries: B of which the order is another one, and C, in which rows are looked up again and again.
// CHECK-LABEL: @told
// CHECK-SAME:  %[[B:[^:]*]]: tensor<?x?xf64, #[[DCSC]]>{{.*}}, %[[C:[^:]*]]: tensor<?x?xf64, #[[DCSR]]>
// CHECK-DAG:   %[[B1:.*]] = tin.convert %[[B]] : tensor<?x?xf64, #[[DCSC]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK-DAG:   %[[C1:.*]] = tin.convert %[[C]] : tensor<?x?xf64, #[[DCSR]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK:       cin.kernel(%[[B1]], %[[C1]])
func.func @told(%B: tensor<?x?xf64, #DCSC> {tin.holds = array<i64: 8000, 1000, 800>}, %C: tensor<?x?xf64, #DCSR> {tin.holds = array<i64: 7000, 800, 900>}) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+2 {{converted operand 'B' to (i, j) -> (i : dense, j : compressed), since the orders of the levels form a cycle}}
  // expected-remark@+1 {{converted operand 'C' to (i, j) -> (i : dense, j : compressed), since coordinates of its first level are looked up again and again; stored so, it need not be}}
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)" (%B, %C)
     : (tensor<?x?xf64, #DCSC>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// A table of which rows locate far more coordinates than it has becomes a list; not one of which they locate few, nor where
// nothing is told.
// CHECK-LABEL: @table
// CHECK-SAME:  %[[A:[^:]*]]: {{.*}}, %[[x:[^:]*]]: tensor<?xf64, #[[TABLE:[a-z]*]]>{{.*}}
// CHECK:       %[[x1:.*]] = tin.convert %[[x]] : tensor<?xf64, #[[TABLE]]> to tensor<?xf64, #[[LIST:[a-z]*]]>
// CHECK:       cin.kernel(%[[A]], %[[x1]])
func.func @table(%A: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 10000000, 1000, 1000000>}, %x: tensor<?xf64, #TABLE> {tin.holds = array<i64: 1000, 1000000>}) -> tensor<?xf64> {
  // expected-remark@+1 {{converted operand 'x' to (i) -> (i : compressed), since so many coordinates are located in it; stored so, it need not be}}
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64, #TABLE>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @few_located
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @few_located(%A: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000000, 1000, 64000000>}, %x: tensor<?xf64, #TABLE> {tin.holds = array<i64: 64000, 64000000>}) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64, #TABLE>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @table_of_unknown_size
// CHECK-NOT:   tin.convert
// CHECK:       return
func.func @table_of_unknown_size(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64, #TABLE>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64, #TABLE>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Of few entries, and many coordinates, outer products are recorded.
// CHECK-LABEL: @told_of_few
// CHECK-NOT:   tin.convert
// CHECK:       by record
func.func @told_of_few(%B: tensor<?x?xf64, #DCSC> {tin.holds = array<i64: 200, 100000, 20>}, %C: tensor<?x?xf64, #DCSR> {tin.holds = array<i64: 180, 20, 90000>}) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{recorded the entries of 'A' and ordered them afterwards}}
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)" (%B, %C)
     : (tensor<?x?xf64, #DCSC>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
