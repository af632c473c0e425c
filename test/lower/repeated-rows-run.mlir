// Rows that come again, with a level of their own below, add up in what a schedule keeps as in the result.
// RUN: sparse-opt %s --tin-expand-einsum --sparse-cpu="schedule=reorder(j,i)precompute(A(i,j),{i,j},{i,jw})" \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum \
// RUN:     --sparse-cpu="threads=3 workspaces=dense schedule=reorder(j,i)precompute(A(i,j),{i,j},{i,jw})" \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s

#ROWS = #tin.format<(i, j) -> (i : compressed(nonunique), j : dense)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK:      1 1 5
// CHECK-NEXT: 1 2 7
// CHECK-NEXT: 3 1 4
// CHECK-NEXT: 3 2 8
memref.global "private" constant @ends : memref<2xi64> = dense<[0, 3]>
memref.global "private" constant @rows : memref<3xi64> = dense<[0, 0, 2]>
memref.global "private" constant @values : memref<6xf64> = dense<[2.0, 7.0, 3.0, 0.0, 4.0, 8.0]>

func.func @main() {
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %ends_ = memref.get_global @ends : memref<2xi64>
  %ends = memref.cast %ends_ : memref<2xi64> to memref<?xi64>
  %rows_ = memref.get_global @rows : memref<3xi64>
  %rows = memref.cast %rows_ : memref<3xi64> to memref<?xi64>
  %values_ = memref.get_global @values : memref<6xf64>
  %values = memref.cast %values_ : memref<6xf64> to memref<?xf64>
  %A = tin.assemble [%n3, %n2] (%ends, %rows, %values)
     : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #ROWS>
  %R = tin.einsum "R(i,j) = A(i,j)" (%A) : (tensor<?x?xf64, #ROWS>) -> tensor<?x?xf64, #CSR>
  tin.print %R : tensor<?x?xf64, #CSR>
  return
}
