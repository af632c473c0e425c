/* choose_policies.c - by which policy each workspace keeps what is inserted, where its levels are
 * no arrays (Zhang et al. 2024, section 5).
 *
 *     policies  hash, w:dense     of workspace w dense, of all others hash
 *     policies  dense             the last of those that name none is for all others
 *
 * Where nothing is said, it stays as it is: as a program gives it, or as it began (usual_policy.h);
 * but of what operands are said to hold follows another (held_policy.h), or that full rows are
 * added in a dense one, which has wide marks then (lower/levels/accumulator.c).
 */
#include "diagnostic.h"
#include "held_policy.h"
#include "insert_workspaces.h"
#include "level_format.h"
#include "provenance.h"
#include "workspace_policy.h"

#include <string.h>

/* ---- what is known of variables -------------------------------------------------------------- */

/* A compound subscript of the result goes at least as far as each variable in it. */
static bool is_hypersparse(const inserter *w, MlirValue variable) {
  bool found = held_is_hypersparse(w->memory, w->kernel, variable);
  op_list subscripts = ops_below(w->memory, w->kernel, cin_is_subscript);
  for (int i = 0; i < subscripts.count; ++i) {
    MlirOperation op = subscripts.ops[i];
    if (!mlirValueEqual(cin_subscript_variable(op), variable))
      continue;
    for (intptr_t n = 1; n < mlirOperationGetNumOperands(op); ++n)
      found |= held_is_hypersparse(w->memory, w->kernel, mlirOperationGetOperand(op, n));
  }
  return found;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Whether it is one of several levels of the result: those that a schedule makes have names. */
static bool gathers_result(MlirOperation workspace) {
  return cin_workspace_variable_count(workspace) > 1 && !op_has(workspace, "name");
}

static workspace_policy said_of(const inserter *w, MlirOperation workspace) {
  MlirValue tensor = mlirOperationGetResult(workspace, 0);
  const char *name = cin_tensor_bare_name(w->memory, w->kernel, tensor);
  return workspace_policy_said(w->policies, mlirStringRefCreateFromCString(name));
}

static MlirType said_type(const inserter *w, MlirOperation workspace,
                          const workspace_policy *said) {
  int64_t options[LEVEL_MOST_OPTIONS];
  int order = (int)cin_workspace_variable_count(workspace);
  const level_format *policy = workspace_policy_format(w->memory, said);
  int count = workspace_policy_options(said, policy, options);
  return cin_policy_workspace_type(workspace, w->result, order, policy, count, options);
}

/* Of one of which nothing is said. */
static const level_format *held_policy(const inserter *w, MlirOperation workspace,
                                       const level_format *present) {
  const level_format *held =
      gathers_result(workspace) ? held_policy_of_result(w->memory, w->kernel, w->bytes) : NULL;
  MlirValue variable = cin_workspace_variable(workspace, 0);
  if (held || present != level_format_usual_workspace(false))
    return held ? held : present;
  held = held_policy_along(w->memory, w->kernel, variable);
  if (!held && is_hypersparse(w, variable))
    held = level_format_usual_workspace(true);
  return held ? held : present;
}

/* Whether its type has options, which a program gave. */
static bool has_options(const inserter *w, MlirType type) {
  const tensor_format *format =
      tensor_format_get(w->memory, type, mlirOperationGetLocation(w->kernel));
  return tinLevelAttrGetNumArguments(format->levels[0].attribute) > 0;
}

static MlirType held_type(const inserter *w, MlirOperation workspace, const level_format *present) {
  const int64_t wide_marks[] = {32};
  MlirType type = mlirValueGetType(mlirOperationGetResult(workspace, 0));
  const level_format *policy = held_policy(w, workspace, present);
  bool adds_rows = policy == level_format_usual_workspace(false) &&
                   held_adds_full_rows(w->memory, w->kernel, cin_workspace_variable(workspace, 0));
  if (policy == present && (!adds_rows || has_options(w, type)))
    return type;
  return cin_policy_workspace_type(workspace, w->result,
                                   (int)cin_workspace_variable_count(workspace), policy, adds_rows,
                                   wide_marks);
}

static bool choose(const inserter *w, MlirOperation workspace) {
  const level_format *present = cin_workspace_policy(w->memory, workspace);
  if (!present)
    return true;
  workspace_policy said = said_of(w, workspace);
  MlirType type =
      said.policy.length ? said_type(w, workspace, &said) : held_type(w, workspace, present);
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
