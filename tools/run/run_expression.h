/* run_expression.h - sparse-run on an expression, and on the functions of a .mlir file. */
#ifndef LACUNA_RUN_EXPRESSION_H
#define LACUNA_RUN_EXPRESSION_H

#include "compiler.h"
#include "run_options.h"

/* Each compiles, runs and writes as the options say.  The exit status: 0, or 1 after a message on
 * standard error. */
int run_expression(const options *o, compiler *c);
int run_module(const options *o, compiler *c);

#endif
