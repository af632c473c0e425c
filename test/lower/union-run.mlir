// A union of three levels, a loop for each point of the lattice; of four, one loop with the coordinate at each
// cursor in a variable.
// RUN: sed "s|INPUTS|%S/Inputs|" %s | sparse-opt --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib | FileCheck %s

#V = #tin.format<(i) -> (i : compressed)>

// CHECK:      1 101
// CHECK-NEXT: 3 111
// CHECK-NEXT: 4 10
// CHECK-NEXT: 7 100
// CHECK-NEXT: 9 111
// CHECK-NEXT: 1 101
// CHECK-NEXT: 2 1000
// CHECK-NEXT: 3 1111
// CHECK-NEXT: 4 10
// CHECK-NEXT: 7 100
// CHECK-NEXT: 9 1111
// CHECK-NEXT: {{^}}0
func.func @main() {
  %b = tin.read "INPUTS/b.tns" : tensor<9xf64, #V>
  %c = tin.read "INPUTS/c.tns" : tensor<9xf64, #V>
  %d = tin.read "INPUTS/d.tns" : tensor<9xf64, #V>
  %e = tin.read "INPUTS/e.tns" : tensor<9xf64, #V>
  %three = tin.einsum "a(i) = b(i) + c(i) + d(i)" (%b, %c, %d)
    : (tensor<9xf64, #V>, tensor<9xf64, #V>, tensor<9xf64, #V>) -> tensor<9xf64, #V>
  %four = tin.einsum "a(i) = b(i) + c(i) + d(i) + e(i)" (%b, %c, %d, %e)
    : (tensor<9xf64, #V>, tensor<9xf64, #V>, tensor<9xf64, #V>, tensor<9xf64, #V>) -> tensor<9xf64, #V>
  tin.print %three : tensor<9xf64, #V>
  tin.print %four : tensor<9xf64, #V>
  return
}
