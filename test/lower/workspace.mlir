// What a workspace leaves behind: memory that is zero again is kept for the next one, also in a kernel that was stopped
// before it cleared.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>
#W = #tin.format<(i) -> (i : accumulator)>

// CHECK-LABEL: func.func private @sorted_kernel
// CHECK: call @lac_kernel_scratch
// CHECK: call @lac_kernel_scratch
// CHECK: %[[VALUES:.*]] = func.call @lac_kernel_scratch
// CHECK: call @lac_kernel_sort
// The clearing of the program, and what is left of it at the end.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: call @lac_kernel_release_clean
// CHECK: call @lac_kernel_release_clean
// CHECK: call @lac_kernel_release_clean(%[[VALUES]]
func.func @sorted(%x: tensor<?xf64, #V>) -> tensor<?xf64, #V> {
  %a = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64, #V>, %A: tensor<?xf64, #V>):
    %n = sit.extent %X[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64, #V>
    %w = sit.workspace[%n] : tensor<?xf64, #W>
    %end = sit.end %A level 0 : tensor<?xf64, #V>
    sit.coiterate %X level 0 : tensor<?xf64, #V> {
    case (0) as (%i, %p) {
      %v = sit.value %X at %p : tensor<?xf64, #V> -> f64
      %o = sit.insert %w level 0 at %i : tensor<?xf64, #W>
      sit.accumulate add %v to %w at %o : f64, tensor<?xf64, #W>
    }}
    sit.sort %w level 0 : tensor<?xf64, #W>
    sit.coiterate %w level 0 : tensor<?xf64, #W> {
    case (0) as (%i, %p) {
      %v = sit.value %w at %p : tensor<?xf64, #W> -> f64
      %o = sit.append %A level 0 at %i : tensor<?xf64, #V>
      sit.store %v to %A at %o : f64, tensor<?xf64, #V>
    }}
    sit.clear %w : tensor<?xf64, #W>
    sit.close %A level 0 from %end : tensor<?xf64, #V>
    sit.finish %A : tensor<?xf64, #V>
  } : (tensor<?xf64, #V>) -> tensor<?xf64, #V>
  return %a : tensor<?xf64, #V>
}

// Values that begin with infinity are not zero afterwards.
// CHECK-LABEL: func.func private @least_kernel
// CHECK: %[[VALUES:.*]] = func.call @lac_kernel_scratch
// CHECK: call @lac_kernel_release_clean
// CHECK: call @lac_kernel_release_clean
// CHECK: call @lac_kernel_release(
func.func @least(%x: tensor<?xf64, #V>) -> tensor<?xf64> {
  %a = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64, #V>, %A: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64, #V>
    sit.result %A[%n] : tensor<?xf64>
    %w = sit.workspace[%n] identity 0x7FF0000000000000 : f64 : tensor<?xf64, #W>
    sit.clear %w : tensor<?xf64, #W>
    sit.finish %A : tensor<?xf64>
  } : (tensor<?xf64, #V>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
