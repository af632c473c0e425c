// Y(i,j) = A(i+k,j+l) * W(k,l), A in CSR.
// ${m}, ${n}, ${p}, ${q} are the sizes of A's dimensions, ${m_out}, ... of the result's.
#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, j, k, l) -> (i + k, j + l)>,
    affine_map<(i, j, k, l) -> (k, l)>,
    affine_map<(i, j, k, l) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction", "reduction"]
}
func.func @kernel(%ap: tensor<?xi32>, %ac: tensor<?xi32>, %av: tensor<?xf64>, %W: tensor<3x3xf64>)
    -> tensor<${m_out}x${n_out}xf64> attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%ap, %ac), %av
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}xf64, #CSR>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<${m_out}x${n_out}xf64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<${m_out}x${n_out}xf64>) -> tensor<${m_out}x${n_out}xf64>
  %result = linalg.generic #loops
    ins(%A, %W : tensor<${m}x${n}xf64, #CSR>, tensor<3x3xf64>)
    outs(%zero : tensor<${m_out}x${n_out}xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m_out}x${n_out}xf64>
  return %result : tensor<${m_out}x${n_out}xf64>
}
