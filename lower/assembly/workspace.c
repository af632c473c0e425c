/* workspace.c - a workspace: entries in any order, put in their places in scratch memory (Kjolstad
 * et al. 2019; Zhang et al. 2024, section 4).
 *
 *     begin     scratch memory, values all the identity
 *     place     the position of a coordinate, made present if it is not
 *     order     of what is present, to be walked in order
 *     clear     empty again: at the cost of what is present, or of all where levels are dense
 *     release
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

/* The state of the first level. */
typedef struct workspace {
  scratch_memory values;
  MlirValue size; /* how many there are */
} workspace;

static void clear_all(level *l) {
  const workspace *w = l->state;
  builder *b = l->owner->b;
  MlirValue i = for_begin(b, constant_index(b, 0), w->size, constant_index(b, 1));
  level_reset_value(l, i);
  for_end(b);
}

/* Whether all values are zero when it is released, if nothing failed. */
static bool is_left_zero(const level *l) {
  const building_plan *p = &l->owner->plan;
  return p->cleared && !p->thread && !l->format->format->clear && storage_starts_zero(l->owner);
}

static void release_zeros(level *l) {
  const workspace *w = l->state;
  if_begin(l->owner->b, storage_is_fine(l->owner));
  scratch_release_clean(l->owner, &w->values);
  if_else(l->owner->b);
  scratch_release(l->owner, &w->values);
  if_end(l->owner->b);
}

/* What empties itself as it is released leaves zeros; so does what a thread of a device has, which
 * may take it again. */
static void release(level *l) {
  const workspace *w = l->state;
  bool empties = l->format->format->release;
  if (empties)
    l->format->format->release(l);
  else if (l->owner->plan.thread && storage_starts_zero(l->owner))
    clear_all(l);
  if (l->owner->plan.structure)
    return;
  if (empties && storage_starts_zero(l->owner))
    scratch_release_clean(l->owner, &w->values);
  else if (is_left_zero(l))
    release_zeros(l);
  else
    scratch_release(l->owner, &w->values);
}

static MlirValue begin(level *l) {
  MlirValue size = l->format->format->insert_size(l, l->parents);
  l->format->format->insert_init(l, l->parents, size);
  return size;
}

/* Of several levels, the policy's, the first one's, once all coordinates are there. */
static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  storage *s = l->owner;
  level *first = &s->levels[0];
  if (!first->format->format->entry)
    return building_insert_coordinate(l, parent, coordinates);
  return l->number + 1 < s->format->level_count
             ? constant_index(s->b, 0)
             : building_insert_coordinate(first, parent, coordinates);
}

static void order(level *l) {
  l->format->format->sort(l);
}

static void clear(level *l) {
  if (l->format->format->clear)
    l->format->format->clear(l);
  else
    clear_all(l);
}

const building building_workspace = {.name = "a workspace",
                                     .placed_by = sit_is_insert,
                                     .begin = begin,
                                     .place = place,
                                     .order = order,
                                     .clear = clear,
                                     .release = release};

/* The levels, each below those before; how many values there are. */
static MlirValue begin_levels(storage *s) {
  MlirValue size = constant_index(s->b, 1);
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    l->way = &building_workspace;
    l->parents = size;
    size = l->way->begin(l);
  }
  return size;
}

/* A few values that a thread of a GPU has to itself are there as long as the thread. */
static bool begin_own(storage *s, MlirValue size) {
  int64_t count;
  if (!s->plan.thread || !tensor_format_is_dense(s->format) ||
      !value_is_constant_index(size, &count) || count > CIN_OWN_VALUES)
    return false;
  if (s->plan.structure)
    return true;
  s->values.fixed = launch_private(s->b, s->values.element, count);
  for (int64_t i = 0; i < count; i++)
    store(s->b, storage_initial_value(s), s->values.fixed, constant_index(s->b, i));
  return true;
}

static scratch_memory take_values(storage *s, MlirValue size) {
  const level_format *format = s->levels[0].format->format;
  if (!format->grows) {
    scratch_memory values = scratch_take(s, s->values.element, size);
    s->values.fixed = values.elements;
    s->values.base = values.base;
    return values;
  }
  scratch_memory values = scratch_take_growing(s, s->values.element, size);
  s->values.grows = true;
  s->values.growing = values.where;
  return values;
}

void level_values_grow(level *l, MlirValue before, MlirValue count) {
  const workspace *w = l->state;
  scratch_grow(l->owner, &w->values, count);
  if_begin(l->owner->b, storage_is_fine(l->owner));
  storage_fill(l->owner, before, count);
  if_end(l->owner->b);
}

/* Where there is no memory, what there is goes back. */
MlirValue storage_workspace_begin(storage *s, const MlirValue *dimensions, const building_plan *p,
                                  bool is_small) {
  level *l = &s->levels[0];
  if (is_small && registers_begin(s, dimensions, p))
    return (MlirValue){NULL};
  storage_build(s, dimensions, p);
  if (l->format->format->entry)
    storage_begin_keys(s);
  MlirValue size = begin_levels(s);
  workspace *w = l->state = building_state(l, sizeof *w);
  w->size = size;
  if (begin_own(s, size))
    return (MlirValue){NULL};
  if (!s->plan.structure)
    w->values = take_values(s, size);
  MlirValue fine = storage_is_fine(s);
  if_begin(s->b, fine);
  storage_fill(s, constant_index(s->b, 0), size);
  if_else(s->b);
  l->way->release(l);
  if_end(s->b);
  return fine;
}
