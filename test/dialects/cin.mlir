// RUN: sparse-opt %s | sparse-opt | FileCheck %s
// RUN: sparse-opt --mlir-print-op-generic %s | sparse-opt | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#SCATTER = #tin.format<(k) -> (k : accumulator)>

// CHECK-LABEL: @spmv
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: cin.kernel(%{{.*}}, %{{.*}}) attributes {tensor_names = ["A", "x", "y"]} {
  // CHECK-NEXT: ^bb0(%[[A:A.*]]: tensor<?x?xf64, #{{.*}}>, %[[x:x.*]]: tensor<?xf64>, %[[y:y.*]]: tensor<?xf64>):
  // CHECK-NEXT:   %i = cin.index "i"
  // CHECK-NEXT:   %j = cin.index "j"
  // CHECK-NEXT:   cin.forall %i on cpu_thread no_races {
  // CHECK-NEXT:     cin.forall %j {
  // CHECK-NEXT:       %[[a:.*]] = cin.read %[[A]][%i, %j] : tensor<?x?xf64, #{{.*}}>
  // CHECK-NEXT:       %[[b:.*]] = cin.read %[[x]][%j] : tensor<?xf64>
  // CHECK-NEXT:       %[[p:.*]] = arith.mulf %[[a]], %[[b]] : f64
  // CHECK-NEXT:       cin.assign %[[y]][%i] add %[[p]] : tensor<?xf64>
  // CHECK-NEXT:     }
  // CHECK-NEXT:   }
  // CHECK-NEXT: } : (tensor<?x?xf64, #{{.*}}>, tensor<?xf64>) -> tensor<?xf64>
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i on cpu_thread no_races {
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

// CHECK-LABEL: @relations
func.func @relations(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  // CHECK: cin.kernel(%{{.*}}) attributes {fills = [0.000000e+00, 1.000000e+00]} {
  %y = cin.kernel (%A) attributes {fills = [0.0, 1.0]} {
  ^bb0(%arg0: tensor<?x?xf64, #CSR>, %arg1: tensor<?xf64>):
    // CHECK: %i = cin.index "i" extent 128
    %0 = cin.index "i" extent 128
    // CHECK: %i_1 = cin.index "i_1" like %i
    %like = cin.index "i_1" like %0
    // CHECK: %i0, %i1 = cin.split %i by 32("i0", "i1")
    %1, %2 = cin.split %0 by 32 ("i0", "i1")
    // CHECK: %ib = cin.remap(%i) by #{{.*}}("ib")
    %ib = cin.remap(%0) by affine_map<(d0) -> (d0 floordiv 32)>("ib")
    // CHECK: %ii = cin.remap(%i, %i_1) by #{{.*}}("ii")
    %ii = cin.remap(%0, %like) by affine_map<(d0, d1) -> (d0 + d1)>("ii")
    // CHECK: %s = cin.window %ii at (%i0) by #{{.*}} over (%i1, %i_1) by #{{.*}}("s")
    %s = cin.window %ii at (%1) by affine_map<(d0) -> (d0 * 32)> over (%2, %like) by affine_map<(d0, d1) -> (d0 + d1)>("s")
    // CHECK: %i2, %i3 = cin.split %i1 up by 4("i2", "i3")
    %3, %4 = cin.split %2 up by 4 ("i2", "i3")
    // CHECK: %f = cin.collapse %i3 under %i2("f")
    %5 = cin.collapse %4 under %3 ("f")
    // CHECK: %p = cin.pos %f in %{{.*}} level 1 under %i("p") : tensor<?x?xf64, #{{.*}}>
    %6 = cin.pos %5 in %arg0 level 1 under %0 ("p") : tensor<?x?xf64, #CSR>
    // CHECK: %q = cin.coord %p of %f("q")
    %7 = cin.coord %6 of %5 ("q")
    // CHECK: %r = cin.bound %q max_exact 64("r")
    %8 = cin.bound %7 max_exact 64 ("r")
    // CHECK: %i1w = cin.twin %i_1 of %i1("i1w")
    %9 = cin.twin %like of %2 ("i1w")
  } : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @workspace
func.func @workspace(%A: tensor<?x?xf64, #CSR>, %beta: f64, %t: tensor<f64>) -> tensor<?x?xf64, #CSR> {
  // CHECK: cin.kernel(%{{.*}}) by append {
  %C = cin.kernel (%A, %beta, %t) by append {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %beta: f64, %t: tensor<f64>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    // CHECK: %[[w:.*]] = cin.workspace(%k) : tensor<?xf64, #{{.*}}>
    %w = cin.workspace (%k) : tensor<?xf64, #SCATTER>
    // CHECK: cin.workspace() : tensor<f64>
    %s = cin.workspace () : tensor<f64>
    cin.forall %i {
      // CHECK: cin.where {
      cin.where {
        // CHECK: cin.forall %k on serial atomics unroll 4 {
        cin.forall %k on serial atomics unroll 4 {
          %v = cin.read %w[%k] : tensor<?xf64, #SCATTER>
          // CHECK: cin.assign %{{.*}}[%i, %k] = %{{.*}} : tensor<?x?xf64, #{{.*}}>
          cin.assign %C[%i, %k] = %v : tensor<?x?xf64, #CSR>
        }
      // CHECK: } producing %[[w]] {
      } producing %w {
        // CHECK: cin.forall %j unroll 2 {
        // CHECK-NEXT: cin.forall %k {
        cin.forall %j unroll 2 { cin.forall %k {
          // CHECK: cin.read %{{.*}}[%i + %k, %j * 2 - 1] : tensor<?x?xf64, #{{.*}}>
          %a = cin.read %A[%i + %k, 2 * %j - 1] : tensor<?x?xf64, #CSR>
          // CHECK: cin.read %{{.*}}[] : f64
          %b = cin.read %beta[] : f64
          // CHECK: cin.read %{{.*}}[] : tensor<f64>
          %c = cin.read %t[] : tensor<f64>
          // CHECK: cin.assign %{{.*}}[%k] max %{{.*}} {identity = -1.000000e+00 : f64} : tensor<?xf64, #{{.*}}>
          cin.assign %w[%k] max %a {identity = -1.0 : f64} : tensor<?xf64, #SCATTER>
          cin.where {
            %d = cin.read %s[] : tensor<f64>
            cin.assign %w[%k] max %d {identity = -1.0 : f64} : tensor<?xf64, #SCATTER>
          } producing %s {
            // CHECK: cin.assign %{{.*}}[] add %{{.*}} : tensor<f64>
            cin.assign %s[] add %b : tensor<f64>
          } : tensor<f64>
        } }
      // CHECK: } : tensor<?xf64, #{{.*}}>
      } : tensor<?xf64, #SCATTER>
    }
    // CHECK: cin.forall %j {
    // CHECK-NEXT: }
    cin.forall %j {}
  } : (tensor<?x?xf64, #CSR>, f64, tensor<f64>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}
