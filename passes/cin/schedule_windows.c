/* schedule_windows.c - workspaces of precompute over compound subscripts: a part of a sparse
 * operand expanded into an array, which what slides over it reads.
 *
 *     Y(i,j) = X(i+k,j+l) * W(k,l)
 *
 *     reorder(i,k,j,l) precompute(X(i+k,j+l), j_plus_l, j_plus_l, w)
 *
 *     forall i { forall k { where { forall j { forall l { Y[i, j] add w[s] * W[k, l] }}}
 *                           producing w { forall j_plus_l { w[s] add X[i + k, j + l] }}}}
 *
 * s is a cin.window of j + l.  A subscript with parts of variables is listed by their names: of
 * j1_plus_l, where j is split into j0 and j1, the array is as long as a block of j, and l, are, and
 * j0 stays outside:
 *
 *     s  =  (j + l) - 64 * j0,   j = 64 * j0 + j1
 *
 * Foralls over the variables that a window reaches over are around what reads the array, and
 * around nothing of what fills it: that goes through the subscript itself, as the operand stores
 * it.  Nothing lists what is in such an array: it is emptied as a whole.
 */
#include "cin.h"
#include "schedule_forms.h"
#include "schedule_precompute.h"

#include "remap.h"

#include <mlir-c/AffineMap.h>
#include <string.h>

/* ---- Names -------------------------------------------------------------------------------- */

/* A compound subscript with inner parts for some of its variables. */
typedef struct parted_form {
  arena *memory;
  MlirOperation kernel;
  remap form;
  MlirValue *inner; /* for each term */
  MlirValue *outer; /* the parts beside, and how much of the subscript one step of each is */
  int64_t *outer_factors;
  int outer_count, room;
} parted_form;

static MlirOperation relation_of_parts(MlirOperation kernel, MlirValue variable) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (((cin_is_split(op) && !op_has(op, "up")) || cin_is_bound(op)) &&
        mlirValueEqual(mlirOperationGetOperand(op, 0), variable))
      return op;
  return (MlirOperation){NULL};
}

/* The inner part that a term's variable stands for in its place; false where it has none.  The last
 * part but the outermost, or the variable with its end told. */
static bool take_part(parted_form *f, int term, int64_t factor) {
  MlirOperation op = relation_of_parts(f->kernel, f->inner[term]);
  if (mlirOperationIsNull(op))
    return false;
  if (cin_is_bound(op)) {
    f->inner[term] = mlirOperationGetResult(op, 0);
    return true;
  }
  if (__builtin_mul_overflow(factor, cin_split_size(op), &f->outer_factors[f->outer_count]))
    return false;
  f->outer[f->outer_count++] = cin_split_outer(op);
  f->inner[term] = cin_split_inner(op);
  return f->outer_count < f->room;
}

static const char *name_of(const parted_form *f) {
  MlirAffineExpr *parts = ARENA_ARRAY(f->memory, MlirAffineExpr, f->form.count + 1);
  const char **names = ARENA_ARRAY(f->memory, const char *, f->form.count + 1);
  for (int n = 0; n < f->form.count; ++n) {
    MlirStringRef name = provenance_name(f->inner[n]);
    names[n] = arena_text(f->memory, name.data, name.length);
    parts[n] = mlirAffineDimExprGet(mlirOperationGetContext(f->kernel), n);
  }
  return remap_name(f->memory, remap_of_parts(&f->form, parts), names);
}

/* Whether the subscript is called so with some choice of parts for the terms from this one on,
 * which stands in it then. */
static bool find_named(parted_form *f, int term, const char *name) {
  if (term == f->form.count)
    return !strcmp(name_of(f), name);
  MlirValue whole = f->inner[term];
  int outer = f->outer_count;
  do
    if (find_named(f, term + 1, name))
      return true;
  while (take_part(f, term, remap_term_at(&f->form, term).factor));
  f->inner[term] = whole;
  f->outer_count = outer;
  return false;
}

/* A subscript of an access taken apart; false where it is no linear form that ascends. */
static bool read_form(arena *memory, MlirOperation kernel, MlirOperation access, intptr_t d,
                      parted_form *f) {
  MlirAffineMap map = cin_access_map(access);
  *f = (parted_form){.memory = memory, .kernel = kernel};
  if (!remap_is_form(remap_canonical(mlirAffineMapGetResult(map, d))) ||
      !remap_of(remap_canonical(mlirAffineMapGetResult(map, d)), &f->form))
    return false;
  for (OPERATIONS(op, op_block(kernel, 0)))
    f->room += cin_is_split(op);
  f->room = (f->room + 1) * f->form.count + 1;
  f->inner = ARENA_ARRAY(memory, MlirValue, f->form.count + 1);
  f->outer = ARENA_ARRAY(memory, MlirValue, f->room + 1);
  f->outer_factors = ARENA_ARRAY(memory, int64_t, f->room + 1);
  for (int n = 0; n < f->form.count; ++n) {
    remap_term t = remap_term_at(&f->form, n);
    f->inner[n] = cin_access_variable(access, mlirAffineDimExprGetPosition(t.of));
    if (t.factor < 0)
      return false;
  }
  return true;
}

/* ---- Declarations ------------------------------------------------------------------------- */

/* constant + factor 0 * d0 + factor 1 * d1 + ... */
static MlirAffineMap linear_map(MlirContext context, int count, const int64_t *factors,
                                int64_t constant) {
  MlirAffineExpr sum = mlirAffineConstantExprGet(context, constant);
  for (int n = 0; n < count; ++n)
    sum = mlirAffineAddExprGet(
        sum, mlirAffineMulExprGet(mlirAffineDimExprGet(context, n),
                                  mlirAffineConstantExprGet(context, factors[n])));
  return mlirAffineMapGet(context, count, 0, 1, &sum);
}

static bool is_window_of(MlirOperation op, MlirValue form, const parted_form *f) {
  if (!cin_is_window(op) || !mlirValueEqual(cin_window_form(op), form) ||
      cin_window_outer_count(op) != f->outer_count)
    return false;
  for (int n = 0; n < f->outer_count; ++n)
    if (!mlirValueEqual(mlirOperationGetOperand(op, 1 + n), f->outer[n]))
      return false;
  return true;
}

static MlirOperation window_of(MlirValue form, const parted_form *f) {
  for (OPERATIONS(op, op_block(f->kernel, 0)))
    if (is_window_of(op, form, f))
      return op;
  return (MlirOperation){NULL};
}

static void declare_window(const parted_form *f, MlirValue form, const char *name) {
  MlirContext context = mlirOperationGetContext(f->kernel);
  int64_t *factors = ARENA_ARRAY(f->memory, int64_t, f->form.count + 1);
  for (int n = 0; n < f->form.count; ++n)
    factors[n] = remap_term_at(&f->form, n).factor;
  cin_declare(f->kernel,
              cin_window_create(
                  mlirOperationGetLocation(f->kernel), form, f->outer_count, f->outer,
                  linear_map(context, f->outer_count, f->outer_factors, f->form.constant),
                  f->form.count, f->inner, linear_map(context, f->form.count, factors, 0), name));
}

static bool is_gone_through(arena *memory, MlirOperation read, MlirValue form) {
  op_list path = cin_path(memory, read);
  for (int n = 0; n < path.count; ++n)
    if (mlirValueEqual(cin_forall_variable(path.ops[n]), form))
      return true;
  return false;
}

/* The window of a subscript that is called so, or with parts for its variables; that of a whole one
 * has another name, since the subscript has its own. */
static void declare_if_named(arena *memory, MlirOperation kernel, MlirOperation read, intptr_t d,
                             const char *name) {
  parted_form f;
  if (!read_form(memory, kernel, read, d, &f) || !find_named(&f, 0, name))
    return;
  MlirValue form = schedule_form_of(memory, kernel, read, d);
  if (mlirValueIsNull(form) || is_gone_through(memory, read, form) ||
      !mlirOperationIsNull(window_of(form, &f)))
    return;
  bool taken = !mlirValueIsNull(cin_kernel_variable(kernel, name));
  if (!taken || text_is(provenance_name(form), name))
    declare_window(&f, form, taken ? cin_new_name(memory, kernel, form, "_in") : name);
}

void schedule_declare_windows(arena *memory, MlirOperation kernel,
                              const schedule_command *command) {
  op_list reads = ops_below(memory, kernel, cin_is_read);
  for (int n = 0; command->kind == SCHEDULE_PRECOMPUTE && n < command->known_count; ++n)
    for (int r = 0; r < reads.count; ++r)
      for (intptr_t d = 0; d < cin_access_rank(reads.ops[r]); ++d)
        declare_if_named(memory, kernel, reads.ops[r], d, command->known[n]);
}

bool schedule_is_window(const scheduler *s, MlirValue variable) {
  if (s->command->kind != SCHEDULE_PRECOMPUTE)
    return false;
  for (OPERATIONS(op, op_block(s->kernel, 0)))
    if (cin_is_window(op) && (mlirValueEqual(mlirOperationGetResult(op, 0), variable) ||
                              mlirValueEqual(cin_window_form(op), variable)))
      return true;
  return false;
}

/* ---- The list ----------------------------------------------------------------------------- */

static bool has_forall(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->path.count; ++n)
    if (mlirValueEqual(precompute_variable(p, n), variable))
      return true;
  return false;
}

/* The window that a variable of the list is, or is listed as; null for others. */
static MlirOperation window_listed(const precompute *p, MlirValue variable) {
  if (cin_is_window(value_owner(variable)))
    return value_owner(variable);
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_window(op) && !cin_window_outer_count(op) && !has_forall(p, variable) &&
        mlirValueEqual(cin_window_form(op), variable))
      return op;
  return (MlirOperation){NULL};
}

void precompute_find_windows(precompute *p) {
  int count = p->s->command->known_count;
  p->windows = ARENA_ARRAY(p->s->memory, MlirOperation, count + 1);
  for (int n = 0; n < count; ++n) {
    p->windows[n] = window_listed(p, schedule_known(p->s, n));
    p->has_windows |= !mlirOperationIsNull(p->windows[n]);
  }
}

bool precompute_is_window(const precompute *p, int n) {
  return !mlirOperationIsNull(p->windows[n]);
}

/* Whether a variable is another one, or a part of it. */
static bool is_part_of(MlirValue variable, MlirValue whole) {
  MlirOperation op = value_owner(variable);
  while (!mlirValueEqual(variable, whole) &&
         (cin_is_split(op) || cin_is_bound(op) || cin_is_twin(op))) {
    variable = mlirOperationGetOperand(op, 0);
    op = value_owner(variable);
  }
  return mlirValueEqual(variable, whole);
}

bool precompute_covers(const precompute *p, MlirValue variable) {
  for (int n = 0; n < p->s->command->known_count; ++n)
    for (intptr_t k = 0; precompute_is_window(p, n) && k < cin_window_inner_count(p->windows[n]);
         ++k)
      if (is_part_of(variable, cin_window_inner(p->windows[n], k)))
        return true;
  return false;
}

/* ---- Subscripts --------------------------------------------------------------------------- */

/* The variable that a compound subscript is; null for none. */
static MlirValue form_variable(const precompute *p, MlirOperation read, intptr_t d) {
  MlirAffineMap map = cin_access_map(read);
  intptr_t count = mlirAffineMapGetNumDims(map);
  MlirValue *variables = ARENA_ARRAY(p->s->memory, MlirValue, count + 1);
  for (intptr_t n = 0; n < count; ++n)
    variables[n] = cin_access_variable(read, n);
  return cin_form_variable(p->s->kernel, mlirAffineMapGetResult(map, d), count, variables);
}

/* The listed window of a form; null for none. */
static MlirOperation window_over(const precompute *p, MlirValue form) {
  for (int n = 0; n < p->s->command->known_count && !mlirValueIsNull(form); ++n)
    if (precompute_is_window(p, n) && mlirValueEqual(cin_window_form(p->windows[n]), form))
      return p->windows[n];
  return (MlirOperation){NULL};
}

/* Whether the start of a window is of the variable. */
static bool starts_by(MlirOperation window, MlirValue variable) {
  for (intptr_t n = 0; n < cin_window_outer_count(window); ++n)
    if (is_part_of(variable, mlirOperationGetOperand(window, 1 + n)))
      return true;
  return false;
}

static bool uses_root_of(const precompute *p, MlirOperation read, intptr_t d, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(p->s->graph, variable, &roots);
  for (intptr_t n = 0; n < count; ++n)
    if (cin_subscript_uses(read, d, roots[n]))
      return true;
  return cin_subscript_uses(read, d, variable);
}

/* A subscript that a window stands for is of what its start is of, one with a forall of its own of
 * that alone. */
static bool subscript_is_of(const precompute *p, MlirOperation read, intptr_t d,
                            MlirValue variable) {
  MlirValue form = form_variable(p, read, d);
  MlirOperation window = window_over(p, form);
  if (!mlirOperationIsNull(window))
    return starts_by(window, variable);
  if (!mlirValueIsNull(form) && has_forall(p, form))
    return mlirValueEqual(form, variable);
  return uses_root_of(p, read, d, variable);
}

bool precompute_read_is_of(const precompute *p, MlirOperation read, MlirValue variable) {
  for (intptr_t d = 0; d < cin_access_rank(read); ++d)
    if (subscript_is_of(p, read, d, variable))
      return true;
  return false;
}

static bool follows(const precompute *p, MlirValue variable, intptr_t count,
                    const MlirValue *from) {
  return provenance_follows(p->s->graph, variable, count, from);
}

static bool subscript_follows(const precompute *p, MlirOperation read, intptr_t d, intptr_t count,
                              const MlirValue *from) {
  MlirValue form = form_variable(p, read, d);
  MlirOperation window = window_over(p, form);
  bool all = true;
  for (intptr_t n = 0; !mlirOperationIsNull(window) && n < cin_window_outer_count(window); ++n)
    all = all && follows(p, mlirOperationGetOperand(window, 1 + n), count, from);
  if (!mlirOperationIsNull(window) || (!mlirValueIsNull(form) && follows(p, form, count, from)))
    return all;
  for (intptr_t n = 0; n < cin_access_variable_count(read); ++n) {
    MlirValue variable = cin_access_variable(read, n);
    all = all && (!cin_subscript_uses(read, d, variable) || follows(p, variable, count, from));
  }
  return all;
}

bool precompute_read_follows(const precompute *p, MlirOperation read, intptr_t count,
                             const MlirValue *from) {
  for (intptr_t d = 0; d < cin_access_rank(read); ++d)
    if (!subscript_follows(p, read, d, count, from))
      return false;
  return true;
}

/* ---- Preconditions ------------------------------------------------------------------------ */

/* Whether a read of the value has the window's subscript. */
static bool is_read(const precompute *p, MlirOperation window) {
  for (int n = 0; n < p->value.read_count; ++n) {
    MlirOperation read = p->value.reads[n];
    for (intptr_t d = 0; !mlirOperationIsNull(read) && d < cin_access_rank(read); ++d) {
      MlirValue form = form_variable(p, read, d);
      if (!mlirValueIsNull(form) && mlirValueEqual(form, cin_window_form(window)))
        return true;
    }
  }
  return false;
}

/* What a window reaches over is in no subscript beside. */
bool precompute_check_covered(const precompute *p) {
  for (int n = 0; n < p->path.count; ++n)
    if (p->places[n] != CONSUMED && precompute_covers(p, precompute_variable(p, n)))
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected '%s' in the compound subscripts of the list alone, found it "
                          "beside them",
                          precompute_name(p, precompute_variable(p, n))));
  return true;
}

/* What fills the array is known outside of it, but for what windows go through. */
bool precompute_check_windows(const precompute *p) {
  MlirValue *from = ARENA_ARRAY(p->s->memory, MlirValue, p->path.count + 1);
  intptr_t count = 0;
  for (int n = 0; n < p->path.count; ++n)
    if (n < p->top || p->places[n] == LISTED || p->places[n] == SUMMED)
      from[count++] = precompute_variable(p, n);
  for (int n = 0; n < p->value.read_count && p->has_windows; ++n)
    if (!mlirOperationIsNull(p->value.reads[n]) &&
        !precompute_read_follows(p, p->value.reads[n], count, from))
      return precompute_refuse(
          p, arena_format(p->s->memory,
                          "expected what subscripts %s beside the list in foralls outside, found "
                          "a part of it inside (reorder them first)",
                          cin_tensor_name(p->s->memory, p->s->kernel,
                                          cin_access_tensor(p->value.reads[n]))));
  return true;
}

bool precompute_check_window(const precompute *p, int n) {
  const schedule_command *c = p->s->command;
  if (!is_read(p, p->windows[n]))
    return precompute_refuse(p, arena_format(p->s->memory,
                                             "expected variables of the expression, found '%s'",
                                             c->known[n]));
  if (precompute_renames(c, n))
    return precompute_refuse(
        p, arena_format(p->s->memory,
                        "not supported yet: expected '%s' in the producer too, for it goes "
                        "through a compound subscript, found '%s'",
                        c->known[n], c->made[n]));
  for (int m = 0; m < n; ++m)
    if (precompute_is_window(p, m) &&
        mlirValueEqual(cin_window_form(p->windows[m]), cin_window_form(p->windows[n])))
      return precompute_refuse(
          p,
          arena_format(p->s->memory, "expected distinct variables, found '%s' twice", c->known[n]));
  return true;
}

/* ---- The producer ------------------------------------------------------------------------- */

MlirBlock precompute_go_through_windows(const precompute *p, int *next, int before,
                                        MlirBlock block) {
  for (; *next < before; ++*next) {
    if (!precompute_is_window(p, *next))
      continue;
    MlirOperation forall = cin_forall_create(mlirOperationGetLocation(p->s->kernel),
                                             cin_window_form(p->windows[*next]));
    mlirBlockAppendOwnedOperation(block, forall);
    block = cin_forall_body(forall);
  }
  return block;
}
