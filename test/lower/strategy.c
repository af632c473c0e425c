// A strategy that is registered from here, as docs/adding-a-strategy.md says: the least coordinate
// of many levels by a tournament, each match played once.  Chosen, kept, left off.
// RUN: %cc %includes -I%root/lower/cpu -I%root/lower/iterate %s %lower -o %t && %t | FileCheck %s
#include "strategy.h"
#include "bridge.h"
#include "register.h"
#include "sit.h"

#include <mlir-c/RegisterEverything.h>

#include <stdio.h>

/* ---- The strategy ------------------------------------------------------------------------- */

enum { FEWEST = 3 };

static bool choose_tournament(const walked *w, int64_t *number) {
  *number = w->level_count - set_size(w->located);
  return walked_merges(w) && !w->whole && *number >= FEWEST;
}

static const strategy tournament_strategy = {
    .name = "tournament",
    .words = "plays a tournament for the least coordinate",
    .choose = choose_tournament,
    .has_number = true,
};

/* ---- Three levels merged ------------------------------------------------------------------ */

static const char program[] =
    "#V = #tin.format<(i) -> (i : compressed)>\n"
    "func.func @f(%b: tensor<?xf64, #V>) -> tensor<f64> {\n"
    "  %a = sit.kernel (%b) {\n"
    "  ^bb0(%B: tensor<?xf64, #V>, %A: tensor<f64>):\n"
    "    sit.result %A[] : tensor<f64>\n"
    "    sit.coiterate %B level 0, %B level 0, %B level 0 named \"i\"\n"
    "        : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V> {\n"
    "    case (0, 1, 2) as (%i, %p, %q, %r) {}\n"
    "    }\n"
    "    sit.coiterate %B level 0, %B level 0 named \"j\" : tensor<?xf64, #V>, tensor<?xf64, #V> "
    "{\n"
    "    case (0, 1) as (%i, %p, %q) {}\n"
    "    }\n"
    "    sit.coiterate %B level 0, %B level 0, %B level 0 named \"k\" strategies {}\n"
    "        : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V> {\n"
    "    case (0, 1, 2) as (%i, %p, %q, %r) {}\n"
    "    }\n"
    "    sit.finish %A : tensor<f64>\n"
    "  } : (tensor<?xf64, #V>) -> tensor<f64>\n"
    "  return %a : tensor<f64>\n"
    "}\n";

static void print_text(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

static void run(MlirContext context, const char *off) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(program));
  struct sit_choose_strategies_options options = {.bits = 512, .off = off};
  printf("// off: %s\n", off);
  if (sit_choose_strategies_run(mlirModuleGetOperation(module), &options))
    puts("refused");
  mlirOperationPrint(mlirModuleGetOperation(module), print_text, stdout);
  mlirModuleDestroy(module);
}

// CHECK: tournament: plays a tournament for the least coordinate
// CHECK-LABEL: // off: nothing
// CHECK: refused
// CHECK-LABEL: // off: search
// CHECK: named "i" strategies {tournament = 3}
// CHECK: named "j" strategies {blocks}
// CHECK: named "k" strategies {} :
// CHECK-LABEL: // off: tournament, blocks
// CHECK: named "i" strategies {search}
// CHECK: named "j" strategies {search}
int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  lacuna_register_dialects(registry);
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  strategy_register(&tournament_strategy);
  printf("tournament: %s\n", strategy_words(mlirStringRefCreateFromCString("tournament")));
  run(context, "nothing");
  run(context, "search");
  run(context, "tournament, blocks");
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
