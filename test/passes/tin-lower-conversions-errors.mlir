// RUN: sparse-opt %s --tin-lower-conversions --split-input-file -verify-diagnostics

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#Blocks = #tin.format<(i, j) -> (#i floordiv 2 : dense, i : dense, j : compressed)>

func.func @blocks(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #Blocks> {
  // expected-error@+1 {{this conversion is not lowered yet: expected levels that hold dimensions, linear forms, their quotients and remainders, or counters, found (i, j) -> (i : dense, j : compressed) and (i, j) -> (#i floordiv 2 : dense}}
  %B = tin.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #Blocks>
  return %B : tensor<?x?xf64, #Blocks>
}
