/* recorded.c - levels whose entries are kept in a buffer until all are there; see recorded.h. */
#include "recorded.h"

#include "piece_tensors.h"

/* ---- Recording ---------------------------------------------------------------------------- */

MlirValue recorded_begin(level *l) {
  storage *s = l->owner;
  recorded *r = l->state = building_state(l, sizeof *r);
  int end = s->format->level_count;
  r->positions = ARENA_ARRAY(s->memory, MlirValue, end - l->number);
  r->entries = entry_buffer_make(l, end);
  return (MlirValue){NULL};
}

MlirValue recorded_begin_along(level *l) {
  l->state = level_above(l, 1)->state;
  return l->parents;
}

void recorded_count(level *l, MlirValue parent, MlirValue coordinate) {
  const recorded *r = l->state;
  entry_buffer_count(r->entries, parent, coordinate);
}

MlirValue recorded_edges(level *l) {
  const recorded *r = l->state;
  storage *s = l->owner;
  MlirValue count = entry_buffer_begin(r->entries, l);
  s->values = r->entries->values;
  return count;
}

/* They are those of the entries. */
void recorded_begin_values(level *l, MlirValue positions) {
  (void)l;
  (void)positions;
}

MlirValue recorded_place(level *l, MlirValue parent, const MlirValue *coordinates) {
  const recorded *r = l->state;
  return entry_buffer_add(r->entries, parent, coordinates[l->number]);
}

MlirValue recorded_place_along(level *l, MlirValue parent, const MlirValue *coordinates) {
  const recorded *r = l->state;
  entry_buffer_set(r->entries, l->number, parent, coordinates[l->number]);
  return parent;
}

MlirValue recorded_finish(level *l, MlirValue parents) {
  const recorded *r = l->state;
  (void)parents;
  return r->positions[l->number - r->entries->first];
}

void recorded_release(level *l) {
  const recorded *r = l->state;
  entry_buffer_free(r->entries);
  if (share_is_made(l))
    piece_tensors_free(l->owner);
}

/* ---- Ranges on threads -------------------------------------------------------------------- */

/* The result in range i, with the buffer as that sees it. */
static storage *range_of(level *l, MlirValue i) {
  const recorded *r = l->state;
  storage *view = storage_begin_view(l->owner);
  recorded *own = building_state(l, sizeof *own);
  *own = *r;
  own->entries = entry_buffer_of_range(r->entries, view, i);
  for (int k = l->number; k < view->format->level_count; k++)
    view->levels[k].state = own;
  return view;
}

storage *recorded_begin_counts(level *l, MlirValue i, MlirValue *begun) {
  *begun = storage_is_fine(l->owner);
  return range_of(l, i);
}

MlirValue recorded_counted(level *counts) {
  const recorded *r = counts->state;
  return var_get(counts->owner->b, r->entries->count);
}

storage *recorded_begin_places(level *l, MlirValue i) {
  piece_sizes(l->owner, i);
  return range_of(l, i);
}
