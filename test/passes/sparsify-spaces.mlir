// RUN: sparse-opt %s --cin-schedule='schedule="pos(j,p,A) split(p,p0,p1,64)"' --cin-choose-assembly --sparsify | FileCheck %s --check-prefix=INSIDE
// RUN: sparse-opt %s --cin-schedule='schedule="pos(j,p,A) split(p,p0,p1,64) reorder(p0,i)"' --cin-choose-assembly --sparsify | FileCheck %s --check-prefix=OUTSIDE
// RUN: sparse-opt %s --cin-schedule='schedule="pos(j,p,A) split(p,p0,p1,64) reorder(p0,i)"' --cin-choose-assembly --sparsify | sparse-opt | FileCheck %s --check-prefix=OUTSIDE
// Pieces of what a level stores: those that a row has something in, or the rows that a piece has.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// INSIDE: %{{.*}}, %[[COUNT:.*]] = sit.positions %A level 1 :
// INSIDE: case () as (%i)
// INSIDE: %[[BEGIN:.*]], %[[END:.*]] = sit.positions %A level 1 under %pA0
// INSIDE: %[[BEHIND:.*]] = arith.addi %[[END]],
// INSIDE: %[[FIRST:.*]] = arith.shrsi %[[BEGIN]],
// INSIDE: sit.coiterate over %{{.*}} from %[[FIRST]] to %{{.*}} named "p0"
// INSIDE-NOT: sit.parents
// INSIDE: %[[LOW:.*]] = sit.coordinate %A level 1 at %{{.*}} under %pA0
// INSIDE: sit.coordinate %A level 1 at %{{.*}} under %pA0
// INSIDE: sit.coiterate %A level 1 under %pA0 from %{{.*}} to %{{.*}} named "j"

// OUTSIDE: sit.coiterate over %{{.*}} named "p0"
// OUTSIDE: %[[FIRST:.*]] = sit.parents %A level 1 before
// OUTSIDE: sit.parents %A level 1 before
// OUTSIDE: sit.coordinate %A level 0 at %{{[^ ]*}} :
// OUTSIDE: sit.coordinate %A level 0 at %{{[^ ]*}} :
// OUTSIDE: sit.coiterate over %{{.*}} from %{{.*}} to %{{.*}} named "i"
// OUTSIDE: sit.coordinate %A level 1 at %{{.*}} under %pA0
// OUTSIDE: sit.coiterate %A level 1 under %pA0 from %{{.*}} to %{{.*}} named "j"
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
