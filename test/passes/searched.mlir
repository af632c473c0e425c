// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-to-cin --cin-insert-conversions --cin-choose-assembly --sparsify | FileCheck %s

// A coordinate that is known, of a subscript that is more than a variable, is searched for in what is stored.

#Sparse = #tin.format<(i) -> (i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>

// CHECK-LABEL: @superdiagonal
// CHECK-NOT:   tin.convert
// CHECK:       case () as (%i) {
// CHECK-NEXT:    %[[ROW:.*]] = sit.locate %A level 0 at %i
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1
// CHECK-NEXT:    %[[J:.*]] = arith.addi %i, %[[ONE]]
// CHECK-NEXT:    sit.coiterate %A level 1 under %[[ROW]] at %[[J]]
func.func @superdiagonal(%A: tensor<?x?xf64, #CSR>) -> tensor<5xf64> {
  %y = tin.einsum "y(i) = A(i,i+1)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<5xf64>
  return %y : tensor<5xf64>
}

// In a list: the rows that have entries, some offset away, and one of the entries of each.
// CHECK-LABEL: @subdiagonal
// CHECK-NOT:   tin.convert
// CHECK:       sit.coiterate %A level 0 offset %{{.*}} from %{{.*}} to %{{.*}} named "i"
// CHECK-NEXT:  case (0) as (%i, %[[ROW:.*]]) {
// CHECK-NEXT:    sit.coiterate %A level 1 under %[[ROW]] at %i
func.func @subdiagonal(%A: tensor<?x?xf64, #COO>) -> tensor<5xf64> {
  %y = tin.einsum "y(i) = A(i+1,i)" (%A) : (tensor<?x?xf64, #COO>) -> tensor<5xf64>
  return %y : tensor<5xf64>
}

// Where nothing is stored the function of it is not zero.
// CHECK-LABEL: @function
// CHECK-NOT:   tin.convert
// CHECK:       sit.coiterate %x level 0 offset %k over %{{.*}} from
// CHECK-NEXT:  case (0)
// CHECK:       case ()
func.func @function(%x: tensor<?xf64, #Sparse>, %f: tensor<3xf64>) -> tensor<10xf64> {
  %y = tin.einsum "y(i) = exp(x(i+k)) * f(k)" (%x, %f) : (tensor<?xf64, #Sparse>, tensor<3xf64>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}

// A variable that a subscript above needs is known by then, and searched for too.
// CHECK-LABEL: @known_above
// CHECK-NOT:   tin.convert
// CHECK:       sit.coiterate %A level 0 offset %{{.*}} over %{{.*}} from
// CHECK:       sit.coiterate %A level 1
// CHECK:       sit.coiterate %A level 2 {{.*}}at %j
func.func @known_above(%A: tensor<?x?x?xf64, #CSF>) -> tensor<?x?x2xf64> {
  %y = tin.einsum "R(i,j,k) = abs(A(2*j+k,i,j) - 2)" (%A) : (tensor<?x?x?xf64, #CSF>) -> tensor<?x?x2xf64>
  return %y : tensor<?x?x2xf64>
}
