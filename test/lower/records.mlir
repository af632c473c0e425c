// Entries in no order: counted by the part of their parent, recorded side by side with those of their part, and
// ordered by the runtime; parts and records are given back whatever happens.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s

#LIST = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered)), pos = 32, crd = 32>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

// A record: the value, the coordinate, the parent.
// CHECK-LABEL: func.func private @rows_kernel
// CHECK:       %[[state:.*]] = llvm.alloca %c9
// CHECK:       call @lac_kernel_parts(%[[state]], %{{.*}}, %[[status:[a-z0-9_]+]])
// CHECK:       %[[shift:.*]] = arith.index_castui
// CHECK:       %[[parts:.*]] = sit.memory %{{.*}} : memref<?xi64>
// CHECK:       scf.if
// CHECK:         scf.for
// CHECK:           %[[part:.*]] = arith.shrui %{{.*}}, %[[shift]]
// CHECK:           memref.load %[[parts]][%[[part]]]
// CHECK:           memref.store %{{.*}}, %[[parts]][%[[part]]]
// CHECK:         call @lac_kernel_fits
// CHECK:         %[[records:.*]] = func.call @lac_kernel_records(%[[state]], %c16_i32, %true, %[[status]])
// CHECK:         %[[words:.*]] = sit.memory %[[records]][%{{.*}}] : memref<?xi32>
// CHECK:         %[[values:.*]] = sit.memory %[[records]][%{{.*}}] : memref<?xf64>
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             %[[part:.*]] = arith.shrui %{{.*}}, %[[shift]]
// CHECK:             memref.store %{{.*}}, %[[parts]][%[[part]]]
// CHECK:             %[[begin:.*]] = arith.muli %{{.*}}, %c4
// CHECK:             %[[at:.*]] = arith.addi %[[begin]], %c3
// CHECK:             memref.store %{{.*}}, %[[words]][%[[at]]]
// CHECK:             %[[at:.*]] = arith.addi %[[begin]], %c2
// CHECK:             memref.store %{{.*}}, %[[words]][%[[at]]]
// CHECK:             %[[at:.*]] = arith.muli %{{.*}}, %c2
// CHECK:             memref.store %{{.*}}, %[[values]][%[[at]]]
// CHECK:           call @lac_kernel_order(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[state]], %[[status]])
// CHECK:           scf.if
// CHECK:       }
// CHECK:       call @lac_kernel_records_free(%[[state]])
func.func @rows(%L: tensor<?x?xf64, #LIST>) -> tensor<?x?xf64, #CSR> {
  %res = sit.kernel (%L) {
  ^bb0(%A: tensor<?x?xf64, #LIST>, %B: tensor<?x?xf64, #CSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #LIST>
    %n = sit.extent %A[1] : tensor<?x?xf64, #LIST>
    sit.result %B[%m, %n] by record : tensor<?x?xf64, #CSR>
    sit.coiterate %A level 0 fused : tensor<?x?xf64, #LIST> {
    case (0) as (%i, %p) {
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #LIST> {
      case (0) as (%j, %q) {
        %r = sit.insert %B level 0 at %i : tensor<?x?xf64, #CSR>
        sit.count %B level 1 at %j under %r : tensor<?x?xf64, #CSR>
      }}
    }}
    sit.edges %B level 1 : tensor<?x?xf64, #CSR>
    sit.coiterate %A level 0 fused : tensor<?x?xf64, #LIST> {
    case (0) as (%i, %p) {
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #LIST> {
      case (0) as (%j, %q) {
        %r = sit.insert %B level 0 at %i : tensor<?x?xf64, #CSR>
        %at = sit.place %B level 1 at %j under %r : tensor<?x?xf64, #CSR>
        %v = sit.value %A at %q : tensor<?x?xf64, #LIST> -> f64
        sit.store %v to %B at %at : f64, tensor<?x?xf64, #CSR>
      }}
    }}
    sit.order %B level 1 : tensor<?x?xf64, #CSR>
    sit.finish %B : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #LIST>) -> tensor<?x?xf64, #CSR>
  return %res : tensor<?x?xf64, #CSR>
}
