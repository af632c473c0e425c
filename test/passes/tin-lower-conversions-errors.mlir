// RUN: sparse-opt %s --tin-lower-conversions --split-input-file -verify-diagnostics

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#Blocks = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>

func.func @blocks(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #Blocks> {
  // expected-error@+1 {{this conversion is not lowered yet: expected formats with one level for each dimension, found (i, j) -> (i : dense, j : compressed) and (i, j) -> (i floordiv 4 : dense}}
  %B = tin.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #Blocks>
  return %B : tensor<?x?xf64, #Blocks>
}
