// A part of what is assigned is computed before, into a workspace: found by structure, with the sums that it alone has.
// RUN: sparse-opt --cin-schedule='schedule="precompute(B(i,k)*C(k,j), j, jw, w)"' %s | FileCheck %s --check-prefix=ROW
// RUN: sparse-opt --cin-schedule='schedule="precompute(B(i,k)*C(k,j), {j}, {j})"' %s | FileCheck %s --check-prefix=SAME
// RUN: sparse-opt --cin-schedule='schedule="precompute(C(k,j), j, jw, w)"' %s | FileCheck %s --check-prefix=KEPT
// RUN: sparse-opt --cin-schedule='schedule="precompute(D(j,k)*A(i,j), k, kw, w)"' %s | FileCheck %s --check-prefix=FACTORS
// RUN: sparse-opt --cin-schedule='schedule="precompute(D(j,k)*C(i,k), {}, {}, t)"' %s | FileCheck %s --check-prefix=SCALAR
// RUN: sparse-opt --cin-schedule='schedule="precompute(c(i)-b(i), i, iw, w) split(iw,i0,i1,4)"' %s | FileCheck %s --check-prefix=TERMS
// RUN: sparse-opt --cin-schedule='schedule="precompute(b(i)*b(i), i, iw, w) precompute(w(i), i, iv, v)"' %s | FileCheck %s --check-prefix=TWICE

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// ROW-LABEL: @product
// ROW:      %jw = cin.index "jw" like %j
// ROW-NEXT: %w = cin.workspace(%j) named "w" : tensor<?xf64, #{{.*}}>
// ROW-NEXT: cin.forall %i {
// ROW-NEXT:   cin.where {
// ROW-NEXT:     cin.forall %j {
// ROW-NEXT:       %[[v:.*]] = cin.read %w[%j]
// ROW-NEXT:       cin.assign %A[%i, %j] add %[[v]]
// ROW:          } producing %w {
// ROW-NEXT:     cin.forall %k {
// ROW-NEXT:       cin.forall %jw {
// ROW-NEXT:         %[[b:.*]] = cin.read %B[%i, %k]
// ROW-NEXT:         %[[c:.*]] = cin.read %C[%k, %jw]
// ROW-NEXT:         %[[p:.*]] = arith.mulf %[[b]], %[[c]]
// ROW-NEXT:         cin.assign %w[%jw] add %[[p]]

// SAME-LABEL: @product
// SAME-NOT:  like
// SAME:      cin.where {
// SAME-NEXT:   cin.forall %j {
// SAME:        } producing %w {
// SAME-NEXT:   cin.forall %k {
// SAME-NEXT:     cin.forall %j {

// What something else is of as well stays outside, and the sum over it.
// KEPT-LABEL: @product
// KEPT:      cin.forall %i {
// KEPT-NEXT:   cin.forall %k {
// KEPT-NEXT:     cin.where {
// KEPT-NEXT:       cin.forall %j {
// KEPT:              arith.mulf
// KEPT:            } producing %w {
// KEPT-NEXT:       cin.forall %jw {
// KEPT-NEXT:         cin.read %C[%k, %jw]
func.func @product(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          %b = cin.read %B[%i, %k] : tensor<?x?xf64, #CSR>
          %c = cin.read %C[%k, %j] : tensor<?x?xf64, #CSR>
          %p = arith.mulf %b, %c : f64
          cin.assign %A[%i, %j] add %p : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// The factors stand in another order, and others between.
// FACTORS-LABEL: @chain
// FACTORS:      cin.forall %i {
// FACTORS-NEXT:   cin.where {
// FACTORS-NEXT:     cin.forall %k {
// FACTORS:            %[[w:.*]] = cin.read %w[%k]
// FACTORS:            %[[p:.*]] = arith.mulf %[[w]], %{{.*}} : f64
// FACTORS:            cin.assign %y[%i] add %[[p]]
// FACTORS:          } producing %w {
// FACTORS-NEXT:     cin.forall %j {
// FACTORS-NEXT:       cin.forall %kw {
// FACTORS-NEXT:         cin.read %D[%j, %kw]
// FACTORS-NEXT:         cin.read %A[%i, %j]

// SCALAR-LABEL: @chain
// SCALAR:      %t = cin.workspace() named "t" : tensor<f64>
// SCALAR-NEXT: cin.forall %i {
// SCALAR-NEXT:   cin.forall %j {
// SCALAR-NEXT:     cin.where {
// SCALAR-NOT:        cin.forall
// SCALAR:            cin.assign %y[%i] add
// SCALAR:          } producing %t {
// SCALAR-NEXT:       cin.forall %k {
// SCALAR:              cin.assign %t[] add
func.func @chain(%A: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %C, %D) attributes {tensor_names = ["A", "C", "D", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %c = cin.read %C[%i, %k] : tensor<?x?xf64>
          %p = arith.mulf %a, %c : f64
          %d = cin.read %D[%j, %k] : tensor<?x?xf64>
          %q = arith.mulf %p, %d : f64
          cin.assign %y[%i] add %q : tensor<?xf64>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// TERMS-LABEL: @sum
// TERMS:      %iw = cin.index "iw" like %i
// TERMS:      cin.split %iw by 4("i0", "i1")
// TERMS:      cin.where {
// TERMS-NEXT:   cin.forall %i {
// TERMS:          %[[w:.*]] = cin.read %w[%i]
// TERMS:          %[[s:.*]] = arith.addf %[[w]], %{{.*}} : f64
// TERMS-NEXT:     cin.assign %a[%i] = %[[s]]
// TERMS:        } producing %w {
// TERMS-NEXT:   cin.forall %i0 {
// TERMS-NEXT:     cin.forall %i1 {
// TERMS:            arith.subf
// TERMS-NEXT:       cin.assign %w[%iw] =
func.func @sum(%b: tensor<?xf64>, %c: tensor<?xf64>, %d: tensor<?xf64>) -> tensor<?xf64> {
  %a = cin.kernel (%b, %c, %d) attributes {tensor_names = ["b", "c", "d", "a"]} {
  ^bb0(%b: tensor<?xf64>, %c: tensor<?xf64>, %d: tensor<?xf64>, %a: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %x = cin.read %c[%i] : tensor<?xf64>
      %y = cin.read %d[%i] : tensor<?xf64>
      %z = cin.read %b[%i] : tensor<?xf64>
      %p = arith.addf %x, %y : f64
      %q = arith.subf %p, %z : f64
      cin.assign %a[%i] = %q : tensor<?xf64>
    }
  } : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// Wherever it stands; and of the name of a workspace again.
// TWICE-LABEL: @squares
// TWICE:      cin.where {
// TWICE-NEXT:   cin.where {
// TWICE-NEXT:     cin.forall %i {
// TWICE-COUNT-2:    cin.read %v[%i]
// TWICE:            arith.divf
// TWICE:          } producing %v {
// TWICE-NEXT:     cin.forall %iv {
// TWICE-NEXT:       cin.read %w[%iv]
// TWICE:        } producing %w {
// TWICE-NEXT:   cin.forall %iw {
// TWICE:          cin.read %b[%iw]
// TWICE-NEXT:     arith.mulf
func.func @squares(%b: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %a = cin.kernel (%b, %c) attributes {tensor_names = ["b", "c", "a"]} {
  ^bb0(%b: tensor<?xf64>, %c: tensor<?xf64>, %a: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %x = cin.read %b[%i] : tensor<?xf64>
      %y = cin.read %c[%i] : tensor<?xf64>
      %p = arith.mulf %x, %y : f64
      %q = arith.mulf %x, %p : f64
      %r = arith.mulf %x, %x : f64
      %s = arith.divf %q, %r : f64
      cin.assign %a[%i] = %s : tensor<?xf64>
    }
  } : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
