// RUN: sparse-opt %s --pass-pipeline='builtin.module(sparse-cpu{threads=2 schedule="parallelize(j,cpu_vector)"})' --mlir-print-ir-after=sparsify -o /dev/null 2>&1 | FileCheck %s

// A block of values below a coordinate of the diagonal: the loop over i goes through what the loop around it leaves of the block, one place, and
// the others are zero before.

#block = #tin.format<(i, j, k) -> (k : compressed, j : compressed, i : dense)>
#dense = #tin.format<(i, j, k) -> (i : dense, j : dense, k : dense)>

// CHECK: sit.result %R[{{.*}}] by append : tensor
// CHECK: sit.coiterate over {{.*}} named "i_plus_once"
// CHECK: sit.append %R level 1
// CHECK: sit.coiterate over {{.*}} from {{.*}} to {{.*}} named "i"
// CHECK: sit.insert %R level 2 at %i
func.func @kernel(%A: tensor<?x?x?xf64, #dense> {tin.holds = array<i64: 4, 4, 4, 2>}) -> tensor<?x?x?xf64, #block> {
  %0 = tin.einsum "R(i,i,k) = A(j,i,k)" (%A) : (tensor<?x?x?xf64, #dense>) -> tensor<?x?x?xf64, #block>
  return %0 : tensor<?x?x?xf64, #block>
}
