// What cannot be lowered is said at the operation that asks for it.
// RUN: sparse-opt %s --lower-sit --split-input-file --verify-diagnostics

#V = #tin.format<(i) -> (i : compressed)>
#U = #tin.format<(i) -> (i : compressed(nonunique))>
#R = #tin.format<(i) -> (i : compressed(unordered))>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#CC = #tin.format<(i, j) -> (i : compressed(nonunique), j : compressed)>

func.func @locate(%a: tensor<?xf64, #V>) -> tensor<?xf64> {
  %r = sit.kernel (%a) {
  ^bb0(%A: tensor<?xf64, #V>, %y: tensor<?xf64>):
    %n = sit.extent %A[0] : tensor<?xf64, #V>
    %zero = arith.constant 0 : index
    sit.result %y[%n] : tensor<?xf64>
    // expected-error @+1 {{'sit.locate' expected a level that can locate, found level 0 'compressed'}}
    %p = sit.locate %A level 0 at %zero : tensor<?xf64, #V>
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64, #V>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

#V = #tin.format<(i) -> (i : compressed)>

func.func @insert(%x: tensor<?xf64>) -> tensor<?xf64, #V> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64, #V>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n] : tensor<?xf64, #V>
    sit.coiterate over %n {
    case () as (%i) {
      // expected-error @+1 {{'sit.insert' expected a level that can insert, found level 0 'compressed'}}
      %p = sit.insert %y level 0 at %i : tensor<?xf64, #V>
    }}
    sit.finish %y : tensor<?xf64, #V>
  } : (tensor<?xf64>) -> tensor<?xf64, #V>
  return %r : tensor<?xf64, #V>
}

// -----

#R = #tin.format<(i) -> (i : compressed(unordered))>

func.func @unordered(%a: tensor<?xf64, #R>, %b: tensor<?xf64, #R>) -> tensor<?xf64> {
  %r = sit.kernel (%a, %b) {
  ^bb0(%A: tensor<?xf64, #R>, %B: tensor<?xf64, #R>, %y: tensor<?xf64>):
    %n = sit.extent %A[0] : tensor<?xf64, #R>
    sit.result %y[%n] : tensor<?xf64>
    // expected-error @+1 {{'sit.coiterate' expected ordered levels where several are walked together or a whole range is visited, found level 0 'compressed' unordered}}
    sit.coiterate %A level 0, %B level 0 : tensor<?xf64, #R>, tensor<?xf64, #R> {
    case (0, 1) as (%i, %p, %q) {
    }}
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64, #R>, tensor<?xf64, #R>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

#CC = #tin.format<(i, j) -> (i : compressed(nonunique), j : compressed)>

func.func @below_duplicates(%a: tensor<?x?xf64, #CC>) -> tensor<?xf64> {
  %r = sit.kernel (%a) {
  ^bb0(%A: tensor<?x?xf64, #CC>, %y: tensor<?xf64>):
    %n = sit.extent %A[0] : tensor<?x?xf64, #CC>
    sit.result %y[%n] : tensor<?xf64>
    sit.coiterate %A level 0 : tensor<?x?xf64, #CC> {
    case (0) as (%i, %p) {
      // expected-error @+1 {{'sit.coiterate' expected a branchless level below a segment of duplicates, or one with `scratch`, found level 1 'compressed'}}
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CC> {
      case (0) as (%j, %q) {
      }}
    }}
    sit.finish %y : tensor<?xf64>
  } : (tensor<?x?xf64, #CC>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

#V = #tin.format<(i) -> (i : compressed)>

func.func @parallel_merge(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>) -> tensor<?xf64> {
  %r = sit.kernel (%a, %b) {
  ^bb0(%A: tensor<?xf64, #V>, %B: tensor<?xf64, #V>, %y: tensor<?xf64>):
    %n = sit.extent %A[0] : tensor<?xf64, #V>
    sit.result %y[%n] : tensor<?xf64>
    // expected-error @+1 {{'sit.coiterate' cannot run in parallel: expected one case of one level or of none, found 2 levels and 1 cases}}
    sit.coiterate %A level 0, %B level 0 on cpu_thread atomics : tensor<?xf64, #V>, tensor<?xf64, #V> {
    case (0, 1) as (%i, %p, %q) {
    }}
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64, #V>, tensor<?xf64, #V>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

#U = #tin.format<(i) -> (i : compressed(nonunique))>

func.func @parallel_duplicates(%a: tensor<?xf64, #U>) -> tensor<?xf64> {
  %r = sit.kernel (%a) {
  ^bb0(%A: tensor<?xf64, #U>, %y: tensor<?xf64>):
    %n = sit.extent %A[0] : tensor<?xf64, #U>
    sit.result %y[%n] : tensor<?xf64>
    // expected-error @+1 {{'sit.coiterate' cannot walk duplicates together in parallel: expected 'fused' or a unique level, found level 0 'compressed'}}
    sit.coiterate %A level 0 on cpu_thread atomics : tensor<?xf64, #U> {
    case (0) as (%i, %p) {
    }}
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64, #U>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @parallel_variable(%x: tensor<?xf64>) -> tensor<f64> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<f64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    %zero = arith.constant 0.0 : f64
    sit.result %y[] : tensor<f64>
    %s = sit.var %zero : f64
    sit.coiterate over %n on cpu_thread no_races {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf64>
      %v = sit.value %X at %p : tensor<?xf64> -> f64
      // expected-error @+1 {{a variable made outside of a parallel loop cannot be set in it}}
      sit.set %s, %v : f64
    }}
    sit.finish %y : tensor<f64>
  } : (tensor<?xf64>) -> tensor<f64>
  return %r : tensor<f64>
}

// -----

func.func @gpu(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n] : tensor<?xf64>
    sit.coiterate over %n on gpu_block parallel_reduction {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xf64>
      %q = sit.insert %y level 0 at %i : tensor<?xf64>
      %v = sit.value %X at %p : tensor<?xf64> -> f64
      // expected-error @+1 {{'sit.accumulate' expected 'atomic' on a GPU, whose threads have no copies of a result}}
      sit.accumulate add %v to %y at %q : f64, tensor<?xf64>
    }}
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @late_check(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n] : tensor<?xf64>
    // expected-error @+1 {{'sit.match' expected before 'sit.result'}}
    sit.match "i" %n, %n
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @other(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n] : tensor<?xf64>
    // expected-error @+1 {{'memref.alloc' cannot be lowered in a sparse kernel: expected operations of sit, arith, math, complex, or scf.if}}
    %m = memref.alloc() : memref<4xf64>
    sit.finish %y : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @early(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64>):
    // expected-error @+1 {{'sit.extent' on the result expected after 'sit.result'}}
    %n = sit.extent %y[0] : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @no_result(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{'sit.kernel' expected a 'sit.result', found none}}
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>

func.func @scatter_level(%x: tensor<?xf64>) -> tensor<?x?xf64, #DCSR> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #DCSR>):
    %n = sit.extent %X[0] : tensor<?xf64>
    // expected-error @+1 {{expected a result that can be built by 'scatter', found 'tensor<?x?xf64, #tin.format<(i, j) -> (i : compressed, j : compressed)>>'}}
    sit.result %y[%n, %n] by scatter : tensor<?x?xf64, #DCSR>
    sit.finish %y : tensor<?x?xf64, #DCSR>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #DCSR>
  return %r : tensor<?x?xf64, #DCSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @place_uncounted(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #CSR>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] by scatter : tensor<?x?xf64, #CSR>
    sit.coiterate over %n {
    case () as (%i) {
      %p = sit.insert %y level 0 at %i : tensor<?x?xf64, #CSR>
      // expected-error @+1 {{'sit.place' expected after 'sit.edges'}}
      %q = sit.place %y level 1 at %i under %p : tensor<?x?xf64, #CSR>
    }}
    sit.finish %y : tensor<?x?xf64, #CSR>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %r : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @edges_in_a_loop(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #CSR>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] by scatter : tensor<?x?xf64, #CSR>
    sit.coiterate over %n {
    case () as (%i) {
      // expected-error @+1 {{'sit.edges' expected in the kernel's own block}}
      sit.edges %y level 1 : tensor<?x?xf64, #CSR>
    }}
    sit.finish %y : tensor<?x?xf64, #CSR>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %r : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @order_before_edges(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #CSR>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] by scatter : tensor<?x?xf64, #CSR>
    // expected-error @+1 {{'sit.order' expected after 'sit.edges'}}
    sit.order %y level 1 : tensor<?x?xf64, #CSR>
    sit.finish %y : tensor<?x?xf64, #CSR>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %r : tensor<?x?xf64, #CSR>
}

// -----

#BLOCKS = #tin.format<(i, j) -> (i : dense, j floordiv 4 : compressed, j mod 4 : dense)>

func.func @order_above_blocks(%x: tensor<?xf64>) -> tensor<?x?xf64, #BLOCKS> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #BLOCKS>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] by scatter : tensor<?x?xf64, #BLOCKS>
    sit.edges %y level 1 : tensor<?x?xf64, #BLOCKS>
    // expected-error @+1 {{'sit.order' expected the first level that is recorded, found level 1}}
    sit.order %y level 1 : tensor<?x?xf64, #BLOCKS>
    sit.finish %y : tensor<?x?xf64, #BLOCKS>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #BLOCKS>
  return %r : tensor<?x?xf64, #BLOCKS>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @append_to_scattered(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #CSR>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] by scatter : tensor<?x?xf64, #CSR>
    // expected-error @+1 {{'sit.end' expected a level that is appended to, found that level 1 is scattered into}}
    %e = sit.end %y level 1 : tensor<?x?xf64, #CSR>
    sit.finish %y : tensor<?x?xf64, #CSR>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %r : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @count_appended(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #CSR>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] : tensor<?x?xf64, #CSR>
    sit.coiterate over %n {
    case () as (%i) {
      %p = sit.insert %y level 0 at %i : tensor<?x?xf64, #CSR>
      // expected-error @+1 {{'sit.count' expected a level of the result that 'sit.result' says is scattered into or collected, found level 1}}
      sit.count %y level 1 at %i under %p : tensor<?x?xf64, #CSR>
    }}
    sit.finish %y : tensor<?x?xf64, #CSR>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %r : tensor<?x?xf64, #CSR>
}

// -----

// Such a result can be collected, not appended to.

#P = #tin.format<(i, j) -> (i : compressed, j : padded)>

func.func @cannot_grow(%x: tensor<?x?xf64>) -> tensor<?x?xf64, #P> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?x?xf64>, %y: tensor<?x?xf64, #P>):
    %m = sit.extent %X[0] : tensor<?x?xf64>
    %n = sit.extent %X[1] : tensor<?x?xf64>
    // expected-error @+1 {{level 1 (padded) of 'result' is not supported below a level that is appended to: its arrays would have to grow}}
    sit.result %y[%m, %n] : tensor<?x?xf64, #P>
    sit.finish %y : tensor<?x?xf64, #P>
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #P>
  return %r : tensor<?x?xf64, #P>
}

// -----

// What is read is not built.

#V = #tin.format<(i) -> (i : dense)>

func.func @operand(%x: tensor<?xf64, #V>) -> tensor<?xf64, #V> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64, #V>, %y: tensor<?xf64, #V>):
    %n = sit.extent %X[0] : tensor<?xf64, #V>
    sit.result %y[%n] : tensor<?xf64, #V>
    sit.coiterate over %n {
    case () as (%i) {
      // expected-error @+1 {{'sit.insert' expected a result or a workspace, found an operand}}
      %p = sit.insert %X level 0 at %i : tensor<?xf64, #V>
    }}
    sit.finish %y : tensor<?xf64, #V>
  } : (tensor<?xf64, #V>) -> tensor<?xf64, #V>
  return %r : tensor<?xf64, #V>
}

// -----

// A level that is collected is not appended to, though its format can be.

#HC = #tin.format<(i, j) -> (i : hashed, j : run_length)>

func.func @collected(%x: tensor<?xf64>) -> tensor<?x?xf64, #HC> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #HC>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n, %n] by collect : tensor<?x?xf64, #HC>
    sit.coiterate over %n {
    case () as (%i) {
      // expected-error @+1 {{'sit.append' expected a level that is appended to, found that level 1 is collected}}
      %p = sit.append %y level 1 at %i : tensor<?x?xf64, #HC>
    }}
    sit.finish %y : tensor<?x?xf64, #HC>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #HC>
  return %r : tensor<?x?xf64, #HC>
}

// -----

#B = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>

func.func @apart(%x: tensor<?xf64>) -> tensor<?x?xf64, #B> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?x?xf64, #B>):
    %n = sit.extent %X[0] : tensor<?xf64>
    // expected-error @+1 {{'sit.result' expected a result that threads can collect at once, as it is 'apart'}}
    sit.result %y[%n, %n] by collect apart : tensor<?x?xf64, #B>
    sit.finish %y : tensor<?x?xf64, #B>
  } : (tensor<?xf64>) -> tensor<?x?xf64, #B>
  return %r : tensor<?x?xf64, #B>
}

// -----

#W = #tin.format<(i) -> (i : accumulator)>

func.func @result(%x: tensor<?xf64>) -> tensor<?xf64, #W> {
  %r = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %y: tensor<?xf64, #W>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %y[%n] : tensor<?xf64, #W>
    // expected-error @+1 {{'sit.sort' expected a workspace, found a result}}
    sit.sort %y level 0 : tensor<?xf64, #W>
    sit.finish %y : tensor<?xf64, #W>
  } : (tensor<?xf64>) -> tensor<?xf64, #W>
  return %r : tensor<?xf64, #W>
}

// -----

// A hash table has room for its entries only once they are counted.

#HASH = #tin.format<(i) -> (i : hashed)>

func.func @not_counted(%x: tensor<?xf64, #HASH>) -> tensor<?xf64, #HASH> {
  %y = sit.kernel (%x) {
  ^bb0(%a: tensor<?xf64, #HASH>, %r: tensor<?xf64, #HASH>):
    %n = sit.extent %a[0] : tensor<?xf64, #HASH>
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f64
    // expected-error @+1 {{level 0 (hashed) of the result is not supported without counts of its entries}}
    sit.result %r[%n] : tensor<?xf64, #HASH>
    %q = sit.insert %r level 0 at %zero : tensor<?xf64, #HASH>
    sit.store %one to %r at %q : f64, tensor<?xf64, #HASH>
    sit.finish %r : tensor<?xf64, #HASH>
  } : (tensor<?xf64, #HASH>) -> tensor<?xf64, #HASH>
  return %y : tensor<?xf64, #HASH>
}

// -----

func.func @strategies(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %Y[%n] : tensor<?xf64>
    // expected-error @below {{expected strategies of the CPU, found 'luck'}}
    sit.coiterate over %n strategies {luck} {
    case () as (%i) {}
    }
    sit.finish %Y : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @number(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %Y[%n] : tensor<?xf64>
    // expected-error @below {{expected a positive number for 'lanes', found 0 : i64}}
    sit.coiterate over %n strategies {lanes = 0} {
    case () as (%i) {}
    }
    sit.finish %Y : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @no_number(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xf64>, %Y: tensor<?xf64>):
    %n = sit.extent %X[0] : tensor<?xf64>
    sit.result %Y[%n] : tensor<?xf64>
    // expected-error @below {{expected no value for 'select', found 3 : i64}}
    sit.coiterate over %n strategies {select = 3} {
    case () as (%i) {}
    }
    sit.finish %Y : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
