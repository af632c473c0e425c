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
 * On threads each range of what the loop goes over has counts of its own, in a piece (join.c): the
 * entries under a parent come range by range, as one thread would place them.
 *
 *     counted      range 0    range 1             begins       range 0    range 1
 *       i = 0         2          1         -->      i = 0         0          2
 *       i = 1         0          3                  i = 1         3          3
 *
 * On a device threads count and place at once, by atomics, and sum up in between (prefix_sum.h),
 * so that siblings come in any order, and are put in theirs when all are there (scatter_order.c):
 * those of an unordered level where the result has to have the same bits each time, and only there.
 *
 * The entries are counted in an index beside the level's own counts, which are as narrow as its
 * positions: that all fit is known before any is relied on.  Collecting (collect.c) is a way of its
 * own: it looks for a coordinate at each place, of which here each has its own, next one.
 */
#include "building.h"
#include "piece_tensors.h"
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
  if (share_is_made(l))
    share_begin(l, l->parents);
  else
    l->format->format->scatter_init(l, l->parents);
  return (MlirValue){NULL};
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = l->owner->b;
  (void)coordinate;
  l->format->format->scatter_count(l, parent);
  if (storage_is_at_once(l->owner))
    return;
  var_set(b, end_of(l), add(b, var_get(b, end_of(l)), constant_index(b, 1)));
}

/* for parent { begin = end; for piece { end += its share, from end on }; begin .. end } */
static void share_out(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1), pieces = piece_handles(s);
  int mark = var_mark(b);
  variable end = var_make(b, zero);
  MlirValue parent = for_begin(b, zero, l->parents, one), begin = var_get(b, end);
  MlirValue i = for_begin(b, zero, s->piece_count, one);
  level *piece = &piece_open_at(s, pieces, i)->levels[l->number];
  MlirValue next =
      add(b, var_get(b, end), l->format->format->scatter_share(piece, parent, var_get(b, end)));
  var_set(b, end, next);
  for_end(b);
  l->format->format->append_edges(l, parent, begin, var_get(b, end));
  for_end(b);
  var_release(b, mark);
}

static MlirValue edges_of_shares(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  var_set(b, end_of(l), share_sum(l));
  storage_check_positions(s, l, var_get(b, end_of(l)));
  MlirValue size = storage_size_if_fine(s, var_get(b, end_of(l)));
  l->format->format->join_init(l, l->parents, size);
  if_begin(b, storage_is_fine(s));
  share_out(l);
  if_end(b);
  return size;
}

static MlirValue edges(level *l) {
  if (share_is_made(l))
    return edges_of_shares(l);
  bool at_once = storage_is_at_once(l->owner);
  MlirValue counted =
      at_once ? l->format->format->scatter_sum(l, l->parents) : var_get(l->owner->b, end_of(l));
  storage_check_positions(l->owner, l, counted);
  MlirValue size = storage_size_if_fine(l->owner, counted);
  if (at_once)
    var_set(l->owner->b, end_of(l), size);
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
  storage *s = l->owner;
  MlirValue size = var_get(s->b, end_of(l));
  bool ordered = l->format->properties & LEVEL_ORDERED || s->plan.deterministic;
  if (storage_is_at_once(s) && ordered)
    scatter_order(l);
  l->format->format->scatter_finalize(l, parents, size);
  return size;
}

static void release(level *l) {
  if (share_is_made(l))
    piece_tensors_free(l->owner);
}

/* ---- Ranges on threads -------------------------------------------------------------------- */

static storage *begin_counts(level *l, MlirValue i, MlirValue *begun) {
  storage *counts = piece_begin(l->owner, i, l->owner->levels[0].size, 0);
  *begun = storage_begin_levels(counts);
  return counts;
}

static MlirValue counted(level *counts) {
  return var_get(counts->owner->b, end_of(counts));
}

static storage *begin_places(level *l, MlirValue i) {
  storage *s = l->owner, *view = storage_begin_view(s), *piece = piece_open(s, i);
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (l->format->format->arrays[slot] == LEVEL_POSITIONS)
      view->levels[l->number].arrays[slot] = piece->levels[l->number].arrays[slot];
  return view;
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
                                   .begin_counts = begin_counts,
                                   .counted = counted,
                                   .begin_places = begin_places,
                                   .place = place,
                                   .finish = finish,
                                   .release = release,
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
