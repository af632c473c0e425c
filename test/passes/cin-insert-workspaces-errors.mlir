// RUN: sparse-opt --cin-insert-workspaces --split-input-file --verify-diagnostics %s

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
