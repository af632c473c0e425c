/* algebra.c - the table of scalar operators.
 *
 * A row says for each operand what annihilates the operator and what is its identity, and has the
 * function that folds constants:
 *
 *     operator          annihilator     identity
 *     arith.mulf        0      0        1      1
 *     arith.subf        -      -        -      0
 *     arith.divf        0      -        -      1
 *     arith.maximumf    +inf   +inf     -inf   -inf
 *
 *     arith.addf        +-inf  +-inf    0      0
 *
 * Annihilation of floats is said of *absent* operands: a stored-nothing times infinity is nothing,
 * and where nothing is an infinity (in min-plus) so is its sum with anything.  Integers have no
 * infinity, and a row about them holds for every value: the greatest integer is one like any other,
 * and where a semiring takes it for its infinity it says so by a select (semiring.h).
 */
#include "algebra.h"

#include "ir.h"

#include <complex.h>
#include <math.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

/* ---- the table ---------------------------------------------------------------------------- */

typedef enum landmark { NONE, ZERO, ONE, ALL_ONES, LEAST, GREATEST, EXTREME } landmark;
enum {
  LINEAR_LEFT = 1,
  LINEAR_RIGHT = 2,
  TRAPS = 4,
  SELECTS = 8,
  MULTIPLIES_AND_ADDS = 16,
  OVERFLOWS = 32
};

struct algebra_operator {
  const char *name;
  landmark annihilator[2], identity[2];
  unsigned flags;
  const char *from_zero;
  double (*real1)(double);
  double (*real2)(double, double);
  int64_t (*integer2)(int64_t, int64_t);
  double complex (*complex1)(double complex);
  double complex (*complex2)(double complex, double complex);
  double (*part)(double complex);
  bool (*other)(MlirOperation, const scalar *, scalar *);
};

static double add_real(double x, double y) {
  return x + y;
}
static double sub_real(double x, double y) {
  return x - y;
}
static double mul_real(double x, double y) {
  return x * y;
}
static double div_real(double x, double y) {
  return x / y;
}
static double neg_real(double x) {
  return -x;
}
static double rsqrt_real(double x) {
  return 1 / sqrt(x);
}
static double max_nan(double x, double y) {
  return isnan(x) || isnan(y) ? (double)NAN : fmax(x, y);
}
static double min_nan(double x, double y) {
  return isnan(x) || isnan(y) ? (double)NAN : fmin(x, y);
}

static int64_t add_integer(int64_t x, int64_t y) {
  return (int64_t)((uint64_t)x + (uint64_t)y);
}
static int64_t sub_integer(int64_t x, int64_t y) {
  return (int64_t)((uint64_t)x - (uint64_t)y);
}
static int64_t mul_integer(int64_t x, int64_t y) {
  return (int64_t)((uint64_t)x * (uint64_t)y);
}
static int64_t and_integer(int64_t x, int64_t y) {
  return x & y;
}
static int64_t or_integer(int64_t x, int64_t y) {
  return x | y;
}
static int64_t xor_integer(int64_t x, int64_t y) {
  return x ^ y;
}
static int64_t max_integer(int64_t x, int64_t y) {
  return x > y ? x : y;
}
static int64_t min_integer(int64_t x, int64_t y) {
  return x < y ? x : y;
}

static double complex add_complex(double complex x, double complex y) {
  return x + y;
}
static double complex sub_complex(double complex x, double complex y) {
  return x - y;
}
static double complex mul_complex(double complex x, double complex y) {
  return x * y;
}
static double complex div_complex(double complex x, double complex y) {
  return x / y;
}
static double complex neg_complex(double complex x) {
  return -x;
}

static bool fold_max_unsigned(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  *result = scalar_unsigned(&x[0]) > scalar_unsigned(&x[1]) ? x[0] : x[1];
  return true;
}

static bool fold_min_unsigned(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  *result = scalar_unsigned(&x[0]) < scalar_unsigned(&x[1]) ? x[0] : x[1];
  return true;
}

static bool fold_absolute_integer(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->integer = x->integer < 0 ? sub_integer(0, x->integer) : x->integer;
  return true;
}

/* Ordered and unordered predicates of arith.cmpf, and those of arith.cmpi: bits say whether the
 * predicate holds of less, equal, greater, unordered. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
static const unsigned float_predicates[16] = {
    0,
    EQUAL,
    GREATER,
    GREATER | EQUAL,
    LESS,
    LESS | EQUAL,
    LESS | GREATER,
    LESS | EQUAL | GREATER,
    UNORDERED | EQUAL,
    UNORDERED | GREATER,
    UNORDERED | GREATER | EQUAL,
    UNORDERED | LESS,
    UNORDERED | LESS | EQUAL,
    UNORDERED | LESS | GREATER,
    UNORDERED,
    LESS | EQUAL | GREATER | UNORDERED,
};
static const unsigned integer_predicates[10] = {
    EQUAL,           LESS | GREATER, LESS,         LESS | EQUAL, GREATER,
    GREATER | EQUAL, LESS,           LESS | EQUAL, GREATER,      GREATER | EQUAL,
};
enum { FIRST_UNSIGNED_PREDICATE = 6 };

static bool fold_compare_floats(MlirOperation op, const scalar *x, scalar *result) {
  int64_t predicate = op_integer(op, "predicate", -1);
  if (predicate < 0 || predicate >= 16)
    return false;
  unsigned relation = isnan(x[0].re) || isnan(x[1].re) ? UNORDERED
                      : x[0].re < x[1].re              ? LESS
                      : x[0].re > x[1].re              ? GREATER
                                                       : EQUAL;
  result->integer = (float_predicates[predicate] & relation) != 0;
  return true;
}

static bool fold_compare_integers(MlirOperation op, const scalar *x, scalar *result) {
  int64_t predicate = op_integer(op, "predicate", -1);
  if (predicate < 0 || predicate >= 10)
    return false;
  bool less = predicate < FIRST_UNSIGNED_PREDICATE
                  ? x[0].integer < x[1].integer
                  : scalar_unsigned(&x[0]) < scalar_unsigned(&x[1]);
  unsigned relation = x[0].integer == x[1].integer ? EQUAL : less ? LESS : GREATER;
  result->integer = (integer_predicates[predicate] & relation) != 0;
  return true;
}

static bool fold_float_to_float(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->re = x->re;
  return true;
}

static bool fold_signed_to_float(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->re = (double)x->integer;
  return true;
}

static bool fold_unsigned_to_float(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->re = (double)scalar_unsigned(x);
  return true;
}

static bool fold_float_to_integer(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  if (!(fabs(x->re) < 9.0e18))
    return false;
  result->integer = (int64_t)x->re;
  return true;
}

static bool fold_integer_to_integer(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->integer = x->integer;
  return true;
}

static bool fold_extend_unsigned(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->integer = (int64_t)scalar_unsigned(x);
  return true;
}

static bool fold_create_complex(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->re = x[0].re;
  result->im = x[1].re;
  return true;
}

static bool fold_select(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  *result = x[0].integer ? x[1] : x[2];
  return true;
}

/* What is constant is so because it is absent. */
static bool fold_stored(MlirOperation op, const scalar *x, scalar *result) {
  (void)op, (void)x;
  result->integer = 0;
  return true;
}

static bool fold_equal_complex(MlirOperation op, const scalar *x, scalar *result) {
  bool equal = x[0].re == x[1].re && x[0].im == x[1].im;
  result->integer = equal == op_is(op, "complex.eq");
  return true;
}

static bool fold_multiply_add(MlirOperation op, const scalar *x, scalar *result) {
  (void)op;
  result->re = fma(x[0].re, x[1].re, x[2].re);
  return true;
}

#define BOTH(x) {x, x}
#define LEFT(x) {x, NONE}
#define RIGHT(x) {NONE, x}
#define LINEAR (LINEAR_LEFT | LINEAR_RIGHT)
#define CAST(cast, function) {.name = cast, .other = function}

static const algebra_operator operators[] = {
    {.name = "arith.addf", .annihilator = BOTH(EXTREME), .identity = BOTH(ZERO), .real2 = add_real},
    {.name = "arith.addi", .identity = BOTH(ZERO), .integer2 = add_integer},
    {.name = "arith.subf", .identity = RIGHT(ZERO), .from_zero = "arith.negf", .real2 = sub_real},
    {.name = "arith.subi", .identity = RIGHT(ZERO), .integer2 = sub_integer},
    {.name = "arith.mulf",
     .annihilator = BOTH(ZERO),
     .identity = BOTH(ONE),
     .flags = LINEAR,
     .real2 = mul_real},
    {.name = "arith.muli",
     .annihilator = BOTH(ZERO),
     .identity = BOTH(ONE),
     .flags = LINEAR,
     .integer2 = mul_integer},
    {.name = "arith.divf",
     .annihilator = LEFT(ZERO),
     .identity = RIGHT(ONE),
     .flags = LINEAR_LEFT,
     .real2 = div_real},
    {.name = "arith.divsi",
     .annihilator = LEFT(ZERO),
     .identity = RIGHT(ONE),
     .flags = TRAPS | OVERFLOWS},
    {.name = "arith.divui", .annihilator = LEFT(ZERO), .identity = RIGHT(ONE), .flags = TRAPS},
    {.name = "arith.floordivsi",
     .annihilator = LEFT(ZERO),
     .identity = RIGHT(ONE),
     .flags = TRAPS | OVERFLOWS},
    {.name = "arith.ceildivsi",
     .annihilator = LEFT(ZERO),
     .identity = RIGHT(ONE),
     .flags = TRAPS | OVERFLOWS},
    {.name = "arith.ceildivui", .annihilator = LEFT(ZERO), .identity = RIGHT(ONE), .flags = TRAPS},
    {.name = "arith.remsi", .annihilator = LEFT(ZERO), .flags = TRAPS | OVERFLOWS},
    {.name = "arith.remui", .annihilator = LEFT(ZERO), .flags = TRAPS},
    {.name = "arith.remf", .annihilator = LEFT(ZERO), .real2 = fmod},
    {.name = "arith.negf", .flags = LINEAR_LEFT, .real1 = neg_real},
    {.name = "arith.maximumf",
     .annihilator = BOTH(GREATEST),
     .identity = BOTH(LEAST),
     .real2 = max_nan},
    {.name = "arith.minimumf",
     .annihilator = BOTH(LEAST),
     .identity = BOTH(GREATEST),
     .real2 = min_nan},
    {.name = "arith.maxnumf",
     .annihilator = BOTH(GREATEST),
     .identity = BOTH(LEAST),
     .real2 = fmax},
    {.name = "arith.minnumf",
     .annihilator = BOTH(LEAST),
     .identity = BOTH(GREATEST),
     .real2 = fmin},
    {.name = "arith.maxsi",
     .annihilator = BOTH(GREATEST),
     .identity = BOTH(LEAST),
     .integer2 = max_integer},
    {.name = "arith.minsi",
     .annihilator = BOTH(LEAST),
     .identity = BOTH(GREATEST),
     .integer2 = min_integer},
    {.name = "arith.maxui",
     .annihilator = BOTH(ALL_ONES),
     .identity = BOTH(ZERO),
     .other = fold_max_unsigned},
    {.name = "arith.minui",
     .annihilator = BOTH(ZERO),
     .identity = BOTH(ALL_ONES),
     .other = fold_min_unsigned},
    {.name = "arith.andi",
     .annihilator = BOTH(ZERO),
     .identity = BOTH(ALL_ONES),
     .integer2 = and_integer},
    {.name = "arith.ori",
     .annihilator = BOTH(ALL_ONES),
     .identity = BOTH(ZERO),
     .integer2 = or_integer},
    {.name = "arith.xori", .identity = BOTH(ZERO), .integer2 = xor_integer},
    {.name = "arith.shli", .annihilator = LEFT(ZERO), .identity = RIGHT(ZERO)},
    {.name = "arith.shrsi", .annihilator = LEFT(ZERO), .identity = RIGHT(ZERO)},
    {.name = "arith.shrui", .annihilator = LEFT(ZERO), .identity = RIGHT(ZERO)},
    {.name = "arith.select", .flags = SELECTS, .other = fold_select},
    {.name = "cin.stored", .other = fold_stored},
    {.name = "arith.cmpf", .other = fold_compare_floats},
    {.name = "arith.cmpi", .other = fold_compare_integers},
    CAST("arith.extf", fold_float_to_float),
    CAST("arith.truncf", fold_float_to_float),
    CAST("arith.sitofp", fold_signed_to_float),
    CAST("arith.uitofp", fold_unsigned_to_float),
    CAST("arith.fptosi", fold_float_to_integer),
    CAST("arith.extsi", fold_integer_to_integer),
    CAST("arith.trunci", fold_integer_to_integer),
    CAST("arith.index_cast", fold_integer_to_integer),
    CAST("arith.extui", fold_extend_unsigned),
    {.name = "math.fma", .flags = MULTIPLIES_AND_ADDS, .other = fold_multiply_add},
    {.name = "math.absi", .other = fold_absolute_integer},
    {.name = "math.absf", .real1 = fabs},
    {.name = "math.sqrt", .real1 = sqrt},
    {.name = "math.rsqrt", .real1 = rsqrt_real},
    {.name = "math.cbrt", .real1 = cbrt},
    {.name = "math.exp", .real1 = exp},
    {.name = "math.exp2", .real1 = exp2},
    {.name = "math.expm1", .real1 = expm1},
    {.name = "math.log", .real1 = log},
    {.name = "math.log2", .real1 = log2},
    {.name = "math.log10", .real1 = log10},
    {.name = "math.log1p", .real1 = log1p},
    {.name = "math.sin", .real1 = sin},
    {.name = "math.cos", .real1 = cos},
    {.name = "math.tan", .real1 = tan},
    {.name = "math.asin", .real1 = asin},
    {.name = "math.acos", .real1 = acos},
    {.name = "math.atan", .real1 = atan},
    {.name = "math.sinh", .real1 = sinh},
    {.name = "math.cosh", .real1 = cosh},
    {.name = "math.tanh", .real1 = tanh},
    {.name = "math.asinh", .real1 = asinh},
    {.name = "math.acosh", .real1 = acosh},
    {.name = "math.atanh", .real1 = atanh},
    {.name = "math.erf", .real1 = erf},
    {.name = "math.erfc", .real1 = erfc},
    {.name = "math.floor", .real1 = floor},
    {.name = "math.ceil", .real1 = ceil},
    {.name = "math.trunc", .real1 = trunc},
    {.name = "math.round", .real1 = round},
    {.name = "math.roundeven", .real1 = rint},
    {.name = "math.atan2", .real2 = atan2},
    {.name = "math.powf", .identity = RIGHT(ONE), .real2 = pow},
    {.name = "math.copysign", .real2 = copysign},
    {.name = "complex.add", .identity = BOTH(ZERO), .complex2 = add_complex},
    {.name = "complex.sub",
     .identity = RIGHT(ZERO),
     .from_zero = "complex.neg",
     .complex2 = sub_complex},
    {.name = "complex.mul",
     .annihilator = BOTH(ZERO),
     .identity = BOTH(ONE),
     .flags = LINEAR,
     .complex2 = mul_complex},
    {.name = "complex.div",
     .annihilator = LEFT(ZERO),
     .identity = RIGHT(ONE),
     .flags = LINEAR_LEFT,
     .complex2 = div_complex},
    {.name = "complex.neg", .flags = LINEAR_LEFT, .complex1 = neg_complex},
    {.name = "complex.conj", .complex1 = conj},
    {.name = "complex.exp", .complex1 = cexp},
    {.name = "complex.sqrt", .complex1 = csqrt},
    {.name = "complex.sin", .complex1 = csin},
    {.name = "complex.cos", .complex1 = ccos},
    {.name = "complex.tan", .complex1 = ctan},
    {.name = "complex.tanh", .complex1 = ctanh},
    {.name = "complex.pow", .identity = RIGHT(ONE), .complex2 = cpow},
    {.name = "complex.abs", .part = cabs},
    {.name = "complex.angle", .part = carg},
    {.name = "complex.re", .part = creal},
    {.name = "complex.im", .part = cimag},
    {.name = "complex.eq", .other = fold_equal_complex},
    {.name = "complex.neq", .other = fold_equal_complex},
    CAST("complex.create", fold_create_complex),
};

const algebra_operator *algebra_operator_find(MlirStringRef name) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
    if (text_is(name, operators[i].name))
      return &operators[i];
  return NULL;
}

/* ---- what it says ------------------------------------------------------------------------- */

/* Truth values (i1) are no numbers, and have no least or greatest. */
static bool is_extreme(const scalar *x, bool greatest) {
  if (type_is_float(x->type))
    return isinf(x->re) && (x->re > 0) == greatest;
  if (type_is_complex(x->type) || scalar_width(x->type) == 1)
    return false;
  int64_t least = INT64_MIN >> (64 - scalar_width(x->type));
  return x->integer == (greatest ? ~least : least);
}

static bool is_landmark(const scalar *x, landmark which) {
  switch (which) {
  case NONE:
    return false;
  case ZERO:
    return scalar_is_zero(x);
  case ONE:
    return type_is_integer(x->type) ? scalar_unsigned(x) == 1 : x->re == 1 && x->im == 0;
  case ALL_ONES:
    return x->integer == -1;
  case LEAST:
    return is_extreme(x, false);
  case GREATEST:
    return is_extreme(x, true);
  case EXTREME:
    return is_extreme(x, true) || is_extreme(x, false);
  }
  return false;
}

bool algebra_operator_annihilates(const algebra_operator *op, int operand, const scalar *x) {
  return op && operand < 2 && is_landmark(x, op->annihilator[operand]);
}

bool algebra_operator_is_identity(const algebra_operator *op, int operand, const scalar *x) {
  return op && operand < 2 && is_landmark(x, op->identity[operand]);
}

const char *algebra_operator_from_zero(const algebra_operator *op) {
  return op ? op->from_zero : NULL;
}

bool algebra_operator_is_linear(const algebra_operator *op, int operand) {
  return op && operand < 2 && (op->flags & (operand ? LINEAR_RIGHT : LINEAR_LEFT));
}

bool algebra_operator_traps_on_zero(const algebra_operator *op) {
  return op && (op->flags & TRAPS);
}

bool algebra_operator_overflows(const algebra_operator *op) {
  return op && (op->flags & OVERFLOWS);
}

bool algebra_operator_selects(const algebra_operator *op) {
  return op && (op->flags & SELECTS);
}

bool algebra_operator_multiplies_and_adds(const algebra_operator *op) {
  return op && (op->flags & MULTIPLIES_AND_ADDS);
}

static double complex as_complex(const scalar *x) {
  double parts[2] = {x->re, x->im};
  double complex z;
  memcpy(&z, parts, sizeof z);
  return z;
}

static bool fold_complex(const algebra_operator *op, const scalar *x, scalar *result) {
  double complex z =
      op->complex1 ? op->complex1(as_complex(x)) : op->complex2(as_complex(x), as_complex(x + 1));
  result->re = creal(z);
  result->im = cimag(z);
  return true;
}

static bool fold_by_row(const algebra_operator *op, MlirOperation operation, const scalar *x,
                        scalar *result) {
  if (op->real1)
    result->re = op->real1(x->re);
  else if (op->real2)
    result->re = op->real2(x[0].re, x[1].re);
  else if (op->integer2)
    result->integer = op->integer2(x[0].integer, x[1].integer);
  else if (op->part)
    result->re = op->part(as_complex(x));
  else if (op->complex1 || op->complex2)
    return fold_complex(op, x, result);
  else
    return op->other && op->other(operation, x, result);
  return true;
}

bool algebra_operator_fold(const algebra_operator *op, MlirOperation operation,
                           const scalar *operands, MlirType type, scalar *result) {
  scalar value = scalar_zero(type);
  if (!op || !fold_by_row(op, operation, operands, &value))
    return false;
  value.type = type;
  *result = scalar_rounded(value);
  return true;
}

bool algebra_distributes(tin_reduction kind, MlirStringRef op, intptr_t operand) {
  static const struct {
    tin_reduction kind;
    const char *op;
    bool first_alone;
  } laws[] = {
      {TIN_ADD, "arith.mulf", false},  {TIN_ADD, "arith.muli", false},
      {TIN_ADD, "complex.mul", false}, {TIN_ADD, "arith.divf", true},
      {TIN_ADD, "complex.div", true},  {TIN_ADD, "arith.negf", false},
      {TIN_ADD, "complex.neg", false}, {TIN_MIN, "arith.addf", false},
      {TIN_MAX, "arith.addf", false},  {TIN_MIN, "arith.subf", true},
      {TIN_MAX, "arith.subf", true},   {TIN_OR, "arith.andi", false},
      {TIN_XOR, "arith.andi", false},  {TIN_AND, "arith.ori", false},
  };
  for (size_t n = 0; n < sizeof laws / sizeof *laws; ++n)
    if (laws[n].kind == kind && text_is(op, laws[n].op) && (!laws[n].first_alone || !operand))
      return true;
  return false;
}
