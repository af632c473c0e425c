/* jit.c - object files as code in this process, by ORC.
 *
 * Symbols that the objects do not define are those of this process.  The runtime's are made
 * visible even where it came with a library that was loaded for itself alone; libomp is loaded when
 * they call it (__kmpc_...).
 */
#include "lac_error.h"
#include "llvm_code.h"
#include "machine.h"
#include "objects.h"
#include "target.h"

#include <dlfcn.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct jit {
  LLVMOrcLLJITRef engine;
};

static void show_runtime(void) {
  Dl_info found;
  if (dladdr((const void *)(uintptr_t)&lac_error_message, &found) && *found.dli_fname)
    dlopen(found.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

static bool load_openmp(const char *objects, size_t size, const char *library, char **error) {
  if (!library || !memmem(objects, size, "__kmpc_", strlen("__kmpc_")) ||
      dlsym(RTLD_DEFAULT, "__kmpc_fork_call") || dlopen(library, RTLD_NOW | RTLD_GLOBAL))
    return true;
  *error = strdup(dlerror());
  return false;
}

static bool engine_create(jit *compiled, char **error) {
  target_initialize();
  LLVMErrorRef failure = LLVMOrcCreateLLJIT(&compiled->engine, LLVMOrcCreateLLJITBuilder());
  return failure ? llvm_code_fail_error(error, failure) : true;
}

static bool engine_take(jit *compiled, const char *object, size_t size, char **error) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "kernel");
  LLVMErrorRef failure = LLVMOrcLLJITAddObjectFile(
      compiled->engine, LLVMOrcLLJITGetMainJITDylib(compiled->engine), buffer);
  return failure ? llvm_code_fail_error(error, failure) : true;
}

static bool engine_take_all(jit *compiled, const char *objects, size_t size, char **error) {
  const char *end = objects + size, *object;
  size_t length;
  while ((object = objects_next(&objects, end, &length)))
    if (!engine_take(compiled, object, length, error))
      return false;
  return objects == end;
}

jit *jit_load(const char *objects, size_t size, const char *openmp_library, char **error) {
  *error = NULL;
  show_runtime();
  jit *compiled = calloc(1, sizeof *compiled);
  if (compiled && load_openmp(objects, size, openmp_library, error) &&
      engine_create(compiled, error) && engine_take_all(compiled, objects, size, error))
    return compiled;
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
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef failure = LLVMOrcLLJITLookup(compiled->engine, &address, name);
  if (failure)
    llvm_code_fail_error(error, failure);
  return (void *)(uintptr_t)address;
}
