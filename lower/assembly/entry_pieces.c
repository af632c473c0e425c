/* entry_pieces.c - entries put together in pieces; see entry_pieces.h. */
#include "entry_pieces.h"
#include "building.h"
#include "piece_tensors.h"
#include "search.h"

static MlirValue number(const entry_buffer *e, int64_t x) {
  return constant_index(e->s->b, x);
}

static int level_count(const entry_buffer *e) {
  return e->end - e->first;
}

static variable *make_positions(const entry_buffer *e) {
  variable *positions = ARENA_ARRAY(e->s->memory, variable, level_count(e));
  for (int n = 0; n < level_count(e); n++)
    positions[n] = var_make(e->s->b, number(e, 0));
  return positions;
}

/* ---- Shares ------------------------------------------------------------------------------- */

typedef struct wanted_entries {
  const entry_buffer *e;
  MlirValue entries;
} wanted_entries;

static MlirValue begins_before(void *data, MlirValue part) {
  const wanted_entries *w = data;
  return less(w->e->s->b, entry_buffer_part_begin(w->e, part), w->entries);
}

/* The first part of share i of so many; all that the last one leaves. */
static MlirValue part_of(const entry_buffer *e, MlirValue i, MlirValue shares) {
  builder *b = e->s->b;
  MlirValue all = var_get(b, e->count);
  wanted_entries w = {e, floor_div(b, mul(b, i, all), shares)};
  MlirValue from = select_value(b, equal(b, i, shares), e->part_count, number(e, 0));
  return search_first(b, from, e->part_count, begins_before, &w);
}

/* Those of the last part end where there are no more. */
static MlirValue parent_of(const entry_buffer *e, MlirValue part) {
  level *l = &e->s->levels[e->first];
  return min_i(e->s->b, entry_buffer_part_parent(e, part), l->parents);
}

static void set_parts(const entry_buffer *e, entry_share *share, MlirValue begin, MlirValue end) {
  builder *b = e->s->b;
  share->begin = begin;
  share->end = end;
  share->first = entry_buffer_part_begin(e, begin);
  share->last = entry_buffer_part_begin(e, end);
  share->parent = parent_of(e, begin);
  share->parents = e->first == 0 ? number(e, 1) : sub(b, parent_of(e, end), share->parent);
}

/* One for each thread and some more where there is enough to do, and no more than there are parts,
 * nor than would want more spare memory than all entries take. */
static MlirValue share_count(const entry_buffer *e) {
  builder *b = e->s->b;
  MlirType i64 = type_i(b, 64);
  MlirValue count = var_get(b, e->count), visits = index_cast(b, count, i64);
  call(b, "lac_kernel_visits", (MlirType){NULL}, 1, &visits);
  MlirValue most = parallel_threads(b);
  MlirValue pieces =
      index_cast(b, call(b, "lac_kernel_pieces_count", i64, 1, &most), type_index(b));
  MlirValue spare = floor_div(b, count, max_i(b, var_get(b, e->largest), number(e, 1)));
  return max_i(b, min_i(b, min_i(b, pieces, e->part_count), spare), number(e, 1));
}

/* ---- One share ---------------------------------------------------------------------------- */

static MlirValue *values_of(const entry_buffer *e, const variable *positions) {
  MlirValue *values = ARENA_ARRAY(e->s->memory, MlirValue, level_count(e));
  for (int n = 0; n < level_count(e); n++)
    values[n] = var_get(e->s->b, positions[n]);
  return values;
}

static void take_spare(entry_buffer *e, const entry_assembly *how, MlirValue shares) {
  if (how->sorts)
    entry_buffer_take_spare(e, mul(e->s->b, shares, var_get(e->s->b, e->largest)));
}

static void give_spare(const entry_buffer *e, const entry_assembly *how) {
  if (how->sorts)
    entry_buffer_give_spare(e);
}

/* Opens an `if` for values of the result that come later: there is memory for all of them. */
static void begin_values(const entry_buffer *e, const variable *positions) {
  storage *s = e->s;
  MlirValue count = var_get(s->b, positions[level_count(e) - 1]);
  s->values = (stored_array){.level = VALUES, .element = s->values.element, .raw = s->plan.stored};
  storage_check_worth(s, count, var_get(s->b, e->count));
  storage_begin_values(s, storage_size_if_fine(s, count));
  if_begin(s->b, storage_is_fine(s));
}

static MlirValue *assemble_alone(entry_buffer *e, const entry_assembly *how) {
  builder *b = e->s->b;
  variable *positions = make_positions(e);
  entry_share all = {.spare_at = number(e, 0)};
  take_spare(e, how, number(e, 1));
  all.to = piece_of_all(e->s);
  if_begin(b, storage_is_fine(e->s));
  set_parts(e, &all, number(e, 0), e->part_count);
  how->build(e, &all, positions);
  if (how->fill) {
    begin_values(e, positions);
    how->fill(e, &all, number(e, 0));
    if_end(b);
  }
  if_end(b);
  give_spare(e, how);
  return values_of(e, positions);
}

/* ---- Pieces ------------------------------------------------------------------------------- */

/* Behind the sizes of levels those of the positions above the first. */
static void set_sizes(const entry_buffer *e, MlirValue i, const entry_share *share,
                      const variable *positions) {
  storage *s = e->s;
  MlirValue sizes = piece_sizes(s, i);
  if (e->first > 0)
    piece_set_size(s, sizes, e->first - 1, share->parents);
  for (int n = 0; n < level_count(e); n++)
    piece_set_size(s, sizes, e->first + n, var_get(s->b, positions[n]));
  piece_note_counted(s, sizes, share->to);
  piece_tensors_order(s);
}

static void set_share(const entry_buffer *e, entry_share *share, MlirValue i, MlirValue shares) {
  MlirValue next = add(e->s->b, i, number(e, 1)), begin = part_of(e, i, shares);
  set_parts(e, share, begin, part_of(e, next, shares));
}

static void build_piece(const entry_buffer *e, const entry_assembly *how, MlirValue i,
                        MlirValue shares) {
  storage *s = e->s;
  builder *b = s->b;
  int mark = var_mark(b);
  variable *positions = make_positions(e);
  entry_share share = {.to = piece_begin(s, i, s->levels[0].size, 0),
                       .spare_at = mul(b, i, var_get(b, e->largest))};
  if_begin(b, storage_is_fine(s));
  set_share(e, &share, i, shares);
  how->build(e, &share, positions);
  set_sizes(e, i, &share, positions);
  if_end(b);
  var_release(b, mark);
}

static void build_pieces(const entry_buffer *e, const entry_assembly *how, MlirValue shares) {
  builder *b = e->s->b;
  MlirValue i = parallel_begin(b, number(e, 0), shares, number(e, 1));
  build_piece(e, how, i, shares);
  parallel_end(b);
}

/* How many there are of each level, before they are summed up to be joined. */
static void add_sizes(const entry_buffer *e, MlirValue shares, const variable *positions) {
  storage *s = e->s;
  builder *b = s->b;
  MlirValue i = for_begin_plain(b, number(e, 0), shares, number(e, 1));
  MlirValue sizes = piece_sizes(s, i);
  for (int n = 0; n < level_count(e); n++)
    var_set(b, positions[n], add(b, var_get(b, positions[n]), piece_size(s, sizes, e->first + n)));
  for_end(b);
}

static void fill_piece(const entry_buffer *e, const entry_assembly *how, MlirValue i,
                       MlirValue shares) {
  storage *s = e->s;
  builder *b = s->b;
  int mark = var_mark(b);
  entry_share share = {.to = s};
  MlirValue base = piece_size(s, piece_sizes(s, i), e->end - 1);
  set_share(e, &share, i, shares);
  how->fill(e, &share, select_value(b, equal(b, i, number(e, 0)), i, base));
  var_release(b, mark);
}

/* Where there is one piece its sizes have not been summed up. */
static void fill_pieces(const entry_buffer *e, const entry_assembly *how, MlirValue shares,
                        const variable *positions) {
  builder *b = e->s->b;
  if_begin(b, storage_is_fine(e->s));
  begin_values(e, positions);
  MlirValue i = parallel_begin(b, number(e, 0), shares, number(e, 1));
  fill_piece(e, how, i, shares);
  parallel_end(b);
  if_end(b);
  if_end(b);
}

static MlirValue *assemble_joined(entry_buffer *e, const entry_assembly *how) {
  storage *s = e->s;
  builder *b = s->b;
  MlirValue counts = s->pieces, ranges = s->piece_count, shares = share_count(e);
  variable *positions = make_positions(e);
  s->values = (stored_array){.level = VALUES, .element = s->values.element};
  take_spare(e, how, shares);
  piece_tensors_make(s, shares, piece_row_length(s));
  if_begin(b, storage_is_fine(s));
  build_pieces(e, how, shares);
  add_sizes(e, shares, positions);
  if_end(b);
  storage_join_pieces(s);
  if (how->fill)
    fill_pieces(e, how, shares, positions);
  piece_tensors_free(s);
  give_spare(e, how);
  s->pieces = counts;
  s->piece_count = ranges;
  return values_of(e, positions);
}

MlirValue *entry_buffer_assemble(entry_buffer *e, const entry_assembly *how) {
  bool joins = e->s->plan.threads && tensor_format_is_joined_from(e->s->format, e->first);
  e->s->plan.values_later = how->fill != NULL;
  return joins ? assemble_joined(e, how) : assemble_alone(e, how);
}
