/* tin-expand-einsum.c - Expand tin.einsum text into tin.compute statements. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int tin_expand_einsum_run(MlirOperation module, const struct tin_expand_einsum_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'tin-expand-einsum' is not implemented yet");
  return 1;
}
