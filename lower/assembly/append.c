/* append.c - a level built by appending: entries come in order, each goes behind the last.
 *
 *     place     position = end;  where there is no room, all arrays grow;  end = end + 1
 *     close     the entries since `begin` are the children of a parent
 *
 * Below it come levels that insert, with a block of positions for each of its own, down to the next
 * level that appends (which has arrays with an element for each of these) or to the values: they
 * have one capacity and grow together.
 */
#include "building.h"
#include "piece_tensors.h"
#include "storage_state.h"

#include "sit.h"

typedef struct appended {
  variable end, capacity; /* positions in use, positions there is room for */
  bool roomy;             /* there is room for what is appended */
  MlirValue told;         /* of a view: its first position; or null */
} appended;

static bool is_appended(const level *l) {
  return l->way == &building_append;
}

static appended *state_of(const level *l) {
  return l->state;
}

/* ---- Room --------------------------------------------------------------------------------- */

static void reserve_below(level *above, MlirValue count) {
  storage *s = above->owner;
  int k = above->number + 1;
  for (; k < s->format->level_count && !is_appended(&s->levels[k]); k++) {
    const level_format *format = s->levels[k].format->format;
    MlirValue parents = count;
    count = format->insert_size(&s->levels[k], parents);
    if (format->insert_reserve)
      format->insert_reserve(&s->levels[k], parents, count);
  }
  if (k == s->format->level_count)
    stored_array_reserve(s, &s->values, count);
  else
    s->levels[k].format->format->append_reserve(&s->levels[k], count, (MlirValue){NULL});
}

void append_reserve_positions(level *l, MlirValue count) {
  l->format->format->append_reserve(l, (MlirValue){NULL}, count);
  reserve_below(l, count);
}

/* Doubles the room; where there is no memory the capacity stays and positions start again at 0, so
 * that all goes on in bounds until the status is seen. */
static void grow(level *l) {
  builder *b = l->owner->b;
  appended *a = state_of(l);
  MlirValue capacity = var_get(b, a->capacity), end = var_get(b, a->end);
  MlirValue doubled = mul(b, capacity, constant_index(b, 2));
  append_reserve_positions(l, doubled);
  MlirValue fine = storage_is_fine(l->owner);
  var_set(b, a->capacity, select_value(b, fine, doubled, capacity));
  var_set(b, a->end, select_value(b, fine, end, constant_index(b, 0)));
}

/* More entries have come than the operand has that tells how many: as where there is no memory, all
 * goes on in bounds. */
static void refuse_more(level *l) {
  builder *b = l->owner->b;
  appended *a = state_of(l);
  const char *message = arena_format(
      l->owner->memory,
      "expected as many entries of level %d (%s) of '%s' as an operand has, found more", l->number,
      l->format->format->name, l->owner->name);
  MlirValue arguments[] = {constant_text(b, message), l->owner->status};
  call_seldom(b, "lac_kernel_refuse", (MlirType){NULL}, 2, arguments);
  var_set(b, a->end, a->told);
}

static bool is_told(const level *l) {
  return !mlirValueIsNull(state_of(l)->told);
}

static void make_room(level *l) {
  if (is_told(l))
    refuse_more(l);
  else
    grow(l);
}

/* Room to begin with, in positions: little where each has a block of a level that inserts below it;
 * of a piece as much as is expected of it, of which what is not used is never touched. */
static void reserve_first(level *l) {
  storage *s = l->owner;
  bool blocks = l->number + 1 < s->format->level_count && !is_appended(l + 1);
  MlirValue first = constant_index(s->b, blocks ? 1 : 256);
  if (!blocks && !mlirValueIsNull(s->expected))
    first = max_i(s->b, first, s->expected);
  append_reserve_positions(l, first);
  var_set(s->b, state_of(l)->capacity, first);
}

static void enlarge(level *l, MlirValue needed, variable there) {
  builder *b = l->owner->b;
  appended *a = state_of(l);
  MlirValue doubled = mul(b, var_get(b, a->capacity), constant_index(b, 2));
  MlirValue capacity = max_i(b, doubled, needed);
  append_reserve_positions(l, capacity);
  var_set(b, there, storage_is_fine(l->owner));
  var_set(b, a->capacity, select_value(b, var_get(b, there), capacity, var_get(b, a->capacity)));
}

bool storage_is_told(const storage *s, int k) {
  return is_told(&s->levels[k]);
}

MlirValue storage_enter_room(storage *s, int k, MlirValue count) {
  builder *b = s->b;
  level *l = &s->levels[k];
  appended *a = state_of(l);
  int mark = var_mark(b);
  variable there = var_make(b, constant_bool(b, true));
  MlirValue needed = add(b, var_get(b, a->end), count);
  if_begin(b, less(b, var_get(b, a->capacity), needed));
  if (is_told(l)) {
    refuse_more(l);
    var_set(b, there, constant_bool(b, false));
  } else {
    enlarge(l, needed, there);
  }
  if_end(b);
  a->roomy = true;
  MlirValue result = var_get(b, there);
  var_release(b, mark);
  return result;
}

void storage_leave_room(storage *s, int k) {
  state_of(&s->levels[k])->roomy = false;
}

/* ---- Steps -------------------------------------------------------------------------------- */

static MlirValue begin(level *l) {
  builder *b = l->owner->b;
  appended *a = l->state = building_state(l, sizeof *a);
  a->end = var_make(b, constant_index(b, 0));
  a->capacity = var_make(b, constant_index(b, 0));
  l->format->format->append_init(l, l->parents);
  return (MlirValue){NULL};
}

static void begin_values(level *last, MlirValue positions) {
  (void)positions;
  for (int k = 0; k <= last->number; k++)
    if (is_appended(&last->owner->levels[k]))
      reserve_first(&last->owner->levels[k]);
}

/* The values below a position that was just appended: where levels that insert lie between, they
 * are there from now on. */
static void fill_below(level *l, MlirValue position) {
  storage *s = l->owner;
  if (storage_starts_zero(s))
    return;
  MlirValue from = position, to = add(s->b, position, constant_index(s->b, 1));
  int below = l->number + 1;
  for (; below < s->format->level_count; below++) {
    level *inserted = &s->levels[below];
    if (is_appended(inserted))
      return;
    from = inserted->format->format->insert_size(inserted, from);
    to = inserted->format->format->insert_size(inserted, to);
  }
  if (below > l->number + 1)
    storage_fill(s, from, to);
}

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  builder *b = l->owner->b;
  appended *a = state_of(l);
  (void)parent;
  if (!a->roomy) {
    if_begin(b, less_equal(b, var_get(b, a->capacity), var_get(b, a->end)));
    make_room(l);
    if_end(b);
  }
  MlirValue position = var_get(b, a->end);
  l->format->format->append_coord(l, position, coordinates[l->number]);
  fill_below(l, position);
  var_set(b, a->end, add(b, position, constant_index(b, 1)));
  return position;
}

static MlirValue finish(level *l, MlirValue parents) {
  MlirValue size = var_get(l->owner->b, state_of(l)->end);
  storage_check_positions(l->owner, l, size);
  l->format->format->append_finalize(l, parents, size);
  return size;
}

MlirValue storage_end(storage *s, int k) {
  return var_get(s->b, state_of(&s->levels[k])->end);
}

void storage_close(storage *s, int k, MlirValue begin, MlirValue parent) {
  level *l = &s->levels[k];
  l->format->format->append_edges(l, parent, begin, storage_end(s, k));
}

/* ---- Entries that operands tell ----------------------------------------------------------- */

/* One place more, so that where there come more, each range has one. */
void storage_reserve_told(storage *s, int k, MlirValue count) {
  builder *b = s->b;
  level *l = &s->levels[k];
  appended *a = state_of(l);
  MlirValue all = add(b, var_get(b, a->end), count);
  append_reserve_positions(l, add(b, all, constant_index(b, 1)));
  var_set(b, a->capacity, max_i(b, var_get(b, a->capacity), all));
}

void storage_append_told(storage *s, int k, MlirValue count) {
  appended *a = state_of(&s->levels[k]);
  var_set(s->b, a->end, add(s->b, var_get(s->b, a->end), count));
}

void storage_told_begin(storage *s, MlirValue ranges) {
  piece_tensors_make(s, ranges, s->format->level_count);
}

void storage_told_set(storage *s, MlirValue range, int k, MlirValue count) {
  piece_set_size(s, piece_sizes(s, range), k, count);
}

void storage_told_set_end(storage *s) {
  piece_tensors_order(s);
}

void storage_told_sum(storage *s) {
  piece_tensors_sum(s);
}

MlirValue storage_told_before(storage *s, MlirValue range, int k) {
  return piece_size(s, piece_sizes(s, range), k);
}

void storage_told_end(storage *s) {
  piece_tensors_free(s);
}

static void fix_array(storage *s, stored_array *array, MlirValue count) {
  if (array->grows)
    array->fixed = stored_array_memory(s, array, count);
  array->grows = false;
}

/* The levels with what they remember. */
static storage *twin_of(storage *s) {
  storage *view = arena_alloc(s->memory, sizeof *view);
  *view = *s;
  view->plan.role = STORAGE_PIECE;
  view->levels = ARENA_ARRAY(s->memory, level, s->format->level_count);
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &view->levels[k];
    *l = s->levels[k];
    l->owner = view;
    for (int n = 0; n < LEVEL_COUNTERS; n++)
      l->counters[n] = var_make(s->b, constant_index(s->b, 0));
  }
  return view;
}

/* Their arrays where they are now. */
storage *storage_begin_view(storage *s) {
  storage *view = twin_of(s);
  MlirValue many = constant_index(s->b, INT64_MAX);
  for (int k = 0; k < s->format->level_count; k++)
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
      fix_array(view, &view->levels[k].arrays[slot], many);
  fix_array(view, &view->values, many);
  return view;
}

/* ---- Entries that are counted first ------------------------------------------------------- */

storage *append_counting(storage *s) {
  storage *counts = twin_of(s);
  counts->plan.role = STORAGE_COUNTS;
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &counts->levels[k];
    if (!is_appended(l))
      continue;
    appended *a = l->state = building_state(l, sizeof *a);
    a->end = var_make(s->b, constant_index(s->b, 0));
  }
  return counts;
}

MlirValue storage_count_entry(storage *s, int k) {
  appended *a = state_of(&s->levels[k]);
  MlirValue number = var_get(s->b, a->end);
  var_set(s->b, a->end, add(s->b, number, constant_index(s->b, 1)));
  return number;
}

static void fix_room(storage *s, stored_array *array) {
  if (array->grows)
    array->fixed =
        memory_at(s, var_get(s->b, array->growing), stored_array_room(s, array), array->element);
  array->grows = false;
}

storage *append_fixed(storage *s) {
  storage *fixed = twin_of(s);
  for (int k = 0; k < s->format->level_count; k++)
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
      fix_room(fixed, &fixed->levels[k].arrays[slot]);
  fix_room(fixed, &fixed->values);
  return fixed;
}

void append_unchecked(storage *view, int k) {
  state_of(&view->levels[k])->roomy = true;
}

storage *append_to_now(storage *s, const MlirValue *ends) {
  storage *now = twin_of(s);
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &now->levels[k];
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
      if (l->arrays[slot].element.ptr)
        stored_array_find(now, &l->arrays[slot]);
    if (!is_appended(l))
      continue;
    appended *a = l->state = building_state(l, sizeof *a);
    a->end = var_make(s->b, ends[k]);
    a->capacity = var_make(s->b, ends[k]);
  }
  now->values.raw = true;
  stored_array_find(now, &now->values);
  return now;
}

void storage_view_room(storage *view, int k, MlirValue begin, MlirValue end) {
  builder *b = view->b;
  level *l = &view->levels[k];
  MlirValue before = var_get(b, state_of(l)->end), from = add(b, before, begin);
  appended *a = l->state = building_state(l, sizeof *a);
  a->told = from;
  a->end = var_make(b, from);
  a->capacity = var_make(b, add(b, before, end));
}

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way != CIN_COLLECT && building_appends(format, k);
}

const building building_append = {.name = "appended to",
                                  .takes = takes,
                                  .placed_by = sit_is_append,
                                  .begin = begin,
                                  .place = place,
                                  .finish = finish,
                                  .begin_values = begin_values,
                                  .finish_values = building_trim_values};
