// Entries of a result that are known inside of a sum alone, of operands that are said to hold so much: gathered in
// an array where they come to half of its places or more; else recorded; and where there is no memory for
// that, many come to one place, or most steps come to none, in what grows with the entries that there are.
// RUN: sparse-opt %s --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-conversions,cin-insert-workspaces))' | FileCheck %s --check-prefixes=CHECK,ROOM
// RUN: sparse-opt %s --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-conversions{bytes=1000000},cin-insert-workspaces{bytes=1000000}))' | FileCheck %s --check-prefixes=CHECK,LITTLE

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>

// CHECK-DAG: #[[ARRAY:.*]] = #tin.format<(i, j) -> (i : accumulator(nonunique), j : key)>
// CHECK-DAG: #[[LISTS:.*]] = #tin.format<(i, j) -> (i : vector_accumulator(nonunique), j : key)>
// CHECK-DAG: #[[BUCKETS:.*]] = #tin.format<(i, j) -> (i : bucket_accumulator(nonunique), j : key)>

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

// Spread over ten of the coordinates of the sum they are a hundred times as many, and fill it.
// CHECK-LABEL: @at_a_few
// ROOM:        cin.workspace(%i, %l) : tensor<?x?xf64, #[[ARRAY]]>
// LITTLE:      cin.workspace(%i, %l) : tensor<?x?xf64, #[[BUCKETS]]>
func.func @at_a_few(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 10000, 1000, 2000, 0, 0, 10, 0>},
                    %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 10000, 1000, 2000, 0, 0, 10, 0>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Where the outermost loop goes through the result's first level, what each of its iterations comes to is sorted.
// CHECK-LABEL: @slices
// CHECK:       cin.workspace(%l, %m) : tensor<?x?xf64, #[[LISTS]]>
func.func @slices(%B: tensor<?x?x?xf64, #CSF> {tin.holds = array<i64: 1000000, 3000, 3000, 14000>},
                  %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 4800, 3000, 16>}) -> tensor<?x?x?xf64, #CSF> {
  %A = tin.compute (i, l, m, k) %B[i, k, l], %C[k, m] -> [i, l, m] attributes {order = ["i", "k", "l", "m"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64, #CSR>) -> tensor<?x?x?xf64, #CSF>
  return %A : tensor<?x?x?xf64, #CSF>
}

// All entries are in a hundred rows and a hundred columns of the result, five come to each of these places.
// CHECK-LABEL: @meeting
// CHECK:       cin.workspace(%i, %l) : tensor<?x?xf64, #[[BUCKETS]]>
func.func @meeting(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 10000, 10000, 30000, 0, 0, 0, 100>},
                   %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 50000, 10000, 30000, 0, 0, 0, 100>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.compute (i, l, k) %B[k, i], %C[k, l] -> [i, l] attributes {order = ["k", "i", "l"], tensor_names = ["B", "C", "A"]} {
  ^bb0(%0: f64, %1: f64):
    %2 = arith.mulf %0, %1 : f64
    %3 = tin.reduce add %2 over (k) : f64
    tin.yield %3 : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Rows of C and D have ten of a thousand coordinates each: of ten steps one comes to an entry.
// CHECK-LABEL: @hardly_any
// CHECK:       cin.workspace(%i, %l) : tensor<?x?xf64, #[[BUCKETS]]>
func.func @hardly_any(%B: tensor<?x?x?xf64, #CSF> {tin.holds = array<i64: 1000000, 3000, 3000, 10000>},
                      %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 30000, 3000, 1000>},
                      %D: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 30000, 3000, 1000>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.compute (i, l, j, k) %B[j, k, i], %C[j, l], %D[k, l] -> [i, l] attributes {order = ["j", "k", "i", "l"], tensor_names = ["B", "C", "D", "A"]} {
  ^bb0(%0: f64, %1: f64, %2: f64):
    %3 = arith.mulf %0, %1 : f64
    %4 = arith.mulf %3, %2 : f64
    %5 = tin.reduce add %4 over (j, k) : f64
    tin.yield %5 : f64
  } : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
