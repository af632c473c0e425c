/* The module at a rung is what the pipeline's first passes make of it. */
#include "emit.h"

#include "nearest.h"
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

/* A rung, and the last pass above it. */
typedef struct rung {
  const char *name, *last_pass;
} rung;

static const rung rungs[] = {{"tin", "tin-lower-conversions"},
                             {"cin", "cin-parallelize"},
                             {"sit", "sparsify"},
                             {"mlir", "loop-invariant-code-motion"}};
enum { RUNGS = sizeof rungs / sizeof rungs[0] };

const char *emit_rungs(void) {
  return "tin, cin, sit, mlir, llvm, asm or obj";
}

/* The end of the pass that starts at `pass`: a comma outside braces and quotes, or the end of the
 * text. */
static char *end_of_pass(char *pass) {
  int depth = 0;
  bool quoted = false;
  for (; *pass && (depth > 0 || quoted || *pass != ','); pass++) {
    quoted ^= *pass == '"';
    depth += quoted ? 0 : *pass == '{' || *pass == '(' ? 1 : *pass == '}' || *pass == ')' ? -1 : 0;
  }
  return pass;
}

/* Ends the pipeline after the first pass of this name. */
static void cut_after(char *pipeline, const char *last_pass) {
  size_t length = strlen(last_pass);
  for (char *pass = pipeline; *pass;) {
    char *end = end_of_pass(pass);
    if (!strncmp(pass, last_pass, length) && (pass + length == end || pass[length] == '{')) {
      *end = '\0';
      return;
    }
    pass = *end ? end + 1 : end;
  }
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

static bool find_rung(const char *name, const rung **found, machine_output *what) {
  *found = NULL;
  for (int i = 0; i < RUNGS; i++)
    if (!strcmp(rungs[i].name, name))
      *found = &rungs[i];
  for (int i = 0; i < OUTPUTS; i++)
    if (!strcmp(outputs[i].name, name)) {
      *what = outputs[i].what;
      return true;
    }
  return *found != NULL;
}

static bool emit_module(compiler *c, MlirModule module, const rung *at, machine_output what,
                        const struct lacuna_pipeline_options *options,
                        const machine_options *machine, FILE *out, char **error) {
  char *pipeline = sparse_cpu_pipeline(options);
  if (pipeline && at)
    cut_after(pipeline, at->last_pass);
  bool done = pipeline && compiler_run(c, module, pipeline);
  free(pipeline);
  if (done && at)
    mlirOperationPrint(mlirModuleGetOperation(module), write_text, out);
  if (done && !at)
    done = emit_code(module, what, machine, out, error);
  return done;
}

bool emit_rung(compiler *c, const char *text, const char *name, const char *rung_name,
               const struct lacuna_pipeline_options *options, const machine_options *machine,
               FILE *out, char **error) {
  const rung *at;
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
