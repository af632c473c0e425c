// Entries of a result that are known inside of a sum alone, of operands that are said to hold so much: gathered in
// an array where they come to half of its places or more; else recorded; and where there is no memory for
// that, in what grows with the entries that there are.
// RUN: sparse-opt %s --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-conversions,cin-insert-workspaces))' | FileCheck %s --check-prefixes=CHECK,ROOM
// RUN: sparse-opt %s --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-conversions{bytes=1000000},cin-insert-workspaces{bytes=1000000}))' | FileCheck %s --check-prefixes=CHECK,LITTLE

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-DAG: #[[ARRAY:.*]] = #tin.format<(i, j) -> (i : accumulator(nonunique, 32), j : key)>
// LITTLE-DAG: #[[BUCKETS:.*]] = #tin.format<(i, j) -> (i : bucket_accumulator(nonunique), j : key)>

// CHECK-LABEL: @filled
// CHECK:       cin.workspace(%i, %l) : tensor<?x?xf64, #[[ARRAY]]>
func.func @filled(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 20000, 2000, 100>},
                  %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 18000, 2000, 90>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @spread
// ROOM:        by record
// LITTLE:      cin.workspace(%i, %l) : tensor<?x?xf64, #[[BUCKETS]]>
func.func @spread(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 100000, 1000, 1000000>},
                  %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 100000, 1000, 1000000>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @unknown
// CHECK:       by record
func.func @unknown(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 20000, 2000, 100>},
                   %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
