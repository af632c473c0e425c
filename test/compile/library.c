// liblacuna: formats and their errors, modules that do not hold, what is kept and shared, remarks
// said again.
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env XDG_CACHE_HOME=%t.cache %t 2>&1 | FileCheck %s
// RUN: env LACUNA_CACHE=off %t 2>&1 | FileCheck %s --check-prefix=OFF
#include "lacuna.h"

#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <string.h>

static const char sums[] =
    "#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>\n"
    "#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>\n"
    "func.func @copy(%A: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #DCSR> {\n"
    "  %B = tin.einsum \"B(i,j) = A(i,j)\" (%A) : (tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, "
    "#DCSR>\n"
    "  return %B : tensor<?x?xf64, #DCSR>\n"
    "}\n";

static void listen(void *data, const char *severity, const char *message) {
  printf("%s: %s: %s\n", (const char *)data, severity, message);
}

static void print_text(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stdout);
}

static void formats(lacuna_compiler *c) {
  // CHECK: #tin.format<(i, j) -> (j : dense, i : compressed)>
  mlirAttributePrint(lacuna_format(c, "csc", 2), print_text, NULL);
  // CHECK-NEXT: none: unknown format 'cscs'
  MlirAttribute none = lacuna_format(c, "cscs", 2);
  printf("\n%s: %s\n", none.ptr ? "some" : "none", lacuna_error(c));
  // CHECK-NEXT: none: {{.*}}expected
  none = lacuna_format(c, "#tin.format<(i, j) -> (i : dense)>", 2);
  printf("%s: %s\n", none.ptr ? "some" : "none", lacuna_error(c));
}

static void failures(lacuna_compiler *c, const lacuna_options *options) {
  // CHECK-NEXT: none: short:1:{{[0-9]+}}: {{.*}}expected
  lacuna_kernel *k = lacuna_compile_text(c, "func.func @f(", "short", options);
  printf("%s: %s\n", k ? "some" : "none", lacuna_error(c));
  MlirContext context = lacuna_context(c);
  MlirLocation location =
      mlirLocationFileLineColGet(context, mlirStringRefCreateFromCString("built.c"), 7, 1);
  MlirModule module = mlirModuleCreateEmpty(location);
  MlirType vector = lacuna_tensor_type(1, NULL, mlirF64TypeGet(context), (MlirAttribute){NULL});
  MlirBlock block = lacuna_function(module, "f", 1, &vector, 1, &vector);
  MlirValue x = mlirBlockGetArgument(block, 0);
  MlirOperation y = tinEinsumCreate(location, mlirStringRefCreateFromCString("y(i) = x(i"), 1, &x,
                                    vector, mlirStringRefCreateFromCString(""));
  mlirBlockAppendOwnedOperation(block, y);
  MlirValue result = mlirOperationGetResult(y, 0);
  lacuna_return(block, 1, &result);
  // CHECK-NEXT: none: built.c:7:1: {{.*}}expected
  k = lacuna_compile(c, module, options);
  printf("%s: %s\n", k ? "some" : "none", lacuna_error(c));
  mlirModuleDestroy(module);
}

static void calls(lacuna_kernel *k);

int main(void) {
  lacuna_compiler *c = lacuna_open(), *other = lacuna_open();
  lacuna_options options = lacuna_options_default();
  formats(c);
  failures(c, &options);
  lacuna_listen(c, listen, "first");
  lacuna_listen(other, listen, "second");
  // CHECK-NEXT: first: remark: {{.*}}convert
  lacuna_kernel *k = lacuna_compile_text(c, sums, "sums", &options);
  if (!k)
    return 1;
  lacuna_close(c);
  // CHECK-NEXT: second: remark: {{.*}}convert
  lacuna_kernel *same = lacuna_compile_text(other, sums, "sums", &options);
  // CHECK-NEXT: the same
  // OFF: another
  puts(k == same ? "the same" : "another");
  options.strict = true;
  // CHECK-NEXT: second: remark
  lacuna_kernel *strict = lacuna_compile_text(other, sums, "sums", &options);
  // CHECK-NEXT: another
  puts(k == strict ? "the same" : "another");
  options.strict = false;
  options.deterministic = true;
  // CHECK-NEXT: second: remark
  lacuna_kernel *deterministic = lacuna_compile_text(other, sums, "sums", &options);
  // CHECK-NEXT: another
  puts(k == deterministic ? "the same" : "another");
  lacuna_close(other);
  lacuna_kernel_free(deterministic);
  lacuna_kernel_free(strict);
  lacuna_kernel_free(same);
  calls(k);
  lacuna_kernel_free(k);
  return 0;
}

static void calls(lacuna_kernel *k) {
  // CHECK-NEXT: 4: no function 'none' to call
  printf("%d: ", lacuna_call(k, "none", NULL));
  printf("%s\n", lac_error_message());
  // CHECK-NEXT: none some
  printf("%s %s\n", lacuna_find(k, "none") ? "some" : "none",
         lacuna_find(k, "copy") ? "some" : "none");
}
