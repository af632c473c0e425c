// What foralls over derived variables mean: extents, bounds, recovery and guards of splits, nested
// ones and reordered ones included.
// RUN: %cc %includes -I%root/test/Inputs %s %root/passes/relations/*.c %dialects -o %t && %t | FileCheck %s
#include "relation_test.h"

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

/* The foralls of `path` in turn, each variable bound to a value of its own. */
static void walk(relation_test *t, const char *const *path) {
  static const char *const kinds[] = {"count", "walk", "recover"};
  MlirValue root = find(t->kernel, "i");
  for (int n = 0; path[n]; ++n) {
    MlirValue variable = find(t->kernel, path[n]), low, high;
    provenance_step step = provenance_next(t->graph, variable);
    printf("forall %s: %s%s\n", path[n], kinds[step.kind], step.whole ? " whole" : "");
    if (step.kind == PROVENANCE_WALK) {
      provenance_bounds(t->graph, t->b, step.known, &low, &high);
      use(t->b, "low", low);
      use(t->b, "high", high);
      provenance_bind(t->graph, root, argument(t, 1 + n));
    } else {
      use(t->b, "extent", provenance_extent(t->graph, t->b, variable));
      provenance_bind(t->graph, variable, argument(t, 1 + n));
    }
  }
  MlirValue guard = provenance_guard(t->graph, t->b, root);
  use(t->b, "coordinate", provenance_coordinate(t->graph, t->b, root));
  if (mlirValueIsNull(guard))
    printf("no guard\n");
  else
    use(t->b, "guard", guard);
}

static void run(MlirContext context, const char *title, const char *extent, const char *by,
                const char *relation, const char *const *path) {
  arena *memory = arena_create();
  const char *text = replace(memory, replace(memory, program, "EXTENT", extent), "SPLIT", by);
  text = replace(memory, text, "RELATION", relation);
  relation_test t = relation_test_begin(context, title, memory, text);
  provenance_set_extent(t.graph, find(t.kernel, "i"), argument(&t, 0));
  relation_test_extents(&t);
  walk(&t, path);
  relation_test_end(&t);
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
  test_context c = test_context_begin();
  run(c.context, "blocks", "", "by", "", blocks);
  run(c.context, "strides", "", "by", "", strides);
  run(c.context, "divided", "extent 128", "by", "", blocks);
  run(c.context, "divided strides", "extent 128", "by", "", strides);
  run(c.context, "nested", "", "by", split, nested);
  run(c.context, "nested strides", "", "by", split, nested_strides);
  run(c.context, "pieces", "", "up by", "", blocks);
  run(c.context, "strided pieces", "", "up by", "", strides);
  run(c.context, "divided pieces", "extent 128", "up by", "", blocks);
  test_context_end(c);
  return 0;
}
