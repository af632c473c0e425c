// Only the coordinates of an interval are visited: where they begin and end in the level is found by binary
// search, so that the loop itself compares nothing; the last coordinate alone tells where all of them are below
// the end.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s --check-prefix=IR
// RUN: sed "s|INPUTS|%S/Inputs|" %s | sparse-opt --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>

// IR-LABEL: func.func private @between_kernel
// IR: %[[BEGIN:.*]]:2 = scf.while
// IR: %[[SOME:.*]] = arith.cmpi slt, %[[BEGIN]]#0, %[[ALL:.*]] : index
// IR: %[[END:.*]] = scf.if %[[SOME]]
// IR: arith.subi %[[ALL]], %c1
// IR: scf.if
// IR: scf.while
// IR: scf.for %{{.*}} = %[[BEGIN]]#0 to %[[END]]
// IR-NOT: scf.if
// IR: arith.addf
func.func @between(%v: tensor<9xf64, #V>) -> tensor<f64> {
  %r = sit.kernel (%v) {
  ^bb0(%V: tensor<9xf64, #V>, %s: tensor<f64>):
    %low = arith.constant 2 : index
    %high = arith.constant 8 : index
    %zero = arith.constant 0.0 : f64
    sit.result %s[] : tensor<f64>
    %sum = sit.var %zero : f64
    sit.coiterate %V level 0 from %low to %high : tensor<9xf64, #V> {
    case (0) as (%i, %p) {
      %x = sit.value %V at %p : tensor<9xf64, #V> -> f64
      %old = sit.get %sum : f64
      %new = arith.addf %old, %x : f64
      sit.set %sum, %new : f64
    }}
    %total = sit.get %sum : f64
    sit.store %total to %s : f64, tensor<f64>
    sit.finish %s : tensor<f64>
  } : (tensor<9xf64, #V>) -> tensor<f64>
  return %r : tensor<f64>
}

// CHECK:      200
// CHECK-NEXT: {{^}}0
func.func @main() {
  %d = tin.read "INPUTS/d.tns" : tensor<9xf64, #V>
  %s = func.call @between(%d) : (tensor<9xf64, #V>) -> tensor<f64>
  tin.print %s : tensor<f64>
  return
}
