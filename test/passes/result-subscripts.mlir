// A compound subscript of the result is a variable, which follows from loops over those in it, or one of those from it.
// RUN: sparse-opt %s --tin-expand-einsum | FileCheck %s --check-prefix=TIN
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin | FileCheck %s --check-prefix=CIN
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-insert-workspaces | FileCheck %s --check-prefix=WHERE

#SV = #tin.format<(i) -> (i : compressed)>

// TIN-LABEL: @scatter
// TIN: tin.compute (i, k, i_x2_plus_k) %{{.*}}[i], %{{.*}}[k] -> [i_x2_plus_k]
// TIN: tin.reduce add %{{.*}} over (i, k) at (i_x2_plus_k) : f64
// CIN-LABEL: @scatter
// CIN: %[[S:.*]] = cin.index "i_x2_plus_k"
// CIN: cin.subscript %[[S]] is(%i, %k) by
// CIN: cin.forall %i {
// CIN: cin.assign %{{.*}}[%[[S]]] add
func.func @scatter(%x: tensor<?xf64, #SV>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(2*i+k) = x(i) * w(k)" (%x, %w) : (tensor<?xf64, #SV>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Entries whose coordinates follow from several variables go through a workspace.
// WHERE-LABEL: @gathered
// WHERE: cin.where {
// WHERE: cin.forall %i_plus_k
// WHERE: producing
// WHERE: cin.assign %{{.*}}[%i_plus_k] add
func.func @gathered(%x: tensor<?xf64, #SV>, %w: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %y = tin.einsum "y(i+k) = x(i) * w(k)" (%x, %w) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %y : tensor<?xf64, #SV>
}

// Those that follow from one variable ascend with it.
// WHERE-LABEL: @moved
// WHERE-NOT: cin.where
// WHERE: cin.forall %i {
// WHERE-NOT: cin.where
// WHERE: cin.assign %{{.*}}[%i_moved]
func.func @moved(%x: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %y = tin.einsum "y(i+2) = x(i)" (%x) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %y : tensor<?xf64, #SV>
}
