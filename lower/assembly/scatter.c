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

static MlirValue as_i64(builder *b, MlirValue v) {
  return index_cast(b, v, type_i(b, 64));
}

/* Pieces for the counts, as many as ranges, and behind the sizes of their levels those of the
 * ranges: what is placed goes through the ones that were counted. */
static void begin_shares(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  MlirType i64 = type_i(b, 64);
  MlirValue most = call(b, "omp_get_max_threads", type_i(b, 32), 0, NULL);
  MlirValue asked[] = {most, as_i64(b, l->parents)};
  MlirValue count = call(b, "lac_kernel_shares_count", i64, 2, asked);
  MlirValue sizes = constant_integer(b, i64, s->format->level_count + 1);
  MlirValue arguments[] = {count, sizes, s->status};
  s->piece_count = index_cast(b, count, type_index(b));
  s->pieces = call(b, "lac_kernel_pieces", type_ptr(b), 3, arguments);
}

static MlirValue begin(level *l) {
  builder *b = l->owner->b;
  scattered *state = l->state = building_state(l, sizeof *state);
  state->end = var_make(b, constant_index(b, 0));
  if (l->owner->shared)
    begin_shares(l);
  else
    l->format->format->scatter_init(l, l->parents);
  return (MlirValue){NULL};
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  builder *b = l->owner->b;
  (void)coordinate;
  l->format->format->scatter_count(l, parent);
  var_set(b, end_of(l), add(b, var_get(b, end_of(l)), constant_index(b, 1)));
}

static MlirValue sizes_of(storage *s, MlirValue i) {
  MlirValue arguments[] = {s->pieces, as_i64(s->b, i)};
  return call(s->b, "lac_kernel_piece_sizes", type_ptr(s->b), 2, arguments);
}

static MlirValue piece_of(storage *s, MlirValue i) {
  MlirValue arguments[] = {s->pieces, as_i64(s->b, i)};
  return call(s->b, "lac_kernel_piece", type_ptr(s->b), 2, arguments);
}

static storage *open_piece(storage *s, MlirValue handle) {
  storage *piece = storage_make(s->memory, s->b, s->format, s->name, handle, s->status);
  storage_build(piece, s->dimensions, s->initial);
  storage_open(piece);
  return piece;
}

/* for parent { begin = end; for piece { end += its share, from end on }; begin .. end } */
static void share_out(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  int mark = var_mark(b);
  variable end = var_make(b, zero);
  MlirValue parent = for_begin(b, zero, l->parents, one), begin = var_get(b, end);
  MlirValue i = for_begin(b, zero, s->piece_count, one);
  level *piece = &open_piece(s, piece_of(s, i))->levels[l->number];
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
  MlirValue at = constant_index(b, l->number);
  call(b, "lac_kernel_pieces_sum", (MlirType){NULL}, 1, &s->pieces);
  MlirValue all = load_element(b, sizes_of(s, s->piece_count), at, type_i(b, 64));
  var_set(b, end_of(l), index_cast(b, all, type_index(b)));
  storage_check_positions(s, l, var_get(b, end_of(l)));
  MlirValue size = storage_size_if_fine(s, var_get(b, end_of(l)));
  l->format->format->join_init(l, l->parents, size);
  if_begin(b, storage_is_fine(s));
  share_out(l);
  if_end(b);
  return size;
}

static MlirValue edges(level *l) {
  if (l->owner->shared)
    return edges_of_shares(l);
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

static void release(level *l) {
  if (l->owner->shared)
    call(l->owner->b, "lac_kernel_pieces_free", (MlirType){NULL}, 1, &l->owner->pieces);
}

/* ---- Ranges on threads -------------------------------------------------------------------- */

void storage_share(storage *s, const building_plan *p) {
  s->plan = *p;
  s->shared = true;
}

bool storage_is_shared(const storage *s) {
  return s->shared;
}

MlirValue storage_share_count(const storage *s) {
  return s->piece_count;
}

storage *storage_begin_counts(storage *s, MlirValue i, MlirValue *begun) {
  builder *b = s->b;
  MlirValue size = as_i64(b, s->levels[0].size);
  MlirValue arguments[] = {s->pieces, as_i64(b, i), s->handle, size, s->status};
  MlirValue handle = call(b, "lac_kernel_piece_begin", type_ptr(b), 5, arguments);
  storage *counts = storage_make(s->memory, b, s->format, s->name, handle, s->status);
  storage_build(counts, s->dimensions, s->initial);
  counts->piece = true;
  storage_choose_ways(counts, &s->plan);
  *begun = storage_begin_levels(counts);
  return counts;
}

static MlirValue size_of_range(storage *s) {
  return constant_index(s->b, s->format->level_count);
}

void storage_counted(storage *s, storage *counts, MlirValue i, MlirValue coordinates) {
  builder *b = s->b;
  int k = counts->waits_for;
  MlirValue counted = var_get(b, end_of(&counts->levels[k]));
  store_element(b, as_i64(b, counted), sizes_of(s, i), constant_index(b, k));
  store_element(b, as_i64(b, coordinates), sizes_of(s, i), size_of_range(s));
}

/* The sizes have been summed up. */
MlirValue storage_share_begin(storage *s, MlirValue i) {
  MlirType i64 = type_i(s->b, 64);
  return index_cast(s->b, load_element(s->b, sizes_of(s, i), size_of_range(s), i64),
                    type_index(s->b));
}

storage *storage_begin_places(storage *s, MlirValue i) {
  int k = tensor_format_scatter_level(s->format);
  storage *view = storage_begin_view(s), *piece = open_piece(s, piece_of(s, i));
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (s->levels[k].format->format->arrays[slot] == LEVEL_POSITIONS)
      view->levels[k].arrays[slot] = piece->levels[k].arrays[slot];
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
