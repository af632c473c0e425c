// The steps of loops do not overflow, and the assembler unrolls them; a loop that a schedule unrolls stays so.

// RUN: sparse-opt %s --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,mark-steps))' | FileCheck %s
// CHECK-DAG: #[[LEFT:.*]] = #llvm.loop_unroll<runtimeDisable = true>
// CHECK-DAG: #[[FOUR:.*]] = #llvm.loop_unroll<count = 4 : i32>
// CHECK-DAG: #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[LEFT]]>
// CHECK-DAG: #[[SAID:.*]] = #llvm.loop_annotation<unroll = #[[FOUR]]>
gpu.module @m {
  // CHECK-LABEL: gpu.func @words
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  // CHECK-NEXT: cf.br ^bb{{.*}} {loop_annotation = #[[LOOP]]}
  gpu.func @words(%begin: i32, %end: i32, %x: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    scf.for %i = %begin to %end step %c1 : i32 {
      memref.store %i, %x[%c0] : memref<?xi32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @indices
  // CHECK: %[[TWICE:.*]] = arith.addi %[[I:.*]], %[[I]] : index
  // CHECK: arith.addi %[[I]], %{{.*}} overflow<nsw> : index
  // CHECK-NEXT: cf.br ^bb{{.*}} {loop_annotation = #[[SAID]]}
  gpu.func @indices(%begin: index, %end: index, %x: memref<?xi32>) kernel {
    %c1 = arith.constant 1 : index
    %word = arith.constant 1 : i32
    scf.for %i = %begin to %end step %c1 {
      %twice = arith.addi %i, %i : index
      memref.store %word, %x[%twice] : memref<?xi32>
    } {loop_annotation = #llvm.loop_annotation<unroll = <count = 4 : i32>>}
    gpu.return
  }
}
