/* The entries of a tensor as sorted coordinate lists. */
#include "verify_entries.h"

#include "lac_coo.h"
#include "lac_error.h"

#include <stdlib.h>
#include <string.h>

//--- Taking a tensor -----------------------------------------------------------------------------

typedef struct taking {
  entries *e;
  const lac_tensor *from;
  const int64_t *level_to_dimension;
  int64_t coordinates[LAC_FILE_ORDER];
  int32_t status;
} taking;

static bool has_kind(const lac_tensor *t, int64_t level, const char *kind) {
  return !strcmp(t->levels[level].kind, kind);
}

static void take_level(taking *t, int64_t level, int64_t parent);

static void take_child(taking *t, int64_t level, int64_t coordinate, int64_t position) {
  t->coordinates[t->level_to_dimension[level]] = coordinate;
  if (level + 1 < t->from->level_count)
    take_level(t, level + 1, position);
  else
    t->status =
        lac_coo_append(&t->e->tensor, t->coordinates,
                       (const char *)t->from->values.data + position * t->from->values.width);
}

static void take_level(taking *t, int64_t level, int64_t parent) {
  const lac_level *l = &t->from->levels[level];
  const lac_array *positions = &l->array[LAC_POSITIONS], *found = &l->array[LAC_COORDINATES];
  if (has_kind(t->from, level, "dense")) {
    for (int64_t c = 0; c < l->size && !t->status; c++)
      take_child(t, level, c, parent * l->size + c);
  } else if (has_kind(t->from, level, "compressed")) {
    int64_t end = lac_array_get(positions, parent + 1);
    for (int64_t p = lac_array_get(positions, parent); p < end && !t->status; p++)
      take_child(t, level, lac_array_get(found, p), p);
  } else if (has_kind(t->from, level, "singleton")) {
    take_child(t, level, lac_array_get(found, parent), parent);
  } else {
    t->status = lac_error_set(LAC_ERROR_FORMAT, "cannot verify what a level '%s' stores", l->kind);
  }
}

static bool is_dense(const lac_tensor *t) {
  for (int64_t l = 0; l < t->level_count; l++)
    if (!has_kind(t, l, "dense"))
      return false;
  return true;
}

static int32_t take_dense(entries *e, const lac_tensor *from, const int64_t *level_to_dimension) {
  int64_t stride = 1;
  for (int64_t l = from->level_count - 1; l >= 0; l--) {
    e->stride[level_to_dimension[l]] = stride;
    stride *= from->levels[l].size;
  }
  e->is_dense = true;
  return lac_tensor_copy(from, &e->tensor);
}

static int32_t take_sparse(entries *e, const lac_tensor *from, const int64_t *level_to_dimension) {
  taking t = {.e = e, .from = from, .level_to_dimension = level_to_dimension};
  t.status =
      lac_coo_create(&e->tensor, from->type, from->order, from->dimensions, from->values.length);
  if (!t.status)
    take_level(&t, 0, 0);
  return t.status;
}

int32_t entries_take(entries *e, const lac_tensor *from, const int64_t *level_to_dimension) {
  *e = (entries){.order = (int)from->order};
  if (from->order > LAC_FILE_ORDER || from->level_count != from->order)
    return lac_error_set(LAC_ERROR_FORMAT, "cannot verify a tensor of %lld levels",
                         (long long)from->level_count);
  for (int d = 0; d < e->order; d++)
    e->dimensions[d] = from->dimensions[d];
  return is_dense(from) ? take_dense(e, from, level_to_dimension)
                        : take_sparse(e, from, level_to_dimension);
}

void entries_free(entries *e) {
  while (e->indices) {
    entry_index *next = e->indices->next;
    lac_tensor_free(&e->indices->list);
    free(e->indices);
    e->indices = next;
  }
  lac_tensor_free(&e->tensor);
}

int64_t entries_count(const entries *e) {
  return e->is_dense ? e->tensor.values.length : lac_coo_count(&e->tensor);
}

int64_t entries_position(const entries *e, const int64_t *coordinates) {
  int64_t position = 0;
  for (int d = 0; d < e->order; d++)
    position += coordinates[d] * e->stride[d];
  return position;
}

//--- Looking up ----------------------------------------------------------------------------------

static void order_levels(const entries *e, uint32_t known, int asked, int64_t *order) {
  int level = 0;
  for (int d = 0; d < e->order; d++)
    if (known >> d & 1)
      order[level++] = d;
  if (asked >= 0)
    order[level++] = asked;
  for (int d = 0; d < e->order; d++)
    if (!(known >> d & 1) && d != asked)
      order[level++] = d;
}

static entry_index *make_index(entries *e, uint32_t known, int asked) {
  int64_t order[LAC_FILE_ORDER];
  entry_index *index = calloc(1, sizeof *index);
  if (!index)
    return NULL;
  order_levels(e, known, asked, order);
  if (lac_tensor_copy(&e->tensor, &index->list) || lac_coo_sort(&index->list, order)) {
    lac_tensor_free(&index->list);
    free(index);
    return NULL;
  }
  for (int l = 0; l < e->order; l++)
    index->coordinates[l] = index->list.levels[l].array[LAC_COORDINATES].data;
  index->known = known;
  index->asked = asked;
  index->next = e->indices;
  return e->indices = index;
}

static const entry_index *index_for(entries *e, uint32_t known, int asked) {
  for (entry_index *i = e->indices; i; i = i->next)
    if (i->known == known && i->asked == asked)
      return i;
  return make_index(e, known, asked);
}

/* The first position of begin to end - 1 whose coordinate of this level is not below `wanted`. */
static int64_t first_from(const int64_t *coordinates, int64_t begin, int64_t end, int64_t wanted) {
  while (begin < end) {
    int64_t middle = begin + (end - begin) / 2;
    if (coordinates[middle] < wanted)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

const entry_index *entries_find(entries *e, uint32_t known, int asked, const int64_t *coordinates,
                                int64_t *begin, int64_t *end) {
  const entry_index *index = index_for(e, known, asked);
  int level = 0;
  if (!index)
    return NULL;
  *begin = 0;
  *end = lac_coo_count(&index->list);
  for (int d = 0; d < e->order; d++) {
    if (!(known >> d & 1))
      continue;
    *begin = first_from(index->coordinates[level], *begin, *end, coordinates[d]);
    *end = first_from(index->coordinates[level], *begin, *end, coordinates[d] + 1);
    level++;
  }
  return index;
}
