/* report.h - how long it took, and how many bytes a second that is. */
#ifndef LACUNA_RUN_REPORT_H
#define LACUNA_RUN_REPORT_H

#include "compiled.h"
#include "options.h"

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

/* Prints the figures to standard error, and to `json` (NULL: none).  False with a message where the
 * file cannot be written. */
bool figures_report(const figures *f, const char *json);

#endif
