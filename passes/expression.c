/* expression.c - simplification by what is absent, comparison and emission of expressions.
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

#include "ir.h"
#include "kernel_statement.h"

#include <mlir-c/BuiltinTypes.h>
#include <string.h>

/* ---- simplification ----------------------------------------------------------------------- */

typedef struct simplifier {
  const absence *known;
  const expression **done;
} simplifier;

static const expression *simplified(simplifier *s, const expression *e);

static expression *copy_of(arena *memory, const expression *e) {
  expression *copy = ARENA_ARRAY(memory, expression, 1);
  *copy = *e;
  copy->number = -1;
  return copy;
}

static const expression *constant_of(arena *memory, const scalar *value, bool absent) {
  expression *e = ARENA_ARRAY(memory, expression, 1);
  *e = (expression){.kind = EXPRESSION_CONSTANT,
                    .number = -1,
                    .type = value->type,
                    .constant = *value,
                    .absent = absent};
  return e;
}

static bool is_like_absent(const expression *e) {
  return e->kind == EXPRESSION_CONSTANT && (e->absent || type_is_integer(e->type));
}

static bool access_is_absent(const absence *known, const access *a) {
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

static const expression *simplified_temporary(simplifier *s, const expression *e) {
  const tensor *workspace = e->access->tensor;
  arena *memory = s->known->memory;
  expression *temporary = copy_of(memory, e);
  temporary->kind = EXPRESSION_TEMPORARY;
  temporary->count = workspace->assignment_count;
  temporary->operands = ARENA_ARRAY(memory, const expression *, temporary->count + 1);
  for (int n = 0; n < temporary->count; ++n)
    temporary->operands[n] = simplified(s, workspace->assignments[n]->value);
  scalar value;
  return nothing_is_produced(temporary, &value) ? constant_of(memory, &value, true) : temporary;
}

static const expression *simplified_access(simplifier *s, const expression *e) {
  const tensor *t = e->access->tensor;
  if (t->role == TENSOR_WORKSPACE && !s->known->produced[t->number])
    return simplified_temporary(s, e);
  return access_is_absent(s->known, e->access) ? constant_of(s->known->memory, &t->fill, true) : e;
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

static const expression *by_shape(const expression *e) {
  if (e->count != 3)
    return NULL;
  if (algebra_operator_multiplies_and_adds(e->rule) &&
      (is_absent_zero(e->operands[0]) || is_absent_zero(e->operands[1])))
    return e->operands[2];
  if (!algebra_operator_selects(e->rule))
    return NULL;
  const expression *condition = e->operands[0];
  if (condition->kind == EXPRESSION_CONSTANT)
    return e->operands[condition->constant.integer ? 1 : 2];
  return expression_equal(e->operands[1], e->operands[2]) ? e->operands[1] : NULL;
}

static const expression *by_negation(arena *memory, const expression *e) {
  const char *name = algebra_operator_from_zero(e->rule);
  if (!name || e->count != 2 || !is_absent_zero(e->operands[0]))
    return NULL;
  expression *negated = copy_of(memory, e);
  negated->op = (MlirOperation){NULL};
  negated->name = name;
  negated->rule = algebra_operator_find(mlirStringRefCreateFromCString(name));
  negated->count = 1;
  negated->operands = &e->operands[1];
  return negated;
}

static const expression *by_folding(arena *memory, const expression *e) {
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
  return constant_of(memory, &value, absent);
}

static const expression *simplified_operation(simplifier *s, const expression *e) {
  arena *memory = s->known->memory;
  expression *copy = copy_of(memory, e);
  bool changed = false;
  copy->operands = ARENA_ARRAY(memory, const expression *, e->count + 1);
  for (int n = 0; n < e->count; ++n) {
    copy->operands[n] = simplified(s, e->operands[n]);
    changed |= copy->operands[n] != e->operands[n];
  }
  int alone = annihilator_of(copy);
  if (alone >= 0)
    return copy->operands[alone];
  const expression *simpler = by_folding(memory, copy);
  alone = simpler ? -1 : other_than_identity_of(copy);
  if (alone >= 0)
    return copy->operands[alone];
  simpler = simpler ? simpler : by_shape(copy);
  simpler = simpler ? simpler : by_negation(memory, copy);
  return simpler ? simpler : changed ? copy : e;
}

static const expression *simplified(simplifier *s, const expression *e) {
  if (s->done[e->number])
    return s->done[e->number];
  const expression *result = e;
  if (e->kind == EXPRESSION_ACCESS)
    result = simplified_access(s, e);
  else if (e->kind == EXPRESSION_OPERATION)
    result = simplified_operation(s, e);
  return s->done[e->number] = result;
}

const expression *expression_simplify(const absence *known, const expression *e) {
  simplifier s = {known, ARENA_ARRAY(known->memory, const expression *,
                                     known->statement->expression_count + 1)};
  return simplified(&s, e);
}

/* ---- questions ---------------------------------------------------------------------------- */

static bool same_operator(const expression *e, const expression *f) {
  if (mlirOperationIsNull(e->op) != mlirOperationIsNull(f->op))
    return false;
  return mlirOperationIsNull(e->op) ? strcmp(e->name, f->name) == 0
                                    : mlirOperationEqual(e->op, f->op);
}

static bool same_operands(const expression *e, const expression *f) {
  if (e->count != f->count)
    return false;
  for (int n = 0; n < e->count; ++n)
    if (!expression_equal(e->operands[n], f->operands[n]))
      return false;
  return true;
}

bool expression_equal(const expression *e, const expression *f) {
  if (e == f)
    return true;
  if (!e || !f || e->kind != f->kind)
    return false;
  switch (e->kind) {
  case EXPRESSION_CONSTANT:
    return scalar_equal(&e->constant, &f->constant);
  case EXPRESSION_SCALAR:
    return e->tensor == f->tensor;
  case EXPRESSION_ACCESS:
    return e->access == f->access;
  case EXPRESSION_TEMPORARY:
    return e->access == f->access && same_operands(e, f);
  case EXPRESSION_OPERATION:
    return same_operator(e, f) && same_operands(e, f);
  }
  return false;
}

bool expression_is_constant(const expression *e, const scalar *value) {
  return e->kind == EXPRESSION_CONSTANT && scalar_equal(&e->constant, value);
}

bool expression_reads(const expression *e, const tensor *t) {
  if (e->access && e->access->tensor == t)
    return true;
  for (int n = 0; n < e->count; ++n)
    if (expression_reads(e->operands[n], t))
      return true;
  return false;
}

bool expression_is_linear(const expression *e, const tensor *t) {
  if (e->kind == EXPRESSION_ACCESS)
    return e->access->tensor == t;
  int holder = -1;
  for (int n = 0; n < e->count; ++n)
    if (expression_reads(e->operands[n], t)) {
      if (holder >= 0)
        return false;
      holder = n;
    }
  return holder >= 0 && e->kind == EXPRESSION_OPERATION &&
         algebra_operator_is_linear(e->rule, holder) &&
         expression_is_linear(e->operands[holder], t);
}

/* ---- emission ----------------------------------------------------------------------------- */

static bool traps(const expression *e) {
  return algebra_operator_traps_on_zero(e->rule) && e->count == 2 &&
         e->operands[1]->kind == EXPRESSION_CONSTANT && e->operands[1]->absent &&
         scalar_is_zero(&e->operands[1]->constant);
}

/* Values emitted so far: what is used twice is computed once. */
typedef struct emission {
  arena *memory;
  builder *b;
  const expression_reader *reader;
  int count, room;
  const expression **done;
  MlirValue *values;
} emission;

static MlirValue remembered(emission *m, const expression *e, MlirValue value) {
  if (m->count == m->room) {
    m->room = m->room ? 2 * m->room : 8;
    const expression **done = ARENA_ARRAY(m->memory, const expression *, m->room);
    MlirValue *values = ARENA_ARRAY(m->memory, MlirValue, m->room);
    for (int n = 0; n < m->count; ++n) {
      done[n] = m->done[n];
      values[n] = m->values[n];
    }
    m->done = done;
    m->values = values;
  }
  m->done[m->count] = e;
  m->values[m->count++] = value;
  return value;
}

static MlirValue emitted(emission *m, const expression *e);

static MlirValue integer_constant(emission *m, MlirType type, int64_t x) {
  scalar value = {.type = type, .integer = x};
  return scalar_emit(m->b, &value);
}

static bool divides_by_nothing_special(const expression *e) {
  const expression *divisor = e->operands[1];
  return divisor->kind == EXPRESSION_CONSTANT && divisor->constant.integer != 0 &&
         divisor->constant.integer != -1;
}

/* A quotient of integers that ends no process: x / 0 = 0, and least / -1 wraps.
 *
 *     %q = x / (y == 0 or (x == least and y == -1) ? 1 : y)        y == 0 ? 0 : %q
 */
static MlirValue emit_division(emission *m, const expression *e, const MlirValue *operands) {
  builder *b = m->b;
  MlirValue x = operands[0], y = operands[1], zero = integer_constant(m, e->type, 0);
  MlirValue by_zero = equal(b, y, zero), special = by_zero;
  if (algebra_operator_overflows(e->rule)) {
    int64_t least = INT64_MIN >> (64 - mlirIntegerTypeGetWidth(e->type));
    MlirValue is_least = equal(b, x, integer_constant(m, e->type, least));
    MlirValue by_minus_one = equal(b, y, integer_constant(m, e->type, -1));
    special = or_i(b, by_zero, and_i(b, is_least, by_minus_one));
  }
  MlirOperation clone = mlirOperationClone(e->op);
  mlirOperationSetOperand(clone, 0, x);
  mlirOperationSetOperand(clone, 1, select_value(b, special, integer_constant(m, e->type, 1), y));
  return select_value(b, by_zero, zero, op_result(insert_op(b, clone), 0));
}

static MlirValue emit_operation(emission *m, const expression *e) {
  MlirValue none = {NULL};
  if (traps(e)) {
    error_at(e->op, "expected a divisor that is stored wherever the quotient is computed, found an "
                    "integer division by zero where nothing is stored");
    return none;
  }
  MlirValue *operands = ARENA_ARRAY(m->memory, MlirValue, e->count + 1);
  for (int n = 0; n < e->count; ++n) {
    operands[n] = emitted(m, e->operands[n]);
    if (mlirValueIsNull(operands[n]))
      return none;
  }
  if (mlirOperationIsNull(e->op))
    return op_result(make_op(m->b, e->name, e->count, operands, 1, &e->type, 0, NULL), 0);
  if (algebra_operator_traps_on_zero(e->rule) && mlirTypeIsAInteger(e->type) &&
      !divides_by_nothing_special(e))
    return emit_division(m, e, operands);
  MlirOperation clone = mlirOperationClone(e->op);
  for (int n = 0; n < e->count; ++n)
    mlirOperationSetOperand(clone, n, operands[n]);
  return op_result(insert_op(m->b, clone), 0);
}

static MlirValue emit_new(emission *m, const expression *e) {
  switch (e->kind) {
  case EXPRESSION_CONSTANT:
    return scalar_emit(m->b, &e->constant);
  case EXPRESSION_SCALAR:
    return m->reader->scalar(m->reader->data, e->tensor);
  case EXPRESSION_ACCESS:
  case EXPRESSION_TEMPORARY:
    return m->reader->read(m->reader->data, e->access);
  case EXPRESSION_OPERATION:
    return emit_operation(m, e);
  }
  return (MlirValue){NULL};
}

static MlirValue emitted(emission *m, const expression *e) {
  for (int n = 0; n < m->count; ++n)
    if (m->done[n] == e)
      return m->values[n];
  return remembered(m, e, emit_new(m, e));
}

MlirValue expression_emit(arena *memory, builder *b, const expression *e,
                          const expression_reader *reader) {
  emission m = {.memory = memory, .b = b, .reader = reader};
  return emitted(&m, e);
}
