/* runs.c - a workspace that a loop on threads fills: each thread gathers in one of its own, by the
 * policy, and what these hold is merged (thread-private accumulation, and a merge of all arrays:
 * Zhang et al. 2024, sections 4 and 9).
 *
 *     threads      0: {4 b, 1 a}     1: {4 e, 2 d}      workspaces of the policy, any of them
 *     runs            1 a  4 b          2 d  4 e        each ordered, written one behind another
 *     merged       1 a  2 d  4 b  4 e                   by the runtime (lac_runs.c), in ranges
 *     list         1 a  2 d  4 b+e                      equal keys combined; walked as a policy's
 *
 *     begin        nothing but an object for the runs
 *     order        merges, on threads
 *     clear        the list goes back, and is empty
 *     release
 *
 * An entry of a run is its key (level_key.c), of one level its coordinate, and its value, which is
 * at a multiple of its size.  Of equal keys those of a run before come first, so that what they
 * come to is the same for as many runs.
 */
#include "building.h"
#include "storage_state.h"

enum { WORD = 64, WORD_BYTES = WORD / 8 };

/* The state of the first level, and what is known of the list. */
struct storage_runs {
  MlirValue handle; /* a lac_runs */
  variable list, count;
  stored_array keys;
  const tensor_format *policy; /* the format of the workspaces of threads */
};

static MlirValue number(const storage *s, int64_t x) {
  return constant_index(s->b, x);
}

static storage_runs *runs_of(const storage *s) {
  return s->levels[0].state;
}

/* ---- The layout of an entry ---------------------------------------------------------------- */

static int64_t value_bytes(const storage *s) {
  return type_bytes(s->values.element);
}

static int64_t words_of(const storage *s) {
  int64_t bytes = value_bytes(s);
  return bytes > WORD_BYTES ? 2 * bytes / WORD_BYTES : 2;
}

/* What stands `offset` bytes into each entry at a pointer. */
static stored_array field_at(const storage *s, MlirType element, int64_t offset) {
  int64_t bytes = type_bytes(element);
  return (stored_array){.level = VALUES,
                        .element = element,
                        .grows = true,
                        .stride = words_of(s) * WORD_BYTES / bytes,
                        .first = offset / bytes};
}

static stored_array keys_at(const storage *s, variable where) {
  stored_array keys = field_at(s, type_i(s->b, WORD), 0);
  keys.growing = where;
  return keys;
}

static stored_array values_at(const storage *s, variable where) {
  int64_t bytes = value_bytes(s);
  stored_array values = field_at(s, s->values.element, bytes > WORD_BYTES ? bytes : WORD_BYTES);
  values.growing = where;
  return values;
}

/* ---- Calls --------------------------------------------------------------------------------- */

static MlirValue as_i64(const storage *s, MlirValue x) {
  return index_cast(s->b, x, type_i(s->b, WORD));
}

/* function(runs, number, status), as far as these are given. */
static MlirValue call_runs(const storage *s, const char *function, MlirType type, MlirValue n,
                           MlirValue extent, bool may_fail) {
  MlirValue arguments[4] = {runs_of(s)->handle};
  int count = 1;
  if (n.ptr)
    arguments[count++] = as_i64(s, n);
  if (extent.ptr)
    arguments[count++] = as_i64(s, extent);
  if (may_fail)
    arguments[count++] = s->status;
  MlirValue result = call(s->b, function, type, count, arguments);
  bool counts = result.ptr && mlirTypeEqual(type, type_i(s->b, WORD));
  return counts ? index_cast(s->b, result, type_index(s->b)) : result;
}

static const MlirValue none = {NULL};
static const MlirType nothing = {NULL};

/* ---- Merging ------------------------------------------------------------------------------- */

/* The entries of a range at a pointer. */
typedef struct merged_range {
  const storage *s;
  stored_array keys, values;
  variable kept;
} merged_range;

static MlirValue last_kept(const merged_range *m) {
  builder *b = m->s->b;
  MlirValue one = number(m->s, 1);
  return sub(b, max_i(b, var_get(b, m->kept), one), one);
}

/* Whether the entry has the key of the last one that is kept. */
static MlirValue is_kept(const merged_range *m, storage *s, MlirValue q) {
  builder *b = s->b;
  MlirValue any = less(b, number(s, 0), var_get(b, m->kept));
  MlirValue last = stored_array_load(s, &m->keys, last_kept(m));
  return and_i(b, any, equal(b, last, stored_array_load(s, &m->keys, q)));
}

/* What comes again where nothing is combined takes the place of what there is. */
static void combine_with_last(const merged_range *m, storage *s, MlirValue q) {
  MlirValue last = last_kept(m), value = stored_array_load(s, &m->values, q);
  if (s->plan.combines)
    value = combine(s->b, s->plan.combines, stored_array_load(s, &m->values, last), value,
                    s->plan.strict);
  stored_array_store(s, &m->values, last, value);
}

static void keep(const merged_range *m, storage *s, MlirValue q) {
  builder *b = s->b;
  MlirValue to = var_get(b, m->kept);
  stored_array_store(s, &m->keys, to, stored_array_load(s, &m->keys, q));
  stored_array_store(s, &m->values, to, stored_array_load(s, &m->values, q));
  var_set(b, m->kept, add(b, to, number(s, 1)));
}

static void combine_range(storage *s, MlirValue n) {
  builder *b = s->b;
  int mark = var_mark(b);
  variable where = var_make(b, call_runs(s, "lac_kernel_runs_merge", type_ptr(b), n, none, true));
  merged_range m = {s, keys_at(s, where), values_at(s, where), var_make(b, number(s, 0))};
  MlirValue size = call_runs(s, "lac_kernel_runs_size", type_i(b, WORD), n, none, false);
  MlirValue q = for_begin(b, number(s, 0), storage_size_if_fine(s, size), number(s, 1));
  if_begin(b, is_kept(&m, s, q));
  combine_with_last(&m, s, q);
  if_else(b);
  keep(&m, s, q);
  if_end(b);
  for_end(b);
  call_runs(s, "lac_kernel_runs_kept", nothing, n, var_get(b, m.kept), false);
  var_release(b, mark);
}

/* for each range on some thread */
static void for_ranges(storage *s, MlirValue count, void (*each)(storage *s, MlirValue n)) {
  MlirValue n = parallel_begin(s->b, number(s, 0), count, number(s, 1));
  each(s, n);
  parallel_end(s->b);
}

static void copy_range(storage *s, MlirValue n) {
  call_runs(s, "lac_kernel_runs_copy", nothing, n, none, false);
}

static void order(level *l) {
  storage *s = l->owner;
  builder *b = s->b;
  storage_runs *r = runs_of(s);
  MlirType i64 = type_i(b, WORD);
  MlirValue arguments[] = {r->handle, parallel_threads(b), s->status};
  MlirValue count = index_cast(b, call(b, "lac_kernel_runs_cut", i64, 3, arguments), type_index(b));
  for_ranges(s, count, combine_range);
  call_runs(s, "lac_kernel_runs_place", nothing, none, none, true);
  for_ranges(s, storage_size_if_fine(s, count), copy_range);
  var_set(b, r->list, call_runs(s, "lac_kernel_runs_all", type_ptr(b), none, none, false));
  MlirValue all = call_runs(s, "lac_kernel_runs_count", i64, none, none, false);
  var_set(b, r->count, storage_size_if_fine(s, all));
}

static void clear(level *l) {
  storage *s = l->owner;
  call_runs(s, "lac_kernel_runs_clear", nothing, none, none, false);
  var_set(s->b, runs_of(s)->count, number(s, 0));
}

static void release(level *l) {
  call_runs(l->owner, "lac_kernel_runs_free", nothing, none, none, false);
}

static const building building_runs = {
    .name = "gathered by threads", .order = order, .clear = clear, .release = release};

/* ---- The list ------------------------------------------------------------------------------ */

static void list_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  (void)parent;
  *begin = level_constant(l, 0);
  *end = var_get(l->owner->b, runs_of(l->owner)->count);
}

static void list_entry(level *l, MlirValue place, MlirValue *key, MlirValue *position) {
  storage *s = l->owner;
  *key = index_cast(s->b, stored_array_load(s, &runs_of(s)->keys, place), type_index(s->b));
  *position = place;
}

/* Keys are the policy's: those of one that grows are shifted (level_key.c). */
#define LIST                                                                                       \
  .name = "gathered by threads", .capabilities = LEVEL_POSITION_ITERATION | LEVEL_WORKSPACE,       \
  .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT, .pos_iter = list_iter,               \
  .pos_access = level_entry_access, .entry = list_entry
static const level_format shifted_list = {LIST, .grows = true};
static const level_format counted_list = {LIST};

/* The same tensor, its levels those of a list. */
const tensor_format *storage_gathered_format(arena *memory, const tensor_format *policy) {
  tensor_format *format = arena_alloc(memory, sizeof *format);
  *format = *policy;
  format->levels = ARENA_ARRAY(memory, format_level, policy->level_count);
  for (int k = 0; k < policy->level_count; k++) {
    format->levels[k] = policy->levels[k];
    format->levels[k].properties |= LEVEL_ORDERED | LEVEL_COMPACT;
  }
  format->levels[0].format = policy->levels[0].format->grows ? &shifted_list : &counted_list;
  return format;
}

bool storage_is_gathered_by_threads(const storage *s) {
  return s->format->level_count && s->levels[0].way == &building_runs;
}

MlirValue storage_gathered_count(const storage *s) {
  return var_get(s->b, runs_of(s)->count);
}

storage *storage_gather_by_threads(arena *memory, builder *b, const tensor_format *policy,
                                   MlirValue status, const MlirValue *dimensions,
                                   const building_plan *p, MlirValue *begun) {
  storage *s =
      storage_make(memory, b, storage_gathered_format(memory, policy), "workspace", none, status);
  storage_build(s, dimensions, p);
  storage_begin_keys(s);
  for (int k = 0; k < policy->level_count; k++)
    s->levels[k].way = &building_runs;
  storage_runs *r = s->levels[0].state = building_state(&s->levels[0], sizeof *r);
  MlirValue arguments[] = {constant_integer(b, type_i(b, 32), words_of(s)), status};
  r->handle = call(b, "lac_kernel_runs", type_ptr(b), 2, arguments);
  r->policy = policy;
  r->list = var_make(b, r->handle);
  r->count = var_make(b, number(s, 0));
  r->keys = keys_at(s, r->list);
  s->values = values_at(s, r->list);
  *begun = storage_is_fine(s);
  return s;
}

/* ---- What a thread gathers ----------------------------------------------------------------- */

void storage_gather_begin(storage *s, MlirValue count) {
  call_runs(s, "lac_kernel_runs_begin", nothing, count, none, true);
}

MlirValue storage_gather_next(storage *s) {
  return call_runs(s, "lac_kernel_runs_next", type_i(s->b, WORD), none, none, false);
}

storage *storage_gather_own(storage *s, MlirValue *begun) {
  const tensor_format *policy = runs_of(s)->policy;
  storage *own = storage_make(s->memory, s->b, policy, s->name, none, s->status);
  *begun = storage_workspace_begin(own, s->dimensions, &s->plan, false);
  return own;
}

/* The key and the position of the value at a place; `*found` stays null where there always is one.
 */
static void read_entry(storage *own, MlirValue place, MlirValue *key, MlirValue *position,
                       MlirValue *found) {
  level *l = &own->levels[0];
  const level_format *format = l->format->format;
  MlirValue coordinates[1] = {none};
  *position = place;
  if (format->entry)
    format->entry(l, place, key, position);
  else
    format->pos_access(l, place, coordinates, key, position, found);
}

static void write_entry(storage *s, storage *own, MlirValue place, const merged_range *to) {
  builder *b = s->b;
  MlirValue key, position, found = none, at = var_get(b, to->kept);
  read_entry(own, place, &key, &position, &found);
  if (found.ptr)
    if_begin(b, found);
  stored_array_store(s, &to->keys, at, as_i64(s, key));
  stored_array_store(s, &to->values, at, storage_load(own, position));
  var_set(b, to->kept, add(b, at, number(s, 1)));
  if (found.ptr)
    if_end(b);
}

void storage_gather_end(storage *s, storage *own, MlirValue n) {
  builder *b = s->b;
  level *l = &own->levels[0];
  int mark = var_mark(b);
  MlirValue begin, end;
  l->way->order(l);
  l->format->format->pos_iter(l, number(s, 0), &begin, &end);
  variable where =
      var_make(b, call_runs(s, "lac_kernel_run", type_ptr(b), n, sub(b, end, begin), true));
  merged_range to = {s, keys_at(s, where), values_at(s, where), var_make(b, number(s, 0))};
  MlirValue place =
      for_begin(b, begin, select_value(b, storage_is_fine(s), end, begin), number(s, 1));
  write_entry(s, own, place, &to);
  for_end(b);
  call_runs(s, "lac_kernel_run_end", nothing, n, var_get(b, to.kept), false);
  var_release(b, mark);
}
