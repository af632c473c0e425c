/* lac_list.c - lists of entries: made, appended to, stored in levels (lac_list.h). */
#include "lac_list.h"

#include "lac_coo.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <string.h>

/* ---- Life --------------------------------------------------------------------------------- */

static int32_t reserve(lac_list *list, int64_t capacity) {
  int32_t status = LAC_OK;
  for (int64_t d = 0; d < list->order && status == LAC_OK; d++)
    status = lac_array_reserve(&list->coordinates[d], capacity);
  if (status == LAC_OK)
    status = lac_array_reserve(&list->values, capacity);
  return status;
}

static void look_at_room(lac_list *list) {
  list->capacity = list->values.capacity;
  for (int64_t d = 0; d < list->order; d++)
    if (list->coordinates[d].capacity < list->capacity)
      list->capacity = list->coordinates[d].capacity;
}

int32_t lac_list_create(lac_list *list, int32_t type, int64_t order, const int64_t *dimensions,
                        int64_t capacity) {
  *list = (lac_list){.type = type, .order = order, .values.width = lac_type_width(type)};
  for (int64_t d = 0; d < order; d++) {
    list->dimensions[d] = dimensions[d];
    list->coordinates[d].width = sizeof(int64_t);
  }
  int32_t status = order == 0 ? lac_array_allocate(&list->values, 1)
                              : reserve(list, capacity > 1 ? capacity : 1);
  look_at_room(list);
  if (status != LAC_OK)
    lac_list_free(list);
  return status;
}

void lac_list_free(lac_list *list) {
  for (int64_t d = 0; d < list->order; d++)
    lac_array_free(&list->coordinates[d]);
  lac_array_free(&list->values);
  *list = (lac_list){0};
}

int32_t lac_list_grow(lac_list *list) {
  int32_t status = reserve(list, list->count + 1);
  look_at_room(list);
  return status;
}

static void copy_behind(lac_array *to, int64_t at, const lac_array *from, int64_t count) {
  size_t width = (size_t)to->width;
  memcpy((char *)to->data + (size_t)at * width, from->data, (size_t)count * width);
}

int32_t lac_list_append_all(lac_list *list, const lac_list *others) {
  int32_t status = reserve(list, list->count + others->count);
  look_at_room(list);
  if (status != LAC_OK)
    return status;
  for (int64_t d = 0; d < list->order; d++)
    copy_behind(&list->coordinates[d], list->count, &others->coordinates[d], others->count);
  copy_behind(&list->values, list->count, &others->values, others->count);
  list->count += others->count;
  return LAC_OK;
}

int32_t lac_list_sort(lac_list *list) {
  lac_list_key keys[LAC_FILE_ORDER];
  for (int64_t d = 0; d < list->order; d++)
    keys[d] = (lac_list_key){&list->coordinates[d], list->dimensions[d]};
  return lac_list_sort_by(list->order, keys, NULL, &list->values, list->count);
}

/* ---- Levels ------------------------------------------------------------------------------- */

/* Whether the coordinates of a level are the elements of an array of its own. */
static bool has_own_coordinates(const lac_layout *layout) {
  return layout->is_at && layout->up == 0 && layout->stride == 1 && layout->offset == 0;
}

/* The first level has all entries under one parent, the others one under each. */
static bool takes_list(const lac_layout *layout, int64_t l) {
  return has_own_coordinates(layout) && (l == 0 ? layout->is_under : layout->one);
}

bool lac_list_layout(const lac_tensor *tensor, int64_t l, lac_layout *layout) {
  lac_layout_text text = lac_layout_of_kind(tensor->levels[l].kind);
  return text.begin && lac_layout_read(text, layout) && takes_list(layout, l);
}

/* From 0 to `count`: under 0[p] 0[p+1] is 0 and `count` in array 0, under 0[p] 2[p] the one in
 * array 0 and the other in array 2. */
int32_t lac_list_set_count(lac_level *level, const lac_layout *layout, int32_t width,
                           int64_t count) {
  lac_array *begin = &level->array[layout->begin_slot], *end = &level->array[layout->end_slot];
  begin->width = end->width = width;
  int32_t status = lac_array_allocate(end, layout->end + 1);
  if (status == LAC_OK && begin != end)
    status = lac_array_allocate(begin, layout->begin + 1);
  if (status == LAC_OK)
    lac_array_set(end, layout->end, count);
  return status;
}

/* ---- Storing ------------------------------------------------------------------------------ */

/* The names of the levels, as the signature or a coordinate list has them. */
static int32_t name_levels(lac_tensor *out, const char *signature) {
  lac_signature expected;
  lac_signature_level level;
  if (!signature) {
    for (int64_t l = 0; l < out->level_count; l++)
      out->levels[l].kind = lac_coo_kind(l);
    return LAC_OK;
  }
  int64_t l = 0;
  if (!lac_signature_open(&expected, signature))
    return lac_signature_malformed(&expected);
  for (; l < out->level_count && lac_signature_next(&expected, &level); l++) {
    out->levels[l].kind = lac_intern_text(level.kind, level.kind_length);
    if (!out->levels[l].kind)
      return LAC_ERROR_MEMORY;
  }
  return l == out->level_count ? LAC_OK : lac_signature_malformed(&expected);
}

static int32_t refuse_levels(const lac_tensor *out) {
  char found[256];
  lac_signature_describe(out, found, sizeof found);
  return lac_error_set(LAC_ERROR_FORMAT,
                       "expected levels that store a list of entries as it is, found '%s'", found);
}

static int32_t fill_levels(lac_list *list, const lac_layout *layouts,
                           const int64_t *level_to_dimension, lac_tensor *out) {
  for (int64_t l = 0; l < out->level_count; l++) {
    int64_t d = level_to_dimension ? level_to_dimension[l] : l;
    if (!takes_list(&layouts[l], l))
      return refuse_levels(out);
    out->levels[l].size = list->dimensions[d];
    lac_array_trim(&list->coordinates[d], list->count);
    out->levels[l].array[layouts[l].slot] = list->coordinates[d];
    list->coordinates[d] = (lac_array){0};
  }
  return out->level_count == 0
             ? LAC_OK
             : lac_list_set_count(&out->levels[0], &layouts[0], sizeof(int64_t), list->count);
}

static int32_t fill(lac_list *list, const char *signature, const int64_t *level_to_dimension,
                    lac_tensor *out) {
  lac_layout *layouts;
  int32_t status = name_levels(out, signature);
  if (status == LAC_OK)
    status = lac_layouts_of(out, signature, "list of entries", &layouts);
  if (status != LAC_OK)
    return status;
  status = fill_levels(list, layouts, level_to_dimension, out);
  lac_layouts_free(out, layouts);
  if (status != LAC_OK)
    return status;
  for (int64_t d = 0; d < list->order; d++)
    out->dimensions[d] = list->dimensions[d];
  lac_array_trim(&list->values, list->order == 0 ? 1 : list->count);
  out->type = list->type;
  out->values = list->values;
  list->values = (lac_array){0};
  return LAC_OK;
}

int32_t lac_list_store(lac_list *list, const char *signature, const int64_t *level_to_dimension,
                       lac_tensor *out) {
  int32_t status = lac_tensor_allocate_fields(out, list->order, list->order);
  if (status == LAC_OK) {
    status = fill(list, signature, level_to_dimension, out);
    if (status != LAC_OK)
      lac_tensor_free(out);
  }
  lac_list_free(list);
  return status;
}
