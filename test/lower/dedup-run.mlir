// A coordinate list with duplicates, packed into CSR: the duplicates of a coordinate make one visit, with
// their values' sum.
// RUN: sed "s|INPUTS|%S/Inputs|" %s | sparse-opt --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib | FileCheck %s

#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @pack(%arg: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR> {
  %res = sit.kernel (%arg) {
  ^bb0(%A: tensor<?x?xf64, #COO>, %B: tensor<?x?xf64, #CSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #COO>
    %n = sit.extent %A[1] : tensor<?x?xf64, #COO>
    sit.result %B[%m, %n] : tensor<?x?xf64, #CSR>
    sit.coiterate %A level 0 : tensor<?x?xf64, #COO> {
    case (0) as (%i, %p) {
      %row = sit.insert %B level 0 at %i : tensor<?x?xf64, #CSR>
      %begin = sit.end %B level 1 : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #COO> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #COO> -> f64
        %o = sit.append %B level 1 at %j : tensor<?x?xf64, #CSR>
        sit.store %v to %B at %o : f64, tensor<?x?xf64, #CSR>
      }}
      sit.close %B level 1 from %begin under %row : tensor<?x?xf64, #CSR>
    }}
    sit.finish %B : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
  return %res : tensor<?x?xf64, #CSR>
}

// CHECK:      1 1 11
// CHECK-NEXT: 1 3 2
// CHECK-NEXT: 3 1 4
// CHECK-NEXT: 3 4 13
// CHECK-NEXT: {{^}}0
func.func @main() {
  %A = tin.read "INPUTS/duplicates.mtx" : tensor<?x?xf64, #COO>
  %B = func.call @pack(%A) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
  tin.print %B : tensor<?x?xf64, #CSR>
  return
}
