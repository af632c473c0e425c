// Reductions go inside of loops over dense coordinates, where the result has all of them anyway.
// RUN: sparse-opt %s --cin-sink-reductions | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @dense
// CHECK:      cin.forall %i {
// CHECK-NEXT:   cin.forall %k {
// CHECK-NEXT:     cin.forall %j {
func.func @dense(%a: tensor<?x?xf64, #CSR>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = cin.kernel(%a, %b) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %1 = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %2 = cin.read %B[%j, %k] : tensor<?x?xf64>
          %3 = arith.mulf %1, %2 : f64
          cin.assign %C[%i, %k] add %3 : tensor<?x?xf64>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// An empty row of A is one of C.
// CHECK-LABEL: @coordinates
// CHECK:      cin.forall %i {
// CHECK-NEXT:   cin.forall %j {
// CHECK-NEXT:     cin.forall %k {
func.func @coordinates(%a: tensor<?x?xf64, #CSR>, %b: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %r = cin.kernel(%a, %b) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %1 = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %2 = cin.read %B[%j, %k] : tensor<?x?xf64>
          %3 = arith.mulf %1, %2 : f64
          cin.assign %C[%i, %k] add %3 : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %r : tensor<?x?xf64, #CSR>
}

// So it is below coordinates that are there already.
// CHECK-LABEL: @below
// CHECK:      cin.forall %k {
// CHECK-NEXT:   cin.forall %j {
#ROWS = #tin.format<(i, j) -> (i : compressed, j : dense)>
func.func @below(%a: tensor<?x?xf64, #CSR>, %b: tensor<?x?xf64>) -> tensor<?x?xf64, #ROWS> {
  %r = cin.kernel(%a, %b) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64, #ROWS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %1 = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %2 = cin.read %B[%j, %k] : tensor<?x?xf64>
          %3 = arith.mulf %1, %2 : f64
          cin.assign %C[%i, %k] add %3 : tensor<?x?xf64, #ROWS>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>) -> tensor<?x?xf64, #ROWS>
  return %r : tensor<?x?xf64, #ROWS>
}
