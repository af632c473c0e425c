// A diagonal matrix with a column to spare, and with one too few.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @main(%x: tensor<4xf64>) -> tensor<4x5xf64, #CSR> {
  %D = tin.einsum "D(i,i) = x(i)" (%x) : (tensor<4xf64>) -> tensor<4x5xf64, #CSR>
  return %D : tensor<4x5xf64, #CSR>
}
func.func @small(%x: tensor<4xf64>) -> tensor<4x3xf64, #CSR> {
  %D = tin.einsum "D(i,i) = x(i)" (%x) : (tensor<4xf64>) -> tensor<4x3xf64, #CSR>
  return %D : tensor<4x3xf64, #CSR>
}
