/* A type's format says what lac_tensor_check is to hold the arrays against. */
#include "tensor_check.h"

#include "arena.h"
#include "lac_error.h"
#include "lac_kernel.h"
#include "storage.h"
#include "tensor_format.h"
#include "triangle_check.h"

static uint8_t flags_of(const format_level *level) {
  return (uint8_t)((level->properties & LEVEL_UNIQUE ? 0 : LAC_NONUNIQUE) |
                   (level->properties & LEVEL_ORDERED ? 0 : LAC_UNORDERED));
}

static int32_t check(arena *memory, const lac_tensor *tensor, const tensor_format *format,
                     MlirType type, const char *name) {
  int32_t status = LAC_OK;
  uint8_t *flags = ARENA_ARRAY(memory, uint8_t, format->level_count + 1);
  for (int l = 0; l < format->level_count; l++)
    flags[l] = flags_of(&format->levels[l]);
  lac_kernel_expect(tensor, storage_signature(memory, format), name, &status);
  const char *shape = storage_shape(memory, type);
  if (shape)
    lac_kernel_shape(tensor, shape, name, &status);
  lac_kernel_sizes(tensor, storage_sizes(memory, format), name, &status);
  if (status == LAC_OK)
    status = lac_tensor_check_stored(tensor, storage_signature(memory, format), flags, name);
  return status == LAC_OK && format->triangle == TIN_SYMMETRIC
             ? triangle_check(memory, tensor, format, type, name)
             : status;
}

int32_t tensor_check(const lac_tensor *tensor, MlirType type, const char *name) {
  arena *memory = arena_create();
  MlirLocation nowhere = mlirLocationUnknownGet(mlirTypeGetContext(type));
  const tensor_format *format = tensor_format_get(memory, type, nowhere);
  int32_t status =
      format ? check(memory, tensor, format, type, name)
             : lac_error_set(LAC_ERROR_FORMAT, "%s: expected the type of a stored tensor", name);
  arena_free(memory);
  return status;
}
