// RUN: sparse-opt %s --tin-expand-einsum --tin-insert-conversions --tin-to-cin --cin-insert-conversions --cin-insert-workspaces --cin-choose-assembly --sparsify | FileCheck %s

// Levels at other coordinates than the loop's variable, but in step with it, are walked with the others: x[i + k] from
// i on along k.

#Sparse = #tin.format<(i) -> (i : compressed)>

// CHECK-LABEL: @union
// CHECK:      sit.coiterate over %{{.*}} named "i" {
// CHECK-NEXT: case () as (%i) {
// CHECK:        sit.coiterate %x level 0 offset %i, %f level 0 from %{{.*}} to %{{.*}} named "k" {{.*}}{
// CHECK-NEXT:   case (0, 1) as (%k, %{{.*}}, %{{.*}}) {
// CHECK:        case (0) as (%k, %{{.*}}) {
// CHECK:        case (1) as (%k, %{{.*}}) {
func.func @union(%x: tensor<?xf64, #Sparse>, %f: tensor<3xf64, #Sparse>) -> tensor<10xf64> {
  %y = cin.kernel (%x, %f) attributes {tensor_names = ["x", "f", "y"]} {
  ^bb0(%x: tensor<?xf64, #Sparse>, %f: tensor<3xf64, #Sparse>, %y: tensor<10xf64>):
    %i = cin.index "i"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %k {
        %0 = cin.read %x[%i + %k] : tensor<?xf64, #Sparse>
        %1 = cin.read %f[%k] : tensor<3xf64, #Sparse>
        %2 = arith.addf %0, %1 : f64
        cin.assign %y[%i] add %2 : tensor<10xf64>
      }
    }
  } : (tensor<?xf64, #Sparse>, tensor<3xf64, #Sparse>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}

// Two of them, each by another one; what a subscript has besides is in the offset.
// CHECK-LABEL: @both
// CHECK:      sit.coiterate over %{{.*}} named "k" {
// CHECK:        %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK:        sit.coiterate %x level 0 offset %{{.*}}, %z level 0 offset %{{.*}} from %{{.*}} to %{{.*}} named "i"
// CHECK-NEXT:   case (0, 1) as (%i,
func.func @both(%x: tensor<?xf64, #Sparse>, %z: tensor<?xf64, #Sparse>, %f: tensor<3xf64>) -> tensor<10xf64> {
  %y = tin.einsum "y(i) = x(i+k+1) * z(i+2*k) * f(k)" (%x, %z, %f) : (tensor<?xf64, #Sparse>, tensor<?xf64, #Sparse>, tensor<3xf64>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}

// What goes down, or in steps, is searched for.
// CHECK-LABEL: @down
// CHECK:      sit.coiterate %f level 0 over %{{.*}} named "k"
// CHECK:        sit.coiterate %x level 0 {{.*}}at %
func.func @down(%x: tensor<?xf64, #Sparse>, %f: tensor<3xf64, #Sparse>) -> tensor<10xf64> {
  %y = tin.einsum "y(i) = max(x(2*i-k+2), f(k))" (%x, %f) : (tensor<?xf64, #Sparse>, tensor<3xf64, #Sparse>) -> tensor<10xf64>
  return %y : tensor<10xf64>
}
