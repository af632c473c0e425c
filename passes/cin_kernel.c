/* cin_kernel.c - reading and rewriting a cin.kernel. */
#include "cin_kernel.h"

#include "remap.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

/* ---- lists ------------------------------------------------------------------------------ */

void op_list_add(arena *memory, op_list *list, MlirOperation op) {
  if (list->count == list->room) {
    int room = list->room ? 2 * list->room : 8;
    MlirOperation *ops = ARENA_ARRAY(memory, MlirOperation, room);
    if (list->count)
      memcpy(ops, list->ops, sizeof *ops * (size_t)list->count);
    list->ops = ops;
    list->room = room;
  }
  list->ops[list->count++] = op;
}

typedef struct collector {
  arena *memory;
  const char *name;
  op_list found;
} collector;

static bool collect(MlirOperation op, void *data) {
  collector *c = data;
  if (op_is(op, c->name))
    op_list_add(c->memory, &c->found, op);
  return true;
}

op_list ops_below(arena *memory, MlirOperation root, const char *name) {
  collector c = {memory, name, {0}};
  visit_below(root, collect, &c);
  return c.found;
}

/* ---- the kernel ------------------------------------------------------------------------- */

MlirValue cin_kernel_result(MlirOperation kernel) {
  MlirBlock block = op_block(kernel, 0);
  return mlirBlockGetArgument(block, mlirBlockGetNumArguments(block) - 1);
}

const char *cin_tensor_name(arena *memory, MlirOperation kernel, MlirValue tensor) {
  if (!mlirValueIsABlockArgument(tensor))
    return "a workspace";
  intptr_t i = mlirBlockArgumentGetArgNumber(tensor);
  MlirAttribute names = op_attribute(kernel, "tensor_names");
  if (!mlirAttributeIsNull(names)) {
    MlirStringRef name = element_text(names, i);
    return arena_format(memory, "'%.*s'", TEXT(name));
  }
  return mlirValueEqual(tensor, cin_kernel_result(kernel))
             ? "the result"
             : arena_format(memory, "operand %ld", (long)i);
}

MlirAttribute cin_kernel_result_fill(MlirOperation kernel) {
  MlirAttribute fills = op_attribute(kernel, "fills");
  return mlirAttributeIsNull(fills)
             ? fills
             : mlirArrayAttrGetElement(fills, mlirArrayAttrGetNumElements(fills) - 1);
}

MlirValue cin_kernel_variable(MlirOperation kernel, const char *name) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue v = mlirOperationGetResult(op, i);
      if (cinTypeIsAIndexVariable(mlirValueGetType(v)) && text_is(provenance_name(v), name))
        return v;
    }
  return (MlirValue){NULL};
}

static bool is_statement(MlirOperation op) {
  return op_is(op, "cin.forall") || op_is(op, "cin.where") || op_is(op, "cin.read") ||
         op_is(op, "cin.assign");
}

MlirOperation cin_kernel_first_statement(MlirOperation kernel) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (is_statement(op))
      return op;
  return (MlirOperation){NULL};
}

/* ---- foralls ---------------------------------------------------------------------------- */

MlirValue cin_forall_variable(MlirOperation forall) {
  return mlirOperationGetOperand(forall, 0);
}

void cin_forall_set_variable(MlirOperation forall, MlirValue variable) {
  mlirOperationSetOperand(forall, 0, variable);
}

bool cin_forall_is_parallel(MlirOperation forall) {
  return cin_op_unit(forall) != CIN_SERIAL;
}

static void add_region(MlirOperationState *state) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  mlirOperationStateAddOwnedRegions(state, 1, &region);
}

MlirOperation cin_forall_create(MlirLocation location, MlirValue variable) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("cin.forall"), location);
  mlirOperationStateAddOperands(&state, 1, &variable);
  add_region(&state);
  return mlirOperationCreate(&state);
}

void move_statements(MlirBlock from, MlirBlock to) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(from); !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
}

op_list cin_path(arena *memory, MlirOperation op) {
  op_list path = {0};
  for (MlirOperation up = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(up) && !op_is(up, "cin.kernel");
       up = mlirOperationGetParentOperation(up))
    if (op_is(up, "cin.forall"))
      op_list_add(memory, &path, up);
  for (int i = 0, j = path.count - 1; i < j; ++i, --j) {
    MlirOperation swapped = path.ops[i];
    path.ops[i] = path.ops[j];
    path.ops[j] = swapped;
  }
  return path;
}

/* ---- accesses --------------------------------------------------------------------------- */

MlirValue cin_access_tensor(MlirOperation access) {
  return mlirOperationGetOperand(access, 0);
}

static MlirAffineMap access_map(MlirOperation access) {
  return mlirAffineMapAttrGetValue(op_attribute(access, "map"));
}

intptr_t cin_access_rank(MlirOperation access) {
  return mlirAffineMapGetNumResults(access_map(access));
}

MlirValue cin_access_bare(MlirOperation access, intptr_t dimension) {
  MlirAffineExpr subscript = mlirAffineMapGetResult(access_map(access), dimension);
  if (!mlirAffineExprIsADim(subscript))
    return (MlirValue){NULL};
  return mlirOperationGetOperand(access, 1 + mlirAffineDimExprGetPosition(subscript));
}

bool cin_subscript_uses(MlirOperation access, intptr_t dimension, MlirValue variable) {
  MlirAffineMap map = access_map(access);
  MlirAffineExpr subscript = mlirAffineMapGetResult(map, dimension);
  for (intptr_t i = 0; i < mlirAffineMapGetNumDims(map); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(access, 1 + i), variable) &&
        mlirAffineExprIsFunctionOfDim(subscript, i))
      return true;
  return false;
}

bool cin_access_uses(MlirOperation access, MlirValue variable) {
  for (intptr_t d = 0; d < cin_access_rank(access); ++d)
    if (cin_subscript_uses(access, d, variable))
      return true;
  return false;
}

bool cin_access_reduces(const provenance *graph, MlirOperation access, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(graph, variable, &roots);
  for (intptr_t i = 0; i < count; ++i)
    if (!cin_access_uses(access, roots[i]))
      return true;
  return false;
}

static bool is_remap_to(MlirOperation op, MlirOperation access, const remap *holds) {
  remap by;
  MlirValue none = {NULL};
  if (!op_is(op, "cin.remap") || !remap_of(mlirAffineMapGetResult(access_map(op), 0), &by))
    return false;
  return remap_equal_of(holds, cin_access_bare(access, holds->dimension),
                        holds->other < 0 ? none : cin_access_bare(access, holds->other), &by,
                        mlirOperationGetOperand(op, by.dimension),
                        by.other < 0 ? none : mlirOperationGetOperand(op, by.other));
}

MlirValue cin_access_level(MlirOperation kernel, MlirOperation access, const format_level *level) {
  remap holds;
  if (level->dimension >= 0)
    return cin_access_bare(access, level->dimension);
  if (remap_of(level->expression, &holds))
    for (OPERATIONS(op, op_block(kernel, 0)))
      if (is_remap_to(op, access, &holds))
        return mlirOperationGetResult(op, 0);
  return (MlirValue){NULL};
}

/* ---- making ----------------------------------------------------------------------------- */

static MlirNamedAttribute attribute_of(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

static MlirType accessed_type(MlirValue tensor) {
  MlirType type = mlirValueGetType(tensor);
  return mlirTypeIsARankedTensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

static void add_access(MlirOperationState *state, MlirContext context, MlirValue tensor,
                       intptr_t count, const MlirValue *variables) {
  MlirNamedAttribute map = attribute_of(
      context, "map", mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, count)));
  mlirOperationStateAddOperands(state, 1, &tensor);
  mlirOperationStateAddOperands(state, count, variables);
  mlirOperationStateAddAttributes(state, 1, &map);
}

MlirOperation cin_read_create(MlirLocation location, MlirValue tensor, intptr_t count,
                              const MlirValue *variables) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("cin.read"), location);
  MlirType type = accessed_type(tensor);
  add_access(&state, mlirLocationGetContext(location), tensor, count, variables);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

MlirOperation cin_assign_create(MlirLocation location, MlirValue tensor, intptr_t count,
                                const MlirValue *variables, MlirValue value, MlirStringRef kind,
                                MlirAttribute identity) {
  MlirContext context = mlirLocationGetContext(location);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("cin.assign"), location);
  add_access(&state, context, tensor, count, variables);
  mlirOperationStateAddOperands(&state, 1, &value);
  MlirOperation op = mlirOperationCreate(&state);
  if (kind.length)
    op_set(op, "kind", text_attribute(context, kind));
  if (kind.length && !mlirAttributeIsNull(identity))
    op_set(op, "identity", identity);
  return op;
}

MlirValue cin_workspace_create(MlirOperation kernel, MlirType type, intptr_t count,
                               const MlirValue *variables) {
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("cin.workspace"),
                                                   mlirOperationGetLocation(kernel));
  mlirOperationStateAddOperands(&state, count, variables);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(op_block(kernel, 0), cin_kernel_first_statement(kernel), op);
  return mlirOperationGetResult(op, 0);
}

MlirOperation cin_split_create(MlirOperation kernel, MlirValue variable, int64_t size,
                               const char *outer, const char *inner) {
  MlirContext context = mlirOperationGetContext(kernel);
  MlirType types[] = {mlirValueGetType(variable), mlirValueGetType(variable)};
  MlirNamedAttribute attributes[] = {
      attribute_of(context, "size", integer_attribute(context, size)),
      attribute_of(context, "outer_name",
                   text_attribute(context, mlirStringRefCreateFromCString(outer))),
      attribute_of(context, "inner_name",
                   text_attribute(context, mlirStringRefCreateFromCString(inner)))};
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("cin.split"),
                                                   mlirOperationGetLocation(kernel));
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOperands(&state, 1, &variable);
  mlirOperationStateAddResults(&state, 2, types);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(op_block(kernel, 0), cin_kernel_first_statement(kernel), op);
  return op;
}

MlirOperation cin_where_create(MlirLocation location, MlirValue workspace) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("cin.where"), location);
  mlirOperationStateAddOperands(&state, 1, &workspace);
  add_region(&state);
  add_region(&state);
  return mlirOperationCreate(&state);
}

const char *cin_new_name(arena *memory, MlirOperation kernel, MlirValue variable,
                         const char *suffix) {
  MlirStringRef name = provenance_name(variable);
  const char *made = arena_format(memory, "%.*s%s", TEXT(name), suffix);
  while (!mlirValueIsNull(cin_kernel_variable(kernel, made)))
    made = arena_format(memory, "%s_", made);
  return made;
}

int cin_foralls_over(arena *memory, MlirOperation kernel, MlirValue variable) {
  op_list foralls = ops_below(memory, kernel, "cin.forall");
  int count = 0;
  for (int i = 0; i < foralls.count; ++i)
    count += mlirValueEqual(cin_forall_variable(foralls.ops[i]), variable);
  return count;
}

void cin_forall_enclose(MlirOperation forall, MlirValue outer) {
  MlirOperation nested =
      cin_forall_create(mlirOperationGetLocation(forall), cin_forall_variable(forall));
  move_statements(op_block(forall, 0), op_block(nested, 0));
  mlirBlockAppendOwnedOperation(op_block(forall, 0), nested);
  cin_forall_set_variable(forall, outer);
}

/* ---- where variables become known ------------------------------------------------------- */

int cin_known_at(provenance *graph, op_list path, MlirValue wanted, provenance_kind *kind) {
  int found = -1, bound = 0;
  for (; bound < path.count && found < 0; ++bound) {
    MlirValue variable = cin_forall_variable(path.ops[bound]);
    provenance_step step = provenance_next(graph, variable);
    provenance_bind(graph, variable, (MlirValue){NULL});
    if (step.kind == PROVENANCE_COUNT || !provenance_is_known(graph, wanted))
      continue;
    found = bound;
    if (kind)
      *kind = step.kind;
  }
  while (bound > 0)
    provenance_unbind(graph, cin_forall_variable(path.ops[--bound]));
  return found;
}

bool cin_access_follows(arena *memory, provenance *graph, MlirOperation access,
                        MlirValue variable) {
  op_list path = cin_path(memory, access);
  bool known = true;
  for (int i = 0; i < path.count; ++i)
    if (!mlirValueEqual(cin_forall_variable(path.ops[i]), variable))
      provenance_bind(graph, cin_forall_variable(path.ops[i]), (MlirValue){NULL});
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(access); ++i) {
    MlirValue used = mlirOperationGetOperand(access, i);
    if (cinTypeIsAIndexVariable(mlirValueGetType(used)) && cin_access_uses(access, used))
      known = known && provenance_is_known(graph, used);
  }
  for (int i = 0; i < path.count; ++i)
    provenance_unbind(graph, cin_forall_variable(path.ops[i]));
  return !known;
}

int cin_subscript_known_at(provenance *graph, op_list path, MlirOperation access,
                           intptr_t dimension) {
  int latest = 0;
  MlirAffineMap map = access_map(access);
  for (intptr_t i = 0; i < mlirAffineMapGetNumDims(map); ++i) {
    MlirValue variable = mlirOperationGetOperand(access, 1 + i);
    if (!cin_subscript_uses(access, dimension, variable))
      continue;
    int at = cin_known_at(graph, path, variable, NULL);
    if (at < 0)
      return -1;
    latest = at > latest ? at : latest;
  }
  return latest;
}
