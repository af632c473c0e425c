// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --split-input-file -verify-diagnostics

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>

func.func @cycle(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  // expected-error@+1 {{no order of the loops over i, j agrees with the orders of the levels: i -> j (C) -> i (B)}}
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B)
     : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// -----

#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// An outer product would scatter over the whole result.
func.func @scatter(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  // expected-error@+1 {{no order of the loops over i, j, k agrees with the orders of the levels: i -> k (C) -> i (A)}}
  %C = tin.einsum "C(i,j) = A(i,k) * B(k,j)" (%A, %B)
     : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// -----

#SparseVector = #tin.format<(i) -> (i : compressed(unordered))>

func.func @subscript(%x: tensor<?xf64, #SparseVector>, %f: tensor<3xf64>) -> tensor<10xf64> {
  // expected-error@+1 {{the subscript of dimension 0 of x is not lowered yet}}
  %y = tin.einsum "y(i) = abs(x(i + k) - f(k))" (%x, %f) : (tensor<?xf64, #SparseVector>, tensor<3xf64>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}

// -----

#Blocks = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 2 : dense, j mod 4 : dense)>

func.func @blocks(%A: tensor<?x?xf64, #Blocks>, %x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{the format of A is not lowered yet: level 0 holds an expression of dimensions}}
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Blocks>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @value_from_outside(%x: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  // expected-error@+1 {{expected the region to use its arguments and constants, found a value from outside}}
  %y = tin.compute (i) %x[i] -> [i] {
  ^bb0(%v: f64):
    %p = arith.mulf %v, %a : f64
    tin.yield %p : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
