/* cin_kernel.c - reading and rewriting a cin.kernel. */
#include "cin_kernel.h"

#include "cin.h"
#include "remap.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <limits.h>
#include <string.h>

/* ---- the kernel ------------------------------------------------------------------------- */

MlirValue cin_kernel_result(MlirOperation kernel) {
  MlirBlock block = op_block(kernel, 0);
  return mlirBlockGetArgument(block, mlirBlockGetNumArguments(block) - 1);
}

/* What is said around the tensor's name, if it has one. */
static const char *name_between(arena *memory, MlirOperation kernel, MlirValue tensor,
                                const char *before, const char *after) {
  if (!mlirValueIsABlockArgument(tensor)) {
    MlirOperation op = value_owner(tensor);
    MlirStringRef given = op_has(op, "name") ? op_text(op, "name") : (MlirStringRef){NULL, 0};
    return given.length ? arena_format(memory, "%s%.*s%s", before, TEXT(given), after)
                        : "a workspace";
  }
  intptr_t i = mlirBlockArgumentGetArgNumber(tensor);
  MlirStringRef name = statement_op_tensor_name(kernel, i);
  if (name.length)
    return arena_format(memory, "%s%.*s%s", before, TEXT(name), after);
  return mlirValueEqual(tensor, cin_kernel_result(kernel))
             ? "the result"
             : arena_format(memory, "operand %ld", (long)i);
}

const char *cin_tensor_name(arena *memory, MlirOperation kernel, MlirValue tensor) {
  return name_between(memory, kernel, tensor, "'", "'");
}

const char *cin_tensor_bare_name(arena *memory, MlirOperation kernel, MlirValue tensor) {
  return name_between(memory, kernel, tensor, "", "");
}

const char *cin_operand_name(arena *memory, MlirOperation kernel, MlirValue operand) {
  return name_between(memory, kernel, operand, "operand '", "'");
}

MlirAttribute cin_kernel_result_fill(MlirOperation kernel) {
  return statement_op_fill(kernel, mlirBlockGetNumArguments(op_block(kernel, 0)) - 1);
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
  return cin_is_forall(op) || cin_is_where(op) || cin_is_read(op) || cin_is_assign(op);
}

MlirOperation cin_kernel_first_statement(MlirOperation kernel) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (is_statement(op))
      return op;
  return (MlirOperation){NULL};
}

/* ---- foralls ---------------------------------------------------------------------------- */

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
       !mlirOperationIsNull(up) && !cin_is_kernel(up); up = mlirOperationGetParentOperation(up))
    if (cin_is_forall(up))
      op_list_add(memory, &path, up);
  for (int i = 0, j = path.count - 1; i < j; ++i, --j) {
    MlirOperation swapped = path.ops[i];
    path.ops[i] = path.ops[j];
    path.ops[j] = swapped;
  }
  return path;
}

MlirOperation cin_where_of(MlirOperation access) {
  MlirOperation up = access;
  for (; !cin_is_kernel(up); up = mlirOperationGetParentOperation(up))
    if (cin_is_where(up) && mlirValueEqual(cin_where_workspace(up), cin_access_tensor(access)))
      return up;
  return (MlirOperation){NULL};
}

bool cin_rounds_below(arena *memory, MlirOperation op) {
  op_list assigns = ops_below(memory, op, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (cin_assign_kind(assigns.ops[i]) &&
        !type_is_integer(element_type(mlirValueGetType(cin_access_tensor(assigns.ops[i])))))
      return true;
  return false;
}

/* ---- accesses --------------------------------------------------------------------------- */

intptr_t cin_access_rank(MlirOperation access) {
  return mlirAffineMapGetNumResults(cin_access_map(access));
}

MlirValue cin_access_bare(MlirOperation access, intptr_t dimension) {
  MlirAffineExpr subscript = mlirAffineMapGetResult(cin_access_map(access), dimension);
  if (!mlirAffineExprIsADim(subscript))
    return (MlirValue){NULL};
  return cin_access_variable(access, mlirAffineDimExprGetPosition(subscript));
}

bool cin_subscript_uses(MlirOperation access, intptr_t dimension, MlirValue variable) {
  MlirAffineMap map = cin_access_map(access);
  MlirAffineExpr subscript = mlirAffineMapGetResult(map, dimension);
  for (intptr_t i = 0; i < mlirAffineMapGetNumDims(map); ++i)
    if (mlirValueEqual(cin_access_variable(access, i), variable) &&
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

bool cin_access_determines(const provenance *graph, MlirOperation access, MlirValue variable) {
  arena *memory = arena_create();
  intptr_t rank = cin_access_rank(access), count = 0;
  MlirValue *bare = ARENA_ARRAY(memory, MlirValue, rank + 1);
  for (intptr_t d = 0; d < rank; ++d)
    if (!mlirValueIsNull(cin_access_bare(access, d)))
      bare[count++] = cin_access_bare(access, d);
  bool follows = provenance_follows(graph, variable, count, bare);
  arena_free(memory);
  return follows;
}

bool cin_access_reduces(const provenance *graph, MlirOperation access, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(graph, variable, &roots);
  for (intptr_t i = 0; i < count; ++i)
    if (!cin_access_uses(access, roots[i]) && !cin_access_determines(graph, access, roots[i]))
      return true;
  return false;
}

/* ---- what levels hold ------------------------------------------------------------------- */

static const MlirAffineExpr no_expression = {NULL};

/* The number of a variable among those of the kernel that no relation derives, or that are
 * subscripts, of which levels hold expressions as of the others; -1 for others. */
static int index_number(MlirOperation kernel, MlirValue variable) {
  int number = 0;
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (cin_is_index(op) || (cin_is_remap(op) && cin_remap_is_value(op))) {
      if (mlirValueEqual(mlirOperationGetResult(op, 0), variable))
        return number;
      number++;
    }
  return -1;
}

static MlirAffineExpr remap_expression(arena *memory, MlirOperation kernel, MlirOperation op);

/* What a variable is of those by their numbers; null where a relation other than cin.remap derives
 * it. */
static MlirAffineExpr expression_of(arena *memory, MlirOperation kernel, MlirValue variable) {
  MlirOperation op = mlirValueIsNull(variable) ? (MlirOperation){NULL} : value_owner(variable);
  if (mlirOperationIsNull(op))
    return no_expression;
  int number = index_number(kernel, variable);
  if (number >= 0)
    return mlirAffineDimExprGet(mlirOperationGetContext(kernel), number);
  return cin_is_remap(op) ? remap_expression(memory, kernel, op) : no_expression;
}

static MlirAffineExpr remap_expression(arena *memory, MlirOperation kernel, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirAffineExpr *operands = ARENA_ARRAY(memory, MlirAffineExpr, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = expression_of(memory, kernel, cin_remap_variable(op, i));
    if (mlirAffineExprIsNull(operands[i]))
      return no_expression;
  }
  return remap_replace(mlirAffineMapGetResult(cin_remap_map(op), 0), count, operands);
}

static bool is_of(MlirAffineExpr expression, int d) {
  return remap_counted(expression) == d || mlirAffineExprIsFunctionOfDim(expression, d);
}

/* What a level holds of these variables, one for each dimension. */
static MlirAffineExpr held_by(arena *memory, MlirOperation kernel, MlirAffineExpr held, int order,
                              const MlirValue *variables) {
  remap r;
  MlirAffineExpr *dimensions = ARENA_ARRAY(memory, MlirAffineExpr, order + 1);
  for (int d = 0; d < order; ++d) {
    dimensions[d] = mlirAffineConstantExprGet(mlirOperationGetContext(kernel), 0);
    if (is_of(held, d))
      dimensions[d] = expression_of(memory, kernel, variables[d]);
    if (mlirAffineExprIsNull(dimensions[d]))
      return no_expression;
  }
  return remap_of(held, &r) ? remap_replace(held, order, dimensions) : no_expression;
}

/* The cin.remap that is `held` of the variables by their numbers, counted from its least, from zero
 * (a value), or both; null for none. */
static MlirValue remap_to(arena *memory, MlirOperation kernel, MlirAffineExpr held, bool is_value) {
  MlirValue found = {NULL};
  bool both = !mlirAffineExprIsNull(held) && remap_is_counted_from_zero(held);
  for (OPERATIONS(op, op_block(kernel, 0))) {
    if (mlirAffineExprIsNull(held) || !mlirValueIsNull(found) || !cin_is_remap(op) ||
        (!both && cin_remap_is_value(op) != is_value))
      continue;
    MlirAffineExpr own = remap_expression(memory, kernel, op);
    if (!mlirAffineExprIsNull(own) && mlirAffineExprEqual(own, held))
      found = mlirOperationGetResult(op, 0);
  }
  return found;
}

MlirValue cin_level_variable(MlirOperation kernel, const format_level *level, int order,
                             const MlirValue *variables) {
  if (level->dimension >= 0)
    return variables[level->dimension];
  arena *memory = arena_create();
  MlirAffineExpr held = held_by(memory, kernel, level->expression, order, variables);
  MlirValue found = remap_to(memory, kernel, held, false);
  arena_free(memory);
  return found;
}

MlirValue cin_form_variable(MlirOperation kernel, MlirAffineExpr subscript, intptr_t count,
                            const MlirValue *variables) {
  MlirValue found = {NULL};
  if (count > INT_MAX)
    return found;
  arena *memory = arena_create();
  MlirAffineExpr form = held_by(memory, kernel, remap_canonical(subscript), (int)count, variables);
  bool is_one =
      !mlirAffineExprIsNull(form) && (remap_is_form(form) || mlirAffineExprIsAConstant(form));
  if (is_one)
    found = remap_to(memory, kernel, form, true);
  arena_free(memory);
  return found;
}

/* The variable of a subscript: bare, or a linear form that is one of its own. */
static MlirValue subscript_variable_of(arena *memory, MlirOperation kernel, MlirOperation access,
                                       intptr_t dimension) {
  MlirValue bare = cin_access_bare(access, dimension);
  if (!mlirValueIsNull(bare))
    return bare;
  MlirAffineMap map = cin_access_map(access);
  intptr_t count = mlirAffineMapGetNumDims(map);
  MlirValue *variables = ARENA_ARRAY(memory, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    variables[i] = cin_access_variable(access, i);
  return cin_form_variable(kernel, mlirAffineMapGetResult(map, dimension), count, variables);
}

MlirValue cin_access_level(MlirOperation kernel, MlirOperation access, const format_level *level) {
  int order = (int)cin_access_rank(access);
  arena *memory = arena_create();
  MlirValue *variables = ARENA_ARRAY(memory, MlirValue, order + 1);
  for (int d = 0; d < order; ++d)
    variables[d] = subscript_variable_of(memory, kernel, access, d);
  MlirValue found = cin_level_variable(kernel, level, order, variables);
  arena_free(memory);
  return found;
}

/* ---- making ----------------------------------------------------------------------------- */

static MlirAffineMap bare_map(MlirLocation location, intptr_t count) {
  return mlirAffineMapMultiDimIdentityGet(mlirLocationGetContext(location), count);
}

MlirOperation cin_bare_read(MlirLocation location, MlirValue tensor, intptr_t count,
                            const MlirValue *variables) {
  return cin_read_create(location, tensor, bare_map(location, count), variables);
}

MlirOperation cin_bare_assign(MlirLocation location, MlirValue tensor, intptr_t count,
                              const MlirValue *variables, MlirValue value, tin_reduction kind,
                              MlirAttribute identity) {
  return cin_assign_create(location, tensor, bare_map(location, count), variables, value, kind,
                           identity);
}

/* A level of that format, of an entry's coordinates the last one or not. */
static MlirAttribute list_level(MlirContext context, const level_format *format, bool last,
                                int count, const int64_t *options) {
  unsigned taken = last ? 0 : TIN_NONUNIQUE;
  return tinLevelAttrGet(context, mlirStringRefCreateFromCString(format->name), taken, count,
                         options);
}

MlirType cin_list_workspace_type(MlirOperation op, const tensor_format *result, int order,
                                 const level_format *policy) {
  return cin_policy_workspace_type(op, result, order, policy, 0, NULL);
}

MlirType cin_policy_workspace_type(MlirOperation op, const tensor_format *result, int order,
                                   const level_format *policy, int count, const int64_t *options) {
  enum { MOST = 64 };
  MlirContext context = mlirOperationGetContext(op);
  MlirType none = {NULL};
  if (!policy)
    return error_at(op, "expected a level format for workspaces, found that none is registered"),
           none;
  const level_format *below = level_format_shares_key();
  if (order > 1 && (!policy->entry || !below))
    return error_at(op,
                    "expected a policy for a workspace of order %d that takes entries of several "
                    "coordinates, found '%s', which takes one",
                    order, level_format_policy(policy)),
           none;
  if (order > MOST)
    return error_at(op, "expected a workspace of order %d at most, found order %d", MOST, order),
           none;
  MlirAttribute levels[MOST];
  int64_t sizes[MOST];
  for (int l = 0; l < order; ++l) {
    levels[l] =
        list_level(context, l ? below : policy, l + 1 == order, l ? 0 : count, l ? NULL : options);
    sizes[l] = mlirShapedTypeGetDynamicSize();
  }
  MlirAttribute encoding =
      tinFormatAttrGet(context, mlirAffineMapMultiDimIdentityGet(context, order), order, levels,
                       result->position_width, result->coordinate_width);
  return mlirRankedTensorTypeGet(order, sizes, result->element, encoding);
}

const level_format *cin_workspace_policy(arena *memory, MlirOperation workspace) {
  const tensor_format *format =
      tensor_format_get(memory, mlirValueGetType(mlirOperationGetResult(workspace, 0)),
                        mlirOperationGetLocation(workspace));
  const level_format *first = format && format->level_count ? format->levels[0].format : NULL;
  return first && first->capabilities & LEVEL_WORKSPACE ? first : NULL;
}

MlirOperation cin_declare(MlirOperation kernel, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(op_block(kernel, 0), cin_kernel_first_statement(kernel), op);
  return op;
}

MlirValue cin_declare_workspace(MlirOperation kernel, MlirType type, intptr_t count,
                                const MlirValue *variables) {
  MlirLocation location = mlirOperationGetLocation(kernel);
  MlirOperation op = cin_declare(kernel, cin_workspace_create(location, type, count, variables));
  return mlirOperationGetResult(op, 0);
}

MlirOperation cin_declare_split(MlirOperation kernel, MlirValue variable, int64_t size,
                                const char *outer, const char *inner) {
  MlirLocation location = mlirOperationGetLocation(kernel);
  return cin_declare(kernel, cin_split_create(location, variable, size, outer, inner));
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
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  int count = 0;
  for (int i = 0; i < foralls.count; ++i)
    count += mlirValueEqual(cin_forall_variable(foralls.ops[i]), variable);
  return count;
}

static const char fixed[] = "fixed";

bool cin_forall_is_fixed(MlirOperation forall) {
  return op_has(forall, fixed);
}

static const char window[] = "window";

bool cin_forall_is_window(MlirOperation forall) {
  return op_has(forall, window);
}

void cin_forall_make_window(MlirOperation forall) {
  op_set(forall, window, mlirUnitAttrGet(mlirOperationGetContext(forall)));
}

void cin_forall_fix(MlirOperation forall) {
  op_set(forall, fixed, mlirUnitAttrGet(mlirOperationGetContext(forall)));
}

static void set_fixed(MlirOperation forall, bool is_fixed) {
  if (is_fixed)
    cin_forall_fix(forall);
  else
    mlirOperationRemoveAttributeByName(forall, mlirStringRefCreateFromCString(fixed));
}

void cin_forall_enclose(MlirOperation forall, MlirValue outer) {
  MlirOperation nested =
      cin_forall_create(mlirOperationGetLocation(forall), cin_forall_variable(forall));
  move_statements(cin_forall_body(forall), cin_forall_body(nested));
  mlirBlockAppendOwnedOperation(cin_forall_body(forall), nested);
  set_fixed(nested, cin_forall_is_fixed(forall));
  set_fixed(forall, false);
  cin_forall_set_variable(forall, outer);
}

void cin_forall_exchange(MlirOperation forall, MlirOperation other) {
  MlirValue variable = cin_forall_variable(forall);
  bool is_fixed = cin_forall_is_fixed(forall);
  cin_forall_set_variable(forall, cin_forall_variable(other));
  cin_forall_set_variable(other, variable);
  set_fixed(forall, cin_forall_is_fixed(other));
  set_fixed(other, is_fixed);
}

MlirOperation cin_subscript_of(MlirOperation kernel, MlirValue variable) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (cin_is_subscript(op) && mlirValueEqual(cin_subscript_variable(op), variable))
      return op;
  return (MlirOperation){NULL};
}

MlirOperation cin_only_forall_in(MlirOperation forall) {
  MlirOperation first = mlirBlockGetFirstOperation(cin_forall_body(forall)), none = {NULL};
  bool alone = !mlirOperationIsNull(first) && cin_is_forall(first) &&
               mlirOperationIsNull(mlirOperationGetNextInBlock(first));
  return alone ? first : none;
}

/* ---- where variables become known ------------------------------------------------------- */

void cin_bind(provenance *graph, op_list foralls) {
  for (int i = 0; i < foralls.count; ++i)
    provenance_bind(graph, cin_forall_variable(foralls.ops[i]), (MlirValue){NULL});
}

void cin_unbind(provenance *graph, op_list foralls) {
  for (int i = foralls.count; i > 0; --i)
    provenance_unbind(graph, cin_forall_variable(foralls.ops[i - 1]));
}

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
  for (intptr_t i = 0; i < cin_access_variable_count(access); ++i) {
    MlirValue used = cin_access_variable(access, i);
    if (cin_access_uses(access, used))
      known = known && provenance_is_known(graph, used);
  }
  for (int i = 0; i < path.count; ++i)
    provenance_unbind(graph, cin_forall_variable(path.ops[i]));
  return !known;
}

int cin_subscript_known_at(provenance *graph, op_list path, MlirOperation access,
                           intptr_t dimension) {
  int latest = 0;
  MlirAffineMap map = cin_access_map(access);
  for (intptr_t i = 0; i < mlirAffineMapGetNumDims(map); ++i) {
    MlirValue variable = cin_access_variable(access, i);
    if (!cin_subscript_uses(access, dimension, variable))
      continue;
    int at = cin_known_at(graph, path, variable, NULL);
    if (at < 0)
      return -1;
    latest = at > latest ? at : latest;
  }
  return latest;
}
