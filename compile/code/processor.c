/* The words are LLVM's: what it calls processors and their features. */
#include "processor.h"

#include "failure.h"
#include "target.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's text as one of ours. */
static char *taken(char *text) {
  char *copy = strdup(text ? text : "");
  LLVMDisposeMessage(text);
  return copy;
}

static bool is_x86(const processor *p) {
  return !strncmp(p->triple, "x86_64-", strlen("x86_64-"));
}

static bool names_one(const char *cpu) {
  return cpu && strcmp(cpu, "native") != 0;
}

static const char *wanted_cpu(const machine_options *options) {
  const char *setting = getenv("LACUNA_CPU");
  bool said = options->cpu || options->triple || !setting || !*setting;
  return said ? options->cpu : setting;
}

static bool find_triple(processor *p, const char *triple, char **error) {
  p->triple =
      triple ? taken(LLVMNormalizeTargetTriple(triple)) : taken(LLVMGetDefaultTargetTriple());
  if (!p->triple)
    return false;
  if (triple)
    target_initialize_all();
  else
    target_initialize();
  return target_is_supported(p->triple) ||
         failure_tell(error,
                      "unknown target '%s'; expected one of 64 bits that LLVM knows, as in "
                      "aarch64-linux-gnu",
                      triple ? triple : p->triple);
}

static bool find_cpu(processor *p, const char *cpu, bool is_host, char **error) {
  bool own = is_host && !names_one(cpu);
  if (!is_host && cpu && !names_one(cpu))
    return failure_tell(error, "the processor 'native' is this machine's, found the target %s",
                        p->triple);
  p->cpu = own ? taken(LLVMGetHostCPUName()) : strdup(cpu ? cpu : target_plain_cpu(p->triple));
  p->features = own ? taken(LLVMGetHostCPUFeatures()) : strdup("");
  if (!p->cpu || !p->features)
    return false;
  return own || target_knows_cpu(p->triple, p->cpu) ||
         failure_tell(error,
                      "unknown processor '%s' for %s (clang --print-supported-cpus lists them)",
                      p->cpu, p->triple);
}

bool processor_find(processor *p, const machine_options *options, char **error) {
  *p = (processor){0};
  *error = NULL;
  if (find_triple(p, options->triple, error) &&
      find_cpu(p, wanted_cpu(options), !options->triple, error))
    return true;
  processor_free(p);
  return false;
}

void processor_free(processor *p) {
  free(p->triple);
  free(p->cpu);
  free(p->features);
  *p = (processor){0};
}

static bool has(const processor *p, const char *feature) {
  return target_has_feature(p->triple, p->cpu, p->features, feature);
}

bool processor_runs_here(const processor *p, char **error) {
  if (*p->features)
    return true;
  char *host = LLVMGetHostCPUFeatures(), *rest = host, missing[64] = "";
  for (char *word = strsep(&rest, ","); word && !*missing; word = strsep(&rest, ","))
    if (word[0] == '-' && (word[0] = '+', has(p, word)))
      snprintf(missing, sizeof missing, "%s", word + 1);
  LLVMDisposeMessage(host);
  return !*missing ||
         failure_tell(error, "expected a processor that this machine is, found '%s' with %s",
                      p->cpu, missing);
}

int64_t processor_vector_bits(const processor *p) {
  return !is_x86(p) ? 128 : has(p, "+avx512f") ? 512 : has(p, "+avx2") ? 256 : 128;
}

/* AMD's are slower, and Intel's first ones; without AVX-512 LLVM makes of one under a mask a branch
 * for each lane. */
bool processor_gathers(const processor *p) {
  return is_x86(p) && has(p, "+avx2") && has(p, "+fast-gather");
}

bool processor_selects_floats(const processor *p) {
  return !is_x86(p) || has(p, "+avx512f");
}

/* The others have instructions for it from their first 64 bits on, or none at all. */
static bool converts_half(const processor *p) {
  return is_x86(p) ? has(p, "+f16c") : !strncmp(p->triple, "aarch64", strlen("aarch64"));
}

void processor_fit(const processor *p, struct lacuna_pipeline_options *pipeline) {
  pipeline->vector_bits = processor_vector_bits(p);
  pipeline->slow_gathers = !processor_gathers(p);
  pipeline->native_half = converts_half(p);
}

void processor_write(const processor *p, FILE *out) {
  fprintf(out, "%s %s %s\n", p->triple, p->cpu, p->features);
}
