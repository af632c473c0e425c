// A conversion leaves the loops in which its operand is not made.
// RUN: sparse-opt %s --tin-hoist-conversions | FileCheck %s

#csr = #tin.format<(i, j) -> (i : dense, j : compressed)>
#csc = #tin.format<(i, j) -> (j : dense, i : compressed)>

// Out of both loops; the second, of the first, with it.
// CHECK-LABEL: func.func @nested
// CHECK:         %[[B:.*]] = tin.convert %arg0
// CHECK:         %[[C:.*]] = tin.convert %[[B]]
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         tin.convert
// CHECK:             tin.einsum {{.*}}(%[[C]], %{{.*}})
func.func @nested(%A: tensor<?x?xf64, #csc>, %x0: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %k = %zero to %n step %one iter_args(%x = %x0) -> (tensor<?xf64>) {
    %z = scf.for %l = %zero to %n step %one iter_args(%u = %x) -> (tensor<?xf64>) {
      %B = tin.convert %A : tensor<?x?xf64, #csc> to tensor<?x?xf64, #csr>
      %C = tin.convert %B : tensor<?x?xf64, #csr> to tensor<?x?xf64>
      %v = tin.einsum "v(i) = C(i,j) * u(j)" (%C, %u) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
      scf.yield %v : tensor<?xf64>
    }
    scf.yield %z : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// Out of either part of a while.
// CHECK-LABEL: func.func @while
// CHECK:         %[[B:.*]] = tin.convert %arg0
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NOT:       tin.convert
// CHECK:           tin.einsum {{.*}}(%[[B]], %{{.*}})
func.func @while(%A: tensor<?x?xf64, #csc>, %x0: tensor<?xf64>, %go: i1) -> tensor<?xf64> {
  %y = scf.while (%x = %x0) : (tensor<?xf64>) -> tensor<?xf64> {
    scf.condition(%go) %x : tensor<?xf64>
  } do {
  ^bb0(%x: tensor<?xf64>):
    %B = tin.convert %A : tensor<?x?xf64, #csc> to tensor<?x?xf64, #csr>
    %v = tin.einsum "v(i) = B(i,j) * x(j)" (%B, %x) : (tensor<?x?xf64, #csr>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %v : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// Not what the loop makes, and not out of a branch.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     tin.convert
// CHECK:         scf.for
// CHECK:           tin.convert
// CHECK:           scf.if
// CHECK:             tin.convert
func.func @stays(%A: tensor<?x?xf64, #csr>, %n: index, %go: i1) -> tensor<?x?xf64, #csr> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %k = %zero to %n step %one iter_args(%x = %A) -> (tensor<?x?xf64, #csr>) {
    %B = tin.convert %x : tensor<?x?xf64, #csr> to tensor<?x?xf64, #csc>
    %C = scf.if %go -> tensor<?x?xf64, #csc> {
      %D = tin.convert %A : tensor<?x?xf64, #csr> to tensor<?x?xf64, #csc>
      scf.yield %D : tensor<?x?xf64, #csc>
    } else {
      scf.yield %B : tensor<?x?xf64, #csc>
    }
    %z = tin.einsum "z(i,j) = B(i,j) + C(i,j)" (%B, %C) : (tensor<?x?xf64, #csc>, tensor<?x?xf64, #csc>) -> tensor<?x?xf64, #csr>
    scf.yield %z : tensor<?x?xf64, #csr>
  }
  return %y : tensor<?x?xf64, #csr>
}

// Not out of a loop that writes into the tensor's arrays, itself or by a call.
// CHECK-LABEL: func.func @written
// CHECK:         scf.for
// CHECK:           tin.convert
func.func @written(%values: memref<?xf64>, %n: index) -> tensor<?xf64, #tin.format<(i) -> (i : compressed)>> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %A = tin.assemble [%n] (%values) : (memref<?xf64>) -> tensor<?xf64>
  %first = tin.convert %A : tensor<?xf64> to tensor<?xf64, #tin.format<(i) -> (i : compressed)>>
  %y = scf.for %k = %zero to %n step %one iter_args(%x = %first) -> (tensor<?xf64, #tin.format<(i) -> (i : compressed)>>) {
    memref.store %two, %values[%k] : memref<?xf64>
    %B = tin.convert %A : tensor<?xf64> to tensor<?xf64, #tin.format<(i) -> (i : compressed)>>
    scf.yield %B : tensor<?xf64, #tin.format<(i) -> (i : compressed)>>
  }
  return %y : tensor<?xf64, #tin.format<(i) -> (i : compressed)>>
}

// CHECK-LABEL: func.func @called
// CHECK:         scf.for
// CHECK:           tin.convert
func.func private @elsewhere()
func.func @called(%A: tensor<?x?xf64, #csc>, %n: index) -> tensor<?x?xf64, #csr> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = tin.convert %A : tensor<?x?xf64, #csc> to tensor<?x?xf64, #csr>
  %y = scf.for %k = %zero to %n step %one iter_args(%x = %first) -> (tensor<?x?xf64, #csr>) {
    func.call @elsewhere() : () -> ()
    %B = tin.convert %A : tensor<?x?xf64, #csc> to tensor<?x?xf64, #csr>
    scf.yield %B : tensor<?x?xf64, #csr>
  }
  return %y : tensor<?x?xf64, #csr>
}
