// RUN: sparse-opt %s | sparse-opt | FileCheck %s
// RUN: sparse-opt --mlir-print-op-generic %s | sparse-opt | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#TCOO = #tin.format<(i, j) -> (j : compressed(nonunique), i : singleton)>

// CHECK-LABEL: @spmv
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: tin.compute (i, j) %{{.*}}[i, j], %{{.*}}[j] -> [i] {
  // CHECK-NEXT: ^bb0(%[[a:.*]]: f64, %[[b:.*]]: f64):
  // CHECK-NEXT:   %[[p:.*]] = arith.mulf %[[a]], %[[b]] : f64
  // CHECK-NEXT:   %[[s:.*]] = tin.reduce add %[[p]] over (j) : f64
  // CHECK-NEXT:   tin.yield %[[s]] : f64
  // CHECK-NEXT: } : (tensor<?x?xf64, #{{.*}}>, tensor<?xf64>) -> tensor<?xf64>
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Scalars, fills, names, constants from outside, an identity.
// CHECK-LABEL: @shortest
func.func @shortest(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %beta: f64,
                    %t: tensor<f64>) -> tensor<?xf64> {
  // CHECK: tin.compute (i, j) %{{.*}}[i, j], %{{.*}}[j], %{{.*}}[], %{{.*}}[] -> [i]
  // CHECK-SAME: attributes {fills = [0x7FF0000000000000 : f64, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0x7FF0000000000000 : f64],
  // CHECK-SAME:             tensor_names = ["A", "x", "beta", "t", "y"]} {
  // CHECK: tin.reduce min %{{.*}} over (j) {identity = 1.000000e+09 : f64} : f64
  %one = arith.constant 1.0 : f64
  %y = tin.compute (i, j) %A[i, j], %x[j], %beta[], %t[] -> [i]
      attributes {fills = [0x7FF0000000000000 : f64, 0.0, 0.0, 0.0, 0x7FF0000000000000 : f64],
                  tensor_names = ["A", "x", "beta", "t", "y"]} {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %p = arith.addf %a, %b : f64
    %m = tin.reduce min %p over (j) {identity = 1.0e9} : f64
    %q = arith.mulf %m, %c : f64
    %r = arith.divf %q, %one : f64
    %s = arith.addf %r, %d : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>, f64, tensor<f64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A convolution: the extent of i1 follows from x's and that of k0.
// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<?xf32>, %f: tensor<3xf32>) -> tensor<?xf32> {
  // CHECK: tin.compute (i1, k0) %{{.*}}[i1 + k0 * 2 - 1], %{{.*}}[k0] -> [i1] {
  %y = tin.compute (i1, k0) %x[i1 + 2 * k0 - 1], %f[k0] -> [i1] {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    %s = tin.reduce add %p over (k0) : f32
    tin.yield %s : f32
  } : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: @fill
func.func @fill() -> tensor<4xf64> {
  // CHECK: tin.compute (i) -> [i] {
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: tin.yield
  // CHECK-NEXT: } : () -> tensor<4xf64>
  %y = tin.compute (i) -> [i] {
    %one = arith.constant 1.0 : f64
    tin.yield %one : f64
  } : () -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// Two reductions, one in the other; the result is one number.
// CHECK-LABEL: @norm
func.func @norm(%A: tensor<?x?xf64, #CSR>) -> tensor<f64> {
  // CHECK: tin.compute (i, j) %{{.*}}[i, j] -> [] {
  // CHECK: tin.reduce max %{{.*}} over (j) : f64
  // CHECK: tin.reduce add %{{.*}} over (i) : f64
  %y = tin.compute (i, j) %A[i, j] -> [] {
  ^bb0(%a: f64):
    %m = tin.reduce max %a over (j) : f64
    %s = tin.reduce add %m over (i) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64, #CSR>) -> tensor<f64>
  return %y : tensor<f64>
}

// CHECK-LABEL: @others
func.func @others(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %C: tensor<?x?xf64, #COO>,
                  %n: index, %pos: memref<?xi64>, %crd: memref<?xi64>, %vals: memref<?xf64>) {
  // CHECK: tin.einsum "y(i) = A(i,j) * x(j)"(%{{.*}}, %{{.*}}) : (tensor<?x?xf64, #{{.*}}>, tensor<?xf64>) -> tensor<?xf64>
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  // CHECK: tin.einsum "d(i) = A(i,j) * x(j)"(%{{.*}}, %{{.*}}) semiring "min_plus" :
  %d = tin.einsum "d(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  // CHECK: tin.convert %{{.*}} : tensor<?x?xf64, #{{.*}}> to tensor<?x?xf64, #{{.*}}>
  %B = tin.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #COO>
  // CHECK: tin.read "web.mtx" : tensor<?x?xf64, #{{.*}}>
  %R = tin.read "web.mtx" : tensor<?x?xf64, #CSR>
  // CHECK: tin.write %{{.*}}, "out.mtx" : tensor<?x?xf64, #{{.*}}>
  tin.write %R, "out.mtx" : tensor<?x?xf64, #CSR>
  // CHECK: tin.print %{{.*}} : tensor<?xf64>
  tin.print %y : tensor<?xf64>
  // CHECK: tin.assemble[%{{.*}}, %{{.*}}] (%{{.*}}, %{{.*}}, %{{.*}}) : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #{{.*}}>
  %M = tin.assemble [%n, %n] (%pos, %crd, %vals) : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #CSR>
  // CHECK: tin.disassemble %{{.*}} : tensor<?x?xf64, #{{.*}}> to memref<?xi64>, memref<?xi64>, memref<?xf64>
  %p, %c, %v = tin.disassemble %M : tensor<?x?xf64, #CSR> to memref<?xi64>, memref<?xi64>, memref<?xf64>
  return
}
