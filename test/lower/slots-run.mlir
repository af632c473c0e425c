// Levels that count the entries of a row, made by hand: slots that are walked one after the other,
// and padding, where values are NaN here, which nothing reads.
// RUN: sparse-opt %s --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s

#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded), pos = 32, crd = 8>
#SELL = #tin.format<(i, j) -> (i floordiv 2 : dense, #i : sliced, i mod 2 : dense, j : padded), pos = 32, crd = 8>
#JDS = #tin.format<(i, j) -> (#i : sliced, i : compressed, j : padded), pos = 32, crd = 8>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>

//     1 . 2 .
//     . 3 . .
//     . . . .
//     4 . 5 6
//     . . . 7
memref.global constant @pos : memref<2xi32> = dense<[0, 3]>
memref.global constant @crd : memref<15xi8> = dense<[2, 1, 255, 0, 3, 0, 255, 255, 2, 255, 255, 255, 255, 3, 255]>
memref.global constant @val : memref<15xf64> = dense<[2.0, 3.0, 0x7FF8000000000000, 4.0, 7.0,
  1.0, 0x7FF8000000000000, 0x7FF8000000000000, 5.0, 0x7FF8000000000000,
  0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 6.0, 0x7FF8000000000000]>

memref.global constant @spos : memref<4xi32> = dense<[0, 2, 5, 6]>
memref.global constant @scrd : memref<12xi8> = dense<[2, 1, 0, 255, 255, 0, 255, 2, 255, 3, 3, 255]>
memref.global constant @sval : memref<12xf64> = dense<[2.0, 3.0, 1.0, 0x7FF8000000000000,
  0x7FF8000000000000, 4.0, 0x7FF8000000000000, 5.0, 0x7FF8000000000000, 6.0, 7.0, 0x7FF8000000000000]>

memref.global constant @xval : memref<4xf64> = dense<[1.0, 10.0, 100.0, 1000.0]>

func.func @main() {
  %five = arith.constant 5 : index
  %four = arith.constant 4 : index
  %pos_ = memref.get_global @pos : memref<2xi32>
  %crd_ = memref.get_global @crd : memref<15xi8>
  %val_ = memref.get_global @val : memref<15xf64>
  %pos = memref.cast %pos_ : memref<2xi32> to memref<?xi32>
  %crd = memref.cast %crd_ : memref<15xi8> to memref<?xi8>
  %val = memref.cast %val_ : memref<15xf64> to memref<?xf64>
  %spos_ = memref.get_global @spos : memref<4xi32>
  %scrd_ = memref.get_global @scrd : memref<12xi8>
  %sval_ = memref.get_global @sval : memref<12xf64>
  %spos = memref.cast %spos_ : memref<4xi32> to memref<?xi32>
  %scrd = memref.cast %scrd_ : memref<12xi8> to memref<?xi8>
  %sval = memref.cast %sval_ : memref<12xf64> to memref<?xf64>
  %xval_ = memref.get_global @xval : memref<4xf64>
  %xval = memref.cast %xval_ : memref<4xf64> to memref<?xf64>
  %A = tin.assemble [%five, %four] (%pos, %crd, %val)
     : (memref<?xi32>, memref<?xi8>, memref<?xf64>) -> tensor<?x?xf64, #ELL>
  %S = tin.assemble [%five, %four] (%spos, %scrd, %sval)
     : (memref<?xi32>, memref<?xi8>, memref<?xf64>) -> tensor<?x?xf64, #SELL>
  %x = tin.assemble [%four] (%xval) : (memref<?xf64>) -> tensor<?xf64, #tin.format<(i) -> (i : dense)>>

// CHECK:      1 201
// CHECK-NEXT: 2 30
// CHECK-NEXT: 3 0
// CHECK-NEXT: 4 6504
// CHECK-NEXT: 5 7000
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x)
     : (tensor<?x?xf64, #ELL>, tensor<?xf64, #tin.format<(i) -> (i : dense)>>) -> tensor<?xf64>
  tin.print %y : tensor<?xf64>
// CHECK-NEXT: 1 201
// CHECK-NEXT: 2 30
// CHECK-NEXT: 3 0
// CHECK-NEXT: 4 6504
// CHECK-NEXT: 5 7000
  %z = tin.einsum "z(i) = A(i,j) * x(j)" (%S, %x)
     : (tensor<?x?xf64, #SELL>, tensor<?xf64, #tin.format<(i) -> (i : dense)>>) -> tensor<?xf64>
  tin.print %z : tensor<?xf64>
// By columns, sorted.
// CHECK-NEXT: 1 1 1
// CHECK-NEXT: 4 1 4
// CHECK-NEXT: 2 2 3
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 4 3 5
// CHECK-NEXT: 4 4 6
// CHECK-NEXT: 5 4 7
  %C = tin.convert %A : tensor<?x?xf64, #ELL> to tensor<?x?xf64, #CSC>
  tin.print %C : tensor<?x?xf64, #CSC>
// Merged with another one.
// CHECK-NEXT: 1 1 2
// CHECK-NEXT: 1 3 4
// CHECK-NEXT: 2 2 6
// CHECK-NEXT: 4 1 8
// CHECK-NEXT: 4 3 10
// CHECK-NEXT: 4 4 12
// CHECK-NEXT: 5 4 14
  %D = tin.einsum "D(i,j) = A(i,j) + B(i,j)" (%A, %S)
     : (tensor<?x?xf64, #ELL>, tensor<?x?xf64, #SELL>) -> tensor<?x?xf64, #COO>
  tin.print %D : tensor<?x?xf64, #COO>
  return
}
