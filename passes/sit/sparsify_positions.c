/* sparsify_positions.c - what is known at a place in the code being made, and what follows from it.
 *
 * As soon as a coordinate is known, the levels that can locate it are located and the values whose
 * positions are complete are read: so that both stand in the outermost loop that they can.
 */
#include "sparsify_state.h"

#include <string.h>

absence absence_here(const sparsifier *p) {
  return (absence){.memory = p->memory,
                   .statement = p->s,
                   .iterators = p->now.absent,
                   .produced = p->now.produced};
}

static void *copied(arena *memory, const void *from, int count, size_t size) {
  void *copy = arena_alloc(memory, (size_t)(count + 1) * size);
  memcpy(copy, from, (size_t)count * size);
  return copy;
}

#define COPIED(field, count)                                                                       \
  p->now.field = copied(p->memory, p->now.field, count, sizeof *p->now.field)

reached_state reached_state_enter(sparsifier *p) {
  reached_state before = p->now;
  int iterators = p->s->iterators.count;
  COPIED(positions, iterators);
  COPIED(segments, iterators);
  COPIED(absent, iterators);
  COPIED(fused, iterators);
  COPIED(maybe, iterators);
  COPIED(within, iterators);
  COPIED(values, p->s->access_count);
  COPIED(produced, p->s->tensor_count);
  COPIED(placed, p->s->result->format->level_count);
  return before;
}

void reached_state_leave(sparsifier *p, reached_state before) {
  p->now = before;
}

/* ---- what is used ------------------------------------------------------------------------- */

static bool mark_used(const expression *e, void *data) {
  usage *used = data;
  if (e->kind == EXPRESSION_ACCESS) {
    used->accesses[e->access->number] = true;
    for (int k = 0; k < e->access->tensor->format->level_count; ++k)
      used->iterators[e->access->iterators[k]->number] = true;
  }
  return false;
}

usage usage_of(const sparsifier *p, const effects *all) {
  usage used = {ARENA_ARRAY(p->memory, bool, p->s->iterators.count + 1),
                ARENA_ARRAY(p->memory, bool, p->s->access_count + 1)};
  absence here = absence_here(p);
  for (int n = 0; n < all->count; ++n) {
    const expression *e = assignment_remainder(&here, all->assignments[n]);
    if (e)
      expression_any(p->s->expressions, e, mark_used, &used);
  }
  return used;
}

/* ---- positions and values ----------------------------------------------------------------- */

static MlirValue parent_position(const sparsifier *p, const iterator *i) {
  return i->parent ? p->now.positions[i->parent->number] : (MlirValue){NULL};
}

bool iterator_is_reachable(const sparsifier *p, const iterator *i) {
  return !p->now.absent[i->number] && mlirValueIsNull(p->now.positions[i->number]) &&
         (!i->parent || !mlirValueIsNull(p->now.positions[i->parent->number]));
}

segment segment_above(const sparsifier *p, const iterator *i) {
  return i->parent ? p->now.segments[i->parent->number] : (segment){SEGMENT_NONE, false};
}

segment segment_in_scratch(const sparsifier *p, const iterator *i) {
  segment above = segment_above(p, i);
  bool branches = above.branches || (above.kind != SEGMENT_NONE && !iterator_is_branchless(i));
  bool repeats = branches || !iterator_is_unique(i);
  return (segment){repeats ? SEGMENT_SCRATCH : SEGMENT_NONE, branches};
}

/* Branchless levels are chained below a run of places. */
bool segment_needs_scratch(const sparsifier *p, const iterator *i) {
  segment above = segment_above(p, i);
  bool can_chain =
      iterator_is_branchless(i) && (i->format->format->capabilities & LEVEL_POSITION_ITERATION);
  return above.kind == SEGMENT_SCRATCH || (above.kind == SEGMENT_RUN && !can_chain);
}

/* Where entries are only counted there are no workspaces in registers. */
static bool is_there(const iterator *i) {
  return !mlirValueIsNull(i->tensor->value);
}

static void locate_level(sparsifier *p, const iterator *i) {
  segment above = segment_above(p, i);
  bool padded = iterator_may_be_outside(p, i);
  MlirValue coordinate = subscript_coordinate(&i->at, p->graph, p->b);
  p->now.positions[i->number] =
      sit_locate(p->b, i->tensor->value, i->level, coordinate, parent_position(p, i),
                 above.kind != SEGMENT_NONE, padded);
  p->now.segments[i->number] = above.kind ? segment_in_scratch(p, i) : above;
  p->now.maybe[i->number] = padded || (i->parent && p->now.maybe[i->parent->number]);
  p->now.maybe_count += padded;
}

static void locate_levels(sparsifier *p, const usage *used) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (used->iterators[n] && is_there(i) && iterator_is_located(i) &&
        iterator_is_reachable(p, i) && subscript_is_known(&i->at, p->graph))
      locate_level(p, i);
  }
}

static bool is_positioned(const sparsifier *p, const tensor_read *a) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (mlirValueIsNull(p->now.positions[a->iterators[k]->number]))
      return false;
  return true;
}

static MlirValue read_there(sparsifier *p, const tensor_read *a) {
  int last = a->tensor->format->level_count - 1;
  MlirValue position = {NULL};
  if (last >= 0)
    position = p->now.positions[a->iterators[last]->number];
  MlirValue value = sit_value(p->b, a->tensor->value, position, a->tensor->format->element);
  if (a->tensor->is_taken)
    sit_store(p->b, scalar_emit(p->b, &a->tensor->fill), a->tensor->value, position);
  return padded_value(p, a, value);
}

/* The value, or what stands for it where nothing is stored. */
static MlirValue read_stored(sparsifier *p, const tensor_read *a) {
  MlirValue present = access_present(p, a);
  if (mlirValueIsNull(present))
    return read_there(p, a);
  int mark = var_mark(p->b);
  variable value = var_make(p->b, padding_value(p, a));
  if_begin(p->b, present);
  var_set(p->b, value, read_there(p, a));
  if_end(p->b);
  MlirValue read = var_get(p->b, value);
  var_release(p->b, mark);
  return read;
}

static bool is_variable(const tensor *t) {
  return t->role == TENSOR_WORKSPACE && t->format->order == 0;
}

static void read_values(sparsifier *p, const usage *used) {
  for (int n = 0; n < p->s->access_count; ++n) {
    const tensor_read *a = p->s->accesses[n];
    if (used->accesses[n] && mlirValueIsNull(p->now.values[n]) && !is_variable(a->tensor) &&
        is_positioned(p, a))
      p->now.values[n] = read_stored(p, a);
  }
}

void settle(sparsifier *p, const effects *all) {
  usage used = usage_of(p, all);
  locate_levels(p, &used);
  if (!p->counting || p->drops)
    read_values(p, &used);
}

/* ---- expressions -------------------------------------------------------------------------- */

/* One expression being emitted. */
typedef struct emission {
  sparsifier *p;
  presences *told;
} emission;

static MlirValue read_access(void *data, const tensor_read *a) {
  sparsifier *p = ((emission *)data)->p;
  if (is_variable(a->tensor))
    return sit_get(p->b, a->tensor->value);
  if (mlirValueIsNull(p->now.values[a->number]))
    error_at(a->op,
             "expected foralls over all index variables that subscript %s around the statement",
             a->tensor->name);
  return p->now.values[a->number];
}

static MlirValue read_padding(void *data, const tensor_read *a) {
  return padding_value(((emission *)data)->p, a);
}

static MlirValue read_scalar(void *data, const tensor *t) {
  (void)data;
  return t->value;
}

static bool is_absent(const sparsifier *p, const tensor_read *a) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (p->now.absent[a->iterators[k]->number])
      return true;
  return false;
}

static MlirValue is_stored(void *data, const tensor_read *a) {
  sparsifier *p = ((emission *)data)->p;
  if (is_absent(p, a))
    return constant_bool(p->b, false);
  MlirValue present = access_present(p, a);
  return mlirValueIsNull(present) ? constant_bool(p->b, true) : present;
}

static MlirValue choose(void *data, const expression *e, const MlirValue *operands,
                        MlirValue value) {
  return value_where_present(((emission *)data)->told, e, operands, value);
}

MlirValue emit_expression(sparsifier *p, const expression *e) {
  emission m = {p, p->now.maybe_count ? presences_begin(p) : NULL};
  expression_reader reader = {&m,          read_access, read_padding,
                              read_scalar, is_stored,   m.told ? choose : NULL};
  return expression_emit(p->s->expressions, p->b, e, &reader);
}
