// RUN: sparse-opt --sparsify --split-input-file --verify-diagnostics %s
// What must hold of a kernel before code is made for it, one check after the other: its assignments, its
// levels, the units of its foralls, what follows from what, its workspaces, how entries are numbered.

func.func @no_assignment(%a: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{expected an assignment to the result, found none}}
  %y = cin.kernel (%a) by insert {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @other_subscripts(%A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = cin.kernel (%A) by insert attributes {tensor_names = ["A", "Y"]} {
  ^bb0(%A: tensor<?x?xf64>, %Y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64>
        cin.assign %Y[%i, %j] add %a : tensor<?x?xf64>
        // expected-error @+1 {{expected the subscripts of the other assignments to Y}}
        cin.assign %Y[%j, %i] add %a : tensor<?x?xf64>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

func.func @one_variable_twice(%a: tensor<?xf64>) -> tensor<?x?xf64> {
  %y = cin.kernel (%a) by insert {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %a[%i] : tensor<?xf64>
      // expected-error @+1 {{expected each index variable once among the subscripts of what is assigned, found 'i' twice}}
      cin.assign %y[%i, %i] = %v : tensor<?x?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

#BLOCKED = #tin.format<(i) -> (i floordiv 4 : dense, i mod 4 : dense)>
func.func @no_remap(%a: tensor<?xf64>) -> tensor<?xf64, #BLOCKED> {
  %y = cin.kernel (%a) by insert attributes {tensor_names = ["a", "y"]} {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64, #BLOCKED>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %a[%i] : tensor<?xf64>
      // expected-error @+1 {{expected a cin.remap to the expression that level 0 of y holds}}
      cin.assign %y[%i] = %v : tensor<?xf64, #BLOCKED>
    }
  } : (tensor<?xf64>) -> tensor<?xf64, #BLOCKED>
  return %y : tensor<?xf64, #BLOCKED>
}

// -----

func.func @races_by_a_temporary(%a: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%a) by insert {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @+1 {{cannot run on threads: expected a reduction into the result, found a plain assignment}}
    cin.forall %i on cpu_thread temporary {
      %v = cin.read %a[%i] : tensor<?xf64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @known_already(%a: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%a) by insert {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %i0, %i1 = cin.split %i by 8("i0", "i1")
    %i2, %i3 = cin.split %i1 by 2("i2", "i3")
    cin.forall %i0 {
      // expected-error @+1 {{expected foralls over the variables derived from 'i1', found one over itself}}
      cin.forall %i1 {
        %v = cin.read %a[%i] : tensor<?xf64>
        cin.assign %y[%i] = %v : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @follows(%a: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%a) by insert {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %b = cin.remap(%i) by affine_map<(d0) -> (d0 floordiv 4)>("b")
    cin.forall %i {
      // expected-error @+1 {{expected a forall over a variable that is not known yet, found one over 'b', which follows from those around}}
      cin.forall %b {
        %v = cin.read %a[%i] : tensor<?xf64>
        cin.assign %y[%i] add %v : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @producer_of_the_result(%a: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%a) by insert {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %t = cin.workspace() : tensor<f64>
    cin.forall %i {
      // expected-error @+1 {{expected a producer that assigns to its workspace, found one that assigns to the result}}
      cin.where {
        %w = cin.read %t[] : tensor<f64>
        cin.assign %y[%i] add %w : tensor<?xf64>
      } producing %t {
        %v = cin.read %a[%i] : tensor<?xf64>
        cin.assign %t[] = %v : tensor<f64>
        cin.assign %y[%i] add %v : tensor<?xf64>
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#SV = #tin.format<(i) -> (i : compressed)>
func.func @workspace_that_appends(%A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = cin.kernel (%A) by insert {
  ^bb0(%A: tensor<?x?xf64>, %y: tensor<?x?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    %t = cin.workspace(%j) : tensor<?xf64, #SV>
    cin.forall %i {
      // expected-error @+1 {{expected a workspace whose level is dense, or can be filled in any order, sorted and cleared, found compressed}}
      cin.where {
        cin.forall %j {
          %w = cin.read %t[%j] : tensor<?xf64, #SV>
          cin.assign %y[%i, %j] = %w : tensor<?x?xf64>
        }
      } producing %t {
        cin.forall %j {
          %v = cin.read %A[%i, %j] : tensor<?x?xf64>
          cin.assign %t[%j] = %v : tensor<?xf64, #SV>
        }
      } : tensor<?xf64, #SV>
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

#ELL = #tin.format<(i, j) -> (#i : sliced, i : dense, j : padded)>
func.func @numbered_sums(%A: tensor<?x?xf64>) -> tensor<?x?xf64, #ELL> {
  %y = cin.kernel (%A) by collect attributes {tensor_names = ["A", "Y"]} {
  ^bb0(%A: tensor<?x?xf64>, %Y: tensor<?x?xf64, #ELL>):
    %i = cin.index "i"
    %j = cin.index "j"
    %n = cin.remap(%i) by affine_map<()[s0] -> (s0)>("n")
    cin.forall %i {
      cin.forall %j {
        %v = cin.read %A[%i, %j] : tensor<?x?xf64>
        // expected-error @+1 {{expected a plain assignment to Y, whose entries are numbered, found a reduction}}
        cin.assign %Y[%i, %j] add %v : tensor<?x?xf64, #ELL>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #ELL>
  return %y : tensor<?x?xf64, #ELL>
}
