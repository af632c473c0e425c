// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-insert-workspaces --cin-choose-assembly --sparsify | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-parallelize=threads=2 | FileCheck %s --check-prefix=THREADS
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-insert-workspaces | FileCheck %s --check-prefix=REGISTERS
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-insert-workspaces=strict=true | FileCheck %s --check-prefix=STRICT
// Loops through blocks: as they are stored, and with a test for the end of a dimension only where
// what is stored does not promise to stay inside.

#Lists = #tin.format<(i, j) -> (j floordiv 8 : dense, i floordiv 4 : dense, i mod 4 : compressed(nonunique), j mod 8 : singleton)>

// CHECK-LABEL: func.func @lists
// CHECK: case () as (%j_block)
// CHECK: case () as (%i_block)
// CHECK: sit.coiterate %A level 2 {{.*}} fused
// CHECK-NOT: scf.if
// CHECK: sit.coiterate %A level 3
// CHECK-NOT: scf.if
// CHECK: sit.accumulate

// Threads share out the rows of blocks, which do not write to the same places.

// THREADS-LABEL: func.func @lists
// THREADS: cin.forall %i_block on cpu_thread no_races
// THREADS: cin.forall %j_block {
func.func @lists(%A: tensor<?x?xf64, #Lists>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Lists>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

#Blocks = #tin.format<(i, j) -> (i floordiv 3 : dense, j floordiv 2 : compressed, i mod 3 : dense, j mod 2 : dense)>

// A block row is summed in registers, over whole blocks without a test but for one; the last column
// of blocks has a test at each place.  No row is asked for before the sums are stored.

// CHECK-LABEL: func.func @blocks
// CHECK: case () as (%i_block)
// CHECK: sit.coiterate %A level 1
// CHECK: case (0) as (%j_block,
// CHECK: %[[NEXT:.*]] = arith.addi %j_block,
// CHECK: %[[END:.*]] = arith.muli %[[NEXT]],
// CHECK: %[[WHOLE:.*]] = arith.cmpi sle, %[[END]],
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: case () as (%i_in)
// CHECK-NOT: scf.if
// CHECK: case () as (%j_in)
// CHECK: scf.if

// REGISTERS-LABEL: func.func @blocks
// REGISTERS: %w = cin.workspace(%i_in) : tensor<3xf64>
// REGISTERS: cin.forall %i_block
// REGISTERS: cin.where
// REGISTERS: cin.assign %y[%i] =
// REGISTERS: producing %w
// REGISTERS: cin.forall %j_block
// REGISTERS: cin.forall %i_in
// REGISTERS: cin.assign %w[%i_in] add

// In the program's order each term is added to the row's sum.

// STRICT-LABEL: func.func @blocks
// STRICT-NOT: tensor<f64>
// STRICT: %w = cin.workspace(%i_in) : tensor<3xf64>
// STRICT: cin.forall %j_in
// STRICT: %[[TERM:.*]] = arith.mulf
// STRICT: cin.assign %w[%i_in] add %[[TERM]]
func.func @blocks(%A: tensor<?x?xf64, #Blocks>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Blocks>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// All that a sum over everything asks for must be in bounds.

// CHECK-LABEL: func.func @total
// CHECK: case (0) as (%j_block,
// CHECK: arith.andi
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: case () as (%i_in)
// CHECK: scf.if
// CHECK: case () as (%j_in)
// CHECK: scf.if
func.func @total(%A: tensor<?x?xf64, #Blocks>) -> tensor<f64> {
  %s = tin.einsum "s = A(i,j)" (%A) : (tensor<?x?xf64, #Blocks>) -> tensor<f64>
  return %s : tensor<f64>
}

#Digits = #tin.format<(i, j) -> (i floordiv 12 : dense, j floordiv 2 : compressed, (i floordiv 3) mod 4 : dense, i mod 3 : dense, j mod 2 : dense)>

// Blocks of blocks: which one of 3 rows it is follows from its place among 4; the rows of one that ends in
// bounds have no test.

// CHECK-LABEL: func.func @digits
// CHECK: case (0) as (%j_block,
// CHECK: case () as (%i_block_in)
// CHECK: scf.if
// CHECK: %[[ROWS:.*]] = arith.cmpi sle,
// CHECK: %[[COLUMNS:.*]] = arith.cmpi sle,
// CHECK: %[[WHOLE:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]]
// CHECK: scf.if %[[WHOLE]] {
// CHECK: case () as (%i_in)
// CHECK-NOT: scf.if
// CHECK: sit.accumulate
// CHECK: } else {
// CHECK: case () as (%i_in)
// CHECK: scf.if
func.func @digits(%A: tensor<?x?xf64, #Digits>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Digits>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
