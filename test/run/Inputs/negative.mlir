#compressed = #tin.format<(i) -> (i : compressed)>
func.func @kernel(%A: tensor<?xf64, #compressed>, %B: tensor<?xf64>) -> tensor<?xf64, #compressed> {
  %R = tin.einsum "R(i) = -(A[pad](3-2*i) * B(i+2))" (%A, %B) : (tensor<?xf64, #compressed>, tensor<?xf64>) -> tensor<?xf64, #compressed>
  return %R : tensor<?xf64, #compressed>
}
