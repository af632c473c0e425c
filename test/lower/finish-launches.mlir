// RUN: sparse-opt %s --lower-launches=emulated | FileCheck %s
// Launches are finished where the host may look at what they wrote, and not before.

// A kernel is one launch's alone.
module attributes {gpu.container_module} {
gpu.module @m {
  func.func private @lac_device_status(!llvm.ptr)
  gpu.func @k(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k2(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k3(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k4(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k5(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k6(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k7(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @k8(%status: !llvm.ptr, %y: memref<?xi64>) kernel {
    func.call @lac_device_status(%status) : (!llvm.ptr) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i64
    memref.store %c1, %y[%c0] : memref<?xi64>
    gpu.return
  }
}
func.func private @lac_device_number(!llvm.ptr, !llvm.ptr) -> i64
func.func private @lac_device_scratch(i64, !llvm.ptr) -> !llvm.ptr
func.func private @lac_device_release(!llvm.ptr, i64)
func.func private @lac_kernel_data(!llvm.ptr, i64, i64) -> !llvm.ptr
func.func private @lac_kernel_grow_raw(!llvm.ptr, i64, i64, i64, !llvm.ptr) -> i64

// What is looked at is one number; what is allocated in between is no array of a launch; scratch is given back.
// CHECK-LABEL: func.func @together(
// CHECK: call @lac_device_launch
// CHECK-NOT: call @lac_device_finish
// CHECK: call @lac_device_number
// CHECK-NOT: call @lac_device_finish
// CHECK: call @lac_device_release
// CHECK: call @lac_kernel_grow_raw
// CHECK-NOT: call @lac_device_finish
// CHECK: call @lac_device_launch
// CHECK: call @lac_device_finish(
// CHECK-NEXT: memref.load
// CHECK-NOT: call @lac_device_finish
func.func @together(%handle: !llvm.ptr, %status: !llvm.ptr, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %p = call @lac_kernel_data(%handle, %1, %0) : (!llvm.ptr, i64, i64) -> !llvm.ptr
  %y = sit.memory %p[%n] : memref<?xi64>
  gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  %counted = call @lac_device_number(%p, %status) : (!llvm.ptr, !llvm.ptr) -> i64
  %scratch = call @lac_device_scratch(%counted, %status) : (i64, !llvm.ptr) -> !llvm.ptr
  call @lac_device_release(%scratch, %counted) : (!llvm.ptr, i64) -> ()
  %room = call @lac_kernel_grow_raw(%handle, %1, %1, %counted, %status) : (!llvm.ptr, i64, i64, i64, !llvm.ptr) -> i64
  gpu.launch_func @m::@k2 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  %x = memref.load %y[%c0] : memref<?xi64>
  return %x : i64
}

// An array of a launch is moved, or one that may be it.
// CHECK-LABEL: func.func @moved(
// CHECK: call @lac_device_launch
// CHECK-NEXT: call @lac_device_finish
// CHECK-NEXT: call @lac_kernel_grow_raw
func.func @moved(%handle: !llvm.ptr, %status: !llvm.ptr, %n: index) {
  %c1 = arith.constant 1 : index
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %p = call @lac_kernel_data(%handle, %1, %0) : (!llvm.ptr, i64, i64) -> !llvm.ptr
  %y = sit.memory %p[%n] : memref<?xi64>
  gpu.launch_func @m::@k3 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  %room = call @lac_kernel_grow_raw(%handle, %1, %0, %1, %status) : (!llvm.ptr, i64, i64, i64, !llvm.ptr) -> i64
  return
}
// CHECK-LABEL: func.func @moved_any(
// CHECK: call @lac_device_launch
// CHECK-NEXT: call @lac_device_finish
// CHECK-NEXT: call @lac_kernel_grow_raw
func.func @moved_any(%y: memref<?xi64>, %handle: !llvm.ptr, %status: !llvm.ptr) {
  %c1 = arith.constant 1 : index
  %1 = arith.constant 1 : i64
  gpu.launch_func @m::@k4 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  %room = call @lac_kernel_grow_raw(%handle, %1, %1, %1, %status) : (!llvm.ptr, i64, i64, i64, !llvm.ptr) -> i64
  return
}

// A branch goes on with what is launched before, and ends it where it looks; what it leaves is ended behind both.
// CHECK-LABEL: func.func @branches(
// CHECK: call @lac_device_launch
// CHECK-NEXT: scf.if
// CHECK: call @lac_device_launch
// CHECK-NEXT: } else {
// CHECK-NEXT: call @lac_device_finish
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: call @lac_device_finish
// CHECK-NEXT: return
func.func @branches(%y: memref<?xi64>, %status: !llvm.ptr, %more: i1) {
  %c1 = arith.constant 1 : index
  %1 = arith.constant 1 : i64
  gpu.launch_func @m::@k5 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  scf.if %more {
    gpu.launch_func @m::@k6 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  } else {
    memref.store %1, %y[%c1] : memref<?xi64>
  }
  return
}

// A loop begins and ends with all finished.
// CHECK-LABEL: func.func @loop(
// CHECK: call @lac_device_launch
// CHECK: call @lac_device_finish
// CHECK-NEXT: scf.for
// CHECK: call @lac_device_launch
// CHECK-NEXT: call @lac_device_finish
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loop(%y: memref<?xi64>, %status: !llvm.ptr, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @m::@k7 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  scf.for %i = %c1 to %n step %c1 {
    gpu.launch_func @m::@k8 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : !llvm.ptr, %y : memref<?xi64>)
  }
  return
}
}
