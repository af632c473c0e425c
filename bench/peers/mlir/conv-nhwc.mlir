// Y(n,y,x,o) = A(n,y+r,x+s,c) * W(r,s,c,o), A in CSF.
// ${m}, ${n}, ${p}, ${q} are the sizes of A's dimensions, ${m_out}, ... of the result's.
#CSF = #sparse_tensor.encoding<{map = (n, y, x, c) -> (n : compressed, y : compressed, x : compressed, c : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(n, y, x, o, r, s, c) -> (n, y + r, x + s, c)>,
    affine_map<(n, y, x, o, r, s, c) -> (r, s, c, o)>,
    affine_map<(n, y, x, o, r, s, c) -> (n, y, x, o)>],
  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
}
func.func @kernel(%a0p: tensor<?xi32>, %a0c: tensor<?xi32>, %a1p: tensor<?xi32>, %a1c: tensor<?xi32>, %a2p: tensor<?xi32>, %a2c: tensor<?xi32>, %a3p: tensor<?xi32>, %a3c: tensor<?xi32>, %av: tensor<?xf64>, %W: tensor<3x3x${q}x${r}xf64>)
    -> tensor<${m}x${n_out}x${p_out}x${r}xf64> attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%a0p, %a0c, %a1p, %a1c, %a2p, %a2c, %a3p, %a3c), %av
    : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}x${p}x${q}xf64, #CSF>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<${m}x${n_out}x${p_out}x${r}xf64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<${m}x${n_out}x${p_out}x${r}xf64>) -> tensor<${m}x${n_out}x${p_out}x${r}xf64>
  %result = linalg.generic #loops
    ins(%A, %W : tensor<${m}x${n}x${p}x${q}xf64, #CSF>, tensor<3x3x${q}x${r}xf64>)
    outs(%zero : tensor<${m}x${n_out}x${p_out}x${r}xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}x${n_out}x${p_out}x${r}xf64>
  return %result : tensor<${m}x${n_out}x${p_out}x${r}xf64>
}
