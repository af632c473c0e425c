/* lower-parallel.c - Run parallel loops on threads, by OpenMP.
 *
 *     scf.parallel (%i) = (%a) to (%b) step (%s) { body }
 *       -->
 *     omp.parallel num_threads(%n) {
 *       omp.wsloop schedule(dynamic = chunk) { omp.loop_nest (%i) ... { body } } }
 *
 * Iterations are handed out in chunks as threads become free, since rows of sparse tensors differ
 * in length: about 256 chunks in all, so that handing them out costs nothing and the last one is
 * short.  Where the loop says `dynamic = 16` so many are in a chunk; where it says `static`, each
 * thread has an equal share before it begins.
 */
#include "bridge.h"

#include "builder.h"
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <string.h>

enum { CHUNKS = 256 };

typedef struct pass {
  bool good;
} pass;

static MlirRegion region_with(MlirBlock block) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

static MlirOperation region_op(builder *b, const char *name, intptr_t operand_count,
                               const MlirValue *operands, intptr_t attribute_count,
                               const MlirNamedAttribute *attributes, MlirRegion region) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), builder_location(b));
  mlirOperationStateAddOperands(&state, operand_count, operands);
  mlirOperationStateAddAttributes(&state, attribute_count, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

/* A block with `op` and, where it has one, a terminator. */
static MlirBlock block_with(builder *b, MlirOperation op, const char *terminator) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAppendOwnedOperation(block, op);
  if (terminator) {
    MlirOperationState state =
        mlirOperationStateGet(mlirStringRefCreateFromCString(terminator), builder_location(b));
    mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
  }
  return block;
}

/* The loop's block, its scf.reduce replaced by omp.yield. */
static MlirRegion take_body(builder *b, MlirOperation loop) {
  MlirBlock body = op_block(loop, 0);
  mlirOperationDestroy(mlirBlockGetTerminator(body));
  mlirBlockDetach(body);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("omp.yield"), builder_location(b));
  mlirBlockAppendOwnedOperation(body, mlirOperationCreate(&state));
  return region_with(body);
}

static MlirValue chunk_size(builder *b, MlirOperation loop) {
  MlirAttribute said = op_attribute(loop, "dynamic");
  if (!mlirAttributeIsNull(said))
    return constant_integer(b, type_i(b, 64), mlirIntegerAttrGetValueInt(said));
  MlirValue count = sub(b, mlirOperationGetOperand(loop, 1), mlirOperationGetOperand(loop, 0));
  MlirValue size = max_i(b, constant_index(b, 1), floor_div(b, count, constant_index(b, CHUNKS)));
  return index_cast(b, size, type_i(b, 64));
}

static MlirAttribute segments(builder *b, int count, int which) {
  int32_t sizes[8] = {0};
  if (which >= 0)
    sizes[which] = 1;
  return mlirDenseI32ArrayGet(builder_context(b), count, sizes);
}

static MlirOperation make_workshare(builder *b, MlirOperation loop) {
  MlirValue bounds[] = {mlirOperationGetOperand(loop, 0), mlirOperationGetOperand(loop, 1),
                        mlirOperationGetOperand(loop, 2)};
  bool even = !mlirAttributeIsNull(op_attribute(loop, "static"));
  MlirValue chunk = even ? (MlirValue){NULL} : chunk_size(b, loop);
  MlirOperation nest = region_op(b, "omp.loop_nest", 3, bounds, 0, NULL, take_body(b, loop));
  MlirAttribute kind = mlirAttributeParseGet(
      builder_context(b), mlirStringRefCreateFromCString(even ? "#omp<schedulekind static>"
                                                              : "#omp<schedulekind dynamic>"));
  MlirNamedAttribute attributes[] = {named(b, "operandSegmentSizes", segments(b, 7, even ? -1 : 6)),
                                     named(b, "schedule_kind", kind)};
  return region_op(b, "omp.wsloop", !even, &chunk, 2, attributes,
                   region_with(block_with(b, nest, NULL)));
}

/* As many threads as the kernel's caller says, or OpenMP. */
static MlirValue team_size(builder *b) {
  MlirValue most = parallel_threads(b);
  return call(b, "lac_kernel_threads", type_i(b, 32), 1, &most);
}

static void lower_loop(builder *b, MlirOperation loop) {
  builder_set_location(b, mlirOperationGetLocation(loop));
  builder_before(b, loop);
  MlirValue threads = team_size(b);
  MlirRegion region = region_with(block_with(b, make_workshare(b, loop), "omp.terminator"));
  MlirNamedAttribute attribute = named(b, "operandSegmentSizes", segments(b, 6, 3));
  insert_op(b, region_op(b, "omp.parallel", 1, &threads, 1, &attribute, region));
  mlirOperationDestroy(loop);
}

/* Loops from the inside out: one that stands in another is lowered with it. */
static MlirWalkResult visit(MlirOperation op, void *data) {
  pass *p = data;
  if (!op_is(op, "scf.parallel"))
    return MlirWalkResultAdvance;
  if (mlirOperationGetNumOperands(op) != 3 || mlirOperationGetNumResults(op)) {
    p->good = error_at(op, "expected a parallel loop over one variable without reductions");
    return MlirWalkResultInterrupt;
  }
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  lower_loop(b, op);
  builder_free(b);
  return MlirWalkResultAdvance;
}

int lower_parallel_run(MlirOperation module, const struct lower_parallel_options *options) {
  (void)options;
  pass p = {.good = true};
  mlirOperationWalk(module, visit, &p, MlirWalkPostOrder);
  return p.good ? 0 : 1;
}
