// What is gathered in a workspace of several levels: threads have one each, and what is merged is
// gone through on threads.

// RUN: sparse-opt %s --cin-insert-workspaces --cin-choose-assembly --cin-parallelize=threads=2 | FileCheck %s
// RUN: sparse-opt %s --cin-insert-workspaces --cin-choose-assembly --cin-parallelize='threads=2 strict=true' | FileCheck %s --check-prefix=STRICT
// RUN: sparse-opt %s --pass-pipeline='builtin.module(func.func(cin-insert-workspaces,cin-choose-assembly),cin-parallelize{threads=2},func.func(sparsify))' | FileCheck %s --check-prefix=SIT

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>

// CHECK-LABEL: func.func @outer_product
// CHECK: cin.where {
// CHECK-NEXT: cin.forall %i on cpu_thread no_races {
// CHECK-NEXT: cin.forall %j {
// CHECK: } producing %{{.*}} {
// CHECK-NEXT: cin.forall %k on cpu_thread temporary {
// CHECK-NEXT: cin.forall %i {

// Where sums keep their order they are one thread's.
// STRICT-LABEL: func.func @outer_product
// STRICT: producing
// STRICT-NOT: cpu_thread
// STRICT: } : tensor

// SIT-LABEL: func.func @outer_product
// SIT: %[[w:.*]] = sit.workspace
// SIT: sit.coiterate over %{{.*}} on cpu_thread temporary named "k"
// SIT: sit.insert %[[w]] level 0
// SIT: sit.sort %[[w]] level 0
// SIT: sit.coiterate %[[w]] level 0 on cpu_thread no_races named "i"
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

// What two loops add to is gathered on one thread, and gone through on threads.
// CHECK-LABEL: func.func @two_sums
// CHECK: cin.forall %i on cpu_thread no_races
// CHECK: producing
// CHECK-NOT: cpu_thread
// SIT-LABEL: func.func @two_sums
// SIT-NOT: cpu_thread
// SIT: sit.sort
// SIT: on cpu_thread no_races named "i"
func.func @two_sums(%B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSC>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %l = cin.index "l"
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
    cin.forall %l {
      cin.forall %i {
        cin.forall %j {
          %b = cin.read %B[%i, %l] : tensor<?x?xf64, #CSC>
          %c = cin.read %C[%l, %j] : tensor<?x?xf64, #CSR>
          %p = arith.addf %b, %c : f64
          cin.assign %A[%i, %j] add %p : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
