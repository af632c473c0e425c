/* The table of statistics, and their counters. */
#include "statistics.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

static const struct {
  const char *pass, *name, *description;
} table[STATISTICS] = {
    [STATISTIC_REMAPPED_CONVERTED] = {"tin-convert-remapped", "operands-converted",
                                      "Operands converted, since no loops go through their levels"},
    [STATISTIC_REDUCTIONS_FACTORED] = {"tin-factor-reductions", "sums-factored",
                                       "Sums that factors were taken out of"},
    [STATISTIC_REDUCTIONS_SPLIT] = {"tin-split-terms", "reductions-split-off",
                                    "Reductions computed before, into temporaries"},
    [STATISTIC_CONVERSIONS] = {"tin-insert-conversions", "conversions", "Operands converted"},
    [STATISTIC_ORDER_CONVERSIONS] = {"cin-insert-conversions", "conversions",
                                     "Operands and results converted for the order of the loops"},
    [STATISTIC_LOOPS_ON_LANES] = {"cin-vectorize", "loops-on-lanes", "Foralls put on SIMD lanes"},
    [STATISTIC_LOOPS_TILED] = {"cin-tile", "loops-tiled", "Foralls split into tiles"},
    [STATISTIC_WORKSPACES] = {"cin-insert-workspaces", "workspaces", "Workspaces inserted"},
    [STATISTIC_LOOPS_ON_THREADS] = {"cin-parallelize", "loops-on-threads",
                                    "Foralls dealt out to threads"},
    [STATISTIC_LOOPS_ON_GPU] = {"cin-parallelize", "loops-on-gpu",
                                "Foralls dealt out to units of a GPU"},
    [STATISTIC_LOOPS_UNROLLED] = {"cin-unroll", "loops-unrolled",
                                  "Foralls over the coordinates of a window unrolled"},
    [STATISTIC_WALKS] = {"sparsify", "walks", "Walks of levels together"},
    [STATISTIC_LATTICE_POINTS] = {"sparsify", "lattice-points", "Points of their merge lattices"},
    [STATISTIC_GUARDS_HOISTED] = {"sparsify", "guards-hoisted",
                                  "Tests for whole blocks in place of one for each coordinate"},
    [STATISTIC_STRATEGIES] = {"sit-choose-strategies", "strategies", "Strategies chosen for walks"},
    [STATISTIC_KERNELS] = {"lower-sit", "kernels", "Kernels lowered"},
};

static _Atomic int64_t counts[STATISTICS];

void statistic_add(statistic which, int64_t count) {
  atomic_fetch_add_explicit(&counts[which], count, memory_order_relaxed);
}

void statistics_print(FILE *out) {
  const char *pass = "";
  for (int s = 0; s < STATISTICS; s++) {
    int64_t count = atomic_load_explicit(&counts[s], memory_order_relaxed);
    if (!count)
      continue;
    if (strcmp(pass, table[s].pass) != 0)
      fprintf(out, "%s\n", table[s].pass);
    pass = table[s].pass;
    fprintf(out, "  (S) %" PRId64 " %s - %s\n", count, table[s].name, table[s].description);
  }
}
