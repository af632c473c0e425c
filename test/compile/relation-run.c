// A relation that is registered from here (docs/adding-a-relation.md), compiled and run: i in the
// other direction, whole, in blocks that do not divide it and in strides, gives what i does.
// RUN: %cc %includes -I%root/test/Inputs %s %compile -o %t && %t | FileCheck %s
#include "lac_error.h"
#include "lac_lend.h"
#include "lacuna.h"
#include "toy_reverse.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 5, COLUMNS = 3 };

static const char program[] =
    "func.func @f(%A: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %y = cin.kernel (%A, %x) {\n"
    "  ^bb0(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>):\n"
    "    %i = cin.index \"i\"\n"
    "    %j = cin.index \"j\"\n"
    "    %r = \"toy.reverse\"(%i) {name = \"r\"} : (!cin.index) -> !cin.index\n"
    "    FORALLS {\n"
    "      cin.forall %j {\n"
    "        %a = cin.read %A[%i, %j] : tensor<?x?xf64>\n"
    "        %b = cin.read %x[%j] : tensor<?xf64>\n"
    "        %p = arith.mulf %a, %b : f64\n"
    "        cin.assign %y[%i] add %p : tensor<?xf64>\n"
    "      }\n"
    "    } END\n"
    "  } : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

/* The program with its foralls, of which END closes those around the first. */
static void fill(char *text, const char *foralls, const char *end) {
  const char *at = strstr(program, "FORALLS"), *rest = strstr(program, "END");
  sprintf(text, "%.*s%s%.*s%s%s", (int)(at - program), program, foralls,
          (int)(rest - at - strlen("FORALLS")), at + strlen("FORALLS"), end, rest + strlen("END"));
}

static void run(lacuna_compiler *c, const char *title, const char *foralls, const char *end) {
  static double elements[ROWS * COLUMNS], ones[COLUMNS] = {1, 2, 3};
  lacuna_options options = lacuna_options_default();
  lac_tensor A = {0}, x = {0}, y = {0};
  char text[2048];
  options.cache = 0;
  for (int n = 0; n < ROWS * COLUMNS; n++)
    elements[n] = n;
  fill(text, foralls, end);
  lacuna_kernel *k = lacuna_compile_text(c, text, title, &options);
  lac_lend_dense(&A, LAC_F64, 2, (int64_t[]){ROWS, COLUMNS}, elements);
  lac_lend_dense(&x, LAC_F64, 1, (int64_t[]){COLUMNS}, ones);
  if (!k || lacuna_call(k, "f", (void *[]){&y, &A, &x}))
    printf("%s: error: %s\n", title, k ? lac_error_message() : lacuna_error(c));
  else
    printf("%s:", title);
  for (int64_t i = 0; i < ROWS && y.values.data; i++)
    printf(" %g", ((double *)y.values.data)[i]);
  puts("");
  lac_tensor_free(&y);
  lac_tensor_free(&A);
  lac_tensor_free(&x);
  lacuna_kernel_free(k);
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  mlirContextSetAllowUnregisteredDialects(lacuna_context(c), true);
  relation_register(&reverse_relation);
  // CHECK: reversed: 8 26 44 62 80
  run(c, "reversed", "cin.forall %r", "");
  // CHECK: in blocks: 8 26 44 62 80
  run(c, "in blocks",
      "%r0, %r1 = cin.split %r by 2(\"r0\", \"r1\")\n cin.forall %r0 { cin.forall %r1", "}");
  // CHECK: in strides: 8 26 44 62 80
  run(c, "in strides",
      "%r0, %r1 = cin.split %r by 2(\"r0\", \"r1\")\n cin.forall %r1 { cin.forall %r0", "}");
  lacuna_close(c);
  return 0;
}
