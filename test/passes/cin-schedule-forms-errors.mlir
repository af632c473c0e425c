// Positions below a variable that follows from their own coordinate, i from k and i + k, would be numbered before it
// is known: where loops go through i + k, as A is stored.
// RUN: sparse-opt %s --sparse-cpu -verify-diagnostics

#A = #tin.format<(d0, d1) -> (d1 + 1*d0 : bitmap, d0 : hashed, d1 : offset), crd = 32>
#B = #tin.format<(d0, d1) -> (d0 : compressed(nonunique), d1 : compressed)>
#D = #tin.format<(d0, d1) -> (d1 : compressed, d0 : compressed), pos = 16, crd = 16>
#E = #tin.format<(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(nonunique))>
func.func @f(%A: tensor<?x?xf64, #A> {tin.holds = array<i64: 1, 6, 4>}, %B: tensor<?x?xf64, #B>, %C: tensor<f64>,
             %D: tensor<?x?xf64, #D>, %E: tensor<?x?xf64, #E> {tin.holds = array<i64: 11, 6, 6>}) -> tensor<?xf64> {
  // expected-error@+1 {{'pos(k,p,B)': expected a forall over 'i', below which 'B' has 'k', found none}}
  %R = tin.einsum "R(i) = ((((A(k,i) * B(i,k)) + C) * D(j,k)) + E(k,j))" (%A, %B, %C, %D, %E) {schedule = "pos(k,p,B) split(p,p0,p1,5) coord(p1,x)"}
     : (tensor<?x?xf64, #A>, tensor<?x?xf64, #B>, tensor<f64>, tensor<?x?xf64, #D>, tensor<?x?xf64, #E>) -> tensor<?xf64>
  return %R : tensor<?xf64>
}
