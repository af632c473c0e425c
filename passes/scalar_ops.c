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

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_LESS_INTEGER = 2, COMPARE_LESS_FLOAT = 4 }; /* slt, olt */

/*--- Functions that are several operations -----------------------------------------------------*/

static MlirValue make_value(builder *b, const char *op, MlirType type, int count,
                            const MlirValue *operands) {
  return op_result(make_op(b, op, count, operands, 1, &type, 0, NULL), 0);
}

static MlirValue is_less(builder *b, MlirValue x, MlirValue y) {
  bool is_float = type_is_float(mlirValueGetType(x));
  MlirAttribute predicate =
      mlirIntegerAttrGet(type_i(b, 64), is_float ? COMPARE_LESS_FLOAT : COMPARE_LESS_INTEGER);
  MlirNamedAttribute attribute = named(b, "predicate", predicate);
  MlirType bit = type_i(b, 1);
  return op_result(make_op(b, is_float ? "arith.cmpf" : "arith.cmpi", 2, (MlirValue[]){x, y}, 1,
                           &bit, 1, &attribute),
                   0);
}

static MlirValue emit_sign(builder *b, MlirType type, const MlirValue *x) {
  if (type_is_complex(type))
    return (MlirValue){0};
  MlirValue zero = constant_scalar(b, type, 0);
  MlirValue below = select_value(b, is_less(b, *x, zero), constant_scalar(b, type, -1), zero);
  return select_value(b, is_less(b, zero, *x), constant_scalar(b, type, 1), below);
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

/*--- The tables --------------------------------------------------------------------------------*/

#define UNARY(function, of_float, of_complex)                                                      \
  {.name = function, .arity = 1, .float_op = of_float, .complex_op = of_complex}

static const scalar_function functions[] = {
    {.name = "abs", .arity = 1, .emit = emit_abs},
    {.name = "sign", .arity = 1, .emit = emit_sign},
    {.name = "relu", .arity = 1, .emit = emit_relu},
    {"max", 2, true, "arith.maximumf", "arith.maxsi", NULL, NULL},
    {"min", 2, true, "arith.minimumf", "arith.minsi", NULL, NULL},
    {"pow", 2, false, "math.powf", "math.ipowi", "complex.pow", NULL},
    {"atan2", 2, false, "math.atan2", NULL, "complex.atan2", NULL},
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
    UNARY("conj", NULL, "complex.conj"),
};

static const scalar_function operators[] = {
    {"add", 2, false, "arith.addf", "arith.addi", "complex.add", NULL},
    {"sub", 2, false, "arith.subf", "arith.subi", "complex.sub", NULL},
    {"mul", 2, false, "arith.mulf", "arith.muli", "complex.mul", NULL},
    {"div", 2, false, "arith.divf", "arith.divsi", "complex.div", NULL},
    {"min", 2, false, "arith.minimumf", "arith.minsi", NULL, NULL},
    {"max", 2, false, "arith.maximumf", "arith.maxsi", NULL, NULL},
    {"and", 2, false, NULL, "arith.andi", NULL, NULL},
    {"or", 2, false, NULL, "arith.ori", NULL, NULL},
    {"xor", 2, false, NULL, "arith.xori", NULL, NULL},
    {.name = "neg", .arity = 1, .emit = emit_negate},
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

static MlirValue integer_number(builder *b, const char *text, MlirType type) {
  char *after;
  errno = 0;
  long long value = strtoll(text, &after, 10);
  if (*after || errno || !integer_fits(value, width_of(type))) {
    error_at_location(builder_location(b), "expected a number that %s can hold, found %s",
                      type_words(type).text, text);
    return (MlirValue){0};
  }
  return constant_attr(b, mlirIntegerAttrGet(type, value));
}

MlirValue scalar_number(builder *b, const char *text, MlirType type) {
  if (type_is_integer(type))
    return integer_number(b, text, type);
  return constant_scalar(b, type, number_from_text(text, NULL));
}
