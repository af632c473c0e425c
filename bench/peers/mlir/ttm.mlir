// Y(i,j,r) = T(i,j,k) * U(k,r), T in CSF, Y dense below its fibres.
// ${m}, ${n}, ${p} are the sizes of A's dimensions, ${r} the columns.
#CSF = #sparse_tensor.encoding<{map = (i, j, k) -> (i : compressed, j : compressed, k : compressed), posWidth = 32, crdWidth = 32}>
#FIBRES = #sparse_tensor.encoding<{map = (i, j, r) -> (i : compressed, j : compressed, r : dense), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, j, r, k) -> (i, j, k)>,
    affine_map<(i, j, r, k) -> (k, r)>,
    affine_map<(i, j, r, k) -> (i, j, r)>],
  iterator_types = ["parallel", "parallel", "parallel", "reduction"]
}
func.func @kernel(%tp0_: tensor<?xi32>, %tc0_: tensor<?xi32>, %tp1_: tensor<?xi32>, %tc1_: tensor<?xi32>, %tp2_: tensor<?xi32>, %tc2_: tensor<?xi32>, %tv: tensor<?xf64>, %U: tensor<${p}x${r}xf64>)
    -> (memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf64>) attributes {llvm.emit_c_interface} {
  %T = sparse_tensor.assemble (%tp0_, %tc0_, %tp1_, %tc1_, %tp2_, %tc2_), %tv
    : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}x${p}xf64, #CSF>
  %empty = tensor.empty() : tensor<${m}x${n}x${r}xf64, #FIBRES>
  %result = linalg.generic #loops
    ins(%T, %U : tensor<${m}x${n}x${p}xf64, #CSF>, tensor<${p}x${r}xf64>)
    outs(%empty : tensor<${m}x${n}x${r}xf64, #FIBRES>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${n}x${r}xf64, #FIBRES>
  %p0 = sparse_tensor.positions %result {level = 0 : index} : tensor<${m}x${n}x${r}xf64, #FIBRES> to memref<?xi32>
  %c0 = sparse_tensor.coordinates %result {level = 0 : index} : tensor<${m}x${n}x${r}xf64, #FIBRES> to memref<?xi32>
  %p1 = sparse_tensor.positions %result {level = 1 : index} : tensor<${m}x${n}x${r}xf64, #FIBRES> to memref<?xi32>
  %c1 = sparse_tensor.coordinates %result {level = 1 : index} : tensor<${m}x${n}x${r}xf64, #FIBRES> to memref<?xi32>
  %v = sparse_tensor.values %result : tensor<${m}x${n}x${r}xf64, #FIBRES> to memref<?xf64>
  return %p0, %c0, %p1, %c1, %v
    : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf64>
}
