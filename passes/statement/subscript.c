/* subscript.c - affine subscripts: what they mention, their coordinates and ranges.
 *
 * A range follows the expression: low(x + y) = low(x) + low(y); a negative factor swaps low and
 * high; x mod m lies in 0..m-1.  Dimensions and numbers are bounded (verify.h), their products may
 * still exceed 64 bits.
 */
#include "subscript.h"

#include "cin.h"
#include "format_text.h"
#include "ir.h"
#include "tin.h"

#include <math.h>
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
  bool padded = cin_is_read(op) && !mlirAttributeIsNull(cin_read_pad(op));
  for (intptr_t i = 0; i < *count; ++i) {
    all[i] = (subscript){mlirAffineMapGetResult(map, i), variable_count, variables, false};
    all[i].padded = padded && subscript_is_compound(&all[i]);
  }
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
  if (s->padded != t->padded)
    return false;
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

/*--- Ranges ------------------------------------------------------------------------------------*/

/* A range, and what no value of it exceeds, as far as that is known here.  Where it may not fit 64
 * bits, code stops at FARTHEST, beyond any dimension, and what came there stays there. */
typedef struct bounded_range {
  MlirValue low, high;
  double most;
  bool stops;
} bounded_range;

#define FARTHEST (INT64_C(1) << 61)
static const double overflowing = 0x1p63;

static MlirValue stop_where(builder *b, MlirValue far, int64_t limit, MlirValue otherwise) {
  return select_value(b, far, constant_index(b, limit), otherwise);
}

static MlirValue cut(builder *b, MlirValue x) {
  return max_i(b, min_i(b, x, constant_index(b, FARTHEST)), constant_index(b, -FARTHEST));
}

static bounded_range cut_range(builder *b, bounded_range x) {
  return (bounded_range){cut(b, x.low), cut(b, x.high), (double)FARTHEST, true};
}

/* One end of a sum; `limit` is where that end of a part may have stopped. */
static MlirValue sum_of_cut(builder *b, MlirValue x, MlirValue y, int64_t limit) {
  MlirValue far = constant_index(b, limit);
  MlirValue any = or_i(b, equal(b, x, far), equal(b, y, far));
  return stop_where(b, any, limit, cut(b, add(b, x, y)));
}

static bounded_range sum_of_ranges(builder *b, bounded_range x, bounded_range y) {
  double most = x.most + y.most;
  if (!x.stops && !y.stops && most < overflowing)
    return (bounded_range){add(b, x.low, y.low), add(b, x.high, y.high), most, false};
  x = cut_range(b, x);
  y = cut_range(b, y);
  return (bounded_range){sum_of_cut(b, x.low, y.low, -FARTHEST),
                         sum_of_cut(b, x.high, y.high, FARTHEST), (double)FARTHEST, true};
}

static MlirValue cut_product(builder *b, MlirValue x, int64_t factor) {
  int64_t most = FARTHEST / (factor < 0 ? -factor : factor),
          end = factor < 0 ? -FARTHEST : FARTHEST;
  MlirValue product = mul(b, x, constant_index(b, factor));
  product = stop_where(b, less(b, constant_index(b, most), x), end, product);
  return stop_where(b, less(b, x, constant_index(b, -most)), -end, product);
}

static bounded_range product_of_range(builder *b, bounded_range x, int64_t factor) {
  double most = x.most * fabs((double)factor);
  bool stops = factor && (x.stops || most >= overflowing);
  MlirValue by = constant_index(b, factor);
  MlirValue low = stops ? cut_product(b, x.low, factor) : mul(b, x.low, by);
  MlirValue high = stops ? cut_product(b, x.high, factor) : mul(b, x.high, by);
  if (stops)
    most = (double)FARTHEST;
  return factor < 0 ? (bounded_range){high, low, most, stops}
                    : (bounded_range){low, high, most, stops};
}

/* A quotient or remainder of what may not have fitted is nothing that is known. */
static bounded_range far_where_cut(builder *b, bounded_range whole, bounded_range part) {
  if (!whole.stops)
    return part;
  whole = cut_range(b, whole);
  MlirValue far = or_i(b, equal(b, whole.low, constant_index(b, -FARTHEST)),
                       equal(b, whole.high, constant_index(b, FARTHEST)));
  return (bounded_range){stop_where(b, far, -FARTHEST, part.low),
                         stop_where(b, far, FARTHEST, part.high), (double)FARTHEST, true};
}

/* The range of `x op factor`, `factor` a constant. */
static bounded_range scaled_range(builder *b, MlirAffineExpr e, bounded_range x, int64_t factor) {
  MlirValue by = constant_index(b, factor);
  if (mlirAffineExprIsAMul(e))
    return product_of_range(b, x, factor);
  bounded_range part = {constant_index(b, 0), constant_index(b, factor - 1), (double)factor, false};
  if (!mlirAffineExprIsAMod(e))
    part = (bounded_range){emit_operator(b, e, x.low, by), emit_operator(b, e, x.high, by), x.most,
                           false};
  return far_where_cut(b, x, part);
}

static bounded_range range_of(builder *b, MlirAffineExpr e, const MlirValue *extents) {
  if (mlirAffineExprIsAConstant(e)) {
    int64_t constant = mlirAffineConstantExprGetValue(e);
    MlirValue value = constant_index(b, constant);
    return (bounded_range){value, value, fabs((double)constant), false};
  }
  if (mlirAffineExprIsADim(e)) {
    MlirValue extent = extents[mlirAffineDimExprGetPosition(e)];
    MlirValue last = sub(b, extent, constant_index(b, 1));
    return (bounded_range){constant_index(b, 0), last, (double)TIN_LARGEST_SIZE, false};
  }
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  bounded_range x = range_of(b, left, extents);
  if (!mlirAffineExprIsAAdd(e))
    return scaled_range(b, e, x, mlirAffineConstantExprGetValue(right));
  return sum_of_ranges(b, x, range_of(b, right, extents));
}

subscript_range subscript_emit_range(builder *b, MlirAffineExpr e, const MlirValue *extents) {
  bounded_range range = range_of(b, e, extents);
  return (subscript_range){range.low, range.high};
}
