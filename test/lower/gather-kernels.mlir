// RUN: sparse-opt %s --gather-kernels | FileCheck %s

// Kernels of one name get those of their modules; one that is launched twice stays where it is.

// CHECK-LABEL: func.func @host
// CHECK: gpu.launch_func @k::@k blocks
// CHECK: gpu.launch_func @k::@k_0 blocks
// CHECK: gpu.launch_func @twice::@k blocks
// CHECK: gpu.launch_func @twice::@k blocks
// CHECK: gpu.module @k {
// CHECK: gpu.func @k()
// CHECK: gpu.func @k_0()
// CHECK-NOT: gpu.module @k_0
// CHECK: gpu.module @twice
module attributes {gpu.container_module} {
  func.func @host(%n: index) {
    gpu.launch_func @k::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @k_0::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @twice::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @twice::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @k {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  gpu.module @k_0 {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  gpu.module @twice {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}
