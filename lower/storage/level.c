/* level.c - what a level format's functions may ask of a level in the code being made: the
 * accessors of level_format.h. */
#include "level_format.h"

#include "relation.h"
#include "storage_state.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

builder *level_builder(level *l) {
  return l->owner->b;
}
int level_number(const level *l) {
  return l->number;
}
MlirValue level_size(level *l) {
  return l->size;
}
MlirValue level_is_inside(level *l, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue below = less(b, coordinate, level_size(l));
  return and_i(b, less_equal(b, constant_index(b, 0), coordinate), below);
}
level *level_above(level *l, int64_t levels) {
  return &l->owner->levels[l->number - levels];
}
bool level_is_numbered(const level *l) {
  bool numbered = false;
  for (int k = 0; k < l->number; k++)
    numbered |= remap_counted(l->owner->format->levels[k].expression) >= 0;
  return numbered;
}
unsigned level_properties(const level *l) {
  return l->format->properties;
}

intptr_t level_argument_count(const level *l) {
  return tinLevelAttrGetNumArguments(l->format->attribute);
}

int64_t level_argument(const level *l, intptr_t i) {
  return tinLevelAttrGetArgument(l->format->attribute, i);
}

int64_t level_option_said(const level *l, intptr_t i, int64_t usual) {
  int64_t said = i < level_argument_count(l) ? level_argument(l, i) : 0;
  return said > 0 ? said : usual;
}

/* ---- What the levels above leave ---------------------------------------------------------- */

/* The dimensions are the nodes, and the level above that holds a linear form of them the one after
 * those. */
typedef struct level_view {
  level *l;
  const MlirValue *coordinates;
  int above;
} level_view;

static MlirValue view_coordinate(const relation_scope *s, int node) {
  const level_view *v = s->owner;
  const tensor_format *format = v->l->owner->format;
  return v->coordinates[node == format->order ? v->above : format->level_of[node]];
}

static MlirValue view_extent(const relation_scope *s, int node) {
  return storage_dimension(((const level_view *)s->owner)->l->owner, node);
}

static bool view_is_known(const relation_scope *s, int node) {
  return node == ((const level_view *)s->owner)->l->owner->format->order;
}

static relation_scope scope_of(level_view *v) {
  const tensor_format *format = v->l->owner->format;
  MlirAffineExpr held = format->levels[v->above].expression;
  return (relation_scope){.b = v->l->owner->b,
                          .relation = relation_of_level(v->l->owner->memory, held, format->order),
                          .owner = v,
                          .coordinate = view_coordinate,
                          .extent = view_extent,
                          .is_known = view_is_known};
}

void level_bounds(level *l, const MlirValue *coordinates, MlirValue *begin, MlirValue *end) {
  builder *b = l->owner->b;
  level_view v = {l, coordinates, tensor_format_implied_by(l->owner->format, l->number)};
  *begin = constant_index(b, 0);
  *end = l->size;
  if (v.above < 0)
    return;
  relation_scope s = scope_of(&v);
  interval left = s.relation->rule->bounds(&s, l->format->dimension);
  *begin = left.low;
  *end = left.high;
}

MlirValue level_implied(level *l, const MlirValue *coordinates) {
  level_view v = {l, coordinates, tensor_format_implied_by(l->owner->format, l->number)};
  relation_scope s = scope_of(&v);
  return s.relation->rule->coordinate(&s, l->format->dimension);
}

/* ---- Arrays ------------------------------------------------------------------------------- */

MlirValue level_load(level *l, int slot, MlirValue i) {
  builder *b = l->owner->b;
  return index_cast(b, stored_array_load(l->owner, &l->arrays[slot], i), type_index(b));
}

MlirValue level_load_lanes(level *l, int slot, MlirValue i, MlirValue count, int64_t lanes) {
  builder *b = l->owner->b;
  MlirValue end = add(b, i, constant_index(b, lanes));
  MlirValue memory = stored_array_memory(l->owner, &l->arrays[slot], end);
  return load_lanes_or_first(b, memory, i, lanes, lanes_mask(b, count, lanes));
}

MlirValue level_load_masked(level *l, int slot, MlirValue i, MlirValue mask, int64_t lanes) {
  builder *b = l->owner->b;
  MlirValue end = add(b, i, constant_index(b, lanes));
  return load_lanes(b, stored_array_memory(l->owner, &l->arrays[slot], end), i, lanes, mask);
}

void level_store(level *l, int slot, MlirValue i, MlirValue value) {
  builder *b = l->owner->b;
  const stored_array *array = &l->arrays[slot];
  stored_array_store(l->owner, array, i, index_cast(b, value, array->element));
}

static int each_slot(const level *l) {
  return level_format_coordinates(l->format->format);
}

MlirValue level_load_coordinates(level *l, MlirValue place, MlirValue count, int64_t lanes) {
  return level_load_lanes(l, each_slot(l), place, count, lanes);
}

MlirValue level_length(level *l, int slot) {
  return memref_length(l->owner->b, l->arrays[slot].fixed);
}

void level_allocate(level *l, int slot, MlirValue count) {
  stored_array_allocate(l->owner, &l->arrays[slot], count);
}

void level_allocate_raw(level *l, int slot, MlirValue count) {
  l->arrays[slot].raw = true;
  stored_array_allocate(l->owner, &l->arrays[slot], count);
}

void level_reserve(level *l, int slot, MlirValue needed) {
  stored_array_reserve(l->owner, &l->arrays[slot], needed);
}

void level_reserve_raw(level *l, int slot, MlirValue needed) {
  l->arrays[slot].raw = true;
  stored_array_reserve(l->owner, &l->arrays[slot], needed);
}

void level_trim(level *l, int slot, MlirValue count) {
  stored_array_trim(l->owner, &l->arrays[slot], count);
}

MlirValue level_is_fine(level *l) {
  return storage_is_fine(l->owner);
}

unsigned level_width(const level *l, int slot) {
  return storage_array_width(l->owner->format, l->number, slot);
}

void level_must_fit(level *l, MlirValue value, unsigned bits, const char *what) {
  builder *b = l->owner->b;
  MlirType i64 = type_i(b, 64);
  const char *where =
      arena_format(l->owner->memory, "%s of '%s' at level %d", what, l->owner->name, l->number);
  MlirValue arguments[] = {index_cast(b, value, i64), constant_integer(b, i64, bits),
                           constant_text(b, where), l->owner->status};
  call(b, "lac_kernel_fits", type_i(b, 1), 4, arguments);
}

MlirValue level_all_ones(level *l, int slot) {
  unsigned width = level_width(l, slot);
  return level_constant(l, width < 64 ? (INT64_C(1) << width) - 1 : -1);
}

MlirValue level_lanes_found(level *l, MlirValue stored) {
  builder *b = l->owner->b;
  MlirType type = mlirValueGetType(stored);
  MlirValue ones = constant_integer(b, type_element(type), -1);
  return not_equal(b, stored, broadcast(b, ones, mlirShapedTypeGetDimSize(type, 0)));
}

MlirValue level_constant(level *l, int64_t x) {
  return constant_index(l->owner->b, x);
}

MlirValue level_plus_one(level *l, MlirValue x) {
  return add(l->owner->b, x, level_constant(l, 1));
}

/* low = begin; high = end; while (low + 1 < high) { middle = (low + high) / 2;
 * if (element(middle) <= key) low = middle; else high = middle; } */
MlirValue level_last_not_above(level *l, MlirValue (*element)(level *l, int which, MlirValue i),
                               int which, MlirValue key, MlirValue begin, MlirValue end) {
  builder *b = l->owner->b;
  int mark = var_mark(b);
  MlirValue one = constant_index(b, 1);
  variable low = var_make(b, begin), high = var_make(b, end);
  while_begin(b);
  while_do(b, less(b, add(b, var_get(b, low), one), var_get(b, high)));
  MlirValue middle = floor_div(b, add(b, var_get(b, low), var_get(b, high)), constant_index(b, 2));
  MlirValue right = less_equal(b, element(l, which, middle), key);
  var_set(b, low, select_value(b, right, middle, var_get(b, low)));
  var_set(b, high, select_value(b, right, var_get(b, high), middle));
  while_end(b);
  MlirValue last = var_get(b, low);
  var_release(b, mark);
  return last;
}

static void refuse_count(level *l, const char *expected, int64_t count, const char *under,
                         const char *found) {
  builder *b = l->owner->b;
  const char *message = arena_format(
      l->owner->memory,
      "expected %s%lld coordinate%s under %s parent at level %d (%s) of '%s', found %s", expected,
      (long long)count, count == 1 ? "" : "s", under, l->number, l->format->format->name,
      l->owner->name, found);
  MlirValue arguments[] = {constant_text(b, message), l->owner->status};
  call_seldom(b, "lac_kernel_refuse", (MlirType){NULL}, 2, arguments);
}

void level_refuse_more(level *l, int64_t most) {
  refuse_count(l, "at most ", most, "one", "more");
}

void level_refuse_other(level *l, int64_t count) {
  refuse_count(l, "", count, "each", "another number");
}

MlirValue level_place_of(level *l, MlirValue parent, const MlirValue *coordinates) {
  builder *b = level_builder(l);
  return add(b, mul(b, parent, level_size(l)), coordinates[level_number(l)]);
}

MlirValue level_place_count(level *l, MlirValue parent_size) {
  return level_product(l, parent_size, level_size(l));
}

MlirValue level_product(level *l, MlirValue a, MlirValue b) {
  return storage_product(l->owner, a, b);
}

void level_copy(level *l, int slot, MlirValue at, level *piece, MlirValue from, MlirValue count) {
  stored_array_copy(l->owner, &l->arrays[slot], at, piece->owner, from, count);
}

/* ---- Counters, scratch, values ------------------------------------------------------------ */

MlirValue level_get(level *l, int n) {
  return var_get(l->owner->b, l->counters[n]);
}
void level_set(level *l, int n, MlirValue value) {
  var_set(l->owner->b, l->counters[n], value);
}
bool level_can_set(const level *l, int n) {
  return var_can_set(l->owner->b, l->counters[n]);
}

void storage_take_cursors(level *l, const variable *cursors) {
  for (int n = 0; n < l->format->format->cursors; n++)
    l->counters[n] = cursors[n];
}

void level_scratch(level *l, int n, unsigned width, MlirValue count) {
  l->scratch[n] = scratch_take(l->owner, type_i(l->owner->b, width), count);
}

void level_scratch_growing(level *l, int n, unsigned width, MlirValue count) {
  l->scratch[n] = scratch_take_growing(l->owner, type_i(l->owner->b, width), count);
}

void level_scratch_grow(level *l, int n, MlirValue count) {
  scratch_grow(l->owner, &l->scratch[n], count);
}

MlirValue level_scratch_load(level *l, int n, MlirValue i) {
  builder *b = l->owner->b;
  return index_cast(b, scratch_load(l->owner, &l->scratch[n], i), type_index(b));
}

void level_scratch_store(level *l, int n, MlirValue i, MlirValue value) {
  const scratch_memory *scratch = &l->scratch[n];
  scratch_store(l->owner, scratch, i, index_cast(l->owner->b, value, scratch->element));
}

void level_scratch_raise(level *l, int n, MlirValue i, MlirValue value) {
  storage *s = l->owner;
  const scratch_memory *scratch = &l->scratch[n];
  MlirValue raised = index_cast(s->b, value, scratch->element);
  if (s->plan.apart)
    scratch_raise(s, scratch, i, raised);
  else
    scratch_store(s, scratch, i, max_i(s->b, scratch_load(s, scratch, i), raised));
}

bool level_has_lanes(const level *l) {
  return !l->owner->plan.thread;
}

MlirValue level_scratch_bits(level *l, int n, MlirValue word) {
  enum { BITS = 64 };
  builder *b = l->owner->b;
  const scratch_memory *scratch = &l->scratch[n];
  MlirValue first = mul(b, word, constant_index(b, BITS)), every = {NULL};
  MlirValue zero = broadcast(b, constant_scalar(b, scratch->element, 0), BITS);
  MlirValue elements = load_lanes(b, scratch->elements, first, BITS, every);
  store_lanes(b, zero, scratch->elements, first, every);
  return lanes_as_bits(b, not_equal(b, elements, zero));
}

MlirValue level_scratch_pointer(level *l, int n) {
  return scratch_pointer(l->owner, &l->scratch[n]);
}
void level_scratch_free(level *l, int n) {
  scratch_release(l->owner, &l->scratch[n]);
}

void level_scratch_free_clean(level *l, int n) {
  scratch_release_clean(l->owner, &l->scratch[n]);
}

/* The upper bits of the product with 2^64 / phi (Knuth, The Art of Computer Programming 3, 6.4). */
MlirValue level_hash(level *l, MlirValue coordinate) {
  builder *b = l->owner->b;
  MlirValue product = mul(b, coordinate, constant_index(b, (int64_t)0x9E3779B97F4A7C15));
  return floor_div(b, product, constant_index(b, (int64_t)1 << 32));
}

void level_move_value(level *l, MlirValue to, MlirValue from) {
  storage_store(l->owner, storage_load(l->owner, from), to);
}

void level_combine_values(level *l, MlirValue to, MlirValue from) {
  storage *s = l->owner;
  if (s->plan.combines)
    storage_accumulate(s, s->plan.combines, storage_load(s, from), to, false, s->plan.strict);
  else
    level_move_value(l, to, from);
}

void level_reset_value(level *l, MlirValue position) {
  storage_store(l->owner, storage_initial_value(l->owner), position);
}
