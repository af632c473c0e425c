// UNSUPPORTED: sanitizer
// Level formats of one's own in a program with liblacuna: loaded, used, and refused with a message
// where a name is taken or the table is of another version.  The program's own functions are not
// taken for those that a plug-in calls.
// RUN: mkdir -p %t.d && make -s -f %root/examples/level-format/Makefile BUILD=%t.d LACUNA=%bin/.. CC="%cc" CFLAGS=-O2 %t.d/libdelta.so
// RUN: %cc %includes -DNAME='"dense"' -shared -fPIC %root/test/compile/Inputs/plug-in-named.c -o %t.d/dense.so
// RUN: %cc %includes -DNAME='"delta"' -shared -fPIC %root/test/compile/Inputs/plug-in-named.c -o %t.d/other.so
// RUN: %cc %includes -DNAME='"fresh"' -DVERSION=99 -shared -fPIC %root/test/compile/Inputs/plug-in-named.c -o %t.d/newer.so
// RUN: %cc %includes %s %lacuna -o %t
// RUN: cd %t.d && env LACUNA_CACHE=off %t | FileCheck %s
//
// The tools say the same.
// RUN: not sparse-run --load-level-format=%t.d/dense.so 's = x(i)' -g x:1 -d i:3 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: error: --load-level-format {{.*}}dense.so: level format 'dense' of {{.*}}dense.so:
// expected a name of its own, found one that 'dense' of {{.*}}sparse-run has
// RUN: not sparse-opt --load-level-format=%t.d/newer.so /dev/null 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error: --load-level-format {{.*}}newer.so: level format 'fresh' of {{.*}}newer.so:
// expected a table of version {{[0-9]+}} ({{[0-9]+}} bytes), found version 99 ({{[0-9]+}} bytes):
// compile it against this compiler's level_format.h
#include "lacuna.h"

#include <stdio.h>
#include <stdlib.h>

int add(void);
int load(void);
int level_load(void);
int add(void) {
  abort();
}
int load(void) {
  abort();
}
int level_load(void) {
  abort();
}

static const char program[] =
    "#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>\n"
    "#DELTA = #tin.format<(i, j) -> (i : dense, j : delta(16))>\n"
    "func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %B = tin.einsum \"B(i,j) = A(i,j)\" (%A) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, "
    "#DELTA>\n"
    "  %y = tin.einsum \"y(i) = B(i,j) * x(j)\" (%B, %x) : (tensor<?x?xf64, #DELTA>, "
    "tensor<?xf64>) -> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

static void load_format(lacuna_compiler *c, const char *library) {
  bool loaded = lacuna_load_level_format(c, library);
  printf("%s: %s%s\n", library, loaded ? "loaded" : "refused: ", lacuna_error(c));
}

static void run(lacuna_kernel *k) {
  int64_t positions[] = {0, 2, 3}, coordinates[] = {0, 2, 1}, shape[] = {2, 3};
  double values[] = {1, 2, 3}, ones[] = {1, 10, 100};
  lac_level rows[] = {
      {.kind = "dense", .size = 2},
      {.kind = "compressed",
       .size = 3,
       .array = {lac_array_lend(positions, 3, 8), lac_array_lend(coordinates, 3, 8)}}};
  lac_level dense[] = {{.kind = "dense", .size = 3}};
  lac_tensor A = {2, 2, shape, rows, lac_array_lend(values, 3, 8), LAC_F64, 0};
  lac_tensor x = {1, 1, &shape[1], dense, lac_array_lend(ones, 3, 8), LAC_F64, 0}, y = {0};
  void *arguments[] = {&y, &A, &x};
  if (lacuna_call(k, "spmv", arguments))
    printf("%s\n", lac_error_message());
  else
    printf("y = %g %g\n", ((double *)y.values.data)[0], ((double *)y.values.data)[1]);
  lac_tensor_free(&y);
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  lacuna_options options = lacuna_options_default();
  // CHECK: unknown: {{.*}}'delta'
  lacuna_kernel *k = lacuna_compile_text(c, program, "program", &options);
  printf("%s: %s\n", k ? "known" : "unknown", lacuna_error(c));
  // CHECK-NEXT: libdelta.so: loaded
  load_format(c, "libdelta.so");
  // CHECK-NEXT: libdelta.so: loaded
  load_format(c, "libdelta.so");
  // CHECK-NEXT: dense.so: refused: level format 'dense' of {{.*}}dense.so: expected a name of its own, found one that 'dense' of {{.*}}liblacuna.so{{.*}} has
  load_format(c, "dense.so");
  // CHECK-NEXT: other.so: refused: level format 'delta' of {{.*}}other.so: expected a name of its own, found one that 'delta' of {{.*}}libdelta.so has
  load_format(c, "other.so");
  // CHECK-NEXT: newer.so: refused: level format 'fresh' {{.*}} version 99
  load_format(c, "newer.so");
  // CHECK-NEXT: none.so: refused: {{.*}}cannot open shared object file
  load_format(c, "none.so");
  // CHECK-NEXT: y = 201 30
  k = lacuna_compile_text(c, program, "program", &options);
  if (k)
    run(k);
  else
    puts(lacuna_error(c));
  lacuna_kernel_free(k);
  lacuna_close(c);
  return 0;
}
