// Rows of a product of sparse matrices, scattered into a workspace, sorted and appended: serially, and with a
// workspace for each chunk of a parallel loop.
// RUN: sed "s|INPUTS|%S/Inputs|" %s | sparse-opt --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib | FileCheck %s
// RUN: sed "s|INPUTS|%S/Inputs|; s|//on|on|" %s | sparse-opt --sparse-cpu=threads=2 \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s

#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#W = #tin.format<(i) -> (i : accumulator)>

func.func @pack(%arg: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #DCSR> {
  %res = sit.kernel (%arg) {
  ^bb0(%A: tensor<?x?xf64, #COO>, %B: tensor<?x?xf64, #DCSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #COO>
    %n = sit.extent %A[1] : tensor<?x?xf64, #COO>
    sit.result %B[%m, %n] : tensor<?x?xf64, #DCSR>
    %top = sit.end %B level 0 : tensor<?x?xf64, #DCSR>
    sit.coiterate %A level 0 : tensor<?x?xf64, #COO> {
    case (0) as (%i, %p) {
      %begin = sit.end %B level 1 : tensor<?x?xf64, #DCSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #COO> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #COO> -> f64
        %o = sit.append %B level 1 at %j : tensor<?x?xf64, #DCSR>
        sit.store %v to %B at %o : f64, tensor<?x?xf64, #DCSR>
      }}
      %row = sit.append %B level 0 at %i : tensor<?x?xf64, #DCSR>
      sit.close %B level 1 from %begin under %row : tensor<?x?xf64, #DCSR>
    }}
    sit.close %B level 0 from %top : tensor<?x?xf64, #DCSR>
    sit.finish %B : tensor<?x?xf64, #DCSR>
  } : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #DCSR>
  return %res : tensor<?x?xf64, #DCSR>
}

func.func @multiply(%a: tensor<?x?xf64, #DCSR>, %b: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> {
  %res = sit.kernel (%a, %b) {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #DCSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #DCSR>
    %k0 = sit.extent %A[1] : tensor<?x?xf64, #DCSR>
    %k1 = sit.extent %B[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %B[1] : tensor<?x?xf64, #CSR>
    sit.match "k" %k0, %k1
    sit.result %C[%m, %n] : tensor<?x?xf64, #DCSR>
    %w = sit.workspace [%n] : tensor<?xf64, #W>
    %top = sit.end %C level 0 : tensor<?x?xf64, #DCSR>
    sit.coiterate %A level 0 : tensor<?x?xf64, #DCSR> {
    case (0) as (%i, %pi) {
      sit.coiterate %A level 1 under %pi : tensor<?x?xf64, #DCSR> {
      case (0) as (%k, %pk) {
        %x = sit.value %A at %pk : tensor<?x?xf64, #DCSR> -> f64
        %qk = sit.locate %B level 0 at %k : tensor<?x?xf64, #CSR>
        sit.coiterate %B level 1 under %qk : tensor<?x?xf64, #CSR> {
        case (0) as (%j, %qj) {
          %y = sit.value %B at %qj : tensor<?x?xf64, #CSR> -> f64
          %t = arith.mulf %x, %y : f64
          %o = sit.insert %w level 0 at %j : tensor<?xf64, #W>
          sit.accumulate add %t to %w at %o : f64, tensor<?xf64, #W>
        }}
      }}
      sit.sort %w level 0 : tensor<?xf64, #W>
      %begin = sit.end %C level 1 : tensor<?x?xf64, #DCSR>
      sit.coiterate %w level 0 : tensor<?xf64, #W> {
      case (0) as (%j, %p) {
        %v = sit.value %w at %p : tensor<?xf64, #W> -> f64
        %o = sit.append %C level 1 at %j : tensor<?x?xf64, #DCSR>
        sit.store %v to %C at %o : f64, tensor<?x?xf64, #DCSR>
      }}
      sit.clear %w : tensor<?xf64, #W>
      %end = sit.end %C level 1 : tensor<?x?xf64, #DCSR>
      %any = arith.cmpi ugt, %end, %begin : index
      scf.if %any {
        %row = sit.append %C level 0 at %i : tensor<?x?xf64, #DCSR>
        sit.close %C level 1 from %begin under %row : tensor<?x?xf64, #DCSR>
      }
    }}
    sit.close %C level 0 from %top : tensor<?x?xf64, #DCSR>
    sit.finish %C : tensor<?x?xf64, #DCSR>
  } : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  return %res : tensor<?x?xf64, #DCSR>
}

// The same into a dense result, rows in parallel.
func.func @multiply_dense(%a: tensor<?x?xf64, #CSR>, %b: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64> {
  %res = sit.kernel (%a, %b) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %B[1] : tensor<?x?xf64, #CSR>
    sit.result %C[%m, %n] : tensor<?x?xf64>
    sit.coiterate over %m
      //on cpu_thread no_races
    {
    case () as (%i) {
      %w = sit.workspace [%n] : tensor<?xf64, #W>
      %ci = sit.insert %C level 0 at %i : tensor<?x?xf64>
      %pi = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %pi : tensor<?x?xf64, #CSR> {
      case (0) as (%k, %pk) {
        %x = sit.value %A at %pk : tensor<?x?xf64, #CSR> -> f64
        %qk = sit.locate %B level 0 at %k : tensor<?x?xf64, #CSR>
        sit.coiterate %B level 1 under %qk : tensor<?x?xf64, #CSR> {
        case (0) as (%j, %qj) {
          %y = sit.value %B at %qj : tensor<?x?xf64, #CSR> -> f64
          %t = arith.mulf %x, %y : f64
          %o = sit.insert %w level 0 at %j : tensor<?xf64, #W>
          sit.accumulate add %t to %w at %o : f64, tensor<?xf64, #W>
        }}
      }}
      sit.sort %w level 0 : tensor<?xf64, #W>
      sit.coiterate %w level 0 : tensor<?xf64, #W> {
      case (0) as (%j, %p) {
        %v = sit.value %w at %p : tensor<?xf64, #W> -> f64
        %o = sit.insert %C level 1 at %j under %ci : tensor<?x?xf64>
        sit.store %v to %C at %o : f64, tensor<?x?xf64>
      }}
      sit.clear %w : tensor<?xf64, #W>
    }}
    sit.finish %C : tensor<?x?xf64>
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64>
  return %res : tensor<?x?xf64>
}

// Rows that are empty are there: each coordinate of the range is visited, the level's entries met on the way.
func.func @pack_rows(%arg: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR> {
  %res = sit.kernel (%arg) {
  ^bb0(%A: tensor<?x?xf64, #COO>, %B: tensor<?x?xf64, #CSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #COO>
    %n = sit.extent %A[1] : tensor<?x?xf64, #COO>
    sit.result %B[%m, %n] : tensor<?x?xf64, #CSR>
    sit.coiterate %A level 0 over %m : tensor<?x?xf64, #COO> {
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
    }
    case () as (%i) {
      %row = sit.insert %B level 0 at %i : tensor<?x?xf64, #CSR>
      %begin = sit.end %B level 1 : tensor<?x?xf64, #CSR>
      sit.close %B level 1 from %begin under %row : tensor<?x?xf64, #CSR>
    }}
    sit.finish %B : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
  return %res : tensor<?x?xf64, #CSR>
}

//      1 . 2 .     1 . 10                        1 . 20
//  A = . 3 . .  B = . 3 .   A is 3 x 4    A B =  . 9 .
//      . . . 4     . . 5                         8 . .
//                  2 . .
// CHECK:      1 1 1
// CHECK-NEXT: 1 3 20
// CHECK-NEXT: 2 2 9
// CHECK-NEXT: 3 1 8
// CHECK-NEXT: 1 1 1
// CHECK-NEXT: 1 2 0
// CHECK-NEXT: 1 3 20
// CHECK-NEXT: 2 1 0
// CHECK-NEXT: 2 2 9
// CHECK-NEXT: 2 3 0
// CHECK-NEXT: 3 1 8
// CHECK-NEXT: 3 2 0
// CHECK-NEXT: 3 3 0
// CHECK-NEXT: {{^}}0
func.func @main() {
  %a = tin.read "INPUTS/a.mtx" : tensor<?x?xf64, #COO>
  %b = tin.read "INPUTS/b.mtx" : tensor<?x?xf64, #COO>
  %A = func.call @pack(%a) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #DCSR>
  %AR = func.call @pack_rows(%a) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
  %B = func.call @pack_rows(%b) : (tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
  %C = func.call @multiply(%A, %B) : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  %D = func.call @multiply_dense(%AR, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64>
  tin.print %C : tensor<?x?xf64, #DCSR>
  tin.print %D : tensor<?x?xf64>
  return
}
