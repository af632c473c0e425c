/* statistics.h - what passes count, for `sparse-opt --mlir-pass-statistics`.
 *
 * MLIR's own statistics are compiled out of LLVM as it is packaged, so these are Lacuna's: one
 * counter a row of the table in statistics.c, for all runs of a pass in the process, on any thread.
 */
#ifndef LACUNA_STATISTICS_H
#define LACUNA_STATISTICS_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum statistic {
  STATISTIC_REMAPPED_CONVERTED,
  STATISTIC_REDUCTIONS_FACTORED,
  STATISTIC_REDUCTIONS_SPLIT,
  STATISTIC_CONVERSIONS,
  STATISTIC_ORDER_CONVERSIONS,
  STATISTIC_LOOPS_ON_LANES,
  STATISTIC_LOOPS_TILED,
  STATISTIC_WORKSPACES,
  STATISTIC_LOOPS_ON_THREADS,
  STATISTIC_LOOPS_ON_GPU,
  STATISTIC_LOOPS_UNROLLED,
  STATISTIC_WALKS,
  STATISTIC_LATTICE_POINTS,
  STATISTIC_GUARDS_HOISTED,
  STATISTIC_STRATEGIES,
  STATISTIC_KERNELS,
  STATISTICS
} statistic;

/* Counts so many more. */
void statistic_add(statistic which, int64_t count);

/* All that were counted at least once, by pass, as MLIR prints its own. */
void statistics_print(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
