/* sit_ops.c - makes the operations of the sit dialect. */
#include "sit_ops.h"

#include "cin.h"
#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* ---- operands, attributes ----------------------------------------------------------------- */

/* Up to four operands, those that are not null. */
typedef struct operand_list {
  intptr_t count;
  MlirValue values[4];
} operand_list;

static operand_list operands(MlirValue x, MlirValue y, MlirValue z) {
  operand_list list = {0};
  MlirValue all[3] = {x, y, z};
  for (int n = 0; n < 3; ++n)
    if (!mlirValueIsNull(all[n]))
      list.values[list.count++] = all[n];
  return list;
}

static const MlirValue none = {NULL};

static MlirAttribute i64(builder *b, int64_t x) {
  return integer_attribute(builder_context(b), x);
}

static MlirType position_type(MlirValue tensor, int64_t level) {
  return sitPositionTypeGet(mlirValueGetType(tensor), level);
}

/* An operation with the operands that are there, at most one result (null: none) and one
 * attribute (NULL: none). */
static MlirValue make(builder *b, const char *name, operand_list list, MlirType result,
                      const char *attribute, MlirAttribute value) {
  MlirNamedAttribute attributes[1] = {0};
  bool has_attribute = attribute && !mlirAttributeIsNull(value);
  if (has_attribute)
    attributes[0] = named(b, attribute, value);
  bool has_result = !mlirTypeIsNull(result);
  MlirOperation op =
      make_op(b, name, list.count, list.values, has_result, &result, has_attribute, attributes);
  return has_result ? op_result(op, 0) : none;
}

static const MlirType no_type = {NULL};
static const MlirAttribute no_attribute = {NULL};

/* ---- kernels ------------------------------------------------------------------------------ */

/* An operation of the operands and results of another. */
static MlirOperationState state_like(const char *name, MlirOperation other) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), mlirOperationGetLocation(other));
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(other); ++n) {
    MlirValue operand = mlirOperationGetOperand(other, n);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(other, 0));
  mlirOperationStateAddResults(&state, 1, &type);
  return state;
}

static void add_body(MlirOperationState *state, MlirBlock like, MlirLocation location) {
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t n = 0; n < mlirBlockGetNumArguments(like); ++n)
    mlirBlockAddArgument(body, mlirValueGetType(mlirBlockGetArgument(like, n)), location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(state, 1, &region);
}

MlirOperation sit_kernel_create(MlirOperation like) {
  MlirOperationState state = state_like("sit.kernel", like);
  add_body(&state, op_block(like, 0), mlirOperationGetLocation(like));
  MlirOperation made = mlirOperationCreate(&state);
  const char *names[] = {"fills", "tensor_names"};
  for (int n = 0; n < 2; ++n)
    if (op_has(like, names[n]))
      op_set(made, names[n], op_attribute(like, names[n]));
  return made;
}

MlirOperation sit_call_create(MlirOperation kernel, MlirStringRef callee) {
  MlirOperationState state = state_like("sit.call", kernel);
  MlirOperation made = mlirOperationCreate(&state);
  op_set(made, "callee", mlirFlatSymbolRefAttrGet(mlirOperationGetContext(kernel), callee));
  return made;
}

/* ---- extents ------------------------------------------------------------------------------ */

MlirValue sit_extent(builder *b, MlirValue tensor, int64_t dimension) {
  return make(b, "sit.extent", operands(tensor, none, none), type_index(b), "dimension",
              i64(b, dimension));
}

void sit_match(builder *b, MlirStringRef variable, MlirValue expected, MlirValue found) {
  make(b, "sit.match", operands(expected, found, none), no_type, "variable",
       text_attribute(builder_context(b), variable));
}

void sit_within(builder *b, const char *subscript, MlirValue low, MlirValue high,
                MlirValue extent) {
  make(b, "sit.within", operands(low, high, extent), no_type, "subscript",
       text_attribute(builder_context(b), mlirStringRefCreateFromCString(subscript)));
}

/* ---- walking ------------------------------------------------------------------------------ */

static MlirAttribute set_attribute(builder *b, arena *memory, bit_set iterators) {
  int64_t *members = ARENA_ARRAY(memory, int64_t, set_size(iterators) + 1);
  intptr_t count = 0;
  for (int n = set_first(iterators); n >= 0; n = set_next(iterators, n + 1))
    members[count++] = n;
  return mlirDenseI64ArrayGet(builder_context(b), count, members);
}

static MlirAttribute cases_attribute(builder *b, arena *memory, const coiteration *walk) {
  MlirAttribute *cases = ARENA_ARRAY(memory, MlirAttribute, walk->case_count + 1);
  for (int n = 0; n < walk->case_count; ++n)
    cases[n] = set_attribute(b, memory, walk->cases[n]);
  return mlirArrayAttrGet(builder_context(b), walk->case_count, cases);
}

static MlirRegion case_region(builder *b, arena *memory, const coiteration *walk,
                              bit_set iterators) {
  intptr_t count = 1;
  MlirType *types = ARENA_ARRAY(memory, MlirType, set_size(iterators) + 1);
  MlirLocation *locations = ARENA_ARRAY(memory, MlirLocation, set_size(iterators) + 1);
  types[0] = type_index(b);
  locations[0] = builder_location(b);
  for (int n = set_first(iterators); n >= 0; n = set_next(iterators, n + 1)) {
    types[count] = position_type(walk->tensors[n], walk->levels[n]);
    locations[count++] = builder_location(b);
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(count, types, locations));
  return region;
}

static void add_operands(MlirOperationState *state, const coiteration *walk, int32_t segments[5]) {
  mlirOperationStateAddOperands(state, walk->count, walk->tensors);
  segments[0] = walk->count;
  segments[1] = 0;
  for (int n = 0; n < walk->count; ++n)
    if (!mlirValueIsNull(walk->parents[n])) {
      mlirOperationStateAddOperands(state, 1, &walk->parents[n]);
      ++segments[1];
    }
  const MlirValue bounds[3] = {walk->extent, walk->low, walk->high};
  for (int n = 0; n < 3; ++n) {
    segments[2 + n] = !mlirValueIsNull(bounds[n]);
    if (segments[2 + n])
      mlirOperationStateAddOperands(state, 1, &bounds[n]);
  }
  segments[5] = 0;
  for (int n = 0; walk->offsets && n < walk->count; ++n)
    if (!mlirValueIsNull(walk->offsets[n])) {
      mlirOperationStateAddOperands(state, 1, &walk->offsets[n]);
      ++segments[5];
    }
}

static void add_attributes(builder *b, arena *memory, MlirOperationState *state,
                           const coiteration *walk, const int32_t segments[6]) {
  MlirContext context = builder_context(b);
  MlirNamedAttribute attributes[12] = {
      named(b, "levels", mlirDenseI64ArrayGet(context, walk->count, walk->levels)),
      named(b, "cases", cases_attribute(b, memory, walk)),
      named(b, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 6, segments)),
  };
  intptr_t count = 3;
  bit_set offset = set_empty();
  for (int n = 0; walk->offsets && n < walk->count; ++n)
    if (!mlirValueIsNull(walk->offsets[n]))
      set_insert(memory, &offset, n);
  if (!set_is_empty(offset))
    attributes[count++] = named(b, "offset", set_attribute(b, memory, offset));
  if (!set_is_empty(walk->scratch))
    attributes[count++] = named(b, "scratch", set_attribute(b, memory, walk->scratch));
  if (walk->padded)
    attributes[count++] = named(b, "padded", mlirUnitAttrGet(context));
  if (walk->fused)
    attributes[count++] = named(b, "fused", mlirUnitAttrGet(context));
  if (walk->any)
    attributes[count++] = named(b, "any", mlirUnitAttrGet(context));
  if (!mlirAttributeIsNull(walk->unroll))
    attributes[count++] = named(b, "unroll", walk->unroll);
  if (walk->groups)
    attributes[count++] = named(b, "groups", i64(b, walk->groups));
  if (!mlirAttributeIsNull(walk->variable))
    attributes[count++] = named(b, "variable", walk->variable);
  if (!mlirAttributeIsNull(walk->strategies))
    attributes[count++] = named(b, "strategies", walk->strategies);
  mlirOperationStateAddAttributes(state, count, attributes);
}

MlirOperation sit_coiterate(builder *b, const coiteration *walk) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("sit.coiterate"), builder_location(b));
  int32_t segments[6];
  arena *memory = arena_create();
  add_operands(&state, walk, segments);
  add_attributes(b, memory, &state, walk, segments);
  for (int n = 0; n < walk->case_count; ++n) {
    MlirRegion region = case_region(b, memory, walk, walk->cases[n]);
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  arena_free(memory);
  MlirOperation op = insert_op(b, mlirOperationCreate(&state));
  if (walk->unit != CIN_SERIAL)
    cin_op_set_parallel(op, walk->unit, walk->race);
  return op;
}

MlirValue sit_locate(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
                     MlirValue parent, bool scratch, bool padded) {
  MlirValue position = make(b, "sit.locate", operands(tensor, coordinate, parent),
                            position_type(tensor, level), "level", i64(b, level));
  if (scratch)
    op_set(value_owner(position), "scratch", mlirUnitAttrGet(builder_context(b)));
  if (padded)
    op_set(value_owner(position), "padded", mlirUnitAttrGet(builder_context(b)));
  return position;
}

sit_interval sit_positions(builder *b, MlirValue tensor, int64_t level, MlirValue parent) {
  operand_list list = operands(tensor, parent, none);
  MlirType types[] = {type_index(b), type_index(b)};
  MlirNamedAttribute attribute = named(b, "level", i64(b, level));
  MlirOperation op = make_op(b, "sit.positions", list.count, list.values, 2, types, 1, &attribute);
  return (sit_interval){op_result(op, 0), op_result(op, 1)};
}

MlirValue sit_coordinate(builder *b, MlirValue tensor, int64_t level, MlirValue position,
                         MlirValue parent) {
  return make(b, "sit.coordinate", operands(tensor, position, parent), type_index(b), "level",
              i64(b, level));
}

MlirValue sit_parents(builder *b, MlirValue tensor, int64_t level, MlirValue position) {
  return make(b, "sit.parents", operands(tensor, position, none), type_index(b), "level",
              i64(b, level));
}

MlirValue sit_value(builder *b, MlirValue tensor, MlirValue position, MlirType type) {
  return make(b, "sit.value", operands(tensor, position, none), type, NULL, no_attribute);
}

MlirValue sit_present(builder *b, MlirValue position) {
  return make(b, "sit.present", operands(position, none, none), type_i(b, 1), NULL, no_attribute);
}

MlirValue sit_ordinal(builder *b, MlirValue position) {
  return make(b, "sit.ordinal", operands(position, none, none), type_index(b), NULL, no_attribute);
}

/* ---- building ----------------------------------------------------------------------------- */

/* An operation on a tensor with a list of dimensions. */
static MlirOperation with_dimensions(builder *b, const char *name, MlirValue tensor, intptr_t count,
                                     const MlirValue *dimensions, const MlirType *result,
                                     const char *attribute, MlirAttribute value) {
  enum { MOST_DIMENSIONS = 64 };
  MlirValue list[MOST_DIMENSIONS + 1];
  intptr_t length = 0;
  if (!mlirValueIsNull(tensor))
    list[length++] = tensor;
  for (intptr_t d = 0; d < count && d < MOST_DIMENSIONS; ++d)
    list[length++] = dimensions[d];
  MlirNamedAttribute attributes[1] = {0};
  bool has_attribute = !mlirAttributeIsNull(value);
  if (has_attribute)
    attributes[0] = named(b, attribute, value);
  return make_op(b, name, length, list, result != NULL, result, has_attribute, attributes);
}

void sit_result(builder *b, MlirValue tensor, intptr_t count, const MlirValue *dimensions,
                MlirAttribute initial, cin_assembly way, bool stored, bool apart) {
  MlirOperation made =
      with_dimensions(b, "sit.result", tensor, count, dimensions, NULL, "initial", initial);
  cin_op_set_assembly(made, way);
  if (stored)
    op_set(made, "stored", mlirUnitAttrGet(builder_context(b)));
  if (apart)
    op_set(made, "apart", mlirUnitAttrGet(builder_context(b)));
}

void sit_finish(builder *b, MlirValue tensor) {
  make(b, "sit.finish", operands(tensor, none, none), no_type, NULL, no_attribute);
}

MlirValue sit_workspace(builder *b, MlirType type, intptr_t count, const MlirValue *dimensions,
                        MlirAttribute identity) {
  return op_result(
      with_dimensions(b, "sit.workspace", none, count, dimensions, &type, "identity", identity), 0);
}

MlirValue sit_insert(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
                     MlirValue parent) {
  return make(b, "sit.insert", operands(tensor, coordinate, parent), position_type(tensor, level),
              "level", i64(b, level));
}

MlirValue sit_end(builder *b, MlirValue tensor, int64_t level) {
  return make(b, "sit.end", operands(tensor, none, none), type_index(b), "level", i64(b, level));
}

MlirValue sit_append(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate) {
  return make(b, "sit.append", operands(tensor, coordinate, none), position_type(tensor, level),
              "level", i64(b, level));
}

void sit_close(builder *b, MlirValue tensor, int64_t level, MlirValue begin, MlirValue parent) {
  make(b, "sit.close", operands(tensor, begin, parent), no_type, "level", i64(b, level));
}

void sit_count(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
               MlirValue parent) {
  make(b, "sit.count", operands(tensor, coordinate, parent), no_type, "level", i64(b, level));
}

void sit_edges(builder *b, MlirValue tensor, int64_t level) {
  make(b, "sit.edges", operands(tensor, none, none), no_type, "level", i64(b, level));
}

MlirValue sit_place(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
                    MlirValue parent) {
  return make(b, "sit.place", operands(tensor, coordinate, parent), position_type(tensor, level),
              "level", i64(b, level));
}

MlirValue sit_copied(builder *b, MlirValue tensor, int64_t level, MlirValue source,
                     MlirValue position) {
  return make(b, "sit.copied", operands(tensor, source, position), position_type(tensor, level),
              "level", i64(b, level));
}

MlirValue sit_number(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate) {
  return make(b, "sit.number", operands(tensor, coordinate, none), type_index(b), "level",
              i64(b, level));
}

void sit_order(builder *b, MlirValue tensor, int64_t level) {
  make(b, "sit.order", operands(tensor, none, none), no_type, "level", i64(b, level));
}

void sit_store(builder *b, MlirValue value, MlirValue tensor, MlirValue position) {
  make(b, "sit.store", operands(value, tensor, position), no_type, NULL, no_attribute);
}

void sit_accumulate(builder *b, tin_reduction kind, MlirValue value, MlirValue tensor,
                    MlirValue position, bool atomic) {
  operand_list list = operands(value, tensor, position);
  MlirContext context = builder_context(b);
  MlirNamedAttribute attributes[2] = {named(b, "kind", tinReductionAttrGet(context, kind)),
                                      named(b, "atomic", mlirUnitAttrGet(context))};
  make_op(b, "sit.accumulate", list.count, list.values, 0, NULL, atomic ? 2 : 1, attributes);
}

void sit_sort(builder *b, MlirValue tensor, int64_t level) {
  make(b, "sit.sort", operands(tensor, none, none), no_type, "level", i64(b, level));
}

void sit_clear(builder *b, MlirValue tensor) {
  make(b, "sit.clear", operands(tensor, none, none), no_type, NULL, no_attribute);
}

/* ---- scalar variables --------------------------------------------------------------------- */

MlirValue sit_var(builder *b, MlirValue init, tin_reduction kind) {
  MlirAttribute reduces = kind ? tinReductionAttrGet(builder_context(b), kind) : no_attribute;
  return make(b, "sit.var", operands(init, none, none), sitVarTypeGet(mlirValueGetType(init)),
              kind ? "kind" : NULL, reduces);
}

MlirValue sit_get(builder *b, MlirValue var) {
  return make(b, "sit.get", operands(var, none, none), sitVarTypeGetElement(mlirValueGetType(var)),
              NULL, no_attribute);
}

void sit_set(builder *b, MlirValue var, MlirValue value) {
  make(b, "sit.set", operands(var, value, none), no_type, NULL, no_attribute);
}

/* ---- below kernels ------------------------------------------------------------------------ */

MlirValue sit_array(builder *b, MlirValue handle, int64_t level, int64_t slot, MlirType element) {
  MlirType type = type_memref(b, element);
  MlirNamedAttribute attributes[] = {named(b, "level", i64(b, level)),
                                     named(b, "slot", i64(b, slot))};
  return op_result(make_op(b, "sit.array", 1, &handle, 1, &type, 2, attributes), 0);
}

MlirValue sit_values(builder *b, MlirValue handle, MlirType element) {
  return make(b, "sit.values", operands(handle, none, none), type_memref(b, element), NULL,
              no_attribute);
}

MlirValue sit_memory(builder *b, MlirValue pointer, MlirValue length, MlirType element) {
  return make(b, "sit.memory", operands(pointer, length, none), type_memref(b, element), NULL,
              no_attribute);
}

/* ---- what an operation does --------------------------------------------------------------- */

bool sit_is_cleared_behind(MlirOperation op, MlirValue workspace) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (sit_is_clear(op) && mlirValueEqual(sit_op_tensor(op), workspace))
      return true;
  return false;
}

bool sit_op_reads_value(MlirOperation op, MlirValue tensor) {
  return (sit_is_value(op) || sit_is_accumulate(op)) && mlirValueEqual(sit_op_tensor(op), tensor);
}
