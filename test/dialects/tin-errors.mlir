// RUN: sparse-opt %s -verify-diagnostics -split-input-file
// Formats and statements that are none, and what is said of them.

// expected-error @below {{expected distinct dimensions, found 'i' twice}}
#F = #tin.format<(i, i) -> (i : dense)>

// -----

// expected-error @below {{expected every dimension in some level, found none with dimension 1}}
#F = #tin.format<(i, j) -> (i : dense)>

// -----

// expected-error @below {{expected a dimension of this format, found 'k'}}
#F = #tin.format<(i, j) -> (i : dense, k : dense)>

// -----

// expected-error @below {{expected ':', found ')'}}
#F = #tin.format<(i) -> (i)>

// -----

// expected-error @below {{expected a level format, found ')'}}
#F = #tin.format<(i) -> (i : )>

// -----

// expected-error @below {{expected nonunique, unordered or an integer, found 'odd'}}
#F = #tin.format<(i) -> (i : dense(odd))>

// -----

// expected-error @below {{expected widths of 8, 16, 32 or 64 bits, found 12}}
#F = #tin.format<(i) -> (i : dense), pos = 12>

// -----

// expected-error @below {{expected each width once}}
#F = #tin.format<(i) -> (i : dense), pos = 8, pos = 8>

// -----

// expected-error @below {{expected pos, crd, symmetric, lower or strictly_lower, found 'v'}}
#F = #tin.format<(i) -> (i : dense), val = 8>

// -----

// expected-error @below {{expected two dimensions, found one twice}}
#F = #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(i, i)>

// -----

// expected-error @below {{expected one triangle}}
#F = #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(i, j), lower(i, j)>

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
func.func @view(%A: tensor<?x?xf64, #CSR>) {
  // expected-error @below {{expected a result that differs from 'tensor<?x?xf64, #tin.format<(i, j) -> (i : dense, j : compressed)>>' in its triangle alone, found 'tensor<?x?xf64, #tin.format<(i, j) -> (j : dense, i : compressed)>>'}}
  %B = tin.view %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSC>
  return
}

// -----

// expected-error @below {{expected a product with a constant}}
#F = #tin.format<(i, j) -> (i * j : dense, j : dense)>

// -----

// expected-error @below {{expected a positive constant on the right of 'floordiv'}}
#F = #tin.format<(i) -> (i floordiv 0 : dense)>

// -----

// expected-error @below {{expected a positive constant on the right of 'mod'}}
#F = #tin.format<(i) -> (i mod i : dense)>

// -----

// expected-error @below {{expected an integer of 64 bits}}
#F = #tin.format<(i) -> (i * 99999999999999999999 : dense)>

// -----

// expected-error @below {{expected at most 64 nested terms}}
#F = #tin.format<(i) -> ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((i))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) : dense)>

// -----

// expected-error @below {{expected '>', found 'x'}}
#F = #tin.format<(i) -> (i : dense) x>

// -----

// expected-error @below {{expected every dimension in some level, found none with dimension 0}}
#F = #tin.format<(i) -> (#i : dense)>

// -----

// expected-error @below {{expected a dimension's name, found '#'}}
#F = #tin.format<(#i) -> (i : dense)>

// -----

// expected-error @below {{expected '<', found '('}}
#F = #tin.format(i)

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @below {{expected a tensor of order 2 as its format has it, found order 1}}
func.func private @f(tensor<?xf64, #CSR>)

// -----

#V = #tin.format<(i) -> (i : compressed)>
// expected-error @below {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'i1'}}
func.func private @f(tensor<?xi1, #V>)

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected distinct variables, found 'i' twice}}
  %y = tin.compute (i, i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected 2 subscripts of 'tensor<?x?xf64>', found 1}}
  %y = tin.compute (i, j) %A[i], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected bare variables as the result's subscripts}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i + 1] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected each variable once in the result, found 'i' twice}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i, i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected 2 block arguments (one for each operand), found 1}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64):
    %p = arith.mulf %a, %a : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected a block argument of type 'f64', found 'f32'}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f32):
    %s = tin.reduce add %a over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  %y = tin.compute (i) %x[i] -> [i] {
  ^bb0(%a: f64):
    %b = arith.truncf %a : f64 to f32
    // expected-error @below {{expected a value of type 'f64', found 'f32'}}
    tin.yield %b : f32
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected a tin.yield at the end of the region}}
  %y = tin.compute (i) %x[i] -> [i] {
  ^bb0(%a: f64):
    ub.unreachable
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    // expected-error @below {{expected variables of the tin.compute ["i", "j"], found 'k'}}
    %s = tin.reduce add %p over (k) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    // expected-error @below {{expected variables that the result does not have, found 'i'}}
    %s = tin.reduce add %p over (i, j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    // expected-error @below {{expected one reduction of each variable, found two of 'j'}}
    %t = tin.reduce add %s over (j) : f64
    tin.yield %t : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected a tin.reduce over 'j', which the result does not have, found none}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    tin.yield %p : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected all that depends on 'j' inside its tin.reduce, found a use outside}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    %t = arith.addf %s, %b : f64
    tin.yield %t : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected an extent for each variable, found none for 'i'}}
  %y = tin.compute (i, k) %x[i + k] -> [i, k] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected an extent for each variable, found none for 'i'}}
  %y = tin.compute (i) %x[-i + 9] -> [i] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected 3 fills, found 1}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] attributes {fills = [0.0]} {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected a fill of type 'f64', found 'f32'}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] attributes {fills = [0.0, 0.0 : f32, 0.0]} {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{expected 3 tensor names, found 2}}
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] attributes {tensor_names = ["A", "x"]} {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%v: vector<4xf64>) {
  // expected-error @below {{expected ranked tensors or scalars, found 'vector<4xf64>'}}
  %y = tin.compute (i) %v[] -> [i] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (vector<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    // expected-error @below {{expected a reduction (add, mul, min, max, and, or, xor), found 'sub'}}
    %s = tin.reduce sub %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{use of undeclared identifier}}
  %y = tin.compute (i, j) %A[i, k], %x[j] -> [i] {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    %s = tin.reduce add %p over (j) : f64
    tin.yield %s : f64
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%a: f64) {
  // expected-error @below {{expected to stand in a tin.compute}}
  %s = tin.reduce add %a over (j) : f64
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  %y = tin.compute (i) %x[i] -> [] {
  ^bb0(%a: f64):
    // expected-error @below {{expected an identity of type 'f64', found 'f32'}}
    %s = tin.reduce add %a over (i) {identity = 0.0 : f32} : f64
    tin.yield %s : f64
  } : (tensor<?xf64>) -> tensor<f64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected maps from the 2 variables, found affine_map<(d0) -> (d0)>}}
  %y = "tin.compute"(%x) <{maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], variables = ["i", "j"]}> ({
  ^bb0(%a: f64):
    "tin.yield"(%a) : (f64) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 maps (operands and result), found 1}}
  %y = "tin.compute"(%x) <{maps = [affine_map<(d0) -> (d0)>], variables = ["i"]}> ({
  ^bb0(%a: f64):
    "tin.yield"(%a) : (f64) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected variables named by words, found '2 i'}}
  %y = "tin.compute"(%x) <{maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], variables = ["2 i"]}> ({
  ^bb0(%a: f64):
    "tin.yield"(%a) : (f64) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%v: vector<4xf64>) {
  // expected-error @below {{expected ranked tensors or scalars, found 'vector<4xf64>'}}
  %y = tin.einsum "y(i) = v(i)" (%v) : (vector<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%A: tensor<4x?xf64>) {
  // expected-error @below {{expected a result of the shape of 'tensor<4x?xf64>', found 'tensor<5x?xf64>'}}
  %y = tin.convert %A : tensor<4x?xf64> to tensor<5x?xf64>
  return
}

// -----

func.func @f(%A: tensor<?xf64>) {
  // expected-error @below {{expected elements of type 'f64', found 'f32'}}
  %y = tin.convert %A : tensor<?xf64> to tensor<?xf32>
  return
}

// -----

func.func @f(%n: index, %v: memref<?xf64>) {
  // expected-error @below {{expected 2 dimensions, found 1}}
  %y = tin.assemble [%n] (%v) : (memref<?xf64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @f(%n: index, %v: memref<?xf32>) {
  // expected-error @below {{expected values of type 'f64', found 'f32'}}
  %y = tin.assemble [%n] (%v) : (memref<?xf32>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected arrays of one dimension, found 'memref<?x?xf64>'}}
  %v = tin.disassemble %x : tensor<?xf64> to memref<?x?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64, "other">) {
  // expected-error @below {{expected a tensor with a #tin.format, found}}
  %v = tin.disassemble %x : tensor<?xf64, "other"> to memref<?xf64>
  return
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @below {{expected non-function type}}
func.func private @f(tensor<?x?x, #CSR>)

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 'alike' to name variables of the tin.compute ["i"], found 'k'}}
  %y = tin.compute (i) %x[i] -> [i] attributes {alike = {k = "i"}} {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @below {{expected 'i' alike to a variable that is alike to no other, found 'j'}}
  %z = tin.compute (i, j) %x[i], %y[j] -> [i, j] attributes {alike = {i = "j", j = "i"}} {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    tin.yield %p : f64
  } : (tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected an extent for each variable, found none for 'i'}}
  %z = tin.compute (i, j) %x[i * 2 + j] -> [i, j] attributes {alike = {i = "j"}} {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @extent_of_none(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{expected 'extents' to name variables of the tin.compute ["i"], found 'k'}}
  %y = tin.compute (i) %x[i] -> [i] attributes {extents = {k = 3}} {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @negative_extent(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{expected an extent of 'i' from 0 to 2^60, found -3 : i64}}
  %y = tin.einsum "y(i) = x(i)" (%x) {extents = {i = -3}} : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @by_nothing(%x: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{expected positive divisors in subscripts, found 0}}
  %y = tin.compute (i) %x[i floordiv 0] -> [i] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

func.func @modulo_nothing(%x: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{expected positive divisors in subscripts, found 0}}
  %y = tin.compute (i) %x[i mod 0] -> [i] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

func.func @large_factor(%x: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{expected numbers of at most 1000000000000000 in subscripts, found 9223372036854775807}}
  %y = tin.compute (i) %x[i * 9223372036854775807] -> [i] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

func.func @region_in_body(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.compute (i) %x[i] -> [i] {
  ^bb0(%a: f64):
    %c = arith.constant true
    // expected-error @+1 {{expected operations on scalars and without regions in a tin.compute, found 'scf.if'}}
    %b = scf.if %c -> f64 {
      scf.yield %a : f64
    } else {
      scf.yield %a : f64
    }
    tin.yield %b : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @tensor_in_body(%x: tensor<?xf64>, %s: tensor<f64>) -> tensor<?xf64> {
  %y = tin.compute (i) %x[i] -> [i] {
  ^bb0(%a: f64):
    // expected-error @+1 {{expected operations on scalars and without regions in a tin.compute, found 'tin.einsum'}}
    %b = tin.einsum "t = s()" (%s) : (tensor<f64>) -> tensor<f64>
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @of_complex_i32(%x: tensor<?xcomplex<i32>>) -> tensor<?xcomplex<i32>> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xcomplex<i32>>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xcomplex<i32>>) -> tensor<?xcomplex<i32>>
  return %y : tensor<?xcomplex<i32>>
}

// -----

func.func @of_i1(%x: tensor<?xi1>) -> tensor<?xi1> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xi1>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xi1>) -> tensor<?xi1>
  return %y : tensor<?xi1>
}

// -----

func.func @of_i4(%x: tensor<?xi4>) -> tensor<?xi4> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xi4>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xi4>) -> tensor<?xi4>
  return %y : tensor<?xi4>
}

// -----

func.func @of_i128(%x: tensor<?xi128>) -> tensor<?xi128> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xi128>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xi128>) -> tensor<?xi128>
  return %y : tensor<?xi128>
}

// -----

func.func @of_f80(%x: tensor<?xf80>) -> tensor<?xf80> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xf80>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xf80>) -> tensor<?xf80>
  return %y : tensor<?xf80>
}

// -----

func.func @of_f8E4M3FN(%x: tensor<?xf8E4M3FN>) -> tensor<?xf8E4M3FN> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xf8E4M3FN>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xf8E4M3FN>) -> tensor<?xf8E4M3FN>
  return %y : tensor<?xf8E4M3FN>
}

// -----

func.func @of_ui8(%x: tensor<?xui8>) -> tensor<?xui8> {
  // expected-error @+1 {{expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, complex<f32> or complex<f64>, found 'tensor<?xui8>'}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xui8>) -> tensor<?xui8>
  return %y : tensor<?xui8>
}
