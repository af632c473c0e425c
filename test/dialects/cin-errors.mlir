// RUN: sparse-opt %s -verify-diagnostics -split-input-file
// Concrete index notation that is none, and what is said of it.

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 2 subscripts, found 1}}
  %a = cin.read %A[%i] : tensor<?x?xf64>
  return
}

// -----

func.func @f(%w: vector<4xf64>) {
  // expected-error @below {{expected a ranked tensor or a scalar, found 'vector<4xf64>'}}
  %a = cin.read %w[] : vector<4xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 0 subscripts, found 1}}
  %a = cin.read %v[%i] : f64
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected subscripts without symbols, found}}
  %a = cin.read %y[symbol(%i)] : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a value of type 'f64', found 'f32'}}
  %a = "cin.read"(%y, %i) <{map = affine_map<(d0) -> (d0)>}> : (tensor<?xf64>, !cin.index) -> f32
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 2 variables of the map, found 1}}
  %a = "cin.read"(%y, %i) <{map = affine_map<(d0, d1) -> (d0)>}> : (tensor<?xf64>, !cin.index) -> f64
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a reduction (add, mul, min, max, and, or, xor), found 'plus'}}
  cin.assign %y[%i] plus %v : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a reduction (add, mul, min, max, and, or, xor)}}
  cin.assign %y[%i] + %v : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{attribute 'kind' failed to satisfy constraint: string attribute that is one of add, mul, min, max, and, or, xor}}
  "cin.assign"(%y, %i, %v) <{map = affine_map<(d0) -> (d0)>, kind = "plus", operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<?xf64>, !cin.index, f64) -> ()
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 1 subscripts, found 0}}
  cin.assign %y[] = %v : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected an identity of type 'f64', found 'f32'}}
  cin.assign %y[%i] add %v {identity = 0.0 : f32} : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected serial, cpu_thread, cpu_vector, gpu_block, gpu_warp or gpu_thread, found 'core'}}
  cin.forall %i on core {}
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a positive unroll factor, found 0}}
  cin.forall %i unroll 0 {}
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 0 block arguments, found 1}}
  cin.forall %i {
  ^bb0(%k: index):
  }
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 2 variables (one for each dimension), found 1}}
  %w = cin.workspace (%i) : tensor<?x?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{attribute 'size' failed to satisfy constraint}}
  %i0, %i1 = cin.split %i by 0 ("i0", "i1")
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{attribute 'kind' failed to satisfy constraint: string attribute that is exact or max}}
  %j = cin.bound %i "min" 4 ("j")
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 block arguments (the operands and the result), found 1}}
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected a block argument of type 'tensor<?xf64>', found 'f64'}}
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %b: f64):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 fills, found 1}}
  %y = cin.kernel (%x) attributes {fills = [0.0]} {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected a fill with a type, found []}}
  %y = cin.kernel (%x) attributes {fills = [0.0, []]} {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 tensor names, found 3}}
  %y = cin.kernel (%x) attributes {tensor_names = ["a", "b", "c"]} {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: vector<4xf64>) {
  // expected-error @below {{expected ranked tensors or scalars, found 'vector<4xf64>'}}
  %y = cin.kernel (%x) {
  ^bb0(%a: vector<4xf64>, %b: tensor<?xf64>):
  } : (vector<4xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index) {
  // expected-error @below {{expected 2 variables of the map, found 1}}
  %k = cin.remap(%i) by affine_map<(d0, d1) -> (d1 - d0)>("k")
  return
}

// -----

func.func @f(%i: !cin.index, %j: !cin.index) {
  // expected-error @below {{expected a map to a quotient, a remainder, a difference, a sum or a counter of variables, found}}
  %k = cin.remap(%i, %j) by affine_map<(d0, d1) -> (d1 + 2 * d0)>("k")
  return
}

// -----

func.func @names(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @+1 {{expected distinct variables, found 'i' twice}}
    %j = cin.index "i"
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
