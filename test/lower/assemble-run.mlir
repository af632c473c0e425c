// Tensors from a program's own arrays, and the arrays of what was computed.
// RUN: sparse-opt %s --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s
// RUN: sed "s|constant 2 : i64 // last|constant 7 : i64 //|" %s | sparse-opt --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s --check-prefix=UNSOUND

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSR32 = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

// 2 * A, by its arrays.
// CHECK:      1 1 2
// CHECK-NEXT: 1 3 4
// CHECK-NEXT: 2 2 6
// The values again, doubled in place.
// CHECK-NEXT: 1 1 4
// CHECK-NEXT: 1 3 8
// CHECK-NEXT: 2 2 12
// CHECK-NEXT: 0

// UNSOUND-NOT: 1 1
// UNSOUND: {{^4$}}
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %p0 = arith.constant 0 : i64
  %p1 = arith.constant 2 : i64
  %p2 = arith.constant 3 : i64
  %c2 = arith.constant 2 : i64 // last
  %c1 = arith.constant 1 : i64
  %v1 = arith.constant 1.0 : f64
  %v2 = arith.constant 2.0 : f64
  %v3 = arith.constant 3.0 : f64
  %pos = memref.alloc(%three) : memref<?xi64>
  %crd = memref.alloc(%three) : memref<?xi64>
  %vals = memref.alloc(%three) : memref<?xf64>
  memref.store %p0, %pos[%zero] : memref<?xi64>
  memref.store %p1, %pos[%one] : memref<?xi64>
  memref.store %p2, %pos[%two] : memref<?xi64>
  memref.store %p0, %crd[%zero] : memref<?xi64>
  memref.store %c2, %crd[%one] : memref<?xi64>
  memref.store %c1, %crd[%two] : memref<?xi64>
  memref.store %v1, %vals[%zero] : memref<?xf64>
  memref.store %v2, %vals[%one] : memref<?xf64>
  memref.store %v3, %vals[%two] : memref<?xf64>
  %A = tin.assemble [%two, %three] (%pos, %crd, %vals)
     : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #CSR>
  %B = tin.einsum "B(i,j) = 2 * A(i,j)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR32>
  tin.print %B : tensor<?x?xf64, #CSR32>
  %bpos, %bcrd, %bvals = tin.disassemble %B : tensor<?x?xf64, #CSR32>
     to memref<?xi32>, memref<?xi32>, memref<?xf64>
  %n = memref.dim %bvals, %zero : memref<?xf64>
  scf.for %k = %zero to %n step %one {
    %v = memref.load %bvals[%k] : memref<?xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %bvals[%k] : memref<?xf64>
  }
  %C = tin.assemble [%two, %three] (%bpos, %bcrd, %bvals)
     : (memref<?xi32>, memref<?xi32>, memref<?xf64>) -> tensor<?x?xf64, #CSR32>
  tin.print %C : tensor<?x?xf64, #CSR32>
  memref.dealloc %pos : memref<?xi64>
  memref.dealloc %crd : memref<?xi64>
  memref.dealloc %vals : memref<?xf64>
  return
}
