// Loops too short for threads run on the one that calls, with no team of one around them; called from
// a team that a program has made itself, they still do all iterations.
// RUN: sparse-run 'y(i) = A(i,j) * x(j)' -f A:csr --threads 2 --emit asm | FileCheck %s --check-prefix=ASM
// RUN: %cc %includes %s -fopenmp %lacuna %libomp -o %t
// RUN: env LACUNA_CACHE=off %t | FileCheck %s

// ASM: omp_in_parallel
// ASM: __kmpc_push_num_threads
// ASM: __kmpc_fork_call
#include "lacuna.h"

#include <stdio.h>

enum { TEAM = 4, N = 100 };

static const char program[] =
    "func.func @scale(%x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %y = tin.einsum \"y(i) = 2 * x(i)\" (%x) : (tensor<?xf64>) -> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

static double x[N];

static int run(lacuna_kernel *k) {
  const int64_t size = N;
  lac_tensor vector = {0}, y = {0};
  int good = !lac_lend_dense(&vector, LAC_F64, 1, &size, x) &&
             lacuna_call(k, "scale", (void *[]){&y, &vector}) == LAC_OK && y.values.length == N;
  for (int i = 0; good && i < N; i++)
    good = ((double *)y.values.data)[i] == 2 * x[i];
  lac_tensor_free(&vector);
  lac_tensor_free(&y);
  return good;
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  static const char *const schedules[] = {
      "parallelize(i,cpu_thread,no_races) strategies(i,static)",
      "parallelize(i,cpu_thread,no_races) strategies(i,dynamic=16)"};
  for (int i = 0; i < N; i++)
    x[i] = i + 1;
  // CHECK: alone 1, 4 of 4 in a team
  // CHECK-NEXT: alone 1, 4 of 4 in a team
  for (int s = 0; s < 2; s++) {
    lacuna_options options = lacuna_options_default();
    options.schedule = schedules[s];
    options.threads = 2;
    lacuna_kernel *k = lacuna_compile_text(c, program, "program", &options);
    if (!k) {
      printf("%s\n", lacuna_error(c));
      continue;
    }
    int alone = run(k), members = 0, good = 0;
#pragma omp parallel num_threads(TEAM) reduction(+ : members, good)
    {
      members++;
      good += run(k);
    }
    printf("alone %d, %d of %d in a team\n", alone, good, members);
    lacuna_kernel_free(k);
  }
  lacuna_close(c);
  return 0;
}
