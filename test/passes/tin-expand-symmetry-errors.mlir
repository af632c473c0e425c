// RUN: sparse-opt %s --split-input-file --verify-diagnostics --tin-expand-symmetry
// What one triangle cannot stand for.

#Symmetric = #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(i, j)>
func.func @fill(%A: tensor<?x?xf64, #Symmetric>) -> tensor<?x?xf64> {
  // expected-error @below {{expected a fill of 0, 1 or an infinity where one triangle is stored, found 2.000000e+00 : f64}}
  %B = tin.convert %A {fill = 2.0 : f64} : tensor<?x?xf64, #Symmetric> to tensor<?x?xf64>
  return %B : tensor<?x?xf64>
}

// -----

#Lower = #tin.format<(i, j) -> (i : dense, j : compressed), lower(i, j)>
func.func @part(%A: tensor<?x?xf64>) -> tensor<?x?xf64, #Lower> {
  // expected-error @below {{expected a result that is stored whole or symmetric, found '(i, j) -> (i : dense, j : compressed), lower(i, j)'}}
  %B = tin.convert %A : tensor<?x?xf64> to tensor<?x?xf64, #Lower>
  return %B : tensor<?x?xf64, #Lower>
}
