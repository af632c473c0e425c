// How results are built: by the first way that the levels allow and the foralls go by.
// RUN: sparse-opt --cin-choose-assembly %s | FileCheck %s
// It is decided once: what a kernel says stays.
// RUN: sparse-opt --cin-choose-assembly --cin-choose-assembly %s | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#ANYROWS = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>
#ANYLIST = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
#HASH = #tin.format<(i, j) -> (i : dense, j : hashed)>
#RUNS = #tin.format<(i, j) -> (i : hashed, j : run_length)>

// Every level inserts: a sum over i comes to each j again and again.

// CHECK-LABEL: @insert
// CHECK: cin.kernel(%{{.*}}) by insert {
func.func @insert(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %y[%j] add %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The foralls go in the order of the levels.

// CHECK-LABEL: @append
// CHECK: cin.kernel(%{{.*}}) by append attributes {tensor_names = ["A", "B"]} {
func.func @append(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> {
  %B = cin.kernel (%A) attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #DCSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #DCSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  return %B : tensor<?x?xf64, #DCSR>
}

// A reduction outside of the last level is one into the workspace: the row is appended after it.

#ROW = #tin.format<(i) -> (i : accumulator)>

// CHECK-LABEL: @append_from_workspace
// CHECK: cin.kernel(%{{.*}}) by append {
func.func @append_from_workspace(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %w = cin.workspace(%k) : tensor<?xf64, #ROW>
    cin.forall %i {
      cin.where {
        cin.forall %k {
          %v = cin.read %w[%k] : tensor<?xf64, #ROW>
          cin.assign %A[%i, %k] = %v : tensor<?x?xf64, #CSR>
        }
      } producing %w {
        cin.forall %j {
          cin.forall %k {
            %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
            %c = cin.read %C[%j, %k] : tensor<?x?xf64, #CSR>
            %p = arith.mulf %b, %c : f64
            cin.assign %w[%k] add %p : tensor<?xf64, #ROW>
          }
        }
      } : tensor<?xf64, #ROW>
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Parents come again and again, but each entry once, and ascending under its parent.

// CHECK-LABEL: @scatter
// CHECK: cin.kernel(%{{.*}}) by scatter {
func.func @scatter(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> {
  %B = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #CSC>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC>
  return %B : tensor<?x?xf64, #CSC>
}

// Rows that come in no order are not appended one after the other.

// CHECK-LABEL: @scatter_unordered
// CHECK: cin.kernel(%{{.*}}) by scatter {
func.func @scatter_unordered(%A: tensor<?x?xf64, #ANYLIST>) -> tensor<?x?xf64, #CSR> {
  %B = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #ANYLIST>, %B: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #ANYLIST>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #ANYLIST>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// Along a counter every row comes again with other entries, in rows that have no order.

// CHECK-LABEL: @scatter_along_counter
// CHECK: cin.kernel(%{{.*}}) by scatter {
func.func @scatter_along_counter(%A: tensor<?x?xf64, #ELL>) -> tensor<?x?xf64, #ANYROWS> {
  %B = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #ELL>, %B: tensor<?x?xf64, #ANYROWS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %n = cin.remap(%i) by affine_map<()[s0] -> (s0)>("n")
    cin.forall %n {
      cin.forall %i {
        cin.forall %j {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #ELL>
          cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #ANYROWS>
        }
      }
    }
  } : (tensor<?x?xf64, #ELL>) -> tensor<?x?xf64, #ANYROWS>
  return %B : tensor<?x?xf64, #ANYROWS>
}

// A hash table is counted before it is filled, whatever the order; and what is below it with it.

// CHECK-LABEL: @collect
// CHECK: cin.kernel(%{{.*}}) by collect {
// CHECK: cin.kernel(%{{.*}}) by collect {
func.func @collect(%A: tensor<?x?xf64, #CSR>) -> (tensor<?x?xf64, #HASH>, tensor<?x?xf64, #RUNS>) {
  %B = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #HASH>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #HASH>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #HASH>
  %C = cin.kernel (%A) {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #RUNS>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %C[%j, %i] = %a : tensor<?x?xf64, #RUNS>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #RUNS>
  return %B, %C : tensor<?x?xf64, #HASH>, tensor<?x?xf64, #RUNS>
}

// What a conversion wants recorded is.

// CHECK-LABEL: @record
// CHECK: cin.kernel(%{{.*}}) by record {
func.func @record(%A: tensor<?x?xf64, #ANYLIST>) -> tensor<?x?xf64, #CSR> {
  %B = cin.kernel (%A) by record {
  ^bb0(%A: tensor<?x?xf64, #ANYLIST>, %B: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #ANYLIST>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #ANYLIST>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// Entries that are left out are not appended before their values are known, where they can be collected.

#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>

// CHECK-LABEL: @collect_some
// CHECK: cin.kernel(%{{.*}}) by collect attributes {drop_zeros} {
func.func @collect_some(%A: tensor<?x?xf64, #DIA>) -> tensor<?x?xf64, #DIA> {
  %B = cin.kernel (%A) attributes {drop_zeros} {
  ^bb0(%A: tensor<?x?xf64, #DIA>, %B: tensor<?x?xf64, #DIA>):
    %i = cin.index "i"
    %j = cin.index "j"
    %d = cin.remap(%i, %j) by affine_map<(d0, d1) -> (d1 - d0)>("d")
    cin.forall %d {
      cin.forall %i {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DIA>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #DIA>
      }
    }
  } : (tensor<?x?xf64, #DIA>) -> tensor<?x?xf64, #DIA>
  return %B : tensor<?x?xf64, #DIA>
}
