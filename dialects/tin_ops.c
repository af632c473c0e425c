/* Making operations of the tin rung. */
#include "tin_ops.h"

#include "ir.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirStringRef *references_to(arena *memory, int count, const char *const *texts) {
  MlirStringRef *references = ARENA_ARRAY(memory, MlirStringRef, count + 1);
  for (int i = 0; i < count; i++)
    references[i] = mlirStringRefCreateFromCString(texts[i]);
  return references;
}

MlirAttribute texts_attribute(MlirContext context, int count, const char *const *texts) {
  arena *memory = arena_create();
  MlirAttribute *array = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (int i = 0; i < count; i++)
    array[i] = mlirStringAttrGet(context, mlirStringRefCreateFromCString(texts[i]));
  MlirAttribute all = mlirArrayAttrGet(context, count, array);
  arena_free(memory);
  return all;
}

static MlirAttribute pads_attribute(MlirContext context, const compute_parts *parts) {
  arena *memory = arena_create();
  MlirAttribute *pads = ARENA_ARRAY(memory, MlirAttribute, parts->operand_count + 1);
  for (int a = 0; a < parts->operand_count; a++)
    pads[a] = mlirAttributeIsNull(parts->pads[a]) ? mlirBoolAttrGet(context, 0) : parts->pads[a];
  MlirAttribute all = mlirArrayAttrGet(context, parts->operand_count, pads);
  arena_free(memory);
  return all;
}

MlirValue compute_make(builder *b, const compute_parts *parts) {
  MlirContext context = builder_context(b);
  int accesses = parts->operand_count + 1;
  arena *memory = arena_create();
  MlirOperation op = tinComputeCreate(
      builder_location(b), parts->operand_count, parts->operands, parts->maps,
      parts->variable_count, references_to(memory, parts->variable_count, parts->variables),
      parts->result, parts->body);
  arena_free(memory);
  if (parts->fills)
    op_set(op, "fills", mlirArrayAttrGet(context, accesses, parts->fills));
  if (parts->pads)
    op_set(op, "pads", pads_attribute(context, parts));
  if (!mlirAttributeIsNull(parts->alike))
    op_set(op, "alike", parts->alike);
  if (!mlirAttributeIsNull(parts->subscripts))
    op_set(op, "subscripts", parts->subscripts);
  if (!mlirAttributeIsNull(parts->schedule))
    op_set(op, "schedule", parts->schedule);
  if (!mlirAttributeIsNull(parts->extents))
    op_set(op, "extents", parts->extents);
  if (parts->conversion)
    op_set(op, "conversion", mlirUnitAttrGet(context));
  if (parts->names)
    op_set(op, "tensor_names", texts_attribute(context, accesses, parts->names));
  return op_result(insert_op(b, op), 0);
}

MlirValue reduce_make(builder *b, tin_reduction kind, MlirValue value, int variable_count,
                      const char *const *variables, MlirAttribute identity) {
  arena *memory = arena_create();
  MlirOperation op = tinReduceCreate(builder_location(b), kind, value, variable_count,
                                     references_to(memory, variable_count, variables), identity);
  arena_free(memory);
  return op_result(insert_op(b, op), 0);
}

void yield_make(builder *b, MlirValue value) {
  insert_op(b, tinYieldCreate(builder_location(b), value));
}

MlirValue convert_make(builder *b, MlirValue source, MlirType type, MlirAttribute fill) {
  return op_result(insert_op(b, tinConvertCreate(builder_location(b), source, type, fill)), 0);
}

MlirValue read_make(builder *b, MlirAttribute file, MlirType type) {
  MlirNamedAttribute attribute = named(b, "file", file);
  return op_result(make_op(b, "tin.read", 0, NULL, 1, &type, 1, &attribute), 0);
}

MlirValue view_make(builder *b, MlirValue source, MlirType type) {
  return op_result(make_op(b, "tin.view", 1, &source, 1, &type, 0, NULL), 0);
}

void require_equal_make(builder *b, MlirValue left, MlirValue right, const char *reason) {
  MlirAttribute text = text_attribute(builder_context(b), mlirStringRefCreateFromCString(reason));
  MlirNamedAttribute attribute = named(b, "reason", text);
  make_op(b, "tin.require_equal", 2, (MlirValue[]){left, right}, 0, NULL, 1, &attribute);
}

void match_make(builder *b, const char *variable, MlirValue x, int64_t d, MlirValue y, int64_t e) {
  MlirContext context = builder_context(b);
  MlirStringRef name = mlirStringRefCreateFromCString(variable);
  MlirNamedAttribute attributes[] = {named(b, "variable", text_attribute(context, name)),
                                     named(b, "expected_dimension", integer_attribute(context, d)),
                                     named(b, "found_dimension", integer_attribute(context, e))};
  make_op(b, "tin.match", 2, (MlirValue[]){x, y}, 0, NULL, 3, attributes);
}

/* What it is a copy of, in another format. */
static MlirValue converted_from(MlirValue tensor) {
  MlirOperation op = value_owner(tensor);
  while (!mlirOperationIsNull(op) && (statement_op_is_conversion(op) || tin_is_convert(op))) {
    tensor = mlirOperationGetOperand(op, 0);
    op = value_owner(tensor);
  }
  return tensor;
}

MlirAttribute tin_tensor_holds(MlirValue tensor) {
  MlirValue argument = converted_from(tensor);
  const MlirAttribute none = {NULL};
  if (!mlirValueIsABlockArgument(argument))
    return none;
  MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
  intptr_t place = mlirBlockArgumentGetArgNumber(argument);
  MlirAttribute all = op_is(function, "func.func") ? op_attribute(function, "arg_attrs") : none;
  if (mlirAttributeIsNull(all) || place >= mlirArrayAttrGetNumElements(all))
    return none;
  return mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, place),
                                            mlirStringRefCreateFromCString("tin.holds"));
}

/* One of a group of as many numbers as there are dimensions; 0 where the group is not told. */
static int64_t held_in_group(MlirAttribute holds, int group, int order, int dimension) {
  intptr_t place = 1 + (intptr_t)group * order + dimension;
  bool is_told = !mlirAttributeIsNull(holds) && mlirDenseArrayGetNumElements(holds) > place;
  return is_told ? mlirDenseI64ArrayGetElement(holds, place) : 0;
}

int64_t tin_held_at_most(MlirAttribute holds, int order, int dimension) {
  return held_in_group(holds, 1, order, dimension);
}

int64_t tin_held_size(MlirAttribute holds, MlirType type, int dimension) {
  int64_t size = dimension_size(type, dimension);
  return size >= 0 || mlirAttributeIsNull(holds)
             ? size
             : held_in_group(holds, 0, tensor_order(type), dimension);
}

int64_t tin_held_spread(MlirAttribute holds, MlirType type, int dimension) {
  int64_t spread = held_in_group(holds, 2, tensor_order(type), dimension);
  int64_t size = tin_held_size(holds, type, dimension);
  return spread > 0 && spread < size ? spread : size;
}

MlirType tensor_with_encoding(MlirType type, MlirAttribute encoding) {
  arena *memory = arena_create();
  int order = tensor_order(type);
  int64_t *shape = ARENA_ARRAY(memory, int64_t, order + 1);
  for (int d = 0; d < order; d++)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  MlirType stored =
      mlirRankedTensorTypeGet(order, shape, mlirShapedTypeGetElementType(type), encoding);
  arena_free(memory);
  return stored;
}
