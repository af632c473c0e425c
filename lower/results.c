/* results.c - results and workspaces: made, built level by level, completed. */
#include "ir.h"
#include "kernel.h"

#include <mlir-c/BuiltinTypes.h>

static storage *tensor_of(lowering *k, MlirOperation op) {
  return lowering_storage(k, mlirOperationGetOperand(op, 0));
}

static const MlirValue *dimensions_of(lowering *k, MlirOperation op, intptr_t first) {
  intptr_t count = mlirOperationGetNumOperands(op) - first;
  MlirValue *dimensions = ARENA_ARRAY(k->memory, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; i++)
    dimensions[i] = lowering_scalar(k, op, first + i);
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
    if (op_is(op, "sit.store") && mlirOperationGetNumOperands(op) == 3 &&
        mlirValueEqual(mlirOperationGetOperand(op, 2), position))
      return true;
  return false;
}

static bool visit_values(MlirOperation op, void *data) {
  appended_values *v = data;
  bool reads = op_is(op, "sit.value") || op_is(op, "sit.accumulate");
  for (intptr_t i = 0; reads && i < mlirOperationGetNumOperands(op); i++)
    v->stored &= !mlirValueEqual(mlirOperationGetOperand(op, i), v->tensor);
  bool makes = op_is(op, "sit.append") || op_is(op, "sit.place");
  if (makes && mlirValueEqual(mlirOperationGetOperand(op, 0), v->tensor) &&
      (int)op_integer(op, "level", 0) == v->last)
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

typedef struct ordered_tensor {
  MlirValue tensor;
  bool found;
} ordered_tensor;

static bool visit_order(MlirOperation op, void *data) {
  ordered_tensor *o = data;
  o->found |= op_is(op, "sit.order") && mlirValueEqual(mlirOperationGetOperand(op, 0), o->tensor);
  return !o->found;
}

/* Whether a sit.order of the tensor comes. */
static bool is_ordered_last(lowering *k, MlirValue tensor) {
  ordered_tensor o = {tensor, false};
  visit_below(k->op, visit_order, &o);
  return o.found && tensor_format_reorders(storage_format(lowering_storage(k, tensor)));
}

bool lower_result(lowering *k, MlirOperation op) {
  if (k->agree.ptr == NULL)
    return error_at(op, "'sit.result' expected once, in the kernel's own block");
  lower_rest_under(k, k->agree, NULL);
  k->agree = (MlirValue){NULL};
  storage *s = tensor_of(k, op);
  int scatter = (int)op_integer(op, "scatter", -1);
  if (scatter >= 0 && scatter != tensor_format_scatter_level(storage_format(s)))
    return error_at(
        op, "'sit.result' expected a level that entries can be scattered into, found %d", scatter);
  bool stored = op_has(op, "stored");
  if (stored || values_are_stored(k, mlirOperationGetOperand(op, 0)))
    storage_values_are_stored(s);
  if (scatter >= 0 && is_ordered_last(k, mlirOperationGetOperand(op, 0)))
    storage_is_ordered_last(s);
  bool collects = op_has(op, "collect");
  if (collects && !tensor_format_can_collect(storage_format(s)))
    return error_at(op, "'sit.result' expected levels that can be collected, found others");
  MlirAttribute initial = stored ? (MlirAttribute){NULL} : op_attribute(op, "initial");
  MlirValue begun = storage_begin(s, dimensions_of(k, op, 1), initial, scatter, collects);
  begun = result_is_worthwhile(k, mlirOperationGetOperand(op, 0), begun);
  lower_rest_counting(k, begun, s);
  lowered made = *lowering_find(k, mlirOperationGetOperand(op, 0));
  made.ready = true;
  lowering_bind(k, mlirOperationGetOperand(op, 0), made);
  return true;
}

bool lower_finish(lowering *k, MlirOperation op) {
  storage_finish(tensor_of(k, op));
  return true;
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
  storage *s = storage_make(k->memory, k->b, format, "workspace", (MlirValue){NULL}, k->status);
  lowering_bind(k, tensor, (lowered){.tensor = s, .ready = true});
  if (storage_registers_begin(s, dimensions_of(k, op, 0), op_attribute(op, "identity")))
    return true;
  MlirValue begun =
      storage_workspace_begin(s, dimensions_of(k, op, 0), op_attribute(op, "identity"));
  lower_rest_under(k, begun, s);
  return true;
}

static bool need(MlirOperation op, storage *s, int l, unsigned capability, const char *what) {
  const level_format *format = storage_level_format(s, l);
  if (capability == LEVEL_APPEND && storage_is_scattered(s, l))
    return error_at(op,
                    "'%.*s' expected a level that is appended to, found that level %d is "
                    "scattered into",
                    TEXT(op_name(op)), l);
  return format->capabilities & capability
             ? true
             : error_at(op, "'%.*s' expected a level that can %s, found level %d '%s'",
                        TEXT(op_name(op)), what, l, format->name);
}

bool lower_insert(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (!need(op, s, l, LEVEL_INSERT, "insert"))
    return false;
  lowered parent = lowering_position(k, op, 2);
  lowered position = {.coordinates =
                          lowering_coordinates(k, &parent, l, lowering_scalar(k, op, 1))};
  position.lanes = lowering_find(k, mlirOperationGetOperand(op, 1))->lanes;
  position.value = storage_insert(s, l, parent.value, position.coordinates);
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

bool lower_end(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (!need(op, s, l, LEVEL_APPEND, "append"))
    return false;
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = storage_end(s, l)});
  return true;
}

bool lower_append(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (!need(op, s, l, LEVEL_APPEND, "append"))
    return false;
  if (k->parallel_mark)
    return error_at(op, "'sit.append' cannot be lowered in a parallel loop");
  MlirValue coordinate = lowering_scalar(k, op, 1);
  lowered root = {0};
  lowered position = {.value = storage_append(s, l, coordinate),
                      .coordinates = lowering_coordinates(k, &root, l, coordinate)};
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

bool lower_close(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (!need(op, s, l, LEVEL_APPEND, "append"))
    return false;
  storage_close(s, l, lowering_scalar(k, op, 1), lowering_position(k, op, 2).value);
  return true;
}

/* Whether 'sit.edges' of the level came already; levels get them in their order. */
static bool has_edges(const storage *s, int l) {
  int wanted = storage_wanted(s);
  return wanted < 0 || l < wanted;
}

/* Whether the op's level is scattered into or collected, before (`counting`) or after 'sit.edges'.
 */
static bool need_counted(lowering *k, MlirOperation op, bool counting) {
  const storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (k->parallel_mark)
    return error_at(op, "'%.*s' cannot be lowered in a parallel loop", TEXT(op_name(op)));
  bool scattered = storage_is_scattered(s, l) &&
                   (!counting || l == tensor_format_scatter_level(storage_format(s)));
  if (!scattered && !storage_is_collected(s, l))
    return error_at(op,
                    "'%.*s' expected a level of the result that 'sit.result' says is scattered "
                    "into or collected, found level %d",
                    TEXT(op_name(op)), l);
  if (has_edges(s, l) != counting && (!counting || l == storage_wanted(s)))
    return true;
  return error_at(op, "'%.*s' expected %s 'sit.edges'", TEXT(op_name(op)),
                  !counting         ? "after"
                  : has_edges(s, l) ? "before"
                                    : "after the level above's");
}

bool lower_count(lowering *k, MlirOperation op) {
  if (!need_counted(k, op, true))
    return false;
  storage_count(tensor_of(k, op), (int)op_integer(op, "level", 0),
                lowering_position(k, op, 2).value, lowering_scalar(k, op, 1));
  return true;
}

bool lower_edges(lowering *k, MlirOperation op) {
  if (!need_counted(k, op, true))
    return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), op_block(k->op, 0)))
    return error_at(op, "'sit.edges' expected in the kernel's own block");
  storage *s = tensor_of(k, op);
  lower_rest_counting(k, storage_edges(s, (int)op_integer(op, "level", 0)), s);
  return true;
}

bool lower_place(lowering *k, MlirOperation op) {
  if (!need_counted(k, op, false))
    return false;
  int l = (int)op_integer(op, "level", 0);
  lowered parent = lowering_position(k, op, 2);
  MlirValue coordinate = lowering_scalar(k, op, 1);
  lowered position = {.coordinates = lowering_coordinates(k, &parent, l, coordinate)};
  position.value = storage_place(tensor_of(k, op), l, parent.value, coordinate);
  lowering_bind(k, mlirOperationGetResult(op, 0), position);
  return true;
}

bool lower_number(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (k->parallel_mark)
    return error_at(op, "'sit.number' cannot be lowered in a parallel loop");
  if (!storage_numbers(s, l))
    return error_at(op,
                    "'sit.number' expected a level of a collected result that holds a counter, "
                    "found level %d",
                    l);
  MlirValue number = storage_number(s, l, lowering_scalar(k, op, 1));
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = number});
  return true;
}

bool lower_order(lowering *k, MlirOperation op) {
  if (!need_counted(k, op, false))
    return false;
  storage *s = tensor_of(k, op);
  int l = (int)op_integer(op, "level", 0);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), op_block(k->op, 0)))
    return error_at(op, "'sit.order' expected in the kernel's own block");
  if (!storage_is_scattered(s, l) || !tensor_format_reorders(storage_format(s)))
    return error_at(op,
                    "'sit.order' expected a level right above the values that can order its "
                    "siblings, found level %d",
                    l);
  storage_order(s);
  return true;
}

/* Operands: value, tensor, position. */

bool lower_store(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, mlirOperationGetOperand(op, 1));
  lowered position = lowering_position(k, op, 2);
  if (position.lanes == LANES_CONSECUTIVE)
    storage_store_lanes(s, lanes_operand(k, op, 0), position.value, k->lanes, k->mask);
  else
    storage_store(s, lowering_scalar(k, op, 0), position.value);
  return true;
}

static void accumulate_lanes(lowering *k, storage *s, const char *kind, MlirValue value,
                             MlirValue position) {
  MlirValue before = storage_load_lanes(s, position, k->lanes, k->mask);
  MlirValue after = combine(k->b, kind, before, value, k->strict);
  storage_store_lanes(s, after, position, k->lanes, k->mask);
}

/* All lanes into one place. */
static void reduce_into(lowering *k, storage *s, const char *kind, MlirValue value,
                        MlirValue position) {
  builder *b = k->b;
  MlirType element = type_element(mlirValueGetType(value));
  MlirValue nothing = constant_attr(b, combine_identity(b, kind, element));
  value = select_value(b, k->mask, value, broadcast(b, nothing, k->lanes));
  MlirValue all = reduce_lanes(b, kind, storage_load(s, position), value, k->strict);
  storage_store(s, all, position);
}

bool lower_accumulate(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, mlirOperationGetOperand(op, 1));
  MlirStringRef kind = op_text(op, "kind");
  lowered position = lowering_position(k, op, 2);
  if (position.lanes == LANES_CONSECUTIVE || k->reduces) {
    (k->reduces ? reduce_into : accumulate_lanes)(k, s,
                                                  arena_text(k->memory, kind.data, kind.length),
                                                  lanes_operand(k, op, 0), position.value);
    return true;
  }
  MlirValue value = lowering_scalar(k, op, 0);
  bool atomic = op_has(op, "atomic");
  storage_accumulate(s, arena_text(k->memory, kind.data, kind.length), value, position.value,
                     atomic, k->strict);
  return true;
}

bool lower_sort(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  if (!need(op, s, (int)op_integer(op, "level", 0), LEVEL_WORKSPACE, "be sorted"))
    return false;
  storage_workspace_sort(s);
  return true;
}

bool lower_clear(lowering *k, MlirOperation op) {
  storage *s = tensor_of(k, op);
  if (storage_format(s)->level_count && !need(op, s, 0, LEVEL_WORKSPACE, "be cleared"))
    return false;
  storage_workspace_clear(s);
  return true;
}
