// An array that is written between two assemblies gives two results, whatever MLIR's passes do before.
// RUN: sparse-opt %s --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s
// RUN: sparse-opt %s --canonicalize --cse --loop-invariant-code-motion --control-flow-sink \
// RUN:   | sparse-opt --sparse-cpu=interleave=cse,control-flow-sink \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s
#D = #tin.format<(i) -> (i : dense)>

// CHECK:      1 6
// CHECK-NEXT: 2 4
// CHECK-NEXT: 1 10
// CHECK-NEXT: 2 4
// CHECK-NEXT: 0
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 2 : index
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %five = arith.constant 5.0 : f64
  %v = memref.alloc(%n) : memref<?xf64>
  memref.store %three, %v[%zero] : memref<?xf64>
  memref.store %two, %v[%one] : memref<?xf64>
  %a = tin.assemble [%n] (%v) : (memref<?xf64>) -> tensor<?xf64, #D>
  %x = tin.einsum "x(i) = 2 * a(i)" (%a) : (tensor<?xf64, #D>) -> tensor<?xf64, #D>
  memref.store %five, %v[%zero] : memref<?xf64>
  %b = tin.assemble [%n] (%v) : (memref<?xf64>) -> tensor<?xf64, #D>
  %y = tin.einsum "x(i) = 2 * a(i)" (%b) : (tensor<?xf64, #D>) -> tensor<?xf64, #D>
  tin.print %x : tensor<?xf64, #D>
  tin.print %y : tensor<?xf64, #D>
  memref.dealloc %v : memref<?xf64>
  return
}
