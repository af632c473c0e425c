// The policy by which a workspace of a row keeps what is inserted: as is said, by name or of all;
// else an array, but where there are far more coordinates than entries.

// RUN: sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-workspaces))' | FileCheck %s
// RUN: sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-workspaces{policies=hash}))' | FileCheck %s --check-prefix=ALL
// RUN: sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin),cin-schedule{schedule="precompute(B(i,k)*C(k,j),j,j,v)"},func.func(cin-insert-workspaces{policies="v:hash,dense"}))' | FileCheck %s --check-prefix=NAMED
// RUN: sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-workspaces{policies="bucket:size=64,buckets=4"}))' | FileCheck %s --check-prefix=OPTIONS
// RUN: not sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-workspaces{policies="bucket:width=64"}))' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-workspaces{policies=heap}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tin-expand-einsum,tin-to-cin,cin-insert-workspaces{policies="u:hash"}))' 2>&1 | FileCheck %s --check-prefix=MISSING

// UNKNOWN: error: expected a policy of workspaces (dense, bucket, coord, hash, map, vector), found 'heap'
// OPTION: error: expected an option of 'bucket' (size, buckets), found 'width'
// OPTIONS: #[[BUCKET:.*]] = #tin.format<(i) -> (i : bucket_accumulator(64, 4))>
// OPTIONS: cin.workspace(%j) : tensor<?xf64, #[[BUCKET]]>
// MISSING: remark: no workspace is named 'u', which is to be kept by hash

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-DAG: #[[DENSE:.*]] = #tin.format<(i) -> (i : accumulator)>
// CHECK-LABEL: func.func @rows
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[DENSE]]>

// ALL-DAG: #[[HASH:.*]] = #tin.format<(i) -> (i : hash_accumulator)>
// ALL-LABEL: func.func @rows
// ALL: cin.workspace(%j) : tensor<?xf64, #[[HASH]]>
// ALL: cin.read %w[%j] : tensor<?xf64, #[[HASH]]>
// ALL: cin.assign %w[%j] add %{{.*}} : tensor<?xf64, #[[HASH]]>

// NAMED-DAG: #[[HASH:.*]] = #tin.format<(i) -> (i : hash_accumulator)>
// NAMED-LABEL: func.func @rows
// NAMED: cin.workspace(%j) named "v" : tensor<?xf64, #[[HASH]]>
func.func @rows(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// A dimension that is known to be long.

// CHECK: #[[HASH:.*]] = #tin.format<(i) -> (i : hash_accumulator)>
// CHECK-LABEL: func.func @long
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[HASH]]>
// ALL-LABEL: func.func @long
// NAMED-LABEL: func.func @long
func.func @long(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x1099511627776xf64, #CSR>) -> tensor<?x1099511627776xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x1099511627776xf64, #CSR>) -> tensor<?x1099511627776xf64, #CSR>
  return %A : tensor<?x1099511627776xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// Operands that are said to have far fewer entries than there are coordinates.

// CHECK: #[[HASH:.*]] = #tin.format<(i) -> (i : hash_accumulator)>
// CHECK-LABEL: func.func @held
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[HASH]]>
// ALL-LABEL: func.func @held
// NAMED-LABEL: func.func @held
func.func @held(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000000, 1000, 1000>},
                %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000, 1000, 2000000>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// A kernel of so few steps that the first touch of an array would be most of it.

// CHECK: #[[VECTOR:.*]] = #tin.format<(i) -> (i : vector_accumulator)>
// CHECK-LABEL: func.func @few_steps
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[VECTOR]]>
// ALL-LABEL: func.func @few_steps
// NAMED-LABEL: func.func @few_steps
func.func @few_steps(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 10, 1, 1000000>},
                     %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 10000000, 1000000, 1000000>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// As many as there are coordinates: an array, which each row makes use of.

// CHECK: #[[DENSE:.*]] = #tin.format<(i) -> (i : accumulator)>
// CHECK-LABEL: func.func @filled
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[DENSE]]>
// ALL-LABEL: func.func @filled
// NAMED-LABEL: func.func @filled
func.func @filled(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000, 1000, 1000>},
                  %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 2000000, 1000, 2000000>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// Short rows that fill those of the result together: as it was.

// CHECK: #[[DENSE:.*]] = #tin.format<(i) -> (i : accumulator)>
// CHECK-LABEL: func.func @filled_by_short_rows
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[DENSE]]>
// ALL-LABEL: func.func @filled_by_short_rows
// NAMED-LABEL: func.func @filled_by_short_rows
func.func @filled_by_short_rows(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000, 100, 100>},
                                %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000, 100, 100>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// Full rows are added: an array with wide marks.

// CHECK-DAG: #[[WIDE:.*]] = #tin.format<(i) -> (i : accumulator(32))>
// CHECK-LABEL: func.func @full
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[WIDE]]>
// ALL-LABEL: func.func @full
// NAMED-LABEL: func.func @full
func.func @full(%B: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 1000, 100, 100>},
                %C: tensor<?x?xf64, #CSR> {tin.holds = array<i64: 9000, 100, 100>}) -> tensor<?x?xf64, #CSR> {
  %A = tin.einsum "A(i,j) = B(i,k) * C(k,j)"(%B, %C) : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
