// RUN: sparse-opt --cin-choose-assembly --sparsify --split-input-file --verify-diagnostics %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @against_the_level_order(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {tensor_names = ["A", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    // expected-error @+1 {{expected 'j' after the variables of the levels above level 1 (compressed) of A, found it before them}}
    cin.forall %j {
      cin.forall %i {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %y[%i] add %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @reduction_outside_an_appended_level(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B, %C) attributes {tensor_names = ["B", "C", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      // expected-error @+1 {{expected a forall over 'k', as level 1 (compressed) of A is appended to in order; found one over 'j' (a workspace or another loop order would help)}}
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

// -----

#DCSC = #tin.format<(i, j) -> (j : compressed, i : compressed)>
func.func @append_out_of_order(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #DCSC> {
  %A = cin.kernel (%B) attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #DCSC>):
    %i = cin.index "i"
    %j = cin.index "j"
    // expected-error @+1 {{expected a forall over 'j', as level 0 (compressed) of A is appended to in order; found one over 'i'}}
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64>
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #DCSC>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #DCSC>
  return %A : tensor<?x?xf64, #DCSC>
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

// -----

#SV = #tin.format<(i) -> (i : compressed)>
func.func @integer_division_by_nothing(%b: tensor<?xi32>, %c: tensor<?xi32, #SV>) -> tensor<?xi32> {
  %a = cin.kernel (%b, %c) {
  ^bb0(%b: tensor<?xi32>, %c: tensor<?xi32, #SV>, %a: tensor<?xi32>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %b[%i] : tensor<?xi32>
      %w = cin.read %c[%i] : tensor<?xi32, #SV>
      // expected-error @+1 {{expected a divisor that is stored wherever the quotient is computed, found an integer division by zero where nothing is stored}}
      %q = arith.divsi %v, %w : i32
      cin.assign %a[%i] = %q : tensor<?xi32>
    }
  } : (tensor<?xi32>, tensor<?xi32, #SV>) -> tensor<?xi32>
  return %a : tensor<?xi32>
}

// -----

func.func @race(%A: tensor<?x?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A) attributes {tensor_names = ["A", "y"]} {
  ^bb0(%A: tensor<?x?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    // expected-error @+1 {{cannot run on threads: expected iterations of 'j' to write to different places}}
    cin.forall %j on cpu_thread no_races {
      cin.forall %i {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64>
        cin.assign %y[%i] add %a : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#SV = #tin.format<(i) -> (i : run_length)>
func.func @append_on_threads(%b: tensor<?xf64>) -> tensor<?xf64, #SV> {
  %a = cin.kernel (%b) attributes {tensor_names = ["b", "a"]} {
  ^bb0(%b: tensor<?xf64>, %a: tensor<?xf64, #SV>):
    %i = cin.index "i"
    // expected-error @+1 {{cannot run on threads: expected a result whose levels can be joined from pieces, found that level 0 (run_length) of 'a' cannot}}
    cin.forall %i on cpu_thread no_races {
      %v = cin.read %b[%i] : tensor<?xf64>
      cin.assign %a[%i] = %v : tensor<?xf64, #SV>
    }
  } : (tensor<?xf64>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @append_inside_on_threads(%b: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %a = cin.kernel (%b) by append attributes {tensor_names = ["b", "a"]} {
  ^bb0(%b: tensor<?x?xf64, #CSR>, %a: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      // expected-error @+1 {{cannot run on threads: expected an outermost forall over the first level of 'a', which is appended to in order, or over parts of it, found 'j'}}
      cin.forall %j on cpu_thread no_races {
        %v = cin.read %b[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %a[%i, %j] = %v : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %a : tensor<?x?xf64, #CSR>
}

// -----

#SV = #tin.format<(i) -> (i : compressed)>
func.func @merge_on_threads(%b: tensor<?xf64, #SV>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %a = cin.kernel (%b, %c) attributes {tensor_names = ["b", "c", "a"]} {
  ^bb0(%b: tensor<?xf64, #SV>, %c: tensor<?xf64>, %a: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @+1 {{cannot run on threads: expected one operand to walk at 'i', found one that is merged with all of its coordinates (split it first)}}
    cin.forall %i on cpu_thread atomics {
      %v = cin.read %b[%i] : tensor<?xf64, #SV>
      %w = cin.read %c[%i] : tensor<?xf64>
      %s = arith.addf %v, %w : f64
      cin.assign %a[%i] = %s : tensor<?xf64>
    }
  } : (tensor<?xf64, #SV>, tensor<?xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// -----

func.func @gpu(%x: tensor<?xf64>) -> tensor<f64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<f64>):
    %i = cin.index "i"
    // expected-error @+1 {{cannot run on gpu_block: expected iterations of 'i' to write to different places of the result, found a reduction over it (which needs atomics)}}
    cin.forall %i on gpu_block no_races {
      %v = cin.read %x[%i] : tensor<?xf64>
      cin.assign %y[] add %v : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// -----

func.func @no_extent(%x: tensor<f64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<f64>, %y: tensor<?xf64>):
    // expected-error @+1 {{expected an extent of 'i': a bare subscript of an operand, a static dimension of the result, or `extent`; found none}}
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %x[] : tensor<f64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<f64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @no_forall(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @+1 {{expected a forall that makes 'i' known around it, found none}}
    %v = cin.read %x[%i] : tensor<?xf64>
    cin.assign %y[%i] = %v : tensor<?xf64>
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @read_without_forall(%x: tensor<?xf64>) -> tensor<f64> {
  %y = cin.kernel (%x) attributes {tensor_names = ["x", "y"]} {
  ^bb0(%x: tensor<?xf64>, %y: tensor<f64>):
    %i = cin.index "i"
    // expected-error @+1 {{expected a forall that makes 'i' known around it, found none}}
    %v = cin.read %x[%i] : tensor<?xf64>
    cin.assign %y[] add %v : tensor<f64>
  } : (tensor<?xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// -----

func.func @twice(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      // expected-error @+1 {{expected one forall over 'i' on a path, found a second}}
      cin.forall %i {
        %v = cin.read %x[%i] : tensor<?xf64>
        cin.assign %y[%i] = %v : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @consumed(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %i0, %i1 = cin.split %i by 4 ("i0", "i1")
    // expected-error @+1 {{expected foralls over the variables derived from 'i', found one over itself}}
    cin.forall %i {
      %v = cin.read %x[%i] : tensor<?xf64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @read_before_produced(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %t = cin.workspace () : tensor<f64>
    cin.forall %i {
      cin.where {
        %s = cin.read %t[] : tensor<f64>
        cin.assign %y[%i] = %s : tensor<?xf64>
      } producing %t {
        %v = cin.read %x[%i] : tensor<?xf64>
        // expected-error @+1 {{expected a read of a workspace in the consumer of its cin.where, found one outside}}
        %s = cin.read %t[] : tensor<f64>
        %p = arith.addf %v, %s : f64
        cin.assign %t[] = %p : tensor<f64>
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @assigned_where_it_is_read(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %t = cin.workspace () : tensor<f64>
    cin.forall %i {
      %v = cin.read %x[%i] : tensor<?xf64>
      // expected-error @+1 {{expected an assignment to a workspace in the producer of its cin.where, found one outside}}
      cin.assign %t[] = %v : tensor<f64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#W = #tin.format<(i, j) -> (i : accumulator, j : accumulator)>
func.func @workspace_of_order_two(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @+1 {{expected a workspace of order 2 whose levels are dense, or a policy that takes several coordinates with levels that share its key}}
    %t = cin.workspace (%i, %i) : tensor<?x?xf64, #W>
    cin.forall %i {
      %v = cin.read %x[%i] : tensor<?xf64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#BLOCKS = #tin.format<(i) -> (i floordiv 4 : dense, i mod 4 : dense)>
func.func @remapped_coordinates(%x: tensor<?xf64, #BLOCKS>) -> tensor<?xf64> {
  %y = cin.kernel (%x) attributes {tensor_names = ["x", "y"]} {
  ^bb0(%x: tensor<?xf64, #BLOCKS>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      // expected-error @+1 {{expected a cin.remap to the expression that level 0 of x holds}}
      %v = cin.read %x[%i] : tensor<?xf64, #BLOCKS>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64, #BLOCKS>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#SINGLETONS = #tin.format<(i, j) -> (i : compressed, j : singleton)>
func.func @singletons_under_unique(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #SINGLETONS> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #SINGLETONS>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64>
        // expected-error @+1 {{expected level 1 (singleton, one coordinate under each) of the result under a nonunique level that is appended to, found it under level 0 (compressed)}}
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #SINGLETONS>
      }
    }
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #SINGLETONS>
  return %A : tensor<?x?xf64, #SINGLETONS>
}

// -----

#SINGLETON = #tin.format<(i) -> (i : singleton)>
func.func @singleton_alone(%x: tensor<?xf64>) -> tensor<?xf64, #SINGLETON> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64, #SINGLETON>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %x[%i] : tensor<?xf64>
      // expected-error @+1 {{expected a first level of the result that holds any number of coordinates, found level 0 (singleton, one coordinate under each)}}
      cin.assign %y[%i] = %v : tensor<?xf64, #SINGLETON>
    }
  } : (tensor<?xf64>) -> tensor<?xf64, #SINGLETON>
  return %y : tensor<?xf64, #SINGLETON>
}

// -----

#WORKSPACE = #tin.format<(i) -> (i : accumulator)>
func.func @stored_workspace(%x: tensor<?xf64, #WORKSPACE>) -> tensor<?xf64> {
  // expected-error @+1 {{expected levels of stored tensors, found level 0 (accumulator, for workspaces) of x}}
  %y = cin.kernel (%x) attributes {tensor_names = ["x", "y"]} {
  ^bb0(%x: tensor<?xf64, #WORKSPACE>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %x[%i] : tensor<?xf64, #WORKSPACE>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64, #WORKSPACE>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#ROWS = #tin.format<(i, j, k) -> (i : dense, j : compressed, k : compressed)>
func.func @parents_in_strides(%B: tensor<?x?x?xf64>) -> tensor<?x?x?xf64, #ROWS> {
  %A = cin.kernel (%B) attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?x?xf64>, %A: tensor<?x?x?xf64, #ROWS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %i0, %i1 = cin.split %i by 4 ("i0", "i1")
    // expected-error @+1 {{expected ascending coordinates of 'i', as level 1 (compressed) of A is appended to in order; found strides}}
    cin.forall %i1 {
      cin.forall %i0 {
        cin.forall %j {
          cin.forall %k {
            %b = cin.read %B[%i, %j, %k] : tensor<?x?x?xf64>
            cin.assign %A[%i, %j, %k] = %b : tensor<?x?x?xf64, #ROWS>
          }
        }
      }
    }
  } : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64, #ROWS>
  return %A : tensor<?x?x?xf64, #ROWS>
}

// -----

// An entry is placed once: what is reduced must be inside.
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
func.func @reduced_outside(%B: tensor<?x?x?xf64>) -> tensor<?x?xf64, #CSC> {
  %A = cin.kernel (%B) attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?x?xf64>, %A: tensor<?x?xf64, #CSC>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    // expected-error @+1 {{expected a forall over 'j', as level 0 (dense) of A is above one that is appended to in order; found one over 'i'}}
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          %b = cin.read %B[%i, %k, %j] : tensor<?x?x?xf64>
          cin.assign %A[%i, %j] add %b : tensor<?x?xf64, #CSC>
        }
      }
    }
  } : (tensor<?x?x?xf64>) -> tensor<?x?xf64, #CSC>
  return %A : tensor<?x?xf64, #CSC>
}

// -----

// Only some of i are at the r around: to go through all would count each three times.

func.func @over(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %r = cin.remap(%i) by affine_map<(i) -> (i mod 3)>("r")
    cin.forall %r {
      // expected-error@+1 {{not supported yet: a forall over 'i' inside of one over 'r', which follows from it}}
      cin.forall %i {
        %0 = cin.read %x[%i] : tensor<?xf64>
        cin.assign %y[%i] add %0 : tensor<?xf64>
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @twin_of_a_whole(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) by insert {
  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %v = cin.index "v" like %i
    // expected-error @+1 {{expected the twin of a variable that is derived from one other, found 'i'}}
    %w = cin.twin %v of %i ("w")
    cin.forall %i {
      %a = cin.read %x[%i] : tensor<?xf64>
      cin.assign %y[%i] = %a : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @copy_of_nothing(%b: tensor<?x?xf64, #CSR>, %c: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  // expected-error @+1 {{expected an operand whose entries a has one for one, in the order of its levels, as it is built by copy; found none}}
  %a = cin.kernel (%b, %c) by copy attributes {tensor_names = ["b", "c", "a"]} {
  ^bb0(%b: tensor<?x?xf64, #CSR>, %c: tensor<?x?xf64, #CSR>, %a: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %v = cin.read %b[%i, %j] : tensor<?x?xf64, #CSR>
        %w = cin.read %c[%i, %j] : tensor<?x?xf64, #CSR>
        %s = arith.addf %v, %w : f64
        cin.assign %a[%i, %j] = %s : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %a : tensor<?x?xf64, #CSR>
}
