// What cannot be lowered is said at the operation that asks for it.
// RUN: sparse-opt %s --lower-handles --split-input-file --verify-diagnostics

func.func @empty(%n: index) -> tensor<?xf64> {
  // expected-error @+1 {{'tensor.empty' on stored tensors cannot be lowered: expected calls, control flow, tin.read, tin.write, tin.print, tin.match, tin.assemble, tin.disassemble, tin.view, tin.require_equal, tensor.dim or tensor.extract}}
  %t = tensor.empty(%n) : tensor<?xf64>
  return %t : tensor<?xf64>
}

// -----

#V = #tin.format<(i) -> (i : compressed)>

func.func @extract(%x: tensor<?xf64, #V>, %i: index) -> f64 {
  // expected-error @+1 {{'tensor.extract' expected a dense tensor, found one with a format}}
  %v = tensor.extract %x[%i] : tensor<?xf64, #V>
  return %v : f64
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @too_few(%n: index, %crd: memref<?xi64>, %v: memref<?xf64>) -> tensor<?x?xf64, #CSR> {
  // expected-error @+1 {{expected 3 arrays, as the format of the tensor has them, found 2}}
  %A = tin.assemble [%n, %n] (%crd, %v) : (memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @width(%A: tensor<?x?xf64, #CSR>) {
  // expected-error @+1 {{expected array 1 of type 'memref<?xi64>', found 'memref<?xi32>'}}
  %p, %c, %v = tin.disassemble %A : tensor<?x?xf64, #CSR> to memref<?xi64>, memref<?xi32>, memref<?xf64>
  return
}

// -----

#SUMS = #tin.format<(i, j) -> (#i floordiv 2 : dense, i : dense, j : compressed)>

func.func @sums(%n: index, %p: memref<?xi64>, %c: memref<?xi64>, %v: memref<?xf64>) -> tensor<?x?xf64, #SUMS> {
  // expected-error @+1 {{'tin.assemble' expected levels that hold dimensions, linear forms, their quotients and remainders, or counters}}
  %A = tin.assemble [%n, %n] (%p, %c, %v) : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #SUMS>
  return %A : tensor<?x?xf64, #SUMS>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @read() -> tensor<?x?xf64, #CSR> {
  // expected-error @+1 {{'tin.read' expected a list of entries in any order, as tin-lower-conversions leaves it}}
  %A = tin.read "a.mtx" : tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
