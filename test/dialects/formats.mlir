// RUN: sparse-opt %s | sparse-opt | FileCheck %s
// The formats that people name, as they print.

// CHECK-DAG: #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-DAG: #tin.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 16>
#CSC = #tin.format<(row, col) -> (col : dense, row : compressed), crd = 16, pos = 32>
// CHECK-DAG: #tin.format<(i, j) -> (i : compressed, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed), pos = 64>
// CHECK-DAG: #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
// CHECK-DAG: #tin.format<(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, unordered), k : singleton)>
#COO3 = #tin.format<(i1, i2, i3) -> (i1 : compressed(nonunique), i2 : singleton(unordered, nonunique), i3 : singleton)>
// CHECK-DAG: #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
// CHECK-DAG: #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
// CHECK-DAG: #tin.format<(i, j) -> (#i : dense, i : dense, j : singleton)>
#ELL = #tin.format<(i, j) -> (#i : dense, i : dense, j : singleton)>
// CHECK-DAG: #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#BCSR = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed,
                               i mod 4 : dense, j mod 4 : dense)>
// CHECK-DAG: #tin.format<(i, j) -> (i floordiv 128 : dense, j floordiv 128 : dense, i mod 128 : compressed(nonunique), j mod 128 : singleton)>
#CSB = #tin.format<(i, j) -> (i floordiv 128 : dense, j floordiv 128 : dense, // the blocks
                              i mod 128 : compressed(nonunique), j mod 128 : singleton)>
// CHECK-DAG: #tin.format<(i) -> (i : hashed)>
#HASH = #tin.format<(i) -> (i : hashed)>
// CHECK-DAG: #tin.format<(i, j) -> (i : dense, j : compressed), pos = 32, symmetric(j, i)>
#SYMMETRIC = #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(j, i), pos = 32>
// CHECK-DAG: #tin.format<(i, j) -> (i : dense, j : compressed), lower(i, j)>
#LOWER = #tin.format<(a, b) -> (a : dense, b : compressed), lower(a, b)>
// CHECK-DAG: #tin.format<(i, j) -> (i : dense, j : compressed), strictly_lower(i, j)>
#STRICT = #tin.format<(a, b) -> (a : dense, b : compressed), strictly_lower(a, b)>
#SCALAR = #tin.format<() -> ()>
// CHECK-DAG: #tin.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : nm(2, 4))>
#NM = #tin.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : nm(2, 4))>
// CHECK-DAG: #tin.format<(i, j) -> ((i + j) floordiv 2 : dense, i - j * 3 - (j - 1) mod 4 : dense, (i + j) * -1 : dense, i * 2 + #j : dense)>
#ODD = #tin.format<(i, j) -> ((i + j) floordiv 2 : dense, i - 3 * j - (j - 1) mod 4 : dense,
                              -(i + j) : dense, 2 * i + #j : dense)>
// CHECK-DAG: #tin.format<(i, j, k, l, m, n, o, p, q, r, d10, d11) -> (d11 : dense, d10 : dense, i : dense, j : dense, k : dense, l : dense, m : dense, n : dense, o : dense, p : dense, q : dense, r : dense)>
#TWELVE = #tin.format<(a, b, c, d, e, f, g, h, i, j, k, l) -> (
  l : dense, k : dense, a : dense, b : dense, c : dense, d : dense, e : dense, f : dense,
  g : dense, h : dense, i : dense, j : dense)>

// CHECK: func.func private @matrices(tensor<?x?xf64, #dense_compressed>,
func.func private @matrices(tensor<?x?xf64, #CSR>, tensor<8x?xf32, #CSC>, tensor<?x?xf16, #DCSR>,
  tensor<?x?xbf16, #COO>, tensor<?x?xi8, #DIA>, tensor<?x?xi16, #ELL>, tensor<?x?xi32, #BCSR>,
  tensor<?x?xi64, #CSB>, tensor<?x?xcomplex<f32>, #NM>, tensor<?x?xcomplex<f64>, #ODD>)
// CHECK: func.func private @others({{.*}}tensor<f64, #tin.format<() -> ()>>
func.func private @others(tensor<?x?x?xf64, #COO3>, tensor<?x?x?xf64, #CSF>, tensor<?xf64, #HASH>,
  tensor<?x?xf64, #SYMMETRIC>, tensor<?x?xf64, #LOWER>, tensor<?x?xf64, #STRICT>,
  tensor<f64, #SCALAR>, tensor<1x2x3x4x5x6x7x8x9x10x11x12xf64, #TWELVE>)

// CHECK: #tin.level<singleton(nonunique, 7)>
module attributes {test.level = #tin.level<singleton(7, nonunique)>} {}
