// Arrays of a stored tensor are loads from its handle, at the fields' offsets of lac_tensor.
// RUN: sparse-opt %s | sparse-opt --lower-arrays --canonicalize | FileCheck %s
// RUN: sparse-opt %s | FileCheck %s --check-prefix=SIT

// SIT: sit.array %arg0 level 1 slot 0 : memref<?xi32>
// SIT: sit.values %arg0 : memref<?xf64>
// SIT: sit.memory %arg1[%arg2] : memref<?xcomplex<f32>>

// CHECK-LABEL: func.func @f
// CHECK-DAG: llvm.getelementptr %arg0[24] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-DAG: llvm.getelementptr %{{.*}}[160] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-DAG: llvm.getelementptr %{{.*}}[168] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: builtin.unrealized_conversion_cast %{{.*}} to memref<?xi32>
// CHECK: llvm.getelementptr %arg0[32] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: builtin.unrealized_conversion_cast %{{.*}} to memref<?xf64>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} to memref<?xcomplex<f32>>
// CHECK-NOT: sit.
func.func @f(%A: !llvm.ptr, %p: !llvm.ptr, %n: index) -> (memref<?xi32>, memref<?xf64>, memref<?xcomplex<f32>>) {
  %pos = sit.array %A level 1 slot 0 : memref<?xi32>
  %values = sit.values %A : memref<?xf64>
  %scratch = sit.memory %p[%n] : memref<?xcomplex<f32>>
  return %pos, %values, %scratch : memref<?xi32>, memref<?xf64>, memref<?xcomplex<f32>>
}
