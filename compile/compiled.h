/* compiled.h - a program compiled in this process: its functions, ready to be called.
 *
 *     compiled *k = compiled_create(c, text, "expression", &pipeline, &machine, NULL, &error);
 *     compiled_call(k, "kernel", (void *[]){&y, &A, &x});
 *     compiled_free(k);
 *
 * With machine_options.cache code is kept, and found again for the same program, options and
 * machine, in this process or on disk (cache.h).
 */
#ifndef LACUNA_COMPILED_H
#define LACUNA_COMPILED_H

#include "bridge.h"
#include "compiler.h"
#include "entry_points.h"
#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct compiled compiled;

/* Seconds that making the code took: passes (parsing included), and the machine's phases. */
typedef struct compiled_times {
  double passes;
  machine_times machine;
} compiled_times;

/* Compiles the module `text` (`name` stands for it in messages; NULL: they give no places). `times`
 * may be NULL.  On failure NULL, with a message in `*error` that the caller frees. */
compiled *compiled_create(compiler *c, const char *text, const char *name,
                          const struct lacuna_pipeline_options *options,
                          const machine_options *machine, compiled_times *times, char **error);

/* The same for a module of the compiler's context, which stays as it is. */
compiled *compiled_of_module(compiler *c, MlirModule module,
                             const struct lacuna_pipeline_options *options,
                             const machine_options *machine, char **error);
void compiled_free(compiled *k);

/* A function, to be called with its results and operands (lac_tensor *), in this order, until
 * compiled_free.  NULL, with lac_error_message set, where there is none of that name.  This and
 * what it gives may be called from any thread. */
entry_point *compiled_find(compiled *k, const char *function);

/* Finds and calls a function; returns its lac_status, or LAC_ERROR_FORMAT where there is no such
 * function.  Results are made anew. */
int32_t compiled_call(compiled *k, const char *function, void *const *arguments);

#ifdef __cplusplus
}
#endif
#endif
