// A host whose locale writes decimal commas: numbers of a text have points all the same, and so do
// those of messages.
// REQUIRES: localedef
// RUN: rm -rf %t.locales && mkdir -p %t.locales
// RUN: localedef -c --no-archive -i %S/Inputs/comma -f ANSI_X3.4-1968 %t.locales/comma || test -f %t.locales/comma/LC_NUMERIC
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env LOCPATH=%t.locales LACUNA_CACHE=off %t | FileCheck %s
#include "lac_error.h"
#include "lac_generate.h"
#include "lacuna.h"

#include <locale.h>
#include <stdio.h>

static const char program[] = "func.func @sum() -> tensor<f64> {\n"
                              "  %s = tin.einsum \"s = 0.5 + 1.25e-1\" () : () -> tensor<f64>\n"
                              "  return %s : tensor<f64>\n"
                              "}\n";

int main(void) {
  // CHECK: 1,5
  setlocale(LC_NUMERIC, "comma");
  printf("%.1f\n", 1.5);
  lacuna_compiler *c = lacuna_open();
  lacuna_options options = lacuna_options_default();
  lacuna_kernel *k = lacuna_compile_text(c, program, "decimals", &options);
  if (!k) {
    printf("%s\n", lacuna_error(c));
    return 1;
  }
  lac_tensor s = {0};
  // CHECK-NEXT: 0: 625 thousandths
  int32_t status = lacuna_call(k, "sum", (void *[]){&s});
  printf("%d: %d thousandths\n", status, status ? 0 : (int)(1000 * *(const double *)s.values.data));
  // CHECK-NEXT: expected a density from 0 to 1 that gives less than 2^60 entries, found 1.5
  lac_tensor_free(&s);
  lac_generate_random(1, (int64_t[]){3}, 1.5, 1, LAC_F64, &s);
  puts(lac_error_message());
  lac_tensor_free(&s);
  lacuna_kernel_free(k);
  lacuna_close(c);
  return 0;
}
