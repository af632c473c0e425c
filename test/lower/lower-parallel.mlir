// RUN: sparse-opt %s --lower-parallel | FileCheck %s

// Iterations in a parallel region, dealt out in chunks by a counter; how many threads there are is asked before. One
// alone takes all at once.
// CHECK-LABEL: func.func @fill
// CHECK: %[[PARTS:.*]] = call @lac_kernel_parts_count() : () -> i64
// CHECK: %[[N:.*]] = arith.index_castui %[[PARTS]]
// CHECK: %[[SEVERAL:.*]] = call @lac_kernel_several() : () -> i1
// CHECK: %[[MOST:.*]] = scf.if %[[SEVERAL]] -> (i32)
// CHECK: func.call @omp_get_max_threads() : () -> i32
// CHECK: %[[TEAM:.*]] = call @lac_kernel_threads(%[[MOST]]) : (i32) -> i32
// CHECK: %[[PART:.*]] = arith.floordivsi %arg0, %[[N]]
// CHECK: %[[ALONE:.*]] = arith.cmpi eq, %[[TEAM]], %c1_i32
// CHECK: %[[SIZE:.*]] = arith.select %[[ALONE]], %arg0, %[[PART]]
// CHECK: %[[CHUNK:.*]] = arith.maxsi %{{.*}}, %[[SIZE]]
// CHECK: memref.store %c0_i64, %[[NEXT:.*]][%{{.*}}] : memref<1xi64>
// CHECK: omp.parallel num_threads(%[[TEAM]] : i32)
// CHECK: scf.while
// CHECK:   memref.atomic_rmw addi %{{.*}}, %[[NEXT]]
// CHECK: do
// CHECK:   arith.addi %{{.*}}, %[[CHUNK]]
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:     memref.store %{{.*}}[%[[I]]]
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

// An array on the stack is each thread's, made once, whatever it stands in.
// CHECK-LABEL: func.func @arrays
// CHECK:      omp.parallel
// CHECK-NEXT:   %[[SIZE:.*]] = arith.constant 64 : i64
// CHECK-NEXT:   %[[ARRAY:.*]] = llvm.alloca %[[SIZE]] x i64
// CHECK-NOT:    llvm.alloca
// CHECK:        scf.while
// CHECK-NOT:    llvm.alloca
// CHECK:        scf.if
// CHECK:          llvm.store %{{.*}}, %[[ARRAY]]
func.func @arrays(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2 : i64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.if %c {
      %size = arith.constant 64 : i64
      %array = llvm.alloca %size x i64 : (i64) -> !llvm.ptr
      llvm.store %x, %array : i64, !llvm.ptr
    }
  }
  return
}

// What a loop says of how its iterations are dealt out.
// CHECK-LABEL: func.func @fill_said
// CHECK: omp.parallel
// CHECK-NOT: atomic
// CHECK: call @omp_get_thread_num()
// CHECK: call @omp_get_num_threads()
// CHECK: scf.for
// CHECK: arith.select %{{.*}}, %arg0, %c16
// CHECK: omp.parallel
// CHECK: memref.atomic_rmw
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

// A loop in another has its counter in the code of the other one's threads. Iterations are counted from zero.
// CHECK-LABEL: func.func @nested
// CHECK: memref.alloca
// CHECK-NOT: memref.alloca
// CHECK: omp.parallel
// CHECK-NEXT: memref.alloca
// CHECK: omp.parallel
// CHECK: arith.muli %{{.*}}, %c3
func.func @nested(%n: index, %m: memref<?xf64>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  scf.parallel (%i) = (%c2) to (%n) step (%c1) {
    scf.parallel (%j) = (%i) to (%n) step (%c3) {
      memref.store %x, %m[%j] : memref<?xf64>
    }
  }
  return
}
