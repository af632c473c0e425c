// RUN: sparse-opt %s --hoist-launch-arrays | FileCheck %s

// What a handle says, and the arrays that it names, stand outside; what a thread computes stays.

// CHECK-LABEL: func.func @store
// CHECK: %[[N:.*]] = arith.muli %arg1, %c2
// CHECK: %[[Y:.*]] = sit.memory %arg0[%[[N]]] : memref<?xf64>
// CHECK: %[[SIZES:.*]] = llvm.getelementptr
// CHECK: %[[SIZE:.*]] = llvm.load %[[SIZES]]
// CHECK: gpu.launch
// CHECK-NOT: llvm.load
// CHECK: arith.muli %{{.*}}, %{{.*}} : index
// CHECK: memref.store %{{.*}}, %[[Y]]
func.func @store(%p: !llvm.ptr, %n: index, %x: f64) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%b, %b1, %b2) in (%g = %n, %g1 = %c1, %g2 = %c1) threads(%t, %t1, %t2) in (%s = %c1, %s1 = %c1, %s2 = %c1) {
    %m = arith.muli %n, %c2 : index
    %y = sit.memory %p[%m] : memref<?xf64>
    %q = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %size = llvm.load %q : !llvm.ptr -> i64
    %i = arith.index_cast %size : i64 to index
    %place = arith.muli %b, %i : index
    memref.store %x, %y[%place] : memref<?xf64>
    gpu.terminator
  }
  return
}
