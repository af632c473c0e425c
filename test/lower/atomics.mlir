// Every reduction of every element type into one value, by threads at once: by an instruction, by
// trying on the bits, by parts; the code for each is accepted by LLVM.
// RUN: sparse-opt %s --lower-sit --canonicalize | FileCheck %s
// RUN: sparse-opt %s --lower-sit --lower-handles --canonicalize --cse --lower-parallel \
// RUN:   --lower-arrays --convert-scf-to-cf --expand-strided-metadata --lower-affine \
// RUN:   --convert-complex-to-standard --convert-math-to-llvm --convert-complex-to-llvm \
// RUN:   --convert-openmp-to-llvm --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: clang -O1 -w -c %t.ll -o %t.o

// CHECK-LABEL: func.func private @sum_f64_kernel
// CHECK: memref.atomic_rmw addf {{.*}} : (f64, memref<?xf64>)
func.func @sum_f64(%x: tensor<?xf64>) -> tensor<1xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<1xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xf64>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf64>
      %v = sit.value %X at %p : tensor<?xf64> -> f64
      %o = sit.insert %Y level 0 at %zero : tensor<1xf64>
      sit.accumulate add %v to %Y at %o atomic : f64, tensor<1xf64>
    }}
    sit.finish %Y : tensor<1xf64>
  } : (tensor<?xf64>) -> tensor<1xf64>
  return %y : tensor<1xf64>
}

// CHECK-LABEL: func.func private @sum_f16_kernel
// CHECK: memref.generic_atomic_rmw {{.*}} : memref<?xi16>
// CHECK: arith.addf {{.*}} : f16
func.func @sum_f16(%x: tensor<?xf16>) -> tensor<1xf16> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf16>, %Y: tensor<1xf16>):
    %n = sit.extent %X[0] : tensor<?xf16>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xf16>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf16>
      %v = sit.value %X at %p : tensor<?xf16> -> f16
      %o = sit.insert %Y level 0 at %zero : tensor<1xf16>
      sit.accumulate add %v to %Y at %o atomic : f16, tensor<1xf16>
    }}
    sit.finish %Y : tensor<1xf16>
  } : (tensor<?xf16>) -> tensor<1xf16>
  return %y : tensor<1xf16>
}

// CHECK-LABEL: func.func private @sum_bf16_kernel
// CHECK: memref.generic_atomic_rmw {{.*}} : memref<?xi16>
// CHECK: arith.addf {{.*}} : bf16
func.func @sum_bf16(%x: tensor<?xbf16>) -> tensor<1xbf16> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xbf16>, %Y: tensor<1xbf16>):
    %n = sit.extent %X[0] : tensor<?xbf16>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xbf16>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xbf16>
      %v = sit.value %X at %p : tensor<?xbf16> -> bf16
      %o = sit.insert %Y level 0 at %zero : tensor<1xbf16>
      sit.accumulate add %v to %Y at %o atomic : bf16, tensor<1xbf16>
    }}
    sit.finish %Y : tensor<1xbf16>
  } : (tensor<?xbf16>) -> tensor<1xbf16>
  return %y : tensor<1xbf16>
}

// CHECK-LABEL: func.func private @sum_i8_kernel
// CHECK: memref.atomic_rmw addi {{.*}} : (i8, memref<?xi8>)
func.func @sum_i8(%x: tensor<?xi8>) -> tensor<1xi8> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xi8>, %Y: tensor<1xi8>):
    %n = sit.extent %X[0] : tensor<?xi8>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xi8>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xi8>
      %v = sit.value %X at %p : tensor<?xi8> -> i8
      %o = sit.insert %Y level 0 at %zero : tensor<1xi8>
      sit.accumulate add %v to %Y at %o atomic : i8, tensor<1xi8>
    }}
    sit.finish %Y : tensor<1xi8>
  } : (tensor<?xi8>) -> tensor<1xi8>
  return %y : tensor<1xi8>
}

// CHECK-LABEL: func.func private @least_i32_kernel
// CHECK: memref.atomic_rmw mins {{.*}} : (i32, memref<?xi32>)
func.func @least_i32(%x: tensor<?xi32>) -> tensor<1xi32> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xi32>, %Y: tensor<1xi32>):
    %n = sit.extent %X[0] : tensor<?xi32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xi32>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xi32>
      %v = sit.value %X at %p : tensor<?xi32> -> i32
      %o = sit.insert %Y level 0 at %zero : tensor<1xi32>
      sit.accumulate min %v to %Y at %o atomic : i32, tensor<1xi32>
    }}
    sit.finish %Y : tensor<1xi32>
  } : (tensor<?xi32>) -> tensor<1xi32>
  return %y : tensor<1xi32>
}

// CHECK-LABEL: func.func private @product_i64_kernel
// CHECK: memref.generic_atomic_rmw {{.*}} : memref<?xi64>
// CHECK: arith.muli
func.func @product_i64(%x: tensor<?xi64>) -> tensor<1xi64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xi64>, %Y: tensor<1xi64>):
    %n = sit.extent %X[0] : tensor<?xi64>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xi64>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xi64>
      %v = sit.value %X at %p : tensor<?xi64> -> i64
      %o = sit.insert %Y level 0 at %zero : tensor<1xi64>
      sit.accumulate mul %v to %Y at %o atomic : i64, tensor<1xi64>
    }}
    sit.finish %Y : tensor<1xi64>
  } : (tensor<?xi64>) -> tensor<1xi64>
  return %y : tensor<1xi64>
}

// CHECK-LABEL: func.func private @product_f32_kernel
// CHECK: memref.generic_atomic_rmw {{.*}} : memref<?xi32>
// CHECK: arith.bitcast {{.*}} : i32 to f32
// CHECK: arith.mulf
// CHECK: memref.atomic_yield {{.*}} : i32
func.func @product_f32(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf32>, %Y: tensor<1xf32>):
    %n = sit.extent %X[0] : tensor<?xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xf32>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf32>
      %v = sit.value %X at %p : tensor<?xf32> -> f32
      %o = sit.insert %Y level 0 at %zero : tensor<1xf32>
      sit.accumulate mul %v to %Y at %o atomic : f32, tensor<1xf32>
    }}
    sit.finish %Y : tensor<1xf32>
  } : (tensor<?xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// CHECK-LABEL: func.func private @greatest_f16_kernel
// CHECK: memref.generic_atomic_rmw {{.*}} : memref<?xi16>
// CHECK: arith.maximumf
func.func @greatest_f16(%x: tensor<?xf16>) -> tensor<1xf16> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf16>, %Y: tensor<1xf16>):
    %n = sit.extent %X[0] : tensor<?xf16>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xf16>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf16>
      %v = sit.value %X at %p : tensor<?xf16> -> f16
      %o = sit.insert %Y level 0 at %zero : tensor<1xf16>
      sit.accumulate max %v to %Y at %o atomic : f16, tensor<1xf16>
    }}
    sit.finish %Y : tensor<1xf16>
  } : (tensor<?xf16>) -> tensor<1xf16>
  return %y : tensor<1xf16>
}

// CHECK-LABEL: func.func private @any_f64_kernel
// CHECK: memref.generic_atomic_rmw {{.*}} : memref<?xi64>
// CHECK: arith.ori {{.*}} : i1
func.func @any_f64(%x: tensor<?xf64>) -> tensor<1xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<1xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xf64>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf64>
      %v = sit.value %X at %p : tensor<?xf64> -> f64
      %o = sit.insert %Y level 0 at %zero : tensor<1xf64>
      sit.accumulate or %v to %Y at %o atomic : f64, tensor<1xf64>
    }}
    sit.finish %Y : tensor<1xf64>
  } : (tensor<?xf64>) -> tensor<1xf64>
  return %y : tensor<1xf64>
}

// CHECK-LABEL: func.func private @sum_c64_kernel
// CHECK: %[[RE:.*]] = complex.re
// CHECK: memref.atomic_rmw addf %[[RE]], {{.*}} : (f32, memref<?xf32>)
// CHECK: %[[IM:.*]] = complex.im
// CHECK: memref.atomic_rmw addf %[[IM]]
func.func @sum_c64(%x: tensor<?xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xcomplex<f32>>, %Y: tensor<1xcomplex<f32>>):
    %n = sit.extent %X[0] : tensor<?xcomplex<f32>>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xcomplex<f32>>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xcomplex<f32>>
      %v = sit.value %X at %p : tensor<?xcomplex<f32>> -> complex<f32>
      %o = sit.insert %Y level 0 at %zero : tensor<1xcomplex<f32>>
      sit.accumulate add %v to %Y at %o atomic : complex<f32>, tensor<1xcomplex<f32>>
    }}
    sit.finish %Y : tensor<1xcomplex<f32>>
  } : (tensor<?xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %y : tensor<1xcomplex<f32>>
}
