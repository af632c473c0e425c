#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @spmv(%A: tensor<?x?xf64, #CSR> {tin.name = "A"}, %x: tensor<?xf64> {tin.name = "x"})
    -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x)
     : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

func.func @main() {
  %A = tin.read "A.mtx" : tensor<?x?xf64, #CSR>
  %x = tin.read "x.mtx" : tensor<?xf64>
  %y = call @spmv(%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  tin.print %y : tensor<?xf64>
  return
}
