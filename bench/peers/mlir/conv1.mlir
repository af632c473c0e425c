// y(i) = A(i+k) * w(k), A compressed.
// ${m}, ${n}, ${p}, ${q} are the sizes of A's dimensions, ${m_out}, ... of the result's.
#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, k) -> (i + k)>,
    affine_map<(i, k) -> (k)>,
    affine_map<(i, k) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @kernel(%ap: tensor<?xi32>, %ac: tensor<?xi32>, %av: tensor<?xf64>, %W: tensor<3xf64>)
    -> tensor<${m_out}xf64> attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%ap, %ac), %av
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}xf64, #SV>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<${m_out}xf64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<${m_out}xf64>) -> tensor<${m_out}xf64>
  %result = linalg.generic #loops
    ins(%A, %W : tensor<${m}xf64, #SV>, tensor<3xf64>)
    outs(%zero : tensor<${m_out}xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m_out}xf64>
  return %result : tensor<${m_out}xf64>
}
