/* schedule_precompute.c - precompute(value, {i, ...}, {iw, ...}, w): what is computed again and
 * again, or in the wrong place, computed before, into a workspace (Senanayake et al. 2020,
 * section 4; Kjolstad et al. 2019, section 4).
 *
 *     forall i { forall k { forall j { A[i, j] add B[i, k] * C[k, j] }}}
 *
 *     precompute(B(i,k)*C(k,j), j, jw, w)
 *
 *     forall i { where { forall j { A[i, j] add w[j] } }
 *                producing w { forall k { forall jw { w[jw] add B[i, k] * C[k, jw] }}}}
 *
 * Of the foralls around the assignment, those over
 *
 *     the list               stand in the consumer, and in the producer over the new variables
 *     what the value alone   move to the producer, with the sum over them: the value stands under
 *     is reduced over        what distributes over it
 *     what it is of else     stay outside of the cin.where
 *     what it is not of      stay in the consumer
 *
 * A sum stays outside too where one of the third kind is inside of it, and so do the other parts
 * of positions, and of collapsed variables (schedule_numbered.c).  The cin.where stands around the
 * outermost forall of the first two kinds, and around those of the fourth right outside of it: for
 * all that they go over the value is computed once.  Sums inside of the value go with it
 * (schedule_sums.c).  A compound subscript of the list without a forall is gone through in the
 * producer; foralls over its variables stay in the consumer (schedule_windows.c).
 */
#include "schedule_precompute.h"
#include "bridge.h"
#include "cin.h"
#include "schedule_forms.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

const char *precompute_name(const precompute *p, MlirValue variable) {
  MlirStringRef name = provenance_name(variable);
  return arena_text(p->s->memory, name.data, name.length);
}

MlirValue precompute_variable(const precompute *p, int n) {
  return cin_forall_variable(p->path.ops[n]);
}

bool precompute_name_is_taken(MlirOperation kernel, const char *name) {
  return !mlirValueIsNull(cin_kernel_variable(kernel, name)) ||
         !mlirValueIsNull(schedule_tensor(kernel, name));
}

/* ---- Which foralls the value is of -------------------------------------------------------- */

/* Whether an access is subscripted by something that the variable tells of, or counts entries
 * along. */
static bool is_subscripted_by(const precompute *p, MlirOperation access, MlirValue variable) {
  const MlirValue *roots;
  if (provenance_is_counter(p->s->graph, variable))
    return cin_access_uses(access, mlirOperationGetOperand(value_owner(variable), 0));
  intptr_t count = provenance_roots(p->s->graph, variable, &roots);
  for (intptr_t n = 0; n < count; ++n)
    if (cin_access_uses(access, roots[n]))
      return true;
  return cin_access_uses(access, variable);
}

bool precompute_access_is_of(const precompute *p, MlirOperation access, MlirValue variable) {
  return is_subscripted_by(p, access, variable) || precompute_sum_is_of(p, access, variable);
}

/* The same of a read of the value, of which windows leave what they do not stand for. */
static bool value_reads_by(const precompute *p, MlirOperation read, MlirValue variable) {
  return p->has_windows
             ? precompute_read_is_of(p, read, variable) || precompute_sum_is_of(p, read, variable)
             : precompute_access_is_of(p, read, variable);
}

static bool value_is_of(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->value.read_count; ++n)
    if (!mlirOperationIsNull(p->value.reads[n]) && value_reads_by(p, p->value.reads[n], variable))
      return true;
  return false;
}

/* Whether the target, or what is computed with the value, is of the variable. */
static bool others_are_of(const precompute *p, MlirValue variable) {
  const shaped_values *all = p->value.assigned;
  if (is_subscripted_by(p, p->value.assign, variable))
    return true;
  for (int n = 0; n < all->count; ++n) {
    MlirOperation op = value_owner(all->values[n]);
    if (!mlirOperationIsNull(op) && cin_is_read(op) && precompute_access_is_of(p, op, variable) &&
        schedule_value_is_read_beside(&p->value, op))
      return true;
  }
  return false;
}

/* Whether a reduction that begins again from its identity adds nothing. */
bool precompute_reduces_neutrally(const precompute *p) {
  MlirOperation assign = p->value.assign;
  MlirAttribute identity = cin_assign_identity(assign);
  MlirAttribute neutral =
      combine_identity(p->value.b, cin_assign_kind(assign), mlirValueGetType(p->value.value));
  return cin_assign_kind(assign) && !mlirAttributeIsNull(neutral) &&
         (mlirAttributeIsNull(identity) || mlirAttributeEqual(identity, neutral));
}

int precompute_named(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->s->command->known_count; ++n)
    if (mlirValueEqual(schedule_known(p->s, n), variable))
      return n;
  return -1;
}

int precompute_listed(const precompute *p, MlirValue variable) {
  int listed = precompute_named(p, variable);
  for (int n = 0; n < p->s->command->known_count && listed < 0; ++n)
    if (precompute_goes_through(p, schedule_known(p->s, n), variable))
      listed = n;
  return listed;
}

/* The innermost forall first: a sum around what stays outside stays there too. */
static void find_places(precompute *p) {
  bool sums = precompute_reduces_neutrally(p) &&
              schedule_value_distributes(&p->value, cin_assign_kind(p->value.assign));
  bool holds_outside = false;
  p->top = p->path.count;
  for (int n = p->path.count; n-- > 0;) {
    MlirValue variable = precompute_variable(p, n);
    bool summed = sums && n >= p->first && !holds_outside && !others_are_of(p, variable) &&
                  !precompute_numbers_beside(p, variable);
    p->places[n] = precompute_listed(p, variable) >= 0 ? LISTED
                   : !value_is_of(p, variable)         ? CONSUMED
                   : summed                            ? SUMMED
                                                       : OUTSIDE;
    holds_outside |= p->places[n] == OUTSIDE;
    if (p->places[n] == LISTED || p->places[n] == SUMMED ||
        (p->places[n] == CONSUMED && precompute_covers(p, variable)))
      p->top = n;
  }
  p->top = precompute_outermost(p);
}

/* ---- Preconditions ------------------------------------------------------------------------ */

bool precompute_refuse(const precompute *p, const char *why) {
  return schedule_refuse(p->s, p->s->kernel, why);
}

static bool is_whole_or_part(const precompute *p, MlirValue variable) {
  MlirOperation op = value_owner(variable);
  while (cin_is_split(op) || cin_is_bound(op) || cin_is_twin(op))
    op = value_owner(mlirOperationGetOperand(op, 0));
  return (cin_is_index(op) || cin_is_remap(op) || cin_is_coord(op)) &&
         !provenance_space(p->s->graph, variable).is_positions &&
         !provenance_is_counter(p->s->graph, variable);
}

/* Whether it goes on through coordinates in pieces of positions (cin.coord), or is a part of what
 * does. */
static bool goes_on(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  while (cin_is_split(op) || cin_is_bound(op) || cin_is_twin(op))
    op = value_owner(mlirOperationGetOperand(op, 0));
  return cin_is_coord(op);
}

static bool check_variable(const precompute *p, int n) {
  MlirValue variable = schedule_known(p->s, n);
  const char *name = p->s->command->known[n];
  arena *memory = p->s->memory;
  int at = 0;
  if (precompute_is_window(p, n))
    return precompute_check_window(p, n);
  while (at < p->path.count && !mlirValueEqual(precompute_variable(p, at), variable))
    ++at;
  if (!value_is_of(p, variable))
    return precompute_refuse(
        p, arena_format(memory, "expected variables of the expression, found '%s'", name));
  if (at == p->path.count && !precompute_follows(p, variable))
    return precompute_refuse(
        p, arena_format(memory,
                        "expected a forall over '%s' around the expression, found "
                        "none",
                        name));
  if (!mlirOperationIsNull(precompute_numbering(variable))) {
    if (!precompute_check_numbered(p, n))
      return false;
  } else if (!is_whole_or_part(p, variable))
    return precompute_refuse(
        p, arena_format(memory,
                        "not supported yet: expected variables that go through "
                        "coordinates or positions, or parts that they are split into, found '%s'",
                        name));
  if (goes_on(variable) && precompute_renames(p->s->command, n))
    return precompute_refuse(
        p, arena_format(memory,
                        "not supported yet: expected '%s' in the producer too, for its coordinates "
                        "are those of pieces of positions, found '%s'",
                        name, p->s->command->made[n]));
  for (int m = 0; m < n; ++m)
    if (mlirValueEqual(schedule_known(p->s, m), variable))
      return precompute_refuse(
          p, arena_format(memory, "expected distinct variables, found '%s' twice", name));
  return true;
}

bool precompute_renames(const schedule_command *c, int n) {
  return strcmp(c->known[n], c->made[n]) != 0;
}

/* What stays outside is outside, and what moves runs on no threads. */
static bool check_foralls(const precompute *p) {
  for (int n = p->top; n < p->path.count; ++n) {
    if (cin_forall_is_parallel(p->path.ops[n]))
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected serial foralls (parallelize them last), found '%s' "
                          "on %s",
                          precompute_name(p, precompute_variable(p, n)),
                          cin_unit_name(cin_op_unit(p->path.ops[n]))));
    if (p->places[n] == OUTSIDE)
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected the forall over '%s', of which the expression is, "
                          "outside of the one over '%s' (reorder them first)",
                          precompute_name(p, precompute_variable(p, n)),
                          precompute_name(p, precompute_variable(p, p->top))));
  }
  return true;
}

static int statements_in(MlirBlock block) {
  int count = 0;
  for (OPERATIONS(op, block))
    count += cin_is_forall(op) || cin_is_where(op) || cin_is_assign(op);
  return count;
}

static bool check_sums(const precompute *p) {
  for (int n = p->top; n < p->path.count; ++n)
    if (p->places[n] == SUMMED && statements_in(cin_forall_body(p->path.ops[n])) != 1)
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected the forall over '%s' around nothing else than the "
                          "expression, found several statements",
                          precompute_name(p, precompute_variable(p, n))));
  return true;
}

static bool check(const precompute *p) {
  for (int n = 0; n < p->s->command->known_count; ++n)
    if (!check_variable(p, n) || (!precompute_is_window(p, n) && !precompute_check_remapped(p, n)))
      return false;
  return precompute_check_covered(p) && check_foralls(p) && check_sums(p) &&
         precompute_check_windows(p);
}

/* ---- The command -------------------------------------------------------------------------- */

/* The first forall inside of the producer that assigns; of the result, of all. */
static int first_reducing(const precompute *p) {
  MlirOperation where = cin_where_of(p->value.assign);
  return where.ptr ? cin_path(p->s->memory, where).count : 0;
}

static bool has_foralls(const scheduler *s, MlirOperation assign) {
  op_list path = cin_path(s->memory, assign);
  int found = 0;
  for (int n = 0; n < s->command->known_count; ++n)
    for (int f = 0; f < path.count; ++f)
      found += mlirValueEqual(cin_forall_variable(path.ops[f]), schedule_known(s, n));
  return found >= s->command->known_count;
}

/* The assignment that has the value, within foralls over the list if one is; how many there are. */
static int find_value(const scheduler *s, schedule_value *value) {
  op_list assigns = ops_below(s->memory, s->kernel, cin_is_assign);
  int count = 0, within = 0;
  for (int n = 0; n < assigns.count; ++n) {
    schedule_value found;
    if (!schedule_value_find(s->memory, assigns.ops[n], s->command->value, &found))
      continue;
    bool is_within = has_foralls(s, assigns.ops[n]);
    bool is_better = !count || (is_within && !within);
    ++count;
    within += is_within;
    if (!is_better) {
      schedule_value_free(&found);
      continue;
    }
    if (count > 1)
      schedule_value_free(value);
    *value = found;
  }
  return within ? within : count;
}

bool schedule_has_value(const scheduler *s) {
  schedule_value value;
  bool found = find_value(s, &value);
  if (found)
    schedule_value_free(&value);
  return found;
}

static const char *known_tensors(const scheduler *s) {
  const char *names = "";
  MlirBlock block = op_block(s->kernel, 0);
  for (intptr_t n = 0; n < mlirBlockGetNumArguments(block) - 1; ++n)
    names =
        arena_format(s->memory, "%s%s%s", names, *names ? ", " : "",
                     cin_tensor_bare_name(s->memory, s->kernel, mlirBlockGetArgument(block, n)));
  return names;
}

bool schedule_refuse_value(const scheduler *s) {
  const einsum *text = s->command->value;
  for (int t = 0; t < text->tensor_count; ++t)
    if (mlirValueIsNull(schedule_tensor(s->kernel, text->tensors[t].name)))
      return schedule_refuse(s, s->kernel,
                             arena_format(s->memory, "no tensor '%s' here: expected one of %s",
                                          text->tensors[t].name, known_tensors(s)));
  return schedule_refuse(
      s, s->kernel,
      arena_format(s->memory, "expected a part of what is assigned, found none that is '%s'",
                   s->command->subject));
}

static bool check_names(const scheduler *s) {
  const schedule_command *c = s->command;
  for (int n = 0; n < c->made_count; ++n) {
    bool taken = precompute_renames(c, n) && precompute_name_is_taken(s->kernel, c->made[n]);
    for (int m = 0; m < n; ++m)
      taken |= !strcmp(c->made[m], c->made[n]);
    taken |= c->workspace && !strcmp(c->workspace, c->made[n]);
    if (taken)
      return schedule_refuse(
          s, s->kernel,
          arena_format(s->memory, "expected a new name, found '%s' twice", c->made[n]));
  }
  return !c->workspace || !precompute_name_is_taken(s->kernel, c->workspace) ||
         schedule_refuse(
             s, s->kernel,
             arena_format(s->memory, "expected a new name, found '%s' twice", c->workspace));
}

/* What is out of range has places in an array that nobody fills. */
static bool check_padding(scheduler *s) {
  s->graph = provenance_create(s->memory, s->kernel);
  s->foralls = ops_below(s->memory, s->kernel, cin_is_forall);
  return s->graph && schedule_check_padded(s);
}

bool schedule_apply_precompute(scheduler *s) {
  precompute p = {.s = s};
  if (!check_names(s))
    return false;
  int count = find_value(s, &p.value);
  if (!count)
    return schedule_refuse_value(s);
  p.path = cin_path(s->memory, p.value.assign);
  p.first = first_reducing(&p);
  int room = p.path.count + s->command->known_count + 1;
  p.places = ARENA_ARRAY(s->memory, place, room);
  p.produced = ARENA_ARRAY(s->memory, MlirValue, room);
  p.dimensions = ARENA_ARRAY(s->memory, MlirValue, room);
  p.produced_dimensions = ARENA_ARRAY(s->memory, MlirValue, room);
  precompute_find_windows(&p);
  find_places(&p);
  bool applied =
      count > 1 ? precompute_refuse(&p, "expected the expression in one assignment, found it in "
                                        "several")
                : check(&p) && precompute_choose_workspace(&p) && precompute_transform(&p) &&
                      (!p.has_windows || check_padding(s));
  schedule_value_free(&p.value);
  return applied;
}
