/* lac_tensor.c - the life of a stored tensor, its element types, and the names of level kinds. */
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <stdatomic.h>
#include <string.h>

/* ---- Element types ------------------------------------------------------------------------ */

static const struct {
  const char *name;
  int32_t width;
} types[] = {
    [LAC_F64] = {"f64", 8},    [LAC_F32] = {"f32", 4}, [LAC_F16] = {"f16", 2},
    [LAC_BF16] = {"bf16", 2},  [LAC_I8] = {"i8", 1},   [LAC_I16] = {"i16", 2},
    [LAC_I32] = {"i32", 4},    [LAC_I64] = {"i64", 8}, [LAC_C64] = {"c64", 8},
    [LAC_C128] = {"c128", 16},
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

static bool is_type(int32_t type) {
  return type >= 0 && type < TYPE_COUNT;
}

int32_t lac_type_width(int32_t type) {
  return is_type(type) ? types[type].width : 0;
}

const char *lac_type_name(int32_t type) {
  return is_type(type) ? types[type].name : NULL;
}

int32_t lac_type_from_name(const char *name) {
  for (int32_t type = 0; name && type < TYPE_COUNT; type++)
    if (strcmp(types[type].name, name) == 0)
      return type;
  return -1;
}

/* ---- Life --------------------------------------------------------------------------------- */

static void free_fields(lac_tensor *tensor) {
  lac_memory_release(tensor->dimensions,
                     lac_memory_bytes(tensor->order, sizeof *tensor->dimensions));
  lac_memory_release(tensor->levels, lac_memory_bytes(tensor->level_count, sizeof *tensor->levels));
}

bool lac_tensor_has_fields(const lac_tensor *tensor, const char *name) {
  if (tensor->order >= 0 && tensor->level_count >= 0 &&
      (tensor->order == 0 || tensor->dimensions) && (tensor->level_count == 0 || tensor->levels))
    return true;
  lac_error_set(LAC_ERROR_FORMAT,
                "%s: expected dimensions and levels as many as they are said to be, found %lld%s "
                "and %lld%s",
                name, (long long)tensor->order, tensor->dimensions ? "" : " that are NULL",
                (long long)tensor->level_count, tensor->levels ? "" : " that are NULL");
  return false;
}

void lac_tensor_free(lac_tensor *tensor) {
  if (!tensor)
    return;
  for (int64_t l = 0; l < tensor->level_count && tensor->levels; l++)
    for (int slot = 0; slot < LAC_ARRAYS; slot++)
      lac_array_free(&tensor->levels[l].array[slot]);
  lac_array_free(&tensor->values);
  if (tensor->owned)
    free_fields(tensor);
  memset(tensor, 0, sizeof *tensor);
}

int32_t lac_tensor_allocate_fields(lac_tensor *tensor, int64_t order, int64_t level_count) {
  memset(tensor, 0, sizeof *tensor);
  tensor->owned = 1;
  tensor->order = order;
  tensor->level_count = level_count;
  tensor->dimensions = lac_memory_allocate(lac_memory_bytes(order, sizeof *tensor->dimensions));
  tensor->levels = lac_memory_allocate(lac_memory_bytes(level_count, sizeof *tensor->levels));
  if (tensor->dimensions && tensor->levels)
    return LAC_OK;
  free_fields(tensor);
  memset(tensor, 0, sizeof *tensor);
  return LAC_ERROR_MEMORY;
}

/* ---- Copies ------------------------------------------------------------------------------- */

static int32_t copy_array(const lac_array *from, lac_array *to) {
  *to = (lac_array){.width = from->width};
  if (from->width == 0 || !from->data)
    return LAC_OK;
  int32_t status = lac_array_allocate_raw(to, from->length);
  if (status == LAC_OK && from->length > 0)
    memcpy(to->data, from->data, (size_t)(from->length * from->width));
  return status;
}

static int32_t copy_level(const lac_level *from, lac_level *to) {
  int32_t status = LAC_OK;
  to->kind = from->kind;
  to->size = from->size;
  for (int slot = 0; slot < LAC_ARRAYS && status == LAC_OK; slot++)
    status = copy_array(&from->array[slot], &to->array[slot]);
  return status;
}

int64_t lac_tensor_bytes(const lac_tensor *tensor) {
  int64_t bytes = tensor->values.length * tensor->values.width;
  for (int64_t l = 0; l < tensor->level_count; l++)
    for (int a = 0; a < LAC_ARRAYS; a++)
      bytes += tensor->levels[l].array[a].length * tensor->levels[l].array[a].width;
  return bytes;
}

int32_t lac_tensor_copy(const lac_tensor *tensor, lac_tensor *copy) {
  if (!tensor || !copy)
    return lac_error_missing(tensor ? "a tensor to be made a copy" : "a tensor to copy");
  if (!lac_tensor_has_fields(tensor, "tensor"))
    return LAC_ERROR_FORMAT;
  int32_t status = lac_tensor_allocate_fields(copy, tensor->order, tensor->level_count);
  if (status != LAC_OK)
    return status;
  copy->type = tensor->type;
  if (tensor->order > 0)
    memcpy(copy->dimensions, tensor->dimensions, (size_t)tensor->order * sizeof *copy->dimensions);
  for (int64_t l = 0; l < tensor->level_count && status == LAC_OK; l++)
    status = copy_level(&tensor->levels[l], &copy->levels[l]);
  if (status == LAC_OK)
    status = copy_array(&tensor->values, &copy->values);
  if (status != LAC_OK)
    lac_tensor_free(copy);
  return status;
}

/* ---- Names -------------------------------------------------------------------------------- */

/* A list that only grows: a reader needs no lock, and a writer that loses the race looks again. */
typedef struct interned {
  struct interned *next;
  char name[];
} interned;
static _Atomic(interned *) names;

static const char *find_name(const interned *entry, const char *name, size_t length) {
  for (; entry; entry = entry->next)
    if (strncmp(entry->name, name, length) == 0 && entry->name[length] == '\0')
      return entry->name;
  return NULL;
}

const char *lac_intern_text(const char *name, size_t length) {
  interned *head = atomic_load(&names);
  const char *known = find_name(head, name, length);
  if (known)
    return known;
  int64_t bytes = (int64_t)(sizeof(interned) + length + 1);
  interned *entry = lac_memory_allocate(bytes);
  if (!entry)
    return NULL;
  memcpy(entry->name, name, length);
  do {
    entry->next = head;
    if (atomic_compare_exchange_weak(&names, &head, entry))
      return entry->name;
  } while (!(known = find_name(head, name, length)));
  lac_memory_release(entry, bytes);
  return known;
}

const char *lac_intern(const char *name) {
  return !name ? NULL : lac_intern_text(name, strlen(name));
}
