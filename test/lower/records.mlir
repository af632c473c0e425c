// Entries in no order: counted by the part of their parent, recorded side by side with those of their part as a key of
// parent and coordinate and a value, then sorted part by part and appended; parts and entries are given back whatever
// happens.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s
// RUN: sparse-opt %s --lower-sit=threads=2 --canonicalize --cse | FileCheck %s --check-prefix=THREADS

#LIST = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered)), pos = 32, crd = 32>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

// CHECK-LABEL: func.func private @rows_kernel
// The bits of a column, and of a row what does not tell its part.
// CHECK:       %[[zeros:.*]] = math.ctlz
// CHECK:       %[[below:.*]] = arith.subi %c64
// CHECK:       %[[bits:.*]] = arith.minsi
// CHECK:       %[[state:.*]] = llvm.alloca %c4
// CHECK:       %[[scratch:.*]] = func.call @lac_kernel_scratch(%{{.*}}, %[[status:[a-z0-9_]+]])
// CHECK:       %[[parts:.*]] = sit.memory %[[scratch]][%{{.*}}] : memref<?xi64>
// CHECK:       scf.if
// CHECK:         scf.for
// CHECK:           %[[part:.*]] = arith.shrui %{{.*}}, %[[bits]]
// CHECK:           memref.load %[[parts]][%[[part]]]
// CHECK:           memref.store %{{.*}}, %[[parts]][%[[part]]]
// CHECK:         scf.for
// CHECK:           arith.maxsi
// CHECK:         %[[entries:.*]] = func.call @lac_kernel_buffer(%[[state]], %{{.*}}, %true, %[[status]])
// CHECK:         %[[words:.*]] = sit.memory %[[entries]][%{{.*}}] : memref<?xi64>
// CHECK:         %[[values:.*]] = sit.memory %[[entries]][%{{.*}}] : memref<?xf64>
// CHECK:         call @lac_kernel_fits
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             %[[part:.*]] = arith.shrui %[[row:.*]], %[[bits]]
// CHECK:             memref.store %{{.*}}, %[[parts]][%[[part]]]
// CHECK:             %[[high:.*]] = arith.shli %[[row]], %[[below]]
// CHECK:             arith.ori %[[high]], %{{.*}}
// CHECK:             %[[at:.*]] = arith.muli %{{.*}}, %c2
// CHECK:             memref.store %{{.*}}, %[[words]][%[[at]]]
// CHECK:             %[[at:.*]] = arith.addi %{{.*}}, %c1
// CHECK:             memref.store %{{.*}}, %[[values]][%[[at]]]
// As long as there are entries in the part, in the row, at the column.
// CHECK:           %[[spare:.*]] = func.call @lac_kernel_buffer(
// CHECK:           scf.if
// CHECK:             func.call @lac_kernel_allocate_raw(%{{.*}}, %c-1_i64, %c0_i64
// CHECK:             scf.for
// CHECK:               func.call @lac_kernel_entries_sort_part(%[[entries]], %{{.*}}, %{{.*}}, %[[spare]], %c0_i64, %c2_i32, %c1_i32)
// CHECK:               scf.while
// CHECK:                 scf.while
// CHECK:                   scf.while
// CHECK:                     arith.addf
// CHECK:           func.call @lac_kernel_buffer_free
// CHECK:       }
// CHECK:       call @lac_kernel_buffer_free(%[[state]])
// CHECK:       call @lac_kernel_release(%[[scratch]]

// On threads shares of the parts, each into a piece of its own; then these are joined.
// THREADS-LABEL: func.func private @rows_kernel
// THREADS:       func.call @lac_kernel_visits
// THREADS:       func.call @lac_kernel_pieces_count
// THREADS:       %[[pieces:.*]] = func.call @lac_kernel_pieces(
// THREADS:       scf.parallel
// THREADS:         %[[piece:.*]] = func.call @lac_kernel_piece_begin(%[[pieces]]
// THREADS:         func.call @lac_kernel_allocate(%[[piece]], %c1_i64, %c0_i64
// THREADS:         scf.for
// THREADS:           func.call @lac_kernel_entries_sort_part
// THREADS:           scf.while
// THREADS:         func.call @lac_kernel_piece_sizes(%[[pieces]]
// THREADS:       func.call @lac_kernel_pieces_take(%[[pieces]]
// THREADS:       func.call @lac_kernel_pieces_sum(%[[pieces]])
// THREADS:       scf.parallel
// THREADS:         func.call @lac_kernel_copy
// THREADS:       func.call @lac_kernel_pieces_free(%[[pieces]])
func.func @rows(%L: tensor<?x?xf64, #LIST>) -> tensor<?x?xf64, #CSR> {
  %res = sit.kernel (%L) {
  ^bb0(%A: tensor<?x?xf64, #LIST>, %B: tensor<?x?xf64, #CSR>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #LIST>
    %n = sit.extent %A[1] : tensor<?x?xf64, #LIST>
    sit.result %B[%m, %n] by record : tensor<?x?xf64, #CSR>
    sit.coiterate %A level 0 fused : tensor<?x?xf64, #LIST> {
    case (0) as (%i, %p) {
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #LIST> {
      case (0) as (%j, %q) {
        %r = sit.insert %B level 0 at %i : tensor<?x?xf64, #CSR>
        sit.count %B level 1 at %j under %r : tensor<?x?xf64, #CSR>
      }}
    }}
    sit.edges %B level 1 : tensor<?x?xf64, #CSR>
    sit.coiterate %A level 0 fused : tensor<?x?xf64, #LIST> {
    case (0) as (%i, %p) {
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #LIST> {
      case (0) as (%j, %q) {
        %r = sit.insert %B level 0 at %i : tensor<?x?xf64, #CSR>
        %at = sit.place %B level 1 at %j under %r : tensor<?x?xf64, #CSR>
        %v = sit.value %A at %q : tensor<?x?xf64, #LIST> -> f64
        sit.store %v to %B at %at : f64, tensor<?x?xf64, #CSR>
      }}
    }}
    sit.order %B level 1 : tensor<?x?xf64, #CSR>
    sit.finish %B : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #LIST>) -> tensor<?x?xf64, #CSR>
  return %res : tensor<?x?xf64, #CSR>
}
