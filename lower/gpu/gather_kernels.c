/* gather_kernels.c - one gpu.module for all kernels of a program, which so are one image.
 *
 *     gpu.module @f_kernel   { gpu.func @f_kernel }          gpu.module @f_kernel {
 *     gpu.module @f_kernel_0 { gpu.func @f_kernel }    -->     gpu.func @f_kernel
 *                                                              gpu.func @f_kernel_0
 *                                                            }
 *
 * Modules have names of their own, and so have kernels that are named as theirs.
 */
#include "ir.h"
#include "launches.h"

#include <mlir-c/BuiltinAttributes.h>

static void move_kernel(device_launch *l, MlirOperation container) {
  MlirContext context = mlirOperationGetContext(l->op);
  MlirAttribute name = op_attribute(l->container, "sym_name");
  MlirAttribute kernel = mlirFlatSymbolRefAttrGet(context, mlirStringAttrGetValue(name));
  op_set(l->kernel, "sym_name", name);
  op_set(l->op, "kernel",
         mlirSymbolRefAttrGet(context, op_text(container, "sym_name"), 1, &kernel));
  mlirOperationRemoveFromParent(l->kernel);
  mlirBlockAppendOwnedOperation(op_block(container, 0), l->kernel);
  mlirOperationDestroy(l->container);
  l->container = container;
}

void kernels_gather(device_launch *launches, int count) {
  for (int i = 1; i < count; i++)
    move_kernel(&launches[i], launches[0].container);
}
