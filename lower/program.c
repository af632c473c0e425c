/* program.c - from the LLVM dialect to optimized LLVM IR for a processor.
 *
 * Every function of ours is told to use the widest vectors that there are (processor.h).
 */
#include "program.h"

#include "abi.h"
#include "packed.h"
#include "processor.h"
#include "short_loops.h"

#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double program_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool program_fail(char **error, char *llvm_message) {
  *error = strdup(llvm_message ? llvm_message : "unknown failure");
  LLVMDisposeMessage(llvm_message);
  return false;
}

bool program_fail_error(char **error, LLVMErrorRef failure) {
  char *message = LLVMGetErrorMessage(failure);
  *error = strdup(message);
  LLVMDisposeErrorMessage(message);
  return false;
}

machine_options machine_options_default(void) {
  return (machine_options){.level = 3, .openmp_library = LACUNA_LIBOMP};
}

static LLVMCodeGenOptLevel code_level(int level) {
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                               LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
  return levels[level < 0 ? 0 : level > 3 ? 3 : level];
}

static bool target_create(program *p, const processor *on, const machine_options *options,
                          char **error) {
  char *message = NULL;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(on->triple, &target, &message))
    return program_fail(error, message);
  p->target =
      LLVMCreateTargetMachine(target, on->triple, on->cpu, on->features, code_level(options->level),
                              LLVMRelocPIC, LLVMCodeModelDefault);
  p->vector_bits = processor_vector_bits(on);
  return true;
}

static bool target_find(program *p, const machine_options *options, char **error) {
  processor on;
  bool found = processor_find(&on, options, error) && target_create(p, &on, options, error);
  processor_free(&on);
  return found;
}

static bool translate(program *p, MlirModule module) {
  mlirRegisterAllLLVMTranslations(mlirModuleGetContext(module));
  p->context = LLVMContextCreate();
  p->module = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), p->context);
  if (!p->module)
    return false;
  char *triple = LLVMGetTargetMachineTriple(p->target);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(p->target);
  LLVMSetTarget(p->module, triple);
  LLVMSetModuleDataLayout(p->module, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
  return true;
}

static void add_attribute(program *p, LLVMValueRef function, const char *name, const char *value) {
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(p->context, name, (unsigned)strlen(name),
                                                         value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void prefer_wide_vectors(program *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); p->vector_bits == 512 && f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      add_attribute(p, f, "prefer-vector-width", "512");
}

/* Where our code selects, no branch would be predicted (select.c): LLVM is told to leave it so. */
static void keep_selections(program *p) {
  unsigned kind = LLVMGetMDKindIDInContext(p->context, "unpredictable", strlen("unpredictable"));
  LLVMValueRef empty = LLVMMetadataAsValue(p->context, LLVMMDNodeInContext2(p->context, NULL, 0));
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMGetInstructionOpcode(i) == LLVMSelect)
          LLVMSetMetadata(i, kind, empty);
}

/* The instructions of the longest block. */
static int longest_block(const program *p) {
  int longest = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      int length = 0;
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        ++length;
      longest = length > longest ? length : longest;
    }
  return longest;
}

/* LLVM's vectorizers take the square of a block's length, and gain little on one so long: what is
 * below level 2 leaves them out. */
static int affordable_level(const program *p, int level) {
  enum { WORTH_THE_TIME = 2000 };
  return level > 1 && longest_block(p) > WORTH_THE_TIME ? 1 : level;
}

static bool optimize(program *p, int level, char **error) {
  level = affordable_level(p, level);
  char pipeline[] = "default<O0>";
  pipeline[9] = (char)('0' + (level < 0 ? 0 : level > 3 ? 3 : level));
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(p->module, pipeline, p->target, options);
  LLVMDisposePassBuilderOptions(options);
  return failure ? program_fail_error(error, failure) : true;
}

void program_release(program *p) {
  if (p->module)
    LLVMDisposeModule(p->module);
  if (p->context)
    LLVMContextDispose(p->context);
  if (p->target)
    LLVMDisposeTargetMachine(p->target);
  *p = (program){0};
}

bool program_translate(program *made, MlirModule module, const machine_options *options,
                       char **error) {
  *made = (program){0};
  *error = NULL;
  double start = program_clock();
  bool good = target_find(made, options, error) && translate(made, module);
  if (!good)
    program_release(made);
  if (options->times)
    options->times->translate = program_clock() - start;
  return good;
}

bool program_optimize(program *p, const machine_options *options, char **error) {
  double start = program_clock();
  if (options->packed_entries)
    packed_entries_add(p->module, options->threads);
  abi_require(p->module);
  prefer_wide_vectors(p);
  keep_selections(p);
  short_loops_mark(p->module);
  bool good = optimize(p, options->level, error);
  if (options->times)
    options->times->optimize = program_clock() - start;
  return good;
}
