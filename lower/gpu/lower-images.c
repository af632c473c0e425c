/* lower-images.c - Lower the code of kernels to a constant of the program.
 *
 *     gpu.binary @m [#gpu.object<.., assembly = "...">]
 *       -->
 *     llvm.mlir.global internal constant @lac_image_m("...\00")
 */
#include "bridge.h"

#include "arena.h"
#include "builder.h"
#include "ir.h"
#include "launches.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Dialect/GPU.h>
#include <mlir-c/Dialect/LLVM.h>

#include <string.h>

static bool is_binary(MlirOperation op) {
  return op_is(op, "gpu.binary");
}

static MlirOperation find_image(arena *memory, MlirOperation module, MlirOperation binary) {
  const char *name = arena_format(memory, IMAGE_PREFIX "%.*s", TEXT(op_text(binary, "sym_name")));
  return find_symbol(op_block(module, 0), mlirStringRefCreateFromCString(name));
}

/* A function that is called and that nobody has comes out as a declaration. */
static bool check_externals(MlirOperation binary, const char *text) {
  const char *external = strstr(text, ".extern .func");
  const char *name = external ? strstr(external, "__nv_") : NULL;
  if (!external)
    return true;
  int length = name ? (int)strcspn(name, "( \n\t") : 0;
  return error_at(binary,
                  "expected the functions that kernels call in CUDA's libdevice, found no '%.*s' "
                  "(CUDA_ROOT says where the toolkit is)",
                  length, length ? name : "");
}

static bool fill_image(arena *memory, builder *b, MlirOperation module, MlirOperation binary) {
  MlirOperation image = find_image(memory, module, binary);
  MlirAttribute objects = op_attribute(binary, "objects");
  if (mlirOperationIsNull(image) || mlirArrayAttrGetNumElements(objects) < 1)
    return error_at(binary, "expected a constant that takes the image, found none");
  MlirStringRef code = mlirGPUObjectAttrGetObject(mlirArrayAttrGetElement(objects, 0));
  char *text = arena_format(memory, "%.*s", TEXT(code));
  if (!check_externals(binary, text))
    return false;
  MlirContext context = mlirOperationGetContext(module);
  MlirType type = mlirLLVMArrayTypeGet(type_i(b, 8), (unsigned)(code.length + 1));
  op_set(image, "global_type", mlirTypeAttrGet(type));
  op_set(image, "linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal));
  op_set(image, "value", mlirStringAttrGet(context, mlirStringRefCreate(text, code.length + 1)));
  return true;
}

int lower_images_run(MlirOperation module, const struct lower_images_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list binaries = ops_below(memory, module, is_binary);
  builder *b = builder_create(mlirOperationGetContext(module), mlirOperationGetLocation(module));
  bool good = true;
  for (int i = 0; i < binaries.count && good; i++) {
    good = fill_image(memory, b, module, binaries.ops[i]);
    if (good)
      mlirOperationDestroy(binaries.ops[i]);
  }
  builder_free(b);
  arena_free(memory);
  return good ? 0 : 1;
}
