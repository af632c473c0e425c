/* jit.c - machine code in memory by ORC: the whole program is compiled to one object when its first
 * function is looked up.
 *
 * Symbols that the program does not define are those of this process, so a tool exports the
 * runtime's functions; libomp is loaded when the program calls it (__kmpc_...).
 */
#include "machine.h"
#include "program.h"

#include <dlfcn.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jit {
  LLVMOrcLLJITRef engine;
  machine_times *times;
};

static bool calls_openmp(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    if (strncmp(LLVMGetValueName2(f, &length), "__kmpc_", strlen("__kmpc_")) == 0)
      return true;
  }
  return false;
}

static bool load_openmp(LLVMModuleRef module, const char *library, char **error) {
  if (!library || !calls_openmp(module) || dlsym(RTLD_DEFAULT, "__kmpc_fork_call") ||
      dlopen(library, RTLD_NOW | RTLD_GLOBAL))
    return true;
  *error = strdup(dlerror());
  return false;
}

static bool engine_create(jit *compiled, program *p, char **error) {
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(p->target));
  p->target = NULL;
  LLVMErrorRef failure = LLVMOrcCreateLLJIT(&compiled->engine, builder);
  return failure ? program_fail_error(error, failure) : true;
}

/* Gives the program's module and context to the engine. */
static bool engine_take(jit *compiled, program *p, char **error) {
  LLVMOrcThreadSafeContextRef context =
      LLVMOrcCreateNewThreadSafeContextFromLLVMContext(p->context);
  LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(p->module, context);
  LLVMOrcDisposeThreadSafeContext(context);
  *p = (program){0};
  LLVMErrorRef failure = LLVMOrcLLJITAddLLVMIRModule(
      compiled->engine, LLVMOrcLLJITGetMainJITDylib(compiled->engine), module);
  return failure ? program_fail_error(error, failure) : true;
}

jit *jit_create(MlirModule module, const machine_options *options, char **error) {
  program p;
  if (!program_create(&p, module, options, error))
    return NULL;
  jit *compiled = calloc(1, sizeof *compiled);
  if (compiled && load_openmp(p.module, options->openmp_library, error) &&
      engine_create(compiled, &p, error) && engine_take(compiled, &p, error)) {
    compiled->times = options->times;
    return compiled;
  }
  program_release(&p);
  jit_free(compiled);
  return NULL;
}

void jit_free(jit *compiled) {
  if (!compiled)
    return;
  if (compiled->engine)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(compiled->engine));
  free(compiled);
}

void *jit_lookup(jit *compiled, const char *name, char **error) {
  double start = program_clock();
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef failure = LLVMOrcLLJITLookup(compiled->engine, &address, name);
  if (failure)
    program_fail_error(error, failure);
  if (compiled->times)
    compiled->times->generate += program_clock() - start;
  return (void *)(uintptr_t)address;
}
