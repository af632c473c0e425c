/* compiled.h - a program compiled in this process: its functions, ready to be called.
 *
 *     compiled *k = compiled_create(c, text, "expression", &pipeline, &machine, NULL, &error);
 *     compiled_call(k, "kernel", (void *[]){&y, &A, &x});
 *     compiled_free(k);
 */
#ifndef LACUNA_COMPILED_H
#define LACUNA_COMPILED_H

#include "bridge.h"
#include "compiler.h"
#include "machine.h"

typedef struct compiled compiled;

/* Seconds that making the code took: passes (parsing included), and the machine's phases. */
typedef struct compiled_times {
  double passes;
  machine_times machine;
} compiled_times;

/* Compiles the module `text` (`name` stands for it in messages).  `times` may be NULL.  On failure
 * NULL, with a message in `*error` that the caller frees. */
compiled *compiled_create(compiler *c, const char *text, const char *name,
                          const struct lacuna_pipeline_options *options,
                          const machine_options *machine, compiled_times *times, char **error);
void compiled_free(compiled *k);

/* Calls a function with its results and operands (lac_tensor *), in this order; returns its
 * lac_status, or LAC_ERROR_FORMAT where there is no such function.  Results are made anew. */
int32_t compiled_call(compiled *k, const char *function, void *const *arguments);

#endif
