// RUN: sparse-opt %s --pass-pipeline='builtin.module(func.func(tin-expand-constants))' -split-input-file | FileCheck %s

// Constants in levels that are appended to get loops: a factor of two makes a form of what is 0.
// CHECK-LABEL: func.func @appended(
// CHECK: tin.compute (i, at_2, at_0, once, once_) %{{.*}}[i] -> [at_2, i, at_0]
// CHECK-SAME: extents = {once = 1 : i64, once_ = 1 : i64}
// CHECK-SAME: subscripts = {at_0 = #[[ZERO:.*]], at_2 = #[[TWO:.*]]}
// CHECK: tin.reduce add %{{.*}} over (once, once_) at (at_2, at_0)
#CSF = #tin.format<(d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed)>
func.func @appended(%x: tensor<?xf64>) -> tensor<?x?x?xf64, #CSF> {
  %0 = tin.compute (i, at_2, at_0) %x[i] -> [at_2, i, at_0]
      attributes {subscripts = {at_2 = affine_map<(d0, d1, d2) -> (2)>, at_0 = affine_map<(d0, d1, d2) -> (0)>}} {
  ^bb0(%1: f64):
    %2 = tin.reduce add %1 over () at (at_2, at_0) : f64
    tin.yield %2 : f64
  } : (tensor<?xf64>) -> tensor<?x?x?xf64, #CSF>
  return %0 : tensor<?x?x?xf64, #CSF>
}

// -----

// A dense level is located in.
// CHECK-LABEL: func.func @located(
// CHECK: tin.compute (i, at_2) %{{.*}}[i] -> [at_2, i]
// CHECK: tin.reduce add %{{.*}} over () at (at_2)
#CSR = #tin.format<(d0, d1) -> (d0 : dense, d1 : compressed)>
func.func @located(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %0 = tin.compute (i, at_2) %x[i] -> [at_2, i] attributes {subscripts = {at_2 = affine_map<(d0, d1) -> (2)>}} {
  ^bb0(%1: f64):
    %2 = tin.reduce add %1 over () at (at_2) : f64
    tin.yield %2 : f64
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}
