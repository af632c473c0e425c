// Workspaces of several levels: what is not known in the order of the result outside of a reduction.

// RUN: sparse-opt %s --split-input-file --cin-insert-workspaces --cin-choose-assembly | FileCheck %s
// RUN: sparse-opt %s --split-input-file --cin-insert-workspaces='policies=map' | FileCheck %s --check-prefix=MAP
// RUN: sparse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cin-insert-workspaces,cin-choose-assembly,sparsify))' | FileCheck %s --check-prefix=SIT

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>

// CHECK: #[[W:.*]] = #tin.format<(i, j) -> (i : hash_accumulator(nonunique), j : key)>
// CHECK-LABEL: func.func @outer_product
// CHECK: cin.kernel(%{{.*}}, %{{.*}}) by append
// CHECK: %[[w:.*]] = cin.workspace(%i, %j) : tensor<?x?xf64, #[[W]]>
// CHECK: cin.where {
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT: cin.forall %j {
// CHECK-NEXT: %[[v:.*]] = cin.read %[[w]][%i, %j]
// CHECK-NEXT: cin.assign %A[%i, %j] = %[[v]]
// CHECK: } producing %[[w]] {
// CHECK-NEXT: cin.forall %k {
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT: cin.forall %j {
// CHECK: cin.assign %[[w]][%i, %j] add
// MAP: #tin.format<(i, j) -> (i : map_accumulator(nonunique), j : key)>

// SIT-LABEL: func.func @outer_product
// SIT: %[[w:.*]] = sit.workspace
// SIT: %[[p:.*]] = sit.insert %[[w]] level 0 at
// SIT: sit.insert %[[w]] level 1 at %{{.*}} under %[[p]]
// SIT: sit.sort %[[w]] level 0
// SIT: sit.coiterate {{.*}}%[[w]] level 0
// SIT: sit.coiterate {{.*}}%[[w]] level 1
// SIT: sit.clear %[[w]]
func.func @outer_product(%B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %k {
      cin.forall %i {
        cin.forall %j {
          %b = cin.read %B[%i, %k] : tensor<?x?xf64, #CSC>
          %c = cin.read %C[%k, %j] : tensor<?x?xf64, #CSR>
          %p = arith.mulf %b, %c : f64
          cin.assign %A[%i, %j] add %p : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

// What is known in order stays around both.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>

// CHECK-LABEL: func.func @hoisted
// CHECK: %[[w:.*]] = cin.workspace(%i, %j)
// CHECK: cin.forall %l {
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT: cin.forall %j {
// CHECK: } producing %[[w]] {
// CHECK-NEXT: cin.forall %k {
func.func @hoisted(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?x?xf64, #CSF> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?x?xf64, #CSF>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %l = cin.index "l"
    cin.forall %l {
      cin.forall %k {
        cin.forall %j {
          cin.forall %i {
            %b = cin.read %B[%l, %k, %j] : tensor<?x?x?xf64, #CSF>
            %c = cin.read %C[%k, %i] : tensor<?x?xf64, #CSR>
            %p = arith.mulf %b, %c : f64
            cin.assign %A[%l, %i, %j] add %p : tensor<?x?x?xf64, #CSF>
          }
        }
      }
    }
  } : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64, #CSR>) -> tensor<?x?x?xf64, #CSF>
  return %A : tensor<?x?x?xf64, #CSF>
}

// -----

// Parts of the first level may be known outside, of others not.

#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: func.func @parts
// CHECK: cin.forall %i0 {
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %i1 {
// CHECK-NEXT: cin.forall %j {
// CHECK: } producing %{{.*}} {
// CHECK-NEXT: cin.forall %k {
// CHECK-NEXT: cin.forall %i1 {
func.func @parts(%B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %i0, %i1 = cin.split %i by 16 ("i0", "i1")
    cin.forall %i0 {
      cin.forall %k {
        cin.forall %i1 {
          cin.forall %j {
            %b = cin.read %B[%i, %k] : tensor<?x?xf64, #CSC>
            %c = cin.read %C[%k, %j] : tensor<?x?xf64, #CSR>
            %p = arith.mulf %b, %c : f64
            cin.assign %A[%i, %j] add %p : tensor<?x?xf64, #CSR>
          }
        }
      }
    }
  } : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

// Several nests add to one workspace.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: func.func @nests_of_rows
// CHECK: cin.where {
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT: cin.forall %j {
// CHECK: cin.assign %C[%i, %j] =
// CHECK: } producing %[[w:.*]] {
// CHECK: cin.assign %[[w]][%i, %j] add
// CHECK: cin.assign %[[w]][%i, %j] add
func.func @nests_of_rows(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %C[%i, %j] add %a : tensor<?x?xf64, #CSR>
      }
    }
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %C[%i, %j] add %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}
