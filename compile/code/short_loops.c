/* short_loops.c - marks loops for LLVM's unroller.
 *
 *     br header, !llvm.loop !0        where header comes before the branch
 *     !0 = distinct !{!0, !{"llvm.loop.unroll.runtime.disable"}}
 *
 *     br ..., !llvm.loop !1        in every block but one that writes and is a loop by itself
 *     !1 = distinct !{!1, !{"llvm.loop.unroll.disable"}}
 */
#include "short_loops.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

static bool comes_before(LLVMBasicBlockRef block, LLVMBasicBlockRef other) {
  while (other && other != block)
    other = LLVMGetPreviousBasicBlock(other);
  return other == block;
}

static bool carries_vector(LLVMBasicBlockRef header) {
  for (LLVMValueRef v = LLVMGetFirstInstruction(header); v && LLVMIsAPHINode(v);
       v = LLVMGetNextInstruction(v))
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
      return true;
  return false;
}

static bool closes_loop(LLVMBasicBlockRef block, LLVMValueRef branch) {
  return branch && LLVMIsABranchInst(branch) && !LLVMIsConditional(branch) &&
         carries_vector(LLVMGetSuccessor(branch, 0)) &&
         comes_before(LLVMGetSuccessor(branch, 0), block);
}

/* A node that is its own first operand, so that it is a loop's only, or all that share it are to be
 * left alone. */
static LLVMMetadataRef loop_node(LLVMContextRef context, const char *word) {
  LLVMMetadataRef name = LLVMMDStringInContext2(context, word, strlen(word));
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef operands[] = {self, LLVMMDNodeInContext2(context, &name, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  return node;
}

static void mark(LLVMContextRef context, LLVMValueRef branch, LLVMMetadataRef node) {
  unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
  if (!LLVMGetMetadata(branch, kind))
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, node));
}

void short_loops_mark(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      if (closes_loop(b, LLVMGetBasicBlockTerminator(b)))
        mark(context, LLVMGetBasicBlockTerminator(b),
             loop_node(context, "llvm.loop.unroll.runtime.disable"));
}

static bool is_loop(LLVMBasicBlockRef block, LLVMValueRef branch) {
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
    if (LLVMGetSuccessor(branch, i) == block)
      return true;
  return false;
}

static bool writes(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAStoreInst(i))
      return true;
  return false;
}

void loops_unroll_little(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef leave = loop_node(context, "llvm.loop.unroll.disable");
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef branch = LLVMGetBasicBlockTerminator(b);
      if (LLVMIsABranchInst(branch) && !(is_loop(b, branch) && writes(b)))
        mark(context, branch, leave);
    }
}
