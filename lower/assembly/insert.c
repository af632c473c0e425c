/* insert.c - a level built by inserting: every coordinate has its place before any comes.
 *
 *     begin     the number of positions follows from that of the parents
 *     place     the position of a coordinate, made present if it is not
 *
 * Below a level that is appended to there are as many positions as that one has room for, and they
 * are made along with it (append.c).
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

static void check_growth(level *l) {
  const level_format *format = l->format->format;
  if (level_format_has_arrays(format) && !format->insert_reserve)
    builder_error(l->owner->b,
                  "level %d (%s) of '%s' is not supported below a level that is appended to: its "
                  "arrays would have to grow",
                  l->number, format->name, l->owner->name);
}

static MlirValue begin(level *l) {
  const level_format *format = l->format->format;
  MlirValue size = {NULL};
  if (mlirValueIsNull(l->parents)) {
    check_growth(l);
  } else {
    size = format->insert_size(l, l->parents);
    format->insert_init(l, l->parents, size);
  }
  return size;
}

static MlirValue finish(level *l, MlirValue parents) {
  const level_format *format = l->format->format;
  MlirValue size = format->insert_size(l, parents);
  if (format->insert_finalize)
    format->insert_finalize(l, parents, size);
  return size;
}

/* The first level of a piece begins at the coordinate that the piece does. */
static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  MlirValue first = l->owner->first;
  if (l->number > 0 || mlirValueIsNull(first))
    return building_insert_coordinate(l, parent, coordinates);
  MlirValue from_there = sub(l->owner->b, coordinates[0], first);
  return building_insert_coordinate(l, parent, &from_there);
}

/* What goes no other way. */
static bool takes(const tensor_format *format, int k, const building_plan *p) {
  (void)format, (void)k, (void)p;
  return true;
}

const building building_insert = {.name = "inserted into",
                                  .takes = takes,
                                  .placed_by = sit_is_insert,
                                  .begin = begin,
                                  .place = place,
                                  .finish = finish};
