// A merge whose points would repeat much code is one loop, which holds each of its 7 cases once; the loops of the
// points hold 19.
//
// RUN: sparse-opt --sparse-cpu %s | grep -c 'call @sin\|intr.sin' | FileCheck %s
// CHECK: {{^}}420{{$}}

#SV = #tin.format<(i) -> (i : compressed)>
!v = tensor<?xf64, #SV>
func.func @deep(%a: !v, %b: !v, %c: !v) -> !v {
  %r = tin.einsum "r(i) = sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(sin(a(i) + b(i) + c(i)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))" (%a, %b, %c) : (!v, !v, !v) -> !v
  return %r : !v
}
