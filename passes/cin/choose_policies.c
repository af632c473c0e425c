/* choose_policies.c - by which policy each workspace keeps what is inserted, where its levels are
 * no arrays (Zhang et al. 2024, section 5).
 *
 *     policies  hash, w:dense     of workspace w dense, of all others hash
 *     policies  dense             the last of those that name none is for all others
 *
 * Where nothing is said, dense: an array as long as the dimension, which is the fastest by far
 * where it fits the caches and rows are not short; but hash along variables with far more
 * coordinates than there can be entries, of which such an array would be memory that is hardly
 * touched: those that are said to be hypersparse, and those along which a tensor is long (LONG).
 */
#include "diagnostic.h"
#include "insert_workspaces.h"
#include "level_format.h"
#include "provenance.h"
#include "workspace_policy.h"

#include <mlir-c/BuiltinTypes.h>
#include <string.h>

enum { LONG = 1 << 28 };

/* ---- what is known of variables -------------------------------------------------------------- */

static bool is_access(MlirOperation op) {
  return cin_is_read(op) || cin_is_assign(op);
}

/* Whether the type of a tensor says so. */
static bool is_long(const inserter *w, MlirValue variable) {
  op_list accesses = ops_below(w->memory, w->kernel, is_access);
  for (int n = 0; n < accesses.count; ++n) {
    MlirType type = mlirValueGetType(cin_access_tensor(accesses.ops[n]));
    for (intptr_t d = 0; d < cin_access_rank(accesses.ops[n]); ++d)
      if (mlirValueEqual(cin_access_bare(accesses.ops[n], d), variable) &&
          !mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) >= LONG)
        return true;
  }
  return false;
}

static bool is_hypersparse(const inserter *w, MlirValue variable) {
  MlirStringRef name = provenance_name(variable);
  if (is_long(w, variable))
    return true;
  for (const char *at = w->hypersparse; *at;) {
    const char *end = at + strcspn(at, ",");
    if (mlirStringRefEqual(mlirStringRefCreate(at, (size_t)(end - at)), name))
      return true;
    at = *end ? end + 1 : end;
  }
  return false;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Whether it is one of several levels of the result: those that a schedule makes have names. */
static bool gathers_result(MlirOperation workspace) {
  return cin_workspace_variable_count(workspace) > 1 && !op_has(workspace, "name");
}

static workspace_policy said_of_result(const inserter *w) {
  const char *name = cin_tensor_bare_name(w->memory, w->kernel, cin_kernel_result(w->kernel));
  return workspace_policy_said(w->crowded, mlirStringRefCreateFromCString(name));
}

static workspace_policy said_of(const inserter *w, MlirOperation workspace) {
  MlirValue tensor = mlirOperationGetResult(workspace, 0);
  const char *name = cin_tensor_bare_name(w->memory, w->kernel, tensor);
  workspace_policy said = workspace_policy_said(w->policies, mlirStringRefCreateFromCString(name));
  return !said.policy.length && gathers_result(workspace) ? said_of_result(w) : said;
}

static MlirType type_of(const inserter *w, MlirOperation workspace, const workspace_policy *said) {
  int64_t options[LEVEL_MOST_OPTIONS];
  int order = (int)cin_workspace_variable_count(workspace), count = 0;
  const level_format *policy = workspace_policy_format(w->memory, said);
  if (said->policy.length)
    count = workspace_policy_options(said, policy, options);
  else
    policy = level_format_usual_workspace(is_hypersparse(w, cin_workspace_variable(workspace, 0)));
  return cin_policy_workspace_type(workspace, w->result, order, policy, count, options);
}

/* One that a program gives it stays, unless another is said. */
static bool choose(const inserter *w, MlirOperation workspace) {
  const level_format *present = cin_workspace_policy(w->memory, workspace);
  workspace_policy said = said_of(w, workspace);
  if (!present || (!said.policy.length && present != level_format_usual_workspace(false)))
    return true;
  MlirType type = type_of(w, workspace, &said);
  if (!mlirTypeIsNull(type))
    mlirValueSetType(mlirOperationGetResult(workspace, 0), type);
  return !mlirTypeIsNull(type);
}

void inserter_say_missing(arena *memory, MlirOperation root, const char *policies) {
  op_list workspaces = ops_below(memory, root, cin_is_workspace);
  for (const char *text = policies; *text;) {
    workspace_policy said = workspace_policy_next(&text);
    bool found = !said.workspace.length;
    for (int n = 0; n < workspaces.count && !found; ++n)
      found = op_has(workspaces.ops[n], "name") &&
              mlirStringRefEqual(op_text(workspaces.ops[n], "name"), said.workspace);
    if (!found)
      remark_at(root, "no workspace is named '%.*s', which is to be kept by %.*s",
                TEXT(said.workspace), TEXT(said.policy));
  }
}

bool inserter_choose_policies(const inserter *w) {
  const char *problem = workspace_policy_problem(w->memory, w->policies);
  if (problem)
    return error_at(w->kernel, "%s", problem);
  for (OPERATIONS(op, op_block(w->kernel, 0)))
    if (cin_is_workspace(op) && !choose(w, op))
      return false;
  return true;
}
