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

/* The module that is compiled, as text; the caller frees it. */
char *test_case_program(const test_case *c);

#endif
