// Cases that do the same with other values: the values are selected, there is no branch; room for what is appended
// is made before the loops.
// RUN: sparse-opt %s --sit-choose-strategies --lower-sit --canonicalize --cse | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>

// CHECK-LABEL: func.func private @appended_kernel
// Room for all places of both, in a branch before the loops.
// CHECK: %[[ROOM:.*]] = arith.addi
// CHECK: arith.cmpi sgt, %[[ROOM]]
// CHECK: call @lac_kernel_grow
// Where there is no memory, nothing is walked.
// CHECK: arith.select %{{.*}}, %[[END:.*]], %[[BEGIN:.*]] : index
// CHECK-COUNT-2: arith.minsi
// CHECK: scf.while
// CHECK: %[[I:.*]] = arith.minsi
// CHECK: %[[HERE:.*]] = arith.cmpi eq, %{{.*}}, %[[I]]
// CHECK: %[[THERE:.*]] = arith.cmpi eq, %{{.*}}, %[[I]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[HERE]], %[[THERE]]
// CHECK-NOT: scf.if
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[Y:.*]] = memref.load
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NOT: scf.if
// CHECK: %[[ONE:.*]] = arith.select %[[HERE]], %[[X]], %[[Y]] : f64
// CHECK: %[[V:.*]] = arith.select %[[BOTH]], %[[SUM]], %[[ONE]] : f64
// CHECK: llvm.store %[[V]]
// The next coordinate is loaded before it is known whether it is needed; the loop ends at the last one of all.
// CHECK: %[[AFTER:.*]] = arith.addi
// CHECK: memref.load %{{.*}}[%[[AFTER]]]
// CHECK: arith.select %[[HERE]]
// CHECK: arith.select %[[THERE]]
// CHECK-NOT: scf.if
// CHECK: scf.yield
// From there on it is loaded from no further than the last place.
// CHECK: scf.while
// CHECK: %[[I:.*]] = arith.minsi
// CHECK: %[[HERE:.*]] = arith.cmpi eq, %{{.*}}, %[[I]]
// CHECK: %[[THERE:.*]] = arith.cmpi eq, %{{.*}}, %[[I]]
// CHECK: llvm.store
// CHECK: arith.addi
// CHECK: %[[AFTER:.*]] = arith.minsi
// CHECK: memref.load %{{.*}}[%[[AFTER]]]
// CHECK: arith.select %[[HERE]]
// CHECK: arith.select %[[THERE]]
// CHECK-NOT: scf.if
// CHECK: scf.yield
func.func @appended(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>) -> tensor<?xf64, #V> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %A: tensor<?xf64, #V>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64, #V>
    %from = sit.end %A level 0 : tensor<?xf64, #V>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %s = arith.addf %x, %y : f64
      %o = sit.append %A level 0 at %i : tensor<?xf64, #V>
      sit.store %s to %A at %o : f64, tensor<?xf64, #V>
    }
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %o = sit.append %A level 0 at %i : tensor<?xf64, #V>
      sit.store %x to %A at %o : f64, tensor<?xf64, #V>
    }
    case (1) as (%i, %q) {
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %o = sit.append %A level 0 at %i : tensor<?xf64, #V>
      sit.store %y to %A at %o : f64, tensor<?xf64, #V>
    }}
    sit.close %A level 0 from %from : tensor<?xf64, #V>
    sit.finish %A : tensor<?xf64, #V>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<?xf64, #V>
  return %a : tensor<?xf64, #V>
}

// A variable that every case sets.
// CHECK-LABEL: func.func private @summed_kernel
// CHECK: scf.while
// CHECK: arith.minsi
// CHECK-NOT: scf.if
// CHECK: %[[ONE:.*]] = arith.select %{{.*}} : f64
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ONE]] : f64
// CHECK: arith.addf %{{.*}}, %[[S]]
// CHECK-NOT: scf.if
// CHECK: scf.for
func.func @summed(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>) -> tensor<f64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %A: tensor<f64>):
    sit.result %A[] : tensor<f64>
    %zero = arith.constant 0.0 : f64
    %t = sit.var %zero : f64
    %u = sit.var %zero : f64
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %s = arith.addf %x, %y : f64
      sit.set %u, %s : f64
      %v = sit.get %u : f64
      %old = sit.get %t : f64
      %new = arith.addf %old, %v : f64
      sit.set %t, %new : f64
    }
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #V> -> f64
      sit.set %u, %x : f64
      %v = sit.get %u : f64
      %old = sit.get %t : f64
      %new = arith.addf %old, %v : f64
      sit.set %t, %new : f64
    }
    case (1) as (%i, %q) {
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      sit.set %u, %y : f64
      %v = sit.get %u : f64
      %old = sit.get %t : f64
      %new = arith.addf %old, %v : f64
      sit.set %t, %new : f64
    }}
    %sum = sit.get %t : f64
    sit.store %sum to %A : f64, tensor<f64>
    sit.finish %A : tensor<f64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<f64>
  return %a : tensor<f64>
}

// A division of integers would trap where there is no divisor: a branch for each case.
// CHECK-LABEL: func.func private @divided_kernel
// CHECK: scf.while
// CHECK: arith.minsi
// CHECK: scf.if
// CHECK: arith.divsi
func.func @divided(%b: tensor<?xi32, #V>, %c: tensor<?xi32, #V>) -> tensor<?xi32> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xi32, #V>, %C: tensor<?xi32, #V>, %A: tensor<?xi32>):
    %n = sit.extent %B[0] : tensor<?xi32, #V>
    sit.result %A[%n] : tensor<?xi32>
    sit.coiterate %B level 0, %C level 0 : tensor<?xi32, #V>, tensor<?xi32, #V> {
    case (0, 1) as (%i, %p, %q) {
      %x = sit.value %B at %p : tensor<?xi32, #V> -> i32
      %y = sit.value %C at %q : tensor<?xi32, #V> -> i32
      %s = arith.divsi %x, %y : i32
      %o = sit.insert %A level 0 at %i : tensor<?xi32>
      sit.store %s to %A at %o : i32, tensor<?xi32>
    }
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xi32, #V> -> i32
      %o = sit.insert %A level 0 at %i : tensor<?xi32>
      sit.store %x to %A at %o : i32, tensor<?xi32>
    }
    case (1) as (%i, %q) {
      %y = sit.value %C at %q : tensor<?xi32, #V> -> i32
      %o = sit.insert %A level 0 at %i : tensor<?xi32>
      sit.store %y to %A at %o : i32, tensor<?xi32>
    }}
    sit.finish %A : tensor<?xi32>
  } : (tensor<?xi32, #V>, tensor<?xi32, #V>) -> tensor<?xi32>
  return %a : tensor<?xi32>
}

// Nothing happens where only %C has the coordinate: a branch.
// CHECK-LABEL: func.func private @left_kernel
// CHECK: scf.while
// CHECK: arith.minsi
// CHECK: scf.if
func.func @left(%b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>) -> tensor<?xf64> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #V>, %C: tensor<?xf64, #V>, %A: tensor<?xf64>):
    %n = sit.extent %B[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64>
    sit.coiterate %B level 0, %C level 0 : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
      %y = sit.value %C at %q : tensor<?xf64, #V> -> f64
      %o = sit.insert %A level 0 at %i : tensor<?xf64>
      sit.store %y to %A at %o : f64, tensor<?xf64>
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
