// Loops on threads that append to the result: in pieces, which are joined; or, where an operand has the entries one
// for one, where they belong at once.
// RUN: sparse-opt %s --lower-sit --canonicalize --cse | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

// Each range of rows, found by search for its part of the work, goes to a tensor of its own: rows count from its
// first. One piece alone is the result. Of several, each goes behind those before it once it is its turn, on the
// thread that finds it done: where the result has no room, its arrays grow when nobody copies into them.

// CHECK-LABEL: func.func private @sum_kernel
// CHECK:       call @lac_kernel_setup
// CHECK-NOT:   call @lac_kernel_grow
// CHECK:       call @lac_kernel_visits
// CHECK:       %[[several:.*]] = func.call @lac_kernel_several
// CHECK:       %[[threads:.*]] = scf.if %[[several]] -> (i32)
// CHECK:         func.call @omp_get_max_threads
// CHECK:       %[[number:.*]] = func.call @lac_kernel_turns_count(%[[threads]])
// CHECK:       %[[pieces:.*]] = func.call @lac_kernel_pieces(%{{.*}}, %c2_i64, %[[status:[0-9]*]])
// CHECK:       scf.if
// CHECK:         func.call @lac_kernel_allocate(%[[result:[a-z0-9]*]], %c1_i64, %c0_i64
// CHECK:       scf.parallel
// CHECK:         func.call @lac_kernel_piece_next(%[[pieces]])
// CHECK:         %[[range:.*]]:2 = scf.for %{{.*}} = %c0 to %c2
// CHECK:           scf.while
// CHECK:         %[[rows:.*]] = arith.subi %[[range]]#1, %[[range]]#0
// CHECK:         %[[piece:.*]] = func.call @lac_kernel_piece_begin(%[[pieces]], %{{.*}}, %[[result]], %{{.*}}, %{{.*}}, %[[status]])
// CHECK:         func.call @lac_kernel_allocate(%[[piece]]
// CHECK:         func.call @lac_kernel_piece_grow(%[[pieces]], %[[piece]]
// CHECK:         scf.for %[[i:[a-z0-9]*]] = %[[range]]#0 to
// CHECK:           arith.subi %[[i]], %[[range]]#0
// CHECK:         func.call @lac_kernel_piece_trim(%[[pieces]], %[[piece]]
// CHECK:         func.call @lac_kernel_piece_sizes(%[[pieces]]
// CHECK:         scf.if
// CHECK:           func.call @lac_kernel_turn_begin(%[[pieces]], %[[t:.*]])
// CHECK:           scf.while
// CHECK:             scf.if
// CHECK:               func.call @lac_kernel_turn_alone(%[[pieces]])
// CHECK:               func.call @lac_kernel_grow_raw(%[[result]], %c1_i64, %c1_i64
// CHECK:               func.call @lac_kernel_grow_raw(%[[result]], %c-1_i64, %c0_i64
// CHECK:             func.call @lac_kernel_turn_go(%[[pieces]], %{{.*}}, %[[result]])
// CHECK:             %[[from:.*]] = func.call @lac_kernel_piece(%[[pieces]]
// CHECK:             func.call @lac_kernel_copy(%[[result]], %[[from]], %c1_i64, %c1_i64
// CHECK:             scf.for
// CHECK:               llvm.store
// CHECK:             func.call @lac_kernel_copy(%[[result]], %[[from]], %c-1_i64, %c0_i64
// CHECK:             func.call @lac_kernel_turn_end(%[[pieces]]
// CHECK:             func.call @lac_kernel_turn_begin(%[[pieces]], %c-1_i64)
// CHECK:       scf.if
// CHECK:         func.call @lac_kernel_pieces_take(%[[pieces]], %[[result]])
// CHECK:       } else {
// CHECK:         func.call @lac_kernel_fits
// CHECK:         func.call @lac_kernel_trim(%[[result]], %c1_i64, %c1_i64
// CHECK:       func.call @lac_kernel_pieces_free(%[[pieces]])
func.func @sum(%b: tensor<?x?xf64, #CSR>, %c: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %a = sit.kernel (%b, %c) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %m = sit.extent %B[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %B[1] : tensor<?x?xf64, #CSR>
    sit.result %A[%m, %n] by append : tensor<?x?xf64, #CSR>
    sit.coiterate over %m on cpu_thread no_races {
    case () as (%i) {
      %pb = sit.locate %B level 0 at %i : tensor<?x?xf64, #CSR>
      %pc = sit.locate %C level 0 at %i : tensor<?x?xf64, #CSR>
      %pa = sit.insert %A level 0 at %i : tensor<?x?xf64, #CSR>
      %begin = sit.end %A level 1 : tensor<?x?xf64, #CSR>
      sit.coiterate %B level 1 under %pb, %C level 1 under %pc : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR> {
      case (0, 1) as (%j, %qb, %qc) {
        %x = sit.value %B at %qb : tensor<?x?xf64, #CSR> -> f64
        %qa = sit.append %A level 1 at %j : tensor<?x?xf64, #CSR>
        sit.store %x to %A at %qa : f64, tensor<?x?xf64, #CSR>
      }
      case (1) as (%j, %qc) {
        %x = sit.value %C at %qc : tensor<?x?xf64, #CSR> -> f64
        %qa = sit.append %A level 1 at %j : tensor<?x?xf64, #CSR>
        sit.store %x to %A at %qa : f64, tensor<?x?xf64, #CSR>
      }
      }
      sit.close %A level 1 from %begin under %pa : tensor<?x?xf64, #CSR>
    }
    }
    sit.finish %A : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %a : tensor<?x?xf64, #CSR>
}

// As many entries as B has: room for them before the loop, no piece; in a range from where those of B are on, and
// never more than those.

// CHECK-LABEL: func.func private @copy_kernel
// CHECK-NOT:   call @lac_kernel_pieces(
// CHECK:       call @lac_kernel_grow_raw
// CHECK:       call @lac_kernel_pieces_count
// CHECK:       call @lac_kernel_grow_raw
// CHECK:       scf.parallel
// CHECK-NOT:     call @lac_kernel_grow_raw
// CHECK:         func.call @lac_kernel_refuse
// CHECK-NOT:   call @lac_kernel_copy
// CHECK:       return
func.func @copy(%b: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %a = sit.kernel (%b) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %m = sit.extent %B[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %B[1] : tensor<?x?xf64, #CSR>
    sit.result %A[%m, %n] by append : tensor<?x?xf64, #CSR>
    sit.coiterate over %m on cpu_thread no_races {
    case () as (%i) {
      %pb = sit.locate %B level 0 at %i : tensor<?x?xf64, #CSR>
      %pa = sit.insert %A level 0 at %i : tensor<?x?xf64, #CSR>
      %begin = sit.end %A level 1 : tensor<?x?xf64, #CSR>
      sit.coiterate %B level 1 under %pb : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %qb) {
        %x = sit.value %B at %qb : tensor<?x?xf64, #CSR> -> f64
        %qa = sit.append %A level 1 at %j : tensor<?x?xf64, #CSR>
        sit.store %x to %A at %qa : f64, tensor<?x?xf64, #CSR>
      }
      }
      sit.close %A level 1 from %begin under %pa : tensor<?x?xf64, #CSR>
    }
    }
    sit.finish %A : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %a : tensor<?x?xf64, #CSR>
}

// So it is in parts of rows, each of which ends where the next one begins: what is before one are the entries of B
// before its first row.

// CHECK-LABEL: func.func private @copy_in_parts_kernel
// CHECK-NOT:   call @lac_kernel_pieces(
// CHECK:       scf.parallel
// CHECK:         arith.muli %{{.*}}, %c12
// CHECK-NOT:     call @lac_kernel_grow_raw
// CHECK:         func.call @lac_kernel_refuse
// CHECK-NOT:   call @lac_kernel_copy
// CHECK:       return
func.func @copy_in_parts(%b: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %a = sit.kernel (%b) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %m = sit.extent %B[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %B[1] : tensor<?x?xf64, #CSR>
    sit.result %A[%m, %n] by append : tensor<?x?xf64, #CSR>
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %parts = arith.ceildivui %m, %c12 : index
    sit.coiterate over %parts on cpu_thread no_races {
    case () as (%i0) {
      sit.coiterate over %c3 {
      case () as (%i1) {
        %x0 = arith.muli %i0, %c12 : index
        %x1 = arith.muli %i1, %c4 : index
        %low = arith.addi %x0, %x1 : index
        %above = arith.addi %low, %c4 : index
        %below = arith.minsi %above, %m : index
        %high = arith.maxsi %below, %low : index
        sit.coiterate over %m from %low to %high {
        case () as (%i) {
          %pb = sit.locate %B level 0 at %i : tensor<?x?xf64, #CSR>
          %pa = sit.insert %A level 0 at %i : tensor<?x?xf64, #CSR>
          %begin = sit.end %A level 1 : tensor<?x?xf64, #CSR>
          sit.coiterate %B level 1 under %pb : tensor<?x?xf64, #CSR> {
          case (0) as (%j, %qb) {
            %x = sit.value %B at %qb : tensor<?x?xf64, #CSR> -> f64
            %qa = sit.append %A level 1 at %j : tensor<?x?xf64, #CSR>
            sit.store %x to %A at %qa : f64, tensor<?x?xf64, #CSR>
          }
          }
          sit.close %A level 1 from %begin under %pa : tensor<?x?xf64, #CSR>
        }
        }
      }
      }
    }
    }
    sit.finish %A : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %a : tensor<?x?xf64, #CSR>
}

// Where parts leave out rows between, entries of B do not tell: pieces.

// CHECK-LABEL: func.func private @copy_with_gaps_kernel
// CHECK:       call @lac_kernel_pieces(
// CHECK:       return
func.func @copy_with_gaps(%b: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %a = sit.kernel (%b) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %m = sit.extent %B[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %B[1] : tensor<?x?xf64, #CSR>
    sit.result %A[%m, %n] by append : tensor<?x?xf64, #CSR>
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 16 : index
    %parts = arith.ceildivui %m, %c12 : index
    sit.coiterate over %parts on cpu_thread no_races {
    case () as (%i0) {
      sit.coiterate over %c3 {
      case () as (%i1) {
        %x0 = arith.muli %i0, %c12 : index
        %x1 = arith.muli %i1, %c4 : index
        %low = arith.addi %x0, %x1 : index
        %above = arith.addi %low, %c4 : index
        %below = arith.minsi %above, %m : index
        %high = arith.maxsi %below, %low : index
        sit.coiterate over %m from %low to %high {
        case () as (%i) {
          %pb = sit.locate %B level 0 at %i : tensor<?x?xf64, #CSR>
          %pa = sit.insert %A level 0 at %i : tensor<?x?xf64, #CSR>
          %begin = sit.end %A level 1 : tensor<?x?xf64, #CSR>
          sit.coiterate %B level 1 under %pb : tensor<?x?xf64, #CSR> {
          case (0) as (%j, %qb) {
            %x = sit.value %B at %qb : tensor<?x?xf64, #CSR> -> f64
            %qa = sit.append %A level 1 at %j : tensor<?x?xf64, #CSR>
            sit.store %x to %A at %qa : f64, tensor<?x?xf64, #CSR>
          }
          }
          sit.close %A level 1 from %begin under %pa : tensor<?x?xf64, #CSR>
        }
        }
      }
      }
    }
    }
    sit.finish %A : tensor<?x?xf64, #CSR>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %a : tensor<?x?xf64, #CSR>
}

// In another order of the parents: counted and placed in the same ranges. What a range counted of a parent is where
// the next one begins.

#CSC = #tin.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 32>

// CHECK-LABEL: func.func private @transpose_kernel
// CHECK:       call @lac_kernel_visits
// CHECK:       %[[number:.*]] = func.call @lac_kernel_shares_count(%{{.*}}, %{{.*}}) : (i32, i64) -> i64
// CHECK:       %[[pieces:.*]] = func.call @lac_kernel_pieces(%[[number]],
// CHECK:       scf.parallel (%[[t:.*]]) =
// CHECK:         %[[piece:.*]] = func.call @lac_kernel_piece_begin(%[[pieces]]
// CHECK:         func.call @lac_kernel_allocate(%[[piece]]
// CHECK:         func.call @lac_kernel_piece_sizes(%[[pieces]]
// CHECK:       func.call @lac_kernel_pieces_sum(%[[pieces]])
// CHECK:       func.call @lac_kernel_fits
// CHECK:       %[[all:.*]] = func.call @lac_kernel_piece(%[[pieces]], %c0_i64)
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK-NOT:       func.call
// CHECK:           %[[at:.*]] = llvm.getelementptr %[[all]]
// CHECK:           sit.array %[[at]] level 1 slot 0
// CHECK:       scf.parallel
// CHECK:         func.call @lac_kernel_piece(%[[pieces]]
// CHECK:       func.call @lac_kernel_pieces_free(%[[pieces]])
func.func @transpose(%arg: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> {
  %res = sit.kernel (%arg) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>):
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    sit.result %B[%m, %n] by scatter : tensor<?x?xf64, #CSC>
    sit.coiterate over %m on cpu_thread no_races {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %r = sit.insert %B level 0 at %j : tensor<?x?xf64, #CSC>
        sit.count %B level 1 at %i under %r : tensor<?x?xf64, #CSC>
      }
      }
    }
    }
    sit.edges %B level 1 : tensor<?x?xf64, #CSC>
    sit.coiterate over %m on cpu_thread no_races {
    case () as (%i) {
      %p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      sit.coiterate %A level 1 under %p : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %q) {
        %x = sit.value %A at %q : tensor<?x?xf64, #CSR> -> f64
        %r = sit.insert %B level 0 at %j : tensor<?x?xf64, #CSC>
        %s = sit.place %B level 1 at %i under %r : tensor<?x?xf64, #CSC>
        sit.store %x to %B at %s : f64, tensor<?x?xf64, #CSC>
      }
      }
    }
    }
    sit.finish %B : tensor<?x?xf64, #CSC>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC>
  return %res : tensor<?x?xf64, #CSC>
}
