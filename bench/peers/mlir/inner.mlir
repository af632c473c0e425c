// a = S(i,j,k) * T(i,j,k), both in CSF.
// ${m}, ${n}, ${p} are the sizes of A's dimensions, ${r} the columns.
#CSF = #sparse_tensor.encoding<{map = (i, j, k) -> (i : compressed, j : compressed, k : compressed), posWidth = 32, crdWidth = 32}>
#loops = {
  indexing_maps = [
    affine_map<(i, j, k) -> (i, j, k)>,
    affine_map<(i, j, k) -> (i, j, k)>,
    affine_map<(i, j, k) -> ()>],
  iterator_types = ["reduction", "reduction", "reduction"]
}
func.func @kernel(%sp0_: tensor<?xi32>, %sc0_: tensor<?xi32>, %sp1_: tensor<?xi32>, %sc1_: tensor<?xi32>, %sp2_: tensor<?xi32>, %sc2_: tensor<?xi32>, %sv: tensor<?xf64>,
                  %tp0_: tensor<?xi32>, %tc0_: tensor<?xi32>, %tp1_: tensor<?xi32>, %tc1_: tensor<?xi32>, %tp2_: tensor<?xi32>, %tc2_: tensor<?xi32>, %tv: tensor<?xf64>)
    -> tensor<f64> attributes {llvm.emit_c_interface} {
  %S = sparse_tensor.assemble (%sp0_, %sc0_, %sp1_, %sc1_, %sp2_, %sc2_), %sv
    : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}x${p}xf64, #CSF>
  %T = sparse_tensor.assemble (%tp0_, %tc0_, %tp1_, %tc1_, %tp2_, %tc2_), %tv
    : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<${m}x${n}x${p}xf64, #CSF>
  %0 = arith.constant 0.0 : f64
  %new = tensor.empty() : tensor<f64>
  %zero = linalg.fill ins(%0 : f64) outs(%new : tensor<f64>) -> tensor<f64>
  %result = linalg.generic #loops
    ins(%S, %T : tensor<${m}x${n}x${p}xf64, #CSF>, tensor<${m}x${n}x${p}xf64, #CSF>)
    outs(%zero : tensor<f64>) {
  ^bb0(%a: f64, %b: f64, %old: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %old, %product : f64
    linalg.yield %sum : f64
  } -> tensor<f64>
  return %result : tensor<f64>
}
