// RUN: sparse-opt --cin-schedule='schedule="collapse(i,j,f) pos(f,p,A) split(p,p0,p1,16) precompute(A(i,j)*x(j), p1, pw, t)"' %s -o %t.mlir
// RUN: sparse-opt %t.mlir | FileCheck %s
// RUN: sparse-opt --cin-choose-assembly --sparsify %t.mlir | sparse-opt | FileCheck %s --check-prefix=SIT
// RUN: sparse-opt --cin-schedule='schedule="pos(j,p,A) precompute(x(j), p, p)"' %s | FileCheck %s --check-prefix=SAME
// RUN: sparse-opt --cin-schedule='schedule="collapse(i,j,f) split(f,f0,f1,16) precompute(A(i,j)*x(j), f1, fw, t)"' %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=POINTS < %t.mlir
// RUN: sparse-opt --cin-choose-assembly --sparsify %t.mlir | FileCheck %s --check-prefix=POINTSIT
// RUN: sparse-opt --cin-schedule='schedule="pos(j,p,A) split(p,p0,p1,4) precompute(A(i,j)+x(j), p1, pw, t)"' %s | FileCheck %s --check-prefix=ELSEWHERE
// Workspaces that have a place for each position of a piece, or for each point of collapsed variables.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// Both sides go through the entries of A: the producer over variables of its own.
// CHECK-LABEL: @spmv
// CHECK:      %p = cin.pos %j in %A level 1 under %i("p")
// CHECK-NEXT: %p0, %p1 = cin.split %p by 16("p0", "p1")
// CHECK-NEXT: %j_before = cin.index "j_before" like %j
// CHECK-NEXT: %i_before = cin.index "i_before" like %i
// CHECK-NEXT: %p_before = cin.pos %j_before in %A level 1 under %i_before("p_before")
// CHECK-NEXT: %pw = cin.twin %p_before of %p1("pw")
// CHECK-NEXT: %t = cin.workspace(%p1) named "t" : tensor<?xf64>
// CHECK-NEXT: cin.forall %p0
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %i attributes
// CHECK-NEXT:       cin.forall %p1
// CHECK-NEXT:         %[[w:.*]] = cin.read %t[%p1]
// CHECK-NEXT:         %[[a:.*]] = cin.read %A[%i, %j]
// CHECK-NEXT:         %[[s:.*]] = cin.stored %[[a]] : f64
// CHECK-NEXT:         %[[z:.*]] = arith.constant 0.0
// CHECK-NEXT:         %[[v:.*]] = arith.select %[[s]], %[[w]], %[[z]] : f64
// CHECK-NEXT:         cin.assign %y[%i] add %[[v]]
// CHECK:          } producing %t {
// CHECK-NEXT:       cin.forall %i_before
// CHECK-NEXT:         cin.forall %pw
// CHECK:                cin.stored
// CHECK:                cin.assign %t[%pw] add

// The place is how far the position is from where the piece begins.
// SIT: named "j_before" :
// SIT:      case (0) as (%j_before, %pA1) {
// SIT-NEXT:   %[[n:.*]] = sit.ordinal %pA1
// SIT:        %[[low:.*]] = arith.muli %p0,
// SIT-NEXT:   %[[at:.*]] = arith.subi %[[n]], %[[low]]
// SIT:        sit.insert %{{.*}} level 0 at %[[at]]
// SIT: named "j" :
// SIT:      case (0) as (%j, %pA1) {
// SIT-NEXT:   %[[n:.*]] = sit.ordinal %pA1
// SIT:        sit.locate %{{.*}} level 0 at
// SIT-NOT:    arith.select

// SAME-LABEL: @spmv
// SAME:      cin.forall %i {
// SAME-NEXT:   cin.where {
// SAME-NEXT:     cin.forall %p {
// SAME:            cin.read %w[%p]
// SAME:          } producing %w {
// SAME-NEXT:     cin.forall %p {
// SAME:            %[[x:.*]] = cin.read %x[%j]
// SAME:            cin.stored
// SAME:            arith.select %{{.*}}, %[[x]], %{{.*}} : f64
// SAME:            cin.assign %w[%p] add

// Every point has a number: nothing is asked for.
// POINTS-LABEL: @spmv
// POINTS:      %f = cin.collapse %j under %i("f")
// POINTS:      %f_before = cin.collapse %j_before under %i_before("f_before")
// POINTS-NEXT: %fw = cin.twin %f_before of %f1("fw")
// POINTS-NOT:  cin.stored

// POINTSIT: case (0) as (%j_before, %pA1) {
// POINTSIT:   %[[row:.*]] = arith.muli %i_before,
// POINTSIT:   %[[f:.*]] = arith.addi %{{.*}}, %j_before
// POINTSIT:   %[[low:.*]] = arith.muli %f0,
// POINTSIT:   %[[at:.*]] = arith.subi %[[f]], %[[low]]
// POINTSIT:   sit.insert %{{.*}} level 0 at %[[at]]
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

// What is something without an entry is computed there.
// ELSEWHERE-LABEL: @sums
// ELSEWHERE:      cin.where {
// ELSEWHERE-NEXT:   cin.forall %p1 {
// ELSEWHERE:          %[[w:.*]] = cin.read %t[%p1]
// ELSEWHERE:          %[[sum:.*]] = arith.addf
// ELSEWHERE:          %[[s:.*]] = cin.stored
// ELSEWHERE:          arith.select %[[s]], %[[w]], %[[sum]] : f64
// ELSEWHERE:        } producing %t {
func.func @sums(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?x?xf64> {
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.addf %a, %b : f64
        cin.assign %y[%i, %j] = %p : tensor<?x?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
