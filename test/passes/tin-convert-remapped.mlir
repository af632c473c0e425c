// RUN: sparse-opt %s --tin-expand-einsum --tin-convert-remapped | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-convert-remapped --tin-lower-conversions --tin-to-cin --cin-choose-assembly --sparsify | FileCheck %s --check-prefix=SIT
// Blocks are walked as they stand where all else is located, and in a nest of their own where they are added to
// others; in a result by columns they go by way of a coordinate list.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#Blocks = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#Antidiagonals = #tin.format<(i, j) -> (i + j : compressed, i : range, j : offset)>
#Diagonals = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>

// CHECK-LABEL: func.func @alone
// CHECK-NOT: tin.convert
// CHECK: tin.compute (i, j) %arg0[i, j], %arg1[j] -> [i]

// SIT-LABEL: func.func @alone
// SIT: case () as (%i_block)
// SIT: sit.coiterate %A level 1 under
// SIT: case (0) as (%j_block,
// SIT: case () as (%i_in)
// SIT: %[[BASE:.*]] = arith.muli %i_block, %{{.*}} : index
// SIT: %[[ROW:.*]] = arith.addi %[[BASE]], %i_in : index
// SIT: %[[INSIDE:.*]] = arith.cmpi slt, %[[ROW]],
// SIT: scf.if %[[INSIDE]]
// SIT: sit.locate %A level 2 at %i_in under
func.func @alone(%A: tensor<?x?xf64, #Blocks>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Blocks>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The column follows from the diagonal and the row: no loop goes over it.

// SIT-LABEL: func.func @diagonals
// SIT: sit.coiterate %A level 0
// SIT: case (0) as (%j_i,
// SIT: sit.coiterate {{.*}}from
// SIT: case () as (%i)
// SIT: sit.locate %A level 1 at %i
// SIT-NOT: sit.coiterate
// SIT: sit.accumulate
func.func @diagonals(%A: tensor<?x?xf64, #Diagonals>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Diagonals>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// SIT-LABEL: func.func @antidiagonals
// SIT: sit.coiterate %A level 0
// SIT: case (0) as (%i_plus_j,
// SIT: sit.coiterate {{.*}}from
// SIT: case () as (%i)
// SIT: %{{.*}} = arith.subi %i_plus_j, %i
// SIT-NOT: sit.coiterate
// SIT: sit.accumulate
func.func @antidiagonals(%A: tensor<?x?xf64, #Antidiagonals>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Antidiagonals>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @columns
// CHECK: tin.convert %arg
// CHECK: tin.compute
func.func @columns(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64, #CSC> {
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64, #CSC>
  return %C : tensor<?x?xf64, #CSC>
}

// Blocks are collected, whatever the order of the entries.

// CHECK-LABEL: func.func @result
// CHECK-NOT: tin.convert
// CHECK: tin.compute

// SIT-LABEL: func.func @result
// SIT: sit.result {{.*}} by collect
// SIT: sit.count %C level 1
// SIT: sit.edges %C level 1
// SIT: sit.place %C level 1
func.func @result(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #Blocks> {
  %C = tin.einsum "C(i,j) = 2 * A(i,j)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #Blocks>
  return %C : tensor<?x?xf64, #Blocks>
}

// Of a second operand in blocks the loops go through what the first one does not tell; the blocks
// may differ. A is walked by rows, B located in its blocks of rows.

// CHECK-LABEL: func.func @product
// CHECK-NOT: tin.convert
// CHECK: return

// SIT-LABEL: func.func @product
// SIT-DAG: sit.coiterate %A level 1 under
// SIT-DAG: case (0) as (%k_block,
// SIT: sit.coiterate %B level 1 under
// SIT: case (0) as (%j_block,
func.func @product(%A: tensor<?x?xf64, #Blocks>, %B: tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B) : (tensor<?x?xf64, #Blocks>, tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @rows_times_blocks
// CHECK-NOT: tin.convert
// CHECK: return

// SIT-LABEL: func.func @rows_times_blocks
// SIT: case (0) as (%k,
// SIT: %[[BLOCK:.*]] = arith.sh{{.*}} %k,
// SIT: sit.locate %B level 0 at %[[BLOCK]]
// SIT: sit.coiterate %B level 1 under
func.func @rows_times_blocks(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64> {
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #Blocks>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}
