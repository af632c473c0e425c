/* pipeline.c - the pipelines from a program to code, one pass a line.
 *
 *     tin -- tin-to-cin -----------------> cin
 *     cin -- sparsify -------------------> sit
 *     sit -- lower-sit, lower-handles ---> scf, memref, arith ---> llvm
 */
#include "pipeline.h"

#include "schedule_parser.h"
#include "workspace_policy.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char pipeline_usual_gpu[] = "sm_90";

/* One text a rung: the passes from the rung above it.  In func.func(...) they run on each function
 * by itself.  A schedule, and what is said of threads, is about the module: a command that no
 * kernel has the variables of is an error, and that nothing runs on threads a remark. */
static const char to_tin[] = "func.func(tin-expand-einsum),"
                             "func.func(tin-expand-symmetry),"
                             "func.func(tin-expand-constants),"
                             "%s"
                             "func.func(tin-split-terms),"
                             "func.func(tin-convert-remapped),"
                             "func.func(tin-insert-conversions),"
                             "func.func(tin-hoist-conversions),"
                             "func.func(tin-lower-conversions)";

static const char to_cin[] =
    "func.func(tin-to-cin),"
    "cin-schedule{schedule=\"%s\" deterministic=%s proposals=\"%s\"},"
    "func.func(cin-insert-conversions{policies=\"%s\" bytes=%" PRId64 "}),"
    "func.func(tin-hoist-conversions),"
    "func.func(tin-lower-conversions),"
    "func.func(tin-to-cin),"
    "%s%s"
    "func.func(cin-insert-workspaces{strict=%s policies=\"%s\" bytes=%" PRId64 " remarks=false}),"
    "func.func(cin-choose-assembly),"
    "cin-parallelize{threads=%" PRId64 " strict=%s gpu=%s deterministic=%s remarks=%s}";

static const char to_sit[] = "func.func(sparsify{strict=%s})";

/* What a CPU does with the loops: another target leaves this off. */
static const char for_the_cpu[] =
    "func.func(sit-choose-strategies{strict=%s vector-bits=%" PRId64 " gathers=%s "
    "slow-gathers=%s})";

/* lower-sit makes functions of kernels, and is on the module that gets them. */
static const char to_mlir[] =
    "lower-sit{strict=%s vector-bits=%" PRId64 " threads=%" PRId64 " deterministic=%s gathers=%s},"
    "lower-handles,"
    "canonicalize,"
    "cse,"
    "loop-invariant-code-motion";

/* What runs on a GPU becomes functions of their own. */
static const char to_gpu[] = "hoist-launch-arrays,"
                             "gpu-launch-sink-index-computations,"
                             "gpu-kernel-outlining";

static const char to_launches[] = "gather-kernels,"
                                  "narrow-launches%s,"
                                  "lower-launches{emulated=%s}";

/* Code for the GPU is made before that for the host, as a text in it. */
static const char to_images[] = "nvvm-attach-target{chip=%s features=+%s O=3},"
                                "gpu.module(convert-vector-to-llvm,"
                                "convert-scf-to-cf,"
                                "mark-steps,"
                                "convert-complex-to-standard,"
                                "convert-gpu-to-nvvm,"
                                "convert-math-to-llvm,"
                                "reconcile-unrealized-casts),"
                                "link-device-functions,"
                                "gpu-module-to-binary{format=isa},"
                                "lower-images";

static const char to_arrays[] = "lower-parallel,"
                                "lower-arrays,"
                                "lower-narrow-floats{half=%s}";

/* MLIR's conversions to the LLVM dialect, and the dialects that each is for; those without any are
 * always run.  Vectors go before branches are made: of those that pass indices on as well, the
 * conversion of vectors makes branches of LLVM that pass none. */
typedef struct conversion {
  const char *pass, *of[3];
} conversion;

static const conversion conversions[] = {
    {"convert-vector-to-llvm", {"vector"}},
    {"convert-scf-to-cf", {NULL}},
    {"convert-complex-to-standard", {"complex"}},
    {"convert-math-to-funcs", {"math", "complex"}},
    {"convert-math-to-llvm", {"math", "complex"}},
    {"convert-math-to-libm", {"math", "complex"}},
    {"convert-complex-to-llvm", {"complex"}},
    {"convert-openmp-to-llvm", {"omp"}},
    {"convert-to-llvm", {NULL}},
    {"reconcile-unrealized-casts", {NULL}},
};

/* A new string as printf makes it; NULL when memory runs out. */
__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...) {
  va_list arguments;
  char *made = NULL;
  va_start(arguments, format);
  int length = vasprintf(&made, format, arguments);
  va_end(arguments);
  return length < 0 ? NULL : made;
}

/* The end of the first pass: a comma outside braces and quotes, or the end of the text. */
static const char *pass_end(const char *pass) {
  int depth = 0;
  bool quoted = false;
  for (; *pass && (depth > 0 || quoted || *pass != ','); pass++) {
    quoted ^= *pass == '"';
    depth += quoted ? 0 : *pass == '{' || *pass == '(' ? 1 : *pass == '}' || *pass == ')' ? -1 : 0;
  }
  return pass;
}

/* a,b{x=1},c  -->  a,between,b{x=1},between,c,between */
static char *interleave(const char *pipeline, const char *between) {
  char *made = NULL;
  size_t size;
  FILE *out = open_memstream(&made, &size);
  if (!out)
    return NULL;
  for (const char *end, *pass = pipeline; *pass; pass = *end ? end + 1 : end) {
    end = pass_end(pass);
    fprintf(out, "%s%.*s,%s", pass == pipeline ? "" : ",", (int)(end - pass), pass, between);
  }
  return fclose(out) ? NULL : made;
}

/* The passes with what is to be run after each.  Takes `passes`. */
static char *interleaved(char *passes, const struct lacuna_pipeline_options *options) {
  const char *between = options->interleave ? options->interleave : getenv("LACUNA_INTERLEAVE");
  if (!passes || !between || !*between)
    return passes;
  char *made = interleave(passes, between);
  free(passes);
  return made;
}

static const char *given(const char *said) {
  return said ? said : "";
}

bool pipeline_takes(const struct lacuna_pipeline_options *options, char **error) {
  arena *memory = arena_create();
  schedule parsed;
  const char *problem = workspace_policy_problem(memory, given(options->policies));
  bool is_schedule = schedule_parse(memory, given(options->schedule), &parsed);
  if (!is_schedule)
    *error = text("schedule: %s", parsed.error);
  else if (problem)
    *error = text("workspace: %s", problem);
  arena_free(memory);
  return is_schedule && !problem;
}

static const char *truth(bool is_so) {
  return is_so ? "true" : "false";
}

static const char *strict(const struct lacuna_pipeline_options *options) {
  return truth(options->strict);
}

static int64_t vector_bits(const struct lacuna_pipeline_options *options) {
  return options->vector_bits ? options->vector_bits : 512;
}

/* Vectors that hold as much are worth loads one by one too. */
static const char *gathers(const struct lacuna_pipeline_options *options) {
  return truth(!options->slow_gathers || vector_bits(options) >= 256);
}

/* Code that gives the same bits on any number of threads is the same for one. */
static int64_t threads(const struct lacuna_pipeline_options *options) {
  return options->deterministic && options->threads == 1 ? 0 : options->threads;
}

static bool is_for_gpu(const struct lacuna_pipeline_options *options) {
  return options->device && *options->device;
}

static bool is_emulated(const struct lacuna_pipeline_options *options) {
  return is_for_gpu(options) && !strcmp(options->device, "emulated");
}

/* The oldest text that a driver of a CUDA with such GPUs takes. */
static const char *text_version(const char *chip) {
  long architecture = strtol(chip + strcspn(chip, "0123456789"), NULL, 10);
  return architecture >= 120 ? "ptx87" : architecture >= 100 ? "ptx86" : "ptx80";
}

/* Pieces of a GPU add up by atomics, in any order. */
static const char *proposals(const struct lacuna_pipeline_options *options) {
  bool any_order = !options->strict && !options->deterministic;
  return !is_for_gpu(options) ? "cpu" : any_order ? "gpu" : "";
}

/* Two texts as one pipeline, of which one may be empty; takes both. */
static char *joined(char *first, char *second) {
  const char *comma = first && second && *first && *second ? "," : "";
  char *made = first && second ? text("%s%s%s", first, comma, second) : NULL;
  free(first);
  free(second);
  return made;
}

static char *descend_to_tin(const struct lacuna_pipeline_options *options) {
  bool as_written = options->schedule && *options->schedule;
  char *factor = as_written ? text("%s", "")
                            : text("func.func(tin-factor-reductions{strict=%s}),", strict(options));
  char *made = factor ? text(to_tin, factor) : NULL;
  free(factor);
  return interleaved(made, options);
}

/* An option of a pass, or none where it is 0: what the pass takes. */
static char *number_option(const char *name, int64_t number) {
  return number ? text("%s=%" PRId64, name, number) : text("%s", "");
}

static char *tiles(const struct lacuna_pipeline_options *options) {
  if (options->cache < 0 || is_for_gpu(options))
    return text("%s", "");
  char *cache = number_option("cache", options->cache);
  char *beyond = number_option("beyond", options->beyond);
  char *made = cache && beyond ? text("func.func(cin-tile{%s %s}),", cache, beyond) : NULL;
  free(cache);
  free(beyond);
  return made;
}

static char *descend_to_cin(const struct lacuna_pipeline_options *options) {
  char *lanes = is_for_gpu(options)
                    ? text("func.func(cin-sink-reductions),")
                    : text("func.func(cin-vectorize{gathers=%s}),", gathers(options));
  char *tile = tiles(options);
  char *made = tile && lanes
                   ? text(to_cin, options->schedule, truth(options->deterministic),
                          proposals(options), given(options->policies), options->bytes, lanes, tile,
                          strict(options), given(options->policies), options->bytes,
                          threads(options), strict(options), truth(is_for_gpu(options)),
                          truth(options->deterministic), truth(!options->device_if_able))
                   : NULL;
  char *unroll = is_for_gpu(options) ? text("%s", "") : text("func.func(cin-unroll)");
  free(lanes);
  free(tile);
  return interleaved(joined(made, unroll), options);
}

static char *choose_strategies(const struct lacuna_pipeline_options *options) {
  return interleaved(text(for_the_cpu, strict(options), vector_bits(options), gathers(options),
                          truth(options->slow_gathers)),
                     options);
}

static char *descend_to_sit(const struct lacuna_pipeline_options *options) {
  return joined(interleaved(text(to_sit, strict(options)), options), choose_strategies(options));
}

static char *descend_to_mlir(const struct lacuna_pipeline_options *options) {
  return interleaved(text(to_mlir, strict(options), vector_bits(options), threads(options),
                          truth(options->deterministic), truth(!options->slow_gathers)),
                     options);
}

static char *descend_to_gpu(const struct lacuna_pipeline_options *options) {
  return text("%s", is_for_gpu(options) ? to_gpu : "");
}

/* For tests, which have no arrays of 2^30 elements. */
static char *narrow_limit(void) {
  const char *said = getenv("LACUNA_NARROW_LIMIT");
  return said && *said ? text("{limit=%ld}", strtol(said, NULL, 10)) : text("%s", "");
}

static char *lower_launches(const struct lacuna_pipeline_options *options) {
  if (!is_for_gpu(options))
    return text("%s", "");
  char *limit = narrow_limit();
  char *made = limit ? text(to_launches, limit, truth(is_emulated(options))) : NULL;
  free(limit);
  return made;
}

static char *lower_images(const struct lacuna_pipeline_options *options) {
  return is_for_gpu(options) && !is_emulated(options)
             ? text(to_images, options->device, text_version(options->device))
             : text("%s", "");
}

static char *descend_to_arrays(const struct lacuna_pipeline_options *options) {
  char *arrays = interleaved(text(to_arrays, truth(!options->native_half)), options);
  return joined(joined(lower_launches(options), arrays), lower_images(options));
}

static bool is_wanted(const conversion *c, dialect_question *has, void *data) {
  bool wanted = !c->of[0];
  for (int i = 0; c->of[i] && !wanted; i++)
    wanted = has(data, c->of[i]);
  return wanted;
}

char *pipeline_of_conversions(dialect_question *has, void *data) {
  char *made = text("%s", "");
  for (size_t i = 0; made && i < sizeof conversions / sizeof *conversions; i++)
    if (is_wanted(&conversions[i], has, data))
      made = joined(made, text("%s", conversions[i].pass));
  return made;
}

static bool has_any(void *data, const char *dialect) {
  (void)data;
  (void)dialect;
  return true;
}

static char *descend_to_llvm(const struct lacuna_pipeline_options *options) {
  (void)options;
  return pipeline_of_conversions(has_any, NULL);
}

static lacuna_pipeline_text *const descents[] = {
    [RUNG_TIN] = descend_to_tin,   [RUNG_CIN] = descend_to_cin, [RUNG_SIT] = descend_to_sit,
    [RUNG_MLIR] = descend_to_mlir, [RUNG_GPU] = descend_to_gpu, [RUNG_ARRAYS] = descend_to_arrays,
    [RUNG_LLVM] = descend_to_llvm,
};

char *sparse_cpu_pipeline_between(const struct lacuna_pipeline_options *options, pipeline_rung from,
                                  pipeline_rung to) {
  char *whole = text("%s", "");
  for (int rung = from + 1; whole && rung <= (int)to; rung++)
    whole = joined(whole, descents[rung](options));
  return whole;
}

char *sparse_cpu_pipeline(const struct lacuna_pipeline_options *options) {
  return sparse_cpu_pipeline_between(options, RUNG_PROGRAM, RUNG_LLVM);
}

char *sparse_cpu_pipeline_from_sit(const struct lacuna_pipeline_options *options) {
  return joined(choose_strategies(options),
                sparse_cpu_pipeline_between(options, RUNG_SIT, RUNG_LLVM));
}

char *sparse_gpu_pipeline(const struct lacuna_pipeline_options *options) {
  struct lacuna_pipeline_options on_gpu = *options;
  if (!is_for_gpu(options))
    on_gpu.device = pipeline_usual_gpu;
  return sparse_cpu_pipeline(&on_gpu);
}
