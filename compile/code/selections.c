/* selections.c - see selections.h.
 *
 *     x = select c, float a, float b  -->  bits = select c, int (bits of a), int (bits of b)
 *                                          x = float of bits
 *
 * In a merge of two operands' entries (select.c) no processor can guess which case is next, and a
 * branch that is guessed wrong costs more than all else that is done for the entry.  The way to
 * integer registers and back takes longer than a branch that is guessed right: a value that the
 * next iteration waits for stays what it is.
 */
#include "selections.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct selections {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  unsigned kind; /* of metadata, which LLVM's passes drop when they join selections */
  LLVMValueRef unpredictable;
} selections;

static selections selections_of(LLVMModuleRef module) {
  static const char kind[] = "unpredictable";
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef empty = LLVMMDNodeInContext2(context, NULL, 0);
  return (selections){context, LLVMCreateBuilderInContext(context),
                      LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1),
                      LLVMMetadataAsValue(context, empty)};
}

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

static void keep(const selections *s, LLVMValueRef select) {
  LLVMSetMetadata(select, s->kind, s->unpredictable);
}

static void move_bits(const selections *s, LLVMValueRef select) {
  LLVMBuilderRef b = s->builder;
  if (!is_float(select) || is_by_float(select) || is_carried(select))
    return;
  LLVMTypeRef type = LLVMTypeOf(select), bits = bits_of(s, type);
  LLVMPositionBuilderBefore(b, select);
  LLVMValueRef yes = LLVMBuildBitCast(b, LLVMGetOperand(select, 1), bits, "");
  LLVMValueRef no = LLVMBuildBitCast(b, LLVMGetOperand(select, 2), bits, "");
  LLVMValueRef selected = LLVMBuildSelect(b, LLVMGetOperand(select, 0), yes, no, "");
  if (LLVMIsAInstruction(selected))
    keep(s, selected);
  LLVMReplaceAllUsesWith(select, LLVMBuildBitCast(b, selected, type, ""));
  LLVMInstructionEraseFromParent(select);
}

static void visit_block(const selections *s, LLVMBasicBlockRef block,
                        void (*visit)(const selections *s, LLVMValueRef select)) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (is_select(i))
      visit(s, i);
  }
}

static void visit_selections(LLVMModuleRef module,
                             void (*visit)(const selections *s, LLVMValueRef select)) {
  selections s = selections_of(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      visit_block(&s, block, visit);
  LLVMDisposeBuilder(s.builder);
}

void selections_keep(LLVMModuleRef module) {
  visit_selections(module, keep);
}

void selections_move_bits(LLVMModuleRef module) {
  visit_selections(module, move_bits);
}
