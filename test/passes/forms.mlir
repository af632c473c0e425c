// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-to-cin --split-input-file | FileCheck %s

// A subscript of a level that can only be walked is a variable of its own: i + k = s.

#Sparse = #tin.format<(i) -> (i : compressed)>

// CHECK-LABEL: @scatter
// CHECK-NOT:   tin.convert
// CHECK:       %[[S:.*]] = cin.remap(%i, %k) by #{{.*}}("i_x2_plus_k_x3")
// CHECK-NEXT:  cin.forall %[[S]] {
// CHECK-NEXT:    cin.forall %i {
// CHECK-NEXT:      cin.read %x[%i * 2 + %k * 3]
func.func @scatter(%x: tensor<?xf64, #Sparse>, %f: tensor<?xf64>) -> tensor<100000000xf64> {
  %y = tin.einsum "y(i) = x(2*i+3*k) * f(k)" (%x, %f) : (tensor<?xf64, #Sparse>, tensor<?xf64>) -> tensor<100000000xf64>
  return %y : tensor<100000000xf64>
}

// Where it rises by one with i, the entries are walked along i, for each k some offset away.
// CHECK-LABEL: @offset
// CHECK-NOT:   tin.convert
// CHECK-NOT:   cin.remap
// CHECK:       cin.forall %k {
// CHECK-NEXT:    cin.forall %i {
// CHECK-NEXT:      cin.read %x[%i + %k]
func.func @offset(%x: tensor<?xf64, #Sparse>, %f: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = x(i+k) * f(k)" (%x, %f) : (tensor<?xf64, #Sparse>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A sparse result has no entry where the window has none: its entries are gathered (cin-insert-workspaces).
// CHECK-LABEL: @gather
// CHECK-NOT:   tin.convert
// CHECK-NOT:   cin.remap
// CHECK:       cin.forall %k {
// CHECK-NEXT:    cin.forall %i {
func.func @gather(%x: tensor<?xf64, #Sparse>, %f: tensor<?xf64>) -> tensor<?xf64, #Sparse> {
  %y = tin.einsum "y(i) = x(i+k) * f(k)" (%x, %f) : (tensor<?xf64, #Sparse>, tensor<?xf64>) -> tensor<?xf64, #Sparse>
  return %y : tensor<?xf64, #Sparse>
}

// What is negative in it is counted from zero all the same; k follows, if 3 divides what is left.
// CHECK-LABEL: @turned
// CHECK:       cin.remap(%i, %k) by #{{.*}}("i_x2_k_x3") value
func.func @turned(%x: tensor<?xf64, #Sparse>, %f: tensor<?xf64>) -> tensor<100000xf64> {
  %y = tin.einsum "y(i) = x(2*i-3*k+9) * f(k)" (%x, %f) : (tensor<?xf64, #Sparse>, tensor<?xf64>) -> tensor<100000xf64>
  return %y : tensor<100000xf64>
}

// CHECK-LABEL: @strided
// CHECK:       %[[S:.*]] = cin.remap(%i) by #{{.*}}("i_x2_moved")
// CHECK-NEXT:  cin.forall %[[S]] {
// CHECK-NEXT:    cin.read %x[%i * 2]
func.func @strided(%x: tensor<?xf64, #Sparse>) -> tensor<100000xf64> {
  %y = tin.einsum "y(i) = x(2*i)" (%x) : (tensor<?xf64, #Sparse>) -> tensor<100000xf64>
  return %y : tensor<100000xf64>
}

// What is between the entries would be gone through for nothing: each is searched for.
// CHECK-LABEL: @between
// CHECK-NOT:   tin.convert
// CHECK-NOT:   cin.remap
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.read %x[%i * 2]
func.func @between(%x: tensor<?xf64, #Sparse>) -> tensor<10xf64> {
  %y = tin.einsum "y(i) = exp(x(2*i))" (%x) : (tensor<?xf64, #Sparse>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}

// CHECK-LABEL: @terms
// CHECK-NOT:   tin.convert
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.read %b[%i]
// CHECK:       cin.forall %i_x2_moved {
func.func @terms(%b: tensor<100000xf64>, %x: tensor<?xf64, #Sparse>) -> tensor<100000xf64> {
  %y = tin.einsum "y(i) = b(i) + x(2*i)" (%b, %x) : (tensor<100000xf64>, tensor<?xf64, #Sparse>) -> tensor<100000xf64>
  return %y : tensor<100000xf64>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>

// The rows of X are located, and what they store is gone through once for each entry of W.
// CHECK-LABEL: @convolution
// CHECK-NOT:   tin.convert
// CHECK-NOT:   cin.remap
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %p {
// CHECK-NEXT:      cin.forall %q {
// CHECK-NEXT:        cin.forall %j {
func.func @convolution(%X: tensor<?x?xf64, #CSR>, %W: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %Y = tin.einsum "Y(i,j) = X(i+p,j+q) * W(p,q)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %Y : tensor<?x?xf64>
}

// CHECK-LABEL: @sparse_filter
// CHECK-NOT:   tin.convert
// CHECK:       cin.forall %i_plus_p {
// CHECK-NEXT:    cin.forall %j_plus_q {
// CHECK-NEXT:      cin.forall %i {
// CHECK-NEXT:        cin.forall %q {
func.func @sparse_filter(%X: tensor<?x?xf64, #CSR>, %W: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64> {
  %Y = tin.einsum "Y(i,j) = X(i+p,j+q) * W(p,q)" (%X, %W) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64>
  return %Y : tensor<?x?xf64>
}

// A sparse result, row by row.
// CHECK-LABEL: @sparse_result
// CHECK-NOT:   tin.convert
// CHECK:       cin.forall %i {
// CHECK-NEXT:    cin.forall %p {
// CHECK-NEXT:      cin.forall %q {
// CHECK-NEXT:        cin.forall %j {
func.func @sparse_result(%X: tensor<?x?xf64, #DCSR>, %W: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %Y = tin.einsum "Y(i,j) = X(i+p,j+q) * W(p,q)" (%X, %W) : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %Y : tensor<?x?xf64, #CSR>
}

// -----

// Rows and columns of planes that are stored whole have loops as well, where that is cheaper: each entry is
// met once.

#planes = #tin.format<(i, j, k) -> (i : dense, j : dense, k : compressed)>

// CHECK-LABEL: @planes
// CHECK:       cin.forall %i_plus_p {
// CHECK-NEXT:    cin.forall %j_plus_q {
// CHECK-NEXT:      cin.forall %k_plus_r {
// CHECK-NEXT:        cin.forall %p {
// CHECK-NEXT:          cin.forall %q {
// CHECK-NEXT:            cin.forall %r {
func.func @planes(%X: tensor<?x?x?xf64, #planes> {tin.holds = array<i64: 98304, 101, 101, 101>}, %W: tensor<?x?x?xf64> {tin.holds = array<i64: 27, 3, 3, 3>}) -> tensor<99x99x99xf64> {
  %Y = tin.einsum "Y(i,j,k) = X(i+p,j+q,k+r) * W(p,q,r)" (%X, %W) : (tensor<?x?x?xf64, #planes>, tensor<?x?x?xf64>) -> tensor<99x99x99xf64>
  return %Y : tensor<99x99x99xf64>
}
