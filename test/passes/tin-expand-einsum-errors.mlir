// RUN: sparse-opt %s --tin-expand-einsum --split-input-file -verify-diagnostics

func.func @syntax(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{column 11 of the expression: expected ')', found 'x'}}
  %y = tin.einsum "y(i) = (i x" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @end(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{column 14 of the expression: expected a tensor, a number or '(', found the end}}
  %y = tin.einsum "y(i) = x(i) *" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @byte(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{column 13 of the expression: expected a name, a number or one of + - * / ^ = < > ( ) [ ] : ,, found '%'}}
  %y = tin.einsum "y(i) = x(i) % 2" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @order(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{expected 2 subscripts of 'A', whose order is 2, found 1}}
  %y = tin.einsum "y(i) = A(i)" (%A) : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @order_twice(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{column 17 of the expression: expected 2 subscripts of 'A' as before, found 1}}
  %y = tin.einsum "y(i) = A(i,j) * A(j)" (%A) : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @operands(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{expected 2 operands (A, x), found 1}}
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A) : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @size(%x: tensor<?xf64>) -> tensor<?x?xf64> {
  // expected-error@+1 {{the index variable 'j' has no size}}
  %y = tin.einsum "y(i,j) = x(i)" (%x) : (tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

func.func @scalar(%x: tensor<?xf64>, %i: f64) -> tensor<?xf64> {
  // expected-error@+1 {{column 15 of the expression: expected a tensor or a scalar, found the index variable 'i'}}
  %y = tin.einsum "y(i) = x(i) * i" (%x, %i) : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @arity(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{column 8 of the expression: expected 2 arguments of 'pow', found 1}}
  %y = tin.einsum "y(i) = pow(x(i))" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @integers(%x: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'exp' does not exist for i32}}
  %y = tin.einsum "y(i) = exp(x(i))" (%x) : (tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

func.func @number(%x: tensor<?xi8>) -> tensor<?xi8> {
  // expected-error@+1 {{expected a number that i8 can hold, found 1000}}
  %y = tin.einsum "y(i) = 1000 * x(i)" (%x) : (tensor<?xi8>) -> tensor<?xi8>
  return %y : tensor<?xi8>
}

// -----

func.func @narrowing(%x: tensor<?xf64>) -> tensor<?xi32> {
  // expected-error@+1 {{expected values that i32 can hold, found f64}}
  %y = tin.einsum "y(i) = x(i)" (%x) : (tensor<?xf64>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

func.func @semiring(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{expected a semiring such as plus_times, min_plus, max_plus or or_and, found 'plus'}}
  %y = tin.einsum "y(i) = x(i)" (%x) semiring "plus" : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @semiring_of_integers(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{the semiring 'or_and' is not defined for the result's element type}}
  %y = tin.einsum "y(i) = x(i)" (%x) semiring "or_and" : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @subtraction(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{'-' has no meaning in a semiring other than plus_times}}
  %y = tin.einsum "y(i) = x(i) - 2" (%x) semiring "min_plus" : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @padding(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{column 14 of the expression: expected a number, inf or nan, found 'y'}}
  %y = tin.einsum "y(i) = x[pad:y](i+1)" (%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
