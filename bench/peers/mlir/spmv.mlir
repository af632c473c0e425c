// y(i) = A(i,j) * x(j), A in CSR.
// ${m}, ${n}, ${p} are the sizes of A's dimensions, ${r} the columns.
#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (j)>,
    affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @kernel(%ap: tensor<?xi32>, %ac: tensor<?xi32>, %av: tensor<?xf64>, %x: tensor<${n}xf64>)
    -> tensor<${m}xf64> attributes {llvm.emit_c_interface} {
  %A = sparse_tensor.assemble (%ap, %ac), %av
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}xf64, #CSR>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<${m}xf64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<${m}xf64>) -> tensor<${m}xf64>
  %result = linalg.generic #loops
    ins(%A, %x : tensor<${m}x${n}xf64, #CSR>, tensor<${n}xf64>)
    outs(%zero : tensor<${m}xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<${m}xf64>
  return %result : tensor<${m}xf64>
}
