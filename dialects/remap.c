/* remap.c - the expressions of dimensions that levels may hold, and their coordinates. */
#include "remap.h"

static bool takes_dimension(MlirAffineExpr e, int *dimension) {
  if (!mlirAffineExprIsADim(e))
    return false;
  *dimension = (int)mlirAffineDimExprGetPosition(e);
  return true;
}

static bool takes_constant(MlirAffineExpr e, int64_t *constant) {
  if (!mlirAffineExprIsAConstant(e))
    return false;
  *constant = mlirAffineConstantExprGetValue(e);
  return true;
}

static bool takes_negative(MlirAffineExpr e, int *dimension) {
  int64_t factor;
  return mlirAffineExprIsAMul(e) && takes_dimension(mlirAffineBinaryOpExprGetLHS(e), dimension) &&
         takes_constant(mlirAffineBinaryOpExprGetRHS(e), &factor) && factor == -1;
}

static bool takes_difference(MlirAffineExpr left, MlirAffineExpr right, remap *r) {
  r->kind = REMAP_DIFFERENCE;
  return (takes_dimension(left, &r->dimension) && takes_negative(right, &r->minus)) ||
         (takes_dimension(right, &r->dimension) && takes_negative(left, &r->minus));
}

static bool takes_counter(MlirAffineExpr e, remap *r) {
  r->kind = REMAP_COUNTER;
  r->dimension = (int)mlirAffineSymbolExprGetPosition(e);
  return true;
}

bool remap_of(MlirAffineExpr e, remap *r) {
  *r = (remap){.minus = -1};
  if (mlirAffineExprIsASymbol(e))
    return takes_counter(e, r);
  if (!mlirAffineExprIsABinary(e))
    return false;
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  if (mlirAffineExprIsAAdd(e))
    return takes_difference(left, right, r);
  if (!mlirAffineExprIsAFloorDiv(e) && !mlirAffineExprIsAMod(e))
    return false;
  r->kind = mlirAffineExprIsAMod(e) ? REMAP_REMAINDER : REMAP_QUOTIENT;
  return takes_dimension(left, &r->dimension) && takes_constant(right, &r->size) && r->size > 0;
}

int remap_counted(MlirAffineExpr expression) {
  remap r;
  return remap_of(expression, &r) && r.kind == REMAP_COUNTER ? r.dimension : -1;
}

bool remap_equal(const remap *r, const remap *s) {
  return r->kind == s->kind && r->dimension == s->dimension && r->minus == s->minus &&
         r->size == s->size;
}

MlirValue remap_extent(builder *b, const remap *r, MlirValue extent, MlirValue minus) {
  if (r->kind == REMAP_COUNTER)
    return constant_index(b, INT64_MAX);
  if (r->kind == REMAP_REMAINDER)
    return constant_index(b, r->size);
  if (r->kind == REMAP_QUOTIENT)
    return ceil_div(b, extent, constant_index(b, r->size));
  MlirValue sum = sub(b, add(b, extent, minus), constant_index(b, 1));
  return max_i(b, sum, constant_index(b, 0));
}

MlirValue remap_size(builder *b, MlirAffineExpr expression, const MlirValue *extents) {
  remap r;
  int dimension;
  if (takes_dimension(expression, &dimension))
    return extents[dimension];
  if (!remap_of(expression, &r))
    return (MlirValue){NULL};
  MlirValue minus = r.minus < 0 ? (MlirValue){NULL} : extents[r.minus];
  return remap_extent(b, &r, extents[r.dimension], minus);
}

/* Of a coordinate, which is not negative: `op` unless shifts and masks do. */
static MlirValue by_size(builder *b, const remap *r, const char *op, MlirValue coordinate) {
  MlirValue size = constant_index(b, r->size);
  MlirType type = type_index(b);
  bool is_quotient = r->kind == REMAP_QUOTIENT;
  if ((r->size & (r->size - 1)) == 0)
    return is_quotient ? floor_div(b, coordinate, size) : floor_mod(b, coordinate, size);
  return op_result(make_op(b, op, 2, (MlirValue[]){coordinate, size}, 1, &type, 0, NULL), 0);
}

MlirValue remap_coordinate(builder *b, const remap *r, MlirValue coordinate, MlirValue minus,
                           MlirValue minus_extent) {
  if (r->kind == REMAP_REMAINDER)
    return by_size(b, r, "arith.remui", coordinate);
  if (r->kind == REMAP_QUOTIENT)
    return by_size(b, r, "arith.divui", coordinate);
  MlirValue shift = sub(b, minus_extent, constant_index(b, 1));
  return add(b, sub(b, coordinate, minus), shift);
}
