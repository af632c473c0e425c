/* llvm_code.c - from the LLVM dialect to optimized LLVM IR for a processor.
 *
 * Every function of ours is told to use the widest vectors that there are (processor.h).
 */
#include "llvm_code.h"

#include "abi.h"
#include "entry_points.h"
#include "failure.h"
#include "processor.h"
#include "selections.h"
#include "short_loops.h"
#include "small_teams.h"

#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double llvm_code_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool llvm_code_fail(char **error, char *llvm_message) {
  *error = strdup(llvm_message ? llvm_message : "unknown failure");
  LLVMDisposeMessage(llvm_message);
  return false;
}

bool llvm_code_fail_error(char **error, LLVMErrorRef failure) {
  char *message = LLVMGetErrorMessage(failure);
  *error = strdup(message);
  LLVMDisposeErrorMessage(message);
  return false;
}

machine_options machine_options_default(void) {
  return (machine_options){.level = MACHINE_LEVEL_USUAL, .openmp_library = LACUNA_LIBOMP};
}

int machine_level(const machine_options *options, char **error) {
  const char *setting = getenv("LACUNA_OPTIMIZE");
  *error = NULL;
  if (options->level != MACHINE_LEVEL_USUAL)
    return options->level;
  if (!setting || !*setting)
    return MACHINE_LEVEL_MOST;
  int level = setting[0] - '0';
  if (level >= 0 && level <= MACHINE_LEVEL_MOST && !setting[1])
    return level;
  failure_tell(error, "LACUNA_OPTIMIZE: expected a level from 0 to %d, found '%s'",
               MACHINE_LEVEL_MOST, setting);
  return MACHINE_LEVEL_USUAL;
}

static LLVMCodeGenOptLevel code_level(int level) {
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                               LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
  return levels[level];
}

static bool target_create(llvm_code *p, const processor *on, char **error) {
  char *message = NULL;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(on->triple, &target, &message))
    return llvm_code_fail(error, message);
  p->target = LLVMCreateTargetMachine(target, on->triple, on->cpu, on->features,
                                      code_level(p->level), LLVMRelocPIC, LLVMCodeModelDefault);
  p->vector_bits = processor_vector_bits(on);
  p->selects_floats = processor_selects_floats(on);
  return true;
}

static bool target_find(llvm_code *p, const machine_options *options, char **error) {
  processor on;
  p->level = machine_level(options, error);
  if (*error)
    return false;
  bool found = processor_find(&on, options, error) && target_create(p, &on, error);
  processor_free(&on);
  return found;
}

static bool translate(llvm_code *p, MlirModule module) {
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

static void add_attribute(llvm_code *p, LLVMValueRef function, const char *name,
                          const char *value) {
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(p->context, name, (unsigned)strlen(name),
                                                         value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void prefer_wide_vectors(llvm_code *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); p->vector_bits == 512 && f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      add_attribute(p, f, "prefer-vector-width", "512");
}

/* A line of the processor's caches: what a loop takes must not follow from the length of what lies
 * before its function, as texts do (SpGEMM of short rows took 2.5 ms or 2.9). */
enum { LINE_BYTES = 64 };

static void align_functions(llvm_code *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetAlignment(f, LINE_BYTES);
}

static int length_of(LLVMBasicBlockRef block) {
  int length = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    ++length;
  return length;
}

/* Instructions, of all of the module and of its longest block. */
typedef struct extent {
  int all, longest;
} extent;

static extent extent_of(const llvm_code *p) {
  extent found = {0, 0};
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      int length = length_of(block);
      found.all += length;
      found.longest = length > found.longest ? length : found.longest;
    }
  return found;
}

/* LLVM's vectorizers take the square of a block's length, and gain little on one so long: what is
 * below level 2 leaves them out.  On code of so many instructions in all, as of merges inside
 * merges, most passes take long and gain little. */
enum { BLOCK_WORTH_VECTORS = 2000, CODE_WORTH_THE_TIME = 8000 };

static bool is_cold(LLVMValueRef function) {
  unsigned cold = LLVMGetEnumAttributeKindForName("cold", strlen("cold"));
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     cold) != NULL;
}

/* Whether what others can call is cold, and there is such a function. */
static bool is_seldom_called(const llvm_code *p) {
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage)
      continue;
    if (!is_cold(f))
      return false;
    any = true;
  }
  return any;
}

static bool run_passes(llvm_code *p, const char *pipeline, char **error) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(p->module, pipeline, p->target, options);
  LLVMDisposePassBuilderOptions(options);
  return failure ? llvm_code_fail_error(error, failure) : true;
}

/* For code that runs once, or is long: what LLVM's own pipelines begin with, which is most of the
 * gain, and of the unrolling what takes no time, that of loops of a block. */
static bool optimize_little(llvm_code *p, char **error) {
  static const char scalars[] = "function(sroa,early-cse<memssa>,simplifycfg,"
                                "instcombine<max-iterations=1;no-verify-fixpoint>,"
                                "loop-mssa(loop-rotate,licm),simplifycfg)";
  static const char unrolling[] = "function(loop-unroll<O3>)";
  if (!run_passes(p, scalars, error))
    return false;
  loops_unroll_little(p->module);
  return run_passes(p, unrolling, error);
}

static bool optimize(llvm_code *p, bool seldom, char **error) {
  extent code = extent_of(p);
  int most = code.longest > BLOCK_WORTH_VECTORS ? 1 : 3;
  char pipeline[] = "default<O0>";
  if (p->level > 0 && (seldom || code.all > CODE_WORTH_THE_TIME))
    return optimize_little(p, error);
  pipeline[9] = (char)('0' + (p->level > most ? most : p->level));
  return run_passes(p, pipeline, error);
}

void llvm_code_release(llvm_code *p) {
  if (p->module)
    LLVMDisposeModule(p->module);
  if (p->context)
    LLVMContextDispose(p->context);
  if (p->target)
    LLVMDisposeTargetMachine(p->target);
  *p = (llvm_code){0};
}

bool llvm_code_translate(llvm_code *made, MlirModule module, const machine_options *options,
                         char **error) {
  *made = (llvm_code){0};
  *error = NULL;
  double start = llvm_code_clock();
  bool good = target_find(made, options, error) && translate(made, module);
  if (!good)
    llvm_code_release(made);
  if (options->times)
    options->times->translate = llvm_code_clock() - start;
  return good;
}

bool llvm_code_optimize(llvm_code *p, const machine_options *options, char **error) {
  double start = llvm_code_clock();
  bool seldom = is_seldom_called(p);
  if (options->entry_points)
    entry_points_add(p->module, options->threads);
  abi_require(p->module);
  align_functions(p);
  prefer_wide_vectors(p);
  selections_keep(p->module);
  small_teams_call(p->module);
  short_loops_mark(p->module);
  bool good = optimize(p, seldom, error);
  if (good && !p->selects_floats)
    selections_move_bits(p->module);
  if (options->times)
    options->times->optimize = llvm_code_clock() - start;
  return good;
}
