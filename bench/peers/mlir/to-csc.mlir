// B(i,j) = A(i,j), from CSR to CSC.
// ${m}, ${n}, ${p} are the sizes of A's dimensions, ${r} the columns.
#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), posWidth = 32, crdWidth = 32}>
func.func @kernel(%ap: tensor<?xi32>, %ac: tensor<?xi32>, %av: tensor<?xf64>)
    -> (memref<?xi32>, memref<?xi32>, memref<?xf64>) attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%ap, %ac), %av
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}xf64, #CSR>
  %result = sparse_tensor.convert %A : tensor<${m}x${n}xf64, #CSR> to tensor<${m}x${n}xf64, #CSC>
  %p1 = sparse_tensor.positions %result {level = 1 : index} : tensor<${m}x${n}xf64, #CSC> to memref<?xi32>
  %c1 = sparse_tensor.coordinates %result {level = 1 : index} : tensor<${m}x${n}xf64, #CSC> to memref<?xi32>
  %v = sparse_tensor.values %result : tensor<${m}x${n}xf64, #CSC> to memref<?xf64>
  return %p1, %c1, %v
    : memref<?xi32>, memref<?xi32>, memref<?xf64>
}
