/* schedule_forms.c - which of the variables of a linear form have foralls (Liu et al. 2024).
 *
 *     y(i) = x(i+k) * f(k), i + k = s       of i, k and s any two have foralls, the third follows
 *
 *     forall s { forall i { ... } }      k = s - i       each entry of x into the window around it
 *     forall i { forall s { ... } }      k = s - i       the entries of a window into each i
 *     forall k { forall i { ... } }      s = i + k       x is gone through from k on, for each k
 *
 * `reorder` names variables, and so do `split`, `split_up` and `bound`.  One that has no forall
 * takes the place of one that has, is not named, and then follows from those that have:
 *
 *     reorder(k,i)                          forall s { forall i { y[i] add x[i + k] * f[k] } }
 *                                       ->  forall k { forall i { y[i] add x[i + k] * f[k] } }
 *
 * A compound subscript that no cin.remap stands for yet can be named too, and is declared then: it
 * is called as cin.remap would be (remap_name).
 *
 * A loop over a subscript goes as far as the dimension does.  That of a padded access may be named
 * where nothing is computed out of range.
 */
#include "schedule_forms.h"

#include "cin.h"
#include "cin_kernel.h"
#include "merge_lattice.h"
#include "remap.h"
#include "value_map.h"

#include <mlir-c/AffineMap.h>

#include <string.h>

/* ---- Subscripts by their names ------------------------------------------------------------ */

/* A compound subscript, of these variables. */
typedef struct form {
  MlirAffineExpr expression;
  intptr_t count;
  MlirValue *variables;
} form;

static form form_at(arena *memory, MlirOperation access, intptr_t d) {
  MlirAffineMap map = cin_access_map(access);
  form f = {remap_canonical(mlirAffineMapGetResult(map, d)), mlirAffineMapGetNumDims(map), NULL};
  f.variables = ARENA_ARRAY(memory, MlirValue, f.count + 1);
  for (intptr_t n = 0; n < f.count; ++n)
    f.variables[n] = cin_access_variable(access, n);
  return f;
}

static const char *form_name(arena *memory, const form *f) {
  const char **names = ARENA_ARRAY(memory, const char *, f->count + 1);
  for (intptr_t n = 0; n < f->count; ++n) {
    MlirStringRef name = provenance_name(f->variables[n]);
    names[n] = arena_text(memory, name.data, name.length);
  }
  return remap_name(memory, f->expression, names);
}

/* A cin.remap of the variables that it has. */
static void declare(arena *memory, MlirOperation kernel, const form *f, const char *name) {
  remap r;
  remap_of(f->expression, &r);
  int count = remap_part_count(&r);
  MlirValue *variables = ARENA_ARRAY(memory, MlirValue, count + 1);
  MlirAffineExpr *parts = ARENA_ARRAY(memory, MlirAffineExpr, count + 1);
  for (int n = 0; n < count; ++n) {
    variables[n] = f->variables[mlirAffineDimExprGetPosition(remap_part(&r, n))];
    parts[n] = mlirAffineDimExprGet(mlirOperationGetContext(kernel), n);
  }
  MlirAffineExpr of_parts = remap_of_parts(&r, parts);
  MlirAffineMap map = mlirAffineMapGet(mlirOperationGetContext(kernel), count, 0, 1, &of_parts);
  cin_declare(kernel, cin_remap_create(mlirOperationGetLocation(kernel), count, variables, map,
                                       name, !remap_is_counted_from_zero(f->expression)));
}

/* Declares the subscript if it is the one called so, and no variable stands for it or has the name.
 */
static void declare_if_named(arena *memory, MlirOperation kernel, MlirOperation access, intptr_t d,
                             const char *name) {
  form f = form_at(memory, access, d);
  if (remap_is_form(f.expression) && mlirValueIsNull(cin_kernel_variable(kernel, name)) &&
      mlirValueIsNull(cin_form_variable(kernel, f.expression, f.count, f.variables)) &&
      !strcmp(form_name(memory, &f), name))
    declare(memory, kernel, &f, name);
}

MlirValue schedule_form_of(arena *memory, MlirOperation kernel, MlirOperation access,
                           intptr_t dimension) {
  form f = form_at(memory, access, dimension);
  MlirValue found = cin_form_variable(kernel, f.expression, f.count, f.variables);
  if (mlirValueIsNull(found) && remap_is_form(f.expression)) {
    const char *name = form_name(memory, &f);
    if (mlirValueIsNull(cin_kernel_variable(kernel, name)))
      declare(memory, kernel, &f, name);
    found = cin_form_variable(kernel, f.expression, f.count, f.variables);
  }
  return found;
}

static void declare_form(arena *memory, MlirOperation kernel, const char *name) {
  op_list reads = ops_below(memory, kernel, cin_is_read);
  for (int r = 0; r < reads.count; ++r)
    for (intptr_t d = 0; d < cin_access_rank(reads.ops[r]); ++d)
      declare_if_named(memory, kernel, reads.ops[r], d, name);
}

void schedule_declare_forms(arena *memory, MlirOperation kernel, const schedule_command *command) {
  for (int n = 0; schedule_takes_foralls(command) && n < command->known_count; ++n)
    if (mlirValueIsNull(cin_kernel_variable(kernel, command->known[n])))
      declare_form(memory, kernel, command->known[n]);
}

/* ---- Which follow from which -------------------------------------------------------------- */

/* The variables of the foralls around an operation, the outermost first. */
typedef struct variable_list {
  int count;
  MlirValue *variables;
} variable_list;

/* With `made` in the place of `from`. */
static variable_list variables_around(arena *memory, MlirOperation op, MlirValue from,
                                      MlirValue made) {
  op_list path = cin_path(memory, op);
  variable_list list = {path.count, ARENA_ARRAY(memory, MlirValue, path.count + 1)};
  for (int n = 0; n < path.count; ++n) {
    MlirValue variable = cin_forall_variable(path.ops[n]);
    list.variables[n] = mlirValueEqual(variable, from) ? made : variable;
  }
  return list;
}

static bool has(const variable_list *list, MlirValue variable) {
  for (int n = 0; n < list->count; ++n)
    if (mlirValueEqual(list->variables[n], variable))
      return true;
  return false;
}

static bool follows(const scheduler *s, const variable_list *list, MlirValue variable) {
  return provenance_follows(s->graph, variable, list->count, list->variables);
}

/* Whether one of them follows from the others. */
static bool depends(const scheduler *s, const variable_list *list) {
  variable_list others = {list->count - 1, ARENA_ARRAY(s->memory, MlirValue, list->count + 1)};
  for (int but = 0; but < list->count; ++but) {
    for (int n = 0; n < others.count; ++n)
      others.variables[n] = list->variables[n + (n >= but)];
    if (follows(s, &others, list->variables[but]))
      return true;
  }
  return false;
}

/* Whether around each assignment in a forall its variable follows once `made` has its place, and no
 * other one does. */
static bool can_replace(const scheduler *s, MlirOperation forall, MlirValue made) {
  MlirValue from = cin_forall_variable(forall);
  op_list assigns = ops_below(s->memory, forall, cin_is_assign);
  for (int n = 0; n < assigns.count; ++n) {
    variable_list before = variables_around(s->memory, assigns.ops[n], from, from);
    variable_list after = variables_around(s->memory, assigns.ops[n], from, made);
    if (has(&before, made) || !follows(s, &after, from) || depends(s, &after))
      return false;
  }
  return assigns.count;
}

static bool is_whole(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  return cin_is_index(op) || cin_is_remap(op);
}

static bool is_named(const scheduler *s, MlirValue variable) {
  for (int n = 0; n < s->command->known_count; ++n)
    if (text_is(provenance_name(variable), s->command->known[n]))
      return true;
  return false;
}

/* ---- Foralls ------------------------------------------------------------------------------ */

/* The foralls whose place a variable takes: in each nest the innermost that it can take. */
static op_list foralls_for(const scheduler *s, MlirValue variable) {
  op_list found = {0};
  for (int n = s->foralls.count; n-- > 0;) {
    MlirOperation forall = s->foralls.ops[n];
    bool apart = is_whole(cin_forall_variable(forall)) && !is_named(s, cin_forall_variable(forall));
    for (int f = 0; f < found.count && apart; ++f)
      apart = !op_is_inside(found.ops[f], forall) && !op_is_inside(forall, found.ops[f]);
    if (apart && can_replace(s, forall, variable))
      op_list_add(s->memory, &found, forall);
  }
  return found;
}

/* "'i', 'k'": those named in whose place the variable could stand. */
static const char *named_in_the_way(const scheduler *s, MlirValue variable) {
  const char *text = "";
  for (int n = 0; n < s->foralls.count; ++n) {
    MlirValue other = cin_forall_variable(s->foralls.ops[n]);
    if (is_named(s, other) && can_replace(s, s->foralls.ops[n], variable))
      text = arena_format(s->memory, "%s%s'%.*s'", text, *text ? " or " : "",
                          TEXT(provenance_name(other)));
  }
  return text;
}

static bool refuse(const scheduler *s, const char *name, MlirValue variable) {
  const char *others = named_in_the_way(s, variable);
  const char *why =
      *others ? arena_format(s->memory,
                             "expected '%s', which follows from other foralls, in the place of %s, "
                             "found those named too",
                             name, others)
              : arena_format(s->memory,
                             "expected a variable with a forall, found '%s', which follows from "
                             "others",
                             name);
  return schedule_refuse(s, s->kernel, why);
}

/* ---- Padded accesses ---------------------------------------------------------------------- */

/* Whether nothing is assigned in a forall where the access has nothing. */
static bool vanishes_without(const scheduler *s, const kernel_statement *k, const tensor_read *a,
                             MlirOperation forall) {
  op_list assigns = ops_below(s->memory, forall, cin_is_assign);
  bool *absent = ARENA_ARRAY(s->memory, bool, k->iterators.count + 1);
  absence none = {.memory = s->memory,
                  .statement = k,
                  .iterators = absent,
                  .produced = ARENA_ARRAY(s->memory, bool, k->tensor_count + 1)};
  absent[a->iterators[a->tensor->format->level_count - 1]->number] = true;
  int gone = 0;
  for (int t = 0; t < k->tensor_count; ++t)
    for (int n = 0; n < k->tensors[t]->assignment_count; ++n) {
      const assignment *x = k->tensors[t]->assignments[n];
      gone += op_is_inside(x->op, forall) && !assignment_remainder(&none, x);
    }
  return gone == assigns.count;
}

/* The loop over a padded subscript that would leave out what is computed where that is out of
 * range; null where there is none. */
static MlirOperation leaves_out(const scheduler *s, const kernel_statement *k,
                                const tensor_read *a) {
  MlirAttribute pad = cin_read_pad(a->op);
  for (intptr_t d = 0; !mlirAttributeIsNull(pad) && d < cin_access_rank(a->op); ++d) {
    form f = form_at(s->memory, a->op, d);
    MlirValue variable = cin_form_variable(s->kernel, f.expression, f.count, f.variables);
    op_list foralls = mlirValueIsNull(variable) ? (op_list){0} : schedule_foralls_over(s, variable);
    for (int n = 0; n < foralls.count; ++n)
      if (a->pads || !vanishes_without(s, k, a, foralls.ops[n]))
        return foralls.ops[n];
  }
  return (MlirOperation){NULL};
}

bool schedule_check_padded(const scheduler *s) {
  const kernel_statement *k = kernel_statement_read(s->memory, s->kernel);
  for (int n = 0; k && n < k->access_count; ++n) {
    const tensor_read *a = k->accesses[n];
    MlirOperation forall = cin_is_read(a->op) ? leaves_out(s, k, a) : (MlirOperation){NULL};
    if (!mlirOperationIsNull(forall))
      return schedule_refuse(
          s, s->kernel,
          arena_format(s->memory,
                       "expected a variable that goes through all that is computed, found '%.*s', "
                       "which leaves out where %s is out of range",
                       TEXT(provenance_name(cin_forall_variable(forall))),
                       cin_tensor_name(s->memory, s->kernel, cin_access_tensor(a->op))));
  }
  return k;
}

/* ---- What a command names ----------------------------------------------------------------- */

bool schedule_take_foralls(scheduler *s) {
  bool taken = false;
  for (int n = 0; n < s->command->known_count; ++n) {
    MlirValue variable = schedule_known(s, n);
    if (schedule_foralls_over(s, variable).count)
      continue;
    op_list found = foralls_for(s, variable);
    for (int f = 0; f < found.count; ++f)
      cin_forall_set_variable(found.ops[f], variable);
    if (!found.count)
      return refuse(s, s->command->known[n], variable);
    taken = true;
  }
  return !taken || schedule_check_padded(s);
}

bool schedule_takes_foralls(const schedule_command *command) {
  return command->kind == SCHEDULE_REORDER || command->kind == SCHEDULE_SPLIT ||
         command->kind == SCHEDULE_SPLIT_UP || command->kind == SCHEDULE_BOUND;
}

/* Whether the operation says of a variable how it is made of others, or of which it is part. */
static bool relates(MlirOperation op, MlirValue variable) {
  bool found =
      mlirOperationGetNumResults(op) && mlirValueEqual(mlirOperationGetResult(op, 0), variable);
  return (cin_is_remap(op) || cin_is_subscript(op)) && (found || op_uses(op, variable));
}

bool schedule_can_take(const scheduler *s, MlirValue variable) {
  if (!schedule_takes_foralls(s->command) || !is_whole(variable))
    return false;
  for (OPERATIONS(op, op_block(s->kernel, 0)))
    if (relates(op, variable))
      return true;
  return false;
}
