/* collect_recorded.c - a level that is collected (collect.c) by loops on threads: its entries are
 * recorded, with all coordinates from it on down, and collected once all are there, shares of them
 * at once (entry_pieces.h).
 *
 *     i : dense, j : hashed               recorded are the j, under their i
 *
 *     finish     for each entry of the share   collect_count(i, j)
 *                collect_edges(the i of the share)
 *                for each entry of the share   q = collect_coord(i, j); its value into that of q
 *
 * Those under one parent are all in one part, as they came, so that the level is as one thread
 * would have collected it.  Levels below insert.  One walk counts, another one records: the entries
 * have to be as many, so that the coordinates of the levels below become known where its own does.
 */
#include "recorded.h"

#include "sit.h"

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  MlirValue q = recorded_place(l, parent, coordinates);
  if (!l->owner->values.raw && !storage_starts_zero(l->owner))
    storage_store(l->owner, storage_initial_value(l->owner), q);
  return q;
}

/* ---- Collecting --------------------------------------------------------------------------- */

/* One entry of a share: its number, and the position above it in what is built. */
typedef struct entry {
  const entry_buffer *e;
  const entry_share *share;
  MlirValue number, parent;
} entry;

static MlirValue coordinate_of(const entry *x, int k) {
  return entry_buffer_coordinate(x->e, k, x->number);
}

/* Those of each part, in the order in which they were recorded. */
static void for_entries(const entry_buffer *e, const entry_share *share,
                        void (*code)(const entry *x)) {
  builder *b = e->s->b;
  MlirValue one = constant_index(b, 1), part = for_begin(b, share->begin, share->end, one);
  MlirValue begin = entry_buffer_part_begin(e, part), end = entry_buffer_part_end(e, part);
  entry x = {.e = e, .share = share, .number = for_begin(b, begin, end, one)};
  x.parent = sub(b, entry_buffer_parent(e, part, x.number), share->parent);
  code(&x);
  for_end(b);
  for_end(b);
}

static void count_entry(const entry *x) {
  level *l = &x->share->to->levels[x->e->first];
  l->format->format->collect_count(l, x->parent, coordinate_of(x, x->e->first));
}

/* Those of the levels above, which have a position for each coordinate. */
static void take_coordinates_above(const entry *x, MlirValue *coordinates) {
  builder *b = x->e->s->b;
  MlirValue position = add(b, x->share->parent, x->parent);
  for (int k = x->e->first - 1; k >= 0; k--) {
    MlirValue size = x->e->s->levels[k].size;
    coordinates[k] = k > 0 ? floor_mod(b, position, size) : position;
    position = floor_div(b, position, size);
  }
}

static MlirValue place_levels(const entry *x) {
  storage *to = x->share->to;
  MlirValue position = x->parent;
  MlirValue *coordinates = ARENA_ARRAY(to->memory, MlirValue, x->e->end);
  take_coordinates_above(x, coordinates);
  for (int k = x->e->first; k < x->e->end; k++) {
    coordinates[k] = coordinate_of(x, k);
    position = to->levels[k].way->place(&to->levels[k], position, coordinates);
  }
  return position;
}

static void place_entry(const entry *x) {
  entry_buffer_set_place(x->e, x->number, place_levels(x));
}

static void complete(const entry_buffer *e, const entry_share *share, const variable *positions) {
  storage *to = share->to;
  MlirValue *sizes = ARENA_ARRAY(to->memory, MlirValue, e->end);
  storage_finish_levels_from(to, e->first, share->parents, sizes);
  for (int k = e->first; k < e->end; k++)
    var_set(to->b, positions[k - e->first], sizes[k]);
}

static void collect_share(const entry_buffer *e, const entry_share *share,
                          const variable *positions) {
  storage *to = share->to;
  builder *b = to->b;
  if_begin(b, storage_begin_levels_from(to, e->first, share->parents));
  for_entries(e, share, count_entry);
  if_begin(b, storage_edges(to, e->first));
  for_entries(e, share, place_entry);
  complete(e, share, positions);
  if_end(b);
  if_end(b);
  storage_release(to, e->first);
}

/* ---- Values ------------------------------------------------------------------------------- */

static void fill_entry(const entry_buffer *e, MlirValue q, MlirValue base) {
  storage *s = e->s;
  MlirValue position = add(s->b, base, entry_buffer_place(e, q));
  MlirValue value = stored_array_load(s, &e->values, q);
  if (s->plan.combines)
    storage_accumulate(s, s->plan.combines, value, position, false, s->plan.strict);
  else
    storage_store(s, value, position);
}

static void fill_share(const entry_buffer *e, const entry_share *share, MlirValue base) {
  builder *b = e->s->b;
  MlirValue q = for_begin(b, share->first, share->last, constant_index(b, 1));
  fill_entry(e, q, base);
  for_end(b);
}

static MlirValue finish(level *l, MlirValue parents) {
  static const entry_assembly how = {.build = collect_share, .fill = fill_share};
  recorded *r = l->state;
  r->positions = entry_buffer_assemble(r->entries, &how);
  return recorded_finish(l, parents);
}

/* ---- The way ------------------------------------------------------------------------------ */

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_COLLECT && p->role == STORAGE_SHARED && !p->apart &&
         k == tensor_format_collected_level(format);
}

const building building_collect_recorded = {.name = "collected",
                                            .takes = takes,
                                            .placed_by = sit_is_place,
                                            .begin = recorded_begin,
                                            .count = recorded_count,
                                            .edges = recorded_edges,
                                            .begin_counts = recorded_begin_counts,
                                            .counted = recorded_counted,
                                            .begin_places = recorded_begin_places,
                                            .place = place,
                                            .finish = finish,
                                            .release = recorded_release,
                                            .begin_values = recorded_begin_values};

static bool takes_along(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_COLLECT && p->role == STORAGE_SHARED && !p->apart &&
         k > tensor_format_collected_level(format);
}

/* A level below, which inserts. */
const building building_collect_along = {.name = "collected",
                                         .takes = takes_along,
                                         .placed_by = sit_is_insert,
                                         .begin = recorded_begin_along,
                                         .place = recorded_place_along,
                                         .finish = recorded_finish,
                                         .begin_values = recorded_begin_values};
