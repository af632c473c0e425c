// What threads reduce into: each chunk has a scalar of its own, each thread a copy of the result.
// RUN: split-file %s %t
// RUN: sparse-opt %t/right.mlir --lower-sit --canonicalize | FileCheck %s
// RUN: sparse-opt %t/right.mlir --lower-sit=deterministic=true --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sparse-opt %t/wrong.mlir --lower-sit -split-input-file -verify-diagnostics

//--- right.mlir
// 256 chunks, whatever the number of threads, put together in their order.
// CHECK-LABEL: func.func private @sum_kernel
// CHECK: call @lac_kernel_scratch
// CHECK: %[[partials:.*]] = sit.memory
// CHECK: scf.parallel (%[[chunk:.*]]) =
// CHECK:   %[[own:.*]] = scf.for {{.*}} iter_args
// CHECK:   memref.store %[[own]], %[[partials]][%[[chunk]]]
// CHECK: scf.for
// CHECK:   memref.load %[[partials]]
// CHECK:   arith.addf
// CHECK: call @lac_kernel_release
func.func @sum(%x: tensor<?xf64>) -> tensor<f64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<f64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %Y[] : tensor<f64>
    %zero = arith.constant 0.0 : f64
    %t = sit.var %zero by add : f64
    sit.coiterate over %n on cpu_thread parallel_reduction {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf64>
      %v = sit.value %X at %p : tensor<?xf64> -> f64
      %before = sit.get %t : f64
      %after = arith.addf %before, %v : f64
      sit.set %t, %after : f64
    }}
    %sum = sit.get %t : f64
    sit.store %sum to %Y : f64, tensor<f64>
    sit.finish %Y : tensor<f64>
  } : (tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// The first thread reduces into the result; the copies of the others are added to it.  There are no more of them, and
// no more threads, than save more than they cost: a copy of 7 places as much as 42 visits.
// CHECK-LABEL: func.func private @scatter_kernel
// CHECK: call @lac_kernel_copies_count
// CHECK: call @lac_kernel_copies_worth
// CHECK: call @lac_kernel_threads_most
// CHECK: scf.parallel
// CHECK: call @omp_get_thread_num
// CHECK: arith.select {{.*}} : !llvm.ptr
// CHECK: arith.maximumf
// CHECK: scf.for
// CHECK: arith.maximumf
// SAME-LABEL: func.func private @scatter_kernel
// SAME-NOT: lac_kernel_copies_count
// SAME: call @lac_kernel_copies_worth(%c16_i64
// SAME-NOT: omp_get_thread_num
// SAME: return
func.func @scatter(%x: tensor<?xf64>) -> tensor<7xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<7xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    %seven = arith.constant 7 : index
    %low = arith.constant 0xFFF0000000000000 : f64
    sit.result %Y[%seven] initial 0xFFF0000000000000 : f64 : tensor<7xf64>
    sit.coiterate over %n on cpu_thread temporary {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf64>
      %v = sit.value %X at %p : tensor<?xf64> -> f64
      %place = arith.remui %i, %seven : index
      %o = sit.insert %Y level 0 at %place : tensor<7xf64>
      sit.accumulate max %v to %Y at %o : f64, tensor<7xf64>
    }}
    sit.finish %Y : tensor<7xf64>
  } : (tensor<?xf64>) -> tensor<7xf64>
  return %y : tensor<7xf64>
}

// In a loop that is not on threads: copies are made before it, and put together behind it.
// CHECK-LABEL: func.func private @rounds_kernel
// CHECK: func.call @lac_kernel_copies_count
// CHECK: %[[COPIES:.*]] = func.call @lac_kernel_copies_worth
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[COPIES]] : i64 to index
// CHECK: func.call @lac_kernel_scratch
// CHECK: %[[MOST:.*]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK: func.call @lac_kernel_threads_most(%[[MOST]])
// CHECK: scf.for
// CHECK-NOT: func.call @lac_kernel_scratch
// CHECK: scf.parallel
// CHECK: func.call @omp_get_thread_num
// CHECK: func.call @lac_kernel_threads_most(%{{.*}})
// CHECK: scf.for {{.*}} = %c1 to %[[INDEX]]
// CHECK: arith.addf
// CHECK: func.call @lac_kernel_release
// SAME-LABEL: func.func private @rounds_kernel
// SAME: func.call @lac_kernel_scratch
// SAME-NOT: lac_kernel_threads_most
// SAME: scf.for
// SAME: scf.parallel
// SAME-NOT: func.call @lac_kernel_release
// SAME: scf.for %{{.*}} = %c1 to %c16
// SAME: func.call @lac_kernel_release
func.func @rounds(%x: tensor<?x?xf64>) -> tensor<7xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?x?xf64>, %Y: tensor<7xf64>):
    %m = sit.extent %X[0] : tensor<?x?xf64>
    %n = sit.extent %X[1] : tensor<?x?xf64>
    %seven = arith.constant 7 : index
    sit.result %Y[%seven] : tensor<7xf64>
    sit.coiterate over %m {
    case () as (%k) {
      %pk = sit.locate %X level 0 at %k : tensor<?x?xf64>
      sit.coiterate over %n on cpu_thread temporary {
      case () as (%i) {
        %p = sit.locate %X level 1 at %i under %pk : tensor<?x?xf64>
        %v = sit.value %X at %p : tensor<?x?xf64> -> f64
        %place = arith.remui %i, %seven : index
        %o = sit.insert %Y level 0 at %place : tensor<7xf64>
        sit.accumulate add %v to %Y at %o : f64, tensor<7xf64>
      }}
    }}
    sit.finish %Y : tensor<7xf64>
  } : (tensor<?x?xf64>) -> tensor<7xf64>
  return %y : tensor<7xf64>
}

//--- wrong.mlir
func.func @unsaid(%x: tensor<?xf64>) -> tensor<f64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<f64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %Y[] : tensor<f64>
    %zero = arith.constant 0.0 : f64
    %t = sit.var %zero : f64
    sit.coiterate over %n on cpu_thread parallel_reduction {
    case () as (%i) {
      // expected-error @+1 {{'sit.set' on threads expected a variable that says by what it is reduced ('by add'), found one that does not}}
      sit.set %t, %zero : f64
    }}
    sit.finish %Y : tensor<f64>
  } : (tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// -----

func.func @stored(%x: tensor<?xf64>) -> tensor<f64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<f64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %Y[] : tensor<f64>
    %zero = arith.constant 0.0 : f64
    sit.coiterate over %n on cpu_thread temporary {
    case () as (%i) {
      // expected-error @+1 {{'sit.store' expected a reduction into the result, of which threads have copies}}
      sit.store %zero to %Y : f64, tensor<f64>
    }}
    sit.finish %Y : tensor<f64>
  } : (tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}
