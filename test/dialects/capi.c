// The dialects from C: formats made, read, written and taken apart; types; the words of units.
// RUN: %cc %includes %s %dialects -o %t && %t 2>&1 | FileCheck %s
#include "cin.h"
#include "format_text.h"
#include "register.h"
#include "sit.h"
#include "tin.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>
#include <stdio.h>

static void print_text(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stdout);
}

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirLogicalResult print_error(MlirDiagnostic diagnostic, void *data) {
  fputs("error: ", stdout);
  mlirDiagnosticPrint(diagnostic, print_text, data);
  puts("");
  return mlirLogicalResultSuccess();
}

static void print_attribute(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    fputs("none", stdout);
  else
    mlirAttributePrint(attribute, print_text, NULL);
  puts("");
}

static MlirContext create_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  lacuna_register_dialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextAttachDiagnosticHandler(context, print_error, NULL, NULL);
  mlirDialectRegistryDestroy(registry);
  return context;
}

static MlirAttribute csc(MlirContext context) {
  const MlirAttribute levels[] = {
      tinLevelAttrGet(context, ref("dense"), 0, 0, NULL),
      tinLevelAttrGet(context, ref("compressed"), TIN_UNORDERED, 1, (const int64_t[]){7})};
  unsigned order[] = {1, 0};
  return tinFormatAttrGet(context, mlirAffineMapPermutationGet(context, 2, order), 2, levels, 32,
                          64);
}

static void print_parts(MlirAttribute format) {
  printf("%d %d\n", tinAttributeIsAFormat(format),
         tinAttributeIsALevel(tinFormatAttrGetLevel(format, 1)));
  printf("pos %u crd %u\n", tinFormatAttrGetPositionWidth(format),
         tinFormatAttrGetCoordinateWidth(format));
  for (intptr_t l = 0; l < tinFormatAttrGetNumLevels(format); l++) {
    MlirAttribute level = tinFormatAttrGetLevel(format, l);
    printf("%.*s %u", (int)tinLevelAttrGetName(level).length, tinLevelAttrGetName(level).data,
           tinLevelAttrGetProperties(level));
    for (intptr_t i = 0; i < tinLevelAttrGetNumArguments(level); i++)
      printf(" %d", (int)tinLevelAttrGetArgument(level, i));
    puts("");
  }
}

static void formats(MlirContext context) {
  MlirAttribute format = csc(context);
  // CHECK: #tin.format<(i, j) -> (j : dense, i : compressed(unordered, 7)), pos = 32>
  print_attribute(format);
  // CHECK-NEXT: 1 1
  // CHECK-NEXT: pos 32 crd 64
  // CHECK-NEXT: dense 0
  // CHECK-NEXT: compressed 2 7
  print_parts(format);
  // CHECK-NEXT: error: expected a level for each of 2 coordinate expressions, found 0
  // CHECK-NEXT: none
  print_attribute(
      tinFormatAttrGet(context, mlirAffineMapMultiDimIdentityGet(context, 2), 0, NULL, 64, 64));
  // CHECK-NEXT: error: expected widths of 8, 16, 32 or 64 bits, found 7
  // CHECK-NEXT: none
  print_attribute(tinFormatAttrGet(context, mlirAffineMapEmptyGet(context), 0, NULL, 7, 64));
}

static void formats_of_types(MlirContext context) {
  MlirType f64 = mlirF64TypeGet(context);
  MlirAttribute dense = {NULL}, other = mlirUnitAttrGet(context);
  const int64_t shape[] = {3, 4};
  // CHECK-NEXT: #tin.format<(i, j) -> (i : dense, j : dense)>
  print_attribute(tinTypeGetFormat(mlirRankedTensorTypeGet(2, shape, f64, dense)));
  // CHECK-NEXT: #tin.format<(i, j) -> (j : dense, i : compressed(unordered, 7)), pos = 32>
  print_attribute(tinTypeGetFormat(mlirRankedTensorTypeGet(2, shape, f64, csc(context))));
  // CHECK-NEXT: none
  // CHECK-NEXT: none
  print_attribute(tinTypeGetFormat(mlirRankedTensorTypeGet(2, shape, f64, other)));
  print_attribute(tinTypeGetFormat(f64));
}

static void texts(MlirContext context) {
  const char *good = "<(a) -> (-a floordiv 2 - 3 : dense)> and more", *bad = "<(a) -> (a * : x)>";
  arena *memory = arena_create();
  format_text text;
  // CHECK-NEXT: 1 [ and more]
  printf("%d", format_text_read(memory, context, good, &text));
  printf(" [%s]\n", text.at);
  // CHECK-NEXT: (row * -1) floordiv 2 - 3
  // CHECK-NEXT: (i * -1) floordiv 2 - 3
  subscript_write(mlirAffineMapGetResult(text.map, 0), (const MlirStringRef[]){ref("row")},
                  print_text, NULL);
  puts("");
  subscript_write(mlirAffineMapGetResult(text.map, 0), NULL, print_text, NULL);
  puts("");
  // CHECK-NEXT: 0 [: x)>] expected a dimension, found ':'
  printf("%d", format_text_read(memory, context, bad, &text));
  printf(" [%s] %s\n", text.at, text.error);
  arena_free(memory);
}

static void types(MlirContext context) {
  MlirType var = sitVarTypeGet(mlirF64TypeGet(context));
  MlirType matrix =
      mlirRankedTensorTypeGet(2, (int64_t[]){3, 4}, mlirF64TypeGet(context), csc(context));
  MlirType pos = sitPositionTypeGet(matrix, 1);
  MlirType index = cinIndexVariableTypeGet(context);
  // CHECK-NEXT: 1 1 1 0 0 1
  printf("%d %d %d %d %d %d\n", sitTypeIsAVar(var), sitTypeIsAPosition(pos),
         cinTypeIsAIndexVariable(index), sitTypeIsAVar(pos), cinTypeIsAIndexVariable(var),
         mlirTypeIsAF64(sitVarTypeGetElement(var)));
}

static void units(void) {
  cin_unit unit = CIN_SERIAL;
  cin_race race = CIN_NO_RACES;
  // CHECK-NEXT: cpu_thread atomics
  printf("%s %s\n", cin_unit_name(CIN_CPU_THREAD), cin_race_name(CIN_ATOMICS));
  // CHECK-NEXT: 1 1 0 5 4
  printf("%d", cin_unit_from_name(ref("gpu_thread"), &unit));
  printf(" %d", cin_race_from_name(ref("parallel_reduction"), &race));
  printf(" %d", cin_unit_from_name(ref("core"), &unit));
  printf(" %d %d\n", (int)unit, (int)race);
}

static void units_of_operations(MlirContext context) {
  MlirModule module =
      mlirModuleCreateParse(context, ref("\"builtin.module\"() ({\n"
                                         "  %i = cin.index \"i\"\n"
                                         "  cin.forall %i on cpu_thread atomics {}\n"
                                         "}) : () -> ()"));
  MlirOperation forall =
      mlirOperationGetNextInBlock(mlirBlockGetFirstOperation(mlirModuleGetBody(module)));
  // CHECK-NEXT: cpu_thread atomics
  printf("%s %s\n", cin_unit_name(cin_op_unit(forall)), cin_race_name(cin_op_race(forall)));
  cin_op_set_parallel(forall, CIN_CPU_VECTOR, CIN_IGNORE_RACES);
  // CHECK: cin.forall %i on cpu_vector ignore_races {
  mlirOperationPrint(mlirModuleGetOperation(module), print_text, NULL);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirContext context = create_context();
  formats(context);
  formats_of_types(context);
  texts(context);
  types(context);
  units();
  units_of_operations(context);
  mlirContextDestroy(context);
  return 0;
}
