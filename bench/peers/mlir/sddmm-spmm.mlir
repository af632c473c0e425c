// R(i,j) = A(i,j) * C(i,k) * D(j,k), then Y(i,l) = R(i,j) * X(j,l), A and R in CSR.
// ${m}, ${n}, ${p} are the sizes of A's dimensions, ${r} the columns.
#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}>
#sampled = {
  indexing_maps = [
    affine_map<(i, j, k) -> (i, j)>,
    affine_map<(i, j, k) -> (i, k)>,
    affine_map<(i, j, k) -> (j, k)>,
    affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
#loops = {
  indexing_maps = [
    affine_map<(i, l, j) -> (i, j)>,
    affine_map<(i, l, j) -> (j, l)>,
    affine_map<(i, l, j) -> (i, l)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
func.func @kernel(%ap: tensor<?xi32>, %ac: tensor<?xi32>, %av: tensor<?xf64>, %C: tensor<${m}x${r}xf64>, %D: tensor<${n}x${r}xf64>,
                  %X: tensor<${n}x${r}xf64>)
    -> tensor<${m}x${r}xf64> attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%ap, %ac), %av
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}xf64, #CSR>
  %empty = tensor.empty() : tensor<${m}x${n}xf64, #CSR>
  %R = linalg.generic #sampled
    ins(%A, %C, %D : tensor<${m}x${n}xf64, #CSR>, tensor<${m}x${r}xf64>, tensor<${n}x${r}xf64>)
    outs(%empty : tensor<${m}x${n}xf64, #CSR>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %old: f64):
    %half = arith.mulf %a, %b : f64
    %product = arith.mulf %half, %c : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${n}xf64, #CSR>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<${m}x${r}xf64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<${m}x${r}xf64>) -> tensor<${m}x${r}xf64>
  %result = linalg.generic #loops
    ins(%R, %X : tensor<${m}x${n}xf64, #CSR>, tensor<${n}x${r}xf64>)
    outs(%zero : tensor<${m}x${r}xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${r}xf64>
  return %result : tensor<${m}x${r}xf64>
}
