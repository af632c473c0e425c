// What cannot be lowered is said at the operation that asks for it.
// RUN: sparse-opt %s --lower-handles --split-input-file --verify-diagnostics

func.func @empty(%n: index) -> tensor<?xf64> {
  // expected-error @+1 {{'tensor.empty' on stored tensors cannot be lowered: expected calls, control flow, tin.sort, tin.read, tin.write, tin.print, tensor.dim or tensor.extract}}
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
