// Nested reductions that cannot stand inside the other loops, or should not, become statements of their own.
// RUN: sparse-opt %s --tin-expand-einsum --tin-split-terms -verify-diagnostics | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>


// CHECK-LABEL: @columns
// CHECK:       %[[t:.*]] = tin.compute (i, j) %{{.*}}[i, j], %{{.*}}[j] -> [i] attributes {tensor_names = ["A", "x", "t"]} {
// CHECK:         tin.reduce add %{{.*}} over (j)
// CHECK:       } : {{.*}} -> tensor<?xf64>
// CHECK-NEXT:  tin.compute (i) %{{.*}}[i], %[[t]][i] -> [i] attributes {tensor_names = ["b", "t", "y"]} {
// CHECK-NEXT:  ^bb0(%[[b:.*]]: f64, %[[s:.*]]: f64):
// CHECK-NEXT:    %[[r:.*]] = arith.subf %[[b]], %[[s]]
// CHECK-NEXT:    arith.mulf %[[b]], %[[r]]
func.func @columns(%b: tensor<?xf64>, %A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-remark@+1 {{the reduction over j is computed before, into a temporary over i, since inside the other loops it would need the order i -> j (a nested reduction) -> i (A)}}
  %y = tin.einsum "y(i) = b(i) * (b(i) - A(i,j) * x(j))" (%b, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A sum that is one of the terms goes into the result itself.
// CHECK-LABEL: @term
// CHECK:       tin.compute
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @term(%b: tensor<?xf64>, %A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) - A(i,j) * x(j)" (%b, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @rows
// CHECK:       tin.compute
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @rows(%b: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) - A(i,j) * x(j)" (%b, %A, %x)
     : (tensor<?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A sparse result gives the temporary its format.
// CHECK-LABEL: @sparse
// CHECK:       tin.compute (i, j, k) {{.*}} -> [i, j]
// CHECK:       } : {{.*}} -> tensor<?x?xf64, #[[CSR:.*]]>
// CHECK-NEXT:  tin.compute (i, j) %{{.*}}[i, j], %{{.*}}[i, j] -> [i, j]
// CHECK:       } : (tensor<?x?xf64, #[[CSR]]>, tensor<?x?xf64, #[[CSR]]>) -> tensor<?x?xf64, #[[CSR]]>
func.func @sparse(%D: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  // expected-remark@+1 {{the reduction over k is computed before, into a temporary over i, j}}
  %C = tin.einsum "C(i,j) = D(i,j) * (D(i,j) + A(i,k) * B(k,j))" (%D, %A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// Along the rows of B, not down its columns.
// CHECK-LABEL: @dense
// CHECK-COUNT-2: tin.compute
func.func @dense(%D: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  // expected-remark@+1 {{the reduction over k is computed before, into a temporary over i, j, since inside the other loops it would take longer}}
  %C = tin.einsum "C(i,j) = D(i,j) + A(i,k) * B(k,j)" (%D, %A, %B)
     : (tensor<?x?xf64>, tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

// The identity of the reduction is what a temporary holds where nothing is reduced.
// CHECK-LABEL: @semiring
// CHECK:       fills = [0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64], tensor_names = ["A", "x", "t"]
// CHECK:       fills = [0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64], tensor_names = ["y0", "t", "y"]
func.func @semiring(%y0: tensor<?xf64>, %A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-remark@+1 {{the reduction over j is computed before}}
  %y = tin.einsum "y(i) = y0(i) * (y0(i) + A(i,j) * x(j))" (%y0, %A, %x) semiring "min_plus"
     : (tensor<?xf64>, tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Not a dense matrix of the size of all pairs: converting C is cheaper, which tin-insert-conversions does.
// CHECK-LABEL: @convertible
// CHECK:       tin.compute
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @convertible(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * (B(j,k) * C(k,i) + A(i,j))" (%A, %B, %C)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The size of j_1 is told by the other sum alone: they stay together.
// CHECK-LABEL: @size_elsewhere
// CHECK:       tin.compute {{.*}} attributes {alike = {
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @size_elsewhere(%A: tensor<?x?xf64, #CSC>, %c: tensor<?xf64>, %B: tensor<?x?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = c(i) * (c(i) - A(i,j)) + B(i,2*j)" (%c, %A, %B)
     : (tensor<?xf64>, tensor<?x?xf64, #CSC>, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Neither statement sees the sizes of both k and k_1.
// CHECK-LABEL: @sizes_of_both
// CHECK:       tin.match "k" %{{.*}}[0], %{{.*}}[1] : tensor<?xf64>, tensor<?x?xf64, #{{.*}}>
// CHECK-NEXT:  tin.compute (j, k_1)
// CHECK:       tin.compute (j, k) 
func.func @sizes_of_both(%x: tensor<?xf64>, %A: tensor<?x?xf64, #CSC>, %z: tensor<?xf64>) -> tensor<f64> {
  // expected-remark@+1 {{the reduction over k_1 is computed before}}
  %y = tin.einsum "y = x(j) + A(j,k) + z(k)" (%x, %A, %z)
     : (tensor<?xf64>, tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// Blocks are read as they are stored, in a statement of their own.
// CHECK-LABEL: @blocks
// CHECK-NOT:   tin.convert
// CHECK:       %[[t:.*]] = tin.compute (i, j) %{{.*}}[], %{{.*}}[i, j], %{{.*}}[j] -> [i] attributes {tensor_names = ["a", "A", "x", "t"]} {
// CHECK:       } : {{.*}} -> tensor<?xf64>
// CHECK:       tin.compute (i) %[[t]][i], %{{.*}}[i] -> [i]
#Blocks = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
func.func @blocks(%a: tensor<f64>, %A: tensor<?x?xf64, #Blocks>, %x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
  // expected-remark@+1 {{the reduction over j is computed before, into a temporary over i, since else no loops would go through what the levels of all operands hold}}
  %y = tin.einsum "y(i) = (a * A(i,j) * x(j) + z(i)) * z(i)" (%a, %A, %x, %z)
     : (tensor<f64>, tensor<?x?xf64, #Blocks>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// An operand of another part goes along where it alone tells how far a variable goes: l, which D would leave more.
// CHECK-LABEL: @told_elsewhere
// CHECK:       tin.compute ({{.*}}) %[[D:.*]][j, l * 2], %[[B:.*]][l, k] -> [l] attributes {tensor_names = ["D", "B", "t"]} {
// CHECK:         tin.reduce add %{{.*}} over (j)
func.func @told_elsewhere(%B: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?xf64> {
  // expected-remark@+2 {{the reduction over j is computed before, into a temporary over l, since loops go through subscripts of the result alone}}
  // expected-remark@+1 {{the reduction over k is computed before, into a temporary over l, since loops go through subscripts of the result alone}}
  %y = tin.einsum "y(2*l) = B(l,k) - D(j,2*l)" (%B, %D) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// An operand that nothing reads, and that tells how far i goes, goes along; and so does the one that tells how far
// l goes, of its other subscript.

#COO3 = #tin.format<(i, j, k) -> (i : compressed(nonunique), k : singleton(nonunique), j : singleton(nonunique))>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
#LIST = #tin.format<(i) -> (i : compressed)>
#TUPLES = #tin.format<(i, j, k) -> (i : compressed, 1 : dense, j : banded, -1 * k + 1 : tuples(1))>

// CHECK-LABEL: @unread
// CHECK:       %[[t:.*]] = tin.compute (l, k, j, i) %{{.*}}[j], %{{.*}}[k], %{{.*}}[i + 2, k - l] pad, %{{.*}}[l, k, j] -> [k, j]
// CHECK:         tin.reduce add %{{.*}} over (i)
// CHECK:       tin.compute (l, k, j, i) %{{.*}}[l, k, j], %[[t]][k, j], %{{.*}}[i + 2, k - l] pad -> [l, k, j]
func.func @unread(%R: tensor<?x?x?xf64, #COO3>, %C: tensor<?xf64, #LIST>, %D: tensor<?x?xf64, #COO>,
                  %E: tensor<?xf64, #LIST>) -> tensor<?x?x?xf64, #TUPLES> {
  // expected-remark@+1 {{the reduction over i is computed before, into a temporary over k, j, since else no loops would go through what the levels of all operands hold}}
  %0 = tin.einsum "R(l,k,j) += C(j) * imag(D[pad](i+2,k-l)) * E(k)" (%R, %C, %D, %E)
     : (tensor<?x?x?xf64, #COO3>, tensor<?xf64, #LIST>, tensor<?x?xf64, #COO>, tensor<?xf64, #LIST>) -> tensor<?x?x?xf64, #TUPLES>
  return %0 : tensor<?x?x?xf64, #TUPLES>
}
