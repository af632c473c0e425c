/* compile.h - a module compiled, or printed at a rung, as the command line says. */
#ifndef LACUNA_RUN_COMPILE_H
#define LACUNA_RUN_COMPILE_H

#include "compiled.h"
#include "run_options.h"

/* Compiles the text of a module; `name` and `times` as for compiled_create.  A module that only
 * packs is not `scheduled`.  NULL with a message on standard error. */
compiled *compile_text(const options *o, compiler *c, const char *text, const char *name,
                       bool scheduled, compiled_times *times);

/* Writes what --emit asks for to the file of -o, or prints it; false with a message on standard
 * error. */
bool emit_text(const options *o, compiler *c, const char *text, const char *name);

#endif
