// Entries of a result with a counter are numbered as they come, in the walk that counts the slots and
// again in the one that places.
// RUN: sparse-opt %s --tin-lower-conversions --tin-to-cin --cin-insert-workspaces --cin-choose-assembly --sparsify | FileCheck %s

#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @slots
// CHECK:      sit.result %[[B:.*]][%{{.*}}, %{{.*}}] by collect
// CHECK:      case () as (%d0)
// CHECK:        case (0) as (%d1, %{{.*}})
// CHECK:          %[[N:.*]] = sit.number %[[B]] level 0 at %d0
// CHECK:          sit.count %[[B]] level 0 at %[[N]]
// CHECK:      sit.edges %[[B]] level 0
// CHECK:      case () as (%d0)
// CHECK:        case (0) as (%d1, %{{.*}})
// CHECK:          %[[M:.*]] = sit.number %[[B]] level 0 at %d0
// CHECK:          %[[P:.*]] = sit.place %[[B]] level 0 at %[[M]]
// CHECK:          %[[Q:.*]] = sit.insert %[[B]] level 1 at %d0 under %[[P]]
// CHECK:          sit.insert %[[B]] level 2 at %d1 under %[[Q]]
func.func @slots(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #ELL> {
  %B = tin.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #ELL>
  return %B : tensor<?x?xf64, #ELL>
}

// The slots of an operand are those of the result.
// CHECK-LABEL: @same
// CHECK-NOT:  sit.number
// CHECK:      sit.count %{{.*}} level 0 at %d0_slot
// CHECK-NOT:  sit.number
// CHECK:      return
func.func @same(%A: tensor<?x?xf64, #ELL>) -> tensor<?x?xf64, #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded), crd = 32>> {
  %B = tin.convert %A : tensor<?x?xf64, #ELL> to tensor<?x?xf64, #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded), crd = 32>>
  return %B : tensor<?x?xf64, #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded), crd = 32>>
}
