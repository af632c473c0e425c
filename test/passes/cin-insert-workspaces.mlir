// RUN: sparse-opt --cin-insert-workspaces %s | FileCheck %s

#DIAGONAL = #tin.format<(i, j, k) -> (k : compressed(nonunique, unordered), j : singleton(nonunique, unordered), i : singleton(unordered))>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>

// A reduction innermost goes to a scalar, and the result is assigned once.

// CHECK-LABEL: @spmv
// CHECK:      %[[t:.*]] = cin.workspace() : tensor<f64>
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     %[[v:.*]] = cin.read %[[t]][] : tensor<f64>
// CHECK-NEXT:     cin.assign %{{.*}}[%i] = %[[v]]
// CHECK-NEXT:   } producing %[[t]] {
// CHECK-NEXT:     cin.forall %j {
// CHECK:            cin.assign %[[t]][] add %{{.*}} : tensor<f64>
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
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

// Part of a reduction in a scalar: the rest reduces the scalar into the result.

// CHECK-LABEL: @blocked
// CHECK:      cin.forall %j0 {
// CHECK-NEXT:   cin.forall %i {
// CHECK-NEXT:     cin.where {
// CHECK:            cin.assign %{{.*}}[%i] add
// CHECK-NEXT:     } producing
// CHECK-NEXT:       cin.forall %j1 {
func.func @blocked(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %j0, %j1 = cin.split %j by 64 ("j0", "j1")
    cin.forall %j0 {
      cin.forall %i {
        cin.forall %j1 {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %b = cin.read %x[%j] : tensor<?xf64>
          %p = arith.mulf %a, %b : f64
          cin.assign %y[%i] add %p : tensor<?xf64>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Reductions on threads share no scalar.

// CHECK-LABEL: @atomic
// CHECK-NOT: cin.where
// CHECK: cin.forall %j on cpu_thread atomics
// CHECK-NOT: cin.where
func.func @atomic(%x: tensor<?xf64>) -> tensor<f64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<f64>):
    %j = cin.index "j"
    cin.forall %j on cpu_thread atomics {
      %b = cin.read %x[%j] : tensor<?xf64>
      cin.assign %y[] add %b : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// Entries of a level that repeats coordinates reduce into the result one by one.

// CHECK-LABEL: @coordinates
// CHECK-NOT: cin.where
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

// Rows that the walk does not visit must hold the identity of max, not the fill: it stays a reduction.

// CHECK-LABEL: @max_rows
// CHECK: cin.assign %{{.*}}[%i] max %{{.*}} : tensor<?xf64>
// CHECK-NEXT: } producing
// CHECK: cin.assign %{{.*}}[] max
func.func @max_rows(%A: tensor<?x?xf64, #DCSR>) -> tensor<?xf64> {
  %y = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DCSR>
        cin.assign %y[%i] max %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #DCSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Where that is the fill, it is assigned.

// CHECK-LABEL: @min_plus
// CHECK: cin.assign %{{.*}}[%i] = %{{.*}} : tensor<?xf64>
// CHECK: cin.assign %{{.*}}[] min %{{.*}} {identity = 0x7FF0000000000000 : f64}
func.func @min_plus(%A: tensor<?x?xf64, #DCSR>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {fills = [0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64]} {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DCSR>
        cin.assign %y[%i] min %a {identity = 0x7FF0000000000000 : f64} : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #DCSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A row of a sparse result, scattered into for each j, is built in a workspace.

// CHECK-LABEL: @spgemm
// CHECK:      %[[w:.*]] = cin.workspace(%k) : tensor<?xf64, #[[W:.*]]>
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %k {
// CHECK-NEXT:       %[[v:.*]] = cin.read %[[w]][%k]
// CHECK-NEXT:       cin.assign %{{.*}}[%i, %k] = %[[v]]
// CHECK-NEXT:     }
// CHECK-NEXT:   } producing %[[w]] {
// CHECK-NEXT:     cin.forall %j {
// CHECK-NEXT:       cin.forall %k {
// CHECK:              cin.assign %[[w]][%k] add
func.func @spgemm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
          %c = cin.read %C[%j, %k] : tensor<?x?xf64, #CSR>
          %p = arith.mulf %b, %c : f64
          cin.assign %A[%i, %k] add %p : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// The columns in blocks: the consumer takes the same blocks.

// CHECK-LABEL: @spgemm_blocked
// CHECK:      cin.where {
// CHECK-NEXT:   cin.forall %k0 {
// CHECK-NEXT:     cin.forall %k1 {
// CHECK:        producing
// CHECK-NEXT:   cin.forall %j {
// CHECK-NEXT:     cin.forall %k0 {
// CHECK-NEXT:       cin.forall %k1 {
func.func @spgemm_blocked(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %k0, %k1 = cin.split %k by 64 ("k0", "k1")
    cin.forall %i {
      cin.forall %j {
        cin.forall %k0 {
          cin.forall %k1 {
            %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
            %c = cin.read %C[%j, %k] : tensor<?x?xf64, #CSR>
            %p = arith.mulf %b, %c : f64
            cin.assign %A[%i, %k] add %p : tensor<?x?xf64, #CSR>
          }
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// SDDMM: the reduction is inside the last level, a scalar does, and it is appended.

// CHECK-LABEL: @sddmm
// CHECK:      cin.forall %j {
// CHECK-NEXT:   cin.where {
// CHECK:          cin.assign %{{.*}}[%i, %j] =
// CHECK-NEXT:   } producing %{{.*}} {
// CHECK-NEXT:     cin.forall %k {
func.func @sddmm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C, %D) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
          %c = cin.read %C[%i, %k] : tensor<?x?xf64>
          %d = cin.read %D[%k, %j] : tensor<?x?xf64>
          %p = arith.mulf %b, %c : f64
          %q = arith.mulf %p, %d : f64
          cin.assign %A[%i, %j] add %q : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// A nested reduction keeps the workspace that it came with.

// CHECK-LABEL: @residual
// CHECK-COUNT-1: cin.workspace
// CHECK-NOT: cin.workspace
// CHECK: return
func.func @residual(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x, %b) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %b: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %t = cin.workspace () : tensor<f64>
    cin.forall %i {
      cin.where {
        %0 = cin.read %b[%i] : tensor<?xf64>
        %1 = cin.read %t[] : tensor<f64>
        %2 = arith.subf %0, %1 : f64
        cin.assign %y[%i] = %2 : tensor<?xf64>
      } producing %t {
        cin.forall %j {
          %0 = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %1 = cin.read %x[%j] : tensor<?xf64>
          %p = arith.mulf %0, %1 : f64
          cin.assign %t[] add %p : tensor<f64>
        }
      } : tensor<f64>
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Rows that come again and again, in parts: each part adds to what the others have.

#CUBE = #tin.format<(i, j, k) -> (i : compressed(nonunique), j : compressed, k : compressed)>

// CHECK-LABEL: @parts
// CHECK-NOT:   cin.where
// CHECK:       cin.assign %{{.*}}[%i, %j] add
func.func @parts(%A: tensor<?x?x?xf64, #CUBE>) -> tensor<?x?xf64> {
  %y = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?x?xf64, #CUBE>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %a = cin.read %A[%i, %j, %k] : tensor<?x?x?xf64, #CUBE>
          cin.assign %y[%i, %j] add %a : tensor<?x?xf64>
        }
      }
    }
  } : (tensor<?x?x?xf64, #CUBE>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// Where the columns follow from blocks of them, one forall over all of them comes to what was gathered.
// CHECK-LABEL: func.func @columns_in_blocks
// CHECK: cin.forall %i {
// CHECK: cin.where {
// CHECK-NEXT: cin.forall %j {
// CHECK: cin.assign %C[%i, %j] = %{{.*}}
// CHECK: } producing %[[W:.*]] {
// CHECK: cin.forall %k {
// CHECK: cin.forall %j_block {
// CHECK: cin.forall %j_in {
// CHECK: cin.assign %[[W]][%j] add
#RowsOfBlocks = #tin.format<(i, j) -> (i : dense, j floordiv 4 : compressed, j mod 4 : dense)>
#Rows = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @columns_in_blocks(%A: tensor<?x?xf64, #Rows>, %B: tensor<?x?xf64, #RowsOfBlocks>) -> tensor<?x?xf64, #Rows> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #Rows>, %B: tensor<?x?xf64, #RowsOfBlocks>, %C: tensor<?x?xf64, #Rows>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %j_block = cin.remap(%j) by affine_map<(d0) -> (d0 floordiv 4)>("j_block")
    %j_in = cin.remap(%j) by affine_map<(d0) -> (d0 mod 4)>("j_in")
    cin.forall %i {
      cin.forall %k {
        cin.forall %j_block {
          cin.forall %j_in {
            %a = cin.read %A[%i, %k] : tensor<?x?xf64, #Rows>
            %b = cin.read %B[%k, %j] : tensor<?x?xf64, #RowsOfBlocks>
            %p = arith.mulf %a, %b : f64
            cin.assign %C[%i, %j] add %p : tensor<?x?xf64, #Rows>
          }
        }
      }
    }
  } : (tensor<?x?xf64, #Rows>, tensor<?x?xf64, #RowsOfBlocks>) -> tensor<?x?xf64, #Rows>
  return %C : tensor<?x?xf64, #Rows>
}

// Positions of an operand say nothing of what was gathered: another variable goes through it.

// CHECK-LABEL: @positions
// CHECK:      %[[ROW:.*]] = cin.index "j_row" like %j
// CHECK:      cin.forall %i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %[[ROW]] {
// CHECK-NEXT:       %[[V:.*]] = cin.read %[[W:.*]][%[[ROW]]]
// CHECK-NEXT:       cin.assign %C[%i, %[[ROW]]] = %[[V]]
// CHECK:        } producing %[[W]] {
// CHECK:          cin.forall %p {
// CHECK:            cin.assign %[[W]][%j] add
func.func @positions(%A: tensor<?x?xf64, #Rows>, %B: tensor<?x?xf64, #Rows>) -> tensor<?x?xf64, #Rows> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #Rows>, %B: tensor<?x?xf64, #Rows>, %C: tensor<?x?xf64, #Rows>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %p = cin.pos %j in %B level 1 under %k("p") : tensor<?x?xf64, #Rows>
    cin.forall %i {
      cin.forall %k {
        cin.forall %p {
          %a = cin.read %A[%i, %k] : tensor<?x?xf64, #Rows>
          %b = cin.read %B[%k, %j] : tensor<?x?xf64, #Rows>
          %c = arith.mulf %a, %b : f64
          cin.assign %C[%i, %j] add %c : tensor<?x?xf64, #Rows>
        }
      }
    }
  } : (tensor<?x?xf64, #Rows>, tensor<?x?xf64, #Rows>) -> tensor<?x?xf64, #Rows>
  return %C : tensor<?x?xf64, #Rows>
}

// Two nests add to one row, which is gathered inside of the forall that they share.

// CHECK-LABEL: @two_nests
// CHECK:      %[[w:.*]] = cin.workspace(%j) : tensor<?xf64, #accumulator>
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %j {
// CHECK-NEXT:       %[[v:.*]] = cin.read %[[w]][%j]
// CHECK-NEXT:       cin.assign %{{.*}}[%i, %j] = %[[v]]
// CHECK-NEXT:     }
// CHECK-NEXT:   } producing %[[w]] {
// CHECK-NEXT:     cin.forall %j {
// CHECK:            cin.assign %[[w]][%j] add
// CHECK:          cin.forall %j {
// CHECK:            cin.assign %[[w]][%j] add
// CHECK-NOT:      cin.assign
// CHECK:      return
func.func @two_nests(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #CSR> {
  %C = cin.kernel (%A, %B) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #DCSR>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %C[%i, %j] add %a : tensor<?x?xf64, #CSR>
      }
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #DCSR>
        cin.assign %C[%i, %j] add %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// A row whose coordinates come in strides is gathered from all of its parts on.

// CHECK-LABEL: @in_strides
// CHECK:      %[[w:.*]] = cin.workspace(%j) : tensor<?xf64, #accumulator>
// CHECK-NEXT: %[[row:.*]] = cin.index "j_row" like %j
// CHECK-NEXT: cin.forall %i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %[[row]] {
// CHECK-NEXT:       %[[v:.*]] = cin.read %[[w]][%[[row]]]
// CHECK-NEXT:       cin.assign %{{.*}}[%i, %[[row]]] = %[[v]]
// CHECK-NEXT:     }
// CHECK-NEXT:   } producing %[[w]] {
// CHECK-NEXT:     cin.forall %j0 {
// CHECK-NEXT:       cin.forall %j3 {
// CHECK-NEXT:         cin.forall %j2 {
// CHECK:                cin.assign %[[w]][%j] = %
// CHECK-NOT:      cin.assign
// CHECK:      return
func.func @in_strides(%A: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %C = cin.kernel (%A) attributes {tensor_names = ["A", "C"]} {
  ^bb0(%A: tensor<?x?xf64>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %j0, %j1 = cin.split %j by 8 ("j0", "j1")
    %j2, %j3 = cin.split %j1 by 2 ("j2", "j3")
    cin.forall %i {
      cin.forall %j0 {
        cin.forall %j3 {
          cin.forall %j2 {
            %a = cin.read %A[%i, %j] : tensor<?x?xf64>
            cin.assign %C[%i, %j] = %a : tensor<?x?xf64, #CSR>
          }
        }
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// In order they are appended as they come.

// CHECK-LABEL: @in_pieces
// CHECK-NOT: cin.workspace
// CHECK:     return
func.func @in_pieces(%A: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %C = cin.kernel (%A) attributes {tensor_names = ["A", "C"]} {
  ^bb0(%A: tensor<?x?xf64>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %j0, %j1 = cin.split %j by 8 ("j0", "j1")
    %j2, %j3 = cin.split %j1 by 2 ("j2", "j3")
    cin.forall %i {
      cin.forall %j0 {
        cin.forall %j2 {
          cin.forall %j3 {
            %a = cin.read %A[%i, %j] : tensor<?x?xf64>
            cin.assign %C[%i, %j] = %a : tensor<?x?xf64, #CSR>
          }
        }
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}

// A variable that two levels hold is gathered once.

// CHECK-LABEL: @diagonal
// CHECK:      %[[w:.*]] = cin.workspace(%i_plus_k, %l)
// CHECK:      cin.forall %i_plus_k {
// CHECK-NEXT:   cin.forall %l {
// CHECK-NEXT:     %[[v:.*]] = cin.read %[[w]][%i_plus_k, %l]
// CHECK-NEXT:     cin.assign %R[%l, %i_plus_k, %i_plus_k] = %[[v]]
func.func @diagonal(%A: tensor<?x?xf64>, %B: tensor<?xf64>) -> tensor<?x?x?xf64, #DIAGONAL> {
  %R = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "R"]} {
  ^bb0(%A: tensor<?x?xf64>, %B: tensor<?xf64>, %R: tensor<?x?x?xf64, #DIAGONAL>):
    %l = cin.index "l"
    %i = cin.index "i"
    %k = cin.index "k"
    %i_plus_k = cin.index "i_plus_k"
    cin.subscript %i_plus_k is (%i, %k) by affine_map<(d0, d1) -> (d0 + d1)>
    cin.forall %l {
      cin.forall %i {
        cin.forall %k {
          %a = cin.read %A[%k, %l] : tensor<?x?xf64>
          %b = cin.read %B[%i] : tensor<?xf64>
          %p = arith.mulf %a, %b : f64
          cin.assign %R[%l, %i_plus_k, %i_plus_k] add %p : tensor<?x?x?xf64, #DIAGONAL>
        }
      }
    }
  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?x?xf64, #DIAGONAL>
  return %R : tensor<?x?x?xf64, #DIAGONAL>
}

// What a loop over one of two equal subscripts tells of the other, inside of it, is gathered too.

// CHECK-LABEL: @equal_subscripts
// CHECK:      %[[w:.*]] = cin.workspace(%y)
// CHECK:      cin.forall %x {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %[[y:.*]] {
// CHECK-NEXT:       %[[v:.*]] = cin.read %[[w]][%[[y]]]
// CHECK-NEXT:       cin.assign %R[%x, %[[y]]] = %[[v]]
// CHECK:        producing %[[w]] {
// CHECK-NEXT:     cin.forall %i {
func.func @equal_subscripts(%A: tensor<?xf64>, %B: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %R = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "R"]} {
  ^bb0(%A: tensor<?xf64>, %B: tensor<?xf64>, %R: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %k = cin.index "k"
    %x = cin.index "x"
    %y = cin.index "y"
    cin.subscript %x is (%i, %k) by affine_map<(d0, d1) -> (d0 + d1)>
    cin.subscript %y is (%i, %k) by affine_map<(d0, d1) -> (d0 + d1)>
    cin.forall %x {
      cin.forall %i {
        %a = cin.read %A[%k] : tensor<?xf64>
        %b = cin.read %B[%i] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %R[%x, %y] add %p : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %R : tensor<?x?xf64, #CSR>
}

// What a schedule keeps by itself is added to for each row that comes again, with a level of its own below.

// CHECK-LABEL: @repeated_rows
// CHECK:      producing %{{.*}} {
// CHECK:        cin.assign %{{.*}}[%{{.*}}, %{{.*}}] add %{{.*}} : tensor<?x?xf64>
#REPEATED = #tin.format<(i, j) -> (i : compressed(nonunique), j : dense)>
func.func @repeated_rows(%A: tensor<?x?xf64, #REPEATED>) -> tensor<?x?xf64> {
  %R = cin.kernel (%A) attributes {tensor_names = ["A", "R"]} {
  ^bb0(%A: tensor<?x?xf64, #REPEATED>, %R: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %w = cin.workspace(%i, %j) : tensor<?x?xf64>
    cin.where {
      cin.forall %i {
        cin.forall %j {
          %v = cin.read %w[%i, %j] : tensor<?x?xf64>
          cin.assign %R[%i, %j] = %v : tensor<?x?xf64>
        }
      }
    } producing %w {
      cin.forall %i {
        cin.forall %j {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #REPEATED>
          cin.assign %w[%i, %j] = %a : tensor<?x?xf64>
        }
      }
    } : tensor<?x?xf64>
  } : (tensor<?x?xf64, #REPEATED>) -> tensor<?x?xf64>
  return %R : tensor<?x?xf64>
}
