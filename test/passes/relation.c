// A relation that is registered from here, as docs/adding-a-relation.md says: i in the other
// direction (toy_reverse.h).  And what linear forms, and parts of parts, mean to foralls.
// RUN: %cc %includes -I%root/test/Inputs %s %passes -o %t && %t | FileCheck %s
#include "relation_test.h"
#include "toy_reverse.h"

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

static void step_into(relation_test *t, const char *name, MlirValue coordinate) {
  static const char *const kinds[] = {"count", "walk", "recover"};
  MlirValue variable = find(t->kernel, name), low, high;
  provenance_step step = provenance_next(t->graph, variable);
  printf("forall %s: %s%s\n", name, kinds[step.kind], step.whole ? " whole" : "");
  if (step.kind == PROVENANCE_WALK && !step.whole) {
    provenance_bounds(t->graph, t->b, step.known, &low, &high);
    use(t->b, "low", low);
    use(t->b, "high", high);
  }
  provenance_bind(t->graph, step.kind == PROVENANCE_WALK ? step.known : variable, coordinate);
  MlirValue guard = provenance_guard(t->graph, t->b, variable);
  if (!mlirValueIsNull(guard))
    use(t->b, "guard", guard);
}

static void run(MlirContext context, const char *title, const char *relations,
                const char *const *path) {
  arena *memory = arena_create();
  relation_test t =
      relation_test_begin(context, title, memory, replace(memory, program, "RELATIONS", relations));
  MlirValue i = find(t.kernel, "i");
  provenance_set_extent(t.graph, i, argument(&t, 0));
  provenance_set_extent(t.graph, find(t.kernel, "j"), argument(&t, 1));
  relation_test_extents(&t);
  for (int n = 0; path[n]; ++n)
    step_into(&t, path[n], argument(&t, 2 + n % 2));
  printf("i is %sknown\n", provenance_is_known(t.graph, i) ? "" : "un");
  printf("%s goes through %s\n", path[0],
         provenance_space_text(memory, provenance_space(t.graph, find(t.kernel, path[0]))));
  use(t.b, "i", provenance_coordinate(t.graph, t.b, i));
  relation_test_end(&t);
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

// A window of k = i + j: where a block of i is known, k goes as far as that and j reach.

// CHECK-LABEL: // window
// CHECK: forall i0: count
// CHECK: forall k: walk{{$}}
// CHECK: forall j: walk{{$}}
// CHECK: i is known
// CHECK: %[[START:.*]] = arith.muli %arg2, %c8
// CHECK: call @low
// CHECK: call @high
// CHECK: valid
static const char *const window_first[] = {"i0", "k", "j", NULL};

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
  static const char window[] =
      "%i0, %i1 = cin.split %i by 8 (\"i0\", \"i1\")\n"
      "%k = cin.remap(%i, %j) by affine_map<(i, j) -> (i + j)>(\"k\")\n"
      "%s = cin.window %k at (%i0) by affine_map<(u) -> (u * 8)> over (%i1, %j) by "
      "affine_map<(v, j) -> (v + j)>(\"s\")";
  static const char parts[] = "%q = cin.remap(%i) by affine_map<(i) -> (i floordiv 16)>(\"q\")\n"
                              "%p = cin.remap(%i) by affine_map<(i) -> (i floordiv 4)>(\"p\")\n"
                              "%m = cin.remap(%p) by affine_map<(p) -> (p mod 4)>(\"m\")\n"
                              "%r = cin.remap(%i) by affine_map<(i) -> (i mod 4)>(\"r\")";
  test_context c = test_context_begin();
  relation_register(&reverse_relation);
  run(c.context, "reversed", reverse, reversed);
  run(c.context, "reversed in blocks", blocks, reversed_blocks);
  run(c.context, "positions", level, reversed);
  run(c.context, "linear", form, form_first);
  run(c.context, "linear, divided", form, form_divided);
  run(c.context, "value", value, form_divided);
  run(c.context, "digits", parts, digits);
  run(c.context, "window", window, window_first);
  test_context_end(c);
  return 0;
}
