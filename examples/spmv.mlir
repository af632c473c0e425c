// spmv.mlir - a sparse matrix times a vector, as a program of its own.
//
//   sparse-gen stencil2d --rows 9 -o A.mtx
//   sparse-gen vector --rows 9 -o x.mtx
//   sparse-run examples/spmv.mlir                    runs main on the two files
//   sparse-run examples/spmv.mlir --entry spmv -i A:A.mtx -i x:x.mtx -o result0:-

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
