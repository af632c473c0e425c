/* cut.c - ranges of coordinates, or places, with about as much work in each; see cut.h. */
#include "cut.h"

#include "ir.h"
#include "scratch.h"
#include "search.h"
#include "sit.h"

/* ---- What is cut -------------------------------------------------------------------------- */

static void add_tensor(cutting *u, MlirValue tensor) {
  for (int i = 0; i < u->tensor_count; i++)
    if (mlirValueEqual(u->tensors[i], tensor))
      return;
  bool is_stored = lowering_is_operand(u->c->k, tensor) ||
                   storage_is_gathered_by_threads(lowering_storage(u->c->k, tensor));
  if (u->tensor_count < u->room && is_stored)
    u->tensors[u->tensor_count++] = tensor;
}

static bool visit_located(MlirOperation op, void *data) {
  cutting *u = data;
  if (sit_is_locate(op) && sit_op_level(op) == 0 &&
      coiteration_has_coordinate(u->c, sit_op_coordinate(op)))
    add_tensor(u, sit_op_tensor(op));
  return true;
}

static void find_tensors(cutting *u) {
  MlirOperation op = u->c->op;
  u->room = (int)(mlirOperationGetNumOperands(u->c->k->op) + sit_coiterate_count(op));
  u->tensors = ARENA_ARRAY(u->c->k->memory, MlirValue, u->room + 1);
  for (intptr_t i = 0; i < sit_coiterate_count(op); i++)
    if (sit_coiterate_level(op, i) == 0)
      add_tensor(u, sit_coiterate_tensor(op, i));
  visit_below(op, visit_located, u);
}

/* ---- Entries before a coordinate ---------------------------------------------------------- */

static bool has(const tensor_format *format, int k, unsigned properties) {
  return (format->levels[k].properties & properties) == properties;
}

static bool iterates_by(const tensor_format *format, int k, unsigned capability) {
  return format->levels[k].format->capabilities & capability;
}

bool level_is_counted(const tensor_format *format, int k) {
  return has(format, k, LEVEL_FULL | LEVEL_ORDERED | LEVEL_COMPACT) &&
         iterates_by(format, k, LEVEL_COORDINATE_ITERATION);
}

bool level_is_packed(const tensor_format *format, int k) {
  return has(format, k, LEVEL_COMPACT) && iterates_by(format, k, LEVEL_POSITION_ITERATION) &&
         !format->levels[k].format->cursors;
}

static bool is_known(const tensor_format *format, int k) {
  return level_is_counted(format, k) ||
         (level_is_packed(format, k) && (k > 0 || has(format, k, LEVEL_ORDERED)));
}

/* The last level down to which entries before a coordinate are known; -1 for none. */
static int last_known(const tensor_format *format) {
  int level = 0;
  while (level < format->level_count && is_known(format, level))
    level++;
  return level - 1;
}

bool entries_are_known(const tensor_format *format, int level) {
  return last_known(format) >= level;
}

/* The first position of level 0 whose coordinate is not below `bound`. */
static MlirValue first_position(coiteration *c, storage *s, MlirValue bound) {
  walk w;
  if (level_is_counted(storage_format(s), 0))
    return bound;
  lowered root = {.value = constant_index(c->k->b, 0)};
  return walk_begin(&w, c->k, c->op, s, 0, root, true, (MlirValue){NULL})
             ? walk_seek(&w, w.begin, bound)
             : root.value;
}

/* Where the children of so many parents end. */
static MlirValue end_below(builder *b, storage *s, int k, MlirValue parents) {
  level *l = storage_level(s, k);
  MlirValue begin, end, zero = constant_index(b, 0);
  if (level_is_counted(storage_format(s), k))
    return mul(b, parents, storage_level_size(s, k));
  int mark = var_mark(b);
  variable count = var_make(b, zero);
  if_begin(b, less(b, zero, parents));
  storage_level_format(s, k)->pos_iter(l, sub(b, parents, constant_index(b, 1)), &begin, &end);
  var_set(b, count, end);
  if_end(b);
  MlirValue last = var_get(b, count);
  var_release(b, mark);
  return last;
}

MlirValue entries_below(coiteration *c, MlirValue tensor, int level, int leaf, MlirValue count) {
  storage *s = lowering_storage(c->k, tensor);
  for (int k = level + 1; k <= leaf; k++)
    count = end_below(c->k->b, s, k, count);
  return count;
}

MlirValue entries_before(coiteration *c, MlirValue tensor, int level, MlirValue bound) {
  MlirValue first = first_position(c, lowering_storage(c->k, tensor), bound);
  return entries_below(c, tensor, 0, level, first);
}

static int level_of_work(const cutting *u, int tensor) {
  return last_known(storage_format(lowering_storage(u->c->k, u->tensors[tensor])));
}

bool work_has_coordinates(const cutting *u) {
  bool has = u->c->extent.ptr || !u->tensor_count;
  for (int i = 0; i < u->tensor_count; i++)
    has |= level_of_work(u, i) < 0;
  return has;
}

MlirValue work_of(cutting *u, int tensor, MlirValue bound) {
  int level = level_of_work(u, tensor);
  return level < 0 ? constant_index(u->c->k->b, 0)
                   : entries_before(u->c, u->tensors[tensor], level, bound);
}

MlirValue work_below(cutting *u, int tensor, MlirValue count) {
  return entries_below(u->c, u->tensors[tensor], 1, level_of_work(u, tensor), count);
}

MlirValue work_before(cutting *u, MlirValue bound) {
  builder *b = u->c->k->b;
  MlirValue work = constant_index(b, 0);
  for (int i = 0; i < u->tensor_count; i++)
    work = add(b, work, work_of(u, i, bound));
  return work_has_coordinates(u) ? add(b, work, bound) : work;
}

/* ---- Cuts --------------------------------------------------------------------------------- */

static MlirValue level_extent(const coiteration *c) {
  storage *s = lowering_storage(c->k, sit_coiterate_tensor(c->op, 0));
  return storage_level_size(s, (int)sit_coiterate_level(c->op, 0));
}

bool coiteration_is_cut_by_places(const coiteration *c) {
  if (c->level_count != 1 || c->case_count != 1 || !set_has(c->cases[0], 0) || c->extent.ptr ||
      c->low.ptr || c->high.ptr || sit_coiterate_level(c->op, 0) != 0)
    return false;
  const storage *s = lowering_storage(c->k, sit_coiterate_tensor(c->op, 0));
  return format_level_is_cut_by_places(&storage_format(s)->levels[0]);
}

/* How many entries come below the first `places` of the one walk. */
static MlirValue entries_below_places(const cutting *u, MlirValue places) {
  const tensor_format *format = storage_format(lowering_storage(u->c->k, u->tensors[0]));
  int leaf = 0;
  while (leaf + 1 < format->level_count && is_known(format, leaf + 1))
    leaf++;
  return entries_below(u->c, u->tensors[0], 0, leaf, places);
}

/* As many entries as there are in its scratch array. */
static cutting cutting_of_sorted(coiteration *c) {
  MlirValue none = constant_index(c->k->b, 0), end = c->sorted->end;
  return (cutting){.c = c, .low = none, .high = end, .before = none, .all = end};
}

static cutting cutting_of_places(coiteration *c) {
  cutting u = {.c = c, .tensors = ARENA_ARRAY(c->k->memory, MlirValue, 1), .tensor_count = 1};
  lowered root = {.value = constant_index(c->k->b, 0)};
  walk places;
  u.tensors[0] = sit_coiterate_tensor(c->op, 0);
  walk_begin(&places, c->k, c->op, lowering_storage(c->k, u.tensors[0]), 0, root, true,
             (MlirValue){NULL});
  u.low = places.begin;
  u.high = places.end;
  u.before = entries_below_places(&u, u.low);
  u.all = sub(c->k->b, entries_below_places(&u, u.high), u.before);
  return u;
}

cutting cutting_of(coiteration *c) {
  builder *b = c->k->b;
  cutting u = {.c = c};
  if (c->by_places)
    return c->sorted ? cutting_of_sorted(c) : cutting_of_places(c);
  find_tensors(&u);
  u.low = c->low.ptr ? c->low : constant_index(b, 0);
  MlirValue high = coiteration_high(c);
  u.high = max_i(b, high.ptr ? high : level_extent(c), u.low);
  u.before = work_before(&u, u.low);
  u.all = sub(b, work_before(&u, u.high), u.before);
  return u;
}

/* x t / count, where x t may be too large. */
static MlirValue part_of(builder *b, MlirValue x, MlirValue t, MlirValue count) {
  MlirValue whole = mul(b, floor_div(b, x, count), t);
  return add(b, whole, floor_div(b, mul(b, floor_mod(b, x, count), t), count));
}

/* The work before range t of `count`. */
static MlirValue work_of_ranges(const cutting *u, MlirValue t, MlirValue count) {
  builder *b = u->c->k->b;
  return u->each.ptr ? min_i(b, u->all, mul(b, u->each, t)) : part_of(b, u->all, t, count);
}

typedef struct wanted_work {
  cutting *u;
  MlirValue work;
} wanted_work;

static MlirValue is_less_work(void *data, MlirValue at) {
  const wanted_work *w = data;
  return less(w->u->c->k->b, work_before(w->u, at), w->work);
}

/* ---- Places -------------------------------------------------------------------------------- */

static MlirValue has_less_below(void *data, MlirValue place) {
  const wanted_work *w = data;
  return less(w->u->c->k->b, entries_below_places(w->u, place), w->work);
}

/* Those whose duplicates are walked together are all in the first range. */
static MlirValue cut_places(cutting *u, MlirValue t, MlirValue count, wanted_work *w) {
  builder *b = u->c->k->b;
  const tensor_format *format = storage_format(lowering_storage(u->c->k, u->tensors[0]));
  MlirValue together = select_value(b, equal(b, t, constant_index(b, 0)), u->low, u->high);
  if (!u->c->fused && !(format->levels[0].properties & LEVEL_UNIQUE))
    return together;
  MlirValue from = select_value(b, equal(b, t, count), u->high, u->low);
  return search_first(b, from, u->high, has_less_below, w);
}

/* Where one coordinate ends in a scratch array, at a place or behind it. */
static MlirValue cut_sorted(cutting *u, MlirValue place) {
  builder *b = u->c->k->b;
  MlirValue pairs = u->c->sorted->scratch, one = constant_index(b, 1);
  int mark = var_mark(b);
  variable at = var_make(b, place);
  if_begin(b, and_i(b, less(b, u->low, place), less(b, place, u->high)));
  MlirValue before = scratch_coordinate(b, pairs, sub(b, place, one));
  while_begin(b);
  MlirValue next = var_get(b, at), last = sub(b, u->high, one);
  MlirValue same = equal(b, scratch_coordinate(b, pairs, min_i(b, next, last)), before);
  while_do(b, and_i(b, less(b, next, u->high), same));
  var_set(b, at, add(b, var_get(b, at), one));
  while_end(b);
  if_end(b);
  MlirValue end = var_get(b, at);
  var_release(b, mark);
  return end;
}

/* ---- Of one walk -------------------------------------------------------------------------- */

bool cut_is_of_one_walk(const cutting *u) {
  if (u->tensor_count != 1 || u->c->extent.ptr)
    return false;
  const tensor_format *format = storage_format(lowering_storage(u->c->k, u->tensors[0]));
  return last_known(format) >= 0 && !level_is_counted(format, 0);
}

static MlirValue has_less_work(void *data, MlirValue place) {
  const wanted_work *w = data;
  MlirValue tensor = w->u->tensors[0];
  int level = last_known(storage_format(lowering_storage(w->u->c->k, tensor)));
  return less(w->u->c->k->b, entries_below(w->u->c, tensor, 0, level, place), w->work);
}

/* Behind the coordinate of the last place that has less below it. */
static MlirValue cut_walk(cutting *u, walk *places, wanted_work *w) {
  builder *b = u->c->k->b;
  MlirValue first = search_first(b, places->begin, places->end, has_less_work, w);
  int mark = var_mark(b);
  variable at = var_make(b, u->low);
  if_begin(b, less(b, places->begin, first));
  MlirValue one = constant_index(b, 1);
  MlirValue behind = add(b, walk_access(places, sub(b, first, one)).coordinate, one);
  var_set(b, at, min_i(b, max_i(b, behind, u->low), u->high));
  if_end(b);
  MlirValue cut = var_get(b, at);
  var_release(b, mark);
  return cut;
}

MlirValue cut_work(cutting *u, MlirValue t, MlirValue count) {
  return add(u->c->k->b, u->before, work_of_ranges(u, t, count));
}

MlirValue cut(cutting *u, MlirValue t, MlirValue count) {
  builder *b = u->c->k->b;
  wanted_work w = {u, cut_work(u, t, count)};
  walk places;
  lowered root = {.value = constant_index(b, 0)};
  if (u->c->sorted)
    return cut_sorted(u, w.work);
  if (u->c->by_places)
    return cut_places(u, t, count, &w);
  if (cut_is_of_one_walk(u) &&
      walk_begin(&places, u->c->k, u->c->op, lowering_storage(u->c->k, u->tensors[0]), 0, root,
                 true, (MlirValue){NULL}))
    return select_value(b, equal(b, t, count), u->high, cut_walk(u, &places, &w));
  MlirValue from = select_value(b, equal(b, t, count), u->high, u->low);
  return search_first(b, from, u->high, is_less_work, &w);
}
