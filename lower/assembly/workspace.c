/* workspace.c - a workspace: entries in any order, put in their places in scratch memory (Kjolstad
 * et al. 2019; Zhang et al. 2024, section 4).
 *
 *     begin     scratch memory, values all the identity
 *     place     the position of a coordinate, made present if it is not
 *     order     of what is present, to be walked in order
 *     clear     empty again, at the cost of what is present
 *     release
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

typedef struct workspace {
  scratch_memory values;
} workspace;

static void release(level *l) {
  const workspace *w = l->state;
  l->format->format->release(l);
  if (storage_starts_zero(l->owner))
    scratch_release_clean(l->owner, &w->values);
  else
    scratch_release(l->owner, &w->values);
}

/* Where there is no memory, what there is goes back. */
static MlirValue begin(level *l) {
  storage *s = l->owner;
  workspace *w = l->state = building_state(l, sizeof *w);
  MlirValue size = l->format->format->insert_size(l, l->parents);
  l->format->format->insert_init(l, l->parents, size);
  w->values = scratch_take(s, s->values.element, size);
  s->values.fixed = w->values.elements;
  return size;
}

static void order(level *l) {
  l->format->format->sort(l);
}

static void clear(level *l) {
  l->format->format->clear(l);
}

const building building_workspace = {.name = "a workspace",
                                     .placed_by = sit_is_insert,
                                     .begin = begin,
                                     .place = building_insert_coordinate,
                                     .order = order,
                                     .clear = clear,
                                     .release = release};

MlirValue storage_workspace_begin(storage *s, const MlirValue *dimensions, MlirAttribute identity) {
  level *l = &s->levels[0];
  const building_plan p = {.initial = identity};
  if (registers_begin(s, dimensions, &p))
    return (MlirValue){NULL};
  storage_build(s, dimensions, &p);
  l->way = &building_workspace;
  l->parents = constant_index(s->b, 1);
  MlirValue size = l->way->begin(l), fine = storage_is_fine(s);
  if_begin(s->b, fine);
  storage_fill(s, constant_index(s->b, 0), size);
  if_else(s->b);
  l->way->release(l);
  if_end(s->b);
  return fine;
}
