/* schedule_collapse.c - the commands of a schedule that go through something in the place of a
 * variable, or of several: collapse, pos, coord, bound.
 *
 *     collapse(i, j, f)         forall i { forall j { s } }      ->  forall f { s }
 *     collapse(f, k, g)         the three as one: of i, j and k
 *     split(j, j0, j1, 8)
 *     collapse(i, j0, f)        forall i { forall j0 { forall j1 { s } } }
 *                                                                  ->  forall f { forall j1 { s } }
 *     pos(f, p, A)              forall f { s }                   ->  forall p { s }
 *
 *     coord(p1, c)              forall p1 { s }                  ->  forall c { s }
 *     bound(i, b, 100, kind)    forall i { s }                   ->  forall b { s }
 *
 * pos of a collapsed variable numbers the level of A that holds the innermost of those collapsed;
 * the others must be those of the levels above, in their order.  (Senanayake et al. 2020, section
 * 4.)
 */
#include "cin.h"
#include "cin_kernel.h"
#include "cin_ops.h"
#include "ir.h"
#include "schedule.h"
#include "schedule_positions.h"

#include <string.h>

/* How many variables of a relation have no foralls of their own: the last ones of those above. */
static const char tracks[] = "tracks";

int schedule_collapsed_count(MlirOperation op) {
  return cin_is_collapse(op) || cin_is_pos(op) ? (int)op_integer(op, tracks, 0) : 0;
}

static MlirValue collapsed_at(MlirOperation op, int n) {
  intptr_t first = mlirOperationGetNumOperands(op) - schedule_collapsed_count(op);
  return mlirOperationGetOperand(op, first + n);
}

bool schedule_is_collapsed(MlirOperation op, MlirValue variable) {
  for (int n = 0; n < schedule_collapsed_count(op); ++n)
    if (mlirValueEqual(collapsed_at(op, n), variable))
      return true;
  return false;
}

void schedule_set_collapsed(MlirOperation op, int64_t count) {
  op_set(op, tracks, integer_attribute(mlirOperationGetContext(op), count));
}

/* ---- collapse --------------------------------------------------------------------------- */

static MlirOperation collapse_of(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  return cin_is_collapse(op) ? op : (MlirOperation){NULL};
}

/* Those of which the variable is made, the outermost first; itself, where it is not collapsed. */
static int add_parts(MlirValue variable, MlirValue *parts, int count) {
  MlirOperation op = collapse_of(variable);
  if (mlirOperationIsNull(op)) {
    parts[count++] = variable;
    return count;
  }
  for (int n = 0; n < schedule_collapsed_count(op); ++n)
    parts[count++] = collapsed_at(op, n);
  parts[count++] = mlirOperationGetOperand(op, 0);
  return count;
}

/* Variables, what they are split into or bounded as, and what was collapsed before. */
static bool check_coordinates(const scheduler *s, MlirValue variable) {
  MlirOperation op = value_owner(variable);
  if (provenance_space(s->graph, variable).is_positions)
    return schedule_refuse(s, s->kernel,
                           arena_format(s->memory,
                                        "expected variables that go through coordinates, found "
                                        "'%.*s' (collapse them first, then pos)",
                                        TEXT(provenance_name(variable))));
  while (cin_is_split(op) || cin_is_bound(op) || cin_is_collapse(op))
    op = value_owner(mlirOperationGetOperand(op, 0));
  return cin_is_index(op) || cin_is_remap(op) ||
         schedule_refuse(s, s->kernel,
                         arena_format(s->memory,
                                      "not supported yet: expected variables, or parts that they "
                                      "are split into, found '%.*s'",
                                      TEXT(provenance_name(variable))));
}

/* What is directly nested in a forall; other statements, where the operation is null. */
static const char *nested_words(const scheduler *s, MlirOperation nested) {
  return mlirOperationIsNull(nested)
             ? "no forall alone"
             : arena_format(s->memory, "that over '%.*s'",
                            TEXT(provenance_name(cin_forall_variable(nested))));
}

static bool refuse_parallel(const scheduler *s, MlirOperation forall) {
  return schedule_refuse(
      s, forall,
      arena_format(s->memory, "expected serial foralls (parallelize them last), found '%.*s' on %s",
                   TEXT(provenance_name(cin_forall_variable(forall))),
                   cin_unit_name(cin_op_unit(forall))));
}

/* A variable that goes through positions is none of those that the command takes. */
static bool refuse_positions(const scheduler *s) {
  return schedule_refuse(s, s->kernel,
                         arena_format(s->memory,
                                      "expected a variable that goes through coordinates, found "
                                      "'%s', which goes through positions",
                                      s->command->known[0]));
}

/* Every forall over the one has the other, and nothing else, in it. */
static bool check_nested(const scheduler *s, op_list outer, op_list inner, MlirValue variable) {
  for (int i = 0; i < outer.count; ++i) {
    MlirOperation nested = schedule_directly_nested(outer.ops[i]);
    if (mlirOperationIsNull(nested) || !mlirValueEqual(cin_forall_variable(nested), variable))
      return schedule_refuse(
          s, outer.ops[i],
          arena_format(s->memory,
                       "expected the forall over '%s' directly nested in the one "
                       "over '%s', found %s",
                       s->command->known[1], s->command->known[0], nested_words(s, nested)));
    if (cin_forall_is_parallel(outer.ops[i]) || cin_forall_is_parallel(nested))
      return refuse_parallel(s, cin_forall_is_parallel(outer.ops[i]) ? outer.ops[i] : nested);
  }
  return outer.count == inner.count ||
         schedule_refuse(s, inner.ops[0],
                         arena_format(s->memory, "expected each forall over '%s' in one over '%s'",
                                      s->command->known[1], s->command->known[0]));
}

static void drop_collapse(MlirValue variable) {
  MlirOperation op = collapse_of(variable);
  if (!mlirOperationIsNull(op))
    mlirOperationDestroy(op);
}

bool schedule_apply_collapse(scheduler *s) {
  MlirValue outer = schedule_known(s, 0), inner = schedule_known(s, 1);
  op_list around = schedule_foralls_over(s, outer), within = schedule_foralls_over(s, inner);
  if (mlirValueEqual(outer, inner))
    return schedule_refuse(s, s->kernel,
                           arena_format(s->memory, "expected distinct variables, found '%s' twice",
                                        s->command->known[0]));
  if (!check_coordinates(s, outer) || !check_coordinates(s, inner) ||
      !check_nested(s, around, within, inner))
    return false;
  intptr_t most = 2;
  MlirValue pair[] = {outer, inner};
  for (int n = 0; n < 2; ++n)
    if (!mlirOperationIsNull(collapse_of(pair[n])))
      most += mlirOperationGetNumOperands(collapse_of(pair[n]));
  MlirValue *parts = ARENA_ARRAY(s->memory, MlirValue, most);
  int count = add_parts(inner, parts, add_parts(outer, parts, 0));
  MlirOperation op = cin_collapse_create(mlirOperationGetLocation(s->kernel), parts[count - 1],
                                         count - 1, parts, s->command->made[0]);
  schedule_set_collapsed(cin_declare(s->kernel, op), count - 1);
  for (int i = 0; i < around.count; ++i) {
    MlirOperation nested = schedule_directly_nested(around.ops[i]);
    move_statements(cin_forall_body(nested), cin_forall_body(around.ops[i]));
    mlirOperationDestroy(nested);
    cin_forall_set_variable(around.ops[i], mlirOperationGetResult(op, 0));
    cin_forall_fix(around.ops[i]);
  }
  drop_collapse(inner);
  drop_collapse(outer);
  return true;
}

/* ---- pos -------------------------------------------------------------------------------- */

/* The levels above that of the positions hold the variables collapsed, the last right above. */
static const char *why_not_levels(const scheduler *s, MlirOperation collapse, MlirOperation pos) {
  int count = schedule_collapsed_count(collapse);
  intptr_t above = mlirOperationGetNumOperands(pos) - 2;
  for (int n = 0; n < count; ++n) {
    intptr_t level = above - count + n;
    MlirValue wanted = collapsed_at(collapse, n);
    MlirStringRef name = provenance_name(wanted);
    MlirValue held = level < 0 ? (MlirValue){NULL} : mlirOperationGetOperand(pos, 2 + level);
    if (mlirValueIsNull(held) || !mlirValueEqual(held, wanted))
      return arena_format(
          s->memory,
          "expected levels of '%s' that hold the variables collapsed in their order, "
          "found '%.*s' not %s",
          s->command->subject, TEXT(name), level < 0 ? "above" : "at the level where it belongs");
  }
  return NULL;
}

/* A relation that makes one variable of another, and the foralls over that as foralls over it. */
static void go_through(const scheduler *s, MlirValue variable, MlirOperation made) {
  op_list foralls = schedule_foralls_over(s, variable);
  cin_declare(s->kernel, made);
  for (int i = 0; i < foralls.count; ++i)
    cin_forall_set_variable(foralls.ops[i], mlirOperationGetResult(made, 0));
}

/* Through the same coordinates: those at 0 and after, as all are. */
static bool go_through_same(const scheduler *s, MlirValue variable) {
  go_through(s, variable,
             cin_bound_create(mlirOperationGetLocation(s->kernel), variable, 0, CIN_MIN_CONSTRAINT,
                              s->command->made[0]));
  return true;
}

/* Whether the levels down to that of the positions are those of an array, and the variable goes
 * over all of them, so that its coordinates are the positions. */
static bool is_array_of(const scheduler *s, MlirOperation pos, int collapsed) {
  int level = (int)cin_pos_level(pos);
  const tensor_format *format = tensor_format_get(s->memory, mlirValueGetType(cin_pos_tensor(pos)),
                                                  mlirOperationGetLocation(s->kernel));
  const unsigned wanted = LEVEL_FULL | LEVEL_COMPACT | LEVEL_CONSECUTIVE | LEVEL_EVEN;
  bool array = format && level == collapsed;
  for (int l = 0; array && l <= level; ++l)
    array = (format->levels[l].properties & wanted) == wanted;
  return array;
}

bool schedule_apply_pos(scheduler *s) {
  const schedule_command *c = s->command;
  MlirValue variable = schedule_known(s, 0);
  MlirOperation collapse = collapse_of(variable);
  bool several = !mlirOperationIsNull(collapse);
  MlirValue inner = several ? mlirOperationGetOperand(collapse, 0) : variable;
  const char *why;
  if (provenance_space(s->graph, variable).is_positions)
    return refuse_positions(s);
  MlirOperation pos = schedule_positions(s->memory, s->kernel, inner, c->subject, c->made[0], &why);
  if (mlirOperationIsNull(pos))
    return schedule_refuse(s, s->kernel, why);
  why = several ? why_not_levels(s, collapse, pos) : NULL;
  if (why) {
    mlirOperationDestroy(pos);
    return schedule_refuse(s, s->kernel, why);
  }
  if (is_array_of(s, pos, several ? schedule_collapsed_count(collapse) : 0)) {
    mlirOperationDestroy(pos);
    return go_through_same(s, variable);
  }
  go_through(s, variable, pos);
  if (several)
    schedule_set_collapsed(pos, schedule_collapsed_count(collapse));
  drop_collapse(variable);
  return true;
}

/* ---- coord, bound ----------------------------------------------------------------------- */

/* The pos that the variable is the innermost part of, and the outer parts between; null, and why,
 * where it is none. */
static MlirOperation positions_of(const scheduler *s, MlirValue variable, MlirValue *pieces,
                                  int *count, const char **why) {
  *count = 0;
  *why = arena_format(s->memory, "expected a variable that goes through positions, found '%.*s'",
                      TEXT(provenance_name(variable)));
  MlirOperation op = value_owner(variable);
  while (cin_is_split(op)) {
    if (!mlirValueEqual(cin_split_inner(op), variable)) {
      *why = arena_format(s->memory,
                          "expected the innermost part of positions, found '%.*s', of which each "
                          "is several",
                          TEXT(provenance_name(variable)));
      return (MlirOperation){NULL};
    }
    pieces[(*count)++] = cin_split_outer(op);
    variable = cin_split_parent(op);
    op = value_owner(variable);
  }
  return cin_is_pos(op) ? op : (MlirOperation){NULL};
}

static int splits_around(MlirValue variable) {
  int count = 0;
  for (MlirOperation op = value_owner(variable); cin_is_split(op);
       op = value_owner(cin_split_parent(op)))
    ++count;
  return count;
}

/* Whether positions of an array are split into the variable. */
static bool is_of_array(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  while (cin_is_split(op))
    op = value_owner(cin_split_parent(op));
  return cin_is_bound(op) && cin_op_bound_kind(op) == CIN_MIN_CONSTRAINT;
}

bool schedule_apply_coord(scheduler *s) {
  MlirValue variable = schedule_known(s, 0);
  if (is_of_array(variable))
    return go_through_same(s, variable);
  MlirValue *pieces = ARENA_ARRAY(s->memory, MlirValue, splits_around(variable) + 1);
  int count;
  const char *why;
  MlirOperation pos = positions_of(s, variable, pieces, &count, &why);
  if (mlirOperationIsNull(pos))
    return schedule_refuse(s, s->kernel, why);
  go_through(s, variable,
             cin_coord_create(mlirOperationGetLocation(s->kernel), variable,
                              mlirOperationGetOperand(pos, 0), count, pieces, s->command->made[0]));
  return true;
}

bool schedule_apply_bound(scheduler *s) {
  const schedule_command *c = s->command;
  MlirValue variable = schedule_known(s, 0);
  if (provenance_space(s->graph, variable).is_positions)
    return refuse_positions(s);
  if ((c->bound == CIN_MIN_EXACT || c->bound == CIN_MIN_CONSTRAINT) && c->number)
    return schedule_refuse(s, s->kernel,
                           arena_format(s->memory,
                                        "expected 0, where all variables begin, found %lld",
                                        (long long)c->number));
  go_through(s, variable,
             cin_bound_create(mlirOperationGetLocation(s->kernel), variable, c->number, c->bound,
                              c->made[0]));
  return true;
}

/* ---- foralls over what was collapsed ---------------------------------------------------- */

/* What the variable was made of, or what its twin was. */
static MlirValue made_of(MlirOperation op, bool as_twin) {
  return mlirOperationGetOperand(op, as_twin && cin_is_twin(op));
}

/* Whether a relation, or several, made `variable` of `from`, in its place; or (`as_twin`) one that
 * it is the twin of, so that foralls over both may be in one over what they share. */
static bool is_made_of(MlirValue variable, MlirValue from, bool as_twin) {
  MlirOperation op = value_owner(variable);
  while (!mlirValueEqual(variable, from)) {
    if (mlirOperationIsNull(op) || cin_is_index(op) || cin_is_remap(op) ||
        !mlirOperationGetNumOperands(op))
      return false;
    variable = made_of(op, as_twin);
    op = value_owner(variable);
  }
  return true;
}

static bool is_innermost(arena *memory, MlirOperation forall, MlirValue from) {
  op_list inside = ops_below(memory, forall, cin_is_forall);
  if (!is_made_of(cin_forall_variable(forall), from, false))
    return false;
  for (int i = 0; i < inside.count; ++i)
    if (!mlirOperationEqual(inside.ops[i], forall) &&
        is_made_of(cin_forall_variable(inside.ops[i]), from, true))
      return false;
  return true;
}

static void enclose(arena *memory, MlirOperation forall, MlirOperation relation,
                    op_list *expanded) {
  for (int n = 0; n < schedule_collapsed_count(relation); ++n) {
    MlirOperation around =
        cin_forall_create(mlirOperationGetLocation(forall), collapsed_at(relation, n));
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(forall), forall, around);
    mlirOperationRemoveFromParent(forall);
    mlirBlockAppendOwnedOperation(cin_forall_body(around), forall);
    cin_forall_fix(around);
    op_list_add(memory, expanded, around);
  }
  cin_forall_fix(forall);
}

static void expand(arena *memory, MlirOperation kernel, MlirOperation relation, op_list *expanded) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i)
    if (is_innermost(memory, foralls.ops[i], mlirOperationGetResult(relation, 0)))
      enclose(memory, foralls.ops[i], relation, expanded);
}

/* The last relations first: foralls over what they collapse may be over parts of what others do. */
op_list schedule_expand(arena *memory, MlirOperation kernel) {
  op_list expanded = {0}, relations = {0};
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (schedule_collapsed_count(op))
      op_list_add(memory, &relations, op);
  for (int n = relations.count; n-- > 0;)
    expand(memory, kernel, relations.ops[n], &expanded);
  return expanded;
}

void schedule_contract(op_list expanded) {
  for (int i = expanded.count; i-- > 0;) {
    MlirOperation around = expanded.ops[i];
    MlirOperation inside = mlirBlockGetFirstOperation(cin_forall_body(around));
    mlirOperationRemoveFromParent(inside);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(around), around, inside);
    mlirOperationDestroy(around);
  }
}

op_list schedule_expand_over(const scheduler *s, op_list foralls) {
  op_list expanded = {0}, outermost = {0};
  MlirOperation made = value_owner(cin_forall_variable(foralls.ops[0]));
  int count = schedule_collapsed_count(made);
  for (int i = 0; i < foralls.count; ++i)
    enclose(s->memory, foralls.ops[i], made, &expanded);
  for (int n = 0; n < expanded.count; n += count)
    op_list_add(s->memory, &outermost, expanded.ops[n]);
  mlirOperationRemoveAttributeByName(made, mlirStringRefCreateFromCString(tracks));
  return outermost;
}

void schedule_expand_for_good(arena *memory, MlirOperation kernel) {
  schedule_expand(memory, kernel);
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (schedule_collapsed_count(op))
      mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString(tracks));
}

bool schedule_goes_through_collapsed(arena *memory, MlirOperation kernel, MlirOperation forall) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (schedule_collapsed_count(op) && is_innermost(memory, forall, mlirOperationGetResult(op, 0)))
      return true;
  return false;
}
