/* tin-insert-conversions.c - Convert operands whose level orders no loop order agrees with. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int tin_insert_conversions_run(MlirOperation module,
                               const struct tin_insert_conversions_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module),
                "'tin-insert-conversions' is not implemented yet");
  return 1;
}
