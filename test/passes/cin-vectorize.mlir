// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-vectorize --split-input-file | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-vectorize=gathers=false --split-input-file | FileCheck %s --check-prefix=LOADS

// The columns of a dense operand run on lanes, around the walk of a row.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// LOADS-LABEL: func.func @spmm
// LOADS: cin.forall %k on cpu_vector
// CHECK-LABEL: func.func @spmm
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %k on cpu_vector no_races {
// CHECK-NEXT: cin.forall %j {
func.func @spmm(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "C(i,k) = A(i,j) * B(j,k)" (%A, %B) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// Around both reductions.
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
// CHECK-LABEL: func.func @mttkrp
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %r on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK-NEXT: cin.forall %l {
func.func @mttkrp(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "A(i,r) = B(i,k,l) * C(l,r) * D(k,r)" (%B, %C, %D) : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// No reduction around, a sparse innermost walk, duplicates, complex numbers: left alone.
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
// CHECK-LABEL: func.func @none
// CHECK-NOT: cpu_vector
func.func @none(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %L: tensor<?x?xf64, #COO>, %Z: tensor<?x?xcomplex<f64>>)
    -> (tensor<?x?xf64>, tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xcomplex<f64>>) {
  %0 = tin.einsum "C(i,j) = B(i,j) + B(i,j)" (%B) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = tin.einsum "C(i,k) = A(i,j) * A(j,k)" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  %2 = tin.einsum "C(i,k) = L(i,j) * B(j,k)" (%L, %B) : (tensor<?x?xf64, #COO>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %3 = tin.einsum "C(i,k) = Z(i,j) * Z(j,k)" (%Z) : (tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  return %0, %1, %2, %3 : tensor<?x?xf64>, tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xcomplex<f64>>
}

// -----

// What a consumer does runs around none of its reductions alone: the producer would stay behind.
// CHECK-LABEL: func.func @consumer
// CHECK-NOT: cpu_vector
func.func @consumer(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tin.einsum "R(i,l) = (A(i,j) * B(j,m) - 0.5) * D(j,l)" (%A, %B, %D)
     : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// Rows of slots, and of slices of them: the row moves around the slots, with what each lane has below
// its own position; not where what x has there would be gathered by a processor that has no fast gathers.
// LOADS-LABEL: func.func @slots
// LOADS-NOT: on cpu_vector
#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
#SELL = #tin.format<(i, j) -> (i floordiv 8 : dense, #i : sliced, i mod 8 : dense, j : padded)>
// CHECK-LABEL: func.func @slots
// CHECK: cin.forall %i on cpu_vector no_races {
// CHECK-NEXT: cin.forall %i_slot {
// CHECK-NEXT: cin.forall %j {
// CHECK: cin.forall %i_block {
// CHECK-NEXT: cin.forall %i_in on cpu_vector no_races {
// CHECK-NEXT: cin.forall %i_slot {
// CHECK-NEXT: cin.forall %j {
func.func @slots(%A: tensor<?x?xf64, #ELL>, %S: tensor<?x?xf64, #SELL>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #ELL>, tensor<?xf64>) -> tensor<?xf64>
  %1 = tin.einsum "y(i) = S(i,j) * x(j)" (%S, %x) : (tensor<?x?xf64, #SELL>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// Columns of a dense operand around the entry of a row in a slot; one row of a block for each lane.
#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
#TALL = #tin.format<(i, j) -> (i floordiv 4 : dense, j : compressed, i mod 4 : dense)>
// LOADS-LABEL: func.func @around
// LOADS: cin.forall %k on cpu_vector
// LOADS: cin.forall %i_in on cpu_vector
// CHECK-LABEL: func.func @around
// CHECK: cin.forall %i_slot {
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT: cin.forall %k on cpu_vector no_races {
// CHECK-NEXT: cin.forall %j {
// CHECK: cin.forall %i_block {
// CHECK-NEXT: cin.forall %i_in on cpu_vector no_races {
// CHECK-NEXT: cin.forall %j {
func.func @around(%A: tensor<?x?xf64, #ELL>, %B: tensor<?x?xf64>, %T: tensor<?x?xf64, #TALL>, %x: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "Y(i,k) = A(i,j) * B(j,k)" (%A, %B) : (tensor<?x?xf64, #ELL>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = tin.einsum "y(i) = T(i,j) * x(j)" (%T, %x) : (tensor<?x?xf64, #TALL>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1 : tensor<?x?xf64>, tensor<?xf64>
}

// -----

// Windows of dense tensors: places of the next lane lie one further on, whatever loops go through the window.
// CHECK-LABEL: func.func @windows
// CHECK: cin.forall %i on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %j on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK-NEXT: cin.forall %l {
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %j on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK-NEXT: cin.forall %l {
func.func @windows(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %W: tensor<?x?xf64>, %w: tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %0 = tin.einsum "y(i) = x(i+k) * w(k)" (%x, %w) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %1 = tin.einsum "Y(i,j) = A(i+k,j+l) * W(k,l)" (%A, %W) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %2 = tin.einsum "Y(i,j) = A[pad](i+k-1,j+l-1) * W(k,l)" (%A, %W) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0, %1, %2 : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// -----

// Lanes take what is up to four apart, up or down.
// CHECK-LABEL: func.func @strides
// CHECK: cin.forall %i on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK: cin.kernel
// CHECK: cin.forall %i on cpu_vector no_races {
// CHECK-NEXT: cin.forall %k {
// CHECK: cin.kernel
// CHECK-NOT: cpu_vector
func.func @strides(%x: tensor<?xf64>, %w: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "y(i) = x[pad](2*i+k-1) * w(k)" (%x, %w) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %1 = tin.einsum "y(i) = x(9-i-k) * w(k)" (%x, %w) {extents = {i = 4 : i64}} : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %2 = tin.einsum "y(i) = x(5*i+k) * w(k)" (%x, %w) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// -----

// Not where each lane apart is tested to be in range, or where what reductions inside read is in
// columns.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: cpu_vector
func.func @apart(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %w: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "y(i) = x[pad](i+k-1) + w(k)" (%x, %w) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %1 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// Values that are not gathered (of 16 bits, of levels that are not dense), more than one node below a
// lane, strides: place by place.
#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#BLOCKS = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#BITS = #tin.format<(i) -> (i : bitmap)>
// CHECK-LABEL: func.func @places
// CHECK-NOT: cpu_vector
func.func @places(%H: tensor<?x?xf16, #ELL>, %h: tensor<?xf16>, %A: tensor<?x?xf64, #ELL>, %C: tensor<?x?xf64, #CSR>,
                  %B: tensor<?x?xf64, #BLOCKS>, %x: tensor<?xf64>, %b: tensor<?xf64, #BITS>)
    -> (tensor<?xf16>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "y(i) = H(i,j) * h(j)" (%H, %h) : (tensor<?x?xf16, #ELL>, tensor<?xf16>) -> tensor<?xf16>
  %1 = tin.einsum "y(i) = A(i,j) * b(j)" (%A, %b) : (tensor<?x?xf64, #ELL>, tensor<?xf64, #BITS>) -> tensor<?xf64>
  %2 = tin.einsum "y(i) = C(i,j) * x(j)" (%C, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  %3 = tin.einsum "y(i) = B(i,j) * x(j)" (%B, %x) : (tensor<?x?xf64, #BLOCKS>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2, %3 : tensor<?xf16>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// A sorted list has each entry once: what it has of one row is a row.

#SORTED = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>

// CHECK-LABEL: @sorted_list
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %k on cpu_vector no_races {
// CHECK-NEXT: cin.forall %j {
func.func @sorted_list(%A: tensor<?x?xf64, #SORTED>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %C = tin.einsum "C(i,k) = A(i,j) * B(j,k)" (%A, %B) : (tensor<?x?xf64, #SORTED>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

// -----

// Diagonals of rows side by side: the loop over them goes as far as any row does. Those whose columns go down are not.
#DIAGONALS = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
#ANTIDIAGONALS = #tin.format<(i, j) -> (i + j : compressed, i : range, j : offset)>
// CHECK-LABEL: func.func @diagonals
// CHECK:      cin.forall %i on cpu_vector no_races {
// CHECK-NEXT:   cin.forall %j_i {
// CHECK:      cin.kernel
// CHECK:      cin.forall %j on cpu_vector no_races {
// CHECK-NEXT:   cin.forall %j_i {
// CHECK:      cin.kernel
// CHECK-NOT:  cpu_vector
func.func @diagonals(%A: tensor<?x?xf64, #DIAGONALS>, %B: tensor<?x?xf64, #ANTIDIAGONALS>, %x: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %0 = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #DIAGONALS>, tensor<?xf64>) -> tensor<?xf64>
  %1 = tin.einsum "y(j) = A(i,j) * x(i)" (%A, %x) : (tensor<?x?xf64, #DIAGONALS>, tensor<?xf64>) -> tensor<?xf64>
  %2 = tin.einsum "y(i) = B(i,j) * x(j)" (%B, %x) : (tensor<?x?xf64, #ANTIDIAGONALS>, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
