/* lower-narrow-floats.c - Arithmetic on 16-bit floats in f32, and their conversions in integers.
 *
 *     %z = arith.addf %x, %y : bf16   -->   widen %x, widen %y, add in f32, narrow the sum
 *
 *     bf16   s eeeeeeee mmmmmmm         the upper half of an f32
 *     f16    s eeeee mmmmmmmmmm         exponents are biased by 15, those of an f32 by 127
 *
 * A processor without instructions for these would call functions of its compiler's library, which
 * no program that loads a kernel need have.  The sum, product, quotient or root of two 16-bit
 * floats, rounded to f32 and then to 16 bits, is the correctly rounded one, since 24 bits are at
 * least 2 * 11 + 2 (Figueroa 1995, When is double rounding innocuous?).  An f64 becomes an f32 by
 * rounding to odd first (Boldo, Melquiond 2008), so that it is rounded once as well.
 *
 * bf16 is always done so: what processors have for it flushes subnormal numbers, and results would
 * depend on the machine.  f16 is left to a processor that converts it, except from f64.
 */
#include "bridge.h"
#include "builder.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

typedef struct pass {
  arena *memory;
  bool half; /* f16 too */
} pass;

//--- Types ---------------------------------------------------------------------------------------

static bool is_f16(MlirType type) {
  return mlirTypeIsAF16(type_element(type));
}

static bool is_bf16(MlirType type) {
  return mlirTypeIsABF16(type_element(type));
}

static bool is_f64(MlirType type) {
  return mlirTypeIsAF64(type_element(type));
}

static bool is_narrow(const pass *p, MlirType type) {
  return is_bf16(type) || (p->half && is_f16(type));
}

/* `element`, in as many lanes as `like` has. */
static MlirType shaped(MlirType like, MlirType element) {
  return mlirTypeIsAVector(like) ? type_lanes(element, mlirShapedTypeGetDimSize(like, 0)) : element;
}

static MlirType floats(builder *b, MlirType like) {
  return shaped(like, mlirF32TypeGet(builder_context(b)));
}

static MlirType integers(builder *b, MlirType like, unsigned width) {
  return shaped(like, type_i(b, width));
}

//--- Bits ----------------------------------------------------------------------------------------

static MlirValue binary(builder *b, const char *name, MlirValue x, MlirValue y) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(x);
  return op_result(make_op(b, name, 2, operands, 1, &type, 0, NULL), 0);
}

static MlirValue bits_of(builder *b, MlirValue x, unsigned width) {
  return convert_value(b, "arith.bitcast", x, integers(b, mlirValueGetType(x), width));
}

static MlirValue float_of(builder *b, MlirValue bits) {
  return convert_value(b, "arith.bitcast", bits, floats(b, mlirValueGetType(bits)));
}

/* The integer in every lane of `like`. */
static MlirValue each(builder *b, MlirValue like, int64_t x) {
  MlirType type = mlirValueGetType(like);
  MlirAttribute value = mlirIntegerAttrGet(type_element(type), x);
  return constant_attr(b, mlirTypeIsAVector(type) ? mlirDenseElementsAttrSplatGet(type, value)
                                                  : value);
}

static MlirValue with(builder *b, const char *name, MlirValue x, int64_t y) {
  return binary(b, name, x, each(b, x, y));
}

static MlirValue below(builder *b, MlirValue x, int64_t y) {
  return less(b, x, each(b, x, y));
}

enum {
  MAGNITUDE = 0x7fffffff,
  INFINITE = 0x7f800000,
  REBIAS = (127 - 15) << 23,         /* what an exponent of an f32 is above that of an f16 */
  SMALLEST_HALF = REBIAS + (1 << 23) /* the smallest normal f16, as an f32 */
};

//--- Wider ---------------------------------------------------------------------------------------

static MlirValue widen_bf16(builder *b, MlirValue bits) {
  return with(b, "arith.shli", bits, 16);
}

/* Exponents are rebiased, once more where all their bits are set.  A subnormal number m * 2^-24 is
 * a normal one with m as its mantissa, less 2^-14. */
static MlirValue widen_f16(builder *b, MlirValue bits) {
  MlirValue shifted = with(b, "arith.shli", with(b, "arith.andi", bits, 0x7fff), 13);
  MlirValue normal = with(b, "arith.addi", shifted, REBIAS);
  MlirValue infinite = with(b, "arith.ori", normal, INFINITE);
  MlirValue above = float_of(b, with(b, "arith.ori", shifted, SMALLEST_HALF));
  MlirValue least = float_of(b, each(b, shifted, SMALLEST_HALF));
  MlirValue subnormal = bits_of(b, binary(b, "arith.subf", above, least), 32);
  MlirValue finite =
      select_value(b, below(b, shifted, 0x400 << 13), subnormal,
                   select_value(b, below(b, shifted, 0x7c00 << 13), normal, infinite));
  MlirValue sign = with(b, "arith.shli", with(b, "arith.andi", bits, 0x8000), 16);
  return binary(b, "arith.ori", finite, sign);
}

static MlirValue widen(builder *b, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirValue bits = convert_value(b, "arith.extui", bits_of(b, x, 16), integers(b, type, 32));
  return float_of(b, is_bf16(type) ? widen_bf16(b, bits) : widen_f16(b, bits));
}

//--- Narrower ------------------------------------------------------------------------------------

/* To nearest, ties to even, by an addition that carries into what stays; of what is no number, the
 * upper bits and the one that makes it quiet. */
static MlirValue narrow_bf16(builder *b, MlirValue bits) {
  MlirValue upper = with(b, "arith.shrui", bits, 16);
  MlirValue odd = with(b, "arith.andi", upper, 1);
  MlirValue rounded =
      with(b, "arith.shrui", binary(b, "arith.addi", bits, with(b, "arith.addi", odd, 0x7fff)), 16);
  MlirValue size = with(b, "arith.andi", bits, MAGNITUDE);
  return select_value(b, less(b, each(b, size, INFINITE), size), with(b, "arith.ori", upper, 0x40),
                      rounded);
}

/* A subnormal f16: an f32 whose lowest bit counts 2^-24 does the rounding when they are added. */
static MlirValue narrow_subnormal(builder *b, MlirValue size) {
  int64_t magic = REBIAS + ((23 - 10 + 1) << 23);
  MlirValue sum = binary(b, "arith.addf", float_of(b, size), float_of(b, each(b, size, magic)));
  return with(b, "arith.subi", bits_of(b, sum, 32), magic);
}

static MlirValue narrow_f16(builder *b, MlirValue bits) {
  MlirValue size = with(b, "arith.andi", bits, MAGNITUDE);
  MlirValue odd = with(b, "arith.andi", with(b, "arith.shrui", size, 13), 1);
  MlirValue rebiased = with(b, "arith.addi", size, 0xfff - REBIAS);
  MlirValue normal = with(b, "arith.shrui", binary(b, "arith.addi", rebiased, odd), 13);
  MlirValue payload = with(b, "arith.andi", with(b, "arith.shrui", size, 13), 0x3ff);
  MlirValue quiet = with(b, "arith.ori", payload, 0x7e00);
  MlirValue infinite =
      select_value(b, less(b, each(b, size, INFINITE), size), quiet, each(b, size, 0x7c00));
  MlirValue finite =
      select_value(b, below(b, size, SMALLEST_HALF), narrow_subnormal(b, size), normal);
  MlirValue magnitude =
      select_value(b, below(b, size, (int64_t)(127 + 16) << 23), finite, infinite);
  MlirValue sign = with(b, "arith.andi", with(b, "arith.shrui", bits, 16), 0x8000);
  return binary(b, "arith.ori", magnitude, sign);
}

/* An f64 cut to f32, its last bit set where it was cut: rounded once more it is what it would have
 * been rounded to at once. */
static MlirValue round_to_odd(builder *b, MlirValue x) {
  MlirType wide = mlirValueGetType(x);
  MlirValue near = convert_value(b, "arith.truncf", x, floats(b, wide));
  MlirValue back = convert_value(b, "arith.extf", near, wide);
  MlirValue bits = bits_of(b, near, 32), exact = bits_of(b, x, 64), found = bits_of(b, back, 64);
  MlirValue above =
      less(b, with(b, "arith.andi", exact, INT64_MAX), with(b, "arith.andi", found, INT64_MAX));
  MlirValue cut = select_value(b, above, with(b, "arith.subi", bits, 1), bits);
  MlirValue odd = with(b, "arith.ori", cut, 1);
  return float_of(b, select_value(b, equal(b, exact, found), bits, odd));
}

static MlirValue narrow(builder *b, MlirValue x, MlirType type) {
  if (is_f64(mlirValueGetType(x)))
    x = round_to_odd(b, x);
  MlirValue bits = bits_of(b, x, 32);
  MlirValue narrowed = is_bf16(type) ? narrow_bf16(b, bits) : narrow_f16(b, bits);
  MlirValue stored = convert_value(b, "arith.trunci", narrowed, integers(b, type, 16));
  return convert_value(b, "arith.bitcast", stored, type);
}

//--- Operations ----------------------------------------------------------------------------------

/* What passes floats on as they are. */
static bool only_moves(MlirOperation op) {
  return op_is(op, "arith.constant") || op_is(op, "arith.select") || op_is(op, "arith.bitcast");
}

static bool computes(MlirOperation op) {
  return (op_name_begins(op, "arith.") && !only_moves(op)) || op_name_begins(op, "math.") ||
         op_is(op, "vector.reduction") || op_is(op, "vector.fma");
}

static bool is_on_narrow(const pass *p, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_narrow(p, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (is_narrow(p, mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static void replace(builder *b, MlirOperation op, MlirValue made) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirType of = mlirValueGetType(made);
  if (!mlirTypeEqual(of, type))
    made = is_f64(type) ? convert_value(b, "arith.extf", made, type) : narrow(b, made, type);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), made);
  mlirOperationDestroy(op);
}

/* The same operation on floats of 32 bits. */
static void lower_in_f32(builder *b, const pass *p, MlirOperation op) {
  MlirOperation wide = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_narrow(p, mlirValueGetType(operand)))
      mlirOperationSetOperand(wide, i, widen(b, operand));
  }
  MlirValue result = mlirOperationGetResult(insert_op(b, wide), 0);
  MlirType type = mlirValueGetType(result);
  if (is_narrow(p, type))
    mlirValueSetType(result, floats(b, type));
  replace(b, op, result);
}

static bool converts(MlirOperation op) {
  return op_is(op, "arith.extf") || op_is(op, "arith.truncf");
}

/* From f64, f16 is rounded here on every processor. */
static bool cuts_f64_to_f16(MlirOperation op) {
  return op_is(op, "arith.truncf") && is_f64(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
         is_f16(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static void lower_conversion(builder *b, const pass *p, MlirOperation op) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (op_is(op, "arith.extf"))
    replace(b, op, widen(b, x));
  else if (is_narrow(p, type))
    replace(b, op, narrow(b, x, type));
  else
    replace(b, op, convert_value(b, "arith.truncf", round_to_odd(b, x), type));
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  const pass *p = data;
  bool cuts = cuts_f64_to_f16(op);
  if (!cuts && !(computes(op) && is_on_narrow(p, op)))
    return MlirWalkResultAdvance;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  builder_before(b, op);
  if (cuts || converts(op))
    lower_conversion(b, p, op);
  else
    lower_in_f32(b, p, op);
  builder_free(b);
  return MlirWalkResultAdvance;
}

//--- As integers ---------------------------------------------------------------------------------

/* LLVM would widen what it keeps in a register from one block to the next, by calls as well: so
 * that nothing is left to it, floats are stored, moved and passed as integers. */

static MlirType shaped_as(const pass *p, MlirType type, MlirType element) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *sizes = ARENA_ARRAY(p->memory, int64_t, rank + 1);
  for (intptr_t d = 0; d < rank; d++)
    sizes[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirTypeIsAVector(type)
             ? mlirVectorTypeGet(rank, sizes, element)
             : mlirMemRefTypeGet(element, rank, sizes, mlirMemRefTypeGetLayout(type),
                                 mlirMemRefTypeGetMemorySpace(type));
}

static MlirType as_integers(const pass *p, MlirType type) {
  bool holds = mlirTypeIsAVector(type) || mlirTypeIsAMemRef(type);
  if (!is_narrow(p, holds ? mlirShapedTypeGetElementType(type) : type))
    return type;
  MlirType bits = mlirIntegerTypeGet(mlirTypeGetContext(type), 16);
  return holds ? shaped_as(p, type, bits) : bits;
}

static void retype(const pass *p, MlirValue value) {
  MlirType type = mlirValueGetType(value), bits = as_integers(p, type);
  if (!mlirTypeEqual(type, bits))
    mlirValueSetType(value, bits);
}

static MlirAttribute function_of_integers(const pass *p, MlirType type) {
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = ARENA_ARRAY(p->memory, MlirType, inputs + results + 1);
  for (intptr_t i = 0; i < inputs; i++)
    types[i] = as_integers(p, mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < results; i++)
    types[inputs + i] = as_integers(p, mlirFunctionTypeGetResult(type, i));
  return mlirTypeAttrGet(
      mlirFunctionTypeGet(mlirTypeGetContext(type), inputs, types, results, types + inputs));
}

/* The bits of a float, or of the floats of a vector. */
static MlirAttribute bits_attribute(MlirAttribute value, MlirType type) {
  if (mlirAttributeIsADenseElements(value))
    return mlirDenseElementsAttrRawBufferGet(
        type, mlirDenseElementsAttrIsSplat(value) ? 2 : 2 * mlirElementsAttrGetNumElements(value),
        mlirDenseElementsAttrGetRawData(value));
  MlirType one = type_lanes(mlirAttributeGetType(value), 1);
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(one, value);
  uint16_t bits;
  memcpy(&bits, mlirDenseElementsAttrGetRawData(splat), sizeof bits);
  return mlirIntegerAttrGet(type, (int16_t)bits);
}

static void retype_blocks(const pass *p, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        retype(p, mlirBlockGetArgument(block, i));
  }
}

static MlirWalkResult store_as_integers(MlirOperation op, void *data) {
  const pass *p = data;
  retype_blocks(p, op);
  if (op_is(op, "func.func"))
    op_set(op, "function_type",
           function_of_integers(p, mlirTypeAttrGetValue(op_attribute(op, "function_type"))));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType before = mlirValueGetType(result);
    retype(p, result);
    if (op_is(op, "arith.constant") && !mlirTypeEqual(before, mlirValueGetType(result)))
      op_set(op, "value", bits_attribute(op_attribute(op, "value"), mlirValueGetType(result)));
  }
  return MlirWalkResultAdvance;
}

/* Casts between the floats and their bits are none any more. */
static MlirWalkResult drop_casts(MlirOperation op, void *data) {
  (void)data;
  if (!op_is(op, "arith.bitcast"))
    return MlirWalkResultAdvance;
  MlirValue x = mlirOperationGetOperand(op, 0), cast = mlirOperationGetResult(op, 0);
  if (mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(cast))) {
    mlirValueReplaceAllUsesOfWith(cast, x);
    mlirOperationDestroy(op);
  }
  return MlirWalkResultAdvance;
}

int lower_narrow_floats_run(MlirOperation module,
                            const struct lower_narrow_floats_options *options) {
  pass p = {.memory = arena_create(), .half = options ? options->half : true};
  mlirOperationWalk(module, visit, &p, MlirWalkPostOrder);
  mlirOperationWalk(module, store_as_integers, &p, MlirWalkPostOrder);
  mlirOperationWalk(module, drop_casts, &p, MlirWalkPostOrder);
  arena_free(p.memory);
  return 0;
}
