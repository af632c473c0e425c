/* llvm_code.h - a program in LLVM IR together with the machine that it is for. */
#ifndef LACUNA_LLVM_CODE_H
#define LACUNA_LLVM_CODE_H

#include "machine.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct llvm_code {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef target;
  int level;           /* of optimization */
  int64_t vector_bits; /* of the widest vectors */
  bool selects_floats; /* without branches */
} llvm_code;

/* Translates `module` into `made`, which has a context of its own.  False with a message where that
 * fails, and then there is nothing to release. */
bool llvm_code_translate(llvm_code *made, MlirModule module, const machine_options *options,
                         char **error);

/* Optimizes, then emits the program, as machine_emit.  Programs may be on different threads. */
bool llvm_code_optimize(llvm_code *p, const machine_options *options, char **error);
char *llvm_code_emit(llvm_code *p, machine_output what, const machine_options *options,
                     size_t *size, char **error);
void llvm_code_release(llvm_code *p);

/* Seconds on a clock that only goes forward. */
double llvm_code_clock(void);

/* Copies LLVM's message into `*error` and disposes of it; false. */
bool llvm_code_fail(char **error, char *llvm_message);
bool llvm_code_fail_error(char **error, LLVMErrorRef failure);

#endif
