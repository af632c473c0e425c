/* gather-kernels.c - Put all kernels of a program into one gpu.module, which so are one image.
 *
 *     gpu.module @f_kernel   { gpu.func @f_kernel }          gpu.module @f_kernel {
 *     gpu.module @f_kernel_0 { gpu.func @f_kernel }    -->     gpu.func @f_kernel
 *                                                              gpu.func @f_kernel_0
 *                                                            }
 *
 * Modules have names of their own, and so have kernels that are named as theirs.  One that several
 * launches are of stays where it is.
 */
#include "bridge.h"

#include "arena.h"
#include "ir.h"
#include "launches.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>

static void move_kernel(const device_launch *l, MlirOperation container) {
  MlirContext context = mlirOperationGetContext(l->op);
  MlirAttribute name = op_attribute(l->container, "sym_name");
  MlirAttribute kernel = mlirFlatSymbolRefAttrGet(context, mlirStringAttrGetValue(name));
  op_set(l->kernel, "sym_name", name);
  op_set(l->op, "kernel",
         mlirSymbolRefAttrGet(context, op_text(container, "sym_name"), 1, &kernel));
  mlirOperationRemoveFromParent(l->kernel);
  mlirBlockAppendOwnedOperation(op_block(container, 0), l->kernel);
  mlirOperationDestroy(l->container);
}

static MlirStringRef container_name(MlirOperation launch) {
  return mlirSymbolRefAttrGetRootReference(op_attribute(launch, "kernel"));
}

static bool is_alone(op_list launches, int i) {
  for (int n = 0; n < launches.count; n++)
    if (n != i &&
        mlirStringRefEqual(container_name(launches.ops[n]), container_name(launches.ops[i])))
      return false;
  return true;
}

int gather_kernels_run(MlirOperation module, const struct gather_kernels_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list ops = ops_below(memory, module, launch_is);
  bool *alone = ARENA_ARRAY(memory, bool, ops.count + 1);
  for (int i = 0; i < ops.count; i++)
    alone[i] = is_alone(ops, i);
  for (int i = 1; i < ops.count; i++) {
    device_launch first = launch_of(module, ops.ops[0]), l = launch_of(module, ops.ops[i]);
    if (alone[i])
      move_kernel(&l, first.container);
  }
  arena_free(memory);
  return 0;
}
