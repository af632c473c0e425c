// A coordinate list with duplicates, packed into CSR: the duplicates of a coordinate make one visit,
// their values' sum.
// RUN: sparse-opt %s --pass-pipeline=%from_sit | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib | FileCheck %s

#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK:      1 1 11
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 3 1 4
// CHECK-NEXT: 3 4 13
// CHECK-NEXT: {{^}}0
func.func @main() {
  %A = tin.read "%S/Inputs/duplicates.mtx" : tensor<?x?xf64, #COO>
  %B = func.call @pack(%A) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
  tin.print %B : tensor<?x?xf64, #CSR>
  return
}
