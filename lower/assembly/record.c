/* record.c - levels down to the values whose entries come in any order, and again and again:
 * recorded, and put together once all are there (a workspace over the whole of them: Zhang et al.
 * 2024, section 4).
 *
 *     i : dense, j : compressed, k : compressed          recorded are j and k, under their i
 *
 *     count        the entries of each part
 *     edges        room for all (entry_buffer.h); levels below are begun along
 *     place        q = a new entry, its j;  its k;  its value is stored as any other is, at q
 *     order        shares of parts at once (entry_pieces.h), part by part: sorted, then walked, as
 *                  long as ..
 *
 *                    while the parent i is the same        append_edges(i, begin, end) at the end
 *                      append_coord(j)
 *                      while j is the same                 append_edges(j, begin, end) at the end
 *                        append_coord(k), the value
 *                        while k is the same: add its value to that
 *     release
 *
 * Levels of a list (branchless ones below) are appended along with the first.  How a level stores
 * what is appended is its format's own matter.  On threads each range of what the loops go over has
 * counts of its own (share.c), and what is recorded is the same as on one.
 */
#include "building.h"
#include "recorded.h"
#include "storage_state.h"

#include "sit.h"

/* ---- Appending ---------------------------------------------------------------------------- */

/* A walk through sorted entries of a share. */
typedef struct walked_share {
  const entry_buffer *e;
  const entry_share *share;
  const variable *ends; /* positions in use of level first + n */
  variable next;        /* the entry that it is at */
  MlirValue part, stop; /* its part, and where that ends */
} walked_share;

static level *level_of(const walked_share *w, int k) {
  return &w->share->to->levels[k];
}

static builder *builder_of(const walked_share *w) {
  return w->e->s->b;
}

static variable end_of(const walked_share *w, int k) {
  return w->ends[k - w->e->first];
}

/* The end of the levels that are appended along with level k. */
static int list_end(const walked_share *w, int k) {
  do
    k++;
  while (k < w->e->end && level_of(w, k)->format->properties & LEVEL_BRANCHLESS);
  return k;
}

/* No level has more positions than there are entries. */
static void make_room(const walked_share *w) {
  const entry_buffer *e = w->e;
  storage *to = w->share->to;
  builder *b = to->b;
  MlirValue count = sub(b, w->share->last, w->share->first);
  MlirValue most = max_i(b, count, constant_index(b, 1));
  for (int k = e->first; k < e->end; k++) {
    level *l = level_of(w, k);
    const level_format *format = l->format->format;
    format->append_init(l, k == e->first ? w->share->parents : (MlirValue){NULL});
    if (k > e->first)
      format->append_reserve(l, most, (MlirValue){NULL});
    format->append_reserve(l, (MlirValue){NULL}, most);
  }
  to->values.raw = true;
  stored_array_allocate(to, &to->values, count);
}

/* The value of the entry that the walk is at. */
static MlirValue take_value(const walked_share *w) {
  builder *b = builder_of(w);
  MlirValue q = var_get(b, w->next);
  var_set(b, w->next, add(b, q, constant_index(b, 1)));
  return stored_array_load(w->e->s, &w->e->values, q);
}

/* Opens a loop that goes on as long as entries agree with `first` in what stands above level k. */
static void while_agree(const walked_share *w, int k, MlirValue first) {
  builder *b = builder_of(w);
  while_begin(b);
  MlirValue q = var_get(b, w->next), is_there = less(b, q, w->stop);
  while_do(b, and_i(b, is_there, entry_buffer_agree(w->e, k, q, first)));
}

static void append_value(const walked_share *w, MlirValue position) {
  storage *to = w->share->to;
  MlirValue first = var_get(to->b, w->next);
  storage_store(to, take_value(w), position);
  while_agree(w, w->e->end, first);
  storage_accumulate(to, TIN_ADD, take_value(w), position, false, true);
  while_end(to->b);
}

static void append_below(const walked_share *w, int k, MlirValue parent);

/* The entry that the walk is at, and what is below its coordinate of level k. */
static void append_entry(const walked_share *w, int k) {
  builder *b = builder_of(w);
  int end = list_end(w, k);
  MlirValue position = var_get(b, end_of(w, k)), q = var_get(b, w->next);
  for (int n = k; n < end; n++) {
    level *l = level_of(w, n);
    l->format->format->append_coord(l, position, entry_buffer_coordinate(w->e, n, q));
    var_set(b, end_of(w, n), add(b, position, constant_index(b, 1)));
  }
  if (end < w->e->end)
    append_below(w, end, position);
  else
    append_value(w, position);
}

static void append_below(const walked_share *w, int k, MlirValue parent) {
  builder *b = builder_of(w);
  level *l = level_of(w, k);
  MlirValue begin = var_get(b, end_of(w, k));
  while_agree(w, k, var_get(b, w->next));
  append_entry(w, k);
  while_end(b);
  l->format->format->append_edges(l, parent, begin, var_get(b, end_of(w, k)));
}

static void append_part(const walked_share *w) {
  builder *b = builder_of(w);
  while_begin(b);
  MlirValue q = var_get(b, w->next);
  while_do(b, less(b, q, w->stop));
  if (w->e->first == 0) {
    append_entry(w, 0);
  } else {
    MlirValue parent = entry_buffer_parent(w->e, w->part, var_get(b, w->next));
    append_below(w, w->e->first, sub(b, parent, w->share->parent));
  }
  while_end(b);
}

static void append_parts(walked_share *w) {
  builder *b = builder_of(w);
  w->part = for_begin(b, w->share->begin, w->share->end, constant_index(b, 1));
  w->stop = entry_buffer_part_end(w->e, w->part);
  entry_buffer_sort(w->e, var_get(b, w->next), w->stop, w->share->spare_at);
  append_part(w);
  for_end(b);
}

static void finish_levels(const walked_share *w) {
  builder *b = builder_of(w);
  MlirValue parents = w->share->parents;
  for (int k = w->e->first; k < w->e->end; k++) {
    level *l = level_of(w, k);
    MlirValue size = var_get(b, end_of(w, k));
    l->format->format->append_finalize(l, parents, size);
    parents = size;
  }
  stored_array_trim(w->share->to, &w->share->to->values, parents);
}

static void append_all(walked_share *w) {
  builder *b = builder_of(w);
  level *l = level_of(w, w->e->first);
  MlirValue zero = constant_index(b, 0);
  w->next = var_make(b, w->share->first);
  append_parts(w);
  if (w->e->first == 0)
    l->format->format->append_edges(l, zero, zero, var_get(b, end_of(w, 0)));
  finish_levels(w);
}

/* Where memory has run out there are no arrays to complete. */
static void append_share(const entry_buffer *e, const entry_share *share, const variable *ends) {
  builder *b = e->s->b;
  walked_share w = {.e = e, .share = share, .ends = ends};
  make_room(&w);
  if_begin(b, storage_is_fine(share->to));
  int mark = var_mark(b);
  append_all(&w);
  var_release(b, mark);
  if_end(b);
}

static MlirValue edges(level *l) {
  const recorded *r = l->state;
  MlirValue count = recorded_edges(l);
  storage_check_positions(l->owner, l, var_get(l->owner->b, r->entries->count));
  return count;
}

static void order(level *l) {
  static const entry_assembly how = {.sorts = true, .build = append_share};
  recorded *r = l->state;
  r->positions = entry_buffer_assemble(r->entries, &how);
}

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_RECORD && k == tensor_format_record_level(format);
}

const building building_record = {.name = "recorded",
                                  .takes = takes,
                                  .placed_by = sit_is_place,
                                  .begin = recorded_begin,
                                  .count = recorded_count,
                                  .edges = edges,
                                  .begin_counts = recorded_begin_counts,
                                  .counted = recorded_counted,
                                  .begin_places = recorded_begin_places,
                                  .place = recorded_place,
                                  .order = order,
                                  .finish = recorded_finish,
                                  .release = recorded_release,
                                  .begin_values = recorded_begin_values};

static bool takes_along(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_RECORD && k > tensor_format_record_level(format);
}

/* A level below the first. */
const building building_record_along = {.name = "recorded",
                                        .takes = takes_along,
                                        .placed_by = sit_is_place,
                                        .begin = recorded_begin_along,
                                        .place = recorded_place_along,
                                        .finish = recorded_finish,
                                        .begin_values = recorded_begin_values};
