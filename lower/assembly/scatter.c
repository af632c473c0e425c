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
 * Where siblings come in no order either, they are ordered as they were placed (other levels are
 * recorded meanwhile, record.c):
 *
 *     order        if siblings are equal, these combined, and `end` is what is left
 *
 * The entries are counted in an index beside the level's own counts, which are as narrow as its
 * positions: that all fit is known before any is relied on.  Collecting (collect.c) is a way of its
 * own: it looks for a coordinate at each place, of which here each has its own, next one.
 */
#include "building.h"

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

/* ---- Ordering ----------------------------------------------------------------------------- */

int level_listed_count(const level *l) {
  return tensor_format_scatter_end(l->owner->format) - l->number;
}

level *level_listed(level *l, int n) {
  return &l->owner->levels[l->number + n];
}

static MlirValue number(builder *b, int64_t n) {
  return constant_integer(b, type_i(b, 64), n);
}

/* The arrays of the coordinates of a list's levels, by their slots. */
static MlirValue coordinate_slots(level *l) {
  builder *b = l->owner->b;
  MlirValue slots = stack_array(b, type_i(b, 64), level_listed_count(l));
  for (int n = 0; n < level_listed_count(l); n++) {
    int slot = level_format_coordinates(level_listed(l, n)->format->format);
    store_field(b, number(b, slot), slots, n * (int64_t)sizeof(int64_t));
  }
  return slots;
}

/* Whether some entries of a list are equal, which were placed as they came. */
static MlirValue order_children(level *l, int ends, MlirValue parent_size) {
  storage *s = l->owner;
  builder *b = s->b;
  MlirValue arguments[] = {
      s->handle,       number(b, l->number), number(b, level_listed_count(l)),
      number(b, ends), coordinate_slots(l),  index_cast(b, parent_size, type_i(b, 64)),
      s->status};
  return call(b, "lac_kernel_order_lists", type_i(b, 1), 7, arguments);
}

static void order(level *l) {
  builder *b = l->owner->b;
  const level_format *format = l->format->format;
  if_begin(b, format->scatter_order(l, l->parents, var_get(b, end_of(l))));
  var_set(b, end_of(l), format->scatter_combine(l, l->parents));
  if_end(b);
}

const building building_scatter = {.name = "scattered into",
                                   .placed_by = sit_is_place,
                                   .begin = begin,
                                   .count = count,
                                   .edges = edges,
                                   .place = place,
                                   .finish = finish,
                                   .begin_values = begin_values,
                                   .finish_values = building_trim_values};

const building building_scatter_lists = {.name = "scattered into",
                                         .placed_by = sit_is_place,
                                         .begin = begin,
                                         .count = count,
                                         .edges = edges,
                                         .place = place,
                                         .order = order,
                                         .order_children = order_children,
                                         .finish = finish,
                                         .begin_values = begin_values,
                                         .finish_values = building_trim_values};

/* A level of the list below the first. */
const building building_scatter_listed = {.name = "scattered into",
                                          .placed_by = sit_is_place,
                                          .begin = begin_listed,
                                          .place = place,
                                          .finish = finish,
                                          .begin_values = begin_values,
                                          .finish_values = building_trim_values};
