/* builder_vector.c - lanes: one-dimensional vectors loaded from and stored to consecutive elements,
 * gathered, and reduced; and prefetching. */
#include "builder.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { LANES_MOST = 64 }; /* that masks have */

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

/* Lanes that are apart are in as many vectors, side by side but for the last, which ends with the
 * last of them: those of every third element, of 4, begin so
 *
 *     0  .  .  3   .  .  6  .           vectors 0 and 1
 *                        6  .  .  9     vector 2
 *
 * and each is taken from the first vector that has it. */
typedef struct strided_lanes {
  int64_t apart, lanes;
  bool falls;
} strided_lanes;

static int64_t first_of_vector(const strided_lanes *n, int64_t vector) {
  bool last = vector == n->apart - 1;
  return last ? (n->apart - 1) * (n->lanes - 1) : vector * n->lanes;
}

/* How far the element of a lane is from the lowest. */
static int64_t place_of_lane(const strided_lanes *n, int64_t lane) {
  return n->apart * (n->falls ? n->lanes - 1 - lane : lane);
}

static int64_t vector_of_lane(const strided_lanes *n, int64_t lane) {
  int64_t vector = place_of_lane(n, lane) / n->lanes;
  return vector < n->apart ? vector : n->apart - 1;
}

static MlirValue shuffle(builder *b, MlirValue x, MlirValue y, int64_t lanes,
                         const int64_t *places) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(x);
  MlirNamedAttribute mask =
      named(b, "mask", mlirDenseI64ArrayGet(builder_context(b), lanes, places));
  return op_result(make_op(b, "vector.shuffle", 2, operands, 1, &type, 1, &mask), 0);
}

/* The elements of a vector that are those of lanes in the mask. */
static MlirValue mask_of_vector(builder *b, const strided_lanes *n, int64_t vector,
                                MlirValue mask) {
  int64_t places[LANES_MOST];
  for (int64_t at = 0; at < n->lanes; at++)
    places[at] = n->lanes;
  for (int64_t lane = 0; lane < n->lanes; lane++)
    if (vector_of_lane(n, lane) == vector)
      places[place_of_lane(n, lane) - first_of_vector(n, vector)] = lane;
  return shuffle(b, mask, broadcast(b, constant_bool(b, false), n->lanes), n->lanes, places);
}

/* The lanes that vectors up to this one have, given those of the ones before in their places. */
static MlirValue take_lanes(builder *b, const strided_lanes *n, int64_t vector, MlirValue before,
                            MlirValue loaded) {
  int64_t places[LANES_MOST];
  for (int64_t lane = 0; lane < n->lanes; lane++)
    places[lane] = vector_of_lane(n, lane) == vector
                       ? n->lanes + place_of_lane(n, lane) - first_of_vector(n, vector)
                       : lane;
  return shuffle(b, before, loaded, n->lanes, places);
}

MlirValue load_lanes_strided(builder *b, MlirValue memref, MlirValue i, int64_t step, int64_t lanes,
                             MlirValue mask) {
  strided_lanes n = {.apart = step < 0 ? -step : step, .lanes = lanes, .falls = step < 0};
  MlirValue low = n.falls ? add(b, i, constant_index(b, step * (lanes - 1))) : i;
  MlirValue taken = {NULL};
  for (int64_t vector = 0; vector < n.apart; vector++) {
    MlirValue place = add(b, low, constant_index(b, first_of_vector(&n, vector)));
    MlirValue there = mask.ptr ? mask_of_vector(b, &n, vector, mask) : mask;
    MlirValue loaded = load_lanes(b, memref, place, lanes, there);
    taken = take_lanes(b, &n, vector, vector ? taken : loaded, loaded);
  }
  return taken;
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

void stream_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i) {
  MlirValue operands[] = {value, memref, i};
  MlirAttribute yes = mlirBoolAttrGet(builder_context(b), 1);
  MlirAttribute line = mlirIntegerAttrGet(type_i(b, 64), LINE_BYTES);
  MlirNamedAttribute attributes[] = {named(b, "nontemporal", yes), named(b, "alignment", line)};
  make_op(b, "vector.store", 3, operands, 0, NULL, 2, attributes);
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

void scatter_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i, MlirValue spread,
                   MlirValue mask) {
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  if (mlirValueIsNull(mask))
    mask = broadcast(b, constant_bool(b, true), lanes);
  MlirValue operands[] = {memref, i, spread, mask, value};
  make_op(b, "vector.scatter", 5, operands, 0, NULL, 0, NULL);
}

static MlirValue lane_of(builder *b, MlirValue lanes, int64_t lane) {
  MlirType element = type_element(mlirValueGetType(lanes));
  MlirNamedAttribute place =
      named(b, "static_position", mlirDenseI64ArrayGet(builder_context(b), 1, &lane));
  return op_result(make_op(b, "vector.extract", 1, &lanes, 1, &element, 1, &place), 0);
}

MlirValue broadcast_lane(builder *b, MlirValue lanes, int64_t lane) {
  return broadcast(b, lane_of(b, lanes, lane),
                   mlirShapedTypeGetDimSize(mlirValueGetType(lanes), 0));
}

/* What an index was made of: fewer bits are taken apart faster. */
static MlirValue before_index(MlirValue lanes) {
  MlirOperation op = value_owner(lanes);
  return op.ptr && op_is(op, "arith.index_castui") ? mlirOperationGetOperand(op, 0) : lanes;
}

static MlirValue unsigned_cast(builder *b, MlirValue x, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(x), type)
             ? x
             : op_result(make_op(b, "arith.index_castui", 1, &x, 1, &type, 0, NULL), 0);
}

static MlirValue unsigned_min(builder *b, MlirValue x, MlirValue y) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(x);
  return op_result(make_op(b, "arith.minui", 2, operands, 1, &type, 0, NULL), 0);
}

/* A place as an element of a type that may not hold it, but holds all that is compared with it. */
static MlirValue saturated(builder *b, MlirValue place, MlirType type) {
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 64) {
    int64_t most = (int64_t)((UINT64_C(1) << mlirIntegerTypeGetWidth(type)) - 1);
    place = min_i(b, place, constant_index(b, most));
  }
  return unsigned_cast(b, place, type);
}

static MlirValue places_of(builder *b, MlirValue i, MlirValue spread, int64_t lanes) {
  int64_t at;
  bool from_start = value_is_constant_index(i, &at) && at == 0;
  return from_start ? before_index(spread) : add(b, broadcast(b, i, lanes), spread);
}

/* Those that there may not be are the last one. */
static MlirValue bounded(builder *b, MlirValue places, MlirValue memref) {
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(places), 0);
  MlirValue last = sub(b, memref_length(b, memref), constant_index(b, 1));
  MlirValue bound = saturated(b, last, type_element(mlirValueGetType(places)));
  return unsigned_min(b, places, broadcast(b, bound, lanes));
}

MlirValue gather_lanes_by_loads(builder *b, MlirValue memref, MlirValue i, MlirValue spread,
                                MlirValue mask) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(spread), 0);
  MlirValue places = places_of(b, i, spread, lanes);
  if (mask.ptr)
    places = bounded(b, places, memref);
  MlirValue each[LANES_MOST];
  for (int64_t lane = 0; lane < lanes; lane++)
    each[lane] = load(b, memref, unsigned_cast(b, lane_of(b, places, lane), type_index(b)));
  MlirType type = type_lanes(element, lanes);
  return op_result(make_op(b, "vector.from_elements", (int)lanes, each, 1, &type, 0, NULL), 0);
}

MlirValue lanes_as_index(builder *b, MlirValue lanes) {
  MlirType type = type_lanes(type_index(b), mlirShapedTypeGetDimSize(mlirValueGetType(lanes), 0));
  return op_result(make_op(b, "arith.index_castui", 1, &lanes, 1, &type, 0, NULL), 0);
}

/* A mask as an integer, lane 0 its lowest bit. */
static MlirValue mask_word(builder *b, MlirValue mask) {
  unsigned lanes = (unsigned)mlirShapedTypeGetDimSize(mlirValueGetType(mask), 0);
  MlirType one = type_lanes(type_i(b, lanes), 1);
  MlirValue word = op_result(make_op(b, "vector.bitcast", 1, &mask, 1, &one, 0, NULL), 0);
  return lane_of(b, word, 0);
}

MlirValue any_lane(builder *b, MlirValue mask) {
  MlirValue word = mask_word(b, mask);
  return not_equal(b, word, constant_scalar(b, mlirValueGetType(word), 0));
}

MlirValue count_lanes(builder *b, MlirValue mask) {
  MlirValue word = mask_word(b, mask);
  MlirType bits = mlirValueGetType(word);
  MlirValue count = op_result(make_op(b, "math.ctpop", 1, &word, 1, &bits, 0, NULL), 0);
  return index_cast(b, count, type_index(b));
}

MlirValue lanes_as_bits(builder *b, MlirValue mask) {
  return index_cast(b, mask_word(b, mask), type_index(b));
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
