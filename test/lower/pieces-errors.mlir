// RUN: sparse-opt %s --lower-sit --split-input-file --verify-diagnostics

// The coordinates of the first level are not those of the loop.

#SV = #tin.format<(i) -> (i : compressed)>
func.func @shifted(%b: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = sit.kernel (%b) {
  ^bb0(%B: tensor<?xf64, #SV>, %A: tensor<?xf64, #SV>):
    %m = sit.extent %B[0] : tensor<?xf64, #SV>
    sit.result %A[%m] by append : tensor<?xf64, #SV>
    %begin = sit.end %A level 0 : tensor<?xf64, #SV>
    // expected-error @+1 {{'sit.coiterate' on threads expected the coordinates of the first level of the result that it appends to}}
    sit.coiterate %B level 0 on cpu_thread no_races : tensor<?xf64, #SV> {
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #SV> -> f64
      %whole = arith.fptoui %x : f64 to i64
      %next = arith.index_cast %whole : i64 to index
      %q = sit.append %A level 0 at %next : tensor<?xf64, #SV>
      sit.store %x to %A at %q : f64, tensor<?xf64, #SV>
    }
    }
    sit.close %A level 0 from %begin : tensor<?xf64, #SV>
    sit.finish %A : tensor<?xf64, #SV>
  } : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// -----

#RUNS = #tin.format<(i) -> (i : run_length)>
func.func @unjoined(%b: tensor<?xf64, #RUNS>) -> tensor<?xf64, #RUNS> {
  %a = sit.kernel (%b) {
  ^bb0(%B: tensor<?xf64, #RUNS>, %A: tensor<?xf64, #RUNS>):
    %m = sit.extent %B[0] : tensor<?xf64, #RUNS>
    // expected-error @+1 {{'sit.append' cannot be lowered in a parallel loop: level 0 (run_length) is not joined}}
    sit.result %A[%m] by append : tensor<?xf64, #RUNS>
    %begin = sit.end %A level 0 : tensor<?xf64, #RUNS>
    sit.coiterate %B level 0 on cpu_thread no_races : tensor<?xf64, #RUNS> {
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #RUNS> -> f64
      %q = sit.append %A level 0 at %i : tensor<?xf64, #RUNS>
      sit.store %x to %A at %q : f64, tensor<?xf64, #RUNS>
    }
    }
    sit.close %A level 0 from %begin : tensor<?xf64, #RUNS>
    sit.finish %A : tensor<?xf64, #RUNS>
  } : (tensor<?xf64, #RUNS>) -> tensor<?xf64, #RUNS>
  return %a : tensor<?xf64, #RUNS>
}

// -----

#UNORDERED = #tin.format<(i) -> (i : compressed(unordered))>
#SV = #tin.format<(i) -> (i : compressed)>
func.func @unordered(%b: tensor<?xf64, #UNORDERED>) -> tensor<?xf64, #SV> {
  %a = sit.kernel (%b) {
  ^bb0(%B: tensor<?xf64, #UNORDERED>, %A: tensor<?xf64, #SV>):
    %m = sit.extent %B[0] : tensor<?xf64, #UNORDERED>
    sit.result %A[%m] by append : tensor<?xf64, #SV>
    %begin = sit.end %A level 0 : tensor<?xf64, #SV>
    // expected-error @+1 {{'sit.coiterate' on threads expected ordered levels, where several are merged or the result is appended to}}
    sit.coiterate %B level 0 on cpu_thread no_races : tensor<?xf64, #UNORDERED> {
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #UNORDERED> -> f64
      %q = sit.append %A level 0 at %i : tensor<?xf64, #SV>
      sit.store %x to %A at %q : f64, tensor<?xf64, #SV>
    }
    }
    sit.close %A level 0 from %begin : tensor<?xf64, #SV>
    sit.finish %A : tensor<?xf64, #SV>
  } : (tensor<?xf64, #UNORDERED>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// -----

// A second loop appends where the operand of the first tells nothing.

#SV = #tin.format<(i) -> (i : compressed)>
func.func @twice(%b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?xf64, #SV>, %C: tensor<?xf64, #SV>, %A: tensor<?xf64, #SV>):
    %m = sit.extent %B[0] : tensor<?xf64, #SV>
    sit.result %A[%m] by append : tensor<?xf64, #SV>
    %begin = sit.end %A level 0 : tensor<?xf64, #SV>
    sit.coiterate %B level 0 on cpu_thread no_races : tensor<?xf64, #SV> {
    case (0) as (%i, %p) {
      %x = sit.value %B at %p : tensor<?xf64, #SV> -> f64
      %r = sit.append %A level 0 at %i : tensor<?xf64, #SV>
      sit.store %x to %A at %r : f64, tensor<?xf64, #SV>
    }
    }
    sit.coiterate %C level 0 on cpu_thread no_races : tensor<?xf64, #SV> {
    case (0) as (%i, %q) {
      %x = sit.value %C at %q : tensor<?xf64, #SV> -> f64
      // expected-error @+1 {{'sit.append' cannot be lowered in a parallel loop}}
      %r = sit.append %A level 0 at %i : tensor<?xf64, #SV>
      sit.store %x to %A at %r : f64, tensor<?xf64, #SV>
    }
    }
    sit.close %A level 0 from %begin : tensor<?xf64, #SV>
    sit.finish %A : tensor<?xf64, #SV>
  } : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}
