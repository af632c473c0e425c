/* collect.c - a level whose entries come in any order, and several to one coordinate: counted,
 * level by level, then placed (Chou et al. 2020, sections 4 and 5).
 *
 *     begin         levels insert, down to the first that is collected
 *     count         once for each entry, of that level
 *     edges         its positions are numbered; levels below insert, down to the next; or the
 *                   values
 *     ...           until all are counted
 *     place         gives the position of a coordinate of a level that has edges
 *
 * A level that can only append is counted and placed by note.c.  Threads that have no coordinate of
 * the first level in common collect at once, where the format says that it goes; of others entries
 * are recorded first (collect_recorded.c).
 *
 * All values are the initial one before anything is placed.  Far more of them than entries are
 * refused, unless they are forced.  A level that holds a counter numbers the entries of each
 * coordinate of its dimension, anew in each walk.
 */
#include "building.h"
#include "piece_tensors.h"
#include "storage_state.h"

#include "sit.h"

/* ---- Counting ----------------------------------------------------------------------------- */

void collected_begin(level *l) {
  collected *c = l->state = building_state(l, sizeof *c);
  c->entries = var_make(l->owner->b, constant_index(l->owner->b, 0));
}

void collected_count(level *l) {
  builder *b = l->owner->b;
  const collected *c = l->state;
  var_set(b, c->entries, add(b, var_get(b, c->entries), constant_index(b, 1)));
}

static MlirValue begin(level *l) {
  collected_begin(l);
  if (share_is_made(l))
    share_begin(l, constant_index(l->owner->b, 1));
  l->format->format->collect_init(l, l->parents);
  return (MlirValue){NULL};
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  l->format->format->collect_count(l, parent, coordinate);
  collected_count(l);
}

/* A range on threads counts and places under parents that are its own. */
static storage *begin_places(level *l, MlirValue i) {
  storage *s = l->owner;
  piece_sizes(s, i);
  storage *view = storage_begin_view(s);
  collected_begin(&view->levels[l->number]);
  return view;
}

static storage *begin_counts(level *l, MlirValue i, MlirValue *begun) {
  *begun = storage_is_fine(l->owner);
  return begin_places(l, i);
}

static MlirValue counted(level *counts) {
  const collected *c = counts->state;
  return var_get(counts->owner->b, c->entries);
}

static MlirValue edges(level *l) {
  const collected *c = l->state;
  if (share_is_made(l))
    var_set(l->owner->b, c->entries, share_sum(l));
  MlirValue counted = l->format->format->collect_edges(l, l->parents);
  storage_check_positions(l->owner, l, counted);
  return storage_size_if_fine(l->owner, counted);
}

/* ---- Placing ------------------------------------------------------------------------------ */

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  return l->format->format->collect_coord(l, parent, coordinates[l->number]);
}

static MlirValue finish(level *l, MlirValue parents) {
  const level_format *format = l->format->format;
  if (format->collect_finalize)
    format->collect_finalize(l, parents, l->positions);
  return l->positions;
}

static void release(level *l) {
  if (l->format->format->collect_release)
    l->format->format->collect_release(l);
  if (share_is_made(l))
    piece_tensors_free(l->owner);
}

/* After the last walk that counted: the values of so many entries. */
void collected_begin_values(level *l, MlirValue positions) {
  const collected *c = l->state;
  if (l->owner->plan.values_later)
    return;
  storage_check_worth(l->owner, positions, var_get(l->owner->b, c->entries));
  storage_begin_values(l->owner, positions);
}

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_COLLECT && tensor_format_collects_level(format, k);
}

const building building_collect = {.name = "collected",
                                   .takes = takes,
                                   .placed_by = sit_is_place,
                                   .begin = begin,
                                   .count = count,
                                   .edges = edges,
                                   .begin_counts = begin_counts,
                                   .counted = counted,
                                   .begin_places = begin_places,
                                   .place = place,
                                   .finish = finish,
                                   .release = release,
                                   .begin_values = collected_begin_values};
