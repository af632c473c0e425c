/* builder_arithmetic.c - index and integer arithmetic with what is constant folded, and the
 * reductions that semirings use. */
#include "builder.h"

#include "builder_state.h"

#include <math.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/Complex.h>

static MlirValue binary(builder *b, const char *name, MlirValue x, MlirValue y) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(x);
  return op_result(make_op(b, name, 2, operands, 1, &type, 0, NULL), 0);
}

static bool is_constant(MlirValue v, int64_t x) {
  int64_t found;
  return value_is_constant_index(v, &found) && found == x;
}

static bool both_constant(MlirValue x, MlirValue y, int64_t *cx, int64_t *cy) {
  return value_is_constant_index(x, cx) && value_is_constant_index(y, cy);
}

/* ---- Arithmetic --------------------------------------------------------------------------- */

MlirValue add(builder *b, MlirValue x, MlirValue y) {
  int64_t cx, cy, sum;
  if (is_constant(x, 0))
    return y;
  if (is_constant(y, 0))
    return x;
  if (both_constant(x, y, &cx, &cy) && !__builtin_add_overflow(cx, cy, &sum))
    return constant_index(b, sum);
  return binary(b, "arith.addi", x, y);
}

MlirValue sub(builder *b, MlirValue x, MlirValue y) {
  int64_t cx, cy, difference;
  if (is_constant(y, 0))
    return x;
  if (both_constant(x, y, &cx, &cy) && !__builtin_sub_overflow(cx, cy, &difference))
    return constant_index(b, difference);
  return binary(b, "arith.subi", x, y);
}

MlirValue mul(builder *b, MlirValue x, MlirValue y) {
  int64_t cx, cy, product;
  if (is_constant(x, 0) || is_constant(y, 1))
    return x;
  if (is_constant(y, 0) || is_constant(x, 1))
    return y;
  if (both_constant(x, y, &cx, &cy) && !__builtin_mul_overflow(cx, cy, &product))
    return constant_index(b, product);
  return binary(b, "arith.muli", x, y);
}

/* Whether `v` is the constant 2^k. */
static bool is_power_of_two(MlirValue v, int *k) {
  int64_t x;
  if (!value_is_constant_index(v, &x) || x <= 0 || (x & (x - 1)))
    return false;
  *k = __builtin_ctzll((unsigned long long)x);
  return true;
}

static int64_t floor_div_of(int64_t x, int64_t y) {
  return x / y - (x % y != 0 && (x % y < 0) != (y < 0));
}

MlirValue floor_div(builder *b, MlirValue x, MlirValue y) {
  int k;
  int64_t cx, cy;
  if (is_constant(y, 1))
    return x;
  if (both_constant(x, y, &cx, &cy) && cy > 0)
    return constant_index(b, floor_div_of(cx, cy));
  if (is_power_of_two(y, &k))
    return binary(b, "arith.shrsi", x, constant_index(b, k));
  return binary(b, "arith.floordivsi", x, y);
}

MlirValue ceil_div(builder *b, MlirValue x, MlirValue y) {
  int k;
  if (is_constant(y, 1))
    return x;
  if (is_power_of_two(y, &k))
    return floor_div(b, add(b, x, constant_index(b, ((int64_t)1 << k) - 1)), y);
  return binary(b, "arith.ceildivsi", x, y);
}

MlirValue floor_mod(builder *b, MlirValue x, MlirValue y) {
  int k;
  int64_t cx, cy;
  if (both_constant(x, y, &cx, &cy) && cy > 0)
    return constant_index(b, cx - cy * floor_div_of(cx, cy));
  if (is_power_of_two(y, &k))
    return binary(b, "arith.andi", x, constant_index(b, ((int64_t)1 << k) - 1));
  MlirValue rest = binary(b, "arith.remsi", x, y);
  MlirValue zero = constant_index(b, 0);
  return select_value(b, less(b, rest, zero), add(b, rest, y), rest);
}

MlirValue shift_right(builder *b, MlirValue x, MlirValue bits) {
  return binary(b, "arith.shrui", x, bits);
}

MlirValue shift_left(builder *b, MlirValue x, MlirValue bits) {
  return binary(b, "arith.shli", x, bits);
}

MlirValue min_i(builder *b, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  if (mlirValueEqual(x, y))
    return x;
  if (both_constant(x, y, &cx, &cy))
    return cx < cy ? x : y;
  return binary(b, "arith.minsi", x, y);
}

MlirValue max_i(builder *b, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  if (mlirValueEqual(x, y))
    return x;
  if (both_constant(x, y, &cx, &cy))
    return cx > cy ? x : y;
  return binary(b, "arith.maxsi", x, y);
}

/* ---- Comparisons, bits -------------------------------------------------------------------- */

/* arith's numbers of its predicates. */
enum { CMPI_EQ = 0, CMPI_NE = 1, CMPI_SLT = 2, CMPI_SLE = 3, CMPF_UNE = 13 };

static MlirValue compare(builder *b, const char *name, int predicate, MlirValue x, MlirValue y) {
  MlirValue operands[] = {x, y};
  MlirType of = mlirValueGetType(x), one = type_i(b, 1);
  MlirType type = mlirTypeIsAVector(of) ? type_lanes(one, mlirShapedTypeGetDimSize(of, 0)) : one;
  MlirNamedAttribute attributes[] = {
      named(b, "predicate", mlirIntegerAttrGet(type_i(b, 64), predicate))};
  return op_result(make_op(b, name, 2, operands, 1, &type, 1, attributes), 0);
}

MlirValue less(builder *b, MlirValue x, MlirValue y) {
  return compare(b, "arith.cmpi", CMPI_SLT, x, y);
}

MlirValue less_equal(builder *b, MlirValue x, MlirValue y) {
  return compare(b, "arith.cmpi", CMPI_SLE, x, y);
}

MlirValue equal(builder *b, MlirValue x, MlirValue y) {
  return compare(b, "arith.cmpi", CMPI_EQ, x, y);
}

MlirValue not_equal(builder *b, MlirValue x, MlirValue y) {
  return compare(b, "arith.cmpi", CMPI_NE, x, y);
}

MlirValue differs(builder *b, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x), one = type_i(b, 1);
  MlirValue operands[] = {x, y};
  if (type_is_complex(type))
    return op_result(make_op(b, "complex.neq", 2, operands, 1, &one, 0, NULL), 0);
  return type_is_float(type) ? compare(b, "arith.cmpf", CMPF_UNE, x, y) : not_equal(b, x, y);
}

MlirValue and_i(builder *b, MlirValue x, MlirValue y) {
  return binary(b, "arith.andi", x, y);
}
MlirValue or_i(builder *b, MlirValue x, MlirValue y) {
  return binary(b, "arith.ori", x, y);
}

MlirValue not_i1(builder *b, MlirValue x) {
  return binary(b, "arith.xori", x, constant_bool(b, true));
}

MlirValue select_value(builder *b, MlirValue condition, MlirValue x, MlirValue y) {
  if (mlirValueEqual(x, y))
    return x;
  MlirValue operands[] = {condition, x, y};
  MlirType type = mlirValueGetType(x);
  return op_result(make_op(b, "arith.select", 3, operands, 1, &type, 0, NULL), 0);
}

/* ---- Widths ------------------------------------------------------------------------------- */

MlirValue convert_value(builder *b, const char *name, MlirValue v, MlirType type) {
  return op_result(make_op(b, name, 1, &v, 1, &type, 0, NULL), 0);
}

MlirValue index_cast(builder *b, MlirValue v, MlirType type) {
  MlirType from = mlirValueGetType(v);
  if (mlirTypeEqual(from, type))
    return v;
  if (mlirTypeIsAIndex(from))
    return convert_value(b, "arith.index_cast", v, type);
  if (mlirTypeIsAIndex(type))
    return convert_value(b, "arith.index_castui", v, type);
  bool wider = mlirIntegerTypeGetWidth(type) > mlirIntegerTypeGetWidth(from);
  return convert_value(b, wider ? "arith.extui" : "arith.trunci", v, type);
}

/* ---- Reductions --------------------------------------------------------------------------- */

/* A monoid that a reduction may use: its operation on integers (signed), floats and complex
 * numbers, where it has one, and its identity.  `and`, `or` and `xor` of floats are those of their
 * truth (not zero). */
typedef enum identity_kind { ZERO, ONE, GREATEST, LEAST, ALL_BITS } identity_kind;
typedef struct monoid {
  const char *integer_op, *float_op, *complex_op;
  identity_kind identity;
} monoid;

static const monoid monoids[] = {
    [TIN_ADD] = {"arith.addi", "arith.addf", "complex.add", ZERO},
    [TIN_MUL] = {"arith.muli", "arith.mulf", "complex.mul", ONE},
    [TIN_MIN] = {"arith.minsi", "arith.minimumf", NULL, GREATEST},
    [TIN_MAX] = {"arith.maxsi", "arith.maximumf", NULL, LEAST},
    [TIN_AND] = {"arith.andi", NULL, NULL, ALL_BITS},
    [TIN_OR] = {"arith.ori", NULL, NULL, ZERO},
    [TIN_XOR] = {"arith.xori", NULL, NULL, ZERO},
};

static MlirValue combine_flagged(builder *b, const char *op, MlirValue x, MlirValue y,
                                 const char *flags) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(x);
  MlirNamedAttribute attributes[] = {named(
      b, "fastmath", mlirAttributeParseGet(b->context, mlirStringRefCreateFromCString(flags)))};
  return op_result(make_op(b, op, 2, operands, 1, &type, 1, attributes), 0);
}

static MlirValue is_true(builder *b, MlirValue x) {
  return compare(b, "arith.cmpf", CMPF_UNE, x, constant_scalar(b, mlirValueGetType(x), 0));
}

static MlirValue combine_truth(builder *b, const char *op, MlirValue x, MlirValue y) {
  MlirValue truth = binary(b, op, is_true(b, x), is_true(b, y));
  return convert_value(b, "arith.uitofp", truth, mlirValueGetType(x));
}

static MlirValue unsupported(builder *b, tin_reduction kind, MlirValue x) {
  builder_error(b, "expected a reduction that the element type has, found '%s'",
                tinReductionName(kind));
  return x;
}

MlirValue combine(builder *b, tin_reduction kind, MlirValue x, MlirValue y, bool strict) {
  const monoid *m = &monoids[kind];
  MlirType type = type_element(mlirValueGetType(x));
  if (!m->integer_op || (type_is_complex(type) && !m->complex_op))
    return unsupported(b, kind, x);
  if (type_is_complex(type))
    return binary(b, m->complex_op, x, y);
  if (!type_is_float(type))
    return binary(b, m->integer_op, x, y);
  if (!m->float_op)
    return combine_truth(b, m->integer_op, x, y);
  bool sum = m->identity == ZERO || m->identity == ONE;
  return strict || !sum
             ? binary(b, m->float_op, x, y)
             : combine_flagged(b, m->float_op, x, y, "#arith.fastmath<reassoc,contract>");
}

static MlirAttribute float_identity(builder *b, identity_kind identity, MlirType type) {
  const double values[] = {
      [ZERO] = 0, [ONE] = 1, [GREATEST] = INFINITY, [LEAST] = -INFINITY, [ALL_BITS] = 1};
  return mlirFloatAttrDoubleGet(b->context, type, values[identity]);
}

static MlirAttribute integer_identity(identity_kind identity, MlirType type) {
  unsigned width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  int64_t greatest = width < 2 ? 0 : (int64_t)(UINT64_MAX >> (65 - width));
  const int64_t values[] = {
      [ZERO] = 0, [ONE] = 1, [GREATEST] = greatest, [LEAST] = -greatest - 1, [ALL_BITS] = -1};
  return mlirIntegerAttrGet(type, values[identity]);
}

static MlirAttribute complex_identity(builder *b, identity_kind identity, MlirType type) {
  return mlirComplexAttrDoubleGet(b->context, type, identity == ONE ? 1 : 0, 0);
}

MlirAttribute combine_identity(builder *b, tin_reduction kind, MlirType type) {
  const monoid *m = &monoids[kind];
  if (!m->integer_op)
    return mlirAttributeGetNull();
  if (type_is_complex(type))
    return m->complex_op ? complex_identity(b, m->identity, type) : mlirAttributeGetNull();
  return type_is_float(type) ? float_identity(b, m->identity, type)
                             : integer_identity(m->identity, type);
}
