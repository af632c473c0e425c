/* float_selections.c - see float_selections.h.
 *
 *     x = select c, float a, float b  -->  bits = select c, int (bits of a), int (bits of b)
 *                                          x = float of bits
 *
 * In a merge of two operands' entries (select.c) no processor can guess which case is next, and a
 * branch that is guessed wrong costs more than all else that is done for the entry.  The way to
 * integer registers and back takes longer than a branch that is guessed right: a value that the
 * next iteration waits for stays what it is.
 */
#include "float_selections.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct selections {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  unsigned kind; /* of metadata, which LLVM's passes drop when they join selections */
  LLVMValueRef unpredictable;
} selections;

static bool is_select(LLVMValueRef value) {
  return LLVMIsASelectInst(value) != NULL;
}

static bool is_float(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* An instruction compares floats to a mask of them, which selects without a branch. */
static bool is_by_float(LLVMValueRef select) {
  return LLVMIsAFCmpInst(LLVMGetOperand(select, 0)) != NULL;
}

/* Whether the next iteration begins with it, or with what is selected from it. */
static bool is_carried(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) || (is_select(user) && is_carried(user)))
      return true;
  }
  return false;
}

static LLVMTypeRef bits_of(const selections *s, LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? LLVMInt64TypeInContext(s->context)
                                                     : LLVMInt32TypeInContext(s->context);
}

static void select_bits(const selections *s, LLVMValueRef select) {
  LLVMBuilderRef b = s->builder;
  LLVMTypeRef type = LLVMTypeOf(select), bits = bits_of(s, type);
  LLVMPositionBuilderBefore(b, select);
  LLVMValueRef yes = LLVMBuildBitCast(b, LLVMGetOperand(select, 1), bits, "");
  LLVMValueRef no = LLVMBuildBitCast(b, LLVMGetOperand(select, 2), bits, "");
  LLVMValueRef selected = LLVMBuildSelect(b, LLVMGetOperand(select, 0), yes, no, "");
  if (LLVMIsAInstruction(selected))
    LLVMSetMetadata(selected, s->kind, s->unpredictable);
  LLVMReplaceAllUsesWith(select, LLVMBuildBitCast(b, selected, type, ""));
  LLVMInstructionEraseFromParent(select);
}

static void move_bits_in(const selections *s, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (is_select(i) && is_float(i) && !is_by_float(i) && !is_carried(i))
      select_bits(s, i);
  }
}

void float_selections_move_bits(LLVMModuleRef module) {
  static const char kind[] = "unpredictable";
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef empty = LLVMMDNodeInContext2(context, NULL, 0);
  selections s = {context, LLVMCreateBuilderInContext(context),
                  LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1),
                  LLVMMetadataAsValue(context, empty)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      move_bits_in(&s, block);
  LLVMDisposeBuilder(s.builder);
}
