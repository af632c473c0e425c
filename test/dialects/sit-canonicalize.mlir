// RUN: sparse-opt %s --canonicalize | FileCheck %s
// What of sit folds: a position that is always one is present, one value matches itself, a size that
// a type tells is that.

#V = #tin.format<(i) -> (i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @present
func.func @present(%A: tensor<?x?xf64, #CSR>, %y: tensor<?xi1>, %B: tensor<?xf64, #V>, %n: index) {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  %o = sit.insert %y level 0 at %n : tensor<?xi1>
  %r = sit.locate %A level 0 at %n : tensor<?x?xf64, #CSR>
  sit.coiterate %A level 1 under %r : tensor<?x?xf64, #CSR> {
  case (0) as (%j, %p) {
    // CHECK-NOT: sit.present
    %there = sit.present %p : !sit.pos<tensor<?x?xf64, #CSR>, 1>
    // CHECK: sit.store %[[TRUE]] to
    sit.store %there to %y at %o : i1, tensor<?xi1>
  }
  }
  sit.coiterate %B level 0, %B level 0 any : tensor<?xf64, #V>, tensor<?xf64, #V> {
  case (0, 1) as (%j, %p, %q) {
    // CHECK: %[[P:.*]] = sit.present
    %there = sit.present %p : !sit.pos<tensor<?xf64, #V>, 0>
    // CHECK: sit.store %[[P]] to
    sit.store %there to %y at %o : i1, tensor<?xi1>
  }
  }
  return
}

// CHECK-LABEL: @match
func.func @match(%x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
  %y = sit.kernel (%x, %z) {
  ^bb0(%X: tensor<?xf64>, %Z: tensor<?xf64>, %Y: tensor<?xf64>):
    // CHECK: %[[N:.*]] = sit.extent
    %n = sit.extent %X[0] : tensor<?xf64>
    // CHECK: %[[M:.*]] = sit.extent
    %m = sit.extent %Z[0] : tensor<?xf64>
    // CHECK-NEXT: sit.match "i" %[[N]], %[[M]]
    sit.match "i" %n, %n
    sit.match "i" %n, %m
    // CHECK-NEXT: sit.result
    sit.result %Y[%n] : tensor<?xf64>
    sit.finish %Y : tensor<?xf64>
  } : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @extent
func.func @extent(%A: tensor<3x?xf64, #CSR>) -> tensor<3xf64> {
  %y = sit.kernel (%A) {
  ^bb0(%B: tensor<3x?xf64, #CSR>, %Y: tensor<3xf64>):
    // CHECK: %[[THREE:.*]] = arith.constant 3 : index
    %m = sit.extent %B[0] : tensor<3x?xf64, #CSR>
    // CHECK: %[[N:.*]] = sit.extent %{{.*}}[1]
    %n = sit.extent %B[1] : tensor<3x?xf64, #CSR>
    // CHECK-NEXT: sit.match "i" %[[THREE]], %[[N]]
    sit.match "i" %m, %n
    // CHECK-NEXT: sit.result %{{.*}}[%[[THREE]]]
    sit.result %Y[%m] : tensor<3xf64>
    sit.finish %Y : tensor<3xf64>
  } : (tensor<3x?xf64, #CSR>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}
