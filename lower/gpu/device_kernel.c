/* device_kernel.c - the function of a kernel, as a driver launches it.
 *
 *     gpu.func @k(%y: memref<?xf64>, %n: index) kernel
 *       -->
 *     gpu.func @k(%p: !llvm.ptr<1>, %l: i64, %n: i64) kernel
 *
 * What is only read, no address of another array leads to: it is `llvm.noalias, llvm.readonly`, so
 * that loads go by the cache for what does not change.
 */
#include "ir.h"
#include "lac_device.h"
#include "launches.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct flattened {
  MlirType *types;
  MlirAttribute *attributes; /* of the parameters */
  intptr_t count;
} flattened;

static MlirAttribute words_of(builder *b, const char *text) {
  return mlirAttributeParseGet(builder_context(b), mlirStringRefCreateFromCString(text));
}

static MlirAttribute traits_of(builder *b, MlirValue argument) {
  bool array = parameter_kind_of(mlirValueGetType(argument)) == PARAMETER_ARRAY;
  bool read = array && !(parameter_use(argument) & LAC_DEVICE_WRITES);
  return words_of(b, read ? "{llvm.noalias, llvm.readonly}" : "{}");
}

/* The parameters of argument `i` stand before the arguments that are left, and become it. */
static void flatten_argument(builder *b, MlirBlock entry, MlirValue argument, flattened *f) {
  MlirType type = mlirValueGetType(argument), types[2];
  MlirType global =
      mlirTypeParseGet(builder_context(b), mlirStringRefCreateFromCString("!llvm.ptr<1>"));
  int parts = parameter_types(b, type, global, types);
  MlirValue values[2];
  for (int i = 0; i < parts; i++) {
    f->attributes[f->count] = i ? words_of(b, "{}") : traits_of(b, argument);
    f->types[f->count] = types[i];
    values[i] = mlirBlockInsertArgument(entry, f->count++, types[i], builder_location(b));
  }
  if (parts)
    mlirValueReplaceAllUsesOfWith(argument, parameter_rebuild(b, type, values));
}

static MlirAttribute function_type(builder *b, const flattened *f) {
  return mlirTypeAttrGet(mlirFunctionTypeGet(builder_context(b), f->count, f->types, 0, NULL));
}

void device_kernel_flatten(builder *b, const device_launch *l) {
  arena *memory = arena_create();
  MlirBlock entry = op_block(l->kernel, 0);
  intptr_t most = 2 * l->count + 1;
  flattened f = {ARENA_ARRAY(memory, MlirType, most), ARENA_ARRAY(memory, MlirAttribute, most), 0};
  builder_set_location(b, mlirOperationGetLocation(l->kernel));
  builder_before(b, mlirBlockGetFirstOperation(entry));
  for (intptr_t i = 0; i < l->count; i++) {
    flatten_argument(b, entry, mlirBlockGetArgument(entry, f.count), &f);
    mlirBlockEraseArgument(entry, (unsigned)f.count);
  }
  op_set(l->kernel, "function_type", function_type(b, &f));
  op_set(l->kernel, "arg_attrs", mlirArrayAttrGet(builder_context(b), f.count, f.attributes));
  arena_free(memory);
}
