// RUN: sparse-opt %s --lower-parallel | FileCheck %s

// Iterations in a parallel region, dealt out in chunks; how many threads there are is asked there.
// CHECK-LABEL: func.func @fill
// CHECK: %[[MOST:.*]] = call @omp_get_max_threads() : () -> i32
// CHECK: %[[TEAM:.*]] = call @lac_kernel_threads(%[[MOST]]) : (i32) -> i32
// CHECK: omp.parallel num_threads(%[[TEAM]] : i32)
// CHECK: omp.wsloop schedule(dynamic =
// CHECK: omp.loop_nest (%[[I:.*]]) : index
// CHECK: memref.store %{{.*}}[%[[I]]]
// CHECK-NOT: scf.parallel
func.func @fill(%n: index, %m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<?xf64>
  }
  return
}

// What a loop says of how its iterations are dealt out.
// CHECK-LABEL: func.func @fill_said
// CHECK: omp.wsloop schedule(static) {
// CHECK: %[[SIXTEEN:.*]] = arith.constant 16 : i64
// CHECK: omp.wsloop schedule(dynamic = %[[SIXTEEN]] : i64) {
func.func @fill_said(%n: index, %m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<?xf64>
  } {static}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<?xf64>
  } {dynamic = 16 : i64}
  return
}
