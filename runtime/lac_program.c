/* lac_program.c - files and comparisons for compiled functions. */
#include "lac_program.h"

#include "lac_error.h"
#include "lac_file.h"
#include "lac_input.h"
#include "lac_kernel.h"
#include "lac_storage.h"

#include <string.h>

int32_t lac_program_read(lac_tensor *result, const char *path, const char *signature,
                         const int64_t *dimensions, const int64_t *level_to_dimension) {
  lac_signature wanted;
  lac_list list;
  lac_tensor_free(result);
  if (!lac_signature_open(&wanted, signature))
    return lac_signature_malformed(&wanted);
  const lac_read_options options = {
      .type = wanted.type, .order = wanted.order, .dimensions = dimensions};
  int32_t status = lac_input_read_list(path, &options, &list);
  if (status == LAC_OK)
    status = lac_list_store(&list, signature, level_to_dimension, result);
  if (status == LAC_OK)
    lac_kernel_expect(result, signature, path, &status);
  if (status != LAC_OK)
    lac_tensor_free(result);
  return status;
}

int32_t lac_program_write(const lac_tensor *source, const char *path,
                          const int64_t *level_to_dimension) {
  return lac_file_write(path, source, level_to_dimension);
}

int32_t lac_program_print(const lac_tensor *source, const int64_t *level_to_dimension) {
  return lac_file_write("-", source, level_to_dimension);
}

bool lac_program_has_dimensions(const lac_tensor *tensor) {
  if (tensor && (tensor->order == 0 || tensor->dimensions))
    return true;
  lac_error_missing(tensor ? "dimensions of a tensor" : "a tensor");
  return false;
}

int32_t lac_program_match(const char *name, const lac_tensor *expected, int64_t expected_dimension,
                          const lac_tensor *found, int64_t found_dimension) {
  int32_t status = LAC_OK;
  if (!lac_program_has_dimensions(expected) || !lac_program_has_dimensions(found))
    return LAC_ERROR_FORMAT;
  lac_kernel_match(name, expected->dimensions[expected_dimension],
                   found->dimensions[found_dimension], &status);
  return status;
}

static bool arrays_equal(const lac_array *left, const lac_array *right) {
  if (left->length != right->length || left->width != right->width)
    return false;
  return left->length == 0 ||
         memcmp(left->data, right->data, (size_t)left->length * (size_t)left->width) == 0;
}

static bool levels_equal(const lac_level *left, const lac_level *right) {
  bool equal = left->size == right->size;
  for (int a = 0; a < LAC_ARRAYS && equal; a++)
    equal = arrays_equal(&left->array[a], &right->array[a]);
  return equal;
}

int32_t lac_program_require_equal(const lac_tensor *left, const lac_tensor *right,
                                  const char *reason) {
  if (!left || !right)
    return lac_error_missing("a tensor");
  bool equal =
      left->level_count == right->level_count && arrays_equal(&left->values, &right->values);
  for (int64_t l = 0; l < left->level_count && equal; l++)
    equal = levels_equal(&left->levels[l], &right->levels[l]);
  return equal ? LAC_OK : lac_error_set(LAC_ERROR_FORMAT, "%s", reason);
}
