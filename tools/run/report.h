/* report.h - how long it took, and how many bytes a second that is. */
#ifndef LACUNA_RUN_REPORT_H
#define LACUNA_RUN_REPORT_H

#include "arena.h"
#include "compiled.h"
#include "file.h"
#include "run_options.h"

typedef struct figures {
  const char *program;
  int64_t threads;
  double *seconds;   /* of each timed run, sorted by figures_sort */
  double *on_device; /* of those its kernels on a device; NULL where none is used */
  bool counts;       /* what kernels do in the first run (--counts) */
  int64_t runs;
  int64_t operand_bytes, result_bytes; /* what is stored, each array once */
  int64_t result_values;
  compiled_times compile;
} figures;

/* Seconds on a clock that only goes forward. */
double report_clock(void);

/* Room for as many runs as are timed, and one; of kernels on a device too, where there is one. */
void figures_begin(figures *f, arena *memory, const options *o);

/* Another run, which began at `start` and has just ended. */
void figures_add(figures *f, double start);

void figures_sort(figures *f);

/* Writes the results of a run, then the figures: to standard error, and to the file `json` (NULL:
 * none), which gets its name once the results have theirs, and is left out where they cannot be
 * written.  False with a message where something cannot. */
bool figures_write(const figures *f, const char *json, bool (*write_results)(void *run), void *run);

#endif
