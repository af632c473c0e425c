/* Makes operations of the tin dialect (tin.h). */
#include "tin.h"

#include "arena.h"

#include <mlir-c/BuiltinAttributes.h>

static MlirNamedAttribute attribute(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

static MlirAttribute texts(MlirContext context, intptr_t count, const MlirStringRef *list) {
  arena *memory = arena_create();
  MlirAttribute *array = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; i++)
    array[i] = mlirStringAttrGet(context, list[i]);
  MlirAttribute made = mlirArrayAttrGet(context, count, array);
  arena_free(memory);
  return made;
}

/* An operation of these operands and attributes with up to one result (`result` null: none). */
static MlirOperation create(const char *name, MlirLocation location, intptr_t operand_count,
                            const MlirValue *operands, intptr_t attribute_count,
                            const MlirNamedAttribute *attributes, MlirType result,
                            MlirRegion region) {
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString(name), location);
  mlirOperationStateAddOperands(&state, operand_count, operands);
  mlirOperationStateAddAttributes(&state, attribute_count, attributes);
  if (!mlirTypeIsNull(result))
    mlirOperationStateAddResults(&state, 1, &result);
  if (!mlirRegionIsNull(region))
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

static const MlirType no_type = {NULL};
static const MlirRegion no_region = {NULL};

MlirOperation tinEinsumCreate(MlirLocation location, MlirStringRef expression,
                              intptr_t operand_count, const MlirValue *operands, MlirType result,
                              MlirStringRef semiring) {
  MlirContext context = mlirLocationGetContext(location);
  MlirNamedAttribute attributes[2] = {
      attribute(context, "expression", mlirStringAttrGet(context, expression))};
  int count = 1;
  if (semiring.length > 0)
    attributes[count++] = attribute(context, "semiring", mlirStringAttrGet(context, semiring));
  return create("tin.einsum", location, operand_count, operands, count, attributes, result,
                no_region);
}

static MlirAttribute maps_attribute(MlirContext context, intptr_t count,
                                    const MlirAffineMap *maps) {
  arena *memory = arena_create();
  MlirAttribute *array = ARENA_ARRAY(memory, MlirAttribute, count);
  for (intptr_t i = 0; i < count; i++)
    array[i] = mlirAffineMapAttrGet(maps[i]);
  MlirAttribute made = mlirArrayAttrGet(context, count, array);
  arena_free(memory);
  return made;
}

MlirOperation tinComputeCreate(MlirLocation location, intptr_t operand_count,
                               const MlirValue *operands, const MlirAffineMap *maps,
                               intptr_t variable_count, const MlirStringRef *variables,
                               MlirType result, MlirBlock body) {
  MlirContext context = mlirLocationGetContext(location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  const MlirNamedAttribute attributes[2] = {
      attribute(context, "maps", maps_attribute(context, operand_count + 1, maps)),
      attribute(context, "variables", texts(context, variable_count, variables))};
  return create("tin.compute", location, operand_count, operands, 2, attributes, result, region);
}

MlirOperation tinReduceCreate(MlirLocation location, tin_reduction kind, MlirValue value,
                              intptr_t variable_count, const MlirStringRef *variables,
                              MlirAttribute identity) {
  MlirContext context = mlirLocationGetContext(location);
  MlirNamedAttribute attributes[3] = {
      attribute(context, "kind", tinReductionAttrGet(context, kind)),
      attribute(context, "variables", texts(context, variable_count, variables))};
  int count = 2;
  if (!mlirAttributeIsNull(identity))
    attributes[count++] = attribute(context, "identity", identity);
  return create("tin.reduce", location, 1, &value, count, attributes, mlirValueGetType(value),
                no_region);
}

MlirOperation tinYieldCreate(MlirLocation location, MlirValue value) {
  return create("tin.yield", location, 1, &value, 0, NULL, no_type, no_region);
}

MlirOperation tinConvertCreate(MlirLocation location, MlirValue source, MlirType result,
                               MlirAttribute fill) {
  intptr_t count = mlirAttributeIsNull(fill) ? 0 : 1;
  MlirNamedAttribute value = {{NULL}, fill};
  if (count)
    value = attribute(mlirLocationGetContext(location), "fill", fill);
  return create("tin.convert", location, 1, &source, count, &value, result, no_region);
}

MlirOperation tinReadCreate(MlirLocation location, MlirStringRef file, MlirType result) {
  MlirContext context = mlirLocationGetContext(location);
  MlirNamedAttribute name = attribute(context, "file", mlirStringAttrGet(context, file));
  return create("tin.read", location, 0, NULL, 1, &name, result, no_region);
}

MlirOperation tinWriteCreate(MlirLocation location, MlirValue source, MlirStringRef file) {
  MlirContext context = mlirLocationGetContext(location);
  MlirNamedAttribute name = attribute(context, "file", mlirStringAttrGet(context, file));
  return create("tin.write", location, 1, &source, 1, &name, no_type, no_region);
}

MlirOperation tinPrintCreate(MlirLocation location, MlirValue source) {
  return create("tin.print", location, 1, &source, 0, NULL, no_type, no_region);
}
