// What a workspace leaves behind: memory that is zero again is kept for the next one, also in a kernel that was stopped
// before it cleared.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>
#W = #tin.format<(i) -> (i : accumulator)>
#C = #tin.format<(i, j) -> (i : compressed, j : compressed)>

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

// Of dense levels, what is cleared behind all that is put in it is zero where nothing failed.
#D = #tin.format<(i) -> (i : dense)>

// CHECK-LABEL: func.func private @cleared_kernel
// CHECK: %[[VALUES:.*]] = func.call @lac_kernel_scratch
// CHECK: scf.if
// CHECK: call @lac_kernel_release_clean(%[[VALUES]]
// CHECK: else
// CHECK: call @lac_kernel_release(%[[VALUES]]
func.func @cleared(%x: tensor<?x?xf64, #C>) -> tensor<?xf64> {
  %a = sit.kernel (%x) {
  ^bb0(%X: tensor<?x?xf64, #C>, %A: tensor<?xf64>):
    %m = sit.extent %X[0] : tensor<?x?xf64, #C>
    %n = sit.extent %X[1] : tensor<?x?xf64, #C>
    sit.result %A[%m] : tensor<?xf64>
    %w = sit.workspace[%n] : tensor<?xf64, #D>
    sit.coiterate %X level 0 : tensor<?x?xf64, #C> {
    case (0) as (%i, %row) {
      sit.coiterate %X level 1 under %row : tensor<?x?xf64, #C> {
      case (0) as (%j, %p) {
        %v = sit.value %X at %p : tensor<?x?xf64, #C> -> f64
        %o = sit.locate %w level 0 at %j : tensor<?xf64, #D>
        sit.store %v to %w at %o : f64, tensor<?xf64, #D>
      }}
      sit.clear %w : tensor<?xf64, #D>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?x?xf64, #C>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// What is put in it behind that stays.
// CHECK-LABEL: func.func private @filled_kernel
// CHECK: call @lac_kernel_scratch
// CHECK-NOT: lac_kernel_release_clean
// CHECK: call @lac_kernel_release(
// CHECK-NOT: lac_kernel_release_clean
// CHECK: return
func.func @filled(%x: tensor<?x?xf64, #C>) -> tensor<?xf64> {
  %a = sit.kernel (%x) {
  ^bb0(%X: tensor<?x?xf64, #C>, %A: tensor<?xf64>):
    %m = sit.extent %X[0] : tensor<?x?xf64, #C>
    %n = sit.extent %X[1] : tensor<?x?xf64, #C>
    sit.result %A[%m] : tensor<?xf64>
    %w = sit.workspace[%n] : tensor<?xf64, #D>
    sit.coiterate %X level 0 : tensor<?x?xf64, #C> {
    case (0) as (%i, %row) {
      sit.coiterate %X level 1 under %row : tensor<?x?xf64, #C> {
      case (0) as (%j, %p) {
        %v = sit.value %X at %p : tensor<?x?xf64, #C> -> f64
        %o = sit.locate %w level 0 at %j : tensor<?xf64, #D>
        sit.clear %w : tensor<?xf64, #D>
        sit.store %v to %w at %o : f64, tensor<?xf64, #D>
      }}
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?x?xf64, #C>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// One of a constant size is made once for each chunk of a loop on threads, and not for each of its
// iterations: wherever the constant stands.
#R = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: func.func private @of_chunks_kernel
// CHECK: scf.parallel
// CHECK: call @lac_kernel_scratch
// CHECK: scf.for
// CHECK-NOT: lac_kernel_scratch
// CHECK: return
func.func @of_chunks(%x: tensor<?x?xf64, #R>) -> tensor<?xf64> {
  %a = sit.kernel (%x) {
  ^bb0(%X: tensor<?x?xf64, #R>, %A: tensor<?xf64>):
    %m = sit.extent %X[0] : tensor<?x?xf64, #R>
    sit.result %A[%m] : tensor<?xf64>
    sit.coiterate over %m on cpu_thread no_races {
    case () as (%i) {
      %n = arith.constant 1000 : index
      %w = sit.workspace[%n] : tensor<?xf64, #D>
      %row = sit.locate %X level 0 at %i : tensor<?x?xf64, #R>
      sit.coiterate %X level 1 under %row : tensor<?x?xf64, #R> {
      case (0) as (%j, %p) {
        %v = sit.value %X at %p : tensor<?x?xf64, #R> -> f64
        %o = sit.locate %w level 0 at %j : tensor<?xf64, #D>
        sit.store %v to %w at %o : f64, tensor<?xf64, #D>
      }}
      sit.clear %w : tensor<?xf64, #D>
    }}
    sit.finish %A : tensor<?xf64>
  } : (tensor<?x?xf64, #R>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
