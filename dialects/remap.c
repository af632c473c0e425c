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

static bool takes_diagonal(MlirAffineExpr left, MlirAffineExpr right, remap *r) {
  r->kind = REMAP_SUM;
  if (takes_dimension(left, &r->dimension) && takes_dimension(right, &r->other))
    return r->dimension != r->other;
  r->kind = REMAP_DIFFERENCE;
  return (takes_dimension(left, &r->dimension) && takes_negative(right, &r->other)) ||
         (takes_dimension(right, &r->dimension) && takes_negative(left, &r->other));
}

static bool takes_counter(MlirAffineExpr e, remap *r) {
  r->kind = REMAP_COUNTER;
  r->dimension = (int)mlirAffineSymbolExprGetPosition(e);
  return true;
}

bool remap_of(MlirAffineExpr e, remap *r) {
  *r = (remap){.other = -1};
  if (mlirAffineExprIsASymbol(e))
    return takes_counter(e, r);
  if (!mlirAffineExprIsABinary(e))
    return false;
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  if (mlirAffineExprIsAAdd(e))
    return takes_diagonal(left, right, r);
  if (!mlirAffineExprIsAFloorDiv(e) && !mlirAffineExprIsAMod(e))
    return false;
  r->kind = mlirAffineExprIsAMod(e) ? REMAP_REMAINDER : REMAP_QUOTIENT;
  return takes_dimension(left, &r->dimension) && takes_constant(right, &r->size) && r->size > 0;
}

int remap_counted(MlirAffineExpr expression) {
  remap r;
  return remap_of(expression, &r) && r.kind == REMAP_COUNTER ? r.dimension : -1;
}

bool remap_is_diagonal(const remap *r) {
  return r->kind == REMAP_DIFFERENCE || r->kind == REMAP_SUM;
}

bool remap_equal(const remap *r, const remap *s) {
  bool same = r->dimension == s->dimension && r->other == s->other;
  bool exchanged = r->kind == REMAP_SUM && r->dimension == s->other && r->other == s->dimension;
  return r->kind == s->kind && r->size == s->size && (same || exchanged);
}

bool remap_equal_of(const remap *r, MlirValue dimension, MlirValue other, const remap *by,
                    MlirValue by_dimension, MlirValue by_other) {
  bool same =
      mlirValueEqual(dimension, by_dimension) && (r->other < 0 || mlirValueEqual(other, by_other));
  bool exchanged = r->kind == REMAP_SUM && mlirValueEqual(dimension, by_other) &&
                   mlirValueEqual(other, by_dimension);
  return r->kind == by->kind && r->size == by->size && (same || exchanged);
}

MlirValue remap_extent(builder *b, const remap *r, MlirValue extent, MlirValue other) {
  if (r->kind == REMAP_COUNTER)
    return constant_index(b, INT64_MAX);
  if (r->kind == REMAP_REMAINDER)
    return constant_index(b, r->size);
  if (r->kind == REMAP_QUOTIENT)
    return ceil_div(b, extent, constant_index(b, r->size));
  MlirValue sum = sub(b, add(b, extent, other), constant_index(b, 1));
  return max_i(b, sum, constant_index(b, 0));
}

MlirValue remap_size(builder *b, MlirAffineExpr expression, const MlirValue *extents) {
  remap r;
  int dimension;
  if (takes_dimension(expression, &dimension))
    return extents[dimension];
  if (!remap_of(expression, &r))
    return (MlirValue){NULL};
  MlirValue other = r.other < 0 ? (MlirValue){NULL} : extents[r.other];
  return remap_extent(b, &r, extents[r.dimension], other);
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

/* The coordinates of a difference are counted from its least. */
static MlirValue least_difference(builder *b, MlirValue other_extent) {
  return sub(b, other_extent, constant_index(b, 1));
}

MlirValue remap_coordinate(builder *b, const remap *r, MlirValue coordinate, MlirValue other,
                           MlirValue other_extent) {
  if (r->kind == REMAP_REMAINDER)
    return by_size(b, r, "arith.remui", coordinate);
  if (r->kind == REMAP_QUOTIENT)
    return by_size(b, r, "arith.divui", coordinate);
  if (r->kind == REMAP_SUM)
    return add(b, coordinate, other);
  return add(b, sub(b, coordinate, other), least_difference(b, other_extent));
}

MlirValue remap_solved(builder *b, const remap *r, bool of_other, MlirValue at,
                       remap_extents extents, MlirValue known) {
  if (r->kind == REMAP_SUM)
    return sub(b, at, known);
  MlirValue difference = sub(b, at, least_difference(b, extents.other));
  return of_other ? sub(b, known, difference) : add(b, difference, known);
}

MlirValue remap_least(builder *b, const remap *r, bool of_other, MlirValue at,
                      remap_extents extents) {
  MlirValue zero = constant_index(b, 0);
  if (r->kind == REMAP_SUM) {
    MlirValue last = sub(b, of_other ? extents.dimension : extents.other, constant_index(b, 1));
    return sub(b, at, last);
  }
  MlirValue difference = sub(b, at, least_difference(b, extents.other));
  return of_other ? sub(b, zero, difference) : difference;
}
