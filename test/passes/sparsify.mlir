// RUN: sparse-opt --cin-choose-assembly --sparsify %s | FileCheck %s

#SV = #tin.format<(i) -> (i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#COO_DUPLICATES = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
#W = #tin.format<(i) -> (i : accumulator)>
#ROWS_OF_BLOCKS = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : dense)>

// Extents and shape checks first, then the result, then the walks; what is known outside of a loop
// is located and read there.

// CHECK-LABEL: @spmv
// CHECK:      %[[m:.*]] = sit.extent %A[0]
// CHECK-NEXT: %[[n:.*]] = sit.extent %A[1]
// CHECK-NEXT: %[[n0:.*]] = sit.extent %x[0]
// CHECK-NEXT: sit.match "j" %[[n]], %[[n0]]
// CHECK-NEXT: sit.result %y[%[[m]]] by insert : tensor<?xf64>
// CHECK-NEXT: sit.coiterate over %[[m]] named "i" {
// CHECK-NEXT: case () as (%i) {
// CHECK-NEXT:   %pA0 = sit.locate %A level 0 at %i
// CHECK-NEXT:   %py0 = sit.insert %y level 0 at %i
// CHECK-NEXT:   sit.coiterate %A level 1 under %pA0 named "j" :
// CHECK-NEXT:   case (0) as (%j, %pA1) {
// CHECK-NEXT:     %px0 = sit.locate %x level 0 at %j
// CHECK-NEXT:     %[[a:.*]] = sit.value %A at %pA1
// CHECK-NEXT:     %[[b:.*]] = sit.value %x at %px0
// CHECK-NEXT:     %[[p:.*]] = arith.mulf %[[a]], %[[b]] : f64
// CHECK-NEXT:     sit.accumulate add %[[p]] to %y at %py0
// CHECK:      sit.finish %y
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
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

// The rows of the result are closed after each row; coordinates are appended where they are visited.

// CHECK-LABEL: @csr_plus_csr
// CHECK:      %pA0 = sit.insert %A level 0 at %i
// CHECK-NEXT: %[[begin:.*]] = sit.end %A level 1
// CHECK-NEXT: sit.coiterate %B level 1 under %pB0, %C level 1 under %pC0 named "{{.*}}" :
// CHECK:      case (0, 1)
// CHECK:        %[[p:.*]] = sit.append %A level 1 at %j
// CHECK-NEXT:   %[[v:.*]] = arith.addf
// CHECK-NEXT:   sit.store %[[v]] to %A at %[[p]]
// CHECK:      case (0)
// CHECK:      case (1)
// CHECK:      sit.close %A level 1 from %[[begin]] under %pA0
func.func @csr_plus_csr(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        %c = cin.read %C[%i, %j] : tensor<?x?xf64, #CSR>
        %s = arith.addf %b, %c : f64
        cin.assign %A[%i, %j] = %s : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// A row is appended after its entries, if it has any.

// CHECK-LABEL: @rows_with_entries
// CHECK:      %[[rows:.*]] = sit.end %A level 0
// CHECK-NEXT: sit.coiterate %B level 0, %C level 0 named "i" :
// CHECK-NEXT: case (0, 1) as (%i, %pB0, %pC0) {
// CHECK-NEXT:   %[[begin:.*]] = sit.end %A level 1
// CHECK:        sit.append %A level 1 at %j
// CHECK:        %[[end:.*]] = sit.end %A level 1
// CHECK-NEXT:   %[[grown:.*]] = arith.cmpi ne, %[[end]], %[[begin]] : index
// CHECK-NEXT:   scf.if %[[grown]] {
// CHECK-NEXT:     %[[row:.*]] = sit.append %A level 0 at %i
// CHECK-NEXT:     sit.close %A level 1 from %[[begin]] under %[[row]]
// CHECK:      sit.close %A level 0 from %[[rows]] :
func.func @rows_with_entries(%B: tensor<?x?xf64, #DCSR>, %C: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #DCSR>, %C: tensor<?x?xf64, #DCSR>, %A: tensor<?x?xf64, #DCSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #DCSR>
        %c = cin.read %C[%i, %j] : tensor<?x?xf64, #DCSR>
        %p = arith.mulf %b, %c : f64
        cin.assign %A[%i, %j] = %p : tensor<?x?xf64, #DCSR>
      }
    }
  } : (tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #DCSR>
  return %A : tensor<?x?xf64, #DCSR>
}

// What has the entries of an operand one for one is a copy of it.

// CHECK-LABEL: @copied
// CHECK:      sit.result %A[{{.*}}] by copy stored :
// CHECK:      sit.coiterate over
// CHECK-NOT:    sit.copied %A level 0
// CHECK:        sit.coiterate %B level 1 under %pB0
// CHECK:          %[[entry:.*]] = sit.copied %A level 1 from %B as %pB1
// CHECK:          sit.store %{{.*}} to %A at %[[entry]]
// CHECK-NOT:  sit.close
// CHECK:      sit.finish
func.func @copied(%B: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %x) attributes {tensor_names = ["B", "x", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        %c = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %b, %c : f64
        cin.assign %A[%i, %j] = %p : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Not where an entry may be missing: one of another sparse operand.

// CHECK-LABEL: @not_copied
// CHECK:      sit.result %A[{{.*}}] by append
func.func @not_copied(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        %c = cin.read %C[%i, %j] : tensor<?x?xf64, #CSR>
        %p = arith.mulf %b, %c : f64
        cin.assign %A[%i, %j] = %p : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// TTM: the block under an appended coordinate is inserted into, so that coordinate is appended first.

// CHECK-LABEL: @blocks_under_appended
// CHECK:      sit.coiterate %B level 1 under %pB0 named "j" :
// CHECK-NEXT: case (0) as (%j, %pB1) {
// CHECK-NEXT:   %[[row:.*]] = sit.append %A level 1 at %j
// CHECK:        sit.coiterate %B level 2 under %pB1 named "{{.*}}" :
// CHECK:          sit.coiterate over
// CHECK:            %[[p:.*]] = sit.insert %A level 2 at %l under %[[row]]
// CHECK:            sit.accumulate add %{{.*}} to %A at %[[p]]
// CHECK:      scf.if
// CHECK:        %[[slice:.*]] = sit.append %A level 0 at %i
// CHECK:        sit.close %A level 1 from %{{.*}} under %[[slice]]
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
func.func @blocks_under_appended(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64>) -> tensor<?x?x?xf64, #ROWS_OF_BLOCKS> {
  %A = cin.kernel (%B, %C) by append attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64>, %A: tensor<?x?x?xf64, #ROWS_OF_BLOCKS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %l = cin.index "l"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          cin.forall %l {
            %b = cin.read %B[%i, %j, %k] : tensor<?x?x?xf64, #CSF>
            %c = cin.read %C[%k, %l] : tensor<?x?xf64>
            %p = arith.mulf %b, %c : f64
            cin.assign %A[%i, %j, %l] add %p : tensor<?x?x?xf64, #ROWS_OF_BLOCKS>
          }
        }
      }
    }
  } : (tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>) -> tensor<?x?x?xf64, #ROWS_OF_BLOCKS>
  return %A : tensor<?x?x?xf64, #ROWS_OF_BLOCKS>
}

// A coordinate list is walked entry by entry where the result allows rows to come several times.

// CHECK-LABEL: @coo_spmv
// CHECK:      sit.coiterate %A level 0 fused named "i" :
// CHECK-NEXT: case (0) as (%i, %pA0) {
// CHECK:        sit.coiterate %A level 1 under %pA0 named "{{.*}}" :
// CHECK:          sit.accumulate add
func.func @coo_spmv(%A: tensor<?x?xf64, #COO>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
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

// The square of duplicates is not the sum of their squares: no fusing.

// CHECK-LABEL: @coo_squares
// CHECK:      sit.coiterate %A level 0 named "{{.*}}" :
// CHECK:        sit.coiterate %A level 1 under %pA0 named "{{.*}}" :
func.func @coo_squares(%A: tensor<?x?xf64, #COO_DUPLICATES>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {tensor_names = ["A", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #COO_DUPLICATES>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #COO_DUPLICATES>
        %p = arith.mulf %a, %a : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #COO_DUPLICATES>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Merged coordinate lists visit each row once; the result's coordinates are appended together.

// CHECK-LABEL: @coo_plus_coo
// CHECK:      %[[begin:.*]] = sit.end %A level 0
// CHECK-NEXT: sit.coiterate %B level 0, %C level 0 named "i" :
// CHECK-NEXT: case (0, 1) as (%i, %pB0, %pC0) {
// CHECK-NEXT:   sit.coiterate %B level 1 under %pB0, %C level 1 under %pC0 named "j" :
// CHECK-NEXT:   case (0, 1) as (%j, %pB1, %pC1) {
// CHECK:          sit.append %A level 0 at %i
// CHECK-NEXT:     %[[p:.*]] = sit.append %A level 1 at %j
// CHECK:          sit.store %{{.*}} to %A at %[[p]]
// CHECK:      sit.close %A level 0 from %[[begin]] :
func.func @coo_plus_coo(%B: tensor<?x?xf64, #COO>, %C: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COO> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #COO>, %C: tensor<?x?xf64, #COO>, %A: tensor<?x?xf64, #COO>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #COO>
        %c = cin.read %C[%i, %j] : tensor<?x?xf64, #COO>
        %s = arith.addf %b, %c : f64
        cin.assign %A[%i, %j] = %s : tensor<?x?xf64, #COO>
      }
    }
  } : (tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COO>
  return %A : tensor<?x?xf64, #COO>
}

// The product y = b - A x in one statement: where A has no row, y = b without a sum.

// CHECK-LABEL: @residual
// CHECK:      sit.coiterate %A level 0 over
// CHECK:      case (0) as (%i, %pA0) {
// CHECK:        %[[t:.*]] = sit.var %{{.*}} : f64
// CHECK:        sit.coiterate %A level 1 under %pA0 named "{{.*}}" :
// CHECK:          %[[old:.*]] = sit.get %[[t]] : f64
// CHECK-NEXT:     %[[new:.*]] = arith.addf %[[old]], %{{.*}} fastmath<reassoc,contract> : f64
// CHECK-NEXT:     sit.set %[[t]], %[[new]] : f64
// CHECK:        %[[sum:.*]] = sit.get %[[t]] : f64
// CHECK-NEXT:   %[[y:.*]] = arith.subf %{{.*}}, %[[sum]] : f64
// CHECK-NEXT:   sit.store %[[y]] to %y
// CHECK:      case () as (%i) {
// CHECK-NOT:    sit.var
// CHECK:        %[[b:.*]] = sit.value %b
// CHECK:        sit.store %[[b]] to %y
func.func @residual(%b: tensor<?xf64>, %A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%b, %A, %x) attributes {tensor_names = ["b", "A", "x", "y"]} {
  ^bb0(%b: tensor<?xf64>, %A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %t = cin.workspace () : tensor<f64>
    cin.forall %i {
      cin.where {
        %c = cin.read %b[%i] : tensor<?xf64>
        %s = cin.read %t[] : tensor<f64>
        %d = arith.subf %c, %s : f64
        cin.assign %y[%i] = %d : tensor<?xf64>
      } producing %t {
        cin.forall %j {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DCSR>
          %v = cin.read %x[%j] : tensor<?xf64>
          %p = arith.mulf %a, %v : f64
          cin.assign %t[] add %p : tensor<f64>
        }
      } : tensor<f64>
    }
  } : (tensor<?xf64>, tensor<?x?xf64, #DCSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// SpGEMM: rows are gathered in a workspace, which is made once and walked in order.

// CHECK-LABEL: @spgemm
// CHECK:      sit.result %A[%[[m:.*]], %[[n:.*]]]
// CHECK-NEXT: %[[w:.*]] = sit.workspace[%[[n]]]
// CHECK:      sit.coiterate %B level 1 under %pB0 named "{{.*}}" :
// CHECK:        sit.coiterate %C level 1 under %pC0 named "{{.*}}" :
// CHECK:          %[[p:.*]] = sit.insert %[[w]] level 0 at %k
// CHECK:          sit.accumulate add %{{.*}} to %[[w]] at %[[p]]
// CHECK:      sit.sort %[[w]] level 0
// CHECK-NEXT: sit.coiterate %[[w]] level 0 named "{{.*}}" :
// CHECK:        %[[v:.*]] = sit.value %[[w]]
// CHECK-NEXT:   %[[q:.*]] = sit.append %A level 1 at %k
// CHECK-NEXT:   sit.store %[[v]] to %A at %[[q]]
// CHECK:      sit.clear %[[w]]
// CHECK-NEXT: sit.close %A level 1 from %{{.*}} under %pA0
func.func @spgemm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %w = cin.workspace (%k) : tensor<?xf64, #W>
    cin.forall %i {
      cin.where {
        cin.forall %k {
          %v = cin.read %w[%k] : tensor<?xf64, #W>
          cin.assign %A[%i, %k] = %v : tensor<?x?xf64, #CSR>
        }
      } producing %w {
        cin.forall %j {
          cin.forall %k {
            %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
            %c = cin.read %C[%j, %k] : tensor<?x?xf64, #CSR>
            %p = arith.mulf %b, %c : f64
            cin.assign %w[%k] add %p : tensor<?xf64, #W>
          }
        }
      } : tensor<?xf64, #W>
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// The diagonal: the second level is walked at the one coordinate that is known.

// CHECK-LABEL: @diagonal
// CHECK:      sit.coiterate %A level 0 named "i" :
// CHECK-NEXT: case (0) as (%i, %pA0) {
// CHECK-NEXT:   sit.coiterate %A level 1 under %pA0 at %i named "{{.*}}" :
// CHECK:          sit.value %A at
// CHECK:          sit.append %d level 0 at %i
func.func @diagonal(%A: tensor<?x?xf64, #DCSR>) -> tensor<?xf64, #SV> {
  %d = cin.kernel (%A) attributes {tensor_names = ["A", "d"]} {
  ^bb0(%A: tensor<?x?xf64, #DCSR>, %d: tensor<?xf64, #SV>):
    %i = cin.index "i"
    cin.forall %i {
      %a = cin.read %A[%i, %i] : tensor<?x?xf64, #DCSR>
      cin.assign %d[%i] = %a : tensor<?xf64, #SV>
    }
  } : (tensor<?x?xf64, #DCSR>) -> tensor<?xf64, #SV>
  return %d : tensor<?xf64, #SV>
}

// A compound subscript is located; i takes what it leaves, and its range is checked.

// CHECK-LABEL: @convolution
// CHECK:      %[[k:.*]] = sit.extent %f[0]
// CHECK:      %[[n:.*]] = sit.extent %x[0]
// CHECK:      sit.within "i + k" %{{.*}}, %{{.*}}, %{{.*}}
// CHECK:      sit.result %y[%[[m:.*]]]
// CHECK-NEXT: sit.coiterate over %[[m]] named "{{.*}}" {
// CHECK:        sit.coiterate over %[[k]] named "{{.*}}" {
// CHECK:          %[[at:.*]] = arith.addi %i, %k : index
// CHECK-NEXT:     sit.locate %x level 0 at %[[at]]
func.func @convolution(%x: tensor<?xf64>, %f: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x, %f) attributes {tensor_names = ["x", "f", "y"]} {
  ^bb0(%x: tensor<?xf64>, %f: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %k {
        %a = cin.read %x[%i + %k] : tensor<?xf64>
        %b = cin.read %f[%k] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A level that holds what is there is walked from i on, k being as far as it comes.

// CHECK-LABEL: @convolution_of_bitmap
// CHECK:      sit.coiterate over %{{.*}} named "{{.*}}" {
// CHECK:        sit.coiterate %x level 0 offset %i from %{{.*}} to %{{.*}} named "k" :
// CHECK-NEXT:     case (0) as (%k,
// CHECK:            sit.accumulate
#BITMAP = #tin.format<(i) -> (i : bitmap)>
func.func @convolution_of_bitmap(%x: tensor<?xf64, #BITMAP>, %f: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x, %f) attributes {tensor_names = ["x", "f", "y"]} {
  ^bb0(%x: tensor<?xf64, #BITMAP>, %f: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %k {
        %a = cin.read %x[%i + %k] : tensor<?xf64, #BITMAP>
        %b = cin.read %f[%k] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?xf64, #BITMAP>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A split variable that is walked: the inner forall visits an interval of what is stored.

// CHECK-LABEL: @split
// CHECK:      sit.coiterate over %{{.*}} named "j0" {
// CHECK-NEXT: case () as (%j0) {
// CHECK:        sit.coiterate %a level 0 from %[[low:.*]] to %[[high:.*]] named "j" :
// CHECK-NEXT:   case (0) as (%j, %pa0) {
// CHECK-NEXT:     %px0 = sit.locate %x level 0 at %j
func.func @split(%a: tensor<?xf64, #SV>, %x: tensor<?xf64>) -> tensor<f64> {
  %s = cin.kernel (%a, %x) attributes {tensor_names = ["a", "x", "s"]} {
  ^bb0(%a: tensor<?xf64, #SV>, %x: tensor<?xf64>, %s: tensor<f64>):
    %j = cin.index "j"
    %j0, %j1 = cin.split %j by 32 ("j0", "j1")
    cin.forall %j0 {
      cin.forall %j1 {
        %v = cin.read %a[%j] : tensor<?xf64, #SV>
        %w = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %v, %w : f64
        cin.assign %s[] add %p : tensor<f64>
      }
    }
  } : (tensor<?xf64, #SV>, tensor<?xf64>) -> tensor<f64>
  return %s : tensor<f64>
}

// Strides: the coordinate is recovered and guarded.

// CHECK-LABEL: @strides
// CHECK:      sit.coiterate over %{{.*}} named "i1" {
// CHECK-NEXT: case () as (%i1) {
// CHECK:        sit.coiterate over %{{.*}} named "i0" {
// CHECK-NEXT:   case () as (%i0) {
// CHECK:          %[[inside:.*]] = arith.cmpi slt
// CHECK:          scf.if %[[inside]] {
// CHECK:            sit.store
func.func @strides(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) attributes {tensor_names = ["x", "y"]} {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %i0, %i1 = cin.split %i by 4 ("i0", "i1")
    cin.forall %i1 {
      cin.forall %i0 {
        %a = cin.read %x[%i] : tensor<?xf64>
        cin.assign %y[%i] = %a : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Threads that reduce into one place do so atomically; into places of their own they need not.

// CHECK-LABEL: @atomics
// CHECK:      sit.coiterate over %{{.*}} on cpu_thread atomics named "{{.*}}" {
// CHECK:        sit.accumulate add %{{.*}} to %y at %{{.*}} atomic
func.func @atomics(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {tensor_names = ["A", "y"]} {
  ^bb0(%A: tensor<?x?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %j on cpu_thread atomics {
      cin.forall %i {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64>
        cin.assign %y[%i] add %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @no_races
// CHECK:      sit.coiterate over %{{.*}} on cpu_thread no_races named "{{.*}}" {
// CHECK:        sit.accumulate add
// CHECK-NOT:    atomic
// CHECK:      sit.finish
func.func @no_races(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {tensor_names = ["A", "y"]} {
  ^bb0(%A: tensor<?x?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i on cpu_thread no_races {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64>
        cin.assign %y[%i] add %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A variable that is like another one goes as far.

// CHECK-LABEL: @alike
// CHECK-DAG:  %[[A:.*]] = sit.extent %A[0]
// CHECK-DAG:  %[[B:.*]] = sit.extent %B[0]
// CHECK-DAG:  sit.match "i" %[[A]], %[[B]]
// CHECK:      sit.coiterate over %[[B]] named "{{.*}}" {
// CHECK:      sit.coiterate over %[[A]] named "{{.*}}" {
// CHECK:        sit.value %C
func.func @alike(%A: tensor<?xf64>, %B: tensor<?xf64>, %C: tensor<?xf64>) -> tensor<f64> {
  %y = cin.kernel (%A, %B, %C) attributes {tensor_names = ["A", "B", "C", "y"]} {
  ^bb0(%A: tensor<?xf64>, %B: tensor<?xf64>, %C: tensor<?xf64>, %y: tensor<f64>):
    %i = cin.index "i"
    %i_1 = cin.index "i_1" like %i
    %i_2 = cin.index "i_2" like %i
    cin.forall %i {
      %a = cin.read %A[%i] : tensor<?xf64>
      cin.assign %y[] add %a : tensor<f64>
    }
    cin.forall %i_1 {
      %b = cin.read %B[%i_1] : tensor<?xf64>
      cin.assign %y[] add %b : tensor<f64>
    }
    cin.forall %i_2 {
      %c = cin.read %C[%i_2 * 2] : tensor<?xf64>
      cin.assign %y[] add %c : tensor<f64>
    }
  } : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// A constant is stored before anything else happens to a value, so that none has to start as
// anything, unless it is what the result has where nothing is computed: then nothing is stored.

// CHECK-LABEL: @stored_first
// CHECK: sit.result %y[%{{.*}}] by insert stored
// CHECK: sit.store
func.func @stored_first(%x: tensor<?xi64>) -> tensor<?xi64> {
  %y = cin.kernel (%x) attributes {tensor_names = ["x", "y"]} {
  ^bb0(%x: tensor<?xi64>, %y: tensor<?xi64>):
    %c = arith.constant 7 : i64
    %i = cin.index "i"
    cin.forall %i {
      cin.assign %y[%i] = %c : tensor<?xi64>
    }
    %v = cin.read %x[%i] : tensor<?xi64>
  } : (tensor<?xi64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// CHECK-LABEL: @fill_stored_first
// CHECK: sit.result %y[%{{.*}}] initial 7 : i64 by insert : tensor<?xi64>
// CHECK-NOT: sit.store
func.func @fill_stored_first(%x: tensor<?xi64>) -> tensor<?xi64> {
  %y = cin.kernel (%x) attributes {fills = [0, 7], tensor_names = ["x", "y"]} {
  ^bb0(%x: tensor<?xi64>, %y: tensor<?xi64>):
    %c = arith.constant 7 : i64
    %i = cin.index "i"
    cin.forall %i {
      cin.assign %y[%i] = %c : tensor<?xi64>
    }
    %v = cin.read %x[%i] : tensor<?xi64>
  } : (tensor<?xi64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// A constant is searched for, where the level above is reached.
// CHECK-LABEL: func.func @one_column
// CHECK: sit.coiterate over
// CHECK: case () as (%i)
// CHECK: %[[ROW:.*]] = sit.locate %A level 0 at %i
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: sit.coiterate %A level 1 under %[[ROW]] at %[[TWO]]
func.func @one_column(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {tensor_names = ["A", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %A[%i, 2] : tensor<?x?xf64, #CSR>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A workspace of dense levels is located in, not sorted, and emptied before it is filled again.

// CHECK-LABEL: @sampled_through_dense_rows
// CHECK:      %[[w:.*]] = sit.workspace[%{{.*}}, %{{.*}}] : tensor<?x?xf64>
// CHECK:      sit.insert %[[w]] level 1 at %j
// CHECK:      sit.accumulate add %{{.*}} to %[[w]]
// CHECK-NOT:  sit.sort
// CHECK:      sit.coiterate %B level 1
// CHECK:      sit.locate %[[w]] level 1 at %j
// CHECK:      sit.value %[[w]]
// CHECK:      sit.clear %[[w]]
func.func @sampled_through_dense_rows(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %0 = cin.kernel (%B, %C, %D) attributes {tensor_names = ["B", "C", "D", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %w = cin.workspace(%i, %j) : tensor<?x?xf64>
    cin.where {
      cin.forall %i {
        cin.forall %j {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
          %v = cin.read %w[%i, %j] : tensor<?x?xf64>
          %p = arith.mulf %b, %v : f64
          cin.assign %A[%i, %j] = %p : tensor<?x?xf64, #CSR>
        }
      }
    } producing %w {
      cin.forall %i {
        cin.forall %k {
          cin.forall %j {
            %c = cin.read %C[%i, %k] : tensor<?x?xf64>
            %d = cin.read %D[%k, %j] : tensor<?x?xf64>
            %p = arith.mulf %c, %d : f64
            cin.assign %w[%i, %j] add %p : tensor<?x?xf64>
          }
        }
      }
    } : tensor<?x?xf64>
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}
