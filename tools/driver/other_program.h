/* other_program.h - programs that the tools call: a linker, an assembler. */
#ifndef LACUNA_OTHER_PROGRAM_H
#define LACUNA_OTHER_PROGRAM_H

#include <stdbool.h>

/* Whether a program of that name is somewhere on the PATH. */
bool other_program_is_on_path(const char *name);

/* Runs words[0], on the PATH where it has no '/', with the words as its arguments, of which the
 * last is NULL, and waits.  Its standard error goes to the file `errors`, where that is not
 * negative.  Its exit status; -1, with errno, where it cannot be run or is killed. */
int other_program_run(char *const *words, int errors);

#endif
