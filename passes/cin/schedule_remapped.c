/* schedule_remapped.c - workspaces of precompute over variables that levels hold expressions of:
 * blocks, diagonals (cin.remap).
 *
 *     A : (i, j) -> (i floordiv 4, j floordiv 4, i mod 4, j mod 4)
 *
 *     forall i_block { forall j_block { forall i_in { forall j_in { y[i] add A[i, j] * x[j] }}}}
 *
 *     precompute(A(i,j)*x(j), i, iw, w)              i is gone through by i_block and i_in
 *     precompute(A(i,j)*x(j), {i_block,i_in}, {ib,ir}, w)
 *
 * Variables that expressions lead from one to another, as i, i_block and i_in do, are gone through
 * anew together in the producer, or not at all: an expression of new variables is a new one.
 */
#include "cin.h"
#include "schedule_precompute.h"

static MlirValue base_of(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  for (; cin_is_split(op) || cin_is_bound(op) || cin_is_twin(op); op = value_owner(variable))
    variable = mlirOperationGetOperand(op, 0);
  return variable;
}

static bool has(const value_map *set, MlirValue variable) {
  return value_map_place(set, variable) >= 0;
}

static void include(value_map *set, MlirValue variable) {
  if (!has(set, variable))
    value_map_set(set, variable, variable);
}

/* Adds a remap's variables where some of them are there; whether that adds any. */
static bool join(value_map *set, MlirOperation remap) {
  MlirValue result = mlirOperationGetResult(remap, 0);
  int before = set->count;
  bool some = has(set, result);
  for (intptr_t i = 0; i < cin_remap_variable_count(remap); ++i)
    some |= has(set, cin_remap_variable(remap, i));
  for (intptr_t i = 0; some && i < cin_remap_variable_count(remap); ++i)
    include(set, cin_remap_variable(remap, i));
  if (some)
    include(set, result);
  return set->count > before;
}

/* The variables that remaps lead to from the one that this is, or is part of; itself. */
static value_map remapped_with(const precompute *p, MlirValue variable) {
  value_map set = {.memory = p->s->memory};
  MlirValue base = base_of(variable);
  include(&set, base);
  for (bool grows = true; grows;) {
    grows = false;
    for (OPERATIONS(op, op_block(p->s->kernel, 0)))
      grows |= cin_is_remap(op) && join(&set, op);
  }
  return set;
}

bool precompute_is_remapped(const precompute *p, MlirValue variable) {
  return remapped_with(p, variable).count > 1;
}

/* ---- The list ----------------------------------------------------------------------------- */

static bool has_forall(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->path.count; ++n)
    if (mlirValueEqual(precompute_variable(p, n), variable))
      return true;
  return false;
}

bool precompute_goes_through(const precompute *p, MlirValue listed, MlirValue variable) {
  const MlirValue *roots;
  MlirValue base = base_of(variable);
  return cin_is_index(value_owner(listed)) && cin_is_remap(value_owner(base)) &&
         !has_forall(p, listed) && provenance_roots(p->s->graph, base, &roots) == 1 &&
         mlirValueEqual(roots[0], listed);
}

bool precompute_follows(const precompute *p, MlirValue listed) {
  MlirValue *from = ARENA_ARRAY(p->s->memory, MlirValue, p->path.count + 1);
  for (int n = 0; n < p->path.count; ++n)
    from[n] = precompute_variable(p, n);
  for (int n = 0; n < p->path.count; ++n)
    if (precompute_goes_through(p, listed, from[n]))
      return provenance_follows(p->s->graph, listed, p->path.count, from);
  return false;
}

/* ---- New variables ------------------------------------------------------------------------ */

static bool counts(MlirOperation remap) {
  return mlirAffineMapGetNumSymbols(cin_remap_map(remap)) > 0;
}

static bool has_counter(const precompute *p, const value_map *set) {
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_remap(op) && counts(op) && has(set, mlirOperationGetResult(op, 0)))
      return true;
  return false;
}

/* Whether the producer goes over a variable of the path under another name. */
static bool is_anew(const precompute *p, int n) {
  int listed = precompute_listed(p, precompute_variable(p, n));
  return p->places[n] == SUMMED ||
         (p->places[n] == LISTED && precompute_renames(p->s->command, listed));
}

bool precompute_check_remapped(const precompute *p, int n) {
  const schedule_command *c = p->s->command;
  value_map set = remapped_with(p, schedule_known(p->s, n));
  if (set.count == 1 || !precompute_renames(c, n))
    return true;
  if (has_counter(p, &set))
    return precompute_refuse(
        p, arena_format(p->s->memory,
                        "not supported yet: expected '%s' in the producer too, for entries are "
                        "counted along it, found '%s'",
                        c->known[n], c->made[n]));
  for (int f = 0; f < p->path.count; ++f)
    if (has(&set, base_of(precompute_variable(p, f))) && p->places[f] != CONSUMED && !is_anew(p, f))
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected new variables for all that levels hold of '%s', or for none, "
                          "found '%s' in the place of '%s', and '%s' as it is",
                          c->known[n], c->made[n], c->known[n],
                          precompute_name(p, precompute_variable(p, f))));
  return true;
}

static void rename_remap(precompute *p, MlirOperation remap) {
  intptr_t count = cin_remap_variable_count(remap);
  MlirValue *variables = ARENA_ARRAY(p->s->memory, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    variables[i] = value_map_get(&p->renamed, cin_remap_variable(remap, i));
  MlirValue made = mlirOperationGetResult(remap, 0);
  MlirOperation like =
      cin_remap_create(mlirOperationGetLocation(remap), count, variables, cin_remap_map(remap),
                       precompute_new_name(p, made), cin_remap_is_value(remap));
  value_map_set(&p->renamed, made, mlirOperationGetResult(cin_declare(p->s->kernel, like), 0));
}

static void rename_index(precompute *p, MlirValue index) {
  MlirOperation like = cin_index_create(mlirOperationGetLocation(p->s->kernel),
                                        precompute_new_name(p, index), index, -1);
  value_map_set(&p->renamed, index, mlirOperationGetResult(cin_declare(p->s->kernel, like), 0));
}

/* Those that are there already, not those that are made meanwhile. */
void precompute_rename_remapped(precompute *p, MlirValue variable) {
  value_map set = remapped_with(p, variable);
  op_list remaps = {0};
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_remap(op) && has(&set, mlirOperationGetResult(op, 0)))
      op_list_add(p->s->memory, &remaps, op);
  for (int n = 0; n < set.count; ++n)
    if (cin_is_index(value_owner(set.from[n])))
      rename_index(p, set.from[n]);
  for (int n = 0; n < remaps.count; ++n)
    rename_remap(p, remaps.ops[n]);
}
