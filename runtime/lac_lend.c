/* lac_lend.c - tensors from a program's own arrays: the fields are made, the arrays put in their
 * places, and the whole is checked; see lac_lend.h. */
#include "lac_lend.h"

#include "lac_coo.h"
#include "lac_error.h"
#include "lac_list.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <string.h>

static bool is_width(int32_t bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* What does not depend on the format. */
static int32_t check_arguments(const lac_tensor *tensor, int32_t type, int64_t order,
                               const int64_t *dimensions, int32_t bits) {
  if (!tensor || (order > 0 && !dimensions))
    return lac_error_missing(tensor ? "dimensions" : "a tensor to lend to");
  if (order < 0)
    return lac_error_set(LAC_ERROR_FORMAT, "expected an order of 0 or more, found %lld",
                         (long long)order);
  if (lac_type_width(type) == 0)
    return lac_error_set(LAC_ERROR_FORMAT, "expected an element type, found number %d", type);
  if (!is_width(bits))
    return lac_error_set(LAC_ERROR_FORMAT,
                         "expected positions and coordinates of 8, 16, 32 or 64 bits, found %d",
                         bits);
  for (int64_t d = 0; d < order; d++)
    if (dimensions[d] < 0)
      return lac_error_set(LAC_ERROR_FORMAT,
                           "dimension %lld: expected a size of 0 or more, found %lld", (long long)d,
                           (long long)dimensions[d]);
  return LAC_OK;
}

/* A tensor with the kinds and sizes of its levels, and values; no other arrays yet. */
static int32_t begin(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                     int32_t bits, const char *first, const char *others) {
  int32_t status = check_arguments(tensor, type, order, dimensions, bits);
  if (tensor)
    memset(tensor, 0, sizeof *tensor);
  if (status == LAC_OK)
    status = lac_tensor_allocate_fields(tensor, order, order);
  if (status != LAC_OK)
    return status;
  tensor->type = type;
  for (int64_t d = 0; d < order; d++) {
    tensor->dimensions[d] = dimensions[d];
    tensor->levels[d].kind = d == 0 ? first : others;
    tensor->levels[d].size = dimensions[d];
  }
  return LAC_OK;
}

/* A last look at all of it. */
static int32_t complete(lac_tensor *tensor, const uint8_t *level_flags) {
  int32_t status = lac_tensor_check_named(tensor, level_flags, "what is lent");
  if (status != LAC_OK)
    lac_tensor_free(tensor);
  return status;
}

int32_t lac_lend_dense(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                       void *values) {
  int64_t count = 1;
  int32_t status = begin(tensor, type, order, dimensions, 64, "dense", "dense");
  for (int64_t d = 0; d < order && status == LAC_OK && count >= 0; d++)
    count = lac_memory_bytes(count, dimensions[d]);
  if (status != LAC_OK)
    return status;
  if (lac_memory_bytes(count, lac_type_width(type)) >= 0) {
    tensor->values = lac_array_lend(values, count, lac_type_width(type));
    return complete(tensor, NULL);
  }
  lac_tensor_free(tensor);
  return lac_error_set(LAC_ERROR_FORMAT,
                       "expected dimensions whose product of bytes fits in 63 bits");
}

int32_t lac_lend_csr(lac_tensor *tensor, int32_t type, int64_t rows, int64_t columns, int32_t bits,
                     void *positions, void *coordinates, void *values) {
  const int64_t dimensions[] = {rows, columns};
  int32_t status = begin(tensor, type, 2, dimensions, bits, "dense", "compressed");
  if (status != LAC_OK)
    return status;
  if (!positions || rows == INT64_MAX) {
    lac_tensor_free(tensor);
    return positions
               ? lac_error_set(LAC_ERROR_FORMAT, "expected fewer rows, found %lld", (long long)rows)
               : lac_error_missing("positions");
  }
  lac_array *array = tensor->levels[1].array;
  lac_layout layout;
  lac_layout_read(lac_layout_of_kind(tensor->levels[1].kind), &layout);
  array[layout.end_slot] = lac_array_lend(positions, rows + 1, bits / 8);
  int64_t count = lac_array_get(&array[layout.end_slot], rows);
  array[layout.slot] = lac_array_lend(coordinates, count, bits / 8);
  tensor->values = lac_array_lend(values, count, lac_type_width(type));
  return complete(tensor, NULL);
}

/* The coordinates where the layouts of the levels have them, and a count of the list's own. */
static int32_t lend_coordinates(lac_tensor *list, int64_t count, int32_t bits,
                                void *const *coordinates) {
  lac_layout layout;
  for (int64_t l = 0; l < list->level_count; l++) {
    lac_list_layout(list, l, &layout);
    list->levels[l].array[layout.slot] = lac_array_lend(coordinates[l], count, bits / 8);
  }
  lac_list_layout(list, 0, &layout);
  return lac_list_set_count(&list->levels[0], &layout, sizeof(int64_t), count);
}

/* All but the last level may repeat a coordinate. */
static int32_t complete_list(lac_tensor *list, bool unordered) {
  int64_t levels = list->level_count;
  uint8_t *flags = lac_memory_allocate(levels);
  int32_t status = flags ? LAC_OK : LAC_ERROR_MEMORY;
  for (int64_t l = 0; flags && l < levels; l++)
    flags[l] = (uint8_t)((unordered || l + 1 < levels ? LAC_NONUNIQUE : 0) |
                         (unordered ? LAC_UNORDERED : 0));
  if (flags)
    status = complete(list, flags);
  else
    lac_tensor_free(list);
  lac_memory_release(flags, levels);
  return status;
}

static int32_t check_list(int64_t order, int64_t count, void *const *coordinates) {
  if (order == 0)
    return lac_error_set(LAC_ERROR_FORMAT, "expected a list of order 1 or more, found a value");
  if (!coordinates)
    return lac_error_missing("coordinates");
  if (count < 0)
    return lac_error_set(LAC_ERROR_FORMAT, "expected 0 or more entries, found %lld",
                         (long long)count);
  return LAC_OK;
}

static int32_t lend_list(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                         int64_t count, int32_t bits, void *const *coordinates, void *values,
                         bool unordered) {
  int32_t status = begin(tensor, type, order, dimensions, bits, lac_coo_kind(0), lac_coo_kind(1));
  if (status == LAC_OK)
    status = check_list(order, count, coordinates);
  if (status == LAC_OK)
    status = lend_coordinates(tensor, count, bits, coordinates);
  if (status != LAC_OK) {
    lac_tensor_free(tensor);
    return status;
  }
  tensor->values = lac_array_lend(values, count, lac_type_width(type));
  return complete_list(tensor, unordered);
}

int32_t lac_lend_coo(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                     int64_t count, int32_t bits, void *const *coordinates, void *values) {
  return lend_list(tensor, type, order, dimensions, count, bits, coordinates, values, false);
}

int32_t lac_copy_coo(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                     int64_t count, int32_t bits, void *const *coordinates, const void *values) {
  lac_tensor lent = {0};
  int32_t status = tensor ? lend_list(&lent, type, order, dimensions, count, bits, coordinates,
                                      (void *)(uintptr_t)values, true)
                          : lac_error_missing("a tensor to copy to");
  if (status == LAC_OK)
    status = lac_tensor_copy(&lent, tensor);
  lac_tensor_free(&lent);
  if (status != LAC_OK)
    return status;
  status = lac_coo_sort(tensor, NULL);
  if (status == LAC_OK)
    return complete_list(tensor, false);
  lac_tensor_free(tensor);
  return status;
}
