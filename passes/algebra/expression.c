/* expression.c - simplification of expressions by what is absent, and questions about them.
 *
 * Rules, from the operands up, where an operand is an absent constant a:
 *
 *     a annihilates op        op(.., a, ..) -> a
 *     a is an identity of op  op(x, a) -> x
 *     a = 0, op subtracts     0 - x -> -x
 *     all are constants       op(a, b, ..) -> its value
 *
 * Annihilation comes first: an absent numerator over an absent denominator is absent.  What is made
 * of an absent constant is absent.  A literal of the program is not, as 0 times infinity is
 * computed where the program says so: it folds with constants and nothing else.  Integers have no
 * infinity, and what the algebra says of them is exact: any constant of theirs counts.
 */
#include "expression.h"

#include "kernel_statement.h"

#include <mlir-c/BuiltinTypes.h>
#include <string.h>

/* ---- simplification ----------------------------------------------------------------------- */

/* What the parts of an expression are simplified to is in `done` before it is simplified itself. */
typedef struct simplifier {
  const absence *known;
  expression_table *table;
  const expression **done;
} simplifier;

static const expression *constant_of(simplifier *s, const scalar *value, bool absent) {
  expression e = {
      .kind = EXPRESSION_CONSTANT, .type = value->type, .constant = *value, .absent = absent};
  return expression_share(s->table, &e);
}

static bool is_like_absent(const expression *e) {
  return e->kind == EXPRESSION_CONSTANT && (e->absent || type_is_integer(e->type));
}

static bool access_is_absent(const absence *known, const tensor_read *a) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (known->iterators[a->iterators[k]->number])
      return true;
  return false;
}

/* The producers' values, simplified: whether one assignment is all of them and a constant, or they
 * all reduce their identity. */
static bool nothing_is_produced(const expression *temporary, scalar *value) {
  const tensor *workspace = temporary->access->tensor;
  *value = workspace->fill;
  for (int n = 0; n < temporary->count; ++n) {
    const assignment *a = workspace->assignments[n];
    const expression *e = temporary->operands[n];
    if (e->kind != EXPRESSION_CONSTANT)
      return false;
    if (a->kind ? !scalar_equal(&e->constant, &a->identity) : temporary->count > 1)
      return false;
    *value = a->kind ? a->identity : e->constant;
  }
  return true;
}

/* Whether the expression reads a workspace whose producers' values stand in its place. */
static bool is_open(const absence *known, const expression *e) {
  return e->kind == EXPRESSION_ACCESS && e->access->tensor->role == TENSOR_WORKSPACE &&
         !known->produced[e->access->tensor->number];
}

static const expression *simplified_temporary(simplifier *s, const expression *e) {
  const tensor *workspace = e->access->tensor;
  expression temporary = *e;
  temporary.kind = EXPRESSION_TEMPORARY;
  temporary.count = workspace->assignment_count;
  temporary.operands = ARENA_ARRAY(s->known->memory, const expression *, temporary.count + 1);
  for (int n = 0; n < temporary.count; ++n)
    temporary.operands[n] = s->done[workspace->assignments[n]->value->number];
  scalar value;
  return nothing_is_produced(&temporary, &value) ? constant_of(s, &value, true)
                                                 : expression_share(s->table, &temporary);
}

static const expression *padding_of(simplifier *s, const expression *access) {
  expression padding = *access;
  padding.kind = EXPRESSION_PADDING;
  return expression_share(s->table, &padding);
}

static const expression *simplified_access(simplifier *s, const expression *e) {
  if (is_open(s->known, e))
    return simplified_temporary(s, e);
  if (!access_is_absent(s->known, e->access))
    return e;
  return e->access->pads ? padding_of(s, e) : constant_of(s, &e->access->tensor->fill, true);
}

/* The operand that the operation is, whatever the others are; -1 for none. */
static int annihilator_of(const expression *e) {
  for (int n = 0; n < e->count; ++n)
    if (is_like_absent(e->operands[n]) &&
        algebra_operator_annihilates(e->rule, n, &e->operands[n]->constant))
      return n;
  return -1;
}

/* The operand that the operation is, the other one being an identity; -1 for none. */
static int other_than_identity_of(const expression *e) {
  for (int n = 0; e->count == 2 && n < 2; ++n)
    if (is_like_absent(e->operands[n]) &&
        algebra_operator_is_identity(e->rule, n, &e->operands[n]->constant))
      return 1 - n;
  return -1;
}

static bool is_absent_zero(const expression *e) {
  return is_like_absent(e) && scalar_is_zero(&e->constant);
}

/* What an absent condition chooses is made of what is absent. */
static const expression *chosen_by(simplifier *s, const expression *condition,
                                   const expression *chosen) {
  bool absent = condition->absent && chosen->kind == EXPRESSION_CONSTANT;
  return absent ? constant_of(s, &chosen->constant, true) : chosen;
}

static const expression *by_shape(simplifier *s, const expression *e) {
  if (e->count != 3)
    return NULL;
  if (algebra_operator_multiplies_and_adds(e->rule) &&
      (is_absent_zero(e->operands[0]) || is_absent_zero(e->operands[1])))
    return e->operands[2];
  if (!algebra_operator_selects(e->rule))
    return NULL;
  const expression *condition = e->operands[0];
  if (condition->kind == EXPRESSION_CONSTANT)
    return chosen_by(s, condition, e->operands[condition->constant.integer ? 1 : 2]);
  return expression_equal(e->operands[1], e->operands[2]) ? e->operands[1] : NULL;
}

static const expression *by_negation(simplifier *s, const expression *e) {
  const char *name = algebra_operator_from_zero(e->rule);
  if (!name || e->count != 2 || !is_absent_zero(e->operands[0]))
    return NULL;
  expression negated = *e;
  negated.op = (MlirOperation){NULL};
  negated.name = name;
  negated.rule = algebra_operator_find(mlirStringRefCreateFromCString(name));
  negated.count = 1;
  negated.operands = &e->operands[1];
  return expression_share(s->table, &negated);
}

static const expression *by_folding(simplifier *s, const expression *e) {
  enum { MOST = 3 };
  scalar constants[MOST], value;
  bool absent = false;
  for (int n = 0; n < e->count; ++n) {
    if (n == MOST || e->operands[n]->kind != EXPRESSION_CONSTANT)
      return NULL;
    constants[n] = e->operands[n]->constant;
    absent |= e->operands[n]->absent;
  }
  if (!e->count || !algebra_operator_fold(e->rule, e->op, constants, e->type, &value))
    return NULL;
  return constant_of(s, &value, absent);
}

static const expression *simplified_operation(simplifier *s, const expression *e) {
  expression copy = *e;
  bool changed = false;
  copy.operands = ARENA_ARRAY(s->known->memory, const expression *, e->count + 1);
  for (int n = 0; n < e->count; ++n) {
    copy.operands[n] = s->done[e->operands[n]->number];
    changed |= copy.operands[n] != e->operands[n];
  }
  int alone = annihilator_of(&copy);
  if (alone >= 0)
    return copy.operands[alone];
  const expression *simpler = by_folding(s, &copy);
  alone = simpler ? -1 : other_than_identity_of(&copy);
  if (alone >= 0)
    return copy.operands[alone];
  simpler = simpler ? simpler : by_shape(s, &copy);
  simpler = simpler ? simpler : by_negation(s, &copy);
  return simpler ? simpler : changed ? expression_share(s->table, &copy) : e;
}

static const expression *simplified(simplifier *s, const expression *e) {
  return e->kind == EXPRESSION_ACCESS      ? simplified_access(s, e)
         : e->kind == EXPRESSION_OPERATION ? simplified_operation(s, e)
                                           : e;
}

/* Marks the parts of an expression that are not simplified yet; whether there are any. */
static bool mark_parts(const simplifier *s, const expression *e, bool *wanted) {
  bool open = is_open(s->known, e), any = false;
  const tensor *workspace = open ? e->access->tensor : NULL;
  int count = open ? workspace->assignment_count : e->count;
  for (int n = 0; n < count; ++n) {
    int part = open ? workspace->assignments[n]->value->number : e->operands[n]->number;
    any |= !s->done[part];
    if (wanted && !s->done[part])
      wanted[part] = true;
  }
  return any;
}

const expression **expression_memory(const absence *known) {
  return ARENA_ARRAY(known->memory, const expression *, known->statement->expressions->count + 1);
}

const expression *expression_simplify(const absence *known, const expression *e) {
  simplifier s = {known, known->statement->expressions,
                  known->done ? known->done : expression_memory(known)};
  if (s.done[e->number])
    return s.done[e->number];
  if (!mark_parts(&s, e, NULL))
    return s.done[e->number] = simplified(&s, e);
  bool *wanted = ARENA_ARRAY(known->memory, bool, e->number + 1);
  wanted[e->number] = true;
  int first = e->number;
  for (int n = e->number; n >= 0; --n)
    if (wanted[n]) {
      mark_parts(&s, s.table->all[n], wanted);
      first = n;
    }
  for (int n = first; n <= e->number; ++n)
    if (wanted[n])
      s.done[n] = simplified(&s, s.table->all[n]);
  return s.done[e->number];
}

/* ---- questions ---------------------------------------------------------------------------- */

bool expression_equal(const expression *e, const expression *f) {
  if (e == f)
    return true;
  if (!e || !f)
    return false;
  return e->alike == f->alike || (e->kind == EXPRESSION_CONSTANT && f->kind == e->kind &&
                                  scalar_equal(&e->constant, &f->constant));
}

bool expression_is_constant(const expression *e, const scalar *value) {
  return e->kind == EXPRESSION_CONSTANT && scalar_equal(&e->constant, value);
}

bool expression_any(const expression_table *table, const expression *e,
                    bool (*is)(const expression *part, void *data), void *data) {
  bool *parts = ARENA_ARRAY(table->memory, bool, e->number + 1);
  parts[e->number] = true;
  for (int n = e->number; n >= 0; --n) {
    if (!parts[n])
      continue;
    const expression *part = table->all[n];
    if (is(part, data))
      return true;
    for (int k = 0; k < part->count; ++k)
      parts[part->operands[k]->number] = true;
  }
  return false;
}

static bool is_read_of(const expression *e, void *data) {
  return e->access && e->access->tensor == data;
}

bool expression_reads(const expression_table *table, const expression *e, const tensor *t) {
  return expression_any(table, e, is_read_of, (void *)t);
}

/* Which expressions up to number `last` read the tensor. */
static const bool *readers_of(const expression_table *table, int last, const tensor *t) {
  bool *reads = ARENA_ARRAY(table->memory, bool, last + 1);
  for (int n = 0; n <= last; ++n) {
    const expression *e = table->all[n];
    reads[n] = is_read_of(e, (void *)t);
    for (int k = 0; k < e->count; ++k)
      reads[n] |= reads[e->operands[k]->number];
  }
  return reads;
}

/* The one operand that reads; -1 where several do, or none. */
static int only_reader(const expression *e, const bool *reads) {
  int holder = -1, count = 0;
  for (int n = 0; n < e->count; ++n)
    if (reads[e->operands[n]->number]) {
      holder = n;
      ++count;
    }
  return count == 1 ? holder : -1;
}

bool expression_is_linear(const expression_table *table, const expression *e, const tensor *t) {
  const bool *reads = readers_of(table, e->number, t);
  while (e->kind == EXPRESSION_OPERATION) {
    int holder = only_reader(e, reads);
    if (holder < 0 || !algebra_operator_is_linear(e->rule, holder))
      return false;
    e = e->operands[holder];
  }
  return e->kind == EXPRESSION_ACCESS && e->access->tensor == t;
}
