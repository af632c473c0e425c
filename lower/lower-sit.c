/* lower-sit.c - Lower sparse iteration to loops, by the level formats' functions. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int lower_sit_run(MlirOperation module, const struct lower_sit_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'lower-sit' is not implemented yet");
  return 1;
}
