// Counting and placing, by the level format's functions: counts stand one element further than ends, in an
// array that is one longer; the number of entries is checked before room is made for them.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 16>

// CHECK-LABEL: func.func private @transpose_kernel
// CHECK:       %[[longer:.*]] = arith.addi %[[n:.*]], %c2 : index
// CHECK:       call @lac_kernel_allocate
// CHECK:       %[[pos:.*]] = sit.memory %{{.*}}[%[[longer]]] : memref<?xi32>
// CHECK:       %[[total:.*]] = scf.for
// CHECK:         scf.for %{{.*}} iter_args(%[[sofar:.*]] = %{{.*}}) -> (index)
// CHECK:           %[[at:.*]] = arith.addi %{{.*}}, %c2 : index
// CHECK:           %[[count:.*]] = memref.load %[[pos]][%[[at]]]
// CHECK:           memref.store %{{.*}}, %[[pos]][%[[at]]]
// CHECK:           arith.addi %[[sofar]], %c1 : index
// CHECK:       call @lac_kernel_fits
// CHECK:       %[[size:.*]] = arith.select %{{.*}}, %[[total]], %c0 : index
// CHECK:       scf.for %{{.*}} = %c0 to %[[n]]
// CHECK:         memref.store %{{.*}}, %[[pos]]
// CHECK:       call @lac_kernel_allocate_raw
// CHECK:       call @lac_kernel_allocate_raw
// CHECK:       scf.if
// CHECK:         memref.load %[[pos]][%[[at:.*]]]
// CHECK:         memref.store %{{.*}}, %[[pos]][%[[at]]]
// CHECK:         call @lac_kernel_trim
func.func @transpose(%arg: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> {
  %res = sit.kernel (%arg) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    sit.result %B[%m, %n] by scatter : tensor<?x?xf64, #CSC>
    sit.coiterate over %m {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %r = sit.insert %B level 0 at %j : tensor<?x?xf64, #CSC>
        sit.count %B level 1 at %i under %r : tensor<?x?xf64, #CSC>
      }}
    }}
    sit.edges %B level 1 : tensor<?x?xf64, #CSC>
    sit.coiterate over %m {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
        %r = sit.insert %B level 0 at %j : tensor<?x?xf64, #CSC>
        %o = sit.place %B level 1 at %i under %r : tensor<?x?xf64, #CSC>
        sit.store %v to %B at %o : f64, tensor<?x?xf64, #CSC>
      }}
    }}
    sit.finish %B : tensor<?x?xf64, #CSC>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC>
  return %res : tensor<?x?xf64, #CSC>
}
