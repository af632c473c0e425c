/* small_teams.c - see small_teams.h.
 *
 *     push_num_threads(at, thread, count)  -->  team(at, thread, count, body, shared)
 *     fork_call(at, 1, body, shared)
 *
 *     void team(at, thread, count, body, shared) {
 *       if (count == 1 && !omp_in_parallel())
 *         body(&thread, &zero, shared);
 *       else
 *         as before
 *     }
 *
 * Outside of all teams of more than one thread, a thread's number is 0 and its team's size 1, which
 * is what the body is told when it asks.
 */
#include "small_teams.h"

#include <stdbool.h>
#include <string.h>

/* The arguments of `team`, and of a fork. */
enum { AT, THREAD, COUNT, BODY, SHARED, TEAM_ARGUMENTS };
enum { FORK_AT, FORK_COUNT, FORK_BODY, FORK_SHARED, FORK_ARGUMENTS };

typedef struct teams {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef push, fork, team;
  LLVMTypeRef pointer, i32, nothing;
} teams;

static LLVMTypeRef team_type(const teams *t) {
  LLVMTypeRef types[] = {t->pointer, t->i32, t->i32, t->pointer, t->pointer};
  return LLVMFunctionType(t->nothing, types, TEAM_ARGUMENTS, false);
}

static LLVMTypeRef body_type(const teams *t) {
  LLVMTypeRef types[] = {t->pointer, t->pointer, t->pointer};
  return LLVMFunctionType(t->nothing, types, 3, false);
}

static LLVMValueRef call(const teams *t, LLVMValueRef function, LLVMValueRef *arguments,
                         unsigned count) {
  return LLVMBuildCall2(t->builder, LLVMGlobalGetValueType(function), function, arguments, count,
                        "");
}

/* Whether the team is to have one thread, and this one is in no larger team. */
static LLVMValueRef is_alone(const teams *t, LLVMValueRef count) {
  static const char name[] = "omp_in_parallel";
  LLVMValueRef ask = LLVMGetOrInsertFunction(t->module, name, strlen(name),
                                             LLVMFunctionType(t->i32, NULL, 0, false));
  LLVMValueRef one =
      LLVMBuildICmp(t->builder, LLVMIntEQ, count, LLVMConstInt(t->i32, 1, false), "is_one");
  LLVMValueRef outside = LLVMBuildIsNull(t->builder, call(t, ask, NULL, 0), "is_outside");
  return LLVMBuildAnd(t->builder, one, outside, "is_alone");
}

static LLVMValueRef variable(const teams *t, LLVMValueRef value) {
  LLVMValueRef memory = LLVMBuildAlloca(t->builder, t->i32, "");
  LLVMBuildStore(t->builder, value, memory);
  return memory;
}

static void define_team(teams *t) {
  LLVMContextRef context = LLVMGetModuleContext(t->module);
  t->team = LLVMAddFunction(t->module, "lacuna.team", team_type(t));
  LLVMSetLinkage(t->team, LLVMInternalLinkage);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, t->team, "entry");
  LLVMBasicBlockRef alone = LLVMAppendBasicBlockInContext(context, t->team, "alone");
  LLVMBasicBlockRef several = LLVMAppendBasicBlockInContext(context, t->team, "several");
  LLVMValueRef given[TEAM_ARGUMENTS];
  LLVMGetParams(t->team, given);
  LLVMPositionBuilderAtEnd(t->builder, entry);
  LLVMValueRef told[] = {variable(t, given[THREAD]), variable(t, LLVMConstInt(t->i32, 0, false)),
                         given[SHARED]};
  LLVMBuildCondBr(t->builder, is_alone(t, given[COUNT]), alone, several);
  LLVMPositionBuilderAtEnd(t->builder, alone);
  LLVMBuildCall2(t->builder, body_type(t), given[BODY], told, 3, "");
  LLVMBuildRetVoid(t->builder);
  LLVMPositionBuilderAtEnd(t->builder, several);
  LLVMValueRef pushed[] = {given[AT], given[THREAD], given[COUNT]};
  LLVMValueRef forked[] = {given[AT], LLVMConstInt(t->i32, 1, false), given[BODY], given[SHARED]};
  call(t, t->push, pushed, 3);
  call(t, t->fork, forked, FORK_ARGUMENTS);
  LLVMBuildRetVoid(t->builder);
}

static bool calls(LLVMValueRef instruction, LLVMValueRef function) {
  return LLVMIsACallInst(instruction) && LLVMGetCalledValue(instruction) == function;
}

/* The instruction before; at the beginning of a block, the branch that alone leads to it. */
static LLVMValueRef before(LLVMValueRef instruction) {
  LLVMValueRef previous = LLVMGetPreviousInstruction(instruction);
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetInstructionParent(instruction)));
  return previous || !use || LLVMGetNextUse(use) ? previous : LLVMGetUser(use);
}

/* What says how many threads the fork is of; NULL where it is not certain. */
static LLVMValueRef push_before(const teams *t, LLVMValueRef fork) {
  LLVMValueRef at = before(fork);
  while (at && !calls(at, t->push) && !calls(at, t->fork))
    at = before(at);
  return at && calls(at, t->push) ? at : NULL;
}

static void call_team(const teams *t, LLVMValueRef fork, LLVMValueRef push) {
  LLVMValueRef arguments[] = {LLVMGetOperand(push, 0), LLVMGetOperand(push, 1),
                              LLVMGetOperand(push, 2), LLVMGetOperand(fork, FORK_BODY),
                              LLVMGetOperand(fork, FORK_SHARED)};
  LLVMPositionBuilderBefore(t->builder, fork);
  call(t, t->team, arguments, TEAM_ARGUMENTS);
  LLVMInstructionEraseFromParent(fork);
  LLVMInstructionEraseFromParent(push);
}

static bool takes_shared(LLVMValueRef fork) {
  return LLVMGetNumArgOperands(fork) == FORK_ARGUMENTS;
}

void small_teams_call(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  teams t = {.module = module,
             .push = LLVMGetNamedFunction(module, "__kmpc_push_num_threads"),
             .fork = LLVMGetNamedFunction(module, "__kmpc_fork_call"),
             .pointer = LLVMPointerTypeInContext(context, 0),
             .i32 = LLVMInt32TypeInContext(context),
             .nothing = LLVMVoidTypeInContext(context)};
  if (!t.push || !t.fork)
    return;
  t.builder = LLVMCreateBuilderInContext(context);
  LLVMUseRef use = LLVMGetFirstUse(t.fork), next; /* but for the team's own */
  define_team(&t);
  for (; use; use = next) {
    LLVMValueRef fork = LLVMGetUser(use), push;
    next = LLVMGetNextUse(use);
    if (calls(fork, t.fork) && takes_shared(fork) && (push = push_before(&t, fork)))
      call_team(&t, fork, push);
  }
  LLVMDisposeBuilder(t.builder);
}
