/* cin_ops.c - makes the operations of the cin dialect. */
#include "cin_ops.h"

#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirAttribute text_of(MlirLocation location, const char *text) {
  return text_attribute(mlirLocationGetContext(location), ref(text));
}

static MlirType variable_type(MlirLocation location) {
  return cinIndexVariableTypeGet(mlirLocationGetContext(location));
}

static MlirOperationState state_of(const char *name, MlirLocation location, intptr_t operand_count,
                                   const MlirValue *operands) {
  MlirOperationState state = mlirOperationStateGet(ref(name), location);
  mlirOperationStateAddOperands(&state, operand_count, operands);
  return state;
}

static void add_attribute(MlirOperationState *state, const char *name, MlirAttribute value) {
  MlirContext context = mlirLocationGetContext(state->location);
  MlirNamedAttribute attribute =
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref(name)), value);
  mlirOperationStateAddAttributes(state, 1, &attribute);
}

static void add_region(MlirOperationState *state, MlirBlock body) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(state, 1, &region);
}

MlirOperation cin_kernel_create(MlirLocation location, intptr_t operand_count,
                                const MlirValue *operands, MlirType result, MlirBlock body) {
  MlirOperationState state = state_of("cin.kernel", location, operand_count, operands);
  mlirOperationStateAddResults(&state, 1, &result);
  add_region(&state, body);
  return mlirOperationCreate(&state);
}

/* ---- variables and relations --------------------------------------------------------------- */

/* Its one result, a variable of that name. */
static void add_variable(MlirOperationState *state, const char *name) {
  MlirType type = variable_type(state->location);
  mlirOperationStateAddResults(state, 1, &type);
  add_attribute(state, "name", text_of(state->location, name));
}

MlirOperation cin_index_create(MlirLocation location, const char *name, MlirValue like,
                               int64_t extent) {
  MlirOperationState state = state_of("cin.index", location, !mlirValueIsNull(like), &like);
  add_variable(&state, name);
  if (extent >= 0)
    add_attribute(&state, "extent", integer_attribute(mlirLocationGetContext(location), extent));
  return mlirOperationCreate(&state);
}

MlirOperation cin_split_create(MlirLocation location, MlirValue parent, int64_t size,
                               const char *outer, const char *inner) {
  MlirOperationState state = state_of("cin.split", location, 1, &parent);
  MlirType types[] = {variable_type(location), variable_type(location)};
  mlirOperationStateAddResults(&state, 2, types);
  add_attribute(&state, "size", integer_attribute(mlirLocationGetContext(location), size));
  add_attribute(&state, "outer_name", text_of(location, outer));
  add_attribute(&state, "inner_name", text_of(location, inner));
  return mlirOperationCreate(&state);
}

MlirOperation cin_collapse_create(MlirLocation location, MlirValue inner, intptr_t count,
                                  const MlirValue *above, const char *name) {
  MlirOperationState state = state_of("cin.collapse", location, 1, &inner);
  mlirOperationStateAddOperands(&state, count, above);
  add_variable(&state, name);
  return mlirOperationCreate(&state);
}

MlirOperation cin_pos_create(MlirLocation location, MlirValue parent, MlirValue tensor,
                             int64_t level, const MlirValue *above, const char *name) {
  MlirValue operands[] = {parent, tensor};
  MlirOperationState state = state_of("cin.pos", location, 2, operands);
  mlirOperationStateAddOperands(&state, level, above);
  add_attribute(&state, "level", integer_attribute(mlirLocationGetContext(location), level));
  add_variable(&state, name);
  return mlirOperationCreate(&state);
}

MlirOperation cin_coord_create(MlirLocation location, MlirValue parent, MlirValue variable,
                               intptr_t count, const MlirValue *pieces, const char *name) {
  MlirOperationState state = state_of("cin.coord", location, 2, (MlirValue[]){parent, variable});
  mlirOperationStateAddOperands(&state, count, pieces);
  add_variable(&state, name);
  return mlirOperationCreate(&state);
}

MlirOperation cin_twin_create(MlirLocation location, MlirValue parent, MlirValue twin,
                              const char *name) {
  MlirOperationState state = state_of("cin.twin", location, 2, (MlirValue[]){parent, twin});
  MlirType type = variable_type(location);
  mlirOperationStateAddResults(&state, 1, &type);
  add_attribute(&state, "name", text_of(location, name));
  return mlirOperationCreate(&state);
}

MlirOperation cin_bound_create(MlirLocation location, MlirValue parent, int64_t size,
                               cin_bound_kind kind, const char *name) {
  MlirContext context = mlirLocationGetContext(location);
  MlirOperationState state = state_of("cin.bound", location, 1, &parent);
  add_attribute(&state, "size", integer_attribute(context, size));
  add_attribute(&state, "kind", cin_bound_kind_attribute(context, kind));
  add_variable(&state, name);
  return mlirOperationCreate(&state);
}

MlirOperation cin_remap_create(MlirLocation location, intptr_t count, const MlirValue *variables,
                               MlirAffineMap map, const char *name, bool is_value) {
  MlirOperationState state = state_of("cin.remap", location, count, variables);
  add_attribute(&state, "map", mlirAffineMapAttrGet(map));
  add_variable(&state, name);
  if (is_value)
    add_attribute(&state, "is_value", mlirUnitAttrGet(mlirLocationGetContext(location)));
  return mlirOperationCreate(&state);
}

MlirOperation cin_window_create(MlirLocation location, MlirValue form, intptr_t outer_count,
                                const MlirValue *outer, MlirAffineMap start, intptr_t inner_count,
                                const MlirValue *inner, MlirAffineMap reach, const char *name) {
  MlirContext context = mlirLocationGetContext(location);
  int32_t sizes[] = {1, (int32_t)outer_count, (int32_t)inner_count};
  MlirOperationState state = state_of("cin.window", location, 1, &form);
  mlirOperationStateAddOperands(&state, outer_count, outer);
  mlirOperationStateAddOperands(&state, inner_count, inner);
  add_attribute(&state, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 3, sizes));
  add_attribute(&state, "start", mlirAffineMapAttrGet(start));
  add_attribute(&state, "reach", mlirAffineMapAttrGet(reach));
  add_variable(&state, name);
  return mlirOperationCreate(&state);
}

MlirOperation cin_subscript_create(MlirLocation location, MlirValue subscript, intptr_t count,
                                   const MlirValue *variables, MlirAffineMap map) {
  MlirOperationState state = state_of("cin.subscript", location, 1, &subscript);
  mlirOperationStateAddOperands(&state, count, variables);
  add_attribute(&state, "map", mlirAffineMapAttrGet(map));
  return mlirOperationCreate(&state);
}

/* ---- statements ---------------------------------------------------------------------------- */

MlirOperation cin_workspace_create(MlirLocation location, MlirType type, intptr_t count,
                                   const MlirValue *variables) {
  MlirOperationState state = state_of("cin.workspace", location, count, variables);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

MlirOperation cin_forall_create(MlirLocation location, MlirValue variable) {
  MlirOperationState state = state_of("cin.forall", location, 1, &variable);
  add_region(&state, mlirBlockCreate(0, NULL, NULL));
  return mlirOperationCreate(&state);
}

MlirOperation cin_where_create(MlirLocation location, MlirValue workspace) {
  MlirOperationState state = state_of("cin.where", location, 1, &workspace);
  add_region(&state, mlirBlockCreate(0, NULL, NULL));
  add_region(&state, mlirBlockCreate(0, NULL, NULL));
  return mlirOperationCreate(&state);
}

MlirOperation cin_read_create(MlirLocation location, MlirValue tensor, MlirAffineMap map,
                              const MlirValue *variables) {
  MlirOperationState state = state_of("cin.read", location, 1, &tensor);
  MlirType type = element_type(mlirValueGetType(tensor));
  mlirOperationStateAddOperands(&state, mlirAffineMapGetNumDims(map), variables);
  mlirOperationStateAddResults(&state, 1, &type);
  add_attribute(&state, "map", mlirAffineMapAttrGet(map));
  return mlirOperationCreate(&state);
}

MlirOperation cin_assign_create(MlirLocation location, MlirValue tensor, MlirAffineMap map,
                                const MlirValue *variables, MlirValue value, tin_reduction kind,
                                MlirAttribute identity) {
  MlirOperationState state = state_of("cin.assign", location, 1, &tensor);
  mlirOperationStateAddOperands(&state, mlirAffineMapGetNumDims(map), variables);
  mlirOperationStateAddOperands(&state, 1, &value);
  add_attribute(&state, "map", mlirAffineMapAttrGet(map));
  if (kind)
    add_attribute(&state, "kind", tinReductionAttrGet(mlirLocationGetContext(location), kind));
  if (kind && !mlirAttributeIsNull(identity))
    add_attribute(&state, "identity", identity);
  return mlirOperationCreate(&state);
}
