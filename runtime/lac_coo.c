/* lac_coo.c - coordinate lists: making them, and appending to them; see lac_coo.h. */
#include "lac_coo.h"

#include "lac_error.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <string.h>

static int32_t setup_level(lac_tensor *coo, int64_t l, int64_t capacity) {
  lac_level *level = &coo->levels[l];
  level->kind = l == 0 ? "compressed" : "singleton";
  level->size = coo->dimensions[l];
  level->array[LAC_POSITIONS].width = l == 0 ? sizeof(int64_t) : 0;
  level->array[LAC_COORDINATES].width = sizeof(int64_t);
  int32_t status = l == 0 ? lac_array_allocate(&level->array[LAC_POSITIONS], 2) : LAC_OK;
  return status != LAC_OK ? status : lac_array_reserve(&level->array[LAC_COORDINATES], capacity);
}

static int32_t setup_arrays(lac_tensor *coo, int64_t capacity) {
  int32_t status = LAC_OK;
  for (int64_t l = 0; l < coo->order && status == LAC_OK; l++)
    status = setup_level(coo, l, capacity);
  if (status != LAC_OK)
    return status;
  return coo->order == 0 ? lac_array_allocate(&coo->values, 1)
                         : lac_array_reserve(&coo->values, capacity);
}

int32_t lac_coo_create(lac_tensor *coo, int32_t type, int64_t order, const int64_t *dimensions,
                       int64_t capacity) {
  if (!coo || (order > 0 && !dimensions))
    return lac_error_missing(coo ? "dimensions of a coordinate list" : "a coordinate list to make");
  if (order < 0 || lac_type_width(type) == 0)
    return lac_error_set(LAC_ERROR_FORMAT,
                         "expected an order of 0 or more and an element type, found order %lld and "
                         "type %d",
                         (long long)order, type);
  int32_t status = lac_tensor_allocate_fields(coo, order, order);
  if (status != LAC_OK)
    return status;
  coo->type = type;
  coo->values.width = lac_type_width(type);
  if (order > 0)
    memcpy(coo->dimensions, dimensions, (size_t)order * sizeof *dimensions);
  status = setup_arrays(coo, capacity > 1 ? capacity : 1);
  if (status != LAC_OK)
    lac_tensor_free(coo);
  return status;
}

static bool is_counted(const lac_tensor *coo) {
  return coo && (coo->order == 0 || (coo->levels && coo->levels[0].array[LAC_POSITIONS].data &&
                                     coo->levels[0].array[LAC_POSITIONS].length > 1));
}

int64_t lac_coo_count(const lac_tensor *coo) {
  return !is_counted(coo)  ? 0
         : coo->order == 0 ? 1
                           : lac_array_get(&coo->levels[0].array[LAC_POSITIONS], 1);
}

static int32_t reserve_one(lac_tensor *coo) {
  int64_t needed = coo->values.length + 1;
  int32_t status = lac_array_reserve(&coo->values, needed);
  for (int64_t l = 0; l < coo->level_count && status == LAC_OK; l++)
    status = lac_array_reserve(&coo->levels[l].array[LAC_COORDINATES], needed);
  return status;
}

int32_t lac_coo_append(lac_tensor *coo, const int64_t *coordinates, const void *value) {
  if (!is_counted(coo) || !value || (coo->order > 0 && !coordinates))
    return lac_error_missing(!is_counted(coo) ? "a coordinate list to append to"
                             : value          ? "coordinates to append"
                                              : "a value to append");
  int64_t p = coo->order == 0 ? 0 : coo->values.length;
  int32_t status = coo->order == 0 ? LAC_OK : reserve_one(coo);
  if (status != LAC_OK)
    return status;
  memcpy((char *)coo->values.data + p * coo->values.width, value, (size_t)coo->values.width);
  coo->values.length = p + 1;
  for (int64_t l = 0; l < coo->level_count; l++) {
    lac_array *array = &coo->levels[l].array[LAC_COORDINATES];
    ((int64_t *)array->data)[p] = coordinates[l];
    array->length = p + 1;
  }
  if (coo->order > 0)
    ((int64_t *)coo->levels[0].array[LAC_POSITIONS].data)[1] = p + 1;
  return LAC_OK;
}

int32_t lac_coo_expect(const lac_tensor *tensor) {
  if (!tensor)
    return lac_error_missing("a coordinate list");
  bool is_coo = (tensor->level_count == 0) == (tensor->order == 0) && tensor->level_count >= 0 &&
                (tensor->level_count == 0 || tensor->levels);
  for (int64_t l = 0; l < tensor->level_count && is_coo; l++)
    is_coo = tensor->levels[l].kind &&
             strcmp(tensor->levels[l].kind, l == 0 ? "compressed" : "singleton") == 0;
  if (is_coo)
    return lac_storage_lengths(tensor, NULL, "coordinate list") ? LAC_OK : LAC_ERROR_FORMAT;
  char found[256];
  lac_signature_describe(tensor, found, sizeof found);
  return lac_error_set(LAC_ERROR_FORMAT,
                       "expected a coordinate list (compressed singleton ...), found '%s'", found);
}
