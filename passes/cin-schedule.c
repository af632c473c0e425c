/* cin-schedule.c - Apply a schedule given as text. */
#include "bridge.h"

#include "mlir-c/Diagnostics.h"

int cin_schedule_run(MlirOperation module, const struct cin_schedule_options *options) {
  (void)options;
  mlirEmitError(mlirOperationGetLocation(module), "'cin-schedule' is not implemented yet");
  return 1;
}
