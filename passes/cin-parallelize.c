/* cin-parallelize.c - Run outer loops in parallel where that is safe without being told. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int cin_parallelize_run(MlirOperation module, const struct cin_parallelize_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'cin-parallelize' is not implemented yet");
  return 1;
}
