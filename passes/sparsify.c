/* sparsify.c - Lower loops over index variables to iteration over merge lattices. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int sparsify_run(MlirOperation module, const struct sparsify_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'sparsify' is not implemented yet");
  return 1;
}
