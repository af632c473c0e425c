// Every public function of liblacuna with NULL and numbers that nobody means: a status or NULL and
// a message, never a signal.
// RUN: %cc %includes -I%root/test/runtime %s %lacuna -o %t
// RUN: env LACUNA_CACHE=off %t
#include "check.h"

#include "lacuna.h"

#include <limits.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

static const char program[] =
    "#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>\n"
    "func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %y = tin.einsum \"y(i) = A(i,j) * x(j)\" (%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) "
    "-> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n"
    "func.func @times(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, "
    "#CSR> {\n"
    "  %C = tin.einsum \"C(i,k) = A(i,j) * B(j,k)\" (%A, %B) : (tensor<?x?xf64, #CSR>, "
    "tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>\n"
    "  return %C : tensor<?x?xf64, #CSR>\n"
    "}\n"
    "func.func @threes() -> tensor<4xf64> {\n"
    "  %y = tin.einsum \"y(i) = 3\" () : () -> tensor<4xf64>\n"
    "  return %y : tensor<4xf64>\n"
    "}\n"
    "func.func @rows(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> (tensor<?xf64>, index) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %n = tensor.dim %A, %c0 : tensor<?x?xf64, #CSR>\n"
    "  return %x, %n : tensor<?xf64>, index\n"
    "}\n";

static lacuna_compiler *c;

#define expect_error(refused) CHECK((refused) && *lacuna_error(c))

static void expect_refused(int32_t status) {
  CHECK(status != LAC_OK);
  CHECK(*lac_error_message() && !strchr(lac_error_message(), '\n'));
  lac_error_clear();
}

static void without_a_compiler(void) {
  lacuna_options options = lacuna_options_default();
  lacuna_close(NULL);
  lacuna_listen(NULL, NULL, NULL);
  CHECK(mlirContextIsNull(lacuna_context(NULL)));
  CHECK(*lacuna_error(NULL));
  CHECK(!lacuna_load_level_format(NULL, "x.so"));
  CHECK(!lacuna_format(NULL, "csr", 2).ptr);
  CHECK(!lacuna_compile(NULL, (MlirModule){NULL}, &options));
  CHECK(!lacuna_compile_text(NULL, program, "program", &options));
}

static void formats(void) {
  static const char *const odd[] = {
      "",     ":",        "csr:",  "csr:1,1",           "csr:-1", "#tin.format<", "%s",
      "sym:", "bcsr:0x0", "sell:", "nm:9999999999999x1"};
  static const int orders[] = {-1, 0, 1, 2, 33, 65, INT_MAX, INT_MIN};
  expect_error(!lacuna_load_level_format(c, NULL));
  expect_error(!lacuna_load_level_format(c, ""));
  expect_error(!lacuna_format(c, NULL, 2).ptr);
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    expect_error(!lacuna_format(c, odd[i], 2).ptr);
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (orders[i] != 2)
      expect_error(!lacuna_format(c, "csr", orders[i]).ptr);
  expect_error(!lacuna_format(c, "csf", -7).ptr);
  expect_error(!lacuna_format(c, "coo", INT_MAX).ptr);
  expect_error(!lacuna_format(c, "sym:csf", INT_MAX).ptr);
  CHECK(lacuna_format(c, "csr", 2).ptr && !*lacuna_error(c));
}

static void types(void) {
  const MlirAttribute none = {NULL};
  MlirType element = mlirF64TypeGet(lacuna_context(c));
  int64_t sizes[] = {INT64_MIN, INT64_MAX};
  CHECK(!lacuna_tensor_type(2, sizes, (MlirType){NULL}, none).ptr);
  CHECK(lacuna_tensor_type(2, sizes, element, none).ptr);
  expect_error(!lacuna_tensor_type(-1, sizes, element, none).ptr);
  expect_error(!lacuna_tensor_type(INT_MAX, NULL, element, none).ptr);
  expect_error(!lacuna_tensor_type(INT_MIN, NULL, element, none).ptr);
  expect_error(!lacuna_tensor_type(3, NULL, element, lacuna_format(c, "csr", 2)).ptr);
  lac_tensor t = {0};
  expect_refused(lacuna_check(NULL, lacuna_tensor_type(0, NULL, element, none), "t"));
  expect_refused(lacuna_check(&t, (MlirType){NULL}, "t"));
  expect_refused(lacuna_check(&t, element, NULL));
  expect_refused(lacuna_check(&t, lacuna_tensor_type(2, NULL, element, none), NULL));
}

static void functions(void) {
  MlirContext context = lacuna_context(c);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MlirType vector = lacuna_tensor_type(1, NULL, mlirF64TypeGet(context), (MlirAttribute){NULL});
  const MlirType none = {NULL};
  CHECK(!lacuna_function((MlirModule){NULL}, "f", 0, NULL, 1, &vector).ptr);
  expect_error(!lacuna_function(module, NULL, 0, NULL, 1, &vector).ptr);
  expect_error(!lacuna_function(module, "", 0, NULL, 1, &vector).ptr);
  expect_error(!lacuna_function(module, "f", 1, NULL, 1, &vector).ptr);
  expect_error(!lacuna_function(module, "f", -1, &vector, 1, &vector).ptr);
  expect_error(!lacuna_function(module, "f", INTPTR_MAX, &vector, 1, &vector).ptr);
  expect_error(!lacuna_function(module, "f", 1, &vector, INTPTR_MIN, &vector).ptr);
  expect_error(!lacuna_function(module, "f", 1, &none, 1, &vector).ptr);
  MlirBlock block = lacuna_function(module, "f", 1, &vector, 1, &vector);
  MlirValue nothing = {NULL}, x = mlirBlockGetArgument(block, 0);
  lacuna_return((MlirBlock){NULL}, 1, &x);
  lacuna_return(block, 1, NULL);
  lacuna_return(block, -1, &x);
  lacuna_return(block, INTPTR_MAX, &x);
  lacuna_return(block, 1, &nothing);
  MlirBlock loose = mlirBlockCreate(0, NULL, NULL);
  lacuna_return(loose, 1, &x);
  mlirBlockDestroy(loose);
  expect_error(!lacuna_compile(c, module, NULL));
  lacuna_return(block, 1, &x);
  int64_t size = 3;
  lac_level level = {.kind = "dense", .size = 3};
  lac_tensor fits = {1, 1, &size, &level, {0}, LAC_F64, 0}, scalar = {.type = LAC_F64};
  expect_error(!lacuna_expect(c, (MlirModule){NULL}, "f", (const lac_tensor *[]){&fits}));
  expect_error(!lacuna_expect(c, module, NULL, (const lac_tensor *[]){&fits}));
  expect_error(!lacuna_expect(c, module, "g", (const lac_tensor *[]){&fits}));
  expect_error(!lacuna_expect(c, module, "f", NULL));
  expect_error(!lacuna_expect(c, module, "f", (const lac_tensor *[]){NULL}));
  expect_error(!lacuna_expect(c, module, "f", (const lac_tensor *[]){&scalar}));
  CHECK(lacuna_expect(c, module, "f", (const lac_tensor *[]){&fits}));
  lacuna_compiler *other = lacuna_open();
  CHECK(!lacuna_compile(other, module, NULL) && *lacuna_error(other));
  lacuna_close(other);
  mlirModuleDestroy(module);
}

static void options(void) {
  static const int64_t threads[] = {-1, INT64_MIN, INT64_MAX, 1025};
  lacuna_options odd = lacuna_options_default();
  expect_error(!lacuna_compile(c, (MlirModule){NULL}, &odd));
  expect_error(!lacuna_compile_text(c, NULL, "program", &odd));
  lacuna_kernel_free(lacuna_compile_text(c, "", NULL, &odd));
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    odd.threads = threads[i];
    expect_error(!lacuna_compile_text(c, program, NULL, &odd));
  }
  odd = lacuna_options_default();
  for (odd.optimize = -2; odd.optimize <= 4; odd.optimize += 6)
    expect_error(!lacuna_compile_text(c, program, NULL, &odd));
  odd = (lacuna_options){.schedule = "\"", .threads = 1, .cache = UINT_MAX};
  expect_error(!lacuna_compile_text(c, program, "program", &odd));
  odd = (lacuna_options){.schedule = NULL, .threads = 1};
  lacuna_kernel *k = lacuna_compile_text(c, program, NULL, &odd);
  CHECK(k);
  lacuna_kernel_free(k);
  lacuna_kernel_free(NULL);
}

/* Each argument NULL in turn, the others as they should be. */
static void call_with_gaps(lacuna_kernel *k, const char *function, int count, lac_tensor *tensors) {
  for (int gap = 0; gap < count; gap++) {
    void *arguments[3];
    for (int i = 0; i < count; i++)
      arguments[i] = i == gap ? NULL : &tensors[i];
    expect_refused(lacuna_call(k, function, arguments));
  }
}

static void calls(void) {
  lacuna_kernel *k = lacuna_compile_text(c, program, "program", NULL);
  CHECK(k);
  int64_t positions[] = {0, 1, 2}, coordinates[] = {0, 1}, shape[] = {2, 2};
  double values[] = {1, 2};
  lac_level rows[] = {
      {.kind = "dense", .size = 2},
      {.kind = "compressed",
       .size = 2,
       .array = {lac_array_lend(positions, 3, 8), lac_array_lend(coordinates, 2, 8)}}};
  lac_tensor A = {2, 2, shape, rows, lac_array_lend(values, 2, 8), LAC_F64, 0};
  lac_tensor x = {1, 1, shape, rows, lac_array_lend(values, 2, 8), LAC_F64, 0};
  lac_tensor product[] = {{0}, A, x}, matrices[] = {{0}, A, A};
  expect_refused(lacuna_call(NULL, "spmv", NULL));
  expect_refused(lacuna_call(k, NULL, NULL));
  expect_refused(lacuna_call(k, "", NULL));
  expect_refused(lacuna_call(k, "spmv", NULL));
  CHECK(!lacuna_find(NULL, "spmv") && !lacuna_find(k, NULL) && !lacuna_find(k, ""));
  lacuna_entry *spmv = lacuna_find(k, "spmv");
  CHECK(spmv);
  expect_refused(spmv(NULL));
  call_with_gaps(k, "spmv", 3, product);
  call_with_gaps(k, "times", 3, matrices);
  void *nothing[] = {NULL};
  expect_refused(lacuna_call(k, "threes", nothing));
  int64_t count = 0;
  lac_tensor y = {0};
  expect_refused(lacuna_call(k, "rows", (void *[]){&y, &count, NULL, &x}));
  expect_refused(lacuna_call(k, "rows", (void *[]){&y, &count, &(lac_tensor){.order = 2}, &x}));
  CHECK(lacuna_call(k, "spmv", (void *[]){&y, &A, &x}) == LAC_OK);
  CHECK(((double *)y.values.data)[0] == 1 && ((double *)y.values.data)[1] == 4);
  lac_tensor_free(&y);
  lacuna_kernel_free(k);
}

int main(void) {
  c = lacuna_open();
  without_a_compiler();
  formats();
  types();
  functions();
  options();
  calls();
  lacuna_close(c);
  return failures != 0;
}
