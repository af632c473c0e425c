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

// Threads' memory is taken for all of them, and given back behind the launch.

// CHECK-LABEL: func.func @scratch
// CHECK: %[[ALL:.*]] = call @lac_kernel_product(%arg2, %arg2, %arg0)
// CHECK: %[[P:.*]] = call @lac_device_scratch(%[[ALL]], %arg0)
// CHECK: %[[W:.*]] = sit.memory %[[P]]
// CHECK: gpu.launch
// CHECK-NOT: call
// CHECK: memref.store %{{.*}}, %[[W]]
// CHECK: gpu.terminator
// CHECK: call @lac_device_release(%[[P]], %[[ALL]])
func.func private @lac_kernel_product(i64, i64, !llvm.ptr) -> i64
func.func private @lac_device_scratch(i64, !llvm.ptr) -> !llvm.ptr
func.func @scratch(%status: !llvm.ptr, %n: index, %bytes: i64, %x: f64) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %b1, %b2) in (%g = %n, %g1 = %c1, %g2 = %c1) threads(%t, %t1, %t2) in (%s = %c1, %s1 = %c1, %s2 = %c1) {
    %all = func.call @lac_kernel_product(%bytes, %bytes, %status) : (i64, i64, !llvm.ptr) -> i64
    %p = func.call @lac_device_scratch(%all, %status) : (i64, !llvm.ptr) -> !llvm.ptr
    %w = sit.memory %p[%n] : memref<?xf64>
    memref.store %x, %w[%b] : memref<?xf64>
    gpu.terminator
  }
  return
}
