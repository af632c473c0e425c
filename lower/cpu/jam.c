/* jam.c - several iterations of a loop over coordinates at once, through loops inside that are the
 * same for all of them: what those read is read once, and each has sums of its own in registers.
 *
 *     for o in 0..n-1                     for o = 0; o + 4 <= n; o += 4
 *       for x in 0..m-1 on lanes            for x in 0..m-1 on lanes
 *         t = 0                               t0 = t1 = t2 = t3 = 0
 *         for c in 0..l-1          -->        for c in 0..l-1
 *           t = t + W[o, c] * X[c, x]           t0 = t0 + W[o, c] * X[c, x]
 *         Y[o, x] = t                           t1 = t1 + W[o + 1, c] * X[c, x]
 *                                               ...
 *                                             Y[o, x] = t0; Y[o + 1, x] = t1; ...
 *                                         for what is left of o: as before
 *
 * Loops inside may be clipped, as padded subscripts clip them: iterations of which the bounds are
 * the same go at once, those at the borders one by one.
 *
 * ("Unroll and jam": Allen and Cocke 1972.)  A sum of an iteration is added up in the same order as
 * before.
 */
#include "coiterate.h"
#include "strategy.h"

#include "cin.h"
#include "ir.h"
#include "sit.h"
#include "value_map.h"

/* With so many registers of 512 bits, and of others, for sums; operations inside that are not too
 * much code. */
enum { WIDE_BITS = 512, AT_ONCE_WIDE = 4, AT_ONCE = 2, AT_ONCE_MOST = 16, OPERATIONS_MOST = 96 };

/*--- What depends on a coordinate --------------------------------------------------------------*/

/* Values that differ between iterations. */
static void add_value(value_map *values, MlirValue value) {
  value_map_set(values, value, value);
}

static bool has_value(const value_map *values, MlirValue value) {
  return value_map_place(values, value) >= 0;
}

static bool uses_any(const value_map *values, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (has_value(values, mlirOperationGetOperand(op, i)))
      return true;
  return false;
}

/* Whether there is one for each iteration of what an operation makes or does. */
static bool is_own(const value_map *values, MlirOperation op) {
  return sit_is_var(op) || (!mlirOperationGetNumRegions(op) && uses_any(values, op));
}

static bool follow(MlirOperation op, void *data) {
  if (is_own(data, op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      add_value(data, mlirOperationGetResult(op, i));
  return true;
}

static MlirValue coordinate_of(MlirOperation loop) {
  return mlirBlockGetArgument(sit_coiterate_case_body(loop, 0), 0);
}

/* What differs between iterations of a loop; its variables do. */
static value_map that_differ(arena *memory, MlirOperation loop) {
  value_map all = {.memory = memory};
  add_value(&all, coordinate_of(loop));
  visit_below(loop, follow, &all);
  return all;
}

/*--- Whether iterations can be jammed ----------------------------------------------------------*/

typedef struct looking {
  walked_kernel *k;
  MlirOperation loop;
  const value_map *differing;
  int operations;
} looking;

static bool is_computed(MlirOperation op) {
  return op_name_begins(op, "arith.") || op_name_begins(op, "math.") ||
         op_name_begins(op, "complex.");
}

static bool is_read(MlirOperation op) {
  return sit_is_extent(op) || sit_is_locate(op) || sit_is_value(op) || sit_is_present(op) ||
         sit_is_positions(op) || sit_is_coordinate(op);
}

static bool is_made_around(MlirValue value, void *data) {
  return !value_is_made_in(*(MlirOperation *)data, value);
}

/* The coordinate of the loop too, and how far a dimension goes. */
static bool is_known_ahead(MlirValue value, void *data) {
  MlirOperation loop = *(MlirOperation *)data, op = value_owner(value);
  return is_made_around(value, data) || mlirValueEqual(value, coordinate_of(loop)) ||
         (op.ptr && sit_is_extent(op));
}

/* Whether a value in a loop is computed of such: of what is made around, it is the same wherever it
 * stands. */
static bool is_computed_of(arena *memory, MlirOperation loop, MlirValue value,
                           bool (*is_leaf)(MlirValue value, void *loop)) {
  value_list all = values_in_order(memory, value, is_leaf, &loop);
  for (int i = 0; i < all.count; i++) {
    MlirOperation op = value_owner(all.values[i]);
    if (!is_leaf(all.values[i], &loop) && !(op.ptr && is_computed(op)))
      return false;
  }
  return true;
}

/* Those of a loop inside that differ between iterations: two at most. */
static int clipped_bounds(const value_map *differing, MlirOperation loop, MlirValue bounds[2]) {
  MlirValue both[] = {sit_coiterate_lower(loop), sit_coiterate_upper(loop)};
  int count = 0;
  for (int i = 0; i < 2; i++)
    if (both[i].ptr && has_value(differing, both[i]))
      bounds[count++] = both[i];
  return count;
}

/* Whether a loop over coordinates, within bounds that may differ, is else the same. */
static bool is_clipped(const looking *l, MlirOperation loop) {
  MlirValue bounds[2];
  intptr_t differing = 0;
  if (!sit_is_coiterate(loop) || sit_coiterate_count(loop))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); i++)
    differing += has_value(l->differing, mlirOperationGetOperand(loop, i));
  int count = clipped_bounds(l->differing, loop, bounds);
  for (int i = 0; i < count; i++)
    if (!is_computed_of(l->k->memory, l->loop, bounds[i], is_known_ahead))
      return false;
  return count == differing;
}

/* The same loop, or branch, in all iterations, or in those whose bounds are the same. */
static bool is_shared(const looking *l, MlirOperation op) {
  cin_unit unit = sit_is_coiterate(op) ? cin_op_unit(op) : CIN_SERIAL;
  return (!uses_any(l->differing, op) || is_clipped(l, op)) && !mlirOperationGetNumResults(op) &&
         (unit == CIN_SERIAL || unit == CIN_CPU_VECTOR);
}

/* The coordinate of the loop, or that and what is fixed in it: no two iterations have one. */
static bool tells_iterations_apart(const looking *l, MlirValue coordinate) {
  MlirOperation sum = value_owner(coordinate);
  if (mlirValueEqual(coordinate, coordinate_of(l->loop)))
    return true;
  if (!sum.ptr || !op_is(sum, "arith.addi"))
    return false;
  for (intptr_t i = 0; i < 2; i++)
    if (mlirValueEqual(mlirOperationGetOperand(sum, i), coordinate_of(l->loop)))
      return is_computed_of(l->k->memory, l->loop, mlirOperationGetOperand(sum, 1 - i),
                            is_made_around);
  return false;
}

/* Into a level where each coordinate has its place. */
static bool is_inserted(looking *l, MlirOperation op) {
  const tensor_format *format = walked_format_of(l->k, sit_op_tensor(op));
  MlirValue coordinate = sit_op_coordinate(op);
  return format && format->levels[sit_op_level(op)].format->properties & LEVEL_FULL &&
         (!has_value(l->differing, coordinate) || tells_iterations_apart(l, coordinate));
}

/* To a place that only one iteration comes to: that of what it inserts. */
static bool is_written(const looking *l, MlirOperation op) {
  MlirValue position = sit_op_position(op);
  bool is_atomic = sit_is_accumulate(op) && sit_accumulate_is_atomic(op);
  return position.ptr && sit_is_insert(value_owner(position)) &&
         has_value(l->differing, position) && !is_atomic;
}

static bool can_be_jammed(MlirOperation op, void *data) {
  looking *l = data;
  if (++l->operations > OPERATIONS_MOST)
    return false;
  if (sit_is_coiterate(op) || op_is(op, "scf.if"))
    return is_shared(l, op);
  if (sit_is_get(op) || sit_is_set(op))
    return value_is_made_in(l->loop, sit_op_var(op));
  if (sit_is_var(op))
    return sit_var_kind(op) == TIN_NO_REDUCTION;
  if (sit_is_insert(op))
    return is_inserted(l, op);
  if (sit_is_store(op) || sit_is_accumulate(op))
    return is_written(l, op);
  return is_read(op) || is_computed(op) || op_is(op, "scf.yield");
}

static bool reads_another(MlirOperation op, void *data) {
  return !sit_is_value(op) || !mlirValueEqual(sit_op_tensor(op), *(MlirValue *)data);
}

/* What an operation of a loop writes is not read in it. */
static bool writes_unread(MlirOperation op, void *data) {
  MlirOperation loop = *(MlirOperation *)data;
  if (!sit_is_store(op) && !sit_is_accumulate(op))
    return true;
  MlirValue tensor = sit_op_tensor(op);
  return visit_below(loop, reads_another, &tensor);
}

/* Whether a loop counts coordinates, each of which could have its iteration among those of others:
 * inside are loops that are the same for all, and what each writes no other comes to. */
static bool may_be_jammed(walked_kernel *k, MlirOperation loop, const value_map *differing) {
  looking l = {.k = k, .loop = loop, .differing = differing};
  return !sit_coiterate_count(loop) && sit_coiterate_case_count(loop) == 1 &&
         cin_op_unit(loop) == CIN_SERIAL && !sit_coiterate_is_unrolled(loop) &&
         visit_below(loop, can_be_jammed, &l) && l.operations > 0 &&
         visit_below(loop, writes_unread, &loop);
}

/*--- Whether it is worth it --------------------------------------------------------------------*/

/* The one loop directly inside of a loop; null where there is another number of them. */
static MlirOperation only_loop_in(MlirOperation loop) {
  MlirOperation found = {NULL};
  for (OPERATIONS(op, sit_coiterate_case_body(loop, 0))) {
    if (!sit_is_coiterate(op))
      continue;
    if (found.ptr || sit_coiterate_case_count(op) != 1)
      return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

/* The loop on lanes that is all there is in a loop, or in the one inside of it, and so on. */
static MlirOperation lanes_in_loop(MlirOperation loop) {
  do
    loop = only_loop_in(loop);
  while (loop.ptr && cin_op_unit(loop) != CIN_CPU_VECTOR);
  return loop;
}

typedef struct sharing {
  MlirOperation lanes;
  value_map differing, along; /* between iterations; along lanes */
  bool found;
} sharing;

/* What is read in a loop inside of that on lanes, along these, for all iterations. */
static bool look_for_shared(MlirOperation op, void *data) {
  sharing *s = data;
  MlirOperation inside = mlirOperationGetParentOperation(op);
  s->found |= sit_is_value(op) && !mlirOperationEqual(inside, s->lanes) &&
              has_value(&s->along, sit_op_position(op)) &&
              !has_value(&s->differing, sit_op_position(op));
  return true;
}

static bool shares_vectors(walked_kernel *k, MlirOperation loop) {
  sharing s = {.lanes = lanes_in_loop(loop)};
  if (!s.lanes.ptr)
    return false;
  s.differing = that_differ(k->memory, loop);
  if (!may_be_jammed(k, loop, &s.differing))
    return false;
  s.along = that_differ(k->memory, s.lanes);
  visit_below(s.lanes, look_for_shared, &s);
  return s.found;
}

/* The iterations of no loop further inside should be jammed instead. */
static bool is_innermost(walked_kernel *k, MlirOperation loop) {
  for (loop = only_loop_in(loop); cin_op_unit(loop) != CIN_CPU_VECTOR; loop = only_loop_in(loop))
    if (shares_vectors(k, loop))
      return false;
  return true;
}

/* As many as there are, where those are few. */
static int64_t at_once(const walked *w) {
  int64_t most = w->k->vector_bits >= WIDE_BITS ? AT_ONCE_WIDE : AT_ONCE, extent;
  MlirValue all = sit_coiterate_extent(w->op);
  bool is_known = all.ptr && !w->bounded && value_is_constant_index(all, &extent);
  return is_known && extent < most ? extent : most;
}

static bool choose(const walked *w, int64_t *number) {
  if (w->level_count || w->case_count != 1 || w->parallel || w->on_lanes || w->in_lanes || w->point)
    return false;
  *number = at_once(w);
  return *number > 1 && shares_vectors(w->k, w->op) && is_innermost(w->k, w->op);
}

/*--- Code --------------------------------------------------------------------------------------*/

/* What is made for each iteration but the first: what stands there for which value. */
typedef struct copies {
  int64_t count;
  value_map *made;
} copies;

static MlirOperation another(const value_map *made, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue other = value_map_get(made, mlirOperationGetOperand(op, i));
    if (other.ptr)
      mlirOperationSetOperand(copy, i, other);
  }
  return copy;
}

static void copy_operation(const copies *c, MlirOperation op) {
  MlirOperation last = op;
  for (int64_t i = 0; i < c->count; i++) {
    MlirOperation copy = another(&c->made[i], op);
    mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), last, copy);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
      value_map_set(&c->made[i], mlirOperationGetResult(op, r), mlirOperationGetResult(copy, r));
    last = copy;
  }
}

/* From an operation on, in its block. */
static void jam_operations(const copies *c, MlirOperation op) {
  for (MlirOperation next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      if (op_block(op, r).ptr)
        jam_operations(c, mlirBlockGetFirstOperation(op_block(op, r)));
    if (is_own(&c->made[0], op))
      copy_operation(c, op);
  }
}

/* Makes the loop one of so many iterations at once: its coordinate is that of the first. */
static void jam(arena *memory, MlirOperation loop, int64_t iterations) {
  copies all = {iterations - 1, ARENA_ARRAY(memory, value_map, iterations)};
  MlirOperation first = mlirBlockGetFirstOperation(sit_coiterate_case_body(loop, 0));
  MlirValue coordinate = coordinate_of(loop);
  builder *b = builder_create(mlirOperationGetContext(loop), mlirOperationGetLocation(loop));
  builder_before(b, first);
  for (int64_t i = 0; i < all.count; i++) {
    all.made[i] = (value_map){.memory = memory};
    value_map_set(&all.made[i], coordinate, add(b, coordinate, constant_index(b, i + 1)));
  }
  builder_free(b);
  jam_operations(&all, first);
}

bool is_jammed(const coiteration *c) {
  int64_t number = strategy_number(c->op, &jam_strategy);
  bool is_plain = !c->level_count && !c->parallel && !c->on_lanes && !c->visit && !c->all_low.ptr;
  if (!is_plain || c->k->lanes || number <= 1 || number > AT_ONCE_MOST)
    return false;
  value_map differing = that_differ(c->k->memory, c->op);
  return may_be_jammed(c->k->walked, c->op, &differing);
}

/* Whether nothing is left of a loop, as far as that is known. */
static bool is_divided(MlirValue begin, MlirValue end, int64_t number) {
  int64_t first, last;
  return value_is_constant_index(begin, &first) && value_is_constant_index(end, &last) &&
         (last - first) % number == 0;
}

/*--- Bounds ------------------------------------------------------------------------------------*/

typedef struct bound_list {
  value_map differing, bounds;
} bound_list;

static bool add_bounds(MlirOperation op, void *data) {
  bound_list *list = data;
  MlirValue bounds[2];
  int count = sit_is_coiterate(op) ? clipped_bounds(&list->differing, op, bounds) : 0;
  for (int i = 0; i < count; i++)
    if (!has_value(&list->bounds, bounds[i]))
      add_value(&list->bounds, bounds[i]);
  return true;
}

/* Those of the loops inside that differ between iterations. */
static value_map bounds_inside(const coiteration *c) {
  arena *memory = c->k->memory;
  bound_list list = {that_differ(memory, c->op), {.memory = memory}};
  visit_below(c->op, add_bounds, &list);
  return list.bounds;
}

/* What the bounds are at a coordinate, in an array. */
static MlirValue *bounds_at(coiteration *c, const value_map *bounds, MlirValue coordinate) {
  MlirValue *all = ARENA_ARRAY(c->k->memory, MlirValue, bounds->count + 1);
  coiteration_bind(c, 0, coordinate, NULL);
  for (int i = 0; i < bounds->count; i++)
    all[i] = lowering_ahead(c->k, c->op, bounds->from[i]);
  return all;
}

/* Whether so many iterations from a coordinate on are below `end`, with the same bounds inside. */
static MlirValue are_alike(coiteration *c, const value_map *bounds, MlirValue coordinate,
                           int64_t iterations, MlirValue end) {
  builder *b = c->k->b;
  MlirValue last = add(b, coordinate, constant_index(b, iterations - 1)),
            alike = less(b, last, end);
  MlirValue *first = bounds_at(c, bounds, coordinate);
  for (int64_t n = 1; n < iterations; n++) {
    MlirValue *others = bounds_at(c, bounds, add(b, coordinate, constant_index(b, n)));
    for (int i = 0; i < bounds->count; i++)
      alike = and_i(b, alike, equal(b, first[i], others[i]));
  }
  return alike;
}

/*--- The loop ----------------------------------------------------------------------------------*/

/* The iterations [at, at + count) of a loop that goes through so many at once. */
static bool iterations(coiteration *c, variable at, int64_t count) {
  builder *b = c->k->b;
  MlirValue step = constant_index(b, count), begin = var_get(b, at), end = add(b, begin, step);
  bool good = coiteration_strided_loop(c, begin, end, step);
  var_set(b, at, end);
  return good;
}

/* Those whose bounds are the same at once, others one by one. */
static bool clipped_loop(coiteration *c, coiteration *several, const value_map *bounds,
                         MlirValue begin, MlirValue end) {
  builder *b = c->k->b;
  int64_t number = strategy_number(c->op, &jam_strategy);
  int mark = var_mark(b);
  variable at = var_make(b, begin);
  while_begin(b);
  while_do(b, less(b, var_get(b, at), end));
  if_begin(b, are_alike(c, bounds, var_get(b, at), number, end));
  bool good = iterations(several, at, number);
  if_else(b);
  good = iterations(c, at, 1) && good;
  if_end(b);
  while_end(b);
  var_release(b, mark);
  return good;
}

/* As many as there are of that number, and what is left one by one. */
static bool whole_loop(coiteration *c, coiteration *several, MlirValue begin, MlirValue end) {
  builder *b = c->k->b;
  int64_t number = strategy_number(c->op, &jam_strategy);
  bool all = is_divided(begin, end, number);
  end = max_i(b, begin, end);
  MlirValue rest = end_of_wholes(b, begin, end, number);
  bool good = coiteration_strided_loop(several, begin, rest, constant_index(b, number));
  return good && (all || coiteration_strided_loop(c, rest, end, constant_index(b, 1)));
}

bool jammed_loop(coiteration *c, MlirValue begin, MlirValue end) {
  value_map bounds = bounds_inside(c);
  coiteration several = *c;
  several.op = mlirOperationClone(c->op);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(c->op), c->op, several.op);
  jam(c->k->memory, several.op, strategy_number(c->op, &jam_strategy));
  bool good = bounds.count ? clipped_loop(c, &several, &bounds, begin, end)
                           : whole_loop(c, &several, begin, end);
  mlirOperationDestroy(several.op);
  return good;
}

const strategy jam_strategy = {
    .name = "jam",
    .words = "goes through the loops inside for several iterations at once",
    .choose = choose,
    .has_number = true,
};
