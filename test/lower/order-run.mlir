// Lists in no order, with entries that repeat, into rows: ordered and added up under each row by itself.
// RUN: sparse-opt %s --sparse-cpu 2>/dev/null \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s

#LIST = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 16, crd = 8>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 32>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#BLOCKS = #tin.format<(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)>
#BLOCKED = #tin.format<(i, j) -> (i : dense, j : compressed)>
#ROWS = #tin.format<(i, j) -> (i : dense, j : compressed(unordered, nonunique))>

// (1,0):1 (0,2):2 (1,0):3 (0,1):4 (1,2):5 (1,0):6, by rows,
// CHECK:      1 2 4
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 2 1 10
// CHECK-NEXT: 2 3 5
// by columns,
// CHECK-NEXT: 2 1 10
// CHECK-NEXT: 1 2 4
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 2 3 5
// by rows that are there,
// CHECK-NEXT: 1 2 4
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 2 1 10
// CHECK-NEXT: 2 3 5
// from rows in no order, doubled and transposed,
// CHECK-NEXT: 1 2 20
// CHECK-NEXT: 2 1 8
// CHECK-NEXT: 3 1 4
// CHECK-NEXT: 3 2 10
// in blocks and back, by way of a sorted list of what blocks hold,
// CHECK-NEXT: 1 1 0
// CHECK-NEXT: 1 2 4
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 2 1 10
// CHECK-NEXT: 2 2 0
// CHECK-NEXT: 2 3 5
// and a list of nothing.
// CHECK-NEXT: 0
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %five = arith.constant 5 : index
  %six = arith.constant 6 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i6 = arith.constant 6 : i64
  %v1 = arith.constant 1.0 : f64
  %v2 = arith.constant 2.0 : f64
  %v3 = arith.constant 3.0 : f64
  %v4 = arith.constant 4.0 : f64
  %v5 = arith.constant 5.0 : f64
  %v6 = arith.constant 6.0 : f64
  %pos = memref.alloc(%two) : memref<?xi64>
  %none = memref.alloc(%two) : memref<?xi64>
  %i = memref.alloc(%six) : memref<?xi64>
  %j = memref.alloc(%six) : memref<?xi64>
  %v = memref.alloc(%six) : memref<?xf64>
  %ei = memref.alloc(%zero) : memref<?xi64>
  %ej = memref.alloc(%zero) : memref<?xi64>
  %ev = memref.alloc(%zero) : memref<?xf64>
  memref.store %i0, %pos[%zero] : memref<?xi64>
  memref.store %i6, %pos[%one] : memref<?xi64>
  memref.store %i0, %none[%zero] : memref<?xi64>
  memref.store %i0, %none[%one] : memref<?xi64>
  memref.store %i1, %i[%zero] : memref<?xi64>
  memref.store %i0, %i[%one] : memref<?xi64>
  memref.store %i1, %i[%two] : memref<?xi64>
  memref.store %i0, %i[%three] : memref<?xi64>
  memref.store %i1, %i[%four] : memref<?xi64>
  memref.store %i1, %i[%five] : memref<?xi64>
  memref.store %i0, %j[%zero] : memref<?xi64>
  memref.store %i2, %j[%one] : memref<?xi64>
  memref.store %i0, %j[%two] : memref<?xi64>
  memref.store %i1, %j[%three] : memref<?xi64>
  memref.store %i2, %j[%four] : memref<?xi64>
  memref.store %i0, %j[%five] : memref<?xi64>
  memref.store %v1, %v[%zero] : memref<?xf64>
  memref.store %v2, %v[%one] : memref<?xf64>
  memref.store %v3, %v[%two] : memref<?xf64>
  memref.store %v4, %v[%three] : memref<?xf64>
  memref.store %v5, %v[%four] : memref<?xf64>
  memref.store %v6, %v[%five] : memref<?xf64>
  %L = tin.assemble [%two, %three] (%pos, %i, %j, %v)
     : (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #LIST>
  %E = tin.assemble [%two, %three] (%none, %ei, %ej, %ev)
     : (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #LIST>
  %A = tin.convert %L : tensor<?x?xf64, #LIST> to tensor<?x?xf64, #CSR>
  tin.print %A : tensor<?x?xf64, #CSR>
  %B = tin.convert %L : tensor<?x?xf64, #LIST> to tensor<?x?xf64, #CSC>
  tin.print %B : tensor<?x?xf64, #CSC>
  %C = tin.convert %L : tensor<?x?xf64, #LIST> to tensor<?x?xf64, #DCSR>
  tin.print %C : tensor<?x?xf64, #DCSR>
  %R = tin.convert %L : tensor<?x?xf64, #LIST> to tensor<?x?xf64, #ROWS>
  %T = tin.einsum "T(j,i) = 2 * R(i,j)" (%R) : (tensor<?x?xf64, #ROWS>) -> tensor<?x?xf64, #CSR>
  tin.print %T : tensor<?x?xf64, #CSR>
  %K = tin.convert %L : tensor<?x?xf64, #LIST> to tensor<?x?xf64, #BLOCKS>
  %D = tin.convert %K : tensor<?x?xf64, #BLOCKS> to tensor<?x?xf64, #BLOCKED>
  tin.print %D : tensor<?x?xf64, #BLOCKED>
  %N = tin.convert %E : tensor<?x?xf64, #LIST> to tensor<?x?xf64, #CSR>
  tin.print %N : tensor<?x?xf64, #CSR>
  return
}
