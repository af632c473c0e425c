/* lac_assemble.c - a tensor from its arrays, and back (lac_program.h).
 *
 *     f64 2 dense compressed:64:64        arrays:  positions and coordinates of level 1, the values
 */
#include "lac_error.h"
#include "lac_kernel.h"
#include "lac_memory.h"
#include "lac_program.h"
#include "lac_storage.h"

static void fill_level(lac_level *level, const lac_signature_level *expected, int64_t size,
                       const lac_array **next) {
  level->kind = lac_intern_text(expected->kind, expected->kind_length);
  level->size = size;
  for (int slot = 0; slot < LAC_ARRAYS; slot++)
    if (expected->bits[slot])
      level->array[slot] = *(*next)++;
}

static int32_t fill(lac_tensor *result, lac_signature *expected, const int64_t *dimensions,
                    const int64_t *level_sizes, const lac_array *arrays) {
  int32_t status =
      lac_tensor_allocate_fields(result, expected->order, lac_signature_level_count(expected));
  if (status != LAC_OK)
    return status;
  result->type = expected->type;
  for (int64_t d = 0; d < result->order; d++)
    result->dimensions[d] = dimensions[d];
  lac_signature_level level;
  for (int64_t l = 0; l < result->level_count && lac_signature_next(expected, &level); l++) {
    fill_level(&result->levels[l], &level, level_sizes[l], &arrays);
    if (!result->levels[l].kind)
      return LAC_ERROR_MEMORY;
  }
  result->values = *arrays;
  return LAC_OK;
}

int32_t lac_program_assemble(lac_tensor *result, const char *signature, const int64_t *dimensions,
                             const int64_t *level_sizes, const int64_t *level_flags,
                             const lac_array *arrays) {
  lac_signature expected;
  lac_tensor_free(result);
  if (!lac_signature_open(&expected, signature) || lac_signature_level_count(&expected) < 0)
    return lac_signature_malformed(&expected);
  int32_t status = fill(result, &expected, dimensions, level_sizes, arrays);
  uint8_t *flags = lac_memory_allocate(result->level_count);
  if (!flags && status == LAC_OK)
    status = LAC_ERROR_MEMORY;
  for (int64_t l = 0; flags && l < result->level_count; l++)
    flags[l] = (uint8_t)level_flags[l];
  if (status == LAC_OK)
    lac_kernel_expect(result, signature, "tin.assemble", &status);
  if (status == LAC_OK)
    status = lac_tensor_check_stored(result, signature, flags, "tin.assemble");
  lac_memory_release(flags, result->level_count);
  if (status != LAC_OK)
    lac_tensor_free(result);
  return status;
}

int32_t lac_program_disassemble(const lac_tensor *source, const char *signature,
                                lac_array *arrays) {
  lac_signature expected;
  lac_signature_level level;
  int32_t status = LAC_OK;
  if (!lac_kernel_expect(source, signature, "tin.disassemble", &status))
    return status;
  lac_signature_open(&expected, signature);
  for (int64_t l = 0; l < source->level_count && lac_signature_next(&expected, &level); l++)
    for (int slot = 0; slot < LAC_ARRAYS; slot++)
      if (level.bits[slot])
        *arrays++ = source->levels[l].array[slot];
  *arrays = source->values;
  return LAC_OK;
}
