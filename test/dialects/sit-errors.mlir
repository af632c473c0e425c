// RUN: sparse-opt %s -verify-diagnostics -split-input-file
// Sparse iteration that is none, and what is said of it.

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a dimension less than the order 2, found 2}}
  %e = sit.extent %A[2] : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 1>, %n: index, %v: f64) {
  // expected-error @below {{expected one of the 2 levels of 'tensor<?x?xf64>', found level 2}}
  %q = sit.locate %A level 2 at %n under %p : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a parent's position for level 1, found none}}
  %q = sit.locate %A level 1 at %n : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected no parent's position for level 0, found one}}
  %q, %f = sit.find %A level 0 at %n under %p : tensor<?x?xf64>
  return
}

// -----

func.func @f(%o: tensor<?xf64, "other">, %n: index) {
  // expected-error @below {{expected a tensor with a #tin.format, found}}
  %q = sit.locate %o level 0 at %n : tensor<?xf64, "other">
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a parent's position for level 1, found none}}
  %q = sit.insert %A level 1 at %n : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected no parent's position for level 0, found one}}
  sit.close %A level 0 from %n under %p : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected one of the 2 levels of 'tensor<?x?xf64>', found level -1}}
  %q = sit.append %A level -1 at %n : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected one of the 0 levels of 'tensor<f64>', found level 0}}
  %q = sit.end %t level 0 : tensor<f64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a position in 'tensor<?x?xf64>', found none}}
  %q = sit.value %A : tensor<?x?xf64> -> f64
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected no position in a tensor without levels, found one}}
  sit.store %v to %t at %p : f64, tensor<f64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 1>, %n: index, %v: f64) {
  // expected-error @below {{expected a value of type 'f64', found 'f32'}}
  %q = sit.value %A at %p : tensor<?x?xf64> -> f32
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 1>, %n: index, %v: f64) {
  // expected-error @below {{expected a value of type 'f64', found 'index'}}
  sit.accumulate add %n to %A at %p : index, tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 1>, %n: index, %v: f64) {
  // expected-error @below {{expected a reduction (add, mul, min, max, and, or, xor), found 'at'}}
  sit.accumulate at %v to %A at %p : f64, tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 2 dimensions, found 1}}
  sit.result %A[%n] : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected an initial value of type 'f64', found 'i32'}}
  sit.result %A[%n, %n] initial 0 : i32 : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 1 dimensions, found 0}}
  %w = sit.workspace [] : tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expects parent op 'sit.kernel'}}
  sit.match "i" %n, %n
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expects parent op 'sit.kernel'}}
  sit.within "i" %n, %n, %n
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected levels or `over` an extent, found neither}}
  sit.coiterate  {
  
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 4>, %n: index, %v: f64) {
  // expected-error @below {{expected one of the 2 levels of 'tensor<?x?xf64>', found level 5}}
  sit.coiterate %A level 5 under %p : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 1 parents' positions (one for each level below level 0), found 0}}
  sit.coiterate %A level 1 : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected no parent's position for level 0, found one}}
  sit.coiterate %A level 0 under %p : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected cases of the 1 iterators, found number 1}}
  sit.coiterate %A level 0 : tensor<?x?xf64> {
  case (1) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected iterators of cases in ascending order, found 0 after 1}}
  sit.coiterate %A level 0, %A level 0 : tensor<?x?xf64>, tensor<?x?xf64> {
  case (1, 0) as (%i, %q, %r) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected either `fused` or `scratch`, found both}}
  sit.coiterate %A level 0 scratch fused : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected `scratch` of the 1 iterators, found number 1}}
  "sit.coiterate"(%A) <{cases = [array<i64: 0>], levels = array<i64: 0>, scratch = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0>}> ({
  ^bb0(%i: index, %q: !sit.pos<tensor<?x?xf64>, 0>):
  }) : (tensor<?x?xf64>) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected bounds, `from` and `to`, of a level with `offset`}}
  sit.coiterate %A level 0 offset %n : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected either `fused` or `offset`, found both}}
  sit.coiterate %A level 0 offset %n from %n to %n fused : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a walk of a level with `offset` that is serial, found one on cpu_thread}}
  sit.coiterate %A level 0 offset %n from %n to %n on cpu_thread no_races : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 1 offsets (one for each level with `offset`), found 0}}
  "sit.coiterate"(%A, %n, %n) <{cases = [array<i64: 0>], levels = array<i64: 0>, offset = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 1, 0>}> ({
  ^bb0(%i: index, %q: !sit.pos<tensor<?x?xf64>, 0>):
  }) : (tensor<?x?xf64>, index, index) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected distinct cases, found one twice}}
  sit.coiterate %A level 0 : tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 2 arguments of a case (the coordinate and a position for each iterator), found 1}}
  sit.coiterate %A level 0 : tensor<?x?xf64> {
  case (0) as (%i) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected `over` an extent where a case has no iterators}}
  sit.coiterate %A level 0 : tensor<?x?xf64> {
  case () as (%i) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected one case with `any`, found 2}}
  sit.coiterate %A level 0, %A level 0 any : tensor<?x?xf64>, tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  case (1) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 2 iterators of the case with `any` (all of them), found 1}}
  sit.coiterate %A level 0, %A level 0 any : tensor<?x?xf64>, tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected one level and one case with `fused`, found 2 and 1}}
  sit.coiterate %A level 0, %A level 0 fused : tensor<?x?xf64>, tensor<?x?xf64> {
  case (0) as (%i, %q) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a positive unroll factor, found 0}}
  sit.coiterate over %n unroll 0 {
  case () as (%i) {}
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{expected 2, 4, 8 or 16 groups of lanes, found 3}}
  sit.coiterate over %n on gpu_thread groups 3 {
  case () as (%i) {}
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{expected gpu_thread with groups of lanes, found gpu_warp}}
  sit.coiterate over %n on gpu_warp groups 8 {
  case () as (%i) {}
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected '}'}}
  sit.coiterate over %n {
  %z = arith.constant 0.0 : f64
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected cases as arrays of i64, found 7}}
  "sit.coiterate"(%n) <{levels = array<i64>, cases = [7], operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> ({
  ^bb0(%i: index):
  }) : (index) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 1 cases (one for each region), found 0}}
  "sit.coiterate"(%n) <{levels = array<i64>, cases = [], operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> ({
  ^bb0(%i: index):
  }) : (index) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected an argument of a case of type 'index', found 'i64'}}
  "sit.coiterate"(%n) <{levels = array<i64>, cases = [array<i64>], operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> ({
  ^bb0(%i: i64):
  }) : (index) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected a lower bound below the upper one, found none}}
  "sit.coiterate"(%n, %n) <{levels = array<i64>, cases = [], operandSegmentSizes = array<i32: 0, 0, 1, 0, 1, 0>}> : (index, index) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64>, 0>, %n: index, %v: f64) {
  // expected-error @below {{expected 1 levels (one for each tensor), found 0}}
  "sit.coiterate"(%A) <{levels = array<i64>, cases = [], operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0>}> : (tensor<?x?xf64>) -> ()
  return
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>, %n: index) {
  // expected-error @below {{expected a result that can be built by 'insert', found 'tensor<?x?xf64, #tin.format<(i, j) -> (i : dense, j : compressed)>>'}}
  sit.result %A[%n, %n] by insert : tensor<?x?xf64, #CSR>
  return
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>, %i: index) {
  // expected-error @below {{expected a parent's position for level 1, found none}}
  sit.count %A level 1 at %i : tensor<?x?xf64, #CSR>
  return
}

// -----

// A position is of one level of one tensor.
func.func @f(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index) {
  %p = sit.locate %A level 0 at %n : tensor<?x?xf64>
  // expected-error @below {{expected a position in the same tensor, found one of level 0 of another}}
  %q = sit.locate %B level 1 at %n under %p : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %n: index) {
  %p = sit.locate %A level 0 at %n : tensor<?x?xf64>
  // expected-note @below {{prior use here}}
  %q = sit.locate %A level 1 at %n under %p : tensor<?x?xf64>
  // expected-error @below {{use of value '%q' expects different type than prior uses: '!sit.pos<tensor<?x?xf64>, 0>' vs '!sit.pos<tensor<?x?xf64>, 1>'}}
  %r = sit.insert %A level 1 at %n under %q : tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %n: index) {
  // expected-note @below {{prior use here}}
  %p, %there = sit.find %A level 0 at %n : tensor<?x?xf64>
  // expected-error @below {{use of value '%p' expects different type than prior uses: '!sit.pos<tensor<?x?xf64>, 1>' vs '!sit.pos<tensor<?x?xf64>, 0>'}}
  %v = sit.value %A at %p : tensor<?x?xf64> -> f64
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index, %v: f64) {
  %p = sit.insert %A level 0 at %n : tensor<?x?xf64>
  %q = sit.insert %A level 1 at %n under %p : tensor<?x?xf64>
  // expected-error @below {{expected a position in the same tensor, found one of level 1 of another}}
  sit.store %v to %B at %q : f64, tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?xf64>, %B: tensor<?xf64>, %v: f64) {
  sit.coiterate %A level 0, %B level 0 : tensor<?xf64>, tensor<?xf64> {
  case (0, 1) as (%i, %p, %q) {
    // expected-error @below {{expected a position in the same tensor, found one of level 0 of another}}
    sit.accumulate add %v to %A at %q : f64, tensor<?xf64>
  }
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) {
  sit.coiterate %A level 0, %B level 0 : tensor<?x?xf64>, tensor<?x?xf64> {
  case (1) as (%i, %q) {
    // expected-error @below {{expected a position in the same tensor, found one of level 0 of another}}
    sit.coiterate %A level 1 under %q : tensor<?x?xf64> {
    case (0) as (%j, %r) {
    }
    }
  }
  }
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %n: index) {
  // expected-note @below {{prior use here}}
  %p = sit.append %A level 1 at %n : tensor<?x?xf64>
  // expected-error @below {{use of value '%p' expects different type than prior uses: '!sit.pos<tensor<?x?xf64>, 0>' vs '!sit.pos<tensor<?x?xf64>, 1>'}}
  sit.close %A level 1 from %n under %p : tensor<?x?xf64>
  return
}

// -----

// As operations are built and not read, the verifier says so.
func.func @f(%A: tensor<?x?xf64>, %p: !sit.pos<tensor<?x?xf64>, 1>, %n: index) {
  // expected-error @below {{expected a position of type '!sit.pos<tensor<?x?xf64>, 0>', found '!sit.pos<tensor<?x?xf64>, 1>'}}
  "sit.count"(%A, %n, %p) <{level = 1 : i64}> : (tensor<?x?xf64>, index, !sit.pos<tensor<?x?xf64>, 1>) -> ()
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %n: index) {
  // expected-error @below {{inferred type(s) '!sit.pos<tensor<?x?xf64>, 0>' are incompatible with return type(s) of operation '!sit.pos<tensor<?x?xf64>, 1>'}}
  // expected-error @below {{failed to infer returned types}}
  %p = "sit.append"(%A, %n) <{level = 0 : i64}> : (tensor<?x?xf64>, index) -> !sit.pos<tensor<?x?xf64>, 1>
  return
}

// -----

func.func @f(%A: tensor<?xf64>, %n: index) {
  // expected-error @below {{expected an argument of a case of type '!sit.pos<tensor<?xf64>, 0>', found '!sit.pos<tensor<?xf32>, 0>'}}
  "sit.coiterate"(%A) <{cases = [array<i64: 0>], levels = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0>}> ({
  ^bb0(%i: index, %q: !sit.pos<tensor<?xf32>, 0>):
  }) : (tensor<?xf64>) -> ()
  return
}
