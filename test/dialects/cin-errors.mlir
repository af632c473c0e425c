// RUN: sparse-opt %s -verify-diagnostics -split-input-file
// Concrete index notation that is none, and what is said of it.

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 2 subscripts, found 1}}
  %a = cin.read %A[%i] : tensor<?x?xf64>
  return
}

// -----

func.func @f(%v: f64) {
  // expected-error @below {{expected the value of a cin.read, found another}}
  %s = cin.stored %v : f64
  return
}

// -----

func.func @f(%w: vector<4xf64>) {
  // expected-error @below {{expected a ranked tensor or a scalar, found 'vector<4xf64>'}}
  %a = cin.read %w[] : vector<4xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 0 subscripts, found 1}}
  %a = cin.read %v[%i] : f64
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected subscripts without symbols, found}}
  %a = cin.read %y[symbol(%i)] : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a value of type 'f64', found 'f32'}}
  %a = "cin.read"(%y, %i) <{map = affine_map<(d0) -> (d0)>}> : (tensor<?xf64>, !cin.index) -> f32
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 2 variables of the map, found 1}}
  %a = "cin.read"(%y, %i) <{map = affine_map<(d0, d1) -> (d0)>}> : (tensor<?xf64>, !cin.index) -> f64
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a reduction (add, mul, min, max, and, or, xor), found 'plus'}}
  cin.assign %y[%i] plus %v : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a reduction (add, mul, min, max, and, or, xor)}}
  cin.assign %y[%i] + %v : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{Invalid attribute `kind` in property conversion: "plus"}}
  "cin.assign"(%y, %i, %v) <{map = affine_map<(d0) -> (d0)>, kind = "plus", operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<?xf64>, !cin.index, f64) -> ()
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 1 subscripts, found 0}}
  cin.assign %y[] = %v : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected an identity of type 'f64', found 'f32'}}
  cin.assign %y[%i] add %v {identity = 0.0 : f32} : tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected serial, cpu_thread, cpu_vector, gpu_block, gpu_warp or gpu_thread, found 'core'}}
  cin.forall %i on core {}
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected a positive unroll factor, found 0}}
  cin.forall %i unroll 0 {}
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 0 block arguments, found 1}}
  cin.forall %i {
  ^bb0(%k: index):
  }
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected 2 variables (one for each dimension), found 1}}
  %w = cin.workspace (%i) : tensor<?x?xf64>
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{attribute 'size' failed to satisfy constraint}}
  %i0, %i1 = cin.split %i by 0 ("i0", "i1")
  return
}

// -----

func.func @f(%i: !cin.index, %A: tensor<?x?xf64>, %y: tensor<?xf64>, %v: f64) {
  // expected-error @below {{expected max_exact, min_exact, max_constraint or min_constraint, found 'min'}}
  %j = cin.bound %i min 4 ("j")
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 block arguments (the operands and the result), found 1}}
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected a block argument of type 'tensor<?xf64>', found 'f64'}}
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %b: f64):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 fills, found 1}}
  %y = cin.kernel (%x) attributes {fills = [0.0]} {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected a fill with a type, found []}}
  %y = cin.kernel (%x) attributes {fills = [0.0, []]} {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: tensor<?xf64>) {
  // expected-error @below {{expected 2 tensor names, found 3}}
  %y = cin.kernel (%x) attributes {tensor_names = ["a", "b", "c"]} {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%x: vector<4xf64>) {
  // expected-error @below {{expected ranked tensors or scalars, found 'vector<4xf64>'}}
  %y = cin.kernel (%x) {
  ^bb0(%a: vector<4xf64>, %b: tensor<?xf64>):
  } : (vector<4xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @f(%i: !cin.index) {
  // expected-error @below {{expected 2 variables of the map, found 1}}
  %k = cin.remap(%i) by affine_map<(d0, d1) -> (d1 - d0)>("k")
  return
}

// -----

func.func @f(%i: !cin.index, %j: !cin.index) {
  // expected-error @below {{expected a map to one quotient, remainder, linear form or counter of variables, found}}
  %k = cin.remap(%i, %j) by affine_map<(d0, d1) -> (d1 + d0 floordiv 2)>("k")
  return
}

// -----

func.func @f(%i: !cin.index, %j: !cin.index) {
  // expected-error @below {{expected a window of a cin.remap, found another variable}}
  %s = cin.window %i at (%j) by affine_map<(d0) -> (d0)> over (%i) by affine_map<(d0) -> (d0)>("s")
  return
}

// -----

func.func @f(%i: !cin.index, %j: !cin.index) {
  // expected-error @below {{expected a linear form of the outer variables, and one of the inner ones with positive factors and no constant}}
  %s = cin.window %i at (%j) by affine_map<(d0) -> (d0)> over (%i) by affine_map<(d0) -> (2 - d0)>("s")
  return
}

// -----

func.func @f(%i: !cin.index, %j: !cin.index) {
  // expected-error @below {{expected 1 inner variables of the second map, found 2}}
  %s = cin.window %i at (%j) by affine_map<(d0) -> (d0)> over (%i, %j) by affine_map<(d0) -> (d0)>("s")
  return
}

// -----

func.func @names(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @+1 {{expected distinct variables, found 'i' twice}}
    %j = cin.index "i"
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

func.func @same_name_of_a_part(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @below {{expected distinct variables, found 'i' twice}}
    %i0, %i1 = cin.split %i by 4("o", "i")
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @same_name_of_both_parts(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    // expected-error @below {{expected distinct variables, found 'o' twice}}
    %i0, %i1 = cin.split %i by 4("o", "o")
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @forall_in_itself(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      // expected-error @below {{expected one forall over 'i' on a path, found a second}}
      cin.forall %i {
      }
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @unbound(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      // expected-error @below {{expected a forall that makes 'j' known around it, found none}}
      %v = cin.read %a[%i + %j] : tensor<?xf64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @half_of_a_split(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %o, %n = cin.split %i by 4("o", "n")
    cin.forall %o {
      %v = arith.constant 1.0 : f64
      // expected-error @below {{expected a forall that makes 'i' known around it, found none}}
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @assignment_to_an_operand(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %v = arith.constant 1.0 : f64
      // expected-error @below {{expected an assignment to the result or a workspace, found one to an operand}}
      cin.assign %a[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @read_of_the_result(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      // expected-error @below {{expected a read of an operand or a workspace, found one of the result}}
      %v = cin.read %y[%i] : tensor<?xf64>
      cin.assign %y[%i] = %v : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @workspace_that_nobody_reads(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %t = cin.workspace() : tensor<f64>
    cin.forall %i {
      %v = cin.read %a[%i] : tensor<?xf64>
      // expected-error @below {{expected a consumer that reads the workspace, found none}}
      cin.where {
        cin.assign %y[%i] = %v : tensor<?xf64>
      } producing %t {
        cin.assign %t[] add %v : tensor<f64>
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @workspace_that_nobody_writes(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %t = cin.workspace() : tensor<f64>
    cin.forall %i {
      // expected-error @below {{expected a producer that assigns to the workspace, found none}}
      cin.where {
        %v = cin.read %t[] : tensor<f64>
        cin.assign %y[%i] = %v : tensor<?xf64>
      } producing %t {
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @workspace_in_itself(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %t = cin.workspace() : tensor<f64>
    cin.forall %i {
      cin.where {
        %v = cin.read %t[] : tensor<f64>
        cin.assign %y[%i] = %v : tensor<?xf64>
      } producing %t {
        // expected-error @below {{expected a workspace that no cin.where around produces, found one that does}}
        cin.where {
          %w = cin.read %t[] : tensor<f64>
          cin.assign %t[] add %w : tensor<f64>
        } producing %t {
          %u = cin.read %a[%i] : tensor<?xf64>
          cin.assign %t[] add %u : tensor<f64>
        } : tensor<f64>
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @no_workspace(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      // expected-error @below {{expected a cin.workspace to be produced}}
      cin.where {
      } producing %a {
      } : tensor<?xf64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @workspace_inside(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = cin.kernel (%x) {
  ^bb0(%a: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %t = cin.workspace () : tensor<f64>
      // expected-error @below {{expected a cin.workspace in the kernel's own block, found one inside}}
      cin.where {
        %v = cin.read %t[] : tensor<f64>
        cin.assign %y[%i] = %v : tensor<?xf64>
      } producing %t {
        %u = cin.read %a[%i] : tensor<?xf64>
        cin.assign %t[] add %u : tensor<f64>
      } : tensor<f64>
    }
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

// Each way asks for levels of its own.

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @built_by_insert(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  // expected-error @+1 {{expected a result that can be built by 'insert', found 'tensor<?x?xf64, #tin.format<(i, j) -> (i : dense, j : compressed)>>'}}
  %A = cin.kernel (%B) by insert {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>):
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

func.func @built_by_append(%B: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{expected a result that can be built by 'append', found 'tensor<?xf64>'}}
  %A = cin.kernel (%B) by append {
  ^bb0(%B: tensor<?xf64>, %A: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %A : tensor<?xf64>
}

// -----

#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
func.func @built_by_scatter(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #DCSR> {
  // expected-error @+1 {{expected a result that can be built by 'scatter', found 'tensor<?x?xf64, #tin.format<(i, j) -> (i : compressed, j : compressed)>>'}}
  %A = cin.kernel (%B) by scatter {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #DCSR>):
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #DCSR>
  return %A : tensor<?x?xf64, #DCSR>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
func.func @built_by_collect(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR> {
  // expected-error @+1 {{expected a result that can be built by 'collect', found 'tensor<?x?xf64, #tin.format<(i, j) -> (i : dense, j : compressed)>>'}}
  %A = cin.kernel (%B) by collect {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #CSR>):
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// -----

#ROWS = #tin.format<(i, j) -> (i : compressed, j : dense)>
func.func @built_by_record(%B: tensor<?x?xf64>) -> tensor<?x?xf64, #ROWS> {
  // expected-error @+1 {{expected a result that can be built by 'record', found 'tensor<?x?xf64, #tin.format<(i, j) -> (i : compressed, j : dense)>>'}}
  %A = cin.kernel (%B) by record {
  ^bb0(%B: tensor<?x?xf64>, %A: tensor<?x?xf64, #ROWS>):
  } : (tensor<?x?xf64>) -> tensor<?x?xf64, #ROWS>
  return %A : tensor<?x?xf64, #ROWS>
}

// -----

func.func @built_by_magic(%B: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{expected insert, append, scatter, collect, record or copy, found 'magic'}}
  %A = cin.kernel (%B) by magic {
  ^bb0(%B: tensor<?xf64>, %A: tensor<?xf64>):
  } : (tensor<?xf64>) -> tensor<?xf64>
  return %A : tensor<?xf64>
}

// -----

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

func.func @workspace_exchanged(%B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B) {
  ^bb0(%B: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %w = cin.workspace(%j, %i) : tensor<?x?xf64>
    cin.where {
      cin.forall %i {
        cin.forall %j {
          %v = cin.read %w[%j, %i] : tensor<?x?xf64>
          cin.assign %A[%i, %j] = %v : tensor<?x?xf64, #CSR>
        }
      }
    } producing %w {
      cin.forall %i {
        cin.forall %j {
          %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
          // expected-error @+1 {{expected 'i' as subscript 1 of the workspace, found subscript 0}}
          cin.assign %w[%i, %j] = %b : tensor<?x?xf64>
        }
      }
    } : tensor<?x?xf64>
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
