// What is walked counts as code too: where merges of lists stand inside one another, the outer one is a loop that holds
// each of its cases once, though the cases compute little.  The loops of its points would have 1019 branches.
//
// RUN: sparse-opt --sparse-cpu %s | awk '/llvm.cond_br/ { n++ } END { print n; exit n < 100 || n > 700 }'

#list = #tin.format<(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)>
#unordered = #tin.format<(d0, d1) -> (d0 : compressed(unordered), d1 : dense)>
#within = #tin.format<(d0, d1) -> (d0 : dense, d1 : compressed(unordered))>
#dense = #tin.format<(d0, d1) -> (d0 : dense, d1 : dense)>
!list = tensor<?x?xf32, #list>
func.func @merged(%A: !list, %B: !list, %C: tensor<?x?xf32, #unordered>, %D: tensor<?x?xf32, #within>) -> tensor<?x?xf32, #dense> {
  %0 = tin.einsum "R(i,j) = ((((A(j,i) * A(i,j)) + (B(j,i) - C(j,j))) * B(i,j)) * D(j,i))" (%A, %B, %C, %D) : (!list, !list, tensor<?x?xf32, #unordered>, tensor<?x?xf32, #within>) -> tensor<?x?xf32, #dense>
  return %0 : tensor<?x?xf32, #dense>
}
