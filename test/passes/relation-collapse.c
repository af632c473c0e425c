// What foralls over collapsed variables, over coordinates within pieces of positions, and over
// variables with an end that is told mean: extents, bounds, recovery and guards.
// RUN: %cc %includes -I%root/test/Inputs %s %lower -o %t && %t | FileCheck %s
#include "relation_test.h"

static const char program[] =
    "#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>\n"
    "func.func @f(%n: index, %m: index, %a: index, %b: index, %c: index) {return}\n"
    "func.func @k(%x: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {\n"
    "  %y = cin.kernel (%x) {\n"
    "  ^bb0(%X: tensor<?x?xf64, #CSR>, %Y: tensor<?xf64>):\n"
    "    %i = cin.index \"i\"\n"
    "    %j = cin.index \"j\"\n"
    "    RELATIONS\n"
    "  } : (tensor<?x?xf64, #CSR>) -> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n"
    "}\n";

/* ---- Levels: values of functions ---------------------------------------------------------- */

static MlirValue level_count(void *owner, relation_space at) {
  (void)at;
  return call(owner, "count", type_index(owner), 0, NULL);
}

static interval level_positions(void *owner, relation_space at, MlirValue variable) {
  (void)at, (void)variable;
  return (interval){call(owner, "begin", type_index(owner), 0, NULL),
                    call(owner, "end", type_index(owner), 0, NULL)};
}

static MlirValue level_coordinate(void *owner, relation_space at, MlirValue variable,
                                  MlirValue position) {
  (void)at, (void)variable;
  return call(owner, "coordinate", type_index(owner), 1, &position);
}

static MlirValue level_parents(void *owner, relation_space at, MlirValue position) {
  (void)at;
  return call(owner, "parents", type_index(owner), 1, &position);
}

/* ---- Foralls ------------------------------------------------------------------------------ */

static void step_into(relation_test *t, const char *name, MlirValue coordinate) {
  static const char *const kinds[] = {"count", "walk", "recover"};
  MlirValue variable = find(t->kernel, name), low, high;
  provenance_step step = provenance_next(t->graph, variable);
  printf("forall %s: %s%s, %s\n", name, kinds[step.kind], step.whole ? " whole" : "",
         provenance_is_bounded(t->graph, variable) ? "bounded" : "all");
  MlirValue visited = step.kind == PROVENANCE_WALK ? step.known : variable;
  if (step.kind == PROVENANCE_WALK ? !step.whole : provenance_is_bounded(t->graph, variable)) {
    provenance_bounds(t->graph, t->b, visited, &low, &high);
    use(t->b, "low", low);
    use(t->b, "high", high);
  }
  provenance_bind(t->graph, visited, coordinate);
  MlirValue guard = provenance_guard(t->graph, t->b, variable);
  if (!mlirValueIsNull(guard))
    use(t->b, "guard", guard);
}

static void run(MlirContext context, const char *title, const char *relations,
                const char *const *path) {
  arena *memory = arena_create();
  relation_test t =
      relation_test_begin(context, title, memory, replace(memory, program, "RELATIONS", relations));
  provenance_levels levels = {t.b, level_count, level_positions, level_coordinate, level_parents};
  MlirValue j = find(t.kernel, "j");
  provenance_set_levels(t.graph, &levels);
  provenance_set_extent(t.graph, find(t.kernel, "i"), argument(&t, 0));
  provenance_set_extent(t.graph, j, argument(&t, 1));
  relation_test_extents(&t);
  use(t.b, "extent", provenance_extent(t.graph, t.b, find(t.kernel, path[0])));
  for (int n = 0; path[n]; ++n)
    step_into(&t, path[n], argument(&t, 2 + n));
  if (provenance_is_known(t.graph, j))
    use(t.b, "j", provenance_coordinate(t.graph, t.b, j));
  relation_test_end(&t);
}

// f = i M + j: foralls over i and f are those over i and j.

// CHECK-LABEL: // collapsed
// CHECK: forall f: walk whole, bounded
// CHECK: call @j(%arg3)
// CHECK: valid
static const char *const collapsed[] = {"i", "f", NULL};

// Pieces of f: the i that a piece has some of, from a division; and of each what is left of j.

// CHECK-LABEL: // pieces
// CHECK: forall f0: count, all
// CHECK: forall i: walk, bounded
// CHECK: forall f1: walk, all
// CHECK: %[[ALL:.*]] = arith.muli %arg0, %arg1
// CHECK: %[[BEGIN:.*]] = arith.muli %arg2, %c8
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %[[ALL]]
// CHECK: %[[FROM:.*]] = arith.maxsi %c0{{.*}}, %[[BEGIN]]
// CHECK: %[[TO:.*]] = arith.maxsi %c0{{.*}}, %[[END]]
// CHECK: %[[LOW:.*]] = arith.floordivsi %[[FROM]], %[[M:.*]] :
// CHECK: %[[LAST:.*]] = arith.ceildivsi %[[TO]], %[[M]]
// CHECK: arith.minsi %[[LAST]], %arg0
// CHECK: call @low(%[[LOW]])
// CHECK: %[[BASE:.*]] = arith.muli %arg3, %arg1
// CHECK: arith.subi %{{.*}}, %[[BASE]]
// CHECK: arith.subi %{{.*}}, %[[BASE]]
// CHECK: arith.minsi %{{.*}}, %arg1
// CHECK: call @low
// CHECK-NOT: call @guard
// CHECK: call @j(%arg4)
// CHECK: valid
static const char *const pieces[] = {"f0", "i", "f1", NULL};

// f in strides: j is recovered, and guarded.

// CHECK-LABEL: // strided
// CHECK: forall f0: recover, bounded
// CHECK: %[[BASE:.*]] = arith.muli %arg3, %arg1
// CHECK: arith.addi %[[BASE]], %arg1
// CHECK: %[[F:.*]] = arith.addi %{{.*}}, %arg2
// CHECK: %[[J:.*]] = arith.subi %{{.*}}, %{{.*}}
// CHECK: %[[ABOVE:.*]] = arith.cmpi sle, %c0{{.*}}, %[[J]]
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[J]], %arg1
// CHECK: %[[IN:.*]] = arith.andi %[[ABOVE]], %[[BELOW]]
// CHECK: arith.andi %{{.*}}, %[[IN]]
// CHECK: call @guard
// CHECK: valid
static const char *const strided[] = {"f1", "i", "f0", NULL};

// Pieces of equal numbers of entries; the coordinates of each, from what stands before its first
// entry to its last.

// CHECK-LABEL: // coordinates
// CHECK: forall p0: count, all
// CHECK: forall i: walk, bounded
// CHECK: forall c: walk, bounded
// CHECK: %[[COUNT:.*]] = call @count
// CHECK: %[[POSITIONS:.*]] = arith.addi %[[COUNT]], %c1
// CHECK: %[[LOW:.*]] = arith.muli %arg2, %c8
// CHECK: call @parents(%[[LOW]])
// CHECK: call @high
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %c1
// CHECK: %[[FIRST:.*]] = call @coordinate(%[[BEFORE]])
// CHECK: %[[FROM:.*]] = arith.addi %[[FIRST]], %c1
// CHECK: %[[LAST:.*]] = call @coordinate
// CHECK: call @low(%[[FROM]])
// CHECK: call @high
// CHECK: call @j(%arg4)
// CHECK: valid
static const char *const coordinates[] = {"p0", "i", "c", NULL};

// An end that is told: a constant where it is exact, and no guard where it is divided.

// CHECK-LABEL: // exact
// CHECK: forall b: walk whole, all
// CHECK: call @extent(%c64
// CHECK: call @j(%arg2)
// CHECK: valid
static const char *const bounded[] = {"b", NULL};

// CHECK-LABEL: // exact blocks
// CHECK: forall b0: count, all
// CHECK: forall b1: walk, all
// CHECK: call @extent(%c8
// CHECK-NOT: arith.minsi
// CHECK: call @low
// CHECK: valid
static const char *const bounded_blocks[] = {"b0", "b1", NULL};

// CHECK-LABEL: // exact strides
// CHECK: forall b0: recover, all
// CHECK-NOT: call @guard
// CHECK: valid

// A greatest end is not one: what there is of j says.

// CHECK-LABEL: // loose strides
// CHECK: forall b0: recover, all
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %arg1
// CHECK: call @guard(%[[IN]])
// CHECK: valid
static const char *const bounded_strides[] = {"b1", "b0", NULL};

int main(void) {
  static const char all[] = "%f = cin.collapse %j under %i (\"f\")";
  static const char split[] = "%f = cin.collapse %j under %i (\"f\")\n"
                              "%f0, %f1 = cin.split %f by 8 (\"f0\", \"f1\")";
  static const char coord[] =
      "%p = cin.pos %j in %X level 1 under %i (\"p\") : tensor<?x?xf64, #CSR>\n"
      "%p0, %p1 = cin.split %p by 8 (\"p0\", \"p1\")\n"
      "%c = cin.coord %p1 of %j under %p0 (\"c\")";
  static const char exact[] = "%b = cin.bound %j max_exact 64 (\"b\")";
  static const char exact_blocks[] = "%b = cin.bound %j max_exact 64 (\"b\")\n"
                                     "%b0, %b1 = cin.split %b by 8 (\"b0\", \"b1\")";
  static const char loose_blocks[] = "%b = cin.bound %j max_constraint 64 (\"b\")\n"
                                     "%b0, %b1 = cin.split %b by 8 (\"b0\", \"b1\")";
  test_context c = test_context_begin();
  run(c.context, "collapsed", all, collapsed);
  run(c.context, "pieces", split, pieces);
  run(c.context, "strided", split, strided);
  run(c.context, "coordinates", coord, coordinates);
  run(c.context, "exact", exact, bounded);
  run(c.context, "exact blocks", exact_blocks, bounded_blocks);
  run(c.context, "exact strides", exact_blocks, bounded_strides);
  run(c.context, "loose strides", loose_blocks, bounded_strides);
  test_context_end(c);
  return 0;
}
