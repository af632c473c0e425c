/* scatter.c - a level whose entries come in any order of their parents, siblings in order and each
 * once: counted, then placed (Chou et al. 2020, section 4).
 *
 *     begin        levels above insert; no entries
 *     count        end = end + 1                    once for each entry that will be placed
 *     edges        room for exactly `end` entries; levels below insert under them
 *     place        once for each entry
 *
 * A list has branchless levels below, whose entries are placed along:
 *
 *     i : dense, j : compressed(nonunique), k : singleton
 *
 * What comes in no order of siblings either is recorded (record.c).
 *
 * The entries are counted in an index beside the level's own counts, which are as narrow as its
 * positions: that all fit is known before any is relied on.  Collecting (collect.c) is a way of its
 * own: it looks for a coordinate at each place, of which here each has its own, next one.
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

typedef struct scattered {
  variable end;
} scattered;

static variable end_of(const level *l) {
  const scattered *s = l->state;
  return s->end;
}

static MlirValue begin(level *l) {
  builder *b = l->owner->b;
  scattered *state = l->state = building_state(l, sizeof *state);
  state->end = var_make(b, constant_index(b, 0));
  l->format->format->scatter_init(l, l->parents);
  return (MlirValue){NULL};
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = l->owner->b;
  (void)coordinate;
  l->format->format->scatter_count(l, parent);
  var_set(b, end_of(l), add(b, var_get(b, end_of(l)), constant_index(b, 1)));
}

static MlirValue edges(level *l) {
  MlirValue counted = var_get(l->owner->b, end_of(l));
  storage_check_positions(l->owner, l, counted);
  MlirValue size = storage_size_if_fine(l->owner, counted);
  l->format->format->scatter_edges(l, l->parents, size);
  return size;
}

static MlirValue begin_listed(level *l) {
  l->state = level_above(l, 1)->state;
  l->format->format->scatter_edges(l, l->parents, l->parents);
  return l->parents;
}

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  return l->format->format->scatter_coord(l, parent, coordinates[l->number]);
}

static MlirValue finish(level *l, MlirValue parents) {
  MlirValue size = var_get(l->owner->b, end_of(l));
  l->format->format->scatter_finalize(l, parents, size);
  return size;
}

/* ---- Values ------------------------------------------------------------------------------- */

/* Right below, each is stored as it is placed. */
static void begin_values(level *l, MlirValue positions) {
  storage *s = l->owner;
  if (l->number + 1 < s->format->level_count)
    storage_begin_values(s, positions);
  else
    stored_array_allocate(s, &s->values, positions);
}

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_SCATTER && k == tensor_format_scatter_level(format);
}

const building building_scatter = {.name = "scattered into",
                                   .takes = takes,
                                   .placed_by = sit_is_place,
                                   .begin = begin,
                                   .count = count,
                                   .edges = edges,
                                   .place = place,
                                   .finish = finish,
                                   .begin_values = begin_values,
                                   .finish_values = building_trim_values};

static bool takes_listed(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_SCATTER && k > tensor_format_scatter_level(format) &&
         building_appends(format, k);
}

/* A level of the list below the first. */
const building building_scatter_listed = {.name = "scattered into",
                                          .takes = takes_listed,
                                          .placed_by = sit_is_place,
                                          .begin = begin_listed,
                                          .place = place,
                                          .finish = finish,
                                          .begin_values = begin_values,
                                          .finish_values = building_trim_values};
