/* tin-to-cin.c - Order the index variables of each statement and make its loops. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int tin_to_cin_run(MlirOperation module, const struct tin_to_cin_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'tin-to-cin' is not implemented yet");
  return 1;
}
