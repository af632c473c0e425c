/* llvm_program.h - a program in LLVM IR together with the machine that it is for. */
#ifndef LACUNA_LLVM_PROGRAM_H
#define LACUNA_LLVM_PROGRAM_H

#include "machine.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct llvm_program {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef target;
  int64_t vector_bits; /* of the widest vectors */
} llvm_program;

/* Translates `module` into `made`, which has a context of its own.  False with a message where that
 * fails, and then there is nothing to release. */
bool llvm_program_translate(llvm_program *made, MlirModule module, const machine_options *options,
                            char **error);

/* Optimizes, then emits the program, as machine_emit.  Programs may be on different threads. */
bool llvm_program_optimize(llvm_program *p, const machine_options *options, char **error);
char *llvm_program_emit(llvm_program *p, machine_output what, const machine_options *options,
                        size_t *size, char **error);
void llvm_program_release(llvm_program *p);

/* Seconds on a clock that only goes forward. */
double llvm_program_clock(void);

/* Copies LLVM's message into `*error` and disposes of it; false. */
bool llvm_program_fail(char **error, char *llvm_message);
bool llvm_program_fail_error(char **error, LLVMErrorRef failure);

#endif
