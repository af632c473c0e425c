/* link-device-functions.c - Say where the functions are that kernels call: CUDA's libdevice.
 *
 *     gpu.module @m [#nvvm.target<chip = "sm_90">] { llvm.func @__nv_exp ... }
 *       -->
 *     gpu.module @m [#nvvm.target<chip = "sm_90", link = [".../libdevice.10.bc"]>] { ... }
 *
 * Where CUDA_ROOT, CUDA_HOME or CUDA_PATH say where the toolkit is, MLIR looks there itself.
 */
#include "bridge.h"

#include "arena.h"
#include "ir.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {"/usr/local/cuda/nvvm/libdevice/libdevice.10.bc",
                                     "/usr/lib/cuda/nvvm/libdevice/libdevice.10.bc",
                                     "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc",
                                     "/opt/cuda/nvvm/libdevice/libdevice.10.bc"};

/* NULL where there is none, or MLIR finds it. */
static const char *find_library(void) {
  static const char *const roots[] = {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (getenv(roots[i]))
      return NULL;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (!access(places[i], R_OK))
      return places[i];
  return NULL;
}

static bool is_kernels(MlirOperation op) {
  return op_is(op, "gpu.module");
}

static bool calls_library(MlirOperation kernels) {
  const char prefix[] = "__nv_";
  for (OPERATIONS(op, op_block(kernels, 0))) {
    MlirStringRef name = op_is(op, "llvm.func") ? op_text(op, "sym_name") : (MlirStringRef){0};
    if (name.length >= strlen(prefix) && !memcmp(name.data, prefix, strlen(prefix)))
      return true;
  }
  return false;
}

/* "#nvvm.target<...>" with what it links to; as it was where it says so itself. */
static MlirAttribute with_library(arena *memory, MlirAttribute target, const char *library) {
  const char *text = attribute_text(memory, target);
  size_t length = strlen(text);
  if (strncmp(text, "#nvvm.target<", strlen("#nvvm.target<")) != 0 || strstr(text, "link = "))
    return target;
  MlirAttribute linked =
      mlirAttributeParseGet(mlirAttributeGetContext(target),
                            mlirStringRefCreateFromCString(
                                arena_format(memory, "%.*s%slink = [\"%s\"]>", (int)length - 1,
                                             text, text[length - 2] == '<' ? "" : ", ", library)));
  return mlirAttributeIsNull(linked) ? target : linked;
}

static bool link_library(MlirOperation kernels, arena *memory) {
  const char *library = find_library();
  MlirAttribute targets = op_attribute(kernels, "targets");
  if (!library || mlirAttributeIsNull(targets) || !calls_library(kernels))
    return true;
  intptr_t count = mlirArrayAttrGetNumElements(targets);
  MlirAttribute *linked = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; i++)
    linked[i] = with_library(memory, mlirArrayAttrGetElement(targets, i), library);
  op_set(kernels, "targets", mlirArrayAttrGet(mlirOperationGetContext(kernels), count, linked));
  return true;
}

int link_device_functions_run(MlirOperation module,
                              const struct link_device_functions_options *options) {
  (void)options;
  return change_operations(module, is_kernels, link_library) ? 0 : 1;
}
