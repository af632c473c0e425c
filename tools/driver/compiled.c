/* From a module's text to functions that can be called. */
#include "compiled.h"

#include "lac_error.h"
#include "lac_tensor.h"
#include "packed.h"
#include "pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct compiled {
  jit *code;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *fail(char **error, const compiler *c) {
  if (!*error)
    *error = strdup(compiler_error(c));
  return NULL;
}

/* The module in the LLVM dialect, or a null module. */
static MlirModule lower_text(compiler *c, const char *text, const char *name,
                             const struct lacuna_pipeline_options *options) {
  MlirModule module = compiler_parse(c, text, name);
  if (mlirModuleIsNull(module))
    return module;
  char *pipeline = sparse_cpu_pipeline(options);
  if (pipeline && compiler_run(c, module, pipeline)) {
    free(pipeline);
    return module;
  }
  free(pipeline);
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

compiled *compiled_create(compiler *c, const char *text, const char *name,
                          const struct lacuna_pipeline_options *options,
                          const machine_options *machine, compiled_times *times, char **error) {
  double start = now();
  *error = NULL;
  MlirModule module = lower_text(c, text, name, options);
  if (mlirModuleIsNull(module))
    return fail(error, c);
  machine_options settings = *machine;
  settings.packed_entries = true;
  if (times) {
    times->passes = now() - start;
    settings.times = &times->machine;
  }
  jit *code = jit_create(module, &settings, error);
  mlirModuleDestroy(module);
  if (!code)
    return fail(error, c);
  compiled *k = calloc(1, sizeof *k);
  if (k)
    k->code = code;
  else
    jit_free(code);
  return k;
}

void compiled_free(compiled *k) {
  if (!k)
    return;
  jit_free(k->code);
  free(k);
}

int32_t compiled_call(compiled *k, const char *function, void *const *arguments) {
  char name[256], *error = NULL;
  snprintf(name, sizeof name, "%s" PACKED_SUFFIX, function);
  packed_function *entry;
  *(void **)&entry = jit_lookup(k->code, name, &error);
  if (!entry) {
    int32_t status = lac_error_set(LAC_ERROR_FORMAT, "no function '%s' to call: %s", function,
                                   error ? error : "not found");
    free(error);
    return status;
  }
  return entry(arguments);
}
