// M(i,r) = T(i,j,k,l) * B(j,r) * C(k,r) * D(l,r), T in CSF.
// ${m}, ${n}, ${p}, ${q} are the sizes of A's dimensions, ${r} the columns.
#CSF = #sparse_tensor.encoding<{map = (i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, r, j, k, l) -> (i, j, k, l)>,
    affine_map<(i, r, j, k, l) -> (j, r)>,
    affine_map<(i, r, j, k, l) -> (k, r)>,
    affine_map<(i, r, j, k, l) -> (l, r)>,
    affine_map<(i, r, j, k, l) -> (i, r)>],
  iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]
}
func.func @kernel(%tp0_: tensor<?xi32>, %tc0_: tensor<?xi32>, %tp1_: tensor<?xi32>, %tc1_: tensor<?xi32>, %tp2_: tensor<?xi32>, %tc2_: tensor<?xi32>, %tp3_: tensor<?xi32>, %tc3_: tensor<?xi32>, %tv: tensor<?xf64>,
                  %B: tensor<${n}x${r}xf64>, %C: tensor<${p}x${r}xf64>, %D: tensor<${q}x${r}xf64>)
    -> tensor<${m}x${r}xf64> attributes {llvm.emit_c_interface} {
  %T = sparse_tensor.assemble (%tp0_, %tc0_, %tp1_, %tc1_, %tp2_, %tc2_, %tp3_, %tc3_), %tv
    : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}x${p}x${q}xf64, #CSF>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<${m}x${r}xf64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<${m}x${r}xf64>) -> tensor<${m}x${r}xf64>
  %result = linalg.generic #loops
    ins(%T, %B, %C, %D : tensor<${m}x${n}x${p}x${q}xf64, #CSF>, tensor<${n}x${r}xf64>, tensor<${p}x${r}xf64>, tensor<${q}x${r}xf64>)
    outs(%zero : tensor<${m}x${r}xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %old: f64):
    %ab = arith.mulf %a, %b : f64
    %abc = arith.mulf %ab, %c : f64
    %product = arith.mulf %abc, %d : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${r}xf64>
  return %result : tensor<${m}x${r}xf64>
}
