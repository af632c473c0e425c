/* The module at a rung is what the pipeline's first passes make of it. */
#include "emit.h"

#include "nearest.h"
#include "pipeline.h"
#include "processor.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  pipeline_rung at;
} rungs[] = {{"tin", RUNG_TIN}, {"cin", RUNG_CIN}, {"sit", RUNG_SIT}, {"mlir", RUNG_MLIR}};
enum { RUNGS = sizeof rungs / sizeof rungs[0] };

const char *emit_rungs(void) {
  return "tin, cin, sit, mlir, llvm, asm or obj";
}

static void write_text(MlirStringRef text, void *out) {
  fwrite(text.data, 1, text.length, out);
}

static bool emit_code(MlirModule module, machine_output what, const machine_options *machine,
                      FILE *out, char **error) {
  size_t size;
  char *code = machine_emit(module, what, machine, &size, error);
  if (code)
    fwrite(code, 1, size, out);
  free(code);
  return code != NULL;
}

/* What is made of the module in the LLVM dialect. */
static const struct {
  const char *name;
  machine_output what;
} outputs[] = {{"llvm", MACHINE_LLVM_IR}, {"asm", MACHINE_ASSEMBLY}, {"obj", MACHINE_OBJECT}};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

/* A name is a rung of the pipeline, or RUNG_LLVM and what is made of that. */
static bool find_rung(const char *name, pipeline_rung *found, machine_output *what) {
  for (int i = 0; i < RUNGS; i++)
    if (!strcmp(rungs[i].name, name)) {
      *found = rungs[i].at;
      return true;
    }
  for (int i = 0; i < OUTPUTS; i++)
    if (!strcmp(outputs[i].name, name)) {
      *found = RUNG_LLVM;
      *what = outputs[i].what;
      return true;
    }
  return false;
}

static char *pipeline_for(const struct lacuna_pipeline_options *options, pipeline_rung to,
                          const machine_options *machine, char **error) {
  struct lacuna_pipeline_options fitted = *options;
  processor on;
  if (!pipeline_takes_schedule(options->schedule, error) || !processor_find(&on, machine, error))
    return NULL;
  processor_fit(&on, &fitted);
  processor_free(&on);
  return sparse_cpu_pipeline_between(&fitted, RUNG_PROGRAM, to);
}

static bool emit_module(compiler *c, MlirModule module, pipeline_rung at, machine_output what,
                        const struct lacuna_pipeline_options *options,
                        const machine_options *machine, FILE *out, char **error) {
  char *pipeline = pipeline_for(options, at, machine, error);
  bool done = pipeline && compiler_run(c, module, pipeline, CHECK_EACH);
  free(pipeline);
  if (done && at != RUNG_LLVM)
    mlirOperationPrint(mlirModuleGetOperation(module), write_text, out);
  if (done && at == RUNG_LLVM)
    done = emit_code(module, what, machine, out, error);
  return done;
}

bool emit_rung(compiler *c, const char *text, const char *name, const char *rung_name,
               const struct lacuna_pipeline_options *options, const machine_options *machine,
               FILE *out, char **error) {
  pipeline_rung at;
  machine_output what = MACHINE_OBJECT;
  *error = NULL;
  if (!find_rung(rung_name, &at, &what)) {
    nearest near = nearest_to(rung_name);
    for (int i = 0; i < RUNGS; i++)
      nearest_offer(&near, rungs[i].name);
    for (int i = 0; i < OUTPUTS; i++)
      nearest_offer(&near, outputs[i].name);
    if (asprintf(error, "unknown rung '%s'; expected %s%s", rung_name, emit_rungs(),
                 nearest_hint(&near)) < 0)
      *error = NULL;
    return false;
  }
  MlirModule module = compiler_parse(c, text, name);
  bool done =
      !mlirModuleIsNull(module) && emit_module(c, module, at, what, options, machine, out, error);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  if (!done && !*error)
    *error = strdup(compiler_error(c));
  return done;
}
