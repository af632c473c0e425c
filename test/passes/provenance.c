// What foralls over derived variables mean: extents, bounds, recovery and guards of splits, nested
// ones and reordered ones included.
// RUN: %cc %includes %s %root/passes/relations/*.c %dialects -o %t && %t | FileCheck %s
#include "provenance.h"
#include "ir.h"
#include "register.h"

#include <mlir-c/RegisterEverything.h>

#include <stdio.h>
#include <string.h>

static const char program[] = "func.func @f(%n: index, %a: index, %b: index, %c: index) {return}\n"
                              "func.func @k(%x: tensor<?xf64>) -> tensor<?xf64> {\n"
                              "  %y = cin.kernel (%x) {\n"
                              "  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):\n"
                              "    %i = cin.index \"i\" EXTENT\n"
                              "    %i0, %i1 = cin.split %i SPLIT 32 (\"i0\", \"i1\")\n"
                              "    RELATION\n"
                              "  } : (tensor<?xf64>) -> tensor<?xf64>\n"
                              "  return %y : tensor<?xf64>\n"
                              "}\n";

static void print_text(MlirStringRef text, void *data) {
  fwrite(text.data, 1, text.length, data);
}

static void use(builder *b, const char *what, MlirValue v) {
  call(b, what, (MlirType){NULL}, 1, &v);
}

static MlirValue find(MlirOperation kernel, const char *name) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (text_is(provenance_name(mlirOperationGetResult(op, i)), name))
        return mlirOperationGetResult(op, i);
  return (MlirValue){NULL};
}

/* The foralls of `path` in turn, each variable bound to a value of its own. */
static void walk(provenance *graph, builder *b, MlirOperation kernel, const char *const *path,
                 const MlirValue *coordinates) {
  static const char *const kinds[] = {"count", "walk", "recover"};
  MlirValue root = find(kernel, "i");
  for (; *path; ++path, ++coordinates) {
    MlirValue variable = find(kernel, *path), low, high;
    provenance_step step = provenance_next(graph, variable);
    printf("forall %s: %s%s\n", *path, kinds[step.kind], step.whole ? " whole" : "");
    if (step.kind == PROVENANCE_WALK) {
      provenance_bounds(graph, b, step.known, &low, &high);
      use(b, "low", low);
      use(b, "high", high);
      provenance_bind(graph, root, *coordinates);
    } else {
      use(b, "extent", provenance_extent(graph, b, variable));
      provenance_bind(graph, variable, *coordinates);
    }
  }
  MlirValue guard = provenance_guard(graph, b, root);
  use(b, "coordinate", provenance_coordinate(graph, b, root));
  if (mlirValueIsNull(guard))
    printf("no guard\n");
  else
    use(b, "guard", guard);
}

static char *replace(arena *memory, const char *text, const char *word, const char *by) {
  const char *at = strstr(text, word);
  return arena_format(memory, "%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
}

static void run(MlirContext context, const char *title, const char *extent, const char *by,
                const char *relation, const char *const *path) {
  arena *memory = arena_create();
  const char *text = replace(memory, replace(memory, program, "EXTENT", extent), "SPLIT", by);
  text = replace(memory, text, "RELATION", relation);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  MlirOperation f = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation k = mlirOperationGetNextInBlock(f);
  MlirOperation kernel = mlirBlockGetFirstOperation(op_block(k, 0));
  MlirBlock entry = op_block(f, 0);
  MlirValue arguments[4];
  for (int i = 0; i < 4; i++)
    arguments[i] = mlirBlockGetArgument(entry, i);
  printf("// %s\n", title);
  provenance *graph = provenance_create(memory, kernel);
  builder *b = builder_create(context, mlirLocationUnknownGet(context));
  builder_at_end(b, entry);
  provenance_set_extent(graph, find(kernel, "i"), arguments[0]);
  provenance_emit_extents(graph, b, false);
  provenance_emit_extents(graph, b, true);
  walk(graph, b, kernel, path, arguments + 1);
  builder_free(b);
  mlirOperationPrint(f, print_text, stdout);
  printf("%s\n", mlirOperationVerify(mlirModuleGetOperation(module)) ? "valid" : "INVALID");
  mlirModuleDestroy(module);
  arena_free(memory);
}

// CHECK-LABEL: // blocks
// CHECK: forall i0: count
// CHECK: forall i1: walk
// CHECK: no guard
// CHECK: %[[N:.*]] = arith.addi %arg0, %c31
// CHECK: %[[E:.*]] = arith.shr{{[us]}}i %[[N]], %c5
// CHECK: call @extent(%[[E]])
// CHECK: %[[LOW:.*]] = arith.muli %arg1, %c32
// CHECK: %[[END:.*]] = arith.addi %[[LOW]], %c32
// CHECK: %[[HIGH:.*]] = arith.min{{[us]}}i %[[END]], %arg0
// CHECK: call @low(%[[LOW]])
// CHECK: call @high(%[[HIGH]])
// CHECK: call @coordinate(%arg2)
// CHECK: valid
static const char *const blocks[] = {"i0", "i1", NULL};

// CHECK-LABEL: // strides
// CHECK: forall i1: count
// CHECK: forall i0: recover
// CHECK: call @extent(%c32
// CHECK: %[[BASE:.*]] = arith.muli %arg2, %c32
// CHECK: %[[I:.*]] = arith.addi %[[BASE]], %arg1
// CHECK: %[[IN:.*]] = arith.cmpi {{[us]}}lt, %[[I]], %arg0
// CHECK: call @coordinate
// CHECK: call @guard(%[[IN]])
// CHECK: valid
static const char *const strides[] = {"i1", "i0", NULL};

// A size that the split divides: no cut, no guard.

// CHECK-LABEL: // divided
// CHECK: no guard
// CHECK: call @extent(%c4
// CHECK-NOT: arith.min
// CHECK: valid
// CHECK-LABEL: // divided strides
// CHECK: forall i0: recover
// CHECK: no guard
// CHECK: valid

// Blocks of blocks: the inner one may start past the end, and is empty then.

// CHECK-LABEL: // nested
// CHECK: forall i0: count
// CHECK: forall i2: count
// CHECK: forall i3: walk
// CHECK: call @extent(%c7
// CHECK: arith.min{{[us]}}i %{{.*}}, %c32
// CHECK: %[[CUT:.*]] = arith.min{{[us]}}i %{{.*}}, %arg0
// CHECK: %[[HIGH:.*]] = arith.max{{[us]}}i %[[CUT]], %[[LOW:[^ ]*]]
// CHECK: call @low(%[[LOW]])
// CHECK: call @high(%[[HIGH]])
// CHECK: valid
static const char *const nested[] = {"i0", "i2", "i3", NULL};

// CHECK-LABEL: // nested strides
// CHECK: forall i3: count
// CHECK: forall i2: count
// CHECK: forall i0: recover
// CHECK: %[[A:.*]] = arith.cmpi {{[us]}}lt, %{{.*}}, %c32
// CHECK: %[[B:.*]] = arith.cmpi {{[us]}}lt, %{{.*}}, %arg0
// CHECK: %[[G:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: call @guard(%[[G]])
// CHECK: valid
static const char *const nested_strides[] = {"i3", "i2", "i0", NULL};

// So many pieces, of a size that is known where the code runs.

// CHECK-LABEL: // pieces
// CHECK: forall i0: count
// CHECK: forall i1: walk
// CHECK: no guard
// CHECK: %[[E:.*]] = arith.max{{[us]}}i %{{.*}}, %c1
// CHECK: call @extent(%c32
// CHECK: %[[LOW:.*]] = arith.muli %arg1, %[[E]]
// CHECK: %[[END:.*]] = arith.addi %[[LOW]], %[[E]]
// CHECK: %[[CUT:.*]] = arith.min{{[us]}}i %[[END]], %arg0
// CHECK: %[[HIGH:.*]] = arith.max{{[us]}}i %[[CUT]], %[[LOW]]
// CHECK: call @low(%[[LOW]])
// CHECK: call @high(%[[HIGH]])
// CHECK: valid
// CHECK-LABEL: // strided pieces
// CHECK: forall i1: count
// CHECK: forall i0: recover
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %arg1
// CHECK: %[[IN:.*]] = arith.cmpi {{[us]}}lt, %[[I]], %arg0
// CHECK: call @guard(%[[IN]])
// CHECK: valid
// CHECK-LABEL: // divided pieces
// CHECK: forall i1: walk
// CHECK: no guard
// CHECK: %[[LOW:.*]] = arith.muli %arg1, %c4
// CHECK: call @low(%[[LOW]])
// CHECK: valid

int main(void) {
  static const char split[] = "%i2, %i3 = cin.split %i1 by 5 (\"i2\", \"i3\")";
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  lacuna_register_dialects(registry);
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  run(context, "blocks", "", "by", "", blocks);
  run(context, "strides", "", "by", "", strides);
  run(context, "divided", "extent 128", "by", "", blocks);
  run(context, "divided strides", "extent 128", "by", "", strides);
  run(context, "nested", "", "by", split, nested);
  run(context, "nested strides", "", "by", split, nested_strides);
  run(context, "pieces", "", "up by", "", blocks);
  run(context, "strided pieces", "", "up by", "", strides);
  run(context, "divided pieces", "extent 128", "up by", "", blocks);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
