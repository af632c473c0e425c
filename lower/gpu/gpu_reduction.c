/* gpu_reduction.c - reductions over the threads of a warp, a block and a launch.
 *
 *     lanes of a warp    x = x + x of lane ^ 16; ... ^ 8; ... ^ 4; ... ^ 2; ... ^ 1
 *     warps of a block   shared[warp] = x of its lane 0; barrier; x = shared[0] + shared[1] + ...
 *
 * after which all threads of the warp, or of the block, have the same.
 */
#include "gpu_reduction.h"

#include "gpu_order.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* ---- Shuffles ------------------------------------------------------------------------------- */

enum { WORD = 32, LAST_LANE = WARP - 1 };

/* Among a set of lanes, what the one has whose number differs in the bits `by`. */
typedef struct exchange {
  MlirValue lanes;
  int64_t by;
} exchange;

/* gpu.shuffle says that it has no effects, so that passes may move it to where not all lanes are.
 */
static MlirValue shuffle_word(builder *b, MlirValue x, exchange by) {
  MlirType word = type_i(b, WORD);
  MlirValue operands[] = {by.lanes, x, constant_integer(b, word, by.by),
                          constant_integer(b, word, LAST_LANE)};
  MlirAttribute kind = mlirAttributeParseGet(
      builder_context(b), mlirStringRefCreateFromCString("#nvvm<shfl_kind bfly>"));
  MlirNamedAttribute attribute = named(b, "kind", kind);
  return op_result(make_op(b, "nvvm.shfl.sync", 4, operands, 1, &word, 1, &attribute), 0);
}

static MlirValue shuffle_narrow(builder *b, MlirValue bits, exchange by) {
  MlirType type = mlirValueGetType(bits), word = type_i(b, WORD);
  return convert_value(b, "arith.trunci",
                       shuffle_word(b, convert_value(b, "arith.extui", bits, word), by), type);
}

static MlirValue shuffle_wide(builder *b, MlirValue bits, exchange by) {
  MlirType type = mlirValueGetType(bits), word = type_i(b, WORD);
  MlirValue half = constant_integer(b, type, WORD);
  MlirValue low = shuffle_word(b, convert_value(b, "arith.trunci", bits, word), by);
  MlirValue high = convert_value(b, "arith.trunci", shift_right(b, bits, half), word);
  MlirValue above = convert_value(b, "arith.extui", shuffle_word(b, high, by), type);
  return or_i(b, shift_left(b, above, half), convert_value(b, "arith.extui", low, type));
}

static MlirValue shuffle_bits(builder *b, MlirValue bits, exchange by) {
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(bits));
  return width > WORD   ? shuffle_wide(b, bits, by)
         : width < WORD ? shuffle_narrow(b, bits, by)
                        : shuffle_word(b, bits, by);
}

static MlirValue shuffle_number(builder *b, MlirValue x, exchange by) {
  MlirType type = mlirValueGetType(x);
  if (type_is_integer(type))
    return shuffle_bits(b, x, by);
  MlirValue bits = convert_value(b, "arith.bitcast", x, type_i(b, mlirFloatTypeGetWidth(type)));
  return convert_value(b, "arith.bitcast", shuffle_bits(b, bits, by), type);
}

static MlirValue value_of_lane(builder *b, MlirValue x, exchange by) {
  MlirType type = mlirValueGetType(x);
  if (!type_is_complex(type))
    return shuffle_number(b, x, by);
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirValue parts[] = {shuffle_number(b, convert_value(b, "complex.re", x, part), by),
                       shuffle_number(b, convert_value(b, "complex.im", x, part), by)};
  return op_result(make_op(b, "complex.create", 2, parts, 1, &type, 0, NULL), 0);
}

/* Of the lanes that take an iteration of a scope together. */
static MlirValue reduce_together(const lowering *k, const gpu_scope *scope, tin_reduction kind,
                                 MlirValue x) {
  exchange with = {gpu_lane_set(k->b, scope), scope->lanes / 2};
  for (; with.by > 0; with.by /= 2)
    x = combine(k->b, kind, x, value_of_lane(k->b, x, with), k->strict);
  return x;
}

/* ---- Blocks --------------------------------------------------------------------------------- */

static void leave_in(const lowering *k, MlirValue shared, MlirValue warp, MlirValue x) {
  builder *b = k->b;
  if_begin(b, equal(b, gpu_lane(b, k->gpu), constant_index(b, 0)));
  store(b, x, shared, warp);
  if_end(b);
}

/* The second barrier keeps the shared values until all have read them. */
static MlirValue reduce_block(const lowering *k, tin_reduction kind, MlirValue x) {
  builder *b = k->b;
  MlirValue shared = launch_shared(b, mlirValueGetType(x), WARPS_MOST);
  MlirValue warp = constant_index(b, WARP), one = constant_index(b, 1);
  gpu_scope all_lanes = {.lanes = WARP, .in = k->gpu->in};
  leave_in(k, shared, floor_div(b, k->gpu->in.thread, warp),
           reduce_together(k, &all_lanes, kind, x));
  gpu_block_barrier(b);
  variable all = var_make(b, load(b, shared, constant_index(b, 0)));
  MlirValue i = for_begin(b, one, floor_div(b, k->gpu->in.threads, warp), one);
  var_set(b, all, combine(b, kind, var_get(b, all), load(b, shared, i), k->strict));
  for_end(b);
  gpu_block_barrier(b);
  return var_get(b, all);
}

/* ---- Variables ------------------------------------------------------------------------------ */

/* A unit counts once, whichever of its threads have its value. */
static MlirValue of_first_thread(const lowering *k, const shared_variable *v, MlirValue own) {
  builder *b = k->b;
  if (gpu_is_one_thread(k->gpu))
    return own;
  MlirValue first = equal(b, gpu_thread_within(b, k->gpu), constant_index(b, 0));
  return select_value(b, first, own, shared_variable_identity(b, v));
}

/* What all units have that the scope around consists of, or those of this block. */
static MlirValue reduce_units(const lowering *k, const shared_variable *v, MlirValue own) {
  if (k->gpu->unit == CIN_GPU_BLOCK)
    return own;
  MlirValue part = of_first_thread(k, v, own);
  cin_unit around = gpu_unit_around(k->gpu);
  return around == CIN_GPU_WARP || around == CIN_GPU_THREAD
             ? reduce_together(k, k->gpu->outer, v->kind, part)
             : reduce_block(k, v->kind, part);
}

static void leave_partial(const lowering *k, const shared_variable *v, MlirValue part) {
  builder *b = k->b;
  if_begin(b, equal(b, k->gpu->in.thread, constant_index(b, 0)));
  storage_partial_set(v->partials, k->gpu->in.block, part);
  if_end(b);
}

void gpu_partials_begin(shared_reduction *r, MlirValue blocks) {
  shared_partials_begin(r, blocks);
  if (r->variable_count)
    if_begin(r->k->b, storage_is_fine(lowering_storage(r->k, sit_kernel_result(r->k->op))));
}

void gpu_partials_end(shared_reduction *r) {
  if (r->variable_count)
    if_end(r->k->b);
  shared_partials_end(r);
}

void gpu_reduction_end(shared_reduction *r) {
  builder *b = r->k->b;
  for (int i = 0; i < r->variable_count; i++) {
    shared_variable *v = &r->variables[i];
    variable own = lowering_find(r->k, v->variable)->variable, all = v->outside.variable;
    MlirValue part = reduce_units(r->k, v, var_get(b, own));
    lowering_bind(r->k, v->variable, v->outside);
    if (r->k->gpu->outer)
      var_set(b, all, combine(b, v->kind, var_get(b, all), part, r->k->strict));
    else
      leave_partial(r->k, v, part);
  }
}
