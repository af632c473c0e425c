// The policy of a workspace that a program says stays, however long the dimension is.

// RUN: sparse-opt %s --cin-insert-workspaces | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#ARRAY = #tin.format<(j) -> (j : accumulator)>

// CHECK: #[[DENSE:.*]] = #tin.format<(i) -> (i : accumulator)>
// CHECK-LABEL: func.func @as_said
// CHECK: cin.workspace(%j) : tensor<?xf64, #[[DENSE]]>
func.func @as_said(%B: tensor<?x1099511627776xf64, #CSR>) -> tensor<?x1099511627776xf64, #CSR> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x1099511627776xf64, #CSR>, %A: tensor<?x1099511627776xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %w = cin.workspace(%j) : tensor<?xf64, #ARRAY>
    cin.forall %i {
      cin.where {
        cin.forall %j {
          %v = cin.read %w[%j] : tensor<?xf64, #ARRAY>
          cin.assign %A[%i, %j] = %v : tensor<?x1099511627776xf64, #CSR>
        }
      } producing %w {
        cin.forall %j {
          %b = cin.read %B[%i, %j] : tensor<?x1099511627776xf64, #CSR>
          cin.assign %w[%j] = %b : tensor<?xf64, #ARRAY>
        }
      } : tensor<?xf64, #ARRAY>
    }
  } : (tensor<?x1099511627776xf64, #CSR>) -> tensor<?x1099511627776xf64, #CSR>
  return %A : tensor<?x1099511627776xf64, #CSR>
}
