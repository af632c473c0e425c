RUN: split-file %s %t

A kernel that is passed little has places and what its loops count in 32 bits; the other is as it was.

RUN: sparse-opt %t/row.mlir --narrow-launches | FileCheck %s
CHECK: gpu.func @k(%[[N:.*]]: index, %[[Y:.*]]: memref<?xf64>, %[[X:.*]]: memref<?xf64>)
CHECK: %[[ROW:.*]] = arith.muli {{.*}} overflow<nsw, nuw> : i32
CHECK: scf.for %[[P:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i32
CHECK: %[[Q:.*]] = arith.addi %[[ROW]], %[[P]] overflow<nsw, nuw> : i32
CHECK: %[[PLACE:.*]] = arith.index_castui %[[Q]] : i32 to index
CHECK: memref.load %[[X]][%[[PLACE]]]
CHECK: gpu.func @k_wide
CHECK-NOT: i32
CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {

The launch asks for the lengths of its arrays, and for the numbers.

CHECK: func.func @f(%[[N:.*]]: index, %[[Y:.*]]: memref<?xf64>, %[[X:.*]]: memref<?xf64>)
CHECK-DAG: memref.dim %[[Y]]
CHECK-DAG: memref.dim %[[X]]
CHECK-DAG: arith.ori %{{.*}}
CHECK: arith.cmpi slt, %{{.*}}, %c1073741824
CHECK: scf.if
CHECK: gpu.launch_func @m::@k blocks
CHECK: else
CHECK: gpu.launch_func @m::@k_wide blocks

RUN: not sparse-opt %t/row.mlir --narrow-launches=limit=4000000000 2>&1 | FileCheck %s --check-prefix=LIMIT
LIMIT: error: expected a limit from 0 to 1073741824, found 4000000000

A loop that is not known to be short counts in 64 bits: one whose end is loaded, and which accesses nothing at
what it counts, and one whose step is not known. What is compared keeps its width, and so does a difference.

RUN: sparse-opt %t/unknown.mlir --narrow-launches | FileCheck %s --check-prefix=UNKNOWN
UNKNOWN: gpu.func @k(
UNKNOWN: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^:]*}} {
UNKNOWN: arith.subi %{{.*}} : index
UNKNOWN: arith.cmpi eq, %{{.*}} : index
UNKNOWN: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^:]*}} {
UNKNOWN: gpu.func @k_wide

One that accesses an array at what it counts is short, whatever its end is where it has no rounds.

RUN: sparse-opt %t/walk.mlir --narrow-launches | FileCheck %s --check-prefix=WALK
WALK: gpu.func @k(
WALK: %[[FIRST:.*]] = arith.index_castui %[[BEGIN:.*]] : index to i32
WALK: %[[LAST:.*]] = arith.maxsi %[[BEGIN]], %{{.*}} : index
WALK: %[[END:.*]] = arith.index_castui %[[LAST]] : index to i32
WALK: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %{{.*}} : i32
WALK: gpu.func @k_wide

//--- row.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%n: index, %y: memref<?xf64>, %x: memref<?xf64>) kernel {
      %i = gpu.block_id x
      %t = gpu.thread_id x
      %c32 = arith.constant 32 : index
      %row = arith.muli %i, %n : index
      scf.for %k = %t to %n step %c32 {
        %p = arith.addi %row, %k : index
        %v = memref.load %x[%p] : memref<?xf64>
        memref.store %v, %y[%k] : memref<?xf64>
      }
      gpu.return
    }
  }
  func.func @f(%n: index, %y: memref<?xf64>, %x: memref<?xf64>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@k blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index, %y : memref<?xf64>, %x : memref<?xf64>)
    return
  }
}
//--- unknown.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%n: index, %pos: memref<?xi64>, %x: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %word = memref.load %pos[%c0] : memref<?xi64>
      %end = arith.index_castui %word : i64 to index
      scf.for %k = %c0 to %end step %c1 {
        %p = arith.subi %k, %n : index
        %same = arith.cmpi eq, %k, %n : index
        scf.if %same {
          memref.store %zero, %x[%p] : memref<?xf64>
        }
      }
      scf.for %k = %c0 to %n step %end {
        memref.store %zero, %x[%k] : memref<?xf64>
      }
      gpu.return
    }
  }
  func.func @f(%n: index, %y: memref<?xi64>, %x: memref<?xf64>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@k blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index, %y : memref<?xi64>, %x : memref<?xf64>)
    return
  }
}
//--- walk.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%pos: memref<?xi64>, %x: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %first = memref.load %pos[%c0] : memref<?xi64>
      %last = memref.load %pos[%c1] : memref<?xi64>
      %begin = arith.index_castui %first : i64 to index
      %end = arith.index_castui %last : i64 to index
      scf.for %p = %begin to %end step %c1 {
        memref.store %zero, %x[%p] : memref<?xf64>
      }
      gpu.return
    }
  }
  func.func @f(%y: memref<?xi64>, %x: memref<?xf64>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<?xi64>, %x : memref<?xf64>)
    return
  }
}
