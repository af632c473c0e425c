// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-tile --split-input-file | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-tile=cache=0 --split-input-file | FileCheck %s --check-prefix=NONE
// NONE-NOT: cin.split
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-tile --cin-choose-assembly --sparsify --split-input-file | FileCheck %s --check-prefix=SIT

// Rows around the diagonals, y and A and x of 8 bytes each: 1024 rows of 24 bytes.  They start in
// their tiles.
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
// CHECK-LABEL: func.func @diagonals
// CHECK: %i_tile, %i_of_tile = cin.split %i by 1024("i_tile", "i_of_tile")
// CHECK-NEXT: cin.forall %i_tile {
// CHECK-NEXT: cin.forall %j_i {
// CHECK-NEXT: cin.forall %i_of_tile {
// CHECK: cin.assign %y[%i] add
// SIT-LABEL: func.func @diagonals
// SIT: sit.result %y[%{{.*}}] by insert stored : tensor<?xf64>
func.func @diagonals(%A: tensor<?x?xf64, #DIA>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #DIA>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// Smaller elements make larger tiles, rows of known length smaller ones.
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
// CHECK-LABEL: func.func @columns
// CHECK: cin.split %i by 64("i_tile", "i_of_tile")
// CHECK-NEXT: cin.forall %i_tile {
// CHECK-NEXT: cin.forall %j_i {
// CHECK-NEXT: cin.forall %i_of_tile {
// CHECK-NEXT: cin.forall %k {
func.func @columns(%A: tensor<?x?xf32, #DIA>, %B: tensor<?x40xf32>) -> tensor<?x40xf32> {
  %0 = tin.einsum "C(i,k) = A(i,j) * B(j,k)" (%A, %B) : (tensor<?x?xf32, #DIA>, tensor<?x40xf32>) -> tensor<?x40xf32>
  return %0 : tensor<?x40xf32>
}

// -----

// A name that is taken; a result that starts in tiles though something else is around.
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
// CHECK-LABEL: func.func @batch
// CHECK: cin.split %i by 1024("i_tile_", "i_of_tile")
// CHECK: cin.forall %i_tile {
// CHECK-NEXT: cin.forall %i_tile_ {
// CHECK-NEXT: cin.forall %j_i {
// SIT-LABEL: func.func @batch
// SIT: sit.result %{{[a-z0-9]+}}[{{[^]]*}}] by insert stored : tensor<?x?xf64>
func.func @batch(%A: tensor<?x?xf64, #DIA>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = cin.kernel(%A, %x) {
  ^bb0(%a: tensor<?x?xf64, #DIA>, %b: tensor<?x?xf64>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %i_tile = cin.index "i_tile"
    %d = cin.remap(%j, %i) by affine_map<(d0, d1) -> (d0 - d1)>("j_i")
    cin.forall %i_tile {
      cin.forall %d {
        cin.forall %i {
          %1 = cin.read %a[%i, %j] : tensor<?x?xf64, #DIA>
          %2 = cin.read %b[%i_tile, %j] : tensor<?x?xf64>
          %3 = arith.mulf %1, %2 : f64
          cin.assign %y[%i_tile, %i] add %3 : tensor<?x?xf64>
        }
      }
    }
  } : (tensor<?x?xf64, #DIA>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// A tile holds all rows; the rows of a compressed level; a reduction innermost.
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-LABEL: func.func @none
// CHECK-NOT: cin.split
func.func @none(%A: tensor<900x?xf64, #DIA>, %B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>)
    -> (tensor<900xf64>, tensor<?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<900x?xf64, #DIA>, tensor<?xf64>) -> tensor<900xf64>
  %1 = tin.einsum "y(i) = B(i,j) * x(j)" (%B, %x) : (tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  %2 = tin.einsum "y(i) = C(i,j) * x(j)" (%C, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2 : tensor<900xf64>, tensor<?xf64>, tensor<?xf64>
}

// -----

// No forall of a tile goes over the columns, which follow from a difference: each tile starts with all of them.
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
// CHECK-LABEL: func.func @follows
// CHECK: cin.forall %i_tile {
// CHECK-NEXT: cin.forall %j_k {
// CHECK: cin.forall %i_of_tile {
// SIT-LABEL: func.func @follows
// SIT: sit.result %C[%{{.*}}, %{{.*}}] by insert stored : tensor<?x?xf64>
func.func @follows(%A: tensor<?x?xf64, #ELL>, %B: tensor<?x?xf64, #DIA>) -> tensor<?x?xf64> {
  %0 = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B) : (tensor<?x?xf64, #ELL>, tensor<?x?xf64, #DIA>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// Entries of a vector, each of which is added to a few places: the result is in tiles, of which each
// leaves a window of entries.  It begins in its place, unless it is known how large the result is.
#VECTOR = #tin.format<(i) -> (i : compressed)>
// CHECK-LABEL: func.func @windows
// CHECK: %i_tile, %i_of_tile = cin.split %i by 1024("i_tile", "i_of_tile")
// CHECK-NEXT: cin.forall %i_tile {
// CHECK-NEXT: cin.forall %i_plus_k {
// CHECK-NEXT: cin.forall %i_of_tile {
// CHECK: cin.assign %y[%i] add
func.func @windows(%x: tensor<?xf64, #VECTOR> {tin.holds = array<i64: 500000, 5000002>}, %w: tensor<3xf64>) -> tensor<?xf64> {
  %0 = tin.einsum "y(i) = x(i+k) * w(k)" (%x, %w) : (tensor<?xf64, #VECTOR>, tensor<3xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// A result that is in no cache: a tile is added up in a workspace, each place of which is cleared as
// it is read, and goes to the result at once.
#VECTOR = #tin.format<(i) -> (i : compressed)>
// CHECK-LABEL: func.func @beyond_caches
// CHECK: %i_tile, %i_of_tile = cin.split %i by 1024("i_tile", "i_of_tile")
// CHECK: %[[TILE:w_[0-9]+]] = cin.workspace(%i_of_tile) : tensor<?xf64>
// CHECK-NEXT: cin.forall %i_tile {
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %i_of_tile on cpu_vector no_races {
// CHECK-NEXT: %[[SUM:.*]] = cin.read %[[TILE]][%i_of_tile]
// CHECK-NEXT: cin.assign %y[%i] = %[[SUM]]
// CHECK: } producing %[[TILE]] {
// CHECK-NEXT: cin.forall %i_plus_k {
// CHECK-NEXT: cin.forall %i_of_tile {
// CHECK: cin.assign %[[TILE]][%i_of_tile] add
// SIT-LABEL: func.func @beyond_caches
// SIT: sit.result %y[%{{.*}}] by insert stored : tensor<5000000xf64>
// SIT: %[[TILE:.*]] = sit.workspace[%{{.*}}] : tensor<?xf64>
// SIT: sit.accumulate add %{{.*}} to %[[TILE]] at
// SIT: sit.coiterate {{.*}} on cpu_vector
// SIT: %[[SUM:.*]] = sit.value %[[TILE]] at %[[AT:.*]] : tensor<?xf64> -> f64
// SIT: sit.store %{{.*}} to %[[TILE]] at %[[AT]] : f64, tensor<?xf64>
// SIT: sit.store %[[SUM]] to %y at
// SIT-NOT: sit.clear
// SIT: sit.finish
func.func @beyond_caches(%x: tensor<?xf64, #VECTOR> {tin.holds = array<i64: 500000, 5000002>}, %w: tensor<3xf64>) -> tensor<5000000xf64> {
  %0 = tin.einsum "y(i) = x(i+k) * w(k)" (%x, %w) : (tensor<?xf64, #VECTOR>, tensor<3xf64>) -> tensor<5000000xf64>
  return %0 : tensor<5000000xf64>
}

// -----

// So are tiles of what diagonals add to, in any semiring.  Not where it is added to what was there, nor
// complex numbers, which lanes do not take.
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
// CHECK-LABEL: func.func @diagonals_beyond_caches
// CHECK: %[[TILE:.*]] = cin.workspace(%i_of_tile) : tensor<?xf64>
// CHECK: } producing %[[TILE]] {
// CHECK-NEXT: cin.forall %j_i {
// CHECK-NEXT: cin.forall %i_of_tile {
// CHECK: cin.assign %[[TILE]][%i_of_tile] add
func.func @diagonals_beyond_caches(%A: tensor<3000000x?xf64, #DIA>, %x: tensor<?xf64>) -> tensor<3000000xf64> {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<3000000x?xf64, #DIA>, tensor<?xf64>) -> tensor<3000000xf64>
  return %0 : tensor<3000000xf64>
}

// CHECK-LABEL: func.func @least
// CHECK: } producing %[[LEAST:.*]] {
// CHECK: cin.assign %[[LEAST]][%i_of_tile] min
func.func @least(%A: tensor<3000000x?xf64, #DIA>, %x: tensor<?xf64>) -> tensor<3000000xf64> {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (tensor<3000000x?xf64, #DIA>, tensor<?xf64>) -> tensor<3000000xf64>
  return %0 : tensor<3000000xf64>
}

// CHECK-LABEL: func.func @added_to
// CHECK-NOT: cin.where
// CHECK: return
func.func @added_to(%y0: tensor<3000000xf64>, %A: tensor<3000000x?xf64, #DIA>, %x: tensor<?xf64>) -> tensor<3000000xf64> {
  %0 = tin.einsum "y(i) += A(i,j) * x(j)" (%y0, %A, %x) : (tensor<3000000xf64>, tensor<3000000x?xf64, #DIA>, tensor<?xf64>) -> tensor<3000000xf64>
  return %0 : tensor<3000000xf64>
}

// CHECK-LABEL: func.func @complex_numbers
// CHECK: cin.forall %i_of_tile
// CHECK-NOT: cin.where
// CHECK: return
func.func @complex_numbers(%A: tensor<3000000x?xcomplex<f64>, #DIA>, %x: tensor<?xcomplex<f64>>) -> tensor<3000000xcomplex<f64>> {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<3000000x?xcomplex<f64>, #DIA>, tensor<?xcomplex<f64>>) -> tensor<3000000xcomplex<f64>>
  return %0 : tensor<3000000xcomplex<f64>>
}
