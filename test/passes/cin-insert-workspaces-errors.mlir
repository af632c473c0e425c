// RUN: sparse-opt --cin-insert-workspaces --split-input-file --verify-diagnostics %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @outer_product(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %j {
      cin.forall %i {
        cin.forall %k {
          %b = cin.read %B[%j, %i] : tensor<?x?xf64, #CSR>
          %c = cin.read %C[%j, %k] : tensor<?x?xf64, #CSR>
          %p = arith.mulf %b, %c : f64
          // expected-error @+1 {{expected all but the last level of 'A' to be known outside the reduction over 'j', found 2 levels inside it: workspaces of order 2 are not supported yet}}
          cin.assign %A[%i, %k] add %p : tensor<?x?xf64, #CSR>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#SV = #tin.format<(i) -> (i : compressed)>

func.func @not_a_reduction(%B: tensor<?x?xf64>) -> tensor<?xf64, #SV> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?xf64, #SV>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %j {
      cin.forall %i {
        %b = cin.read %B[%j, %i] : tensor<?x?xf64>
        // expected-error @+1 {{expected a reduction over 'j', found a plain assignment}}
        cin.assign %A[%i] = %b : tensor<?xf64, #SV>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?xf64, #SV>
  return %A : tensor<?xf64, #SV>
}

// -----

func.func @collapsed(%B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %f = cin.collapse %j under %i ("f")
    cin.forall %f {
      // expected-error @+1 {{expected a forall that makes 'i' known around it, found none}}
      %b = cin.read %B[%i, %j] : tensor<?x?xf64>
      cin.assign %A[%i, %j] = %b : tensor<?x?xf64>
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %A : tensor<?x?xf64>
}

// -----

func.func @twice(%B: tensor<?xf64>) -> tensor<?xf64> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?xf64>, %A: tensor<?xf64>):
    %i = cin.index "i"
    %i0, %i1 = cin.split %i by 4 ("i0", "i1")
    // expected-error @+1 {{expected a variable that no relation has consumed, found 'i'}}
    %i2, %i3 = cin.split %i by 8 ("i2", "i3")
    cin.forall %i0 {
      cin.forall %i1 {
        %b = cin.read %B[%i] : tensor<?xf64>
        cin.assign %A[%i] = %b : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %A : tensor<?xf64>
}

// -----

func.func @inside(%B: tensor<?xf64>) -> tensor<?xf64> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?xf64>, %A: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %j = cin.index "j"
      // expected-error @+1 {{expected index variables made in the kernel's own block}}
      cin.forall %j {
        %b = cin.read %B[%i] : tensor<?xf64>
        cin.assign %A[%i] = %b : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %A : tensor<?xf64>
}

// -----

func.func @late(%B: tensor<?xf64>) -> tensor<?xf64> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?xf64>, %A: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %b = cin.read %B[%i] : tensor<?xf64>
      cin.assign %A[%i] = %b : tensor<?xf64>
    }
    // expected-error @+1 {{expected index variables before the kernel's statements}}
    %j = cin.index "j"
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %A : tensor<?xf64>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @nests_of_rows(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        // expected-error @+1 {{expected several assignments to the sparse result to add to one row of it, all but its last level known outside, found 2 levels inside}}
        cin.assign %C[%i, %j] add %a : tensor<?x?xf64, #CSR>
      }
    }
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %C[%i, %j] add %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}
