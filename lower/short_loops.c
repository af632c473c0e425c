/* short_loops.c - marks loops for LLVM's unroller.
 *
 *     br header, !llvm.loop !0        where header comes before the branch
 *     !0 = distinct !{!0, !{"llvm.loop.unroll.runtime.disable"}}
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

/* A node that is its own first operand, so that no two loops share one. */
static LLVMMetadataRef loop_node(LLVMContextRef context) {
  static const char word[] = "llvm.loop.unroll.runtime.disable";
  LLVMMetadataRef name = LLVMMDStringInContext2(context, word, strlen(word));
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef operands[] = {self, LLVMMDNodeInContext2(context, &name, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  return node;
}

static void mark(LLVMContextRef context, LLVMValueRef branch) {
  unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
  if (!LLVMGetMetadata(branch, kind))
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, loop_node(context)));
}

void short_loops_mark(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      if (closes_loop(b, LLVMGetBasicBlockTerminator(b)))
        mark(context, LLVMGetBasicBlockTerminator(b));
}
