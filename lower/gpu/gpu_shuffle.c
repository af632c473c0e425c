/* gpu_shuffle.c - see gpu_shuffle.h. */
#include "gpu_shuffle.h"

#include "gpu_scope.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { WORD = 32, LAST_LANE = WARP - 1 };

/* gpu.shuffle says that it has no effects, so that passes may move it to where not all lanes are.
 */
static MlirValue shuffle_word(builder *b, MlirValue x, lane_exchange by) {
  MlirType word = type_i(b, WORD);
  MlirValue operands[] = {by.lanes, x, constant_integer(b, word, by.by),
                          constant_integer(b, word, LAST_LANE)};
  MlirAttribute kind = mlirAttributeParseGet(
      builder_context(b), mlirStringRefCreateFromCString("#nvvm<shfl_kind bfly>"));
  MlirNamedAttribute attribute = named(b, "kind", kind);
  return op_result(make_op(b, "nvvm.shfl.sync", 4, operands, 1, &word, 1, &attribute), 0);
}

static MlirValue shuffle_narrow(builder *b, MlirValue bits, lane_exchange by) {
  MlirType type = mlirValueGetType(bits), word = type_i(b, WORD);
  return convert_value(b, "arith.trunci",
                       shuffle_word(b, convert_value(b, "arith.extui", bits, word), by), type);
}

static MlirValue shuffle_wide(builder *b, MlirValue bits, lane_exchange by) {
  MlirType type = mlirValueGetType(bits), word = type_i(b, WORD);
  MlirValue half = constant_integer(b, type, WORD);
  MlirValue low = shuffle_word(b, convert_value(b, "arith.trunci", bits, word), by);
  MlirValue high = convert_value(b, "arith.trunci", shift_right(b, bits, half), word);
  MlirValue above = convert_value(b, "arith.extui", shuffle_word(b, high, by), type);
  return or_i(b, shift_left(b, above, half), convert_value(b, "arith.extui", low, type));
}

static MlirValue shuffle_bits(builder *b, MlirValue bits, lane_exchange by) {
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(bits));
  return width > WORD   ? shuffle_wide(b, bits, by)
         : width < WORD ? shuffle_narrow(b, bits, by)
                        : shuffle_word(b, bits, by);
}

static MlirValue shuffle_number(builder *b, MlirValue x, lane_exchange by) {
  MlirType type = mlirValueGetType(x);
  if (type_is_integer(type))
    return shuffle_bits(b, x, by);
  MlirValue bits = convert_value(b, "arith.bitcast", x, type_i(b, mlirFloatTypeGetWidth(type)));
  return convert_value(b, "arith.bitcast", shuffle_bits(b, bits, by), type);
}

MlirValue value_of_lane(builder *b, MlirValue x, lane_exchange by) {
  MlirType type = mlirValueGetType(x);
  if (!type_is_complex(type))
    return shuffle_number(b, x, by);
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirValue parts[] = {shuffle_number(b, convert_value(b, "complex.re", x, part), by),
                       shuffle_number(b, convert_value(b, "complex.im", x, part), by)};
  return op_result(make_op(b, "complex.create", 2, parts, 1, &type, 0, NULL), 0);
}
