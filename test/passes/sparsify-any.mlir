// Merges of many operands: one body, which asks which of them are there; code grows with the operands, not with
// their subsets.
//
// RUN: sparse-opt --tin-expand-einsum --tin-split-terms --tin-to-cin --cin-choose-assembly --sparsify %s | FileCheck %s
// RUN: sparse-opt --sparse-cpu %s | sed -n '/@products_kernel(/,/^  }/p' | wc -l | FileCheck %s --check-prefix=LINES

#SV = #tin.format<(i) -> (i : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
!v = tensor<?xf64, #SV>
!m = tensor<?x?xf64, #DCSR>

// Five make 31 cases, as they would in any order.
// CHECK-LABEL: @five
// CHECK-NOT:   any
// CHECK:       case (0, 1, 2, 3, 4) as
// CHECK:       case (4) as
// CHECK-NOT:   sit.present
// CHECK-LABEL: @six
// CHECK:       sit.coiterate %{{.*}} level 0, %{{.*}} level 0 any named "i" :
// CHECK-NEXT:  case (0, 1, 2, 3, 4, 5) as (%i, %[[p:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK-NEXT:    %[[there:.*]] = sit.present %[[p]]
// CHECK:         scf.if %{{.*}} {
// CHECK:           %[[first:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK-NEXT:        sit.value %{{.*}} at %[[p]]
// CHECK:           sit.append
// CHECK-NOT:     case
// CHECK:       sit.close
func.func @five(%a: !v, %b: !v, %c: !v, %d: !v, %e: !v) -> !v {
  %r = tin.einsum "r(i) = a(i) + b(i) + c(i) + d(i) + e(i)" (%a, %b, %c, %d, %e) : (!v, !v, !v, !v, !v) -> !v
  return %r : !v
}
func.func @six(%a: !v, %b: !v, %c: !v, %d: !v, %e: !v, %f: !v) -> !v {
  %r = tin.einsum "r(i) = a(i) + b(i) + c(i) + d(i) + e(i) + f(i)" (%a, %b, %c, %d, %e, %f) : (!v, !v, !v, !v, !v, !v) -> !v
  return %r : !v
}

// Two levels of four operands would be 65 cases down the nest: the outer level is merged so, and below an operand
// that has no row nothing is walked.
// CHECK-LABEL: @rows
// CHECK:       sit.coiterate {{.*}} any named "{{.*}}" :
// CHECK-NEXT:  case (0, 1, 2, 3) as (%i, %[[pa:.*]], %[[pb:.*]], %[[pc:.*]], %[[pd:.*]]) {
// CHECK:       sit.coiterate %{{.*}} level 1 under %[[pa]], %{{.*}} level 1 under %[[pb]], %{{.*}} level 1 under %[[pc]], %{{.*}} level 1 under %[[pd]] named "{{.*}}" :
func.func @rows(%a: !m, %b: !m, %c: !m, %d: !m) -> !m {
  %r = tin.einsum "r(i,j) = a(i,j) + b(i,j) + c(i,j) + d(i,j)" (%a, %b, %c, %d) : (!m, !m, !m, !m) -> !m
  return %r : !m
}

// Seven cases, three in each, three in each and one in each of those: 154 in all, more than 96, though no path down
// the nest has more than 64.  So fewer are allowed on each.
// CHECK-LABEL: @levels
// CHECK-COUNT-70: case (
// CHECK-NOT:   case (
// CHECK:       return
func.func @levels(%a: !v, %b: !v, %c: !v, %d: !v, %e: !v, %f: !v, %g: !v, %h: !v) -> tensor<?x?x?x?xf64> {
  %r = tin.einsum "r(i,j,k,l) = (a(i) + b(i) + c(i)) * (d(j) + e(j)) * (f(k) + g(k)) * h(l)" (%a, %b, %c, %d, %e, %f, %g, %h)
     : (!v, !v, !v, !v, !v, !v, !v, !v) -> tensor<?x?x?x?xf64>
  return %r : tensor<?x?x?x?xf64>
}

// What a product lacks takes it away, whatever else is there: the value is selected.
// CHECK-LABEL: @products
// CHECK:       sit.coiterate {{.*}} any named "{{.*}}" :
// CHECK:       %[[ab:.*]] = arith.mulf
// CHECK:       arith.select %{{.*}}, %[[ab]], %{{.*}} : f64
// Some 1,800 lines; twenty operands of a sum of products were refused.
// LINES: {{^[1-3]?[0-9]?[0-9]?[0-9]$}}
func.func @products(%a: !v, %b: !v, %c: !v, %d: !v, %e: !v, %f: !v, %g: !v, %h: !v, %k: !v, %l: !v, %m: !v, %n: !v,
                    %o: !v, %p: !v, %q: !v, %s: !v, %t: !v, %u: !v, %v: !v, %w: !v) -> !v {
  %r = tin.einsum "r(i) = a(i)*b(i) + c(i)*d(i) + e(i)*f(i) + g(i)*h(i) + k(i)*l(i) + m(i)*n(i) + o(i)*p(i) + q(i)*s(i) + t(i)*u(i) + v(i)*w(i)"
    (%a, %b, %c, %d, %e, %f, %g, %h, %k, %l, %m, %n, %o, %p, %q, %s, %t, %u, %v, %w)
    : (!v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v) -> !v
  return %r : !v
}
