/* lower-handles.c - Lower stored tensors to pointers to their handles. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int lower_handles_run(MlirOperation module, const struct lower_handles_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'lower-handles' is not implemented yet");
  return 1;
}
