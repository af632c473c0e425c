// RUN: sparse-opt %s | sparse-opt | FileCheck %s
// RUN: sparse-opt --mlir-print-op-generic %s | sparse-opt | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#BRANCHES = #tin.format<(i, j) -> (i : compressed(nonunique), j : compressed)>
#SCATTER = #tin.format<(k) -> (k : accumulator)>

// CHECK-LABEL: @spmv
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: sit.kernel(%{{.*}}, %{{.*}}) attributes {tensor_names = ["A", "x", "y"]} {
  // CHECK-NEXT: ^bb0(%[[A:A.*]]: tensor<?x?xf64, #{{.*}}>, %[[x:x.*]]: tensor<?xf64>, %[[y:y.*]]: tensor<?xf64>):
  %y = sit.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    // CHECK-NEXT: %[[m:.*]] = sit.extent %[[A]][0] : tensor<?x?xf64, #{{.*}}>
    %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    %n0 = sit.extent %x[0] : tensor<?xf64>
    %zero = arith.constant 0.0 : f64
    // CHECK: sit.match "j" %{{.*}}, %{{.*}}
    sit.match "j" %n, %n0
    // CHECK: sit.within "i + k" %{{.*}}, %{{.*}}, %{{.*}}
    sit.within "i + k" %n, %n0, %m
    // CHECK: sit.result %[[y]][%[[m]]] : tensor<?xf64>
    sit.result %y[%m] : tensor<?xf64>
    // CHECK: sit.result %[[y]][%[[m]]] initial 1.000000e+00 : f64 : tensor<?xf64>
    sit.result %y[%m] initial 1.0 : f64 : tensor<?xf64>
    // CHECK: sit.result %[[y]][%[[m]]] by insert : tensor<?xf64>
    sit.result %y[%m] by insert : tensor<?xf64>
    // CHECK: sit.coiterate over %[[m]] on cpu_thread no_races {
    // CHECK-NEXT: case () as (%[[i:.*]]) {
    sit.coiterate over %m on cpu_thread no_races {
    case () as (%i) {
      // CHECK-NEXT: %[[pA0:.*]] = sit.locate %[[A]] level 0 at %[[i]] : tensor<?x?xf64, #{{.*}}>
      %pA0 = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      // CHECK-NEXT: %[[s:.*]] = sit.var %{{.*}} : f64
      %s = sit.var %zero : f64
      // CHECK-NEXT: sit.var %{{.*}} by add : f64
      %shared = sit.var %zero by add : f64
      // CHECK-NEXT: sit.coiterate %[[A]] level 1 under %[[pA0]] : tensor<?x?xf64, #{{.*}}> {
      // CHECK-NEXT: case (0) as (%[[j:.*]], %[[pA1:.*]]) {
      sit.coiterate %A level 1 under %pA0 : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %pA1) {
        // CHECK-NEXT: sit.value %[[A]] at %[[pA1]] : tensor<?x?xf64, #{{.*}}> -> f64
        %a = sit.value %A at %pA1 : tensor<?x?xf64, #CSR> -> f64
        // CHECK-NEXT: %[[px:.*]], %{{.*}} = sit.find %[[x]] level 0 at %[[j]] : tensor<?xf64>
        %px, %found = sit.find %x level 0 at %j : tensor<?xf64>
        %b = sit.value %x at %px : tensor<?xf64> -> f64
        %p = arith.mulf %a, %b : f64
        // CHECK: sit.get %[[s]] : f64
        %old = sit.get %s : f64
        %sum = arith.addf %old, %p : f64
        // CHECK: sit.set %[[s]], %{{.*}} : f64
        sit.set %s, %sum : f64
      }
      }
      // CHECK-NEXT: }
      // CHECK-NEXT: }
      %total = sit.get %s : f64
      %py = sit.locate %y level 0 at %i : tensor<?xf64>
      // CHECK: sit.store %{{.*}} to %[[y]] at %{{.*}} : f64, tensor<?xf64>
      sit.store %total to %y at %py : f64, tensor<?xf64>
      // CHECK: sit.accumulate add %{{.*}} to %[[y]] at %{{.*}} : f64, tensor<?xf64>
      sit.accumulate add %total to %y at %py : f64, tensor<?xf64>
      // CHECK: sit.accumulate max %{{.*}} to %[[y]] at %{{.*}} atomic : f64, tensor<?xf64>
      sit.accumulate max %total to %y at %py atomic : f64, tensor<?xf64>
    }
    }
    // CHECK: sit.finish %[[y]] : tensor<?xf64>
    sit.finish %y : tensor<?xf64>
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A union with its three lattice points, in every shape that a walk has.
// CHECK-LABEL: @walks
func.func @walks(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %D: tensor<?x?xf64, #COO>,
                 %pB: !sit.pos<tensor<?x?xf64, #CSR>, 0>, %pC: !sit.pos<tensor<?x?xf64, #CSR>, 0>, %n: index, %lo: index, %hi: index) {
  // CHECK: sit.coiterate %{{.*}} level 1 under %{{.*}}, %{{.*}} level 1 under %{{.*}} : tensor<?x?xf64, #{{.*}}>, tensor<?x?xf64, #{{.*}}> {
  // CHECK-NEXT: case (0, 1) as (%{{.*}}, %{{.*}}, %{{.*}}) {
  // CHECK-NEXT: }
  // CHECK-NEXT: case (0) as (%{{.*}}, %{{.*}}) {
  // CHECK-NEXT: }
  // CHECK-NEXT: case (1) as (%{{.*}}, %{{.*}}) {
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  sit.coiterate %B level 1 under %pB, %C level 1 under %pC : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR> {
  case (0, 1) as (%j, %pb, %pc) {}
  case (0) as (%j, %pb) {}
  case (1) as (%j, %pc) {}
  }
  // CHECK: sit.coiterate %{{.*}} level 0, %{{.*}} level 1 under %{{.*}} over %{{.*}} from %{{.*}} to %{{.*}} unroll 4 attributes {note} : tensor<?x?xf64, #{{.*}}>, tensor<?x?xf64, #{{.*}}> {
  // CHECK-NEXT: case () as (%{{.*}}) {
  sit.coiterate %D level 0, %C level 1 under %pC over %n from %lo to %hi unroll 4 attributes {note} : tensor<?x?xf64, #COO>, tensor<?x?xf64, #CSR> {
  case () as (%j) {}
  }
  // CHECK: sit.coiterate over %{{.*}} on gpu_thread atomics unroll 4 groups 8 named "g" attributes {note} {
  sit.coiterate over %n on gpu_thread atomics unroll 4 groups 8 named "g" attributes {note} {
  case () as (%g) {}
  }
  // CHECK: sit.coiterate %{{.*}} level 0, %{{.*}} level 1 under %{{.*}} over %{{.*}} at %{{.*}} any : tensor<?x?xf64, #{{.*}}>, tensor<?x?xf64, #{{.*}}> {
  sit.coiterate %D level 0, %C level 1 under %pC over %n at %lo any : tensor<?x?xf64, #COO>, tensor<?x?xf64, #CSR> {
  case (0, 1) as (%j, %pd, %pc) {}
  }
  // CHECK: sit.coiterate %{{.*}} level 0 strategies {blocks, read_ahead = 16} : tensor<?x?xf64, #{{.*}}> {
  sit.coiterate %D level 0 strategies {read_ahead = 16, blocks} : tensor<?x?xf64, #COO> {
  case (0) as (%i, %p) {}
  }
  // CHECK: sit.coiterate over %{{.*}} strategies {} {
  sit.coiterate over %n strategies {} {
  case () as (%i) {}
  }
  // CHECK: sit.coiterate %{{.*}} level 0 fused on cpu_thread atomics unroll 2 : tensor<?x?xf64, #{{.*}}> {
  sit.coiterate %D level 0 fused on cpu_thread atomics unroll 2 : tensor<?x?xf64, #COO> {
  case (0) as (%i, %p) {}
  }
  return
}

// CHECK-LABEL: @building
func.func @building(%C: tensor<?x?xf64, #CSR>, %v: f64, %t: tensor<f64>, %p: !sit.pos<tensor<?x?xf64, #CSR>, 0>, %i: index) {
  // CHECK: %[[w:.*]] = sit.workspace[%{{.*}}] : tensor<?xf64, #{{.*}}>
  %w = sit.workspace [%i] : tensor<?xf64, #SCATTER>
  // CHECK: sit.workspace[] identity 1.000000e+00 : f64 : tensor<f64>
  %o = sit.workspace [] identity 1.0 : f64 : tensor<f64>
  // CHECK: sit.insert %[[w]] level 0 at %{{.*}} : tensor<?xf64, #{{.*}}>
  %q = sit.insert %w level 0 at %i : tensor<?xf64, #SCATTER>
  // CHECK: sit.insert %{{.*}} level 1 at %{{.*}} under %{{.*}} : tensor<?x?xf64, #{{.*}}>
  %r = sit.insert %C level 1 at %i under %p : tensor<?x?xf64, #CSR>
  // CHECK: %[[e:.*]] = sit.end %{{.*}} level 1 : tensor<?x?xf64, #{{.*}}>
  %e = sit.end %C level 1 : tensor<?x?xf64, #CSR>
  // CHECK: sit.append %{{.*}} level 1 at %{{.*}} : tensor<?x?xf64, #{{.*}}>
  %a = sit.append %C level 1 at %i : tensor<?x?xf64, #CSR>
  // CHECK: sit.close %{{.*}} level 1 from %[[e]] under %{{.*}} : tensor<?x?xf64, #{{.*}}>
  sit.close %C level 1 from %e under %p : tensor<?x?xf64, #CSR>
  // CHECK: sit.count %{{.*}} level 1 at %{{.*}} under %{{.*}} : tensor<?x?xf64, #{{.*}}>
  sit.count %C level 1 at %i under %p : tensor<?x?xf64, #CSR>
  // CHECK: sit.edges %{{.*}} level 1 : tensor<?x?xf64, #{{.*}}>
  sit.edges %C level 1 : tensor<?x?xf64, #CSR>
  // CHECK: sit.order %{{.*}} level 1 : tensor<?x?xf64, #{{.*}}>
  sit.order %C level 1 : tensor<?x?xf64, #CSR>
  // CHECK: sit.place %{{.*}} level 1 at %{{.*}} under %{{.*}} : tensor<?x?xf64, #{{.*}}>
  %c = sit.place %C level 1 at %i under %p : tensor<?x?xf64, #CSR>
  // CHECK: sit.sort %[[w]] level 0 : tensor<?xf64, #{{.*}}>
  sit.sort %w level 0 : tensor<?xf64, #SCATTER>
  // CHECK: sit.clear %[[w]] : tensor<?xf64, #{{.*}}>
  sit.clear %w : tensor<?xf64, #SCATTER>
  // CHECK: sit.value %{{.*}} : tensor<f64> -> f64
  %s = sit.value %t : tensor<f64> -> f64
  // CHECK: sit.store %{{.*}} to %{{.*}} : f64, tensor<f64>
  sit.store %v to %t : f64, tensor<f64>
  return
}

// CHECK-LABEL: @scratch
func.func @scratch(%A: tensor<?x?xf64, #BRANCHES>, %B: tensor<?x?xf64, #CSR>) -> tensor<f64> {
  %s = sit.kernel (%A, %B) {
  ^bb0(%A: tensor<?x?xf64, #BRANCHES>, %B: tensor<?x?xf64, #CSR>, %s: tensor<f64>):
    sit.result %s[] : tensor<f64>
    // CHECK: sit.coiterate %{{.*}} level 0 scratch : tensor<?x?xf64, #{{.*}}> {
    sit.coiterate %A level 0 scratch : tensor<?x?xf64, #BRANCHES> {
    case (0) as (%i, %pA0) {
      %pB0 = sit.locate %B level 0 at %i : tensor<?x?xf64, #CSR>
      // CHECK: sit.coiterate %{{.*}} level 1 under %{{.*}} scratch, %{{.*}} level 1 under %{{.*}} : tensor
      sit.coiterate %A level 1 under %pA0 scratch, %B level 1 under %pB0 : tensor<?x?xf64, #BRANCHES>, tensor<?x?xf64, #CSR> {
      case (0, 1) as (%j, %pA1, %pB1) {
      }}
    }}
    sit.finish %s : tensor<f64>
  } : (tensor<?x?xf64, #BRANCHES>, tensor<?x?xf64, #CSR>) -> tensor<f64>
  return %s : tensor<f64>
}

// What a coordinate is called is said, not read off the names of values.
// CHECK-LABEL: @names
func.func @names(%A: tensor<?xf64>) {
  // CHECK: sit.coiterate %{{.*}} level 0 named "row" : tensor<?xf64> {
  // CHECK-NEXT: case (0) as (%row, %{{.*}})
  sit.coiterate %A level 0 named "row" : tensor<?xf64> {
  case (0) as (%x, %y) {
  }
  }
  // CHECK: sit.coiterate %{{.*}} level 0 : tensor<?xf64> {
  // CHECK-NEXT: case (0) as (%arg1, %arg2)
  sit.coiterate %A level 0 : tensor<?xf64> {
  case (0) as (%column, %p) {
  }
  }
  return
}
