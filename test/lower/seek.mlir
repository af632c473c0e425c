// Levels that are much longer than those that they meet go on to the coordinate that the others have.
// RUN: sparse-opt %s --sit-choose-strategies --lower-sit --canonicalize --cse | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>

// Each of three goes on to the greater coordinate of the other two, if the lesser number of entries of those is more
// than eight times in its own.
// CHECK-LABEL: func.func private @three_kernel
// CHECK: %[[FEW:.*]] = arith.minsi %[[NC:.*]], %[[ND:.*]] :
// CHECK: %[[TIMES:.*]] = arith.muli %[[FEW]], %c8
// CHECK: %[[LONG:.*]] = arith.cmpi slt, %[[TIMES]], %{{.*}}
// CHECK: arith.ori
// CHECK: %[[ANY:.*]] = arith.ori
// CHECK: scf.while
// CHECK:   scf.if %[[ANY]]
// CHECK:     %[[C:.*]] = memref.load
// CHECK:     %[[LATER:.*]] = arith.maxsi
// CHECK:     scf.while
// CHECK:     scf.while
// CHECK:     vector.maskedload {{.*}} into vector<16xi64>
// CHECK:     %[[BELOW:.*]] = arith.cmpi slt, %{{.*}} : vector<16xindex>
// CHECK:     %[[THERE:.*]] = arith.andi %[[BELOW]], %{{.*}} : vector<16xi1>
// CHECK:     math.ctpop
// CHECK:   scf.condition
// CHECK:   arith.minsi
// CHECK:   arith.mulf
func.func @three(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>, %d: tensor<?xf64, #V>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c, %d) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %D: tensor<?xf64, #V>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0, %D level 0 : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1, 2) as (%i, %p, %q, %r) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %s = arith.mulf %x, %y : f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %s to %A at %o : f64, tensor<?xf64>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// B counts wherever it is, so only C is searched: 16 lanes of it alone.
// CHECK-LABEL: func.func private @some_kernel
// CHECK: %[[TIMES:.*]] = arith.muli %{{.*}}, %c8
// CHECK: %[[LONG:.*]] = arith.cmpi slt, %[[TIMES]]
// CHECK-NOT: arith.ori
// CHECK: scf.while
// CHECK:   scf.if %[[LONG]]
// CHECK:     vector.maskedload {{.*}} into vector<16xi64>
// CHECK-NOT: vector.maskedload
// CHECK: return
func.func @some(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %x to %A at %o : f64, tensor<?xf64>
    }
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %x to %A at %o : f64, tensor<?xf64>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
