// Functions on stored tensors get their C interface, through control flow and calls.
// RUN: sparse-opt %s --split-input-file --lower-handles | FileCheck %s

#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#COOT = #tin.format<(i, j) -> (j : compressed(nonunique), i : singleton)>

func.func private @by_columns(tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COOT>
func.func private @by_rows(tensor<?x?xf64, #COOT>) -> tensor<?x?xf64, #COO>

// One call whose result is the function's: no frame, its status is returned. The result may be the
// operand as well: it is made apart then, and takes its place at the end.
// CHECK-LABEL: func.func @transpose(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32
// CHECK-NOT: lac_frame
// CHECK: call @lac_results_begin(%[[GIVEN:[0-9]+]], %{{.*}}, %{{.*}}, %{{.*}}, %[[INTO:[0-9]+]])
// CHECK: %[[OUT:.*]] = llvm.load %[[INTO]]
// CHECK: %[[S:.*]] = call @by_columns(%[[OUT]], %arg1)
// CHECK: %[[LAST:.*]] = call @lac_results_end(%[[GIVEN]], %{{.*}}, %[[INTO]], %[[S]])
// CHECK: return %[[LAST]] : i32
func.func @transpose(%A: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COOT> {
  %B = func.call @by_columns(%A) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COOT>
  return %B : tensor<?x?xf64, #COOT>
}

// A temporary belongs to the frame; the result is computed in place.
// CHECK-LABEL: func.func @twice(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32
// CHECK: %[[FRAME:.*]] = call @lac_frame_enter()
// CHECK: %[[OUT:.*]] = llvm.load %[[INTO:[0-9]+]] :
// CHECK: %[[T:.*]] = call @lac_frame_tensor(%[[FRAME]])
// CHECK: %[[OK:.*]] = call @lac_frame_ok(%[[FRAME]])
// CHECK: scf.if %[[OK]] {
// CHECK:   %[[S:.*]] = func.call @transpose(%[[T]], %arg1)
// CHECK:   func.call @lac_frame_check(%[[FRAME]], %[[S]])
// CHECK: func.call @by_rows(%[[OUT]], %[[T]])
// CHECK: %[[S:.*]] = call @lac_frame_leave(%[[FRAME]])
// CHECK: %[[LAST:.*]] = call @lac_results_end(%{{.*}}, %{{.*}}, %[[INTO]], %[[S]])
// CHECK: return %[[LAST]]
func.func @twice(%A: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COO> {
  %B = func.call @transpose(%A) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COOT>
  %C = func.call @by_rows(%B) : (tensor<?x?xf64, #COOT>) -> tensor<?x?xf64, #COO>
  return %C : tensor<?x?xf64, #COO>
}

// A value that comes out of a loop is given to the caller at the end.
// CHECK-LABEL: func.func @loop(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: index) -> i32
// CHECK: %[[OUT:.*]] = llvm.load
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %arg1) -> (!llvm.ptr)
// CHECK: call @lac_frame_result(%{{.*}}, %[[R]], %[[OUT]])
func.func @loop(%A: tensor<?x?xf64, #COO>, %n: index) -> tensor<?x?xf64, #COO> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %R = scf.for %i = %zero to %n step %one iter_args(%B = %A) -> tensor<?x?xf64, #COO> {
    %C = func.call @twice(%B) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COO>
    scf.yield %C : tensor<?x?xf64, #COO>
  }
  return %R : tensor<?x?xf64, #COO>
}

// A scalar comes back through a pointer.
// CHECK-LABEL: func.func @rows(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32
// CHECK: llvm.store %{{.*}}, %arg0 : i64, !llvm.ptr
func.func @rows(%A: tensor<?x?xf64, #COO>) -> index {
  %zero = arith.constant 0 : index
  %m = tensor.dim %A, %zero : tensor<?x?xf64, #COO>
  return %m : index
}

// CHECK-LABEL: func.func private @elsewhere(!llvm.ptr, !llvm.ptr) -> i32
func.func private @elsewhere(tensor<?xf64>) -> tensor<?xf64>

// What has no tensors stays as it is.
// CHECK-LABEL: func.func @scalars(%arg0: f64) -> f64
func.func @scalars(%x: f64) -> f64 {
  return %x : f64
}
