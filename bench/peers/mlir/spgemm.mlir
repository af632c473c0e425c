// C(i,j) = A(i,k) * B(k,j), all in CSR.
// ${m}, ${n} are the sizes of A, ${s} the columns of B.
#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, j, k) -> (i, k)>,
    affine_map<(i, j, k) -> (k, j)>,
    affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
func.func @kernel(%ap: tensor<?xi32>, %ac: tensor<?xi32>, %av: tensor<?xf64>,
                  %bp: tensor<?xi32>, %bc: tensor<?xi32>, %bv: tensor<?xf64>)
    -> (memref<?xi32>, memref<?xi32>, memref<?xf64>) attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%ap, %ac), %av
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}xf64, #CSR>
  %B = sparse_tensor.assemble (%bp, %bc), %bv
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${n}x${s}xf64, #CSR>
  %empty = tensor.empty() : tensor<${m}x${s}xf64, #CSR>
  %result = linalg.generic #loops
    ins(%A, %B : tensor<${m}x${n}xf64, #CSR>, tensor<${n}x${s}xf64, #CSR>)
    outs(%empty : tensor<${m}x${s}xf64, #CSR>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${s}xf64, #CSR>
  %p1 = sparse_tensor.positions %result {level = 1 : index} : tensor<${m}x${s}xf64, #CSR> to memref<?xi32>
  %c1 = sparse_tensor.coordinates %result {level = 1 : index} : tensor<${m}x${s}xf64, #CSR> to memref<?xi32>
  %v = sparse_tensor.values %result : tensor<${m}x${s}xf64, #CSR> to memref<?xf64>
  return %p1, %c1, %v
    : memref<?xi32>, memref<?xi32>, memref<?xf64>
}
