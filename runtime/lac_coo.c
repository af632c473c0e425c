/* lac_coo.c - coordinate lists as tensors; see lac_coo.h.  Where the coordinates and the number of
 * entries are in the arrays of the levels is what the levels' layouts say (lac_list.h). */
#include "lac_coo.h"

#include "lac_error.h"
#include "lac_list.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <string.h>

/* The names of the levels, and no more, that a coordinate list of this interface has. */
const char *lac_coo_kind(int64_t l) {
  return l == 0 ? "compressed" : "singleton";
}

/* ---- Levels ------------------------------------------------------------------------------- */

static lac_array *coordinates_of(const lac_tensor *coo, int64_t l) {
  lac_layout layout;
  return lac_list_layout(coo, l, &layout) ? &coo->levels[l].array[layout.slot] : NULL;
}

static int32_t setup_level(lac_tensor *coo, int64_t l, int64_t capacity) {
  lac_level *level = &coo->levels[l];
  lac_layout layout;
  level->kind = lac_coo_kind(l);
  level->size = coo->dimensions[l];
  lac_list_layout(coo, l, &layout);
  level->array[layout.slot].width = sizeof(int64_t);
  int32_t status = l == 0 ? lac_list_set_count(level, &layout, sizeof(int64_t), 0) : LAC_OK;
  return status != LAC_OK ? status : lac_array_reserve(&level->array[layout.slot], capacity);
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

/* ---- Entries ------------------------------------------------------------------------------ */

/* Where the number of entries is; NULL where there is none. */
static lac_array *count_of(const lac_tensor *coo, int64_t *element) {
  lac_layout layout;
  if (!coo || !coo->levels || !lac_list_layout(coo, 0, &layout))
    return NULL;
  lac_array *end = &coo->levels[0].array[layout.end_slot];
  *element = layout.end;
  return end->data && end->length > layout.end ? end : NULL;
}

int64_t lac_coo_count(const lac_tensor *coo) {
  int64_t element;
  const lac_array *count = coo && coo->order == 0 ? NULL : count_of(coo, &element);
  return count ? lac_array_get(count, element) : coo && coo->order == 0;
}

static int32_t reserve_one(lac_tensor *coo) {
  int64_t needed = coo->values.length + 1;
  int32_t status = lac_array_reserve(&coo->values, needed);
  for (int64_t l = 0; l < coo->level_count && status == LAC_OK; l++)
    status = lac_array_reserve(coordinates_of(coo, l), needed);
  return status;
}

int32_t lac_coo_append(lac_tensor *coo, const int64_t *coordinates, const void *value) {
  int64_t element;
  lac_array *count = coo && coo->order == 0 ? NULL : count_of(coo, &element);
  bool is_list = count || (coo && coo->order == 0);
  if (!is_list || !value || (coo->order > 0 && !coordinates))
    return lac_error_missing(!is_list ? "a coordinate list to append to"
                             : value  ? "coordinates to append"
                                      : "a value to append");
  int64_t p = coo->order == 0 ? 0 : coo->values.length;
  int32_t status = coo->order == 0 ? LAC_OK : reserve_one(coo);
  if (status != LAC_OK)
    return status;
  memcpy((char *)coo->values.data + p * coo->values.width, value, (size_t)coo->values.width);
  coo->values.length = p + 1;
  for (int64_t l = 0; l < coo->level_count; l++) {
    lac_array *array = coordinates_of(coo, l);
    lac_array_set(array, p, coordinates[l]);
    array->length = p + 1;
  }
  if (count)
    lac_array_set(count, element, p + 1);
  return LAC_OK;
}

int32_t lac_coo_expect(const lac_tensor *tensor) {
  lac_layout layout;
  if (!tensor)
    return lac_error_missing("a coordinate list");
  bool is_coo = (tensor->level_count == 0) == (tensor->order == 0) && tensor->level_count >= 0 &&
                (tensor->level_count == 0 || tensor->levels);
  for (int64_t l = 0; l < tensor->level_count && is_coo; l++)
    is_coo = lac_list_layout(tensor, l, &layout);
  if (is_coo)
    return lac_storage_lengths(tensor, NULL, "coordinate list", NULL) ? LAC_OK : LAC_ERROR_FORMAT;
  char found[256];
  lac_signature_describe(tensor, found, sizeof found);
  return lac_error_set(LAC_ERROR_FORMAT,
                       "expected a coordinate list (compressed singleton ...), found '%s'", found);
}

/* ---- Sort --------------------------------------------------------------------------------- */

static int32_t sort_levels(lac_tensor *coo, lac_list_key *keys, const int64_t *order) {
  for (int64_t l = 0; l < coo->level_count; l++)
    keys[l] = (lac_list_key){coordinates_of(coo, l), coo->levels[l].size};
  int32_t status =
      lac_list_sort_by(coo->level_count, keys, order, &coo->values, lac_coo_count(coo));
  for (int64_t l = 0; l < coo->level_count; l++)
    coo->levels[l].size = keys[l].size;
  return status;
}

int32_t lac_coo_sort(lac_tensor *coo, const int64_t *level_order) {
  int32_t status = lac_coo_expect(coo);
  if (status != LAC_OK || coo->level_count == 0)
    return status;
  int64_t bytes = coo->level_count * (int64_t)sizeof(lac_list_key);
  lac_list_key *keys = lac_memory_allocate(bytes);
  status = keys ? sort_levels(coo, keys, level_order) : LAC_ERROR_MEMORY;
  lac_memory_release(keys, bytes);
  return status;
}
