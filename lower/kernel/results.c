/* results.c - results and workspaces: made, built level by level, completed. */
#include "building.h"
#include "gpu_loop.h"
#include "gpu_scope.h"
#include "gpu_scratch.h"
#include "ir.h"
#include "kernel.h"
#include "kernel_state.h"
#include "lanes.h"
#include "op_list.h"
#include "parents.h"
#include "row_cut.h"
#include "shared_reduction.h"
#include "sit.h"
#include "strategy.h"
#include "structure.h"
#include "told.h"
#include "visits.h"

#include <mlir-c/BuiltinTypes.h>

static storage *tensor_of(lowering *k, MlirOperation op) {
  return lowering_storage(k, sit_op_tensor(op));
}

static const MlirValue *dimensions_of(lowering *k, MlirOperation op) {
  intptr_t count = sit_op_dimension_count(op);
  MlirValue *dimensions = ARENA_ARRAY(k->memory, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; i++)
    dimensions[i] = lowering_scalar(k, sit_op_dimension(op, i));
  return dimensions;
}

/* Whether something else happens to an appended or placed position's value than that it is stored,
 * in the block where it is appended. */
typedef struct appended_values {
  MlirValue tensor;
  int last;
  bool stored;
} appended_values;

static bool is_stored(MlirOperation append) {
  MlirValue position = mlirOperationGetResult(append, 0);
  for (MlirOperation op = append; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (sit_is_store(op) && mlirValueEqual(sit_op_position(op), position))
      return true;
  return false;
}

static bool visit_values(MlirOperation op, void *data) {
  appended_values *v = data;
  v->stored &= !sit_op_reads_value(op, v->tensor);
  bool makes = sit_is_append(op) || sit_is_place(op);
  if (makes && mlirValueEqual(sit_op_tensor(op), v->tensor) && (int)sit_op_level(op) == v->last)
    v->stored &= is_stored(op);
  return v->stored;
}

/* Values that are appended, each stored as soon as it is there. */
static bool values_are_stored(lowering *k, MlirValue tensor) {
  storage *s = lowering_storage(k, tensor);
  int last = storage_format(s)->level_count - 1;
  appended_values v = {tensor, last, true};
  return last >= 0 && storage_level_format(s, last)->capabilities & LEVEL_APPEND &&
         visit_below(k->op, visit_values, &v);
}

/* What is done with entries of the result that come again. */
typedef struct combination {
  MlirValue tensor;
  tin_reduction kind;
} combination;

static bool visit_combined(MlirOperation op, void *data) {
  combination *c = data;
  if (sit_is_accumulate(op) && mlirValueEqual(sit_op_tensor(op), c->tensor))
    c->kind = sit_accumulate_kind(op);
  return true;
}

static tin_reduction combination_of(lowering *k, MlirValue tensor) {
  combination c = {.tensor = tensor};
  visit_below(k->op, visit_combined, &c);
  return c.kind;
}

/* The operand whose levels the result has: sit.copied has its positions. */
typedef struct copied_levels {
  MlirValue tensor, source;
} copied_levels;

static bool visit_copied(MlirOperation op, void *data) {
  copied_levels *c = data;
  if (sit_is_copied(op) && mlirValueEqual(sit_op_tensor(op), c->tensor))
    c->source = sit_copied_source(op);
  return mlirValueIsNull(c->source);
}

static bool plan_copy(lowering *k, MlirOperation result, building_plan *p) {
  copied_levels c = {.tensor = sit_op_tensor(result)};
  visit_below(k->op, visit_copied, &c);
  if (mlirValueIsNull(c.source) || !lowering_is_operand(k, c.source))
    return error_at(result, "expected positions of the result that are copied from an operand's "
                            "(sit.copied), found none");
  storage *source = lowering_storage(k, c.source);
  int count = tensor_format_copied_levels(storage_format(tensor_of(k, result)));
  MlirValue *copied = ARENA_ARRAY(k->memory, MlirValue, count);
  for (int l = 0; l < count; l++)
    copied[l] = positions_above(source, l + 1);
  p->source = source;
  p->copied = copied;
  p->stored = sit_result_is_stored(result);
  return true;
}

static bool is_streaming(MlirOperation op) {
  return sit_is_coiterate(op) && strategy_is_taken(op, &stream_strategy);
}

static building_plan plan_of(lowering *k, MlirOperation result) {
  bool stored = sit_result_is_stored(result);
  building_plan p = {.initial = stored ? (MlirAttribute){NULL} : sit_result_initial(result),
                     .way = CIN_APPEND,
                     .stored = stored || values_are_stored(k, sit_op_tensor(result)),
                     .streams = ops_below(k->memory, k->op, is_streaming).count > 0,
                     .threads = k->threads,
                     .runs_on_threads = ops_below(k->memory, k->op, walked_on_threads).count > 0,
                     .combines = combination_of(k, sit_op_tensor(result)),
                     .strict = k->strict,
                     .deterministic = k->deterministic};
  cin_op_assembly(result, &p.way);
  return p;
}

static bool plan_fits(MlirOperation op, const building_plan *p, const tensor_format *format) {
  int unfit = building_plan_unfit(format, p);
  return unfit < 0 ||
         error_at(op, "level %d (%s) of the result is not supported without counts of its entries",
                  unfit, format->levels[unfit].format->name);
}

/* ---- Loops on threads --------------------------------------------------------------------- */

typedef struct search {
  op_kind *kind;
  MlirValue tensor;
  bool found;
} search;

static bool visit_found(MlirOperation op, void *data) {
  search *s = data;
  s->found |= s->kind(op) && mlirValueEqual(sit_op_tensor(op), s->tensor);
  return !s->found;
}

static bool is_dealt_out(MlirOperation loop) {
  return cin_op_unit(loop) == CIN_CPU_THREAD || gpu_launches(loop);
}

/* The first loop on threads of the kernel's own block with such an operation on the tensor; null
 * for none. */
static MlirOperation loop_on_threads(const lowering *k, MlirValue tensor, op_kind *kind) {
  MlirOperation none = {NULL};
  for (OPERATIONS(op, op_block(k->op, 0))) {
    search s = {kind, tensor, false};
    if (sit_is_coiterate(op) && is_dealt_out(op))
      visit_below(op, visit_found, &s);
    if (s.found)
      return op;
  }
  return none;
}

static bool can_be_joined(MlirOperation op, const tensor_format *format) {
  int level = tensor_format_unjoined_level(format);
  return level < 0 ||
         error_at(op,
                  "'sit.append' cannot be lowered in a parallel loop: level %d (%s) is not joined",
                  level, format->levels[level].format->name);
}

/* Whether what an operand tells is not enough to know where entries go. */
static bool counts_apart(const tensor_format *format) {
  bool counts = false;
  for (int k = 0; k < format->level_count; k++)
    counts |= format->levels[k].format->counts;
  return counts;
}

static bool can_be_counted(MlirOperation op, const tensor_format *format) {
  int level = tensor_format_uncounted_level(format);
  return level < 0 ||
         error_at(op, "'sit.append' cannot be lowered on a GPU: level %d (%s) is not counted first",
                  level, format->levels[level].format->name);
}

static bool can_be_at_once(MlirOperation op, const building_plan *p, const tensor_format *format) {
  return (p->way == CIN_SCATTER && tensor_format_scatters_at_once(format)) ||
         error_at(op, "'sit.count' cannot be lowered on a GPU: expected rows that are scattered "
                      "into, with nothing below them");
}

static bool can_be_apart(MlirOperation op, const building_plan *p, const tensor_format *format) {
  bool can = p->way == CIN_COLLECT &&
             (tensor_format_collects_apart(format) || tensor_format_collects_together(format));
  return can || !sit_result_is_apart(op) ||
         error_at(op, "'sit.result' expected a result that threads can collect at once, as it is "
                      "'apart'");
}

/* What becomes of the result in a loop on threads, and what that knows of the loop. */
static bool choose_role(lowering *k, MlirOperation op, building_plan *p) {
  MlirValue tensor = sit_op_tensor(op);
  const tensor_format *format = storage_format(tensor_of(k, op));
  k->appends = loop_on_threads(k, tensor, sit_is_append);
  if (!mlirOperationIsNull(k->appends) && gpu_launches(k->appends)) {
    p->role = STORAGE_COUNTED;
    return can_be_counted(op, format);
  }
  if (!mlirOperationIsNull(k->appends)) {
    p->role = !counts_apart(format) && told_levels(k, k->appends, &k->told) ? STORAGE_TOLD
                                                                            : STORAGE_JOINED;
    return can_be_joined(op, format);
  }
  MlirOperation counts = loop_on_threads(k, tensor, sit_is_count);
  if (!mlirOperationIsNull(counts) && gpu_launches(counts)) {
    p->role = STORAGE_AT_ONCE;
    return can_be_at_once(op, p, format);
  }
  p->apart = sit_result_is_apart(op) && !mlirOperationIsNull(counts);
  k->counts = p->apart || tensor_format_builds_in_shares(format, p->way) ? counts : k->appends;
  p->role = mlirOperationIsNull(k->counts) ? STORAGE_WHOLE : STORAGE_SHARED;
  return true;
}

static bool is_joined(const storage *s) {
  return storage_role_of(s) == STORAGE_JOINED;
}

/* What goes into a result that is joined goes into pieces of it. */
static bool need_piece(MlirOperation op, const storage *s) {
  return !is_joined(s) ||
         error_at(op,
                  "'%.*s' expected in the one parallel loop that appends to the result, which goes "
                  "over the coordinates of its first level",
                  TEXT(op_name(op)));
}

/* ---- Results ------------------------------------------------------------------------------ */

bool lower_result(lowering *k, MlirOperation op) {
  if (k->own->agree.ptr == NULL)
    return error_at(op, "'sit.result' expected once, in the kernel's own block");
  lower_rest_under(k, k->own->agree, NULL);
  k->own->agree = (MlirValue){NULL};
  storage *s = tensor_of(k, op);
  building_plan p = plan_of(k, op);
  if ((p.way == CIN_COPY && !plan_copy(k, op, &p)) || !plan_fits(op, &p, storage_format(s)) ||
      !can_be_apart(op, &p, storage_format(s)) || !choose_role(k, op, &p))
    return false;
  if (p.role == STORAGE_SHARED)
    expect_visits(k, k->counts);
  MlirValue begun = storage_begin(s, dimensions_of(k, op), &p);
  begun = result_is_worthwhile(k, sit_op_tensor(op), begun);
  lower_rest_counting(k, begun, s);
  lowered made = *lowering_find(k, sit_op_tensor(op));
  made.ready = true;
  lowering_bind(k, sit_op_tensor(op), made);
  return true;
}

bool lower_finish(lowering *k, MlirOperation op) {
  storage_finish(tensor_of(k, op));
  return true;
}

static bool gather_by_threads(lowering *k, MlirOperation op, const tensor_format *format,
                              const building_plan *p) {
  MlirValue begun;
  storage *s = storage_gather_by_threads(k->memory, k->b, format, k->status, dimensions_of(k, op),
                                         p, &begun);
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.tensor = s, .ready = true});
  lower_rest_under(k, begun, s);
  return true;
}

/* Whether it is cleared behind the operation: in its block, or that of one around it that stands in
 * the workspace's own block or below. */
static bool is_cleared_behind(MlirOperation op, MlirOperation workspace) {
  MlirValue tensor = mlirOperationGetResult(workspace, 0);
  MlirBlock own = mlirOperationGetBlock(workspace);
  while (!sit_is_cleared_behind(op, tensor) && !mlirBlockEqual(mlirOperationGetBlock(op), own))
    op = mlirOperationGetParentOperation(op);
  return sit_is_cleared_behind(op, tensor);
}

static bool is_left_cleared(MlirOperation workspace) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(workspace, 0));
  while (!mlirOpOperandIsNull(use) && is_cleared_behind(mlirOpOperandGetOwner(use), workspace))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

bool lower_workspace(lowering *k, MlirOperation op) {
  MlirValue tensor = mlirOperationGetResult(op, 0);
  const lowered *made = lowering_find(k, tensor);
  if (made && made->hoisted)
    return true;
  const tensor_format *format =
      tensor_format_get(k->memory, mlirValueGetType(tensor), mlirOperationGetLocation(op));
  if (!format)
    return false;
  bool structure = k->counting && structure_is_all(k, op);
  const building_plan p = {.initial = sit_workspace_identity(op),
                           .combines = combination_of(k, tensor),
                           .strict = k->strict,
                           .structure = structure,
                           .any_order = structure && structure_is_walked_alone(op),
                           .cleared = is_left_cleared(op),
                           .thread = gpu_thread(k)};
  if (shared_workspace_is_gathered(op, format))
    return gather_by_threads(k, op, format, &p);
  storage *s = storage_make(k->memory, k->b, format, "workspace", (MlirValue){NULL}, k->status);
  lowering_bind(k, tensor, (lowered){.tensor = s, .ready = true});
  bool is_small = mlirShapedTypeHasStaticShape(mlirValueGetType(tensor)) && !p.thread;
  MlirValue begun = storage_workspace_begin(s, dimensions_of(k, op), &p, is_small);
  if (!mlirValueIsNull(begun))
    lower_rest_under(k, begun, s);
  return true;
}

static bool can(MlirOperation op, storage *s, int l, unsigned capability, const char *what) {
  const level_format *format = storage_level_format(s, l);
  return format->capabilities & capability
             ? true
             : error_at(op, "'%.*s' expected a level that can %s, found level %d '%s'",
                        TEXT(op_name(op)), what, l, format->name);
}

/* Whether entries of level l are placed by operations `placer`. */
static bool placed_by(MlirOperation op, const storage *s, int l, op_kind *placer,
                      const char *what) {
  const building *way = storage_building(s, l);
  if (!way)
    return error_at(op, "'%.*s' expected a result or a workspace, found an operand",
                    TEXT(op_name(op)));
  return way->placed_by == placer
             ? true
             : error_at(op, "'%.*s' expected a level that is %s, found that level %d is %s",
                        TEXT(op_name(op)), what, l, way->name);
}

static bool need_inserted(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  return can(op, s, l, LEVEL_INSERT, "insert") &&
         placed_by(op, s, l, sit_is_insert, "inserted into");
}

static bool need_appended(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  return can(op, s, l, LEVEL_APPEND, "append") && placed_by(op, s, l, sit_is_append, "appended to");
}

static bool place(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  lowered parent = lowering_position(k, sit_op_parent(op));
  const lowered *coordinate = lowering_find(k, sit_op_coordinate(op));
  bool each = coordinate->lanes == LANES_EACH;
  MlirValue first = each ? constant_index(k->b, 0) : lowering_scalar(k, sit_op_coordinate(op));
  lowered position = {.coordinates = lowering_coordinates(k, &parent, l, first)};
  position.lanes =
      lane_kind_located(storage_level_format(s, l)->properties, parent.lanes, coordinate->lanes);
  position.value =
      storage_building(s, l)->place(storage_level(s, l), parent.value, position.coordinates);
  lanes_tell(k, op, &position);
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

/* Entries of it have numbers, and nothing is stored. */
static bool only_counts(const storage *s) {
  return storage_role_of(s) == STORAGE_COUNTS;
}

static bool count_entry(lowering *k, MlirOperation op, MlirValue number) {
  lowered parent = lowering_position(k, sit_op_parent(op));
  MlirValue coordinate = lowering_scalar(k, sit_op_coordinate(op));
  lowered position = {.value = number};
  position.coordinates = lowering_coordinates(k, &parent, (int)sit_op_level(op), coordinate);
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

bool lower_insert(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  if (!need_inserted(k, op) || !need_piece(op, s))
    return false;
  return only_counts(s) ? count_entry(k, op, constant_index(k->b, 0)) : place(k, op);
}

/* The operand's position, with its lanes; it is one. */
bool lower_copied(lowering *k, MlirOperation op) {
  lowered position = lowering_position(k, sit_op_position(op));
  if (position.last.ptr)
    return error_at(op, "'sit.copied' expected one position, found a segment of several");
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

bool lower_append(lowering *k, MlirOperation op) {
  if (!need_appended(k, op))
    return false;
  storage *s = tensor_of(k, op);
  storage_role role = storage_role_of(s);
  if (only_counts(s))
    return count_entry(k, op, storage_count_entry(s, (int)sit_op_level(op)));
  if (k->parallel_mark && role != STORAGE_PIECE && role != STORAGE_JOINED)
    return error_at(op, "'sit.append' cannot be lowered in a parallel loop");
  return need_piece(op, s) && place(k, op);
}

bool lower_end(lowering *k, MlirOperation op) {
  int l = (int)sit_op_level(op);
  if (!need_appended(k, op))
    return false;
  storage *s = tensor_of(k, op);
  MlirValue entries = is_joined(s) ? constant_index(k->b, 0) : storage_end(s, l);
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = entries});
  return true;
}

/* The pieces of a result that is joined have been closed. */
bool lower_close(lowering *k, MlirOperation op) {
  int l = (int)sit_op_level(op);
  if (!need_appended(k, op))
    return false;
  if (is_joined(tensor_of(k, op)) || only_counts(tensor_of(k, op)))
    return true;
  MlirValue closes = row_cut_closes(k, op);
  if (closes.ptr)
    if_begin(k->b, closes);
  storage_close(tensor_of(k, op), l, lowering_scalar(k, sit_close_begin(op)),
                lowering_position(k, sit_op_parent(op)).value);
  if (closes.ptr)
    if_end(k->b);
  return true;
}

/* Whether 'sit.edges' of the level came already; levels get them in their order. */
static bool has_edges(const storage *s, int l) {
  int next = storage_waits_for(s);
  return next < 0 || l < next;
}

/* Whether the op's level is scattered into or collected, before (`counting`) or after 'sit.edges'.
 */
static bool need_counted(lowering *k, MlirOperation op, bool counting) {
  const storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  const building *way = storage_building(s, l);
  storage_role role = storage_role_of(s);
  if (k->parallel_mark && role != STORAGE_PIECE && role != STORAGE_AT_ONCE)
    return error_at(op, "'%.*s' cannot be lowered in a parallel loop", TEXT(op_name(op)));
  if (role == STORAGE_SHARED && !sit_is_edges(op) && !sit_is_order(op))
    return error_at(op, "'%.*s' expected in a parallel loop, as others of the result are",
                    TEXT(op_name(op)));
  if (!way || (counting ? !way->count : way->placed_by != sit_is_place))
    return error_at(op,
                    "'%.*s' expected a level of the result that 'sit.result' says is scattered "
                    "into or collected, found level %d",
                    TEXT(op_name(op)), l);
  if (has_edges(s, l) != counting && (!counting || l == storage_waits_for(s)))
    return true;
  return error_at(op, "'%.*s' expected %s 'sit.edges'", TEXT(op_name(op)),
                  !counting         ? "after"
                  : has_edges(s, l) ? "before"
                                    : "after the level above's");
}

bool lower_count(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  if (!need_counted(k, op, true))
    return false;
  storage_building(s, l)->count(storage_level(s, l), lowering_position(k, sit_op_parent(op)).value,
                                lowering_scalar(k, sit_op_coordinate(op)));
  return true;
}

bool lower_edges(lowering *k, MlirOperation op) {
  if (!need_counted(k, op, true))
    return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), op_block(k->op, 0)))
    return error_at(op, "'sit.edges' expected in the kernel's own block");
  storage *s = tensor_of(k, op);
  lower_rest_counting(k, storage_edges(s, (int)sit_op_level(op)), s);
  return true;
}

bool lower_place(lowering *k, MlirOperation op) {
  return need_counted(k, op, false) && place(k, op);
}

bool lower_number(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  if (k->parallel_mark && !storage_is_apart(s))
    return error_at(op, "'sit.number' cannot be lowered in a parallel loop");
  if (!storage_numbers(s, l))
    return error_at(op,
                    "'sit.number' expected a level of a collected result that holds a counter, "
                    "found level %d",
                    l);
  MlirValue number = storage_number(s, l, lowering_scalar(k, sit_op_coordinate(op)));
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = number});
  return true;
}

bool lower_order(lowering *k, MlirOperation op) {
  if (!need_counted(k, op, false))
    return false;
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), op_block(k->op, 0)))
    return error_at(op, "'sit.order' expected in the kernel's own block");
  const building *way = storage_building(s, l);
  if (!way->order)
    return error_at(op, "'sit.order' expected the first level that is recorded, found level %d", l);
  way->order(storage_level(s, l));
  return true;
}

bool lower_store(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  lowered position = lowering_position(k, sit_op_position(op));
  if (position.lanes == LANES_CONSECUTIVE)
    storage_store_lanes(s, lanes_operand(k, sit_op_value(op)), position.value, k->lanes, k->mask);
  else if (position.lanes != LANES_SAME)
    storage_scatter(s, lanes_operand(k, sit_op_value(op)), position.value,
                    lanes_from_first(k, &position), k->mask);
  else {
    bool once = !storage_is_own(s) && gpu_once_begin(k);
    storage_store(s, lowering_scalar(k, sit_op_value(op)), position.value);
    gpu_once_end(k, once);
  }
  return true;
}

static void accumulate_lanes(lowering *k, storage *s, tin_reduction kind, MlirValue value,
                             MlirValue position) {
  MlirValue before = storage_load_lanes(s, position, k->lanes, k->mask);
  MlirValue after = combine(k->b, kind, before, value, k->strict);
  storage_store_lanes(s, after, position, k->lanes, k->mask);
}

static void accumulate_spread(lowering *k, storage *s, tin_reduction kind, MlirValue value,
                              const lowered *position) {
  MlirValue spread = lanes_from_first(k, position);
  MlirValue before = storage_gather_written(s, position->value, spread, k->mask);
  MlirValue after = combine(k->b, kind, before, value, k->strict);
  storage_scatter(s, after, position->value, spread, k->mask);
}

/* All lanes into one place. */
static void reduce_into(lowering *k, storage *s, tin_reduction kind, MlirValue value,
                        MlirValue position) {
  builder *b = k->b;
  MlirType element = type_element(mlirValueGetType(value));
  MlirValue nothing = constant_attr(b, combine_identity(b, kind, element));
  value = select_value(b, k->mask, value, broadcast(b, nothing, k->lanes));
  MlirValue all = reduce_lanes(b, kind, storage_load(s, position), value, k->strict);
  storage_store(s, all, position);
}

bool lower_accumulate(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  tin_reduction kind = sit_accumulate_kind(op);
  lowered position = lowering_position(k, sit_op_position(op));
  if (position.lanes == LANES_CONSECUTIVE || k->reduces) {
    (k->reduces ? reduce_into : accumulate_lanes)(k, s, kind, lanes_operand(k, sit_op_value(op)),
                                                  position.value);
    return true;
  }
  if (position.lanes != LANES_SAME) {
    accumulate_spread(k, s, kind, lanes_operand(k, sit_op_value(op)), &position);
    return true;
  }
  MlirValue value = lowering_scalar(k, sit_op_value(op));
  bool atomic = sit_accumulate_is_atomic(op);
  bool once = !storage_is_own(s) && gpu_once_begin(k);
  storage_accumulate(s, kind, value, position.value, atomic, k->strict);
  gpu_once_end(k, once);
  return true;
}

static bool need_workspace(MlirOperation op, const storage *s, int l) {
  const building *way = storage_building(s, l);
  return way && way->clear ? true
                           : error_at(op, "'%.*s' expected a workspace, found %s",
                                      TEXT(op_name(op)), way ? "a result" : "an operand");
}

bool lower_sort(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)sit_op_level(op);
  if (!can(op, s, l, LEVEL_WORKSPACE, "be sorted") || !need_workspace(op, s, l))
    return false;
  storage_building(s, l)->order(storage_level(s, l));
  return true;
}

bool lower_clear(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  if (!need_workspace(op, s, 0))
    return false;
  storage_building(s, 0)->clear(storage_level(s, 0));
  return true;
}
