/* tin-lower-conversions.c - Lower tin.convert to statements that pack and unpack levels. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int tin_lower_conversions_run(MlirOperation module,
                              const struct tin_lower_conversions_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'tin-lower-conversions' is not implemented yet");
  return 1;
}
