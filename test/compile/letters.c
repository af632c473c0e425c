// A host whose locale has other letters: files and expressions mean what they mean in C.
// REQUIRES: localedef
// RUN: rm -rf %t.locales && mkdir -p %t.locales
// RUN: localedef -c --no-archive -i %S/Inputs/letters -f ANSI_X3.4-1968 %t.locales/letters || test -f %t.locales/letters/LC_CTYPE
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env LOCPATH=%t.locales LACUNA_CACHE=off %t %t.mtx | FileCheck %s
#include "lac_error.h"
#include "lac_file.h"
#include "lacuna.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>

static const char program[] =
    "func.func @copy(%x: tensor<3xf64>) -> tensor<3xf64> {\n"
    "  %y = tin.einsum \"y(i) = $(i)\" (%x) : (tensor<3xf64>) -> tensor<3xf64>\n"
    "  return %y : tensor<3xf64>\n"
    "}\n";

static void write_capitals(const char *path) {
  FILE *file = fopen(path, "w");
  fputs("%%MatrixMarket MATRIX COORDINATE REAL GENERAL\n1 1 1\n1 1 INF\n", file);
  fclose(file);
}

static void read_capitals(const char *path) {
  lac_tensor t = {0};
  lac_read_options options = LAC_READ_AS_IT_IS;
  int32_t status = lac_file_read(path, &options, &t, NULL);
  printf("read: %d: %s\n", status, status ? lac_error_message() : "fine");
  lac_tensor_free(&t);
}

static void compile_dollar(void) {
  lacuna_compiler *c = lacuna_open();
  lacuna_options options = lacuna_options_default();
  lacuna_kernel *k = lacuna_compile_text(c, program, "dollar", &options);
  puts(k ? "compiled" : lacuna_error(c));
  lacuna_kernel_free(k);
  lacuna_close(c);
}

int main(int count, char **arguments) {
  // CHECK: a letter: 1, capital: 1
  setlocale(LC_CTYPE, "letters");
  printf("a letter: %d, capital: %d\n", isalpha('$') != 0, tolower('I') == '$');
  // CHECK-NEXT: read: 0: fine
  write_capitals(arguments[count - 1]);
  read_capitals(arguments[count - 1]);
  // CHECK-NEXT: dollar:2:27: custom op 'tin.einsum' column 8 of the expression: expected a name{{.*}}, found '$'
  compile_dollar();
  return 0;
}
