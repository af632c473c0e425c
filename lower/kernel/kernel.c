/* kernel.c - one sit.kernel as a function: operands opened, checks, the walk over its ops. */
#include "kernel.h"

#include "ir.h"
#include "kernel_state.h"
#include "lanes.h"
#include "scratch.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

/* The map is a hash table by the value's address, of a power of two slots at most half full. */
typedef struct binding {
  MlirValue key;
  lowered what;
} binding;

static binding *find_slot(binding *slots, size_t room, MlirValue key) {
  size_t i = ((uintptr_t)key.ptr >> 4) * 0x9E3779B97F4A7C15u >> 20;
  while (slots[i & (room - 1)].key.ptr && slots[i & (room - 1)].key.ptr != key.ptr)
    i++;
  return &slots[i & (room - 1)];
}

static void grow_bindings(lowering *k) {
  size_t room = k->own->binding_room ? 2 * k->own->binding_room : 64;
  binding *slots = ARENA_ARRAY(k->memory, binding, room);
  for (size_t i = 0; i < k->own->binding_room; i++)
    if (k->own->bindings[i].key.ptr)
      *find_slot(slots, room, k->own->bindings[i].key) = k->own->bindings[i];
  k->own->bindings = slots;
  k->own->binding_room = room;
}

void lowering_bind(lowering *k, MlirValue value, lowered what) {
  if (2 * (k->own->binding_count + 1) > k->own->binding_room)
    grow_bindings(k);
  binding *slot = find_slot(k->own->bindings, k->own->binding_room, value);
  k->own->binding_count += slot->key.ptr == NULL;
  *slot = (binding){value, what};
}

const lowered *lowering_find(const lowering *k, MlirValue value) {
  if (!k->own->binding_room)
    return NULL;
  const binding *slot = find_slot(k->own->bindings, k->own->binding_room, value);
  return slot->key.ptr ? &slot->what : NULL;
}

MlirValue lowering_scalar(const lowering *k, MlirValue value) {
  const lowered *found = lowering_find(k, value);
  return found ? found->value : (MlirValue){NULL};
}

storage *lowering_storage(const lowering *k, MlirValue tensor) {
  const lowered *found = lowering_find(k, tensor);
  return found ? found->tensor : NULL;
}

bool lowering_is_operand(const lowering *k, MlirValue tensor) {
  return mlirValueIsABlockArgument(tensor) &&
         mlirBlockArgumentGetArgNumber(tensor) < mlirOperationGetNumOperands(k->op);
}

lowered lowering_position(const lowering *k, MlirValue position) {
  return position.ptr ? *lowering_find(k, position) : (lowered){.value = constant_index(k->b, 0)};
}

/* Ancestors are unknown below an appended position; the formats that can be there do not ask. */
const MlirValue *lowering_coordinates(lowering *k, const lowered *parent, int level,
                                      MlirValue coordinate) {
  MlirValue *coordinates = ARENA_ARRAY(k->memory, MlirValue, level + 1);
  for (int l = 0; l < level; l++)
    coordinates[l] = parent->coordinates ? parent->coordinates[l] : constant_index(k->b, 0);
  coordinates[level] = coordinate;
  return coordinates;
}

/* Blocks and what their end closes. */

typedef struct closing {
  struct closing *outer;
  storage *release;
  storage *counted;  /* whose level is released behind the block */
  MlirValue scratch; /* what is freed by `free_by`, or null */
  const char *free_by;
  int level, mark;
} closing;

static closing *open_rest(lowering *k, MlirValue condition) {
  closing *c = ARENA_ARRAY(k->memory, closing, 1);
  if_begin(k->b, condition);
  *c = (closing){.outer = k->own->closings, .mark = var_mark(k->b)};
  k->own->closings = c;
  return c;
}

void lower_rest_under(lowering *k, MlirValue condition, storage *release) {
  open_rest(k, condition)->release = release;
}

void lower_rest_with_scratch(lowering *k, MlirValue scratch, const char *free_by) {
  builder *b = k->b;
  MlirType i32 = type_i(b, 32);
  MlirValue status = load_shared(b, k->status, i32);
  closing *c = open_rest(k, equal(b, status, constant_scalar(b, i32, 0)));
  c->scratch = scratch;
  c->free_by = free_by;
}

void lower_rest_counting(lowering *k, MlirValue condition, storage *result) {
  int level = storage_waits_for(result);
  closing *c = open_rest(k, condition);
  c->counted = level >= 0 ? result : NULL;
  c->level = level;
}

closing *rest_mark(const lowering *k) {
  return k->own->closings;
}

void close_rest(lowering *k, closing *outer) {
  while (k->own->closings != outer) {
    closing *c = k->own->closings;
    var_release(k->b, c->mark);
    if (c->release)
      storage_release(c->release, 0);
    if_end(k->b);
    if (c->scratch.ptr)
      call(k->b, c->free_by, (MlirType){NULL}, 1, &c->scratch);
    if (c->counted)
      storage_release(c->counted, c->level);
    k->own->closings = c->outer;
  }
}

static bool is_branch(MlirOperation op) {
  return op_is(op, "scf.if");
}

static const struct {
  op_kind *is;
  lower_function *lower;
} table[] = {
    {sit_is_coiterate, lower_coiterate},
    {sit_is_value, lower_value},
    {sit_is_locate, lower_locate},
    {sit_is_find, lower_find},
    {sit_is_present, lower_present},
    {sit_is_positions, lower_positions},
    {sit_is_coordinate, lower_coordinate},
    {sit_is_parents, lower_parents},
    {sit_is_ordinal, lower_ordinal},
    {sit_is_get, lower_get},
    {sit_is_set, lower_set},
    {sit_is_var, lower_var},
    {sit_is_insert, lower_insert},
    {sit_is_store, lower_store},
    {sit_is_accumulate, lower_accumulate},
    {sit_is_append, lower_append},
    {sit_is_end, lower_end},
    {sit_is_close, lower_close},
    {sit_is_count, lower_count},
    {sit_is_edges, lower_edges},
    {sit_is_place, lower_place},
    {sit_is_copied, lower_copied},
    {sit_is_order, lower_order},
    {sit_is_number, lower_number},
    {sit_is_sort, lower_sort},
    {sit_is_clear, lower_clear},
    {sit_is_workspace, lower_workspace},
    {sit_is_extent, lower_extent},
    {sit_is_match, lower_match},
    {sit_is_within, lower_within},
    {sit_is_result, lower_result},
    {sit_is_finish, lower_finish},
    {is_branch, lower_if},
};

/* Tensors are used after they are opened (operands) or made. */
static bool tensors_are_ready(lowering *k, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    const lowered *operand = lowering_find(k, mlirOperationGetOperand(op, i));
    if (operand && operand->tensor && !operand->ready)
      return error_at(op, "'%.*s' on the result expected after 'sit.result'", TEXT(op_name(op)));
  }
  return true;
}

bool lower_operation(lowering *k, MlirOperation op) {
  builder_set_location(k->b, mlirOperationGetLocation(op));
  if (!sit_is_result(op) && !tensors_are_ready(k, op))
    return false;
  if (k->lanes && !lanes_allow(k, op))
    return false;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].is(op))
      return table[i].lower(k, op);
  return lower_scalar(k, op);
}

MlirValue lowering_ahead(lowering *k, MlirOperation loop, MlirValue value) {
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op) || !value_is_made_in(loop, value))
    return lowering_scalar(k, value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    lowering_ahead(k, loop, mlirOperationGetOperand(op, i));
  lower_operation(k, op);
  return lowering_scalar(k, value);
}

bool lower_block(lowering *k, MlirBlock block) {
  closing *outer = k->own->closings;
  int mark = var_mark(k->b);
  bool good = true;
  for (OPERATIONS(op, block))
    good = good && (op_is(op, "scf.yield") || (lower_operation(k, op) && !builder_failed(k->b)));
  close_rest(k, outer);
  var_release(k->b, mark);
  return good;
}

/* The name of operand i (the result is the last) for people: that of `tensor_names`, else "operand
 * 0", "result". */
static const char *tensor_name(lowering *k, intptr_t i) {
  MlirStringRef name = statement_op_tensor_name(k->op, i);
  if (name.length)
    return arena_text(k->memory, name.data, name.length);
  return i == mlirOperationGetNumOperands(k->op) ? "result"
                                                 : arena_format(k->memory, "operand %d", (int)i);
}

/* Binds operand i (the result is the last) to its argument of the function. */
static bool bind_argument(lowering *k, intptr_t i, MlirValue argument) {
  MlirValue value = mlirBlockGetArgument(op_block(k->op, 0), i);
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsARankedTensor(type)) {
    lowering_bind(k, value, (lowered){.value = argument});
    return true;
  }
  const tensor_format *format = tensor_format_get(k->memory, type, mlirOperationGetLocation(k->op));
  if (!format)
    return false;
  storage *s = storage_make(k->memory, k->b, format, tensor_name(k, i), argument, k->status);
  bool operand = i < mlirOperationGetNumOperands(k->op);
  lowering_bind(k, value, (lowered){.value = argument, .tensor = s, .ready = operand});
  return true;
}

/* The function's first argument is the result, which is the kernel's last. */
static bool bind_arguments(lowering *k, MlirBlock entry) {
  intptr_t inputs = mlirOperationGetNumOperands(k->op);
  for (intptr_t i = 0; i <= inputs; i++)
    if (!bind_argument(k, i, mlirBlockGetArgument(entry, i == inputs ? 0 : i + 1)))
      return false;
  return true;
}

static void open_operands(lowering *k) {
  MlirValue stored = constant_bool(k->b, true);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(k->op); i++) {
    MlirValue operand = mlirBlockGetArgument(op_block(k->op, 0), i);
    storage *s = lowering_storage(k, operand);
    if (s)
      stored = and_i(k->b, stored, storage_expect(s, mlirValueGetType(operand)));
  }
  lower_rest_under(k, stored, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(k->op); i++) {
    storage *s = lowering_storage(k, mlirBlockGetArgument(op_block(k->op, 0), i));
    if (s)
      storage_open(s);
  }
}

/* Returns the status; a result that was not completed is freed. */
static void return_status(lowering *k, MlirValue result) {
  builder *b = k->b;
  MlirType i32 = type_i(b, 32);
  MlirValue status = call(b, "lac_kernel_status", i32, 1, &k->status);
  if_begin(b, not_equal(b, status, constant_scalar(b, i32, 0)));
  call(b, "lac_tensor_free", (MlirType){NULL}, 1, &result);
  if_end(b);
  make_op(b, "func.return", 1, &status, 0, NULL, 0, NULL);
}

bool lower_kernel(lowering *k, MlirBlock entry) {
  builder *b = k->b;
  k->own = ARENA_ARRAY(k->memory, struct kernel_state, 1);
  builder_at_end(b, entry);
  k->status = stack_array(b, type_i(b, 32), 1);
  store_field(b, constant_scalar(b, type_i(b, 32), 0), k->status, 0);
  if (!bind_arguments(k, entry))
    return false;
  open_operands(k);
  k->own->agree = constant_bool(b, true);
  scratch_make(k, k->op);
  bool good = lower_block(k, op_block(k->op, 0));
  if (good && k->own->agree.ptr)
    good = error_at(k->op, "'sit.kernel' expected a 'sit.result', found none");
  close_rest(k, NULL);
  return_status(k, mlirBlockGetArgument(entry, 0));
  return good && !builder_failed(b);
}
