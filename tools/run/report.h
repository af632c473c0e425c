/* report.h - how long it took, and how many bytes a second that is. */
#ifndef LACUNA_RUN_REPORT_H
#define LACUNA_RUN_REPORT_H

#include "compiled.h"
#include "file.h"
#include "run_options.h"

typedef struct figures {
  const char *program;
  int64_t threads;
  double *seconds; /* of each timed run, sorted by figures_sort */
  int64_t runs;
  int64_t operand_bytes, result_bytes; /* what is stored, each array once */
  int64_t result_values;
  compiled_times compile;
} figures;

/* Seconds on a clock that only goes forward. */
double report_clock(void);

void figures_sort(figures *f);

/* Writes the figures for the file `json` (NULL: none), which gets its name by figures_report, once
 * the results have theirs; file_abandon instead leaves nothing.  False with a message where it
 * cannot be written. */
bool figures_prepare(const figures *f, const char *json, file_pending *file);

/* Prints the figures to standard error, and gives their file its name.  False with a message where
 * that cannot be. */
bool figures_report(const figures *f, file_pending *json);

#endif
