/* explain_loops.c - the loops of a cin.kernel in words, as they stand in each other, and why:
 *
 *     for each i, on threads:
 *       into a scalar, until it is complete:
 *         for each j:
 *           add to it
 *       and from there:
 *         set y(i)
 */
#include "explain_parts.h"

#include "provenance.h"
#include "scattering.h"
#include "tensor_format.h"
#include "tin.h"

#include <string.h>

/* ---- The loops ---------------------------------------------------------------------------- */

static const char *const unit_words[] = {
    [CIN_SERIAL] = "",
    [CIN_CPU_THREAD] = ", on threads",
    [CIN_CPU_VECTOR] = ", several at once on vector lanes",
    [CIN_GPU_BLOCK] = ", on blocks of a GPU",
    [CIN_GPU_WARP] = ", on warps of a GPU",
    [CIN_GPU_THREAD] = ", on threads of a GPU",
};

static const char *race_words(MlirOperation forall) {
  cin_race race = cin_op_race(forall);
  return race == CIN_NO_RACES ? "" : cin_race_name(race);
}

/* How a variable that is no dimension's came about: i0 is part of i. */
static const char *origin_of(arena *memory, MlirValue variable) {
  MlirOperation op = value_owner(variable);
  if (cin_is_remap(op))
    return arena_format(memory, " (%s)", kernel_remap_words(memory, op));
  if (cin_is_split(op)) {
    const char *whole = variable_words(memory, cin_split_parent(op));
    bool is_outer = mlirValueEqual(variable, cin_split_outer(op));
    return is_outer ? arena_format(memory, " (pieces of %s)", whole)
                    : arena_format(memory, " (%s within its piece)", whole);
  }
  if (cin_is_twin(op))
    return arena_format(memory, " (as %s, for what is computed before)",
                        variable_words(memory, mlirOperationGetOperand(op, 1)));
  if (cin_is_collapse(op))
    return arena_format(memory, " (%s, together with what it is under)",
                        variable_words(memory, mlirOperationGetOperand(op, 0)));
  if (cin_is_coord(op))
    return arena_format(memory, " (%s in those positions)",
                        variable_words(memory, mlirOperationGetOperand(op, 1)));
  if (cin_is_bound(op))
    return arena_format(
        memory, " (%s, told as %s %ld)", variable_words(memory, mlirOperationGetOperand(op, 0)),
        cin_bound_kind_name(cin_op_bound_kind(op)), (long)op_integer(op, "size", 0));
  if (cin_is_pos(op))
    return arena_format(
        memory, " (positions of %s)",
        cin_tensor_bare_name(memory, mlirOperationGetParentOperation(op), cin_pos_tensor(op)));
  return "";
}

static void explain_block(explained *e, MlirOperation kernel, MlirBlock block, int depth);

static void explain_forall(explained *e, MlirOperation kernel, MlirOperation forall, int depth) {
  MlirValue variable = cin_forall_variable(forall);
  const char *race = race_words(forall);
  explained_add(e, depth, "for each %s%s%s%s%s%s:", variable_words(e->memory, variable),
                origin_of(e->memory, variable), unit_words[cin_op_unit(forall)], *race ? ", " : "",
                race, cin_forall_is_unrolled(forall) ? ", unrolled" : "");
  explain_block(e, kernel, cin_forall_body(forall), depth + 1);
}

/* Whether it holds a part of operands along compound subscripts. */
static bool is_window(MlirOperation workspace) {
  bool found = false;
  for (intptr_t d = 0; d < cin_workspace_variable_count(workspace); d++)
    found |= cin_is_window(value_owner(cin_workspace_variable(workspace, d)));
  return found;
}

static const char *workspace_words(explained *e, MlirValue workspace) {
  MlirOperation op = value_owner(workspace);
  intptr_t count = cin_workspace_variable_count(op);
  const char *words = is_window(op) ? "an array over" : count ? "a workspace over" : "a scalar";
  for (intptr_t d = 0; d < count; d++)
    words = arena_format(e->memory, "%s%s %s", words, d ? "," : "",
                         variable_words(e->memory, cin_workspace_variable(op, d)));
  const level_format *policy = cin_workspace_policy(e->memory, op);
  bool is_said = policy && policy != level_format_usual_workspace(false);
  return is_said ? arena_format(e->memory, "%s, by %s", words, level_format_policy(policy)) : words;
}

/* Whether a forall of the producer reduces, so that several values come to one place. */
static bool combines(explained *e, MlirOperation kernel, MlirOperation where,
                     MlirOperation assign) {
  const provenance *graph = provenance_create(e->memory, kernel);
  op_list path = cin_path(e->memory, assign);
  for (int n = cin_path(e->memory, where).count; graph && n < path.count; n++)
    if (cin_access_reduces(graph, assign, cin_forall_variable(path.ops[n])))
      return true;
  return false;
}

/* Why what the producer computes is gathered: what comes to a place is combined there, or each
 * comes once, and not in the order in which the consumer takes it, or it is taken again. */
static const char *gathering_words(explained *e, MlirOperation kernel, MlirOperation where,
                                   MlirValue workspace) {
  op_list assigns = ops_below(e->memory, where, cin_is_assign);
  if (cin_workspace_variable_count(value_owner(workspace)) == 0)
    return "until it is complete";
  if (is_window(value_owner(workspace)))
    return "to be read along it from there";
  for (int i = 0; i < assigns.count; i++)
    if (mlirValueEqual(cin_access_tensor(assigns.ops[i]), workspace) &&
        cin_assign_kind(assigns.ops[i]) && combines(e, kernel, where, assigns.ops[i]))
      return "since several come to one place";
  return cin_workspace_policy(e->memory, value_owner(workspace))
             ? "since they come in another order"
             : "to be read from there";
}

static void explain_where(explained *e, MlirOperation kernel, MlirOperation where, int depth) {
  MlirValue workspace = cin_where_workspace(where);
  explained_add(e, depth, "into %s, %s:", workspace_words(e, workspace),
                gathering_words(e, kernel, where, workspace));
  explain_block(e, kernel, cin_where_producer(where), depth + 1);
  explained_add(e, depth, "and from there:");
  explain_block(e, kernel, cin_where_consumer(where), depth + 1);
}

/* "y(i)"; "it" for a workspace. */
static const char *target_words(explained *e, MlirOperation kernel, MlirOperation assign) {
  MlirValue tensor = cin_access_tensor(assign);
  if (!mlirValueIsABlockArgument(tensor))
    return "it";
  return access_words(e->memory, kernel, assign);
}

static void explain_assign(explained *e, MlirOperation kernel, MlirOperation assign, int depth) {
  tin_reduction kind = cin_assign_kind(assign);
  explained_add(e, depth, "%s %s",
                kind == TIN_NO_REDUCTION ? "set"
                : kind == TIN_ADD        ? "add to"
                                         : "combine with",
                target_words(e, kernel, assign));
}

static void explain_block(explained *e, MlirOperation kernel, MlirBlock block, int depth) {
  for (OPERATIONS(op, block))
    if (cin_is_forall(op))
      explain_forall(e, kernel, op, depth);
    else if (cin_is_where(op))
      explain_where(e, kernel, op, depth);
    else if (cin_is_assign(op))
      explain_assign(e, kernel, op, depth);
}

void explain_loops(explained *e, MlirOperation kernel) {
  explain_block(e, kernel, op_block(kernel, 0), 0);
}

/* ---- Their order -------------------------------------------------------------------------- */

/* A level without a way to find a coordinate is walked, below the one above it. */
static bool is_walked(const format_level *level) {
  return !(level->format->capabilities & LEVEL_LOCATE);
}

/* Gives whether nothing has asked for that yet. */
static bool explain_level(explained *e, MlirOperation kernel, MlirOperation access,
                          const tensor_format *format, int l) {
  MlirValue here = cin_access_level(kernel, access, &format->levels[l]);
  MlirValue above = cin_access_level(kernel, access, &format->levels[l - 1]);
  if (mlirValueIsNull(here) || mlirValueIsNull(above) || mlirValueEqual(here, above))
    return false;
  const char *inner = variable_words(e->memory, here), *outer = variable_words(e->memory, above);
  const char *asked = arena_format(e->memory, "  %s is inside of %s,", inner, outer);
  bool is_new = !strstr(e->text, asked);
  explained_add_once(
      e, arena_format(e->memory, "%s is inside of %s, since %s stores for each %s which %s it has",
                      inner, outer, cin_tensor_name(e->memory, kernel, cin_access_tensor(access)),
                      outer, inner));
  return is_new;
}

/* How many pairs of loops an access orders that none has before. */
static int explain_access(explained *e, MlirOperation kernel, MlirOperation access) {
  MlirValue tensor = cin_access_tensor(access);
  int ordered = 0;
  if (!mlirValueIsABlockArgument(tensor))
    return 0;
  const tensor_format *format =
      tensor_format_get(e->memory, mlirValueGetType(tensor), mlirOperationGetLocation(access));
  for (int l = 1; format && l < format->level_count; l++)
    if (is_walked(&format->levels[l]))
      ordered += explain_level(e, kernel, access, format, l);
  return ordered;
}

static int count_variables(arena *memory, MlirOperation kernel, bool *is_fixed) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  int count = 0;
  *is_fixed = false;
  for (int f = 0; f < foralls.count; f++) {
    int before = 0;
    while (!mlirValueEqual(cin_forall_variable(foralls.ops[before]),
                           cin_forall_variable(foralls.ops[f])))
      before++;
    count += before == f;
    *is_fixed |= cin_forall_is_fixed(foralls.ops[f]);
  }
  return count;
}

/* Whether the function says what some operand holds. */
static bool holds_are_known(MlirOperation kernel) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(kernel); i++)
    if (!mlirAttributeIsNull(tin_tensor_holds(mlirOperationGetOperand(kernel, i))))
      return true;
  return false;
}

void explain_order(explained *e, MlirOperation kernel) {
  op_list reads = ops_below(e->memory, kernel, cin_is_read);
  bool is_fixed;
  int variables = count_variables(e->memory, kernel, &is_fixed), ordered = 0;
  for (int r = 0; r < reads.count; r++)
    ordered += explain_access(e, kernel, reads.ops[r]);
  if (op_has(kernel, "proposed"))
    explained_add(e, 0, "to expand an operand into an array first was estimated to be the fastest");
  else if (is_fixed)
    explained_add(e, 0, "what the schedule says of the order of the loops was kept");
  else if (ordered == 0 && variables > 1)
    explained_add(e, 0,
                  "no operand asks for an order of the loops: this one was estimated to be the "
                  "fastest");
  else if (ordered + 1 < variables)
    explained_add(e, 0,
                  "of the orders that this allows, the one estimated to be the fastest was "
                  "taken");
  if ((!is_fixed || op_has(kernel, "proposed")) && variables > 1 && holds_are_known(kernel))
    explained_add(e, 0, "estimates are of as many entries, and dimensions as large, as there are");
}

/* ---- The result --------------------------------------------------------------------------- */

void explain_assembly(explained *e, MlirOperation kernel) {
  static const char *const words[] = {
      [CIN_INSERT] = "each value goes to its place, which is there from the start",
      [CIN_APPEND] = "entries are appended one after the other, as they are stored",
      [CIN_SCATTER] = "entries come in another order than they are stored: they are counted first, "
                      "then placed",
      [CIN_COLLECT] = "entries come in any order: they are counted level by level, then placed",
      [CIN_RECORD] =
          "entries come in any order: they are recorded, sorted, and added up where they "
          "meet",
      [CIN_COPY] = "it has the entries of an operand, whose levels are copied: each value goes "
                   "where that has its own",
  };
  cin_assembly way;
  if (cin_op_assembly(kernel, &way))
    explained_add(e, 0, "%s is built by %s: %s",
                  cin_tensor_name(e->memory, kernel, cin_kernel_result(kernel)),
                  cin_assembly_name(way), words[way]);
}

/* Of workspaces that are no schedule's. */
void explain_scattering(explained *e, MlirOperation kernel) {
  op_list wheres = ops_below(e->memory, kernel, cin_is_where);
  provenance *graph = wheres.count ? provenance_create(e->memory, kernel) : NULL;
  for (int n = 0; graph && n < wheres.count; n++) {
    if (op_has(value_owner(cin_where_workspace(wheres.ops[n])), "name"))
      continue;
    scattering s = scattering_of(e->memory, graph, kernel, wheres.ops[n]);
    if (s.reason)
      explained_add(e, 0, "the entries of %s are gathered along %s, %s (%s)", s.result, s.along,
                    s.reason, s.kind);
  }
}
