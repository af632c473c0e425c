// RUN: sparse-opt %s --tin-lower-conversions --split-input-file -verify-diagnostics

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#Blocks = #tin.format<(i, j) -> (i + 2 * j : dense, j : compressed)>

func.func @blocks(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #Blocks> {
  // expected-error@+1 {{this conversion is not lowered yet: expected levels that hold dimensions, their quotients, remainders, differences, sums or counters, found (i, j) -> (i : dense, j : compressed) and (i, j) -> (i + j * 2 : dense}}
  %B = tin.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #Blocks>
  return %B : tensor<?x?xf64, #Blocks>
}
