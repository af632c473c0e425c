/* The module at a rung is what the pipeline's first passes make of it; what is told of it, in
 * pictures or words, is gathered on the way down. */
#include "emit.h"

#include "assembler.h"
#include "dot.h"
#include "explain.h"
#include "ir.h"
#include "launches.h"
#include "nearest.h"
#include "pipeline.h"
#include "processor.h"
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  pipeline_rung at;
} rungs[] = {{"tin", RUNG_TIN},
             {"cin", RUNG_CIN},
             {"sit", RUNG_SIT},
             {"mlir", RUNG_MLIR},
             {"gpu", RUNG_GPU}};
enum { RUNGS = sizeof rungs / sizeof rungs[0] };

const char *emit_rungs(void) {
  return "tin, cin, sit, mlir, gpu, ptx, cubin, llvm, asm, obj or dot";
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

/* What is made of the module in the LLVM dialect; PTX is in it, of which a cubin is made. */
enum { PTX = MACHINE_OBJECT + 1, CUBIN };
static const struct {
  const char *name;
  int what;
} outputs[] = {{"llvm", MACHINE_LLVM_IR},
               {"asm", MACHINE_ASSEMBLY},
               {"obj", MACHINE_OBJECT},
               {"ptx", PTX},
               {"cubin", CUBIN}};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

static bool is_of_gpu(int what) {
  return what == PTX || what == CUBIN;
}

static bool is_image(MlirOperation op) {
  MlirStringRef name = op_text(op, "sym_name");
  return name.length >= sizeof IMAGE_PREFIX &&
         !memcmp(name.data, IMAGE_PREFIX, sizeof IMAGE_PREFIX - 1);
}

/* The kernels of a GPU, as they stand in the program that launches them; empty for none. */
static MlirStringRef kernels_of(MlirModule module) {
  for (OPERATIONS(op, op_block(mlirModuleGetOperation(module), 0)))
    if (is_image(op)) {
      MlirStringRef text = op_text(op, "value");
      return mlirStringRefCreate(text.data, strnlen(text.data, text.length));
    }
  return mlirStringRefCreate("", 0);
}

static bool emit_kernels(MlirModule module, int what, const char *device, FILE *out, char **error) {
  MlirStringRef ptx = kernels_of(module);
  if (!ptx.length) {
    *error = strdup("expected a kernel for a GPU, found that nothing runs on one");
    return false;
  }
  if (what == CUBIN)
    return assemble_cubin(ptx.data, ptx.length, device, out, error);
  fwrite(ptx.data, 1, ptx.length, out);
  return true;
}

/* A name is a rung of the pipeline, or RUNG_LLVM and what is made of that. */
static bool find_rung(const char *name, pipeline_rung *found, int *what) {
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
  if (!pipeline_takes(options, error) || !processor_find(&on, machine, error))
    return NULL;
  processor_fit(&on, &fitted);
  processor_free(&on);
  return sparse_cpu_pipeline_between(&fitted, RUNG_PROGRAM, to);
}

static bool emit_module(compiler *c, MlirModule module, pipeline_rung at, int what,
                        const struct lacuna_pipeline_options *options,
                        const machine_options *machine, FILE *out, char **error) {
  struct lacuna_pipeline_options on = *options;
  if ((is_of_gpu(what) || at == RUNG_GPU) && !on.device)
    on.device = pipeline_usual_gpu;
  char *pipeline = pipeline_for(&on, at, machine, error);
  bool done = pipeline && compiler_run(c, module, pipeline, CHECK_EACH);
  free(pipeline);
  if (done && at != RUNG_LLVM)
    mlirOperationPrint(mlirModuleGetOperation(module), write_text, out);
  if (done && at == RUNG_LLVM)
    done = is_of_gpu(what) ? emit_kernels(module, what, on.device, out, error)
                           : emit_code(module, (machine_output)what, machine, out, error);
  return done;
}

/* ---- Told of the way down ----------------------------------------------------------------- */

typedef struct descent {
  compiler *c;
  MlirModule module;
  const struct lacuna_pipeline_options *options;
  arena *memory;
  FILE *out;
  pipeline_rung at;
} descent;

static bool descend(descent *d, pipeline_rung to) {
  char *pipeline = sparse_cpu_pipeline_between(d->options, d->at, to);
  bool done = pipeline && compiler_run(d->c, d->module, pipeline, CHECK_EACH);
  free(pipeline);
  d->at = to;
  return done;
}

static MlirOperation operation_of(const descent *d) {
  return mlirModuleGetOperation(d->module);
}

static bool tell_pictures(descent *d) {
  for (pipeline_rung to = RUNG_TIN; to <= RUNG_SIT; to++) {
    if (!descend(d, to))
      return false;
    dot_write(d->memory, operation_of(d), d->out);
  }
  return true;
}

static bool tell_schedule(descent *d) {
  if (!descend(d, RUNG_CIN))
    return false;
  explain_schedule(d->memory, operation_of(d), d->out);
  return true;
}

static void take_remark(void *data, const char *severity, const char *message) {
  (void)severity;
  explanation_remark(data, message);
}

static bool tell_explanation(descent *d) {
  explanation *x = explanation_begin(d->memory);
  compiler_listen(d->c, take_remark, x);
  bool done = descend(d, RUNG_CIN);
  if (done)
    explanation_take_loops(x, operation_of(d));
  done = done && descend(d, RUNG_SIT);
  compiler_listen(d->c, NULL, NULL);
  if (done)
    explanation_take_walks(x, operation_of(d), strategy_words);
  if (done)
    explanation_write(x, d->out);
  return done;
}

static const struct {
  const char *name;
  bool (*tell)(descent *d);
} told[] = {{"dot", tell_pictures}, {"explanation", tell_explanation}, {"schedule", tell_schedule}};
enum { TOLD = sizeof told / sizeof told[0] };

static int find_told(const char *name) {
  int i = 0;
  while (i < TOLD && strcmp(told[i].name, name) != 0)
    i++;
  return i;
}

/* Who asks for it is told what does not run on a device, too. */
static bool tell(compiler *c, MlirModule module, int what,
                 const struct lacuna_pipeline_options *options, const machine_options *machine,
                 FILE *out, char **error) {
  struct lacuna_pipeline_options fitted = *options;
  processor on;
  if (!pipeline_takes(options, error) || !processor_find(&on, machine, error))
    return false;
  processor_fit(&on, &fitted);
  processor_free(&on);
  fitted.device_if_able = false;
  descent d = {c, module, &fitted, arena_create(), out, RUNG_PROGRAM};
  bool done = told[what].tell(&d);
  arena_free(d.memory);
  return done;
}

bool emit_rung(compiler *c, const char *text, const char *name, const char *rung_name,
               const struct lacuna_pipeline_options *options, const machine_options *machine,
               FILE *out, char **error) {
  pipeline_rung at;
  int what = MACHINE_OBJECT;
  *error = NULL;
  int told_as = find_told(rung_name);
  if (told_as == TOLD && !find_rung(rung_name, &at, &what)) {
    nearest near = nearest_to(rung_name);
    for (int i = 0; i < RUNGS; i++)
      nearest_offer(&near, rungs[i].name);
    for (int i = 0; i < OUTPUTS; i++)
      nearest_offer(&near, outputs[i].name);
    for (int i = 0; i < TOLD; i++)
      nearest_offer(&near, told[i].name);
    if (asprintf(error, "unknown rung '%s'; expected %s%s", rung_name, emit_rungs(),
                 nearest_hint(&near)) < 0)
      *error = NULL;
    return false;
  }
  MlirModule module = compiler_parse(c, text, name);
  bool done = !mlirModuleIsNull(module) &&
              (told_as < TOLD ? tell(c, module, told_as, options, machine, out, error)
                              : emit_module(c, module, at, what, options, machine, out, error));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  if (!done && !*error)
    *error = strdup(compiler_error(c));
  return done;
}
