/* machine.c - LLVM IR, assembly and object files from a module in the LLVM dialect. */
#include "machine.h"

#include "llvm_code.h"

#include <stdlib.h>
#include <string.h>

static char *copy_bytes(const char *bytes, size_t count, size_t *size) {
  char *copy = malloc(count + 1);
  if (!copy)
    return NULL;
  memcpy(copy, bytes, count);
  copy[count] = '\0';
  *size = count;
  return copy;
}

static char *emit_ir(llvm_code *p, size_t *size) {
  char *text = LLVMPrintModuleToString(p->module);
  char *copy = copy_bytes(text, strlen(text), size);
  LLVMDisposeMessage(text);
  return copy;
}

static char *emit_code(llvm_code *p, LLVMCodeGenFileType type, size_t *size, char **error) {
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(p->target, p->module, type, &message, &buffer)) {
    llvm_code_fail(error, message);
    return NULL;
  }
  char *copy = copy_bytes(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), size);
  LLVMDisposeMemoryBuffer(buffer);
  return copy;
}

char *llvm_code_emit(llvm_code *p, machine_output what, const machine_options *options,
                     size_t *size, char **error) {
  double start = llvm_code_clock();
  char *made =
      what == MACHINE_LLVM_IR
          ? emit_ir(p, size)
          : emit_code(p, what == MACHINE_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, size, error);
  if (options->times)
    options->times->generate = llvm_code_clock() - start;
  return made;
}

char *machine_emit(MlirModule module, machine_output what, const machine_options *options,
                   size_t *size, char **error) {
  llvm_code p;
  char *made = NULL;
  if (!llvm_code_translate(&p, module, options, error))
    return NULL;
  if (llvm_code_optimize(&p, options, error))
    made = llvm_code_emit(&p, what, options, size, error);
  llvm_code_release(&p);
  return made;
}
