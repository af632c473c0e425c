// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-schedule='schedule="split(i,i0,i1,1024) reorder(i0,i_plus_k,i1)"' --cin-choose-assembly --cin-unroll | FileCheck %s
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-schedule='schedule="split(i,i0,i1,1024) reorder(i0,i_plus_k,i1)"' --cin-choose-assembly --cin-unroll --sparsify | FileCheck %s --check-prefix=SIT

// A tile of the result leaves a window of entries, each of which leaves one of three places.
#VECTOR = #tin.format<(i) -> (i : compressed)>
#LINE = #tin.format<(i) -> (i : dense)>
// CHECK-LABEL: func.func @line
// CHECK: cin.forall %i0 attributes
// CHECK: cin.forall %i_plus_k attributes
// CHECK-NEXT: cin.forall %i1 unroll 3 attributes {fixed, window}
// SIT-LABEL: func.func @line
// SIT: sit.coiterate %x level 0
// SIT: %[[FROM:.*]] = arith.subi %i_plus_k, %c2
// SIT: %[[TO:.*]] = arith.addi %[[FROM]], %c3
// SIT: scf.if
// SIT-NEXT: sit.coiterate over %{{.*}} from %[[FROM]] to %[[TO]] named "i"
// SIT: else
// SIT-NEXT: sit.coiterate over %{{.*}} from %{{.*}} to %{{.*}} unroll 3 named "i"
func.func @line(%x: tensor<?xf64, #VECTOR>, %w: tensor<?xf64, #LINE> {tin.holds = array<i64: 3, 3>}) -> tensor<?xf64, #LINE> {
  %0 = tin.einsum "y(i) = x(i+k) * w(k)" (%x, %w) : (tensor<?xf64, #VECTOR>, tensor<?xf64, #LINE>) -> tensor<?xf64, #LINE>
  return %0 : tensor<?xf64, #LINE>
}
