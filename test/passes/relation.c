// A relation that is registered from here, as docs/adding-a-relation.md says: i in the other
// direction (toy_reverse.h).  And what linear forms, and parts of parts, mean to foralls.
// RUN: %cc %includes -I%root/test/Inputs %s %passes -o %t && %t | FileCheck %s
#include "ir.h"
#include "provenance.h"
#include "register.h"
#include "toy_reverse.h"

#include <mlir-c/RegisterEverything.h>

#include <stdio.h>
#include <string.h>

/* ---- Walking ------------------------------------------------------------------------------ */

static const char program[] = "func.func @f(%n: index, %a: index, %b: index, %c: index) {return}\n"
                              "func.func @k(%x: tensor<?xf64>) -> tensor<?xf64> {\n"
                              "  %y = cin.kernel (%x) {\n"
                              "  ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>):\n"
                              "    %i = cin.index \"i\"\n"
                              "    %j = cin.index \"j\"\n"
                              "    RELATIONS\n"
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

static void step_into(provenance *graph, builder *b, MlirOperation kernel, const char *name,
                      MlirValue coordinate) {
  static const char *const kinds[] = {"count", "walk", "recover"};
  MlirValue variable = find(kernel, name), low, high;
  provenance_step step = provenance_next(graph, variable);
  printf("forall %s: %s%s\n", name, kinds[step.kind], step.whole ? " whole" : "");
  if (step.kind == PROVENANCE_WALK && !step.whole) {
    provenance_bounds(graph, b, step.known, &low, &high);
    use(b, "low", low);
    use(b, "high", high);
  }
  provenance_bind(graph, step.kind == PROVENANCE_WALK ? step.known : variable, coordinate);
  MlirValue guard = provenance_guard(graph, b, variable);
  if (!mlirValueIsNull(guard))
    use(b, "guard", guard);
}

static char *replace(arena *memory, const char *text, const char *word, const char *by) {
  const char *at = strstr(text, word);
  return arena_format(memory, "%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
}

static void run(MlirContext context, const char *title, const char *relations,
                const char *const *path) {
  arena *memory = arena_create();
  const char *text = replace(memory, program, "RELATIONS", relations);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  MlirOperation f = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation kernel = mlirBlockGetFirstOperation(op_block(mlirOperationGetNextInBlock(f), 0));
  MlirBlock entry = op_block(f, 0);
  printf("// %s\n", title);
  provenance *graph = provenance_create(memory, kernel);
  builder *b = builder_create(context, mlirLocationUnknownGet(context));
  builder_at_end(b, entry);
  provenance_set_extent(graph, find(kernel, "i"), mlirBlockGetArgument(entry, 0));
  provenance_set_extent(graph, find(kernel, "j"), mlirBlockGetArgument(entry, 1));
  provenance_emit_extents(graph, b, false);
  provenance_emit_extents(graph, b, true);
  for (int n = 0; path[n]; ++n)
    step_into(graph, b, kernel, path[n], mlirBlockGetArgument(entry, 2 + n % 2));
  printf("i is %sknown\n", provenance_is_known(graph, find(kernel, "i")) ? "" : "un");
  printf("%s goes through %s\n", path[0],
         provenance_space_text(memory, provenance_space(graph, find(kernel, path[0]))));
  use(b, "i", provenance_coordinate(graph, b, find(kernel, "i")));
  builder_free(b);
  mlirOperationPrint(f, print_text, stdout);
  printf("%s\n", mlirOperationVerify(mlirModuleGetOperation(module)) ? "valid" : "INVALID");
  mlirModuleDestroy(module);
  arena_free(memory);
}

// CHECK-LABEL: // reversed
// CHECK: forall r: recover
// CHECK: i is known
// CHECK: r goes through coordinates
// CHECK-NOT: call @guard
// CHECK: %[[LAST:.*]] = arith.subi %arg0, %c1
// CHECK: %[[I:.*]] = arith.subi %[[LAST]], %arg2
// CHECK: call @i(%[[I]])
// CHECK: valid
static const char *const reversed[] = {"r", NULL};

// Blocks of it: the guard of the split, then i.

// CHECK-LABEL: // reversed in blocks
// CHECK: forall r1: count
// CHECK: forall r0: recover
// CHECK: i is known
// CHECK: %[[IN:.*]] = arith.cmpi {{[us]}}lt, %[[R:.*]], %arg0
// CHECK: call @guard(%[[IN]])
// CHECK: arith.subi %{{.*}}, %[[R:.*]]
// CHECK: valid
static const char *const reversed_blocks[] = {"r1", "r0", NULL};

// CHECK-LABEL: // positions
// CHECK: r goes through positions of level 1
// CHECK: valid

// k = 2 i + j: i where j is in bounds, and then j is.

// CHECK-LABEL: // linear
// CHECK: forall k: walk whole
// CHECK: forall i: walk
// CHECK: i is known
// CHECK: %[[LAST:.*]] = arith.subi %arg1, %c1
// CHECK: %[[LEAST:.*]] = arith.subi %arg2, %[[LAST]]
// CHECK: %[[END:.*]] = arith.addi %{{.*}}, %[[LEAST]]
// CHECK: call @low
// CHECK: call @high
// CHECK-NOT: call @guard
// CHECK: valid
static const char *const form_first[] = {"k", "i", NULL};

// j first: i only where 2 divides what is left of k.

// CHECK-LABEL: // linear, divided
// CHECK: forall k: walk whole
// CHECK: forall j: walk
// CHECK: i is known
// CHECK: call @low
// CHECK: %[[LEFT:.*]] = arith.subi %arg2, %arg3
// CHECK: %[[REST:.*]] = arith.andi %[[LEFT]], %c1
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: call @guard(%[[WHOLE]])
// CHECK: valid
static const char *const form_divided[] = {"k", "j", NULL};

// k = j - 2 i + 9, a subscript: it is what it says, not counted from its least.

// CHECK-LABEL: // value
// CHECK: forall k: walk whole
// CHECK: forall j: walk
// CHECK: i is known
// CHECK: arith.subi %arg1, %c-9
// CHECK: arith.subi %arg2, %c9
// CHECK: valid

// i floordiv 16, (i floordiv 4) mod 4, i mod 4: i floordiv 4 follows from the first two.

// CHECK-LABEL: // digits
// CHECK: forall q: walk whole
// CHECK: forall m: walk whole
// CHECK: forall r: walk whole
// CHECK: i is known
// CHECK: arith.muli %arg2, %c4
// CHECK: call @guard
// CHECK: call @guard
// CHECK: call @i
// CHECK: valid
static const char *const digits[] = {"q", "m", "r", NULL};

int main(void) {
  static const char reverse[] =
      "%r = \"toy.reverse\"(%i) {name = \"r\"} : (!cin.index) -> !cin.index";
  static const char blocks[] =
      "%r = \"toy.reverse\"(%i) {name = \"r\"} : (!cin.index) -> !cin.index\n"
      "%r0, %r1 = cin.split %r by 32 (\"r0\", \"r1\")";
  static const char level[] =
      "%r = \"toy.reverse\"(%i) {name = \"r\", level = 1} : (!cin.index) -> !cin.index";
  static const char form[] = "%k = cin.remap(%i, %j) by affine_map<(i, j) -> (2 * i + j)>(\"k\")";
  static const char value[] =
      "%k = cin.remap(%i, %j) by affine_map<(i, j) -> (j - 2 * i + 9)>(\"k\") value";
  static const char parts[] = "%q = cin.remap(%i) by affine_map<(i) -> (i floordiv 16)>(\"q\")\n"
                              "%p = cin.remap(%i) by affine_map<(i) -> (i floordiv 4)>(\"p\")\n"
                              "%m = cin.remap(%p) by affine_map<(p) -> (p mod 4)>(\"m\")\n"
                              "%r = cin.remap(%i) by affine_map<(i) -> (i mod 4)>(\"r\")";
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  lacuna_register_dialects(registry);
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  relation_register(&reverse_relation);
  run(context, "reversed", reverse, reversed);
  run(context, "reversed in blocks", blocks, reversed_blocks);
  run(context, "positions", level, reversed);
  run(context, "linear", form, form_first);
  run(context, "linear, divided", form, form_divided);
  run(context, "value", value, form_divided);
  run(context, "digits", parts, digits);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
