// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-to-cin --split-input-file | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-to-cin --cin-vectorize --split-input-file | FileCheck %s --check-prefix=LANES

// Loops through windows are chosen by what operands hold (tin.holds).

#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>

// Rows of 20 entries: of each entry nine rows of the result are written to, with nothing to begin but
// the entry.
// CHECK-LABEL: @scatter
// CHECK:       cin.forall %i_plus_p {
// CHECK-NEXT:    cin.forall %j_plus_q {
// CHECK-NEXT:      cin.forall %k_plus_r {
// CHECK-NEXT:        cin.forall %p {
func.func @scatter(%X: tensor<?x?x?xf64, #CSF> {tin.holds = array<i64: 206000, 101, 101, 101>},
                   %W: tensor<3x3x3xf64>) -> tensor<99x99x99xf64> {
  %Y = tin.einsum "Y(i,j,k) = X(i+p,j+q,k+r) * W(p,q,r)" (%X, %W) : (tensor<?x?x?xf64, #CSF>, tensor<3x3x3xf64>) -> tensor<99x99x99xf64>
  return %Y : tensor<99x99x99xf64>
}

// Rows of a thousand, long enough to go along them.
// CHECK-LABEL: @taps
// CHECK-NOT:   cin.remap
// CHECK:       cin.assign
func.func @taps(%X: tensor<?x?x?xf64, #CSF> {tin.holds = array<i64: 10000000, 102, 102, 10002>},
                %W: tensor<3x3x3xf64>) -> tensor<100x100x10000xf64> {
  %Y = tin.einsum "Y(i,j,k) = X(i+p,j+q,k+r) * W(p,q,r)" (%X, %W) : (tensor<?x?x?xf64, #CSF>, tensor<3x3x3xf64>) -> tensor<100x100x10000xf64>
  return %Y : tensor<100x100x10000xf64>
}

// -----

#Vector = #tin.format<(i) -> (i : compressed)>

// Five million places, one in ten of which is stored: a result that is in no cache is added to from
// each entry, in tiles at last, and not gone through for each tap.
// CHECK-LABEL: @line
// CHECK:       cin.forall %i_plus_k {
// CHECK-NEXT:    cin.forall %k {
func.func @line(%x: tensor<?xf64, #Vector> {tin.holds = array<i64: 500000, 5000002>}, %w: tensor<3xf64>) -> tensor<5000000xf64> {
  %y = tin.einsum "y(i) = x(i+k) * w(k)" (%x, %w) : (tensor<?xf64, #Vector>, tensor<3xf64>) -> tensor<5000000xf64>
  return %y : tensor<5000000xf64>
}

// -----

#CSF = #tin.format<(i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed)>
#DDDC = #tin.format<(i, j, k, l) -> (i : dense, j : dense, k : dense, l : compressed)>

// Threads share the rows, not the one picture. The channels of a pixel are added up in registers, a
// tap at a time.
// CHECK-LABEL: @channels
// CHECK:       cin.forall %y {
// LANES-LABEL: @channels
// LANES:       cin.forall %x {
// LANES-NEXT:    cin.forall %o on cpu_vector no_races {
// LANES-NEXT:      cin.forall %c {
func.func @channels(%X: tensor<?x?x?x?xf32, #CSF> {tin.holds = array<i64: 420000, 1, 256, 256, 64>},
                    %W: tensor<3x3x64x64xf32>) -> tensor<1x254x254x64xf32> {
  %Y = tin.einsum "Y(n,y,x,o) = X(n,y+r,x+s,c) * W(r,s,c,o)" (%X, %W) : (tensor<?x?x?x?xf32, #CSF>, tensor<3x3x64x64xf32>) -> tensor<1x254x254x64xf32>
  return %Y : tensor<1x254x254x64xf32>
}

// Where pixels are located and hold next to nothing, the result is written once.
// LANES-LABEL: @empty_pixels
// LANES:       cin.forall %x {
// LANES-NEXT:    cin.forall %o on cpu_vector no_races {
// LANES-NEXT:      cin.forall %{{[rs]}} {
// LANES-NEXT:        cin.forall %{{[rs]}} {
// LANES-NEXT:          cin.forall %c {
func.func @empty_pixels(%X: tensor<?x?x?x?xf32, #DDDC> {tin.holds = array<i64: 4200, 1, 256, 256, 64>},
                        %W: tensor<3x3x64x64xf32>) -> tensor<1x254x254x64xf32> {
  %Y = tin.einsum "Y(n,y,x,o) = X(n,y+r,x+s,c) * W(r,s,c,o)" (%X, %W) : (tensor<?x?x?x?xf32, #DDDC>, tensor<3x3x64x64xf32>) -> tensor<1x254x254x64xf32>
  return %Y : tensor<1x254x254x64xf32>
}
