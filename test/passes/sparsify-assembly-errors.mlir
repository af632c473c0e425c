// How a result is built is decided before: sparsify reads it, and checks that the foralls go by it.
// RUN: sparse-opt --sparsify --split-input-file --verify-diagnostics %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @undecided(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  // expected-error @+1 {{expected how the result is built, as 'by append' (cin-choose-assembly says it), found nothing}}
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64>
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @against_what_it_says(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B) by append attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    // expected-error @+1 {{expected a forall over 'i', as level 0 (dense) of A is above one that is appended to in order; found one over 'j'}}
    cin.forall %j {
      cin.forall %i {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64>
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

// Entries are numbered in a walk that counts them: what appends has none.

#SLOTS = #tin.format<(i, j) -> (#i : compressed, i : compressed, j : compressed)>
func.func @numbered(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #SLOTS> {
  %A = cin.kernel (%B) by append attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #SLOTS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %n = cin.remap(%i) by affine_map<()[s0] -> (s0)>("n")
    cin.forall %i {
      cin.forall %j {
        %0 = cin.read %B[%i, %j] : tensor<?x?xf64>
        // expected-error @+1 {{expected a counter of A in a level that can be collected}}
        cin.assign %A[%i, %j] = %0 : tensor<?x?xf64, #SLOTS>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #SLOTS>
  return %A : tensor<?x?xf64, #SLOTS>
}
