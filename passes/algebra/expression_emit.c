/* expression_emit.c - expressions as code. */
#include "cin.h"
#include "expression.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static bool traps(const expression *e) {
  return algebra_operator_traps_on_zero(e->rule) && e->count == 2 &&
         e->operands[1]->kind == EXPRESSION_CONSTANT && e->operands[1]->absent &&
         scalar_is_zero(&e->operands[1]->constant);
}

/* Values emitted so far, by number: what is used twice is computed once. */
typedef struct emission {
  arena *memory;
  builder *b;
  const expression_reader *reader;
  MlirValue *values;
} emission;

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

/* Whether the operation asks whether there is an entry: the access is not read for it. */
static bool asks_stored(const expression *e) {
  return e->kind == EXPRESSION_OPERATION && cin_is_stored(e->op);
}

static bool is_true(MlirValue value) {
  MlirOperation op = value_owner(value);
  if (!op_is(op, "arith.constant"))
    return false;
  MlirAttribute constant = op_attribute(op, "value");
  return mlirAttributeIsABool(constant) && mlirBoolAttrGetValue(constant);
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
    operands[n] = m->values[e->operands[n]->number];
    if (mlirValueIsNull(operands[n]))
      return none;
  }
  if (algebra_operator_selects(e->rule) && is_true(operands[0]))
    return operands[1];
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
  case EXPRESSION_PADDING:
    return m->reader->padding(m->reader->data, e->access);
  case EXPRESSION_OPERATION:
    return asks_stored(e) ? m->reader->stored(m->reader->data, e->operands[0]->access)
                          : emit_operation(m, e);
  }
  return (MlirValue){NULL};
}

/* What is computed in a producer is read, and not computed here. */
static bool has_parts(const expression *e) {
  return e->kind == EXPRESSION_OPERATION && !asks_stored(e);
}

/* The value, or what takes its place. */
static MlirValue emit_told(emission *m, const expression *e) {
  MlirValue value = emit_new(m, e);
  if (!has_parts(e) || !m->reader->operation || mlirValueIsNull(value))
    return value;
  MlirValue *operands = ARENA_ARRAY(m->memory, MlirValue, e->count + 1);
  for (int n = 0; n < e->count; ++n)
    operands[n] = m->values[e->operands[n]->number];
  return m->reader->operation(m->reader->data, e, operands, value);
}

/* Depth first, without recursion: an expression stays on the stack until its operands are emitted,
 * in their order. */
static bool emit_below(emission *m, const expression *e, const expression **stack) {
  int depth = 0;
  stack[depth++] = e;
  while (depth) {
    const expression *top = stack[depth - 1], *missing = NULL;
    for (int n = 0; has_parts(top) && n < top->count && !missing; ++n)
      if (mlirValueIsNull(m->values[top->operands[n]->number]))
        missing = top->operands[n];
    if (missing) {
      stack[depth++] = missing;
      continue;
    }
    --depth;
    m->values[top->number] = emit_told(m, top);
    if (mlirValueIsNull(m->values[top->number]))
      return false;
  }
  return true;
}

MlirValue expression_emit(const expression_table *table, builder *b, const expression *e,
                          const expression_reader *reader) {
  arena *memory = table->memory;
  emission m = {memory, b, reader, ARENA_ARRAY(memory, MlirValue, e->number + 1)};
  const expression **stack = ARENA_ARRAY(memory, const expression *, e->number + 2);
  return emit_below(&m, e, stack) ? m.values[e->number] : (MlirValue){NULL};
}
