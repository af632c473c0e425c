/* For each function i32 f(ptr, ptr, ...) that the program exports, one that takes its arguments as
 * an array, so that a caller in C can pass any number of them:
 *
 *     int32_t f.packed(void *const *arguments) { return f(arguments[0], arguments[1], ...); }
 */
#include "packed.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool takes_only_pointers(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) != LLVMPointerTypeKind)
      return false;
  return true;
}

static bool is_entry(LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMExternalLinkage)
    return false;
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  return LLVMGetTypeKind(result) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(result) == 32 &&
         takes_only_pointers(function);
}

static LLVMValueRef declare_packed(LLVMModuleRef module, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(context), &pointer, 1, false);
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  char packed_name[512];
  snprintf(packed_name, sizeof packed_name, "%.*s" PACKED_SUFFIX, (int)length, name);
  return LLVMAddFunction(module, packed_name, type);
}

static void define_packed(LLVMModuleRef module, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMValueRef packed = declare_packed(module, function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, packed, "entry"));
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments = calloc(count ? count : 1, sizeof *arguments);
  for (unsigned i = 0; arguments && i < count; i++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), i, false);
    LLVMValueRef slot = LLVMBuildGEP2(builder, pointer, LLVMGetParam(packed, 0), &index, 1, "slot");
    arguments[i] = LLVMBuildLoad2(builder, pointer, slot, "argument");
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMBuildRet(builder, LLVMBuildCall2(builder, type, function, arguments, count, "status"));
  free(arguments);
  LLVMDisposeBuilder(builder);
}

void packed_entries_add(LLVMModuleRef module) {
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_entry(f))
      define_packed(module, f);
    if (f == last)
      break;
  }
}
