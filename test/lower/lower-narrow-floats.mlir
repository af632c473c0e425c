// RUN: sparse-opt %s --lower-narrow-floats | FileCheck %s
// RUN: sparse-opt %s --lower-narrow-floats=half=false | FileCheck %s --check-prefix=NATIVE
// RUN: sparse-opt %s --lower-narrow-floats --canonicalize | FileCheck %s --check-prefix=NONE

// NONE-NOT: {{(addf|exp|extf|truncf|cmpf|reduction).*(: b?f16|xb?f16>)}}

// A sum is one of f32, rounded to nearest and ties to even.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[X:.*]]: i16, %{{.*}}: i16) -> i16
// CHECK: %[[WORD:.*]] = arith.extui %[[X]] : i16 to i32
// CHECK: %[[UP:.*]] = arith.shli %[[WORD]]
// CHECK: arith.bitcast %[[UP]] : i32 to f32
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// CHECK: %[[Z:.*]] = arith.trunci %{{.*}} : i32 to i16
// CHECK: return %[[Z]] : i16
func.func @sum(%x: bf16, %y: bf16) -> bf16 {
  %z = arith.addf %x, %y fastmath<contract> : bf16
  return %z : bf16
}

// From f64 by rounding to odd, so that nothing is rounded twice; to f16 on every processor.
// CHECK-LABEL: func.func @cut
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.ori
// CHECK-NOT: arith.truncf
// CHECK: return
// NATIVE-LABEL: func.func @cut
// NATIVE: arith.truncf %{{.*}} : f64 to f32
// NATIVE: %[[ODD:.*]] = arith.ori
// NATIVE: arith.truncf %{{.*}} : f32 to f16
func.func @cut(%x: f64) -> f16 {
  %y = arith.truncf %x : f64 to f16
  return %y : f16
}

// Vectors, functions, comparisons and integers alike.
// CHECK-LABEL: func.func @others
// CHECK: math.exp %{{.*}} : vector<4xf32>
// CHECK: vector.reduction <add>, %{{.*}} : vector<4xf32> into f32
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.fptosi %{{.*}} : f32 to i64
// NATIVE-LABEL: func.func @others
// NATIVE: math.exp %{{.*}} : vector<4xf16>
func.func @others(%x: vector<4xf16>, %y: f16) -> (f16, i1, i64, f64) {
  %e = math.exp %x : vector<4xf16>
  %s = vector.reduction <add>, %e : vector<4xf16> into f16
  %c = arith.cmpf olt, %s, %y : f16
  %i = arith.fptosi %y : f16 to i64
  %w = arith.extf %y : f16 to f64
  return %s, %c, %i, %w : f16, i1, i64, f64
}

// What is only stored and passed on is an integer: LLVM would widen it between blocks.
// CHECK-LABEL: func.func @moves
// CHECK-SAME: memref<?xi16>
// CHECK: arith.constant 16256 : i16
// CHECK: arith.constant dense<[16256, -16384]> : vector<2xi16>
// CHECK: scf.if %{{.*}} -> (i16)
// CHECK: memref.store %{{.*}} : memref<?xi16>
func.func @moves(%m: memref<?xbf16>, %i: index, %c: i1) -> vector<2xbf16> {
  %one = arith.constant 1.0 : bf16
  %two = arith.constant dense<[1.0, -2.0]> : vector<2xbf16>
  %x = scf.if %c -> bf16 {
    %y = memref.load %m[%i] : memref<?xbf16>
    scf.yield %y : bf16
  } else {
    scf.yield %one : bf16
  }
  memref.store %x, %m[%i] : memref<?xbf16>
  return %two : vector<2xbf16>
}
