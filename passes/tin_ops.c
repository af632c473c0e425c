/* Making operations of the tin rung. */
#include "tin_ops.h"

#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

MlirAttribute texts_attribute(MlirContext context, int count, const char *const *texts) {
  MlirAttribute array[count + 1];
  for (int i = 0; i < count; i++)
    array[i] = mlirStringAttrGet(context, mlirStringRefCreateFromCString(texts[i]));
  return mlirArrayAttrGet(context, count, array);
}

static MlirAttribute maps_attribute(MlirContext context, int count, const MlirAffineMap *maps) {
  MlirAttribute array[count + 1];
  for (int i = 0; i < count; i++)
    array[i] = mlirAffineMapAttrGet(maps[i]);
  return mlirArrayAttrGet(context, count, array);
}

static int compute_attributes(builder *b, const compute_parts *parts, MlirNamedAttribute *list) {
  MlirContext context = builder_context(b);
  int accesses = parts->operand_count + 1, count = 0;
  list[count++] = named(b, "maps", maps_attribute(context, accesses, parts->maps));
  list[count++] =
      named(b, "variables", texts_attribute(context, parts->variable_count, parts->variables));
  if (parts->fills)
    list[count++] = named(b, "fills", mlirArrayAttrGet(context, accesses, parts->fills));
  if (parts->names)
    list[count++] = named(b, "tensor_names", texts_attribute(context, accesses, parts->names));
  return count;
}

MlirValue compute_make(builder *b, const compute_parts *parts) {
  MlirNamedAttribute attributes[4];
  int attribute_count = compute_attributes(b, parts, attributes);
  MlirRegion body = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(body, parts->body);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("tin.compute"), builder_location(b));
  mlirOperationStateAddOperands(&state, parts->operand_count, parts->operands);
  mlirOperationStateAddResults(&state, 1, &parts->result);
  mlirOperationStateAddAttributes(&state, attribute_count, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  return op_result(insert_op(b, mlirOperationCreate(&state)), 0);
}

MlirValue reduce_make(builder *b, const char *kind, MlirValue value, int variable_count,
                      const char *const *variables, MlirAttribute identity) {
  MlirContext context = builder_context(b);
  MlirNamedAttribute attributes[3] = {
      named(b, "kind", text_attribute(context, mlirStringRefCreateFromCString(kind))),
      named(b, "variables", texts_attribute(context, variable_count, variables))};
  int count = 2;
  if (!mlirAttributeIsNull(identity))
    attributes[count++] = named(b, "identity", identity);
  MlirType type = mlirValueGetType(value);
  return op_result(make_op(b, "tin.reduce", 1, &value, 1, &type, count, attributes), 0);
}

void yield_make(builder *b, MlirValue value) {
  make_op(b, "tin.yield", 1, &value, 0, NULL, 0, NULL);
}

MlirValue convert_make(builder *b, MlirValue source, MlirType type, MlirAttribute fill) {
  int count = mlirAttributeIsNull(fill) ? 0 : 1;
  MlirNamedAttribute attribute = {0};
  if (count)
    attribute = named(b, "fill", fill);
  return op_result(make_op(b, "tin.convert", 1, &source, 1, &type, count, &attribute), 0);
}

MlirValue sort_make(builder *b, MlirValue source, MlirType type) {
  return op_result(make_op(b, "tin.sort", 1, &source, 1, &type, 0, NULL), 0);
}

MlirType tensor_with_encoding(MlirType type, MlirAttribute encoding) {
  int order = tensor_order(type);
  int64_t shape[order + 1];
  for (int d = 0; d < order; d++)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(order, shape, mlirShapedTypeGetElementType(type), encoding);
}

typedef struct collection {
  arena *memory;
  const char *name;
  MlirOperation *found;
  int count, room;
} collection;

static bool collect(MlirOperation op, void *data) {
  collection *c = data;
  if (!op_is(op, c->name))
    return true;
  if (c->count == c->room) {
    int room = c->room ? 2 * c->room : 16;
    MlirOperation *larger = ARENA_ARRAY(c->memory, MlirOperation, room);
    for (int i = 0; i < c->count; i++)
      larger[i] = c->found[i];
    c->found = larger;
    c->room = room;
  }
  c->found[c->count++] = op;
  return true;
}

MlirOperation *collect_operations(arena *memory, MlirOperation root, const char *name, int *count) {
  collection c = {.memory = memory, .name = name};
  visit_below(root, collect, &c);
  *count = c.count;
  return c.found;
}

void replace_operation(MlirOperation op, MlirValue replacement) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), replacement);
  mlirOperationDestroy(op);
}
