// Kernels on the emulated device from C: what stays there, what comes back, what is no target.
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env LACUNA_CACHE=off LACUNA_CUDA=%t.none %t | FileCheck %s
#include "lac_device.h"
#include "lac_lend.h"
#include "lacuna.h"

#include <stdio.h>

static const char product[] =
    "#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>\n"
    "func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %y = tin.einsum \"y(i) = A(i,j) * x(j)\" (%A, %x)\n"
    "      : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

static lacuna_kernel *compile(lacuna_compiler *c, const char *target) {
  lacuna_options options = lacuna_options_default();
  options.target = target;
  lacuna_kernel *k = lacuna_compile_text(c, product, "product", &options);
  printf("%s: %s\n", target, k ? "compiled" : lacuna_error(c));
  return k;
}

/* 2 0 1 / 0 3 0 / 0 0 1 */
static int64_t positions[] = {0, 2, 3, 4}, coordinates[] = {0, 2, 1, 2}, three[] = {3};
static double values[] = {2, 1, 3, 1}, ones[] = {1, 1, 1};

static void multiply(lacuna_kernel *k, const lac_tensor *A, const lac_tensor *x) {
  lac_tensor y = {0};
  void *arguments[] = {&y, (void *)A, (void *)x};
  int32_t status = lacuna_call(k, "spmv", arguments);
  const double *found = y.values.data;
  if (status)
    printf("%d: %s\n", status, lac_error_message());
  else
    printf("%g %g %g\n", found[0], found[1], found[2]);
  lac_tensor_free(&y);
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  // CHECK: gpu-emulated: compiled
  lacuna_kernel *k = compile(c, "gpu-emulated");
  // CHECK-NEXT: gpv: expected a target, cpu, gpu, gpu:sm_90, gpu-emulated or auto, found 'gpv'
  compile(c, "gpv");
  // CHECK-NEXT: gpu:sm_90: expected a CUDA driver
  compile(c, "gpu:sm_90");
  lac_tensor A, x;
  lac_lend_csr(&A, LAC_F64, 3, 3, 64, positions, coordinates, values);
  lac_lend_dense(&x, LAC_F64, 1, three, ones);
  // CHECK-NEXT: 3 3 1
  multiply(k, &A, &x);
  // Without staying there, what the host writes is seen.
  ones[0] = 2;
  // CHECK-NEXT: 5 3 1
  multiply(k, &A, &x);
  // What stays is copied anew where that is said again.
  lac_tensor_to_device(&A);
  lac_tensor_to_device(&x);
  // CHECK-NEXT: 5 3 1
  multiply(k, &A, &x);
  ones[2] = 4;
  lac_tensor_to_device(&x);
  // CHECK-NEXT: 8 3 4
  multiply(k, &A, &x);
  lac_tensor_leave_device(&x);
  ones[1] = 5;
  // CHECK-NEXT: 8 15 4
  multiply(k, &A, &x);
  // CHECK-NEXT: seconds: 1
  printf("seconds: %d\n", lac_device_seconds() > 0);
  lac_tensor_free(&A);
  lac_tensor_free(&x);
  lacuna_kernel_free(k);
  lacuna_close(c);
  return 0;
}
