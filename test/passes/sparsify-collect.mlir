// Results that take entries in any order, and several to one coordinate: each level is counted, then placed.
// RUN: sparse-opt --cin-choose-assembly --sparsify %s | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
#MIX = #tin.format<(i, j) -> (j : hashed, i : run_length)>

// The diagonals are counted row by row, and none is placed before all are.

// CHECK-LABEL: @diagonals
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}] by collect
// CHECK-NEXT: sit.coiterate over
// CHECK:        sit.coiterate %A level 1
// CHECK-NEXT:   case (0) as (%j, %{{.*}})
// CHECK-NOT:      sit.value
// CHECK:          sit.count %B level 0 at
// CHECK-NOT:      sit.insert
// CHECK:      sit.edges %B level 0
// CHECK-NEXT: sit.coiterate over
// CHECK:        sit.coiterate %A level 1
// CHECK:          %[[a:.*]] = sit.value %A
// CHECK:          %[[d:.*]] = sit.place %B level 0 at
// CHECK-NEXT:     %[[r:.*]] = sit.insert %B level 1 at %i under %[[d]]
// CHECK-NEXT:     %[[p:.*]] = sit.insert %B level 2 at %j under %[[r]]
// CHECK-NEXT:     sit.store %[[a]] to %B at %[[p]]
func.func @diagonals(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DIA> {
  %B = cin.kernel (%A) attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #DIA>):
    %i = cin.index "i"
    %j = cin.index "j"
    %d = cin.remap(%i, %j) by affine_map<(d0, d1) -> (d1 - d0)>("j_i")
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #DIA>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DIA>
  return %B : tensor<?x?xf64, #DIA>
}

// A level that can only be appended to is counted and placed like the hash table above it.

// CHECK-LABEL: @appended_below
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}] by collect
// CHECK:      sit.count %B level 0 at %j
// CHECK:      sit.edges %B level 0
// CHECK:      %[[h:.*]] = sit.place %B level 0 at %j
// CHECK-NEXT: sit.count %B level 1 at %i under %[[h]]
// CHECK:      sit.edges %B level 1
// CHECK:      %[[h:.*]] = sit.place %B level 0 at %j
// CHECK-NEXT: %[[p:.*]] = sit.place %B level 1 at %i under %[[h]]
// CHECK-NEXT: sit.store %{{.*}} to %B at %[[p]]
// CHECK-NOT:  sit.append
func.func @appended_below(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #MIX> {
  %B = cin.kernel (%A) attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #MIX>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #MIX>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #MIX>
  return %B : tensor<?x?xf64, #MIX>
}
