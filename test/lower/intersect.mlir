// Two levels intersected: blocks of eight are compared all with all, and merged only where they meet.  Where one is
// more than eight times as long, one coordinate is compared with the sixteen where it would stand.
// RUN: sparse-opt %s --sit-choose-strategies --lower-sit --canonicalize --cse | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>
#N = #tin.format<(i) -> (i : compressed), crd = 16>

// CHECK-LABEL: func.func private @product_kernel
// CHECK: %[[LEFT:.*]] = arith.muli %{{.*}}, %c8
// CHECK: %[[FIRST_LONG:.*]] = arith.cmpi slt, %[[LEFT]],
// CHECK: %[[RIGHT:.*]] = arith.muli %{{.*}}, %c8
// CHECK: %[[SECOND_LONG:.*]] = arith.cmpi slt, %[[RIGHT]],
// CHECK: %[[UNEVEN:.*]] = arith.ori %[[FIRST_LONG]], %[[SECOND_LONG]]
// CHECK: scf.while
// CHECK: scf.if %[[UNEVEN]]
// CHECK: scf.if %[[FIRST_LONG]]
// The next blocks one by one, then steps of twice the size, then their parts.
// CHECK: %[[AT:.*]] = scf.while (%[[ARG:.*]] =
// CHECK:   arith.addi %[[ARG]], %c16
// CHECK: scf.while
// CHECK:   %[[SIZE:.*]] = arith.addi %[[STEP:.*]], %[[STEP]]
// CHECK: scf.while
// CHECK:   arith.shrsi %{{.*}}, %c3
// CHECK: vector.maskedload {{.*}} into vector<16xi64>
// CHECK: arith.cmpi eq, {{.*}} : vector<16xi64>
// CHECK: vector.maskedload {{.*}} into vector<16xi64>
// Eight coordinates of each, the first again where there are fewer.
// CHECK: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<8xi1>
// CHECK: %[[FIRST:.*]] = vector.broadcast %{{.*}} : i64 to vector<8xi64>
// CHECK: %[[BLOCK:.*]] = vector.maskedload %{{.*}}, %[[MASK]], %[[FIRST]]
// CHECK: %[[OTHER:.*]] = vector.maskedload
// CHECK: %[[LANE:.*]] = vector.extract %[[OTHER]][0]
// CHECK: %[[ALL:.*]] = vector.broadcast %[[LANE]]
// CHECK: %[[SOME:.*]] = arith.cmpi eq, %[[BLOCK]], %[[ALL]] : vector<8xi64>
// CHECK: vector.extract %[[OTHER]][7]
// CHECK: %[[ANY:.*]] = arith.ori
// CHECK: vector.bitcast %[[ANY]] : vector<8xi1> to vector<1xi8>
// CHECK: %[[MEET:.*]] = arith.cmpi ne
// CHECK: scf.yield {{.*}}%[[MEET]]
// CHECK: scf.while
// CHECK: arith.minsi
// CHECK: arith.mulf
func.func @product(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %s = arith.mulf %x, %y : f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %s to %A at %o : f64, tensor<?xf64>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// Coordinates of different widths are merged one by one, where one is not much longer.
// CHECK-LABEL: func.func private @narrow_kernel
// CHECK-NOT: vector<8x
// CHECK: arith.minsi
// CHECK: arith.mulf
func.func @narrow(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #N>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #N>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #N> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #N> -> f64
      %s = arith.mulf %x, %y : f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %s to %A at %o : f64, tensor<?xf64>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #N>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
