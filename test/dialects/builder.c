// The builder: variables become iter_args and results exactly where they are set, whatever the
// nesting; constants fold; calls and texts are declared once.
// RUN: %cc %includes %s %dialects -o %t && %t | FileCheck %s
#include "builder.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/RegisterEverything.h>
#include <stdio.h>

static void print_text(MlirStringRef text, void *data) {
  fwrite(text.data, 1, text.length, data);
}

static MlirModule parse(MlirContext context, const char *text) {
  return mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
}

/* The entry block of the only function of `module`. */
static MlirBlock entry_of(MlirModule module) {
  MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  return mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
}

typedef void test_body(builder *b, const MlirValue *arguments);

static void run(MlirContext context, const char *title, test_body *body) {
  MlirModule module = parse(
      context, "func.func @f(%n: index, %x: index, %m: memref<?xi32>, %p: !llvm.ptr) {return}");
  builder *b = builder_create(context, mlirLocationUnknownGet(context));
  MlirBlock entry = entry_of(module);
  MlirValue arguments[4];
  for (int i = 0; i < 4; i++)
    arguments[i] = mlirBlockGetArgument(entry, i);
  builder_at_end(b, entry);
  body(b, arguments);
  builder_free(b);
  printf("// %s\n", title);
  mlirOperationPrint(mlirModuleGetOperation(module), print_text, stdout);
  printf("%s\n\n", mlirOperationVerify(mlirModuleGetOperation(module)) ? "valid" : "INVALID");
  mlirModuleDestroy(module);
}

static void use(builder *b, MlirValue v) {
  call(b, "use", (MlirType){NULL}, 1, &v);
}

// CHECK-LABEL: // nested loops
// CHECK: %[[S:[a-z0-9]+]] = scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %arg0 step %{{.*}} iter_args(%[[S0:[a-z0-9]+]] = %arg1) -> (index)
// CHECK:   %[[T:[a-z0-9]+]] = scf.for %[[J:[a-z0-9]+]] = %{{.*}} to %arg0 step %{{.*}} iter_args(%[[T0:[a-z0-9]+]] = %[[S0]]) -> (index)
// CHECK:     %[[C:[a-z0-9]+]] = arith.cmpi slt, %[[I]], %[[J]] : index
// CHECK:     %[[U:[a-z0-9]+]] = scf.if %[[C]] -> (index)
// CHECK:       %[[V:[a-z0-9]+]] = arith.addi %[[T0]], %arg0
// CHECK:       scf.yield %[[V]]
// CHECK:     else
// CHECK:       scf.yield %[[T0]]
// CHECK:     scf.yield %[[U]]
// CHECK:   scf.yield %[[T]]
// CHECK: call @use(%[[S]])
// CHECK: call @use(%arg0)
// CHECK: valid
static void nested_loops(builder *b, const MlirValue *a) {
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  variable sum = var_make(b, a[1]), untouched = var_make(b, a[0]);
  MlirValue i = for_begin(b, zero, a[0], one);
  MlirValue j = for_begin(b, zero, a[0], one);
  if_begin(b, less(b, i, j));
  var_set(b, sum, add(b, var_get(b, sum), var_get(b, untouched)));
  if_end(b);
  for_end(b);
  for_end(b);
  use(b, var_get(b, sum));
  use(b, var_get(b, untouched));
}

// LLVM leaves a plain loop as it is, and no other.
// CHECK-LABEL: // plain loops
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     call @use
// CHECK-NEXT: {{^ *}}} {loop_annotation = #loop_annotation}
// CHECK-NEXT: {{^ *}}}{{$}}
// CHECK: valid
static void plain_loops(builder *b, const MlirValue *a) {
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  for_begin(b, zero, a[0], one);
  use(b, for_begin_plain(b, zero, a[1], one));
  for_end(b);
  for_end(b);
}

// CHECK-LABEL: // loop that sets nothing
// CHECK-NOT: iter_args
// CHECK: call @use(%arg1)
// CHECK: valid
static void loop_without_variables(builder *b, const MlirValue *a) {
  variable x = var_make(b, a[1]);
  for_begin(b, constant_index(b, 0), a[0], constant_index(b, 1));
  variable local = var_make(b, var_get(b, x));
  var_set(b, local, a[0]);
  use(b, var_get(b, local));
  var_set(b, x, var_get(b, x));
  for_end(b);
  use(b, var_get(b, x));
}

// CHECK-LABEL: // while
// CHECK: %[[R:[a-z0-9]+]]:2 = scf.while (%[[P:[a-z0-9]+]] = %arg1, %[[Q:[a-z0-9]+]] = %{{.*}}) : (index, index) -> (index, index)
// CHECK:   arith.cmpi slt, %[[P]], %arg0
// CHECK:   scf.condition(%{{.*}}) %[[P]], %[[Q]] : index, index
// CHECK: ^bb0(%[[P1:[a-z0-9]+]]: index, %[[Q1:[a-z0-9]+]]: index):
// CHECK:   %[[P2:[a-z0-9]+]] = arith.addi %[[P1]], %
// CHECK:   %[[Q2:[a-z0-9]+]] = arith.addi %[[Q1]], %arg0
// CHECK:   scf.yield %[[P2]], %[[Q2]]
// CHECK: call @use(%[[R]]#1)
// CHECK: valid
static void while_loop(builder *b, const MlirValue *a) {
  variable p = var_make(b, a[1]), n = var_make(b, a[0]), q = var_make(b, constant_index(b, 7));
  while_begin(b);
  MlirValue more = less(b, var_get(b, p), var_get(b, n));
  while_do(b, more);
  var_set(b, p, add(b, var_get(b, p), constant_index(b, 1)));
  var_set(b, q, add(b, var_get(b, q), var_get(b, n)));
  while_end(b);
  use(b, var_get(b, q));
}

// CHECK-LABEL: // swap and agree
// CHECK: %[[R:[a-z0-9]+]]:2 = scf.if %{{.*}} -> (index, index)
// CHECK:   scf.yield %arg1, %arg0
// CHECK:   scf.yield %arg0, %arg1
// CHECK: call @use(%[[R]]#0)
// CHECK: call @use(%[[R]]#1)
// CHECK: call @use(%arg0)
// CHECK: valid
static void swap_and_agree(builder *b, const MlirValue *a) {
  variable x = var_make(b, a[0]), y = var_make(b, a[1]), z = var_make(b, a[1]);
  if_begin(b, less(b, a[0], a[1]));
  var_set(b, x, a[1]);
  var_set(b, y, a[0]);
  var_set(b, z, a[0]);
  if_else(b);
  var_set(b, z, a[0]);
  if_end(b);
  use(b, var_get(b, x));
  use(b, var_get(b, y));
  use(b, var_get(b, z));
}

// CHECK-LABEL: // parallel loop
// CHECK: scf.parallel (%[[I:[a-z0-9]+]]) = (%{{.*}}) to (%arg0) step (%{{.*}})
// CHECK:   %[[S:[a-z0-9]+]] = scf.for {{.*}} iter_args(%{{.*}} = %[[I]]) -> (index)
// CHECK:   call @use(%[[S]])
// CHECK:   scf.reduce
// CHECK: valid
static void parallel_loop(builder *b, const MlirValue *a) {
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  variable outside = var_make(b, a[1]);
  variable sum;
  MlirValue i = parallel_begin(b, zero, a[0], one);
  sum = var_make(b, i);
  MlirValue j = for_begin(b, zero, i, one);
  var_set(b, sum, add(b, var_get(b, sum), mul(b, j, var_get(b, outside))));
  for_end(b);
  use(b, var_get(b, sum));
  parallel_end(b);
}

// CHECK-LABEL: // folding
// CHECK-NOT: arith.addi
// CHECK-NOT: arith.muli
// CHECK: call @use(%arg0)
// CHECK: arith.shrsi %arg0
// CHECK: arith.andi %arg0
// CHECK: arith.constant -2 : index
// CHECK: valid
static void folding(builder *b, const MlirValue *a) {
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1), eight = constant_index(b, 8);
  use(b, add(b, mul(b, zero, a[1]), mul(b, a[0], one)));
  use(b, floor_div(b, a[0], eight));
  use(b, floor_mod(b, a[0], eight));
  use(b, floor_div(b, constant_index(b, -9), eight));
}

// CHECK-LABEL: // memory
// CHECK: %[[L:[a-z0-9]+]] = memref.load %arg2[%arg0] : memref<?xi32>
// CHECK: arith.index_castui %[[L]] : i32 to index
// CHECK: %[[G:[a-z0-9]+]] = llvm.getelementptr %arg3[32] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.load %[[G]] : !llvm.ptr -> !llvm.ptr
// CHECK: unrealized_conversion_cast %{{.*}} to memref<?xf64>
// CHECK: %[[T:[a-z0-9]+]] = llvm.mlir.addressof @lac_text_0
// CHECK: %[[U:[a-z0-9]+]] = llvm.mlir.addressof @lac_text_0
// CHECK: call @say(%[[T]], %[[U]])
// CHECK: llvm.getelementptr {{.*}}%arg3[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK: func.func private @say(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NOT: lac_text_1
// CHECK: valid
static void memory(builder *b, const MlirValue *a) {
  MlirType f64 = mlirF64TypeGet(builder_context(b));
  index_cast(b, load(b, a[2], a[0]), type_index(b));
  MlirValue data = load_field(b, a[3], 32, type_ptr(b));
  MlirValue values = memref_from_pointer(b, data, a[0], f64);
  MlirValue loaded = load(b, values, a[1]);
  store(b, combine(b, TIN_ADD, loaded, loaded, false), values, a[1]);
  MlirValue texts[] = {constant_text(b, "hello"), constant_text(b, "hello")};
  call(b, "say", type_i(b, 32), 2, texts);
  MlirValue cell = stack_array(b, type_i(b, 32), 1);
  store_field(b, constant_scalar(b, type_i(b, 32), 0), cell, 0);
  store_element(b, load_element(b, a[3], a[0], f64), a[3], a[1]);
}

// CHECK-LABEL: // reductions
// CHECK: arith.addf %{{.*}} fastmath<reassoc,contract> : f64
// CHECK: arith.constant 0xFFF0000000000000 : f64
// CHECK: arith.constant 127 : i8
// CHECK: arith.cmpf une
// CHECK: arith.ori
// CHECK: arith.uitofp
// CHECK: complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// CHECK: complex.mul
// CHECK: valid
static void reductions(builder *b, const MlirValue *a) {
  (void)a;
  MlirType f64 = mlirF64TypeGet(builder_context(b));
  MlirType c64 = mlirComplexTypeGet(mlirF32TypeGet(builder_context(b)));
  MlirValue x = constant_scalar(b, f64, 0.5);
  combine(b, TIN_ADD, x, x, false);
  constant_attr(b, combine_identity(b, TIN_MAX, f64));
  constant_attr(b, combine_identity(b, TIN_MIN, type_i(b, 8)));
  combine(b, TIN_OR, x, x, false);
  MlirValue one = constant_attr(b, combine_identity(b, TIN_MUL, c64));
  combine(b, TIN_MUL, one, one, true);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  run(context, "nested loops", nested_loops);
  run(context, "plain loops", plain_loops);
  run(context, "loop that sets nothing", loop_without_variables);
  run(context, "while", while_loop);
  run(context, "swap and agree", swap_and_agree);
  run(context, "parallel loop", parallel_loop);
  run(context, "folding", folding);
  run(context, "memory", memory);
  run(context, "reductions", reductions);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
}
