/* schedule_workspace.c - the workspace of precompute, and the cin.where around it.
 *
 * It has a dimension for each whole variable of the list.  One lists what is in it where the result
 * is sparse, and has entries where the value has; one of one dimension also where what is computed
 * is sparse there, or a part alone is gone through at a time: others are dense.
 */
#include "cin.h"
#include "schedule_precompute.h"
#include "tin.h"
#include "usual_policy.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* ---- The workspace ------------------------------------------------------------------------ */

static const tensor_format *format_of(const precompute *p, MlirOperation access) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  return mlirTypeIsARankedTensor(type)
             ? tensor_format_get(p->s->memory, type, mlirOperationGetLocation(access))
             : NULL;
}

/* Whether the access has levels at the variable that are not full. */
static bool is_sparse_at(const precompute *p, MlirOperation access, MlirValue variable) {
  const tensor_format *format = format_of(p, access);
  for (int l = 0; format && l < format->level_count; ++l) {
    const format_level *level = &format->levels[l];
    MlirValue held = cin_access_level(p->s->kernel, access, level);
    bool at = !mlirValueIsNull(held)
                  ? mlirValueEqual(held, variable)
                  : level->dimension >= 0 && cin_subscript_uses(access, level->dimension, variable);
    if (at && !(level->properties & LEVEL_FULL))
      return true;
  }
  return false;
}

static bool value_is_sparse_at(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->value.read_count; ++n)
    if (!mlirOperationIsNull(p->value.reads[n]) && is_sparse_at(p, p->value.reads[n], variable))
      return true;
  return false;
}

/* Whether what is assigned to has entries only where there is something to assign. */
static bool target_is_sparse(const precompute *p) {
  const tensor_format *format = format_of(p, p->value.assign);
  return format && !tensor_format_is_dense(format);
}

/* Whether the variables of all foralls of these places make `wanted` known. */
static bool is_known_from(const precompute *p, MlirValue wanted, place not_these) {
  MlirValue *from = ARENA_ARRAY(p->s->memory, MlirValue, p->path.count + 1);
  intptr_t count = 0;
  for (int n = 0; n < p->path.count; ++n)
    if (p->places[n] != not_these)
      from[count++] = precompute_variable(p, n);
  return provenance_follows(p->s->graph, wanted, count, from);
}

/* The variable of the statement that one of the list is part of, where both sides know it. */
static MlirValue whole_of(const precompute *p, MlirValue variable) {
  const MlirValue *bases;
  intptr_t count = provenance_bases(p->s->graph, variable, &bases);
  bool known =
      count == 1 && is_known_from(p, bases[0], SUMMED) && is_known_from(p, bases[0], CONSUMED);
  return known ? bases[0] : (MlirValue){NULL};
}

static bool has_dimension(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->count; ++n)
    if (mlirValueEqual(p->dimensions[n], variable))
      return true;
  return false;
}

/* What the forall over a variable means, or the one that makes it known, among those that are not
 * of a place. */
static provenance_kind kind_of(const precompute *p, MlirValue variable, place not_these) {
  provenance_kind kind = PROVENANCE_COUNT;
  int n = 0;
  for (; n < p->path.count; ++n) {
    if (p->places[n] == not_these)
      continue;
    provenance_step step = provenance_next(p->s->graph, precompute_variable(p, n));
    if (mlirValueEqual(precompute_variable(p, n), variable) ||
        (!mlirValueIsNull(step.known) && mlirValueEqual(step.known, variable)))
      kind = step.kind;
    provenance_bind(p->s->graph, precompute_variable(p, n), (MlirValue){NULL});
  }
  while (n-- > 0)
    provenance_unbind(p->s->graph, precompute_variable(p, n));
  return kind;
}

/* Whether a part is counted on both sides: no whole is walked in its stead. */
static bool is_counted(const precompute *p, MlirValue part) {
  return kind_of(p, part, SUMMED) != PROVENANCE_WALK &&
         kind_of(p, part, CONSUMED) != PROVENANCE_WALK;
}

/* Of each variable of the list the whole that it is part of, or itself. */
static bool find_dimensions(precompute *p) {
  for (int n = 0; n < p->s->command->known_count; ++n) {
    if (precompute_is_window(p, n)) {
      p->dimensions[p->count++] = mlirOperationGetResult(p->windows[n], 0);
      continue;
    }
    MlirValue variable = schedule_known(p->s, n), whole = whole_of(p, variable);
    bool is_numbered = !mlirOperationIsNull(precompute_numbering(variable));
    bool is_part = is_numbered || mlirValueIsNull(whole);
    if (is_part && !is_numbered && !is_counted(p, variable))
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected parts of which the whole is known, found '%s' without "
                          "the others, in the list or outside",
                          p->s->command->known[n]));
    p->has_parts |= is_part;
    if (!has_dimension(p, is_part ? variable : whole))
      p->dimensions[p->count++] = is_part ? variable : whole;
  }
  return true;
}

/* In the order in which the loops come to them, which is that in which it is gone through. */
static void order_dimensions(precompute *p) {
  for (int n = 1; n < p->count; ++n) {
    MlirValue moved = p->dimensions[n];
    int at = n, known = cin_known_at(p->s->graph, p->path, moved, NULL);
    for (; at > 0 && cin_known_at(p->s->graph, p->path, p->dimensions[at - 1], NULL) > known; --at)
      p->dimensions[at] = p->dimensions[at - 1];
    p->dimensions[at] = moved;
  }
}

/* Whether something that is computed with the value tells at which of the variable there are
 * entries. */
static bool others_are_sparse_at(const precompute *p, MlirValue variable) {
  const shaped_values *all = p->value.assigned;
  for (int n = 0; n < all->count; ++n) {
    MlirOperation op = value_owner(all->values[n]);
    if (!mlirOperationIsNull(op) && cin_is_read(op) &&
        schedule_value_is_read_beside(&p->value, op) && is_sparse_at(p, op, variable))
      return schedule_value_distributes(&p->value, TIN_ADD);
  }
  return false;
}

/* A variable that a dimension of the workspace tells of, at which the result has levels that are
 * not full and nothing says where there are entries; null for none. */
static MlirValue filled_at(const precompute *p, MlirValue dimension) {
  MlirOperation numbering = precompute_numbering(dimension);
  const MlirValue *roots;
  intptr_t count = provenance_roots(p->s->graph, dimension, &roots);
  if (mlirOperationIsNull(numbering) && !cin_is_window(value_owner(dimension)))
    roots = &dimension, count = 1;
  for (intptr_t n = 0; n < count && !cin_is_pos(numbering); ++n)
    if (is_sparse_at(p, p->value.assign, roots[n]) && !others_are_sparse_at(p, roots[n]))
      return roots[n];
  return (MlirValue){NULL};
}

/* Whether the value is one of all places, of which a sparse result takes those that others tell. */
static bool has_all_places(const precompute *p) {
  for (int n = 0; n < p->count; ++n)
    if (value_is_sparse_at(p, p->dimensions[n]) || !mlirValueIsNull(filled_at(p, p->dimensions[n])))
      return false;
  return true;
}

/* Whether it lists what is in it, so that what is not there is not gone through; in order, not in
 * strides. */
static bool is_list(const precompute *p) {
  if (p->has_windows)
    return false;
  for (int n = 0; n < p->count; ++n)
    if (kind_of(p, p->dimensions[n], SUMMED) != PROVENANCE_WALK)
      return false;
  if (p->count == 0 || p->has_parts)
    return false;
  return (target_is_sparse(p) && !has_all_places(p)) ||
         (p->count == 1 && (!cin_is_index(value_owner(schedule_known(p->s, 0))) ||
                            value_is_sparse_at(p, p->dimensions[0])));
}

/* A workspace that has all places must not make entries of a sparse result at all of them. */
static bool check_entries(const precompute *p) {
  for (int n = 0; n < p->count && !is_list(p) && target_is_sparse(p); ++n) {
    MlirValue filled = filled_at(p, p->dimensions[n]);
    if (!mlirValueIsNull(filled))
      return precompute_refuse(
          p, arena_format(
                 p->s->memory,
                 "expected one whole variable, or other factors that say which "
                 "'%s' %s has, found a workspace that has all",
                 precompute_name(p, filled),
                 cin_tensor_name(p->s->memory, p->s->kernel, cin_access_tensor(p->value.assign))));
  }
  return true;
}

bool precompute_choose_workspace(precompute *p) {
  if (!find_dimensions(p))
    return false;
  if (is_list(p))
    order_dimensions(p);
  return check_entries(p);
}

static MlirType workspace_type(const precompute *p) {
  const tensor_format *result =
      tensor_format_get(p->s->memory, mlirValueGetType(cin_kernel_result(p->s->kernel)),
                        mlirOperationGetLocation(p->s->kernel));
  if (!result)
    return (MlirType){NULL};
  if (is_list(p))
    return cin_list_workspace_type(
        p->value.assign, result, p->count,
        usual_policy(p->s->memory, p->s->kernel, p->count, p->dimensions));
  int64_t *sizes = ARENA_ARRAY(p->s->memory, int64_t, p->count + 1);
  for (int n = 0; n < p->count; ++n)
    sizes[n] = mlirShapedTypeGetDynamicSize();
  return mlirRankedTensorTypeGet(p->count, sizes, mlirValueGetType(p->value.value),
                                 mlirAttributeGetNull());
}

/* As the command says, or w, w_1, w_2, ... */
static const char *workspace_name(const precompute *p) {
  const char *name = p->s->command->workspace;
  if (name)
    return name;
  name = "w";
  for (int n = 1; precompute_name_is_taken(p->s->kernel, name); ++n)
    name = arena_format(p->s->memory, "w_%d", n);
  return name;
}

static MlirValue declare_workspace(const precompute *p, MlirType type) {
  MlirValue workspace = cin_declare_workspace(p->s->kernel, type, p->count, p->dimensions);
  MlirContext context = mlirOperationGetContext(p->s->kernel);
  const char *name = workspace_name(p);
  op_set(value_owner(workspace), "name",
         text_attribute(context, mlirStringRefCreateFromCString(name)));
  return workspace;
}

/* ---- The statements ----------------------------------------------------------------------- */

static MlirValue declare(const precompute *p, MlirOperation op, int result) {
  return mlirOperationGetResult(cin_declare(p->s->kernel, op), result);
}

/* The name of what stands for a variable: a new one that the command says, or one that nobody has.
 */
const char *precompute_new_name(const precompute *p, MlirValue variable) {
  int listed = precompute_named(p, variable);
  return listed >= 0 && precompute_renames(p->s->command, listed)
             ? p->s->command->made[listed]
             : cin_new_name(p->s->memory, p->s->kernel, variable, "_before");
}

static bool is_renamed(const precompute *p, MlirValue variable) {
  int listed = precompute_listed(p, variable);
  return listed >= 0 && precompute_renames(p->s->command, listed);
}

/* Whether both parts of a split are to be new ones: positions are counted along the inner one, of
 * the outer one's own. */
static bool renames_parts(const precompute *p, MlirOperation split) {
  MlirOperation numbering = precompute_numbering(cin_split_outer(split));
  return is_renamed(p, cin_split_outer(split)) &&
         (is_renamed(p, cin_split_inner(split)) || (numbering.ptr && cin_is_pos(numbering)));
}

/* Both parts anew. */
static void rename_parts(precompute *p, MlirOperation split, MlirValue whole) {
  MlirOperation copy =
      cin_split_create(mlirOperationGetLocation(split), whole, cin_split_size(split),
                       precompute_new_name(p, cin_split_outer(split)),
                       precompute_new_name(p, cin_split_inner(split)));
  if (op_has(split, "up"))
    op_set(copy, "up", op_attribute(split, "up"));
  cin_declare(p->s->kernel, copy);
  value_map_set(&p->renamed, cin_split_outer(split), cin_split_outer(copy));
  value_map_set(&p->renamed, cin_split_inner(split), cin_split_inner(copy));
}

static void rename_variable(precompute *p, MlirValue variable);

static MlirValue in_producer(const precompute *p, MlirValue variable) {
  MlirValue renamed = value_map_get(&p->renamed, variable);
  return mlirValueIsNull(renamed) ? variable : renamed;
}

/* Numbers like these, of variables that are like those numbered: those without foralls of their own
 * anew, the others are the same around both. */
static MlirOperation number_alike(precompute *p, MlirOperation numbering, const char *name) {
  MlirLocation location = mlirOperationGetLocation(numbering);
  intptr_t operands = mlirOperationGetNumOperands(numbering);
  intptr_t first = cin_is_pos(numbering) ? 2 : 1;
  int collapsed = schedule_collapsed_count(numbering);
  MlirValue inner = mlirOperationGetOperand(numbering, 0);
  MlirValue *above = ARENA_ARRAY(p->s->memory, MlirValue, operands + 1);
  rename_variable(p, inner);
  for (intptr_t n = first; n < operands; ++n) {
    MlirValue one = mlirOperationGetOperand(numbering, n);
    if (n >= operands - collapsed)
      rename_variable(p, one);
    above[n - first] = in_producer(p, one);
  }
  MlirOperation alike =
      cin_is_pos(numbering)
          ? cin_pos_create(location, in_producer(p, inner), cin_pos_tensor(numbering),
                           cin_pos_level(numbering), above, name)
          : cin_collapse_create(location, in_producer(p, inner), operands - first, above, name);
  if (collapsed)
    schedule_set_collapsed(alike, collapsed);
  return alike;
}

/* A variable like this one, of a whole that is like its whole: what it shares the whole with, the
 * whole's other parts, stays the same. */
static void rename_variable(precompute *p, MlirValue variable) {
  MlirLocation location = mlirOperationGetLocation(p->s->kernel);
  MlirOperation op = value_owner(variable);
  if (value_map_place(&p->renamed, variable) >= 0)
    return;
  if (cin_is_remap(op) || (cin_is_index(op) && precompute_is_remapped(p, variable))) {
    precompute_rename_remapped(p, variable);
    return;
  }
  if (cin_is_index(op)) {
    MlirOperation index =
        cin_index_create(location, precompute_new_name(p, variable), variable, -1);
    value_map_set(&p->renamed, variable, declare(p, index, 0));
    return;
  }
  if (cin_is_pos(op) || cin_is_collapse(op)) {
    MlirOperation alike = number_alike(p, op, precompute_new_name(p, variable));
    value_map_set(&p->renamed, variable, declare(p, alike, 0));
    return;
  }
  rename_variable(p, mlirOperationGetOperand(op, 0));
  MlirValue whole = value_map_get(&p->renamed, mlirOperationGetOperand(op, 0));
  if (cin_is_split(op) && renames_parts(p, op))
    rename_parts(p, op, whole);
  else
    value_map_set(
        &p->renamed, variable,
        declare(p, cin_twin_create(location, whole, variable, precompute_new_name(p, variable)),
                0));
}

/* The producer's variables: new ones of the same coordinates where they have names of their own. */
static void declare_variables(precompute *p) {
  p->renamed = (value_map){.memory = p->s->memory};
  for (int n = 0; n < p->s->command->known_count; ++n)
    if (precompute_renames(p->s->command, n))
      rename_variable(p, schedule_known(p->s, n));
  for (int n = 0; n < p->path.count; ++n)
    if (is_renamed(p, precompute_variable(p, n)))
      rename_variable(p, precompute_variable(p, n));
  for (int n = 0; n < p->path.count; ++n)
    p->produced[n] = in_producer(p, precompute_variable(p, n));
  for (int d = 0; d < p->count; ++d)
    p->produced_dimensions[d] = in_producer(p, p->dimensions[d]);
}

/* Whether a read comes to each of its entries once: nothing is stored under one coordinate several
 * times. */
static bool is_met_once(const precompute *p, MlirOperation read) {
  const tensor_format *format = format_of(p, read);
  return format && (!format->level_count ||
                    (format->levels[format->level_count - 1].properties & LEVEL_UNIQUE));
}

/* What the producer reduces by, in an assignment that reduces by `kind`: an array that begins with
 * zeros and has each place come to once is stored to. */
static tin_reduction reduced_by(const precompute *p, tin_reduction kind) {
  bool once = !is_list(p) && !p->entries.count && kind == TIN_ADD;
  for (int n = 0; n < p->path.count; ++n)
    once = once && p->places[n] != SUMMED;
  for (int n = 0; n < p->value.read_count; ++n)
    once = once && (mlirOperationIsNull(p->value.reads[n]) || is_met_once(p, p->value.reads[n]));
  return once ? TIN_NO_REDUCTION : kind;
}

static void build_producer(precompute *p, MlirValue workspace, MlirBlock block) {
  MlirOperation assign = p->value.assign;
  MlirLocation location = mlirOperationGetLocation(assign);
  int next = 0;
  for (int n = 0; n < p->path.count; ++n) {
    if (p->places[n] != LISTED && p->places[n] != SUMMED)
      continue;
    if (p->places[n] == LISTED)
      block = precompute_go_through_windows(p, &next,
                                            precompute_listed(p, precompute_variable(p, n)), block);
    MlirOperation forall =
        cin_forall_create(mlirOperationGetLocation(p->path.ops[n]), p->produced[n]);
    mlirBlockAppendOwnedOperation(block, forall);
    block = cin_forall_body(forall);
  }
  block = precompute_go_through_windows(p, &next, p->s->command->known_count, block);
  block = precompute_produce_sums(p, block);
  builder_at_end(p->value.b, block);
  MlirValue value = schedule_value_emit(&p->value, p->value.b, &p->renamed);
  tin_reduction kind = precompute_reduces_neutrally(p) ? cin_assign_kind(assign) : TIN_NO_REDUCTION;
  if (p->entries.count)
    value = precompute_at_entries(p, p->value.b, &p->renamed, value, precompute_nothing(p, kind));
  kind = reduced_by(p, kind);
  mlirBlockAppendOwnedOperation(
      block, cin_bare_assign(location, workspace, p->count, p->produced_dimensions, value, kind,
                             kind ? cin_assign_identity(assign) : mlirAttributeGetNull()));
}

/* The foralls of sums are gone from the consumer. */
static void take_sums_out(const precompute *p) {
  for (int n = 0; n < p->path.count; ++n) {
    MlirOperation forall = p->path.ops[n], next;
    if (p->places[n] != SUMMED)
      continue;
    for (MlirOperation op = mlirBlockGetFirstOperation(cin_forall_body(forall));
         !mlirOperationIsNull(op); op = next) {
      next = mlirOperationGetNextInBlock(op);
      mlirOperationRemoveFromParent(op);
      mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(forall), forall, op);
    }
    mlirOperationDestroy(forall);
  }
}

/* Whether the operation comes before all statements of a kernel. */
static bool is_declaration(MlirOperation op) {
  return mlirOperationGetNumResults(op) &&
         (cin_is_workspace(op) ||
          cinTypeIsAIndexVariable(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

/* The forall, or all that is around the assignment, in the consumer of a new cin.where. */
static MlirOperation wrap(const precompute *p, MlirValue workspace) {
  MlirOperation assign = p->value.assign;
  MlirOperation where = cin_where_create(mlirOperationGetLocation(assign), workspace), next;
  bool is_forall = p->top < p->path.count;
  MlirOperation first =
      is_forall ? p->path.ops[p->top] : mlirBlockGetFirstOperation(mlirOperationGetBlock(assign));
  while (!is_forall && is_declaration(first))
    first = mlirOperationGetNextInBlock(first);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(first), first, where);
  for (MlirOperation op = first; !mlirOperationIsNull(op); op = next) {
    next = is_forall ? (MlirOperation){NULL} : mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(cin_where_consumer(where), op);
  }
  return where;
}

/* What stands for the value: what was read of the workspace, where it has entries. */
static MlirValue read_of(void *data, MlirValue read) {
  precompute *p = data;
  const value_map same = {.memory = p->s->memory};
  if (!p->entries.count)
    return read;
  return precompute_at_entries(p, p->value.b, &same, read, precompute_elsewhere(p));
}

/* The operation that has the read as its value. */
static MlirOperation user_of(MlirOperation read) {
  return mlirOpOperandGetOwner(mlirValueGetFirstUse(mlirOperationGetResult(read, 0)));
}

/* What is settled may leave other reads without a use, which are gone then. */
static void settle_reads(const precompute *p, MlirValue workspace) {
  op_list reads = ops_below(p->s->memory, p->s->kernel, cin_is_read), own = {0};
  for (int n = 0; p->entries.count == 1 && n < reads.count; ++n)
    if (mlirValueEqual(cin_access_tensor(reads.ops[n]), workspace))
      op_list_add(p->s->memory, &own, reads.ops[n]);
  for (int n = 0; n < own.count; ++n)
    precompute_settle_elsewhere(p, user_of(own.ops[n]));
}

static bool transform(precompute *p, MlirType type) {
  declare_variables(p);
  MlirValue workspace = declare_workspace(p, type);
  MlirOperation where = wrap(p, workspace);
  build_producer(p, workspace, cin_where_producer(where));
  schedule_value_replace(&p->value, workspace, p->count, p->dimensions, read_of, p);
  take_sums_out(p);
  settle_reads(p, workspace);
  precompute_dissolve_sums(p);
  return true;
}

bool precompute_transform(precompute *p) {
  MlirType type = workspace_type(p);
  if (mlirTypeIsNull(type))
    return false;
  precompute_find_entries(p);
  bool done = precompute_check_entries(p) && transform(p, type);
  precompute_free_entries(p);
  return done;
}
