// Several levels walked together: a loop for each point of the merge lattice.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>

// CHECK-LABEL: func.func private @union_kernel
// Both have places left: the smaller coordinate, and the case that it is in.
// CHECK: scf.while
// CHECK:   %[[B:.*]] = arith.cmpi slt
// CHECK:   %[[C:.*]] = arith.cmpi slt
// CHECK:   %[[BOTH:.*]] = arith.andi %[[B]], %[[C]]
// CHECK:   scf.condition(%[[BOTH]])
// CHECK:   %[[I:.*]] = arith.minsi
// CHECK:   %[[HERE:.*]] = arith.cmpi eq, %{{.*}}, %[[I]]
// CHECK:   %[[THERE:.*]] = arith.cmpi eq, %{{.*}}, %[[I]]
// CHECK:   arith.andi %[[HERE]], %[[THERE]]
// CHECK:   arith.addf
// One of them is left.
// CHECK: scf.for
// CHECK: scf.for
func.func @union(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    %m = sit.extent %C[0] : tensor<?xf64, #V>
    sit.match "i" %n, %m
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %s = arith.addf %x, %y : f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %s to %A at %o : f64, tensor<?xf64>
    }
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %x to %A at %o : f64, tensor<?xf64>
    }
    case (1) as (%i, %q) {
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %y to %A at %o : f64, tensor<?xf64>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// A level that can locate has no place in the loop's condition: it is asked for the coordinate.
#B = #tin.format<(i) -> (i : bitmap)>
// CHECK-LABEL: func.func private @located_kernel
// CHECK-NOT: scf.while
// CHECK:     scf.for %[[P:.*]] =
// CHECK:       %[[CRD:.*]] = memref.load %{{.*}}[%[[P]]] : memref<?xi64>
// CHECK:       %[[I:.*]] = arith.index_castui %[[CRD]]
// CHECK:       %[[FLAG:.*]] = memref.load %{{.*}}[%[[I]]] : memref<?xi8>
// CHECK:       arith.cmpi ne
// CHECK:       scf.if
// CHECK:         arith.mulf
func.func @located(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #B>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #B>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    %m = sit.extent %C[0] : tensor<?xf64, #B>
    sit.match "i" %n, %m
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #B> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #B> -> f64
      %s = arith.mulf %x, %y : f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %s to %A at %o : f64, tensor<?xf64>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #B>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
