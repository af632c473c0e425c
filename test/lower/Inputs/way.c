/* way.c - a way of assembly in a library of its own: levels that are inserted into, and refuse a
 * result with more entries than they were told.
 *
 *     few(2)     a dense level; of x in y(i) = x(i) two entries, or an error
 *
 *     begin      as of a level that is inserted into; no entries
 *     place      entries = entries + 1;  inserted
 *     finish     the status says so where there are more
 *
 * It stores nothing itself: `few` is a level format as any other, and the way takes its levels.
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

#include <string.h>

/* ---- The way ------------------------------------------------------------------------------ */

typedef struct limited {
  variable entries;
} limited;

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  (void)p;
  return !strcmp(format->levels[k].format->name, "few");
}

static MlirValue begin(level *l) {
  limited *state = l->state = building_state(l, sizeof *state);
  state->entries = var_make(l->owner->b, constant_index(l->owner->b, 0));
  return building_insert.begin(l);
}

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  builder *b = l->owner->b;
  const limited *state = l->state;
  var_set(b, state->entries, add(b, var_get(b, state->entries), constant_index(b, 1)));
  return building_insert.place(l, parent, coordinates);
}

static MlirValue finish(level *l, MlirValue parents) {
  builder *b = l->owner->b;
  const limited *state = l->state;
  int64_t most = level_argument(l, 0);
  if_begin(b, less(b, constant_index(b, most), var_get(b, state->entries)));
  level_refuse_more(l, most);
  if_end(b);
  return building_insert.finish(l, parents);
}

static const building building_limited = {.name = "inserted into, a few times",
                                          .takes = takes,
                                          .placed_by = sit_is_insert,
                                          .begin = begin,
                                          .place = place,
                                          .finish = finish};

/* ---- Its level format --------------------------------------------------------------------- */

static void coord_iter(level *l, const MlirValue *coordinates, MlirValue *from, MlirValue *to) {
  (void)coordinates;
  *from = level_constant(l, 0);
  *to = level_size(l);
}

static MlirValue position_of(level *l, MlirValue parent, const MlirValue *coordinates) {
  return level_place_of(l, parent, coordinates);
}

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  (void)found;
  *position = position_of(l, parent, coordinates);
}

static void nothing(level *l, MlirValue parent_size, MlirValue size) {
  (void)l, (void)parent_size, (void)size;
}

static const level_format few = {
    .name = "few",
    .capabilities = LEVEL_COORDINATE_ITERATION | LEVEL_LOCATE | LEVEL_INSERT,
    .properties = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_CONSECUTIVE,
    .arguments = 1,
    .coord_iter = coord_iter,
    .coord_access = locate,
    .locate = locate,
    .insert_size = level_place_count,
    .insert_init = nothing,
    .insert_coord = position_of,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&few);
  building_register(&building_limited);
}
