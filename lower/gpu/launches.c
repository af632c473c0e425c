/* launches.c - see launches.h. */
#include "launches.h"

#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>

bool launch_is(MlirOperation op) {
  return op_is(op, "gpu.launch_func");
}

bool launch_scratch_is(MlirOperation op) {
  return op_calls(op, "lac_device_scratch");
}

MlirOperation find_symbol(MlirBlock block, MlirStringRef name) {
  for (OPERATIONS(op, block))
    if (mlirStringRefEqual(op_text(op, "sym_name"), name))
      return op;
  return (MlirOperation){NULL};
}

device_launch launch_of(MlirOperation module, MlirOperation op) {
  MlirAttribute kernel = op_attribute(op, "kernel");
  device_launch l = {.op = op};
  l.container = find_symbol(op_block(module, 0), mlirSymbolRefAttrGetRootReference(kernel));
  l.kernel = find_symbol(op_block(l.container, 0), mlirSymbolRefAttrGetLeafReference(kernel));
  l.count = mlirOperationGetNumOperands(op) - LAUNCH_PASSED;
  return l;
}

MlirValue launch_passed(const device_launch *l, intptr_t i) {
  return mlirOperationGetOperand(l->op, LAUNCH_PASSED + i);
}

MlirValue launch_status(MlirOperation op) {
  for (intptr_t i = LAUNCH_PASSED; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue passed = mlirOperationGetOperand(op, i);
    if (parameter_kind_of(mlirValueGetType(passed)) == PARAMETER_STATUS)
      return passed;
  }
  return (MlirValue){NULL};
}
