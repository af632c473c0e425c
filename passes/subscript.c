/* subscript.c - affine subscripts: what they mention, their coordinates and ranges.
 *
 * A range follows the expression: low(x + y) = low(x) + low(y); a negative factor swaps low and
 * high; x mod m lies in 0..m-1.
 */
#include "subscript.h"

#include "format_text.h"
#include "ir.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>

const subscript *subscripts_of(arena *memory, MlirOperation op, intptr_t *count) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(op_attribute(op, "map"));
  *count = mlirAffineMapGetNumResults(map);
  intptr_t variable_count = mlirAffineMapGetNumDims(map);
  MlirValue *variables = ARENA_ARRAY(memory, MlirValue, variable_count + 1);
  for (intptr_t i = 0; i < variable_count; ++i)
    variables[i] = mlirOperationGetOperand(op, 1 + i);
  subscript *all = ARENA_ARRAY(memory, subscript, *count + 1);
  for (intptr_t i = 0; i < *count; ++i)
    all[i] = (subscript){mlirAffineMapGetResult(map, i), variable_count, variables};
  return all;
}

bool subscript_is_compound(const subscript *s) {
  return !mlirAffineExprIsADim(s->expression);
}

MlirValue subscript_variable(const subscript *s) {
  if (subscript_is_compound(s))
    return (MlirValue){NULL};
  return s->variables[mlirAffineDimExprGetPosition(s->expression)];
}

bool subscript_equal(const subscript *s, const subscript *t) {
  if (!subscript_is_compound(s) || !subscript_is_compound(t))
    return subscript_is_compound(s) == subscript_is_compound(t) &&
           mlirValueEqual(subscript_variable(s), subscript_variable(t));
  if (!mlirAffineExprEqual(s->expression, t->expression))
    return false;
  for (intptr_t i = 0; i < s->count && i < t->count; ++i)
    if (mlirAffineExprIsFunctionOfDim(s->expression, i) &&
        !mlirValueEqual(s->variables[i], t->variables[i]))
      return false;
  return true;
}

bool subscript_mentions(const subscript *s, MlirValue variable) {
  for (intptr_t i = 0; i < s->count; ++i)
    if (mlirAffineExprIsFunctionOfDim(s->expression, i) &&
        mlirValueEqual(s->variables[i], variable))
      return true;
  return false;
}

typedef struct text {
  arena *memory;
  const char *written;
} text;

static void append(MlirStringRef part, void *data) {
  text *t = data;
  t->written = arena_format(t->memory, "%s%.*s", t->written, TEXT(part));
}

const char *subscript_text(arena *memory, const subscript *s) {
  MlirStringRef *names = ARENA_ARRAY(memory, MlirStringRef, s->count + 1);
  for (intptr_t i = 0; i < s->count; ++i)
    names[i] = provenance_name(s->variables[i]);
  text t = {memory, ""};
  subscript_write(s->expression, names, append, &t);
  return t.written;
}

bool subscript_is_known(const subscript *s, const provenance *graph) {
  for (intptr_t i = 0; i < s->count; ++i)
    if (mlirAffineExprIsFunctionOfDim(s->expression, i) &&
        !provenance_is_known(graph, s->variables[i]))
      return false;
  return true;
}

static MlirValue emit_operator(builder *b, MlirAffineExpr e, MlirValue x, MlirValue y) {
  if (mlirAffineExprIsAAdd(e))
    return add(b, x, y);
  if (mlirAffineExprIsAMul(e))
    return mul(b, x, y);
  if (mlirAffineExprIsAMod(e))
    return floor_mod(b, x, y);
  return mlirAffineExprIsAFloorDiv(e) ? floor_div(b, x, y) : ceil_div(b, x, y);
}

static MlirValue emit_expression(const subscript *s, provenance *graph, builder *b,
                                 MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e))
    return constant_index(b, mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e))
    return provenance_coordinate(graph, b, s->variables[mlirAffineDimExprGetPosition(e)]);
  MlirValue left = emit_expression(s, graph, b, mlirAffineBinaryOpExprGetLHS(e));
  MlirValue right = emit_expression(s, graph, b, mlirAffineBinaryOpExprGetRHS(e));
  return emit_operator(b, e, left, right);
}

MlirValue subscript_coordinate(const subscript *s, provenance *graph, builder *b) {
  return emit_expression(s, graph, b, s->expression);
}

/* The range of `x op factor`, `factor` a constant. */
static subscript_range scaled_range(builder *b, MlirAffineExpr e, subscript_range x,
                                    int64_t factor) {
  MlirValue by = constant_index(b, factor);
  if (mlirAffineExprIsAMod(e))
    return (subscript_range){constant_index(b, 0), constant_index(b, factor - 1)};
  if (mlirAffineExprIsAMul(e) && factor < 0)
    return (subscript_range){mul(b, x.high, by), mul(b, x.low, by)};
  return (subscript_range){emit_operator(b, e, x.low, by), emit_operator(b, e, x.high, by)};
}

subscript_range subscript_emit_range(builder *b, MlirAffineExpr e, const MlirValue *extents) {
  if (mlirAffineExprIsAConstant(e)) {
    MlirValue value = constant_index(b, mlirAffineConstantExprGetValue(e));
    return (subscript_range){value, value};
  }
  if (mlirAffineExprIsADim(e)) {
    MlirValue extent = extents[mlirAffineDimExprGetPosition(e)];
    return (subscript_range){constant_index(b, 0), sub(b, extent, constant_index(b, 1))};
  }
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  subscript_range x = subscript_emit_range(b, left, extents);
  if (!mlirAffineExprIsAAdd(e))
    return scaled_range(b, e, x, mlirAffineConstantExprGetValue(right));
  subscript_range y = subscript_emit_range(b, right, extents);
  return (subscript_range){add(b, x.low, y.low), add(b, x.high, y.high)};
}
