// Y(i,j) = T(i,j,k) * v(k), T in CSF, Y in DCSR.
// ${m}, ${n}, ${p} are the sizes of A's dimensions, ${r} the columns.
#CSF = #sparse_tensor.encoding<{map = (i, j, k) -> (i : compressed, j : compressed, k : compressed), posWidth = 32, crdWidth = 32}>
#DCSR = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed, j : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, j, k) -> (i, j, k)>,
    affine_map<(i, j, k) -> (k)>,
    affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
func.func @kernel(%tp0_: tensor<?xi32>, %tc0_: tensor<?xi32>, %tp1_: tensor<?xi32>, %tc1_: tensor<?xi32>, %tp2_: tensor<?xi32>, %tc2_: tensor<?xi32>, %tv: tensor<?xf64>, %x: tensor<${p}xf64>)
    -> (memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf64>) attributes {llvm.emit_c_interface} {
  %T = sparse_tensor.assemble (%tp0_, %tc0_, %tp1_, %tc1_, %tp2_, %tc2_), %tv
    : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}x${p}xf64, #CSF>
  %empty = tensor.empty() : tensor<${m}x${n}xf64, #DCSR>
  %result = linalg.generic #loops
    ins(%T, %x : tensor<${m}x${n}x${p}xf64, #CSF>, tensor<${p}xf64>)
    outs(%empty : tensor<${m}x${n}xf64, #DCSR>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${n}xf64, #DCSR>
  %p0 = sparse_tensor.positions %result {level = 0 : index} : tensor<${m}x${n}xf64, #DCSR> to memref<?xi32>
  %c0 = sparse_tensor.coordinates %result {level = 0 : index} : tensor<${m}x${n}xf64, #DCSR> to memref<?xi32>
  %p1 = sparse_tensor.positions %result {level = 1 : index} : tensor<${m}x${n}xf64, #DCSR> to memref<?xi32>
  %c1 = sparse_tensor.coordinates %result {level = 1 : index} : tensor<${m}x${n}xf64, #DCSR> to memref<?xi32>
  %v = sparse_tensor.values %result : tensor<${m}x${n}xf64, #DCSR> to memref<?xf64>
  return %p0, %c0, %p1, %c1, %v
    : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf64>
}
