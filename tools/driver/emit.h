/* emit.h - a program at any rung of the ladder. */
#ifndef LACUNA_EMIT_H
#define LACUNA_EMIT_H

#include "bridge.h"
#include "compiler.h"
#include "machine.h"

#include <stdio.h>

/* Prints the module `text` at `rung`: tin, cin, sit, mlir (scf, memref, arith), llvm, asm, or an
 * object file; the kernels of a GPU, as gpu, ptx or cubin; or what is told of it on the way down:
 * its graphs (dot.h), an explanation or its schedule (explain.h).  False with a message in `*error`
 * that the caller frees. */
bool emit_rung(compiler *c, const char *text, const char *name, const char *rung,
               const struct lacuna_pipeline_options *options, const machine_options *machine,
               FILE *out, char **error);

/* The rungs, for messages. */
const char *emit_rungs(void);

#endif
