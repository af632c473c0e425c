/* verify_kernel.c - what holds of a cin.kernel as a whole, whichever schedule made it.
 *
 *     names      each index variable has its own
 *     foralls    none over a variable inside another one over it
 *     accesses   a subscript's variables are known: a forall around is over them, or a relation
 *                leads to them from those that are; those of a workspace stand in its order
 *     writes     to the result, and to a workspace in the producer of its cin.where
 *     reads      of operands, and of a workspace in the consumer of its cin.where
 *     wheres     of a workspace that the producer writes and the consumer reads
 */
#include "cin.h"
#include "ir.h"
#include "op_list.h"
#include "verify.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>

typedef struct kernel {
  arena *memory;
  MlirOperation op;
  MlirBlock body;
} kernel;

/* ---- names -------------------------------------------------------------------------------- */

static bool is_variable(MlirValue value) {
  return cinTypeIsAIndexVariable(mlirValueGetType(value));
}

static bool has_earlier(MlirBlock body, MlirOperation op, intptr_t i, MlirStringRef name) {
  for (OPERATIONS(other, body)) {
    bool same = mlirOperationEqual(other, op);
    intptr_t count = same ? i : mlirOperationGetNumResults(other);
    for (intptr_t n = 0; n < count; n++)
      if (is_variable(mlirOperationGetResult(other, n)) &&
          mlirStringRefEqual(cin_variable_name(other, n), name))
        return true;
    if (same)
      return false;
  }
  return false;
}

static bool verify_names(const kernel *k) {
  for (OPERATIONS(op, k->body))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
      MlirStringRef name = cin_variable_name(op, i);
      if (is_variable(mlirOperationGetResult(op, i)) && has_earlier(k->body, op, i, name))
        return error_at(op, "expected distinct variables, found '%.*s' twice", TEXT(name));
    }
  return true;
}

/* ---- foralls ------------------------------------------------------------------------------ */

static MlirOperation around(const kernel *k, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return mlirOperationEqual(parent, k->op) ? (MlirOperation){NULL} : parent;
}

static bool is_forall_over(MlirOperation op, MlirValue variable) {
  return cin_is_forall(op) && mlirValueEqual(cin_forall_variable(op), variable);
}

static bool is_in_forall_over(const kernel *k, MlirOperation op, MlirValue variable) {
  for (op = around(k, op); !mlirOperationIsNull(op); op = around(k, op))
    if (is_forall_over(op, variable))
      return true;
  return false;
}

static MlirStringRef variable_name(MlirValue variable) {
  return mlirValueIsAOpResult(variable)
             ? cin_variable_name(value_owner(variable), mlirOpResultGetResultNumber(variable))
             : mlirStringRefCreateFromCString("");
}

static bool verify_foralls(const kernel *k) {
  op_list foralls = ops_below(k->memory, k->op, cin_is_forall);
  for (int i = 0; i < foralls.count; i++) {
    MlirValue variable = cin_forall_variable(foralls.ops[i]);
    if (is_in_forall_over(k, foralls.ops[i], variable))
      return error_at(foralls.ops[i], "expected one forall over '%.*s' on a path, found a second",
                      TEXT(variable_name(variable)));
  }
  return true;
}

/* ---- variables that are known ------------------------------------------------------------- */

static bool is_known(const kernel *k, MlirOperation access, MlirValue variable, int subscripts);

/* Whether a result of the relation is known; a split wants both of its parts. */
static bool leads_on(const kernel *k, MlirOperation access, MlirOperation relation,
                     int subscripts) {
  intptr_t known = 0, count = mlirOperationGetNumResults(relation);
  for (intptr_t i = 0; i < count; i++)
    known += is_known(k, access, mlirOperationGetResult(relation, i), subscripts);
  return cin_is_split(relation) ? known == count : known > 0;
}

static bool uses(MlirOperation op, MlirValue variable) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirValueEqual(mlirOperationGetOperand(op, i), variable))
      return true;
  return false;
}

/* The subscript and the variables in it: one follows from all others. */
static bool follows(const kernel *k, MlirOperation access, MlirOperation subscript,
                    MlirValue variable, int subscripts) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(subscript); i++) {
    MlirValue other = mlirOperationGetOperand(subscript, i);
    if (!mlirValueEqual(other, variable) && !is_known(k, access, other, subscripts))
      return false;
  }
  return true;
}

/* A form is known by its own forall, or from all its variables. */
static bool form_is_known(const kernel *k, MlirOperation access, MlirOperation remap,
                          int subscripts) {
  if (is_in_forall_over(k, access, mlirOperationGetResult(remap, 0)))
    return true;
  for (intptr_t i = 0; i < cin_remap_variable_count(remap); i++)
    if (!is_known(k, access, cin_remap_variable(remap, i), subscripts))
      return false;
  return true;
}

/* From its form, and what tells where it starts. */
static bool window_is_known(const kernel *k, MlirOperation access, MlirOperation window,
                            int subscripts) {
  for (intptr_t i = 0; i < cin_window_outer_count(window); i++)
    if (!is_known(k, access, mlirOperationGetOperand(window, 1 + i), subscripts))
      return false;
  return form_is_known(k, access, value_owner(cin_window_form(window)), subscripts);
}

/* Relations stand after what they derive from, so that this goes one way; it passes each subscript
 * once at most, and ends.  Nothing follows from a window. */
static bool is_known(const kernel *k, MlirOperation access, MlirValue variable, int subscripts) {
  if (is_in_forall_over(k, access, variable))
    return true;
  if (mlirValueIsAOpResult(variable) && cin_is_window(value_owner(variable)))
    return window_is_known(k, access, value_owner(variable), subscripts);
  for (OPERATIONS(op, k->body)) {
    bool relates = mlirOperationGetNumResults(op) && !cin_is_index(op) && !cin_is_window(op) &&
                   is_variable(mlirOperationGetResult(op, 0));
    bool replaces = cin_is_pos(op) || cin_is_collapse(op);
    bool leads = replaces ? mlirValueEqual(mlirOperationGetOperand(op, 0), variable)
                          : relates && uses(op, variable);
    if (leads && leads_on(k, access, op, subscripts))
      return true;
    if (cin_is_subscript(op) && subscripts && uses(op, variable) &&
        follows(k, access, op, variable, subscripts - 1))
      return true;
  }
  return false;
}

/* What a read gives may be used by nobody: then it only says what fits the tensor. */
static bool is_only_stated(MlirOperation access) {
  return cin_is_read(access) &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(access, 0)));
}

static int subscript_count(const kernel *k) {
  int count = 0;
  for (OPERATIONS(op, k->body))
    count += cin_is_subscript(op);
  return count;
}

static bool verify_known(const kernel *k, MlirOperation access) {
  MlirAffineMap map = cin_access_map(access);
  int subscripts = subscript_count(k);
  for (intptr_t i = 0; i < cin_access_variable_count(access); i++) {
    MlirValue variable = cin_access_variable(access, i);
    bool used = false;
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
      used |= mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), i);
    if (used && !is_known(k, access, variable, subscripts))
      return error_at(access, "expected a forall that makes '%.*s' known around it, found none",
                      TEXT(variable_name(variable)));
  }
  return true;
}

/* ---- accesses ----------------------------------------------------------------------------- */

/* Whether it stands in the consumer, or in the producer, of a cin.where of the workspace. */
static bool is_in_where(const kernel *k, MlirOperation op, MlirValue workspace, bool consumer) {
  MlirOperation where = around(k, op);
  for (; !mlirOperationIsNull(where); op = where, where = around(k, where)) {
    if (!cin_is_where(where) || !mlirValueEqual(cin_where_workspace(where), workspace))
      continue;
    MlirBlock part = consumer ? cin_where_consumer(where) : cin_where_producer(where);
    if (mlirBlockEqual(mlirOperationGetBlock(op), part))
      return true;
  }
  return false;
}

static bool is_result(const kernel *k, MlirValue tensor) {
  return mlirValueIsABlockArgument(tensor) &&
         mlirBlockArgumentGetArgNumber(tensor) == mlirBlockGetNumArguments(k->body) - 1;
}

static bool verify_read(const kernel *k, MlirOperation read) {
  MlirValue tensor = cin_access_tensor(read);
  if (is_result(k, tensor))
    return error_at(read, "expected a read of an operand or a workspace, found one of the result");
  return mlirValueIsABlockArgument(tensor) || is_in_where(k, read, tensor, true) ||
         error_at(read, "expected a read of a workspace in the consumer of its cin.where, found "
                        "one outside");
}

static bool verify_assign(const kernel *k, MlirOperation assign) {
  MlirValue tensor = cin_access_tensor(assign);
  if (mlirValueIsABlockArgument(tensor) && !is_result(k, tensor))
    return error_at(assign,
                    "expected an assignment to the result or a workspace, found one to an operand");
  return is_result(k, tensor) || is_in_where(k, assign, tensor, false) ||
         error_at(assign, "expected an assignment to a workspace in the producer of its cin.where, "
                          "found one outside");
}

/* The place among a workspace's variables; -1 for another. */
static intptr_t place_among(MlirOperation workspace, MlirValue variable) {
  intptr_t d = cin_workspace_variable_count(workspace) - 1;
  while (d >= 0 && !mlirValueEqual(cin_workspace_variable(workspace, d), variable))
    d--;
  return d;
}

/* Each dimension goes as far as the workspace's variable: that of another one may be too long. */
static bool verify_places(MlirOperation access) {
  MlirOperation workspace = value_owner(cin_access_tensor(access));
  MlirAffineMap map = cin_access_map(access);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr subscript = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsADim(subscript))
      continue;
    MlirValue variable = cin_access_variable(access, mlirAffineDimExprGetPosition(subscript));
    intptr_t place = place_among(workspace, variable);
    if (place >= 0 && place != d)
      return error_at(access,
                      "expected '%.*s' as subscript %ld of the workspace, found subscript "
                      "%ld",
                      TEXT(variable_name(variable)), (long)place, (long)d);
  }
  return true;
}

static bool is_of_workspace(MlirOperation access) {
  return !mlirValueIsABlockArgument(cin_access_tensor(access)) &&
         cin_is_workspace(value_owner(cin_access_tensor(access)));
}

static bool verify_accesses(const kernel *k) {
  op_list reads = ops_below(k->memory, k->op, cin_is_read);
  op_list assigns = ops_below(k->memory, k->op, cin_is_assign);
  for (int i = 0; i < reads.count; i++)
    if (!is_only_stated(reads.ops[i]) &&
        (!verify_read(k, reads.ops[i]) || !verify_known(k, reads.ops[i]) ||
         (is_of_workspace(reads.ops[i]) && !verify_places(reads.ops[i]))))
      return false;
  for (int i = 0; i < assigns.count; i++)
    if (!verify_assign(k, assigns.ops[i]) || !verify_known(k, assigns.ops[i]) ||
        (is_of_workspace(assigns.ops[i]) && !verify_places(assigns.ops[i])))
      return false;
  return true;
}

/* ---- wheres ------------------------------------------------------------------------------- */

static bool accesses(const kernel *k, MlirOperation where, op_kind *is, bool consumer) {
  op_list all = ops_below(k->memory, where, is);
  MlirValue workspace = cin_where_workspace(where);
  for (int i = 0; i < all.count; i++)
    if (mlirValueEqual(cin_access_tensor(all.ops[i]), workspace) &&
        is_in_where(k, all.ops[i], workspace, consumer))
      return true;
  return false;
}

static bool verify_wheres(const kernel *k) {
  op_list wheres = ops_below(k->memory, k->op, cin_is_where);
  for (int i = 0; i < wheres.count; i++) {
    MlirOperation where = wheres.ops[i];
    MlirValue workspace = cin_where_workspace(where);
    if (!cin_is_workspace(value_owner(workspace)))
      return error_at(where, "expected a cin.workspace to be produced");
    if (!mlirBlockEqual(mlirOperationGetBlock(value_owner(workspace)), k->body))
      return error_at(where,
                      "expected a cin.workspace in the kernel's own block, found one inside");
    if (is_in_where(k, where, workspace, true) || is_in_where(k, where, workspace, false))
      return error_at(
          where, "expected a workspace that no cin.where around produces, found one that does");
    if (!accesses(k, where, cin_is_assign, false))
      return error_at(where, "expected a producer that assigns to the workspace, found none");
    if (!accesses(k, where, cin_is_read, true))
      return error_at(where, "expected a consumer that reads the workspace, found none");
  }
  return true;
}

bool cin_kernel_verify(MlirOperation op) {
  kernel k = {.memory = arena_create(), .op = op, .body = op_block(op, 0)};
  bool good = verify_names(&k) && verify_foralls(&k) && verify_wheres(&k) && verify_accesses(&k);
  arena_free(k.memory);
  return good;
}
