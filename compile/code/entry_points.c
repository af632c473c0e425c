/* For each function i32 f(ptr, ptr, ...) that the program exports, one that takes its arguments as
 * an array, so that a caller in C can pass any number of them:
 *
 *     int32_t f.packed(void *const *arguments) {
 *       return arguments ? f(arguments[0], arguments[1], ...) : lac_error_missing("...");
 *     }
 */
#include "entry_points.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static LLVMTypeRef pointer_in(LLVMModuleRef module) {
  return LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
}

static LLVMTypeRef i32_in(LLVMModuleRef module) {
  return LLVMInt32TypeInContext(LLVMGetModuleContext(module));
}

/* int32_t name(void *) */
static LLVMTypeRef type_of_pointer(LLVMModuleRef module) {
  LLVMTypeRef pointer = pointer_in(module);
  return LLVMFunctionType(i32_in(module), &pointer, 1, false);
}

static LLVMValueRef declare_packed(LLVMModuleRef module, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  char *packed_name = NULL;
  if (asprintf(&packed_name, "%.*s" ENTRY_POINT_SUFFIX, (int)length, name) < 0)
    return NULL;
  LLVMValueRef packed = LLVMAddFunction(module, packed_name, type_of_pointer(module));
  free(packed_name);
  return packed;
}

static LLVMValueRef call_runtime(LLVMModuleRef module, LLVMBuilderRef builder, const char *name,
                                 LLVMTypeRef type, LLVMValueRef argument) {
  LLVMValueRef function = LLVMGetOrInsertFunction(module, name, strlen(name), type);
  return LLVMBuildCall2(builder, type, function, &argument, 1, "");
}

/* The block that the array is read in; in the entry, NULL is refused. */
static LLVMBasicBlockRef refuse_null(LLVMModuleRef module, LLVMBuilderRef builder,
                                     LLVMValueRef packed) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBasicBlockRef missing = LLVMAppendBasicBlockInContext(context, packed, "missing");
  LLVMBasicBlockRef given = LLVMAppendBasicBlockInContext(context, packed, "given");
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, LLVMGetParam(packed, 0), "none"), missing,
                  given);
  LLVMPositionBuilderAtEnd(builder, missing);
  LLVMTypeRef type = type_of_pointer(module);
  LLVMValueRef what = LLVMBuildGlobalStringPtr(builder, "an array of arguments", "what");
  LLVMBuildRet(builder, call_runtime(module, builder, "lac_error_missing", type, what));
  return given;
}

/* What end_threads takes. */
static LLVMValueRef begin_threads(LLVMModuleRef module, LLVMBuilderRef builder, int64_t threads) {
  LLVMTypeRef i32 = i32_in(module), type = LLVMFunctionType(i32, &i32, 1, false);
  return call_runtime(module, builder, "lac_kernel_threads_begin", type,
                      LLVMConstInt(i32, (unsigned long long)threads, false));
}

static void end_threads(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef before) {
  LLVMTypeRef i32 = i32_in(module);
  LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
  call_runtime(module, builder, "lac_threads_set", LLVMFunctionType(none, &i32, 1, false), before);
}

static void call_unpacked(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef packed,
                          LLVMValueRef function, int64_t threads) {
  unsigned count = LLVMCountParams(function);
  LLVMTypeRef pointer = pointer_in(module);
  LLVMValueRef *arguments = calloc(count ? count : 1, sizeof *arguments);
  for (unsigned i = 0; arguments && i < count; i++) {
    LLVMValueRef index =
        LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(module)), i, false);
    LLVMValueRef slot = LLVMBuildGEP2(builder, pointer, LLVMGetParam(packed, 0), &index, 1, "slot");
    arguments[i] = LLVMBuildLoad2(builder, pointer, slot, "argument");
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef before = threads > 0 ? begin_threads(module, builder, threads) : NULL;
  LLVMValueRef status = LLVMBuildCall2(builder, type, function, arguments, count, "status");
  if (before)
    end_threads(module, builder, before);
  LLVMBuildRet(builder, status);
  free(arguments);
}

static void define_packed(LLVMModuleRef module, LLVMValueRef function, int64_t threads) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef packed = declare_packed(module, function);
  if (!packed)
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, packed, "entry"));
  if (LLVMCountParams(function))
    LLVMPositionBuilderAtEnd(builder, refuse_null(module, builder, packed));
  call_unpacked(module, builder, packed, function, threads);
  LLVMDisposeBuilder(builder);
}

void entry_points_add(LLVMModuleRef module, int64_t threads) {
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_entry(f))
      define_packed(module, f, threads);
    if (f == last)
      break;
  }
}
