/* run.h - one case through the compiler, and its result held against the plain evaluation. */
#ifndef LACUNA_TEST_RUN_H
#define LACUNA_TEST_RUN_H

#include "case.h"
#include "compiler.h"

typedef enum outcome {
  OUTCOME_RIGHT,
  OUTCOME_REFUSED, /* a diagnostic says that it is not supported */
  OUTCOME_WRONG
} outcome;

enum { MESSAGE_SIZE = 1024 };

/* Compiles and runs the case.  `message` says what is wrong or why it was refused, `seconds` how
 * much processor time it took to compile. */
outcome test_case_run(const test_case *c, compiler *with, char message[MESSAGE_SIZE],
                      double *seconds);

/* From now on code of all cases is for that processor. */
void test_cases_are_for(const char *cpu);

/* From now on kernels of all cases run on a device, of a pipeline's options, and what schedules
 * run on threads does so on units of it; NULL for none.  Which one it is. */
void test_cases_run_on(const char *device);
const char *test_cases_device(void);

/* The module that is compiled, as text; the caller frees it. */
char *test_case_program(const test_case *c);

#endif
