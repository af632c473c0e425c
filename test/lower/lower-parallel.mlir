// RUN: sparse-opt %s --lower-parallel=threads=2 | FileCheck %s
// RUN: sparse-opt %s --lower-parallel=threads=1 | FileCheck %s --check-prefix=ANY

// Iterations in a parallel region, dealt out in chunks.
// CHECK-LABEL: func.func @fill
// CHECK: omp.parallel num_threads
// CHECK: omp.wsloop schedule(dynamic =
// CHECK: omp.loop_nest (%[[I:.*]]) : index
// CHECK: memref.store %{{.*}}[%[[I]]]
// CHECK-NOT: scf.parallel
// ANY: omp.parallel {
func.func @fill(%n: index, %m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<?xf64>
  }
  return
}
