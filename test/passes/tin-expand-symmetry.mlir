// RUN: sparse-opt %s --tin-expand-einsum --tin-expand-symmetry 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: sparse-opt %s --tin-expand-einsum --tin-expand-symmetry --tin-insert-conversions --tin-lower-conversions --tin-to-cin --cin-choose-assembly --sparsify 2>&1 | FileCheck %s --check-prefix=SIT
// Of a symmetric matrix one triangle is stored: a factor of a sum is visited as it stands, then
// mirrored without the diagonal; elsewhere there are conversions.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#Symmetric = #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(i, j)>

// CHECK-DAG: #[[SYM:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(i, j)>
// CHECK-DAG: #[[CSR:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-DAG: #[[CSC:.*]] = #tin.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-DAG: #[[LOWER:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed), lower(i, j)>
// CHECK-DAG: #[[STRICT:.*]] = #tin.format<(i, j) -> (i : dense, j : compressed), strictly_lower(i, j)>

// CHECK-LABEL: func.func @product
// CHECK: %[[U:.*]] = tin.view %arg0 : tensor<?x?xf64, #[[SYM]]> to tensor<?x?xf64, #[[STRICT]]>
// CHECK: %[[T:.*]] = tin.compute (i, j) %[[U]][j, i], %arg1[j] -> [i]
// CHECK: %[[L:.*]] = tin.view %arg0 : tensor<?x?xf64, #[[SYM]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK: tin.compute (i, j) %[[L]][i, j], %arg1[j], %[[T]][i] -> [i]
// CHECK: %[[SUM:.*]] = tin.reduce add
// CHECK: arith.addf %[[SUM]], %{{.*}}

// The second walk goes as far as the diagonal.
// SIT-LABEL: func.func @product
// SIT: case () as (%j)
// SIT: %[[END:.*]] = arith.minsi %{{.*}}, %j
// SIT: sit.coiterate %A_mirrored level 1 under {{.*}} from %{{.*}} to %[[END]]
func.func @product(%A: tensor<?x?xf64, #Symmetric>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x) : (tensor<?x?xf64, #Symmetric>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @sum
// CHECK: %[[U:.*]] = tin.view %arg0 : tensor<?x?xf64, #[[SYM]]> to tensor<?x?xf64, #[[STRICT]]>
// CHECK: %[[M:.*]] = tin.compute (d0, d1) %[[U]][d1, d0] -> [d0, d1]
// CHECK: %[[WHOLE:.*]] = tin.compute (d0, d1) %{{.*}}[d0, d1], %[[M]][d0, d1] -> [d0, d1]
// CHECK: tin.compute (i, j) %[[WHOLE]][i, j], %arg1[i, j] -> [i, j]
// REMARK: remark: converted operand 'A' to (i, j) -> (i : dense, j : compressed), since one triangle of it is stored and it is no factor of a sum into a dense result
func.func @sum(%A: tensor<?x?xf64, #Symmetric>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = tin.einsum "C(i,j) = A(i,j) + B(i,j)" (%A, %B) : (tensor<?x?xf64, #Symmetric>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: func.func @pack
// CHECK: %[[ROWS:.*]] = tin.convert %arg0 : tensor<?x?xf64> to tensor<?x?xf64, #[[CSR]]>
// CHECK: %[[COLUMNS:.*]] = tin.convert %[[ROWS]] : tensor<?x?xf64, #[[CSR]]> to tensor<?x?xf64, #[[CSC]]>
// CHECK: tin.require_equal %[[ROWS]], %[[COLUMNS]] else "expected a tensor that is the same with dimensions 0 and 1 exchanged
// CHECK: %[[LOW:.*]] = tin.view %[[ROWS]] : tensor<?x?xf64, #[[CSR]]> to tensor<?x?xf64, #[[LOWER]]>
// CHECK: %[[COPY:.*]] = tin.convert %[[LOW]] : tensor<?x?xf64, #[[LOWER]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK: %[[S:.*]] = tin.view %[[COPY]] : tensor<?x?xf64, #[[CSR]]> to tensor<?x?xf64, #[[SYM]]>
// CHECK: return %[[S]]
func.func @pack(%A: tensor<?x?xf64>) -> tensor<?x?xf64, #Symmetric> {
  %B = tin.convert %A : tensor<?x?xf64> to tensor<?x?xf64, #Symmetric>
  return %B : tensor<?x?xf64, #Symmetric>
}
