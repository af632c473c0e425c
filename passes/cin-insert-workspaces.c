/* cin-insert-workspaces.c - Insert workspaces where a sparse result cannot be appended in loop
 * order. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int cin_insert_workspaces_run(MlirOperation module,
                              const struct cin_insert_workspaces_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'cin-insert-workspaces' is not implemented yet");
  return 1;
}
