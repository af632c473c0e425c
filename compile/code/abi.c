/* A pointer to the symbol, kept though nothing reads it:
 *
 *     @lac_runtime_abi_3 = external constant i32
 *     @lac_runtime_abi = private constant ptr @lac_runtime_abi_3         in llvm.used
 */
#include "abi.h"

#include "lac_tensor.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool calls_runtime(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    if (LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName2(f, &length), "lac_", strlen("lac_")))
      return true;
  }
  return false;
}

static LLVMValueRef declare_symbol(LLVMModuleRef module) {
  char name[64];
  snprintf(name, sizeof name, LAC_ABI_SYMBOL_PREFIX "%d", LAC_ABI_VERSION);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef symbol = LLVMAddGlobal(module, i32, name);
  LLVMSetGlobalConstant(symbol, true);
  return symbol;
}

static void keep(LLVMModuleRef module, LLVMValueRef value) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  LLVMValueRef used = LLVMAddGlobal(module, LLVMArrayType2(pointer, 1), "llvm.used");
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
  LLVMSetInitializer(used, LLVMConstArray2(pointer, &value, 1));
}

void abi_require(LLVMModuleRef module) {
  if (!calls_runtime(module) || LLVMGetNamedGlobal(module, "llvm.used"))
    return;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  LLVMValueRef reference = LLVMAddGlobal(module, pointer, "lac_runtime_abi");
  LLVMSetLinkage(reference, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(reference, true);
  LLVMSetInitializer(reference, declare_symbol(module));
  keep(module, reference);
}
