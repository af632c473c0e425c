// Results in every level format, built from a CSR matrix by kernels that run: rows passed over,
// narrow widths, blocks with an initial value, a workspace, memory that runs out.
// RUN: sparse-opt %s --lower-sit --lower-handles --canonicalize --cse --convert-scf-to-openmp \
// RUN:   --canonicalize --lower-arrays --convert-scf-to-cf --expand-strided-metadata --lower-affine \
// RUN:   --convert-math-to-llvm --convert-openmp-to-llvm --convert-to-llvm \
// RUN:   --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: clang -O1 -w -c %t.ll -o %t.o
// RUN: %cc -g -O1 -I%root/test/runtime %S/Inputs/levels.c %t.o %runtime %libomp -o %t
// RUN: %t | FileCheck %s
// CHECK: all passed

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed), pos = 32, crd = 16>
#BYTE = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 8, crd = 32>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#ROWS = #tin.format<(i, j) -> (i : compressed, j : dense)>
#NEST = #tin.format<(i, j, k) -> (i : compressed, j : dense, k : compressed)>
#V = #tin.format<(i) -> (i : compressed)>
#SPA = #tin.format<(i) -> (i : accumulator)>

func.func @to_dcsr(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> {
  %b = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #DCSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    sit.result %B[%m, %n] : tensor<?x?xf64, #DCSR>
    %b0 = sit.end %B level 0 : tensor<?x?xf64, #DCSR>
    sit.coiterate over %m {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      %b1 = sit.end %B level 1 : tensor<?x?xf64, #DCSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
        %o = sit.append %B level 1 at %j : tensor<?x?xf64, #DCSR>
        sit.store %v to %B at %o : f64, tensor<?x?xf64, #DCSR>
      }}
      %e1 = sit.end %B level 1 : tensor<?x?xf64, #DCSR>
      %some = arith.cmpi ne, %b1, %e1 : index
      scf.if %some {
        %r = sit.append %B level 0 at %i : tensor<?x?xf64, #DCSR>
        sit.close %B level 1 from %b1 under %r : tensor<?x?xf64, #DCSR>
      }
    }}
    sit.close %B level 0 from %b0 : tensor<?x?xf64, #DCSR>
    sit.finish %B : tensor<?x?xf64, #DCSR>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  return %b : tensor<?x?xf64, #DCSR>
}

// Only the rows that have entries are visited: the others inherit their end.
func.func @from_dcsr(%a: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #BYTE> {
  %b = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64, #BYTE>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #DCSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #DCSR>
    sit.result %B[%m, %n] : tensor<?x?xf64, #BYTE>
    sit.coiterate %A level 0 : tensor<?x?xf64, #DCSR> {
    case (0) as (%i, %p) {
      %r = sit.insert %B level 0 at %i : tensor<?x?xf64, #BYTE>
      %b1 = sit.end %B level 1 : tensor<?x?xf64, #BYTE>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #DCSR> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #DCSR> -> f64
        %o = sit.append %B level 1 at %j : tensor<?x?xf64, #BYTE>
        sit.store %v to %B at %o : f64, tensor<?x?xf64, #BYTE>
      }}
      sit.close %B level 1 from %b1 under %r : tensor<?x?xf64, #BYTE>
    }}
    sit.finish %B : tensor<?x?xf64, #BYTE>
  } : (tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #BYTE>
  return %b : tensor<?x?xf64, #BYTE>
}

func.func @to_coo(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #COO> {
  %b = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #COO>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    sit.result %B[%m, %n] : tensor<?x?xf64, #COO>
    %b0 = sit.end %B level 0 : tensor<?x?xf64, #COO>
    sit.coiterate over %m {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
        %r = sit.append %B level 0 at %i : tensor<?x?xf64, #COO>
        %o = sit.append %B level 1 at %j : tensor<?x?xf64, #COO>
        sit.store %v to %B at %o : f64, tensor<?x?xf64, #COO>
      }}
    }}
    sit.close %B level 0 from %b0 : tensor<?x?xf64, #COO>
    sit.finish %B : tensor<?x?xf64, #COO>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #COO>
  return %b : tensor<?x?xf64, #COO>
}

// A row that has entries is a dense block, 7 where nothing is stored.
func.func @to_rows(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #ROWS> {
  %b = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #ROWS>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    sit.result %B[%m, %n] initial 7.0 : f64 : tensor<?x?xf64, #ROWS>
    %b0 = sit.end %B level 0 : tensor<?x?xf64, #ROWS>
    %yes = arith.constant true
    %no = arith.constant false
    sit.coiterate over %m {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      %first = sit.var %yes : i1
      %zero = arith.constant 0 : index
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %is_first = sit.get %first : i1
        scf.if %is_first {
          %r = sit.append %B level 0 at %i : tensor<?x?xf64, #ROWS>
          %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
          %o = sit.insert %B level 1 at %j under %r : tensor<?x?xf64, #ROWS>
          sit.store %v to %B at %o : f64, tensor<?x?xf64, #ROWS>
          sit.set %first, %no : i1
        }
      }}
    }}
    sit.close %B level 0 from %b0 : tensor<?x?xf64, #ROWS>
    sit.finish %B : tensor<?x?xf64, #ROWS>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #ROWS>
  return %b : tensor<?x?xf64, #ROWS>
}

// The sums of the columns that have entries, once for all rows and once for the first half.
func.func @column_sums(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %y = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %Y: tensor<?x?xf64, #CSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    %two = arith.constant 2 : index
    sit.result %Y[%two, %n] : tensor<?x?xf64, #CSR>
    %W = sit.workspace [%n] : tensor<?xf64, #SPA>
    sit.coiterate over %two {
    case () as (%k) {
      %one = arith.constant 1 : index
      %half = arith.shrui %m, %k : index
      sit.coiterate over %half {
      case () as (%i) {
        %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
        sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
        case (0) as (%j, %q) {
          %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
          %w = sit.insert %W level 0 at %j : tensor<?xf64, #SPA>
          sit.accumulate add %v to %W at %w : f64, tensor<?xf64, #SPA>
        }}
      }}
      sit.sort %W level 0 : tensor<?xf64, #SPA>
      %r = sit.insert %Y level 0 at %k : tensor<?x?xf64, #CSR>
      %b0 = sit.end %Y level 1 : tensor<?x?xf64, #CSR>
      sit.coiterate %W level 0 : tensor<?xf64, #SPA> {
      case (0) as (%j, %w) {
        %v = sit.value %W at %w : tensor<?xf64, #SPA> -> f64
        %o = sit.append %Y level 1 at %j : tensor<?x?xf64, #CSR>
        sit.store %v to %Y at %o : f64, tensor<?x?xf64, #CSR>
      }}
      sit.close %Y level 1 from %b0 under %r : tensor<?x?xf64, #CSR>
      sit.clear %W : tensor<?xf64, #SPA>
    }}
    sit.finish %Y : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %y : tensor<?x?xf64, #CSR>
}

// The least entry of each column, from several threads.
func.func @column_minima(%a: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %Y: tensor<?xf64>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    sit.result %Y[%n] initial 1000.0 : f64 : tensor<?xf64>
    sit.coiterate over %m on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
        %o = sit.insert %Y level 0 at %j : tensor<?xf64>
        sit.accumulate min %v to %Y at %o atomic : f64, tensor<?xf64>
      }}
    }}
    sit.finish %Y : tensor<?xf64>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Every row, as row 1 of three below it: rows 0 and 2 are there and have no children.
func.func @to_nest(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?x?xf64, #NEST> {
  %b = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?x?xf64, #NEST>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    sit.result %B[%m, %three, %n] : tensor<?x?x?xf64, #NEST>
    %b0 = sit.end %B level 0 : tensor<?x?x?xf64, #NEST>
    sit.coiterate over %m {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      %r = sit.append %B level 0 at %i : tensor<?x?x?xf64, #NEST>
      %d = sit.insert %B level 1 at %one under %r : tensor<?x?x?xf64, #NEST>
      %b2 = sit.end %B level 2 : tensor<?x?x?xf64, #NEST>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %v = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
        %o = sit.append %B level 2 at %j : tensor<?x?x?xf64, #NEST>
        sit.store %v to %B at %o : f64, tensor<?x?x?xf64, #NEST>
      }}
      sit.close %B level 2 from %b2 under %d : tensor<?x?x?xf64, #NEST>
    }}
    sit.close %B level 0 from %b0 : tensor<?x?x?xf64, #NEST>
    sit.finish %B : tensor<?x?x?xf64, #NEST>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?x?xf64, #NEST>
  return %b : tensor<?x?x?xf64, #NEST>
}
