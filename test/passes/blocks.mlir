// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --sparsify | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-parallelize=threads=2 | FileCheck %s --check-prefix=THREADS
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
