// RUN: sparse-opt %s --split-input-file -verify-diagnostics

// expected-error@+1 {{expected 'tin.holds' of a tensor to be its number of entries, the size of each dimension and, if at all, the most entries with one coordinate of each, and over how many coordinates of each they are spread, found array<i64: -1, 4, 5> of argument 0}}
func.func @negative(%A: tensor<4x5xf64> {tin.holds = array<i64: -1, 4, 5>}) { return }

// -----

// expected-error@+1 {{found array<i64: 9, 4> of argument 1}}
func.func @sizes(%x: f64, %A: tensor<4x5xf64> {tin.holds = array<i64: 9, 4>}) { return }

// -----

// expected-error@+1 {{found array<i64: 9> of argument 0}}
func.func @scalar(%x: f64 {tin.holds = array<i64: 9>}) { return }

// -----

// expected-error@+1 {{found 9 : i64 of argument 0}}
func.func @number(%A: tensor<4xf64> {tin.holds = 9 : i64}) { return }
