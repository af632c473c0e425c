/* schedule_numbered.c - workspaces of precompute over variables that number points: positions of a
 * level, or the points that collapsed variables go through (Senanayake et al. 2020, Figure 2).
 *
 *     collapse(i,j,f) pos(f,p,A) split(p,p0,p1,16) precompute(A(i,j)*x(j), p1, pw, t)
 *
 *     forall p0 { where { forall i { forall p1 { y[i] += stored(A[i,j]) ? t[p1] : 0 }}}
 *                 producing t { forall iw { forall pw { t[pw] += A[iw,jw] * x[jw] }}}}
 *
 * The workspace has a place for each number.  There is a position where the level has an entry, and
 * nowhere else: both sides are told so (cin.stored), and go through these entries.  In what stands
 * for the workspace elsewhere nothing of the numbered operand is stored: a constant mostly, else
 * what is computed from the others.
 */
#include "cin.h"
#include "kernel_statement.h"
#include "schedule_precompute.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

MlirOperation precompute_numbering(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  while (cin_is_split(op) || cin_is_bound(op) || cin_is_twin(op))
    op = value_owner(mlirOperationGetOperand(op, 0));
  return cin_is_pos(op) || cin_is_collapse(op) ? op : (MlirOperation){NULL};
}

/* The same of a variable that goes on through coordinates from positions. */
static MlirOperation numbering_around(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  while (cin_is_split(op) || cin_is_bound(op) || cin_is_twin(op) || cin_is_coord(op))
    op = value_owner(mlirOperationGetOperand(op, 0));
  return precompute_numbering(mlirOperationGetResult(op, 0));
}

bool precompute_numbers_beside(const precompute *p, MlirValue variable) {
  MlirOperation op = numbering_around(variable);
  for (int n = 0; !mlirOperationIsNull(op) && n < p->s->command->known_count; ++n)
    if (mlirOperationEqual(precompute_numbering(schedule_known(p->s, n)), op))
      return true;
  return false;
}

/* ---- Preconditions ------------------------------------------------------------------------ */

static const format_level *level_numbered(const precompute *p, MlirOperation pos) {
  MlirType type = mlirValueGetType(cin_pos_tensor(pos));
  return &tensor_format_get(p->s->memory, type, mlirOperationGetLocation(pos))
              ->levels[cin_pos_level(pos)];
}

/* The read, in what is assigned, whose level has the positions; null for none. */
static MlirOperation numbered_read(const precompute *p, MlirOperation pos) {
  const shaped_values *all = p->value.assigned;
  const format_level *level = level_numbered(p, pos);
  for (int n = 0; n < all->count; ++n) {
    MlirOperation op = value_owner(all->values[n]);
    if (mlirOperationIsNull(op) || !cin_is_read(op) ||
        !mlirValueEqual(cin_access_tensor(op), cin_pos_tensor(pos)))
      continue;
    MlirValue held = cin_access_level(p->s->kernel, op, level);
    if (!mlirValueIsNull(held) && mlirValueEqual(held, mlirOperationGetOperand(pos, 0)))
      return op;
  }
  return (MlirOperation){NULL};
}

static const char *numbered_name(const precompute *p, MlirOperation pos) {
  return cin_tensor_name(p->s->memory, p->s->kernel, cin_pos_tensor(pos));
}

/* Whether both sides know the coordinates of the levels below. */
static bool knows_below(const precompute *p, MlirOperation pos, MlirOperation read) {
  MlirType type = mlirValueGetType(cin_pos_tensor(pos));
  const tensor_format *format =
      tensor_format_get(p->s->memory, type, mlirOperationGetLocation(pos));
  for (int l = (int)cin_pos_level(pos) + 1; l < format->level_count; ++l) {
    MlirValue held = cin_access_level(p->s->kernel, read, &format->levels[l]);
    for (int n = 0; n < p->path.count && !mlirValueIsNull(held); ++n)
      if ((p->places[n] == SUMMED || p->places[n] == CONSUMED) &&
          provenance_leads_to(p->s->graph, precompute_variable(p, n), held))
        return false;
  }
  return true;
}

static bool check_positions(const precompute *p, int n, MlirOperation pos) {
  const char *name = p->s->command->known[n];
  MlirOperation read = numbered_read(p, pos);
  if (!(level_numbered(p, pos)->properties & LEVEL_UNIQUE))
    return precompute_refuse(
        p, arena_format(p->s->memory,
                        "expected positions of a level that has each coordinate once, found '%s' "
                        "of level %ld of %s, which may repeat them",
                        name, (long)cin_pos_level(pos), numbered_name(p, pos)));
  if (mlirOperationIsNull(read))
    return precompute_refuse(p, arena_format(p->s->memory,
                                             "expected %s, whose positions '%s' goes through, in "
                                             "what is assigned, found it elsewhere",
                                             numbered_name(p, pos), name));
  return knows_below(p, pos, read) ||
         precompute_refuse(
             p, arena_format(p->s->memory,
                             "not supported yet: expected positions of the last level of %s, or "
                             "foralls over those below around both sides, found '%s' of level %ld",
                             numbered_name(p, pos), name, (long)cin_pos_level(pos)));
}

/* Whether new variables can be made like all that the operation numbers. */
static bool numbers_whole_variables(MlirOperation numbering) {
  int above = schedule_collapsed_count(numbering);
  intptr_t operands = mlirOperationGetNumOperands(numbering);
  bool whole = cin_is_index(value_owner(mlirOperationGetOperand(numbering, 0)));
  for (int n = 1; n <= above; ++n)
    whole = whole && cin_is_index(value_owner(mlirOperationGetOperand(numbering, operands - n)));
  return whole;
}

bool precompute_check_numbered(const precompute *p, int n) {
  MlirOperation op = precompute_numbering(schedule_known(p->s, n));
  if (precompute_renames(p->s->command, n) && !numbers_whole_variables(op))
    return precompute_refuse(
        p, arena_format(p->s->memory,
                        "not supported yet: expected '%s' in the producer too, for it numbers what "
                        "levels hold of other variables, found '%s'",
                        p->s->command->known[n], p->s->command->made[n]));
  return !cin_is_pos(op) || check_positions(p, n, op);
}

/* ---- Where there are entries -------------------------------------------------------------- */

/* The operations that number what the list names, each once. */
static op_list numberings(const precompute *p) {
  op_list found = {0};
  for (int n = 0; n < p->s->command->known_count; ++n) {
    MlirOperation op = precompute_numbering(schedule_known(p->s, n));
    bool is_new = cin_is_pos(op);
    for (int m = 0; m < found.count; ++m)
      is_new = is_new && !mlirOperationEqual(found.ops[m], op);
    if (is_new)
      op_list_add(p->s->memory, &found, op);
  }
  return found;
}

void precompute_find_entries(precompute *p) {
  op_list all = numberings(p);
  for (int n = 0; n < all.count; ++n)
    op_list_add(p->s->memory, &p->entries, mlirOperationClone(numbered_read(p, all.ops[n])));
}

void precompute_free_entries(precompute *p) {
  for (int n = 0; n < p->entries.count; ++n)
    mlirOperationDestroy(p->entries.ops[n]);
}

/* Whether there is an entry, asked where the builder stands. */
static MlirValue emit_stored(builder *b, MlirOperation read, const value_map *renamed) {
  MlirOperation copy = mlirOperationClone(read);
  for (intptr_t n = 0; n < cin_access_variable_count(read); ++n) {
    MlirValue now = value_map_get(renamed, cin_access_variable(read, n));
    if (!mlirValueIsNull(now))
      mlirOperationSetOperand(copy, n + 1, now);
  }
  MlirValue value = op_result(insert_op(b, copy), 0);
  MlirType truth = type_i(b, 1);
  return op_result(make_op(b, "cin.stored", 1, &value, 1, &truth, 0, NULL), 0);
}

MlirValue precompute_at_entries(const precompute *p, builder *b, const value_map *renamed,
                                MlirValue value, MlirValue otherwise) {
  for (int n = 0; n < p->entries.count; ++n) {
    MlirValue operands[] = {emit_stored(b, p->entries.ops[n], renamed), value, otherwise};
    MlirType type = mlirValueGetType(value);
    value = op_result(make_op(b, "arith.select", 3, operands, 1, &type, 0, NULL), 0);
  }
  return value;
}

/* ---- Elsewhere ---------------------------------------------------------------------------- */

/* The kernel's expression of an operation; NULL for none. */
static const expression *expression_of(const kernel_statement *s, MlirOperation op) {
  for (int n = 0; s && n < s->expressions->count; ++n) {
    const expression *e = s->expressions->all[n];
    if (e->kind == EXPRESSION_OPERATION && !mlirOperationIsNull(e->op) &&
        mlirOperationEqual(e->op, op))
      return e;
  }
  return NULL;
}

/* What an expression is where the access has no entry. */
static const expression *without(const kernel_statement *s, const expression *e,
                                 const tensor_read *a) {
  bool *absent = ARENA_ARRAY(s->memory, bool, s->iterators.count + 1);
  absent[a->iterators[a->tensor->format->level_count - 1]->number] = true;
  absence none = {.memory = s->memory,
                  .statement = s,
                  .iterators = absent,
                  .produced = ARENA_ARRAY(s->memory, bool, s->tensor_count + 1)};
  return expression_simplify(&none, e);
}

static const assignment *assignment_of(const kernel_statement *s, MlirOperation assign) {
  for (int n = 0; s && n < s->tensor_count; ++n)
    for (int k = 0; k < s->tensors[n]->assignment_count; ++k)
      if (mlirOperationEqual(s->tensors[n]->assignments[k]->op, assign))
        return s->tensors[n]->assignments[k];
  return NULL;
}

static const tensor_read *access_of(const kernel_statement *s, MlirOperation read) {
  for (int n = 0; s && n < s->access_count; ++n) {
    const tensor_read *a = s->accesses[n];
    bool same = mlirValueEqual(a->tensor->source, cin_access_tensor(read));
    for (intptr_t v = 0; same && v < cin_access_variable_count(read); ++v)
      same = mlirValueEqual(cin_access_variable(a->op, v), cin_access_variable(read, v));
    if (same)
      return a;
  }
  return NULL;
}

static bool has_sums(const precompute *p) {
  for (int n = 0; n < p->path.count; ++n)
    if (p->places[n] == SUMMED)
      return true;
  return false;
}

/* Of sums nothing may be left without the entry: they are not computed again there. */
static bool sums_vanish(const precompute *p, MlirOperation read) {
  const kernel_statement *s = kernel_statement_read(p->s->memory, p->s->kernel);
  const assignment *a = assignment_of(s, p->value.assign);
  const tensor_read *numbered = access_of(s, read);
  if (!a || !numbered)
    return false;
  const expression *left = without(s, a->value, numbered);
  return a->kind && left->kind == EXPRESSION_CONSTANT &&
         scalar_equal(&left->constant, &a->identity);
}

bool precompute_check_entries(const precompute *p) {
  for (int n = 0; has_sums(p) && n < p->entries.count; ++n)
    if (!sums_vanish(p, p->entries.ops[n]))
      return precompute_refuse(
          p,
          arena_format(
              p->s->memory,
              "expected something assigned that is nothing where %s has no entries, for "
              "a sum is computed before, found otherwise",
              cin_tensor_name(p->s->memory, p->s->kernel, cin_access_tensor(p->entries.ops[n]))));
  return true;
}

/* What a workspace begins with, so that nothing is made of it. */
MlirValue precompute_nothing(const precompute *p, tin_reduction kind) {
  MlirType type = mlirValueGetType(p->value.value);
  MlirAttribute fill = cin_kernel_result_fill(p->s->kernel);
  if (kind)
    return constant_attr(p->value.b, combine_identity(p->value.b, kind, type));
  if (!mlirAttributeIsNull(fill) && mlirTypeEqual(mlirAttributeGetType(fill), type))
    return constant_attr(p->value.b, fill);
  scalar zero = scalar_zero(type);
  return scalar_emit(p->value.b, &zero);
}

MlirValue precompute_elsewhere(const precompute *p) {
  const value_map same = {.memory = p->s->memory};
  return has_sums(p) ? precompute_nothing(p, cin_assign_kind(p->value.assign))
                     : schedule_value_emit(&p->value, p->value.b, &same);
}

static bool is_leaf(MlirValue value, void *data) {
  (void)data;
  MlirOperation op = value_owner(value);
  return mlirOperationIsNull(op) || cin_is_read(op);
}

/* A value that nobody uses any more, with all that is made for it alone. */
static void erase_unused(arena *memory, MlirValue root) {
  value_list made = values_in_order(memory, root, is_leaf, NULL);
  for (int n = made.count; n-- > 0;) {
    MlirOperation op = value_owner(made.values[n]);
    if (!mlirOperationIsNull(op) && mlirOpOperandIsNull(mlirValueGetFirstUse(made.values[n])))
      mlirOperationDestroy(op);
  }
}

void precompute_settle_elsewhere(const precompute *p, MlirOperation select) {
  const kernel_statement *s = kernel_statement_read(p->s->memory, p->s->kernel);
  const expression *chosen = expression_of(s, select);
  if (!chosen || !algebra_operator_selects(chosen->rule))
    return;
  const expression *left =
      without(s, chosen->operands[2], chosen->operands[0]->operands[0]->access);
  if (left->kind != EXPRESSION_CONSTANT)
    return;
  MlirValue before = mlirOperationGetOperand(select, 2);
  builder_before(p->value.b, select);
  mlirOperationSetOperand(select, 2, scalar_emit(p->value.b, &left->constant));
  erase_unused(p->s->memory, before);
}
