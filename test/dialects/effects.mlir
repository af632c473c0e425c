// What an op reads and writes: MLIR's own passes neither merge nor drop what is not the same.
// RUN: sparse-opt --split-input-file --canonicalize --cse --loop-invariant-code-motion --control-flow-sink %s | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DENSE = #tin.format<(i) -> (i : dense)>

// An array is written between two assemblies: two tensors, two results, in this order.
// CHECK-LABEL: func.func @assembles_anew(
// CHECK: tin.assemble
// CHECK: tin.compute
// CHECK: memref.store
// CHECK: tin.assemble
// CHECK: tin.compute
// CHECK: scf.if
func.func @assembles_anew(%n: index, %v: memref<?xf64>, %c: i1, %i: index) {
  %one = arith.constant 1.0 : f64
  %a = tin.assemble [%n] (%v) : (memref<?xf64>) -> tensor<?xf64, #DENSE>
  %x = tin.compute (i) %a[i] -> [i] {
  ^bb0(%0: f64):
    %1 = arith.addf %0, %0 : f64
    tin.yield %1 : f64
  } : (tensor<?xf64, #DENSE>) -> tensor<?xf64>
  memref.store %one, %v[%i] : memref<?xf64>
  %b = tin.assemble [%n] (%v) : (memref<?xf64>) -> tensor<?xf64, #DENSE>
  %y = tin.compute (i) %b[i] -> [i] {
  ^bb0(%0: f64):
    %1 = arith.addf %0, %0 : f64
    tin.yield %1 : f64
  } : (tensor<?xf64, #DENSE>) -> tensor<?xf64>
  scf.if %c {
    tin.print %x : tensor<?xf64>
  }
  tin.print %y : tensor<?xf64>
  return
}

// -----

// Two statements alike are one, where nothing is written in between; what nobody uses goes.
// CHECK-LABEL: func.func @computes_once(
// CHECK: %[[Y:.*]] = tin.einsum
// CHECK-NOT: tin.einsum
// CHECK: return %[[Y]], %[[Y]]
func.func @computes_once(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = tin.einsum "y(i) = 2 * x(i)" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  %z = tin.einsum "y(i) = 2 * x(i)" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  %w = tin.einsum "y(i) = 3 * x(i)" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %y, %z : tensor<?xf64>, tensor<?xf64>
}

// -----

// A statement may end the program with a status: it does not leave a loop that may have no turn.
// CHECK-LABEL: func.func @stays_in_the_loop(
// CHECK: scf.for
// CHECK: tin.einsum
func.func @stays_in_the_loop(%x: tensor<?xf64>, %w: tensor<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    %y = tin.einsum "y(i) = w(i) * x(i)" (%w, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    tin.print %y : tensor<?xf64>
  }
  return
}

// -----

// Two workspaces alike are two; a value is read again after it was assigned; a relation holds though
// nothing uses it.
// CHECK-LABEL: func.func @workspaces(
// CHECK: cin.remap
// CHECK: cin.workspace()
// CHECK: cin.workspace()
// CHECK: cin.read %t[]
// CHECK: cin.assign %t[]
// CHECK: cin.read %t[]
#BLOCKS = #tin.format<(i) -> (i floordiv 2 : compressed, i mod 2 : dense)>
func.func @workspaces(%x: tensor<?xf64>) -> tensor<?xf64, #BLOCKS> {
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %r: tensor<?xf64, #BLOCKS>):
    %i = cin.index "i"
    %ib = cin.remap(%i) by affine_map<(d0) -> (d0 floordiv 2)>("ib")
    %t = cin.workspace() : tensor<f64>
    %u = cin.workspace() : tensor<f64>
    cin.forall %i {
      cin.where {
        %0 = cin.read %u[] : tensor<f64>
        cin.assign %r[%i] = %0 : tensor<?xf64, #BLOCKS>
      } producing %u {
        cin.where {
          %1 = cin.read %t[] : tensor<f64>
          cin.assign %u[] add %1 : tensor<f64>
        } producing %t {
          %2 = cin.read %a[%i] : tensor<?xf64>
          cin.assign %t[] = %2 : tensor<f64>
        } : tensor<f64>
        cin.where {
          %3 = cin.read %t[] : tensor<f64>
          cin.assign %u[] add %3 : tensor<f64>
        } producing %t {
          %4 = cin.read %a[%i] : tensor<?xf64>
          %5 = arith.mulf %4, %4 : f64
          cin.assign %t[] = %5 : tensor<f64>
        } : tensor<f64>
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64, #BLOCKS>
  return %y : tensor<?xf64, #BLOCKS>
}

// -----

// What is found before an insertion is not what is found after it; variables are read anew.
// CHECK-LABEL: func.func @finds_again(
// CHECK: sit.find
// CHECK: sit.insert
// CHECK: sit.find
// CHECK: sit.var
// CHECK: sit.var
// CHECK: sit.get
// CHECK: sit.set
// CHECK: sit.get
#HASH = #tin.format<(i) -> (i : hashed)>
func.func @finds_again(%x: tensor<?xf64, #HASH>) -> tensor<?xf64, #HASH> {
  %y = sit.kernel (%x) {
  ^bb0(%a: tensor<?xf64, #HASH>, %r: tensor<?xf64, #HASH>):
    %n = sit.extent %a[0] : tensor<?xf64, #HASH>
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f64
    sit.result %r[%n] : tensor<?xf64, #HASH>
    %p, %before = sit.find %r level 0 at %zero : tensor<?xf64, #HASH>
    %q = sit.insert %r level 0 at %zero : tensor<?xf64, #HASH>
    %s, %after = sit.find %r level 0 at %zero : tensor<?xf64, #HASH>
    %v = sit.var %one : f64
    %w = sit.var %one : f64
    %b = arith.andi %before, %after : i1
    scf.if %b {
      %0 = sit.get %v : f64
      sit.set %v, %one : f64
      %1 = sit.get %v : f64
      %2 = arith.addf %0, %1 : f64
      sit.set %w, %2 : f64
    }
    %3 = sit.get %w : f64
    sit.store %3 to %r at %q : f64, tensor<?xf64, #HASH>
    sit.finish %r : tensor<?xf64, #HASH>
  } : (tensor<?xf64, #HASH>) -> tensor<?xf64, #HASH>
  return %y : tensor<?xf64, #HASH>
}
