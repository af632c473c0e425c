/* lac_program.c - files and sorted coordinate lists for compiled functions. */
#include "lac_program.h"

#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_kernel.h"
#include "lac_storage.h"

#include <string.h>

int32_t lac_program_sort(lac_tensor *result, const lac_tensor *source, const int64_t *level_order) {
  lac_tensor_free(result);
  int32_t status = lac_coo_expect(source);
  if (status == LAC_OK)
    status = lac_tensor_copy(source, result);
  if (status == LAC_OK)
    status = lac_coo_sort(result, level_order);
  if (status != LAC_OK)
    lac_tensor_free(result);
  return status;
}

static bool is_zero(const void *element, int32_t width) {
  static const char zero[16];
  return memcmp(element, zero, (size_t)width) == 0;
}

/* Appends what is below `position` of level `l` of a dense tensor; coordinates are by dimension. */
static int32_t append_below(lac_tensor *list, const lac_tensor *dense, const int64_t *dimension_of,
                            int64_t l, int64_t position, int64_t *coordinates) {
  int32_t width = dense->values.width, status = LAC_OK;
  if (l == dense->level_count) {
    const char *element = (const char *)dense->values.data + position * width;
    return is_zero(element, width) ? LAC_OK : lac_coo_append(list, coordinates, element);
  }
  int64_t size = dense->levels[l].size;
  for (int64_t c = 0; c < size && status == LAC_OK; c++) {
    coordinates[dimension_of[l]] = c;
    status = append_below(list, dense, dimension_of, l + 1, position * size + c, coordinates);
  }
  return status;
}

/* Replaces a dense tensor by the list of its entries, levels in the order of dimensions. */
static int32_t list_entries(lac_tensor *tensor, int64_t *dimension_of) {
  lac_tensor list = {0};
  int64_t coordinates[LAC_FILE_ORDER];
  int32_t status = lac_coo_create(&list, tensor->type, tensor->order, tensor->dimensions, 0);
  if (status == LAC_OK)
    status = append_below(&list, tensor, dimension_of, 0, 0, coordinates);
  lac_tensor_free(tensor);
  *tensor = list;
  for (int64_t l = 0; l < list.level_count; l++)
    dimension_of[l] = l;
  return status;
}

/* Level l is to hold dimension wanted[l]; it is that of level order[l]. */
static int32_t sort_levels(lac_tensor *list, const int64_t *dimension_of, const int64_t *wanted) {
  int64_t order[LAC_FILE_ORDER];
  for (int64_t l = 0; l < list->level_count; l++)
    for (int64_t old = 0; old < list->level_count; old++)
      if (dimension_of[old] == wanted[l])
        order[l] = old;
  return lac_coo_sort(list, order);
}

static bool holds_as_wanted(const lac_tensor *list, const int64_t *dimension_of,
                            const int64_t *wanted) {
  int64_t size = list->level_count * (int64_t)sizeof *wanted;
  return memcmp(dimension_of, wanted, (size_t)size) == 0;
}

int32_t lac_program_read(lac_tensor *result, const char *path, const char *signature,
                         const int64_t *dimensions, const int64_t *level_to_dimension, bool sorts) {
  lac_signature wanted;
  int64_t dimension_of[LAC_FILE_ORDER];
  lac_tensor_free(result);
  if (!lac_signature_open(&wanted, signature))
    return lac_signature_malformed(&wanted);
  const lac_read_options options = {
      .type = wanted.type, .order = wanted.order, .dimensions = dimensions};
  int32_t status = lac_file_read(path, &options, result, dimension_of);
  if (status == LAC_OK && result->order > 0) {
    if (lac_coo_expect(result) != LAC_OK)
      status = list_entries(result, dimension_of);
    if (status == LAC_OK && (sorts || !holds_as_wanted(result, dimension_of, level_to_dimension)))
      status = sort_levels(result, dimension_of, level_to_dimension);
  }
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
