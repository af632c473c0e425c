/* builder_vector.c - lanes: one-dimensional vectors loaded from and stored to consecutive elements,
 * gathered, and reduced; and prefetching. */
#include "builder.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

MlirType type_lanes(MlirType element, int64_t lanes) {
  return mlirVectorTypeGet(1, &lanes, element);
}

MlirType type_element(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

MlirValue broadcast(builder *b, MlirValue x, int64_t lanes) {
  MlirType type = type_lanes(mlirValueGetType(x), lanes);
  return op_result(make_op(b, "vector.broadcast", 1, &x, 1, &type, 0, NULL), 0);
}

MlirValue lanes_mask(builder *b, MlirValue count, int64_t lanes) {
  MlirType type = type_lanes(type_i(b, 1), lanes);
  return op_result(make_op(b, "vector.create_mask", 1, &count, 1, &type, 0, NULL), 0);
}

MlirValue load_lanes(builder *b, MlirValue memref, MlirValue i, int64_t lanes, MlirValue mask) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  MlirType type = type_lanes(element, lanes);
  if (mlirValueIsNull(mask)) {
    MlirValue operands[] = {memref, i};
    return op_result(make_op(b, "vector.load", 2, operands, 1, &type, 0, NULL), 0);
  }
  MlirValue zero = broadcast(b, constant_scalar(b, element, 0), lanes);
  MlirValue operands[] = {memref, i, mask, zero};
  return op_result(make_op(b, "vector.maskedload", 4, operands, 1, &type, 0, NULL), 0);
}

MlirValue load_lanes_or_first(builder *b, MlirValue memref, MlirValue i, int64_t lanes,
                              MlirValue mask) {
  MlirType type = type_lanes(mlirShapedTypeGetElementType(mlirValueGetType(memref)), lanes);
  MlirValue operands[] = {memref, i, mask, broadcast(b, load(b, memref, i), lanes)};
  return op_result(make_op(b, "vector.maskedload", 4, operands, 1, &type, 0, NULL), 0);
}

void store_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i, MlirValue mask) {
  if (mlirValueIsNull(mask)) {
    MlirValue operands[] = {value, memref, i};
    make_op(b, "vector.store", 3, operands, 0, NULL, 0, NULL);
    return;
  }
  MlirValue operands[] = {memref, i, mask, value};
  make_op(b, "vector.maskedstore", 4, operands, 0, NULL, 0, NULL);
}

MlirValue gather_lanes(builder *b, MlirValue memref, MlirValue i, MlirValue spread,
                       MlirValue mask) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  MlirType type = type_lanes(element, lanes);
  MlirValue zero = broadcast(b, constant_scalar(b, element, 0), lanes);
  MlirValue operands[] = {memref, i, spread, mask, zero};
  return op_result(make_op(b, "vector.gather", 5, operands, 1, &type, 0, NULL), 0);
}

MlirValue lanes_as_index(builder *b, MlirValue lanes) {
  MlirType type = type_lanes(type_index(b), mlirShapedTypeGetDimSize(mlirValueGetType(lanes), 0));
  return op_result(make_op(b, "arith.index_castui", 1, &lanes, 1, &type, 0, NULL), 0);
}

/* A mask as an integer, lane 0 its lowest bit. */
static MlirValue mask_word(builder *b, MlirValue mask) {
  unsigned lanes = (unsigned)mlirShapedTypeGetDimSize(mlirValueGetType(mask), 0);
  MlirType bits = type_i(b, lanes), one = type_lanes(bits, 1);
  MlirValue word = op_result(make_op(b, "vector.bitcast", 1, &mask, 1, &one, 0, NULL), 0);
  const int64_t first = 0;
  MlirNamedAttribute place[] = {
      named(b, "static_position", mlirDenseI64ArrayGet(builder_context(b), 1, &first))};
  return op_result(make_op(b, "vector.extract", 1, &word, 1, &bits, 1, place), 0);
}

MlirValue any_lane(builder *b, MlirValue mask) {
  MlirValue word = mask_word(b, mask);
  return not_equal(b, word, constant_scalar(b, mlirValueGetType(word), 0));
}

MlirValue broadcast_lane(builder *b, MlirValue lanes, int64_t lane) {
  MlirType type = mlirValueGetType(lanes), element = type_element(type);
  MlirNamedAttribute place[] = {
      named(b, "static_position", mlirDenseI64ArrayGet(builder_context(b), 1, &lane))};
  MlirValue one = op_result(make_op(b, "vector.extract", 1, &lanes, 1, &element, 1, place), 0);
  return broadcast(b, one, mlirShapedTypeGetDimSize(type, 0));
}

MlirValue count_lanes(builder *b, MlirValue mask) {
  MlirValue word = mask_word(b, mask);
  MlirType bits = mlirValueGetType(word);
  MlirValue count = op_result(make_op(b, "math.ctpop", 1, &word, 1, &bits, 0, NULL), 0);
  return index_cast(b, count, type_index(b));
}

MlirValue first_lane(builder *b, MlirValue mask) {
  MlirValue word = mask_word(b, mask);
  MlirType bits = mlirValueGetType(word);
  MlirValue lane = op_result(make_op(b, "math.cttz", 1, &word, 1, &bits, 0, NULL), 0);
  return index_cast(b, lane, type_index(b));
}

static MlirAttribute parsed(builder *b, const char *text) {
  return mlirAttributeParseGet(builder_context(b), mlirStringRefCreateFromCString(text));
}

/* The kinds that vector.reduction and combine have both, by the kind of element. */
static const char *reduction_kind(tin_reduction kind, bool is_float) {
  static const struct {
    const char *of_floats, *of_integers;
  } kinds[TIN_XOR + 1] = {[TIN_ADD] = {"#vector.kind<add>", "#vector.kind<add>"},
                          [TIN_MUL] = {"#vector.kind<mul>", "#vector.kind<mul>"},
                          [TIN_MIN] = {"#vector.kind<minimumf>", "#vector.kind<minsi>"},
                          [TIN_MAX] = {"#vector.kind<maximumf>", "#vector.kind<maxsi>"}};
  return is_float ? kinds[kind].of_floats : kinds[kind].of_integers;
}

MlirValue reduce_lanes(builder *b, tin_reduction kind, MlirValue x, MlirValue lanes, bool strict) {
  MlirType element = type_element(mlirValueGetType(lanes));
  const char *name = reduction_kind(kind, type_is_float(element));
  if (!name) {
    builder_error(b, "expected a reduction that vectors have, found '%s'", tinReductionName(kind));
    return x;
  }
  MlirValue operands[] = {lanes, x};
  MlirNamedAttribute attributes[] = {
      named(b, "kind", parsed(b, name)),
      named(b, "fastmath",
            parsed(b, strict ? "#arith.fastmath<none>" : "#arith.fastmath<reassoc>"))};
  return op_result(make_op(b, "vector.reduction", 2, operands, 1, &element, 2, attributes), 0);
}

void prefetch(builder *b, MlirValue memref, MlirValue i) {
  MlirValue operands[] = {memref, i};
  MlirAttribute no = mlirBoolAttrGet(builder_context(b), 0);
  MlirAttribute yes = mlirBoolAttrGet(builder_context(b), 1);
  MlirNamedAttribute attributes[] = {named(b, "isWrite", no),
                                     named(b, "localityHint", mlirIntegerAttrGet(type_i(b, 32), 3)),
                                     named(b, "isDataCache", yes)};
  make_op(b, "memref.prefetch", 2, operands, 0, NULL, 3, attributes);
}
