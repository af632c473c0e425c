// RUN: sparse-opt --cin-choose-assembly --split-input-file --verify-diagnostics %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @reduced_outside(%B: tensor<?x?x?xf64>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B) attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?x?xf64>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      // expected-error @+1 {{expected a forall over 'j', as level 1 (compressed) of A is appended to in order; found one over 'k' (a workspace or another loop order would help)}}
      cin.forall %k {
        cin.forall %j {
          %b = cin.read %B[%i, %k, %j] : tensor<?x?x?xf64>
          cin.assign %A[%i, %j] add %b : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

// What a kernel says is kept, and checked.
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
func.func @told_otherwise(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #CSC> {
  %A = cin.kernel (%B) by append attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSC>):
    %i = cin.index "i"
    %j = cin.index "j"
    // expected-error @+1 {{expected a forall over 'j', as level 0 (dense) of A is above one that is appended to in order; found one over 'i'}}
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64>
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #CSC>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSC>
  return %A : tensor<?x?xf64, #CSC>
}

// -----

#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
func.func @scattered_in_strides(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #CSC> {
  %A = cin.kernel (%B) by scatter attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSC>):
    %i = cin.index "i"
    %j = cin.index "j"
    %i0, %i1 = cin.split %i by 4 ("i0", "i1")
    cin.forall %j {
      // expected-error @+1 {{expected ascending coordinates of 'i', as level 1 (compressed) of A is scattered into; found strides}}
      cin.forall %i1 {
        cin.forall %i0 {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64>
          cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #CSC>
        }
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSC>
  return %A : tensor<?x?xf64, #CSC>
}

// -----

// A row in no order takes strides.
#ROWS = #tin.format<(i, j) -> (i : dense, j : loose_compressed)>
#ANYROWS = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>
func.func @appended_in_strides(%B: tensor<?x?xf64>) -> (tensor<?x?xf64, #ANYROWS>, tensor<?x?xf64, #ROWS>) {
  %C = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64>, %C: tensor<?x?xf64, #ANYROWS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %j0, %j1 = cin.split %j by 4 ("j0", "j1")
    cin.forall %i {
      cin.forall %j1 {
        cin.forall %j0 {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64>
          cin.assign %C[%i, %j] = %b : tensor<?x?xf64, #ANYROWS>
        }
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #ANYROWS>
  %A = cin.kernel (%B) attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #ROWS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %j0, %j1 = cin.split %j by 4 ("j0", "j1")
    cin.forall %i {
      // expected-error @+1 {{expected ascending coordinates of 'j', as level 1 (loose_compressed) of A is appended to in order; found strides}}
      cin.forall %j1 {
        cin.forall %j0 {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64>
          cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #ROWS>
        }
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #ROWS>
  return %C, %A : tensor<?x?xf64, #ANYROWS>, tensor<?x?xf64, #ROWS>
}

// -----

#SV = #tin.format<(i) -> (i : compressed)>
func.func @two_loops_append(%b: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
  %a = cin.kernel (%b) attributes {tensor_names = ["b", "a"]} {
  ^bb0(%b: tensor<?xf64, #SV>, %a: tensor<?xf64, #SV>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %b[%i] : tensor<?xf64, #SV>
      cin.assign %a[%i] add %v : tensor<?xf64, #SV>
    }
    // expected-error @+1 {{expected one statement that appends to a, found a second}}
    cin.forall %i {
      %v = cin.read %b[%i] : tensor<?xf64, #SV>
      cin.assign %a[%i] add %v : tensor<?xf64, #SV>
    }
  } : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}
