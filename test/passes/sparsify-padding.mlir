// Padded accesses: loops go where they are in range, or what is located may be out of it.
//
// RUN: sparse-opt --tin-expand-einsum --tin-to-cin %s | FileCheck %s --check-prefix=CIN
// RUN: sparse-opt --tin-expand-einsum --tin-to-cin %s | sparse-opt | FileCheck %s --check-prefix=CIN
// RUN: sparse-opt --tin-expand-einsum --tin-to-cin --cin-choose-assembly --sparsify %s | FileCheck %s

#SV = #tin.format<(i) -> (i : compressed)>

// CIN-LABEL: @dense
// CIN: cin.read %x[%i - 1] pad : tensor<?xf64>
// CHECK-LABEL: @dense
// CHECK: sit.coiterate over %{{.*}} from %{{.*}} to
// CHECK-NOT: padded
// CHECK: sit.locate %x level 0
func.func @dense(%x: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) * x[pad](i-1)" (%b, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Out of range it is another value than where nothing is stored.
// CIN-LABEL: @value
// CIN: cin.read %x[%i - 1] pad(-1.000000e+00 : f64)
// CHECK-LABEL: @value
// CHECK: sit.coiterate %x level 0 offset %{{.*}} over %{{.*}} from %{{.*}} to %{{.*}} padded
// CHECK: case (0) as
// CHECK: case () as
// CHECK: arith.select
func.func @value(%x: tensor<?xf64, #SV>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = b(i) + x[pad:-1](i-1)" (%b, %x) : (tensor<?xf64>, tensor<?xf64, #SV>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
