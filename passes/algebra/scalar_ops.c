/* Scalar operators and functions: which operation computes each for which class of element type.
 *
 *     name   float            integer          complex
 *     add    arith.addf       arith.addi       complex.add
 *     sqrt   math.sqrt        -                complex.sqrt
 *     ...
 */
#include "scalar_ops.h"

#include "diagnostic.h"
#include "ir.h"
#include "number_text.h"
#include "scalar.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Functions that are several operations -----------------------------------------------------*/

static MlirValue make_value(builder *b, const char *op, MlirType type, int count,
                            const MlirValue *operands) {
  return op_result(make_op(b, op, count, operands, 1, &type, 0, NULL), 0);
}

static MlirValue emit_relu(builder *b, MlirType type, const MlirValue *x) {
  return scalar_apply(b, scalar_function_find("max"),
                      (MlirValue[]){*x, constant_scalar(b, type, 0)});
}

static MlirValue emit_negate(builder *b, MlirType type, const MlirValue *x) {
  if (type_is_float(type))
    return make_value(b, "arith.negf", type, 1, x);
  if (type_is_complex(type))
    return make_value(b, "complex.neg", type, 1, x);
  return make_value(b, "arith.subi", type, 2, (MlirValue[]){constant_scalar(b, type, 0), *x});
}

static MlirValue as_complex(builder *b, MlirValue real, MlirType type) {
  MlirValue parts[2] = {real, constant_scalar(b, mlirComplexTypeGetElementType(type), 0)};
  return make_value(b, "complex.create", type, 2, parts);
}

static MlirValue emit_abs(builder *b, MlirType type, const MlirValue *x) {
  if (type_is_float(type))
    return make_value(b, "math.absf", type, 1, x);
  if (!type_is_complex(type))
    return make_value(b, "math.absi", type, 1, x);
  MlirType real = mlirComplexTypeGetElementType(type);
  return as_complex(b, make_value(b, "complex.abs", real, 1, x), type);
}

static MlirValue part_of(builder *b, const char *op, MlirType type, const MlirValue *x) {
  return as_complex(b, make_value(b, op, mlirComplexTypeGetElementType(type), 1, x), type);
}

static MlirValue emit_real(builder *b, MlirType type, const MlirValue *x) {
  return type_is_complex(type) ? part_of(b, "complex.re", type, x) : *x;
}

static MlirValue emit_imaginary(builder *b, MlirType type, const MlirValue *x) {
  return type_is_complex(type) ? part_of(b, "complex.im", type, x) : constant_scalar(b, type, 0);
}

static MlirValue emit_conjugate(builder *b, MlirType type, const MlirValue *x) {
  return type_is_complex(type) ? make_value(b, "complex.conj", type, 1, x) : *x;
}

/*--- Comparisons -------------------------------------------------------------------------------*/

/* Of complex numbers there is no order. */
typedef struct scalar_comparison {
  int of_floats, of_integers; /* predicates of arith.cmpf and arith.cmpi */
  const char *of_complex;
} scalar_comparison;

static const scalar_comparison is_less_than = {4, 2, NULL}, is_at_most = {5, 3, NULL},
                               is_greater_than = {2, 4, NULL}, is_at_least = {3, 5, NULL},
                               is_equal_to = {1, 0, "complex.eq"},
                               is_unlike = {13, 1, "complex.neq"};

/* As an i1; null where the type has no such comparison. */
static MlirValue compared(builder *b, const scalar_comparison *how, const MlirValue *x) {
  MlirType type = mlirValueGetType(x[0]), bit = type_i(b, 1);
  if (type_is_complex(type))
    return how->of_complex ? make_value(b, how->of_complex, bit, 2, x) : (MlirValue){0};
  bool is_float = type_is_float(type);
  MlirAttribute predicate =
      mlirIntegerAttrGet(type_i(b, 64), is_float ? how->of_floats : how->of_integers);
  MlirNamedAttribute attribute = named(b, "predicate", predicate);
  return op_result(make_op(b, is_float ? "arith.cmpf" : "arith.cmpi", 2, x, 1, &bit, 1, &attribute),
                   0);
}

/* 1 or 0, of the type. */
static MlirValue number_of_truth(builder *b, MlirValue bit, MlirType type) {
  if (mlirValueIsNull(bit) || mlirTypeEqual(mlirValueGetType(bit), type))
    return bit;
  if (type_is_complex(type))
    return as_complex(b, number_of_truth(b, bit, mlirComplexTypeGetElementType(type)), type);
  return make_value(b, type_is_float(type) ? "arith.uitofp" : "arith.extui", type, 1, &bit);
}

/* Whether a number is not 0; a truth value that was made a number is taken as it was. */
static MlirValue is_true(builder *b, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirOperation op = value_owner(x);
  bool was_truth = op_is(op, "arith.uitofp") || op_is(op, "arith.extui");
  if (was_truth && mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)), type_i(b, 1)))
    return mlirOperationGetOperand(op, 0);
  return compared(b, &is_unlike, (MlirValue[]){x, constant_scalar(b, type, 0)});
}

static MlirValue emit_sign(builder *b, MlirType type, const MlirValue *x) {
  if (type_is_complex(type))
    return (MlirValue){0};
  MlirValue zero = constant_scalar(b, type, 0), minus = constant_scalar(b, type, -1);
  MlirValue is_below = compared(b, &is_less_than, (MlirValue[]){*x, zero});
  MlirValue below = select_value(b, is_below, minus, zero);
  MlirValue is_above = compared(b, &is_less_than, (MlirValue[]){zero, *x});
  return select_value(b, is_above, constant_scalar(b, type, 1), below);
}

static MlirValue emit_select(builder *b, MlirType type, const MlirValue *x) {
  (void)type;
  return select_value(b, is_true(b, x[0]), x[1], x[2]);
}

/* 1 over a power of 0 is 0, as any quotient by 0 is of integers; math.ipowi leaves that open. */
static MlirValue emit_integer_power(builder *b, MlirType type, const MlirValue *x) {
  MlirValue zero = constant_scalar(b, type, 0);
  MlirOperation exponent = value_owner(x[1]);
  if (op_is(exponent, "arith.constant") &&
      mlirIntegerAttrGetValueInt(op_attribute(exponent, "value")) >= 0)
    return make_value(b, "math.ipowi", type, 2, x);
  MlirValue is_open = and_i(b, compared(b, &is_equal_to, (MlirValue[]){x[0], zero}),
                            compared(b, &is_less_than, (MlirValue[]){x[1], zero}));
  MlirValue base = select_value(b, is_open, constant_scalar(b, type, 1), x[0]);
  MlirValue power = make_value(b, "math.ipowi", type, 2, (MlirValue[]){base, x[1]});
  return select_value(b, is_open, zero, power);
}

/*--- The tables --------------------------------------------------------------------------------*/

#define UNARY(function, of_float, of_complex)                                                      \
  {.name = function, .arity = 1, .float_op = of_float, .complex_op = of_complex}

#define BINARY(function, variadic, of_float, of_integer, of_complex)                               \
  {.name = function,                                                                               \
   .arity = 2,                                                                                     \
   .is_variadic = variadic,                                                                        \
   .float_op = of_float,                                                                           \
   .integer_op = of_integer,                                                                       \
   .complex_op = of_complex}

#define COMPARISON(operator, how) {.name = operator, .arity = 2, .compares = how}

static const scalar_function functions[] = {
    {.name = "abs", .arity = 1, .emit = emit_abs, .takes_part = true},
    {.name = "real", .arity = 1, .emit = emit_real, .takes_part = true},
    {.name = "imag", .arity = 1, .emit = emit_imaginary, .takes_part = true},
    {.name = "conj", .arity = 1, .emit = emit_conjugate},
    {.name = "select", .arity = 3, .emit = emit_select},
    {.name = "sign", .arity = 1, .emit = emit_sign},
    {.name = "relu", .arity = 1, .emit = emit_relu},
    BINARY("max", true, "arith.maximumf", "arith.maxsi", NULL),
    BINARY("min", true, "arith.minimumf", "arith.minsi", NULL),
    {.name = "pow",
     .arity = 2,
     .float_op = "math.powf",
     .complex_op = "complex.pow",
     .emit = emit_integer_power},
    BINARY("atan2", false, "math.atan2", NULL, "complex.atan2"),
    UNARY("sqrt", "math.sqrt", "complex.sqrt"),
    UNARY("rsqrt", "math.rsqrt", "complex.rsqrt"),
    UNARY("cbrt", "math.cbrt", NULL),
    UNARY("exp", "math.exp", "complex.exp"),
    UNARY("exp2", "math.exp2", NULL),
    UNARY("expm1", "math.expm1", "complex.expm1"),
    UNARY("log", "math.log", "complex.log"),
    UNARY("log2", "math.log2", NULL),
    UNARY("log10", "math.log10", NULL),
    UNARY("log1p", "math.log1p", "complex.log1p"),
    UNARY("sin", "math.sin", "complex.sin"),
    UNARY("cos", "math.cos", "complex.cos"),
    UNARY("tan", "math.tan", "complex.tan"),
    UNARY("asin", "math.asin", NULL),
    UNARY("acos", "math.acos", NULL),
    UNARY("atan", "math.atan", NULL),
    UNARY("sinh", "math.sinh", NULL),
    UNARY("cosh", "math.cosh", NULL),
    UNARY("tanh", "math.tanh", "complex.tanh"),
    UNARY("erf", "math.erf", NULL),
    UNARY("floor", "math.floor", NULL),
    UNARY("ceil", "math.ceil", NULL),
    UNARY("round", "math.round", NULL),
    UNARY("trunc", "math.trunc", NULL),
};

static const scalar_function operators[] = {
    BINARY("add", false, "arith.addf", "arith.addi", "complex.add"),
    BINARY("sub", false, "arith.subf", "arith.subi", "complex.sub"),
    BINARY("mul", false, "arith.mulf", "arith.muli", "complex.mul"),
    BINARY("div", false, "arith.divf", "arith.divsi", "complex.div"),
    BINARY("min", false, "arith.minimumf", "arith.minsi", NULL),
    BINARY("max", false, "arith.maximumf", "arith.maxsi", NULL),
    BINARY("and", false, NULL, "arith.andi", NULL),
    BINARY("or", false, NULL, "arith.ori", NULL),
    BINARY("xor", false, NULL, "arith.xori", NULL),
    {.name = "neg", .arity = 1, .emit = emit_negate},
    COMPARISON("<", &is_less_than),
    COMPARISON("<=", &is_at_most),
    COMPARISON(">", &is_greater_than),
    COMPARISON(">=", &is_at_least),
    COMPARISON("==", &is_equal_to),
    COMPARISON("!=", &is_unlike),
};

static const scalar_function *find(const scalar_function *table, size_t count, const char *name) {
  for (size_t f = 0; f < count; f++)
    if (!strcmp(table[f].name, name))
      return &table[f];
  return NULL;
}

const scalar_function *scalar_function_find(const char *name) {
  return find(functions, sizeof functions / sizeof *functions, name);
}

const scalar_function *scalar_operator_find(const char *name) {
  return find(operators, sizeof operators / sizeof *operators, name);
}

void scalar_function_offer(nearest *search) {
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    nearest_offer(search, functions[f].name);
}

/*--- Application -------------------------------------------------------------------------------*/

static const char *operation_for(const scalar_function *function, MlirType type) {
  if (type_is_float(type))
    return function->float_op;
  return type_is_complex(type) ? function->complex_op : function->integer_op;
}

bool scalar_is_defined(const scalar_function *function, MlirType type) {
  return operation_for(function, type) || function->emit;
}

MlirValue scalar_apply(builder *b, const scalar_function *function, const MlirValue *arguments) {
  MlirType type = mlirValueGetType(arguments[0]);
  const char *op = operation_for(function, type);
  MlirValue result = {0};
  if (op)
    result = make_value(b, op, type, function->arity, arguments);
  else if (function->compares)
    result = number_of_truth(b, compared(b, function->compares, arguments), type);
  else if (function->emit)
    result = function->emit(b, type, arguments);
  if (mlirValueIsNull(result))
    error_at_location(builder_location(b), "'%s' does not exist for %s", function->name,
                      type_words(type).text);
  return result;
}

bool scalar_type_is_known(MlirType type) {
  return type_is_float(type) || (type_is_integer(type) && mlirTypeIsAInteger(type)) ||
         type_is_complex(type);
}

/*--- Casts and numbers -------------------------------------------------------------------------*/

static unsigned width_of(MlirType type) {
  return type_is_float(type) ? mlirFloatTypeGetWidth(type) : mlirIntegerTypeGetWidth(type);
}

static MlirValue cast_float(builder *b, MlirValue value, MlirType from, MlirType to) {
  unsigned narrow = width_of(from), wide = width_of(to);
  if (narrow == wide) { /* f16 and bf16: by way of f32 */
    MlirType between = mlirF32TypeGet(builder_context(b));
    value = make_value(b, "arith.extf", between, 1, &value);
    return make_value(b, "arith.truncf", to, 1, &value);
  }
  return make_value(b, narrow < wide ? "arith.extf" : "arith.truncf", to, 1, &value);
}

static MlirValue cast_integer(builder *b, MlirValue value, MlirType from, MlirType to) {
  bool is_bit = width_of(from) == 1;
  if (type_is_float(to))
    return make_value(b, is_bit ? "arith.uitofp" : "arith.sitofp", to, 1, &value);
  if (width_of(from) > width_of(to))
    return make_value(b, "arith.trunci", to, 1, &value);
  return make_value(b, is_bit ? "arith.extui" : "arith.extsi", to, 1, &value);
}

static MlirValue cast_complex(builder *b, MlirValue value, MlirType from, MlirType to) {
  MlirType part = mlirComplexTypeGetElementType(from);
  MlirValue parts[2] = {make_value(b, "complex.re", part, 1, &value),
                        make_value(b, "complex.im", part, 1, &value)};
  for (int i = 0; i < 2; i++)
    parts[i] = scalar_cast(b, parts[i], mlirComplexTypeGetElementType(to));
  return make_value(b, "complex.create", to, 2, parts);
}

MlirValue scalar_cast(builder *b, MlirValue value, MlirType to) {
  MlirType from = mlirValueGetType(value);
  if (mlirTypeEqual(from, to))
    return value;
  bool known = scalar_type_is_known(from) && scalar_type_is_known(to);
  if (known && type_is_complex(from) && type_is_complex(to))
    return cast_complex(b, value, from, to);
  if (known && !type_is_complex(from) && type_is_complex(to))
    return as_complex(b, scalar_cast(b, value, mlirComplexTypeGetElementType(to)), to);
  if (known && type_is_float(from) && type_is_float(to))
    return cast_float(b, value, from, to);
  if (known && type_is_integer(from) && !type_is_complex(to))
    return cast_integer(b, value, from, to);
  error_at_location(builder_location(b), "expected values that %s can hold, found %s",
                    type_words(to).text, type_words(from).text);
  return (MlirValue){0};
}

static bool integer_fits(long long value, unsigned width) {
  return width >= 64 || width == 1 ||
         (value >= -(1LL << (width - 1)) && value < 1LL << (width - 1));
}

/* False after a diagnostic. */
static bool take_integer(builder *b, const char *text, MlirType type, int64_t *value) {
  char *after;
  errno = 0;
  long long read = strtoll(text, &after, 10);
  *value = read;
  return (!*after && !errno && integer_fits(read, width_of(type))) ||
         error_at_location(builder_location(b), "expected a number that %s can hold, found %s",
                           type_words(type).text, text);
}

static MlirValue integer_number(builder *b, const char *text, MlirType type) {
  int64_t value;
  return take_integer(b, text, type, &value) ? constant_integer(b, type, value) : (MlirValue){0};
}

MlirValue scalar_number(builder *b, const char *text, MlirType type) {
  if (type_is_integer(type))
    return integer_number(b, text, type);
  return constant_scalar(b, type, number_from_text(text, NULL));
}

MlirAttribute scalar_number_attribute(builder *b, const char *text, MlirType type) {
  scalar number = {.type = type};
  if (!type_is_integer(type))
    number.re = number_from_text(text, NULL);
  else if (!take_integer(b, text, type, &number.integer))
    return (MlirAttribute){0};
  number = scalar_rounded(number);
  return scalar_attribute(&number);
}
