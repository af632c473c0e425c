// RUN: sparse-opt --cin-parallelize=threads=2 %s | FileCheck %s
// RUN: sparse-opt --cin-parallelize=threads=1 %s | FileCheck %s --check-prefix=ONE
// RUN: sparse-opt --cin-insert-workspaces --cin-parallelize=threads=2 %s | FileCheck %s
// RUN: sparse-opt --cin-parallelize="threads=2 strict=true" %s | FileCheck %s --check-prefix=STRICT

// ONE-NOT: cpu_thread {{no_races|temporary}}
// ONE: cpu_thread atomics
// ONE-NOT: cpu_thread {{no_races|temporary}}

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>

// Rows that write to different places.

// CHECK-LABEL: @rows
// CHECK: cin.forall %i on cpu_thread no_races {
// CHECK: cin.forall %j {
func.func @rows(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Columns write to the same places: each thread adds up in a copy of the result, unless sums keep their order.

// CHECK-LABEL: @columns
// CHECK: cin.forall %j on cpu_thread temporary {
// CHECK: return
// STRICT-LABEL: @columns
// STRICT-NOT: cpu_thread
// STRICT: return
func.func @columns(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) {
  ^bb0(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %j {
      cin.forall %i {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSC>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A result appended to in order, in pieces.

// CHECK-LABEL: @appended
// CHECK: cin.forall %i on cpu_thread no_races {
// CHECK: cin.forall %j {
func.func @appended(%B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Coordinates that repeat are dealt out in ranges, and so is what is merged.

// CHECK-LABEL: @coordinates
// CHECK: cin.forall %i on cpu_thread no_races
// CHECK: return
func.func @coordinates(%A: tensor<?x?xf64, #COO>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) {
  ^bb0(%A: tensor<?x?xf64, #COO>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #COO>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #COO>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A loop over blocks of a compressed level is counted, and can be dealt out.

// CHECK-LABEL: @blocks
// CHECK: cin.forall %i0 on cpu_thread no_races {
// CHECK-NEXT: cin.forall %i1 {
func.func @blocks(%A: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64> {
  %y = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %i0, %i1 = cin.split %i by 32 ("i0", "i1")
    cin.forall %i0 {
      cin.forall %i1 {
        cin.forall %j {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DCSR>
          cin.assign %y[%i, %j] = %a : tensor<?x?xf64>
        }
      }
    }
  } : (tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// So can the entries of a level that is walked alone, not those of one merged with others.

// CHECK-LABEL: @stored_rows
// CHECK: cin.forall %i on cpu_thread no_races {
func.func @stored_rows(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DCSR>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #DCSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @merged_rows
// CHECK: cin.forall %i on cpu_thread no_races
// CHECK: return
func.func @merged_rows(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = cin.kernel (%A, %B) {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %B: tensor<?x?xf64>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DCSR>
        %b = cin.read %B[%i, %j] : tensor<?x?xf64>
        %p = arith.addf %a, %b : f64
        cin.assign %y[%i, %j] = %p : tensor<?x?xf64>
      }
    }
  } : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// What a schedule has parallelized stays so.

// CHECK-LABEL: @scheduled
// CHECK: cin.forall %i {
// CHECK-NEXT: cin.forall %j on cpu_thread atomics {
func.func @scheduled(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j on cpu_thread atomics {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64>
        cin.assign %y[%i] add %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// One on lanes is dealt out in blocks.

// CHECK-LABEL: @lanes
// CHECK: %[[BLOCK:.*]], %[[PLACE:.*]] = cin.split %k by 512("k_block", "k_of_block")
// CHECK: cin.forall %[[BLOCK]] on cpu_thread no_races {
// CHECK: cin.forall %[[PLACE]] on cpu_vector no_races {
// CHECK: cin.forall %j {
func.func @lanes(%A: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) {
  ^bb0(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %k = cin.index "k"
    %j = cin.index "j"
    cin.forall %k on cpu_vector no_races {
      cin.forall %j {
        %a = cin.read %A[%j, %k] : tensor<?x?xf64>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%k] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// What adds to windows of a result has pieces of the result, on threads: of `i`, which is gone through in
// the place of `p`, so that this follows.

// CHECK-LABEL: @window
// CHECK: %[[PIECE:.*]], %[[PLACE:.*]] = cin.split %i up by 8("i_piece", "i_of_piece")
// CHECK: cin.forall %[[PIECE]] on cpu_thread no_races {
// CHECK-NEXT: cin.forall %i_plus_p {
// CHECK-NEXT: cin.forall %[[PLACE]] {
// ONE-LABEL: @window
// ONE-NOT: cpu_thread
// STRICT-LABEL: @window
// STRICT: cin.forall %{{.*}} on cpu_thread no_races {
#list = #tin.format<(i) -> (i : compressed)>
#sum = affine_map<(i, p) -> (i + p)>
func.func @window(%x: tensor<?xf64, #list>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x, %w) {
  ^bb0(%x: tensor<?xf64, #list>, %w: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %p = cin.index "p"
    %i_plus_p = cin.remap (%i, %p) by #sum ("i_plus_p")
    cin.forall %i_plus_p {
      cin.forall %p {
        %a = cin.read %x[%i + %p] : tensor<?xf64, #list>
        %b = cin.read %w[%p] : tensor<?xf64>
        %c = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %c : tensor<?xf64>
      }
    }
  } : (tensor<?xf64, #list>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A filter that stores what is not zero cannot be looked into: each thread has a copy of the result.

// CHECK-LABEL: @listed
// CHECK: cin.forall %i_plus_p on cpu_thread temporary {
// CHECK-NEXT: cin.forall %p {
// STRICT-LABEL: @listed
// STRICT-NOT: cpu_thread
func.func @listed(%x: tensor<?xf64, #list>, %w: tensor<?xf64, #list>) -> tensor<?xf64> {
  %y = cin.kernel (%x, %w) {
  ^bb0(%x: tensor<?xf64, #list>, %w: tensor<?xf64, #list>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %p = cin.index "p"
    %i_plus_p = cin.remap (%i, %p) by #sum ("i_plus_p")
    cin.forall %i_plus_p {
      cin.forall %p {
        %a = cin.read %x[%i + %p] : tensor<?xf64, #list>
        %b = cin.read %w[%p] : tensor<?xf64, #list>
        %c = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %c : tensor<?xf64>
      }
    }
  } : (tensor<?xf64, #list>, tensor<?xf64, #list>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
