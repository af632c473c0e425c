/* tin-split-terms.c - Split statements into ones whose kernels can be made. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int tin_split_terms_run(MlirOperation module, const struct tin_split_terms_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'tin-split-terms' is not implemented yet");
  return 1;
}
