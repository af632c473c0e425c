/* lower-parallel.c - Run parallel loops on threads, by OpenMP.
 *
 *     scf.parallel (%i) = (%a) to (%b) step (%s) { body }
 *       -->
 *     next = 0
 *     omp.parallel num_threads(%n) {
 *       while (first = next, next += chunk, atomically) < iterations
 *         for c in first .. min(iterations, first + chunk) - 1
 *           body of a + c * s
 *     }
 *
 * Iterations are handed out in chunks as threads become free, since rows of sparse tensors differ
 * in length: about 256 chunks in all, so that the last one is short, and fewer where there is so
 * little to do that handing them out would take longer (lac_kernel_parts_count). Where the loop
 * says `dynamic = 16` so many are in a chunk; where it says `static`, each thread has an equal
 * share before it begins. The counter is our own: an OpenMP runtime may take a hundred times as
 * long for a chunk as an addition does, and more for a loop than a small one takes.  A thread that
 * has stored past the caches ends with a fence.
 */
#include "bridge.h"

#include "arena.h"
#include "builder.h"
#include "ir.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

/* A loop being lowered, and what is known before its threads begin. */
typedef struct parallel_loop {
  builder *b;
  MlirOperation op;
  MlirValue begin, step, count; /* `count` iterations */
  MlirValue parts;              /* that they are dealt out in, about */
  MlirValue threads;            /* at most */
  MlirValue next, chunk;        /* where they are dealt out as threads become free, else null */
  MlirBlock team;               /* what each thread runs */
} parallel_loop;

/* ---- Threads ------------------------------------------------------------------------------ */

/* The block that all threads of a team run, where `b` stands from here on. */
static MlirBlock enter_team(builder *b, MlirValue threads) {
  const int32_t segments[] = {0, 0, 0, 1, 0, 0};
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  MlirNamedAttribute attribute =
      named(b, "operandSegmentSizes", mlirDenseI32ArrayGet(builder_context(b), 6, segments));
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("omp.parallel"), builder_location(b));
  mlirOperationStateAddOperands(&state, 1, &threads);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  insert_op(b, mlirOperationCreate(&state));
  builder_at_end(b, block);
  make_op(b, "omp.terminator", 0, NULL, 0, NULL, 0, NULL);
  builder_at_end(b, block);
  return block;
}

static bool is_parallel(MlirOperation op) {
  return op_is(op, "scf.parallel");
}

static bool is_streaming(MlirOperation op) {
  return op_is(op, "vector.store") && op_has(op, "nontemporal");
}

static bool is_array(MlirOperation op) {
  MlirValue size = op_is(op, "llvm.alloca") ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
  return size.ptr && mlirValueIsAOpResult(size) && op_is(value_owner(size), "arith.constant");
}

/* Whether no other parallel loop is between. */
static bool is_in_loop(const parallel_loop *p, MlirOperation op) {
  while (!is_parallel(op))
    op = mlirOperationGetParentOperation(op);
  return mlirOperationEqual(op, p->op);
}

/* Arrays on the stack are made once for a thread: in each iteration, they would pile up. */
static void take_arrays(const parallel_loop *p, arena *memory) {
  op_list arrays = ops_below(memory, p->op, is_array);
  for (int n = 0; n < arrays.count; ++n) {
    MlirOperation array = arrays.ops[n];
    if (!is_in_loop(p, array))
      continue;
    MlirOperation size = mlirOperationClone(value_owner(mlirOperationGetOperand(array, 0)));
    mlirOperationRemoveFromParent(array);
    mlirBlockInsertOwnedOperation(p->team, 0, array);
    mlirBlockInsertOwnedOperation(p->team, 0, size);
    mlirOperationSetOperand(array, 0, mlirOperationGetResult(size, 0));
  }
}

/* Moves the body of the loop to where `b` stands. */
static void take_body(const parallel_loop *p, MlirValue iteration) {
  MlirBlock body = op_block(p->op, 0);
  MlirValue at = add(p->b, p->begin, mul(p->b, iteration, p->step));
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), at);
  mlirOperationDestroy(mlirBlockGetTerminator(body));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirBlockGetFirstOperation(body)) {
    mlirOperationRemoveFromParent(op);
    insert_op(p->b, op);
  }
}

/* ---- Dealing out -------------------------------------------------------------------------- */

/* As many threads as the kernel's caller says, or OpenMP. */
static MlirValue team_size(builder *b) {
  MlirValue most = parallel_threads(b);
  return call(b, "lac_kernel_threads", type_i(b, 32), 1, &most);
}

static MlirValue part_count(builder *b) {
  MlirValue parts = call(b, "lac_kernel_parts_count", type_i(b, 64), 0, NULL);
  return index_cast(b, parts, type_index(b));
}

/* One thread takes all at once. */
static MlirValue chunk_size(const parallel_loop *p) {
  builder *b = p->b;
  MlirAttribute said = op_attribute(p->op, "dynamic");
  MlirValue size = mlirAttributeIsNull(said) ? floor_div(b, p->count, p->parts)
                                             : constant_index(b, mlirIntegerAttrGetValueInt(said));
  MlirValue alone = equal(b, p->threads, constant_integer(b, type_i(b, 32), 1));
  return max_i(b, constant_index(b, 1), select_value(b, alone, p->count, size));
}

/* Memory for the counter, made once where the threads' code around the loop begins, or its
 * function's. */
static MlirValue make_counter(builder *b, MlirOperation loop) {
  MlirOperation around = mlirOperationGetParentOperation(loop);
  while (!op_is(around, "omp.parallel") && !op_is(around, "func.func"))
    around = mlirOperationGetParentOperation(around);
  builder_before(b, mlirBlockGetFirstOperation(op_block(around, 0)));
  const int64_t one = 1;
  const int32_t segments[] = {0, 0};
  MlirType type = mlirMemRefTypeContiguousGet(type_i(b, 64), 1, &one, (MlirAttribute){NULL});
  MlirNamedAttribute attribute =
      named(b, "operandSegmentSizes", mlirDenseI32ArrayGet(builder_context(b), 2, segments));
  MlirValue counter = op_result(make_op(b, "memref.alloca", 0, NULL, 1, &type, 1, &attribute), 0);
  builder_before(b, loop);
  return counter;
}

/* What the counter was, and adds a chunk to it. */
static MlirValue take_chunk(const parallel_loop *p) {
  enum { ADD_INTEGERS = 1 }; /* memref.atomic_rmw's number of it */
  builder *b = p->b;
  MlirValue operands[] = {index_cast(b, p->chunk, type_i(b, 64)), p->next, constant_index(b, 0)};
  MlirType type = type_i(b, 64);
  MlirNamedAttribute kind = named(b, "kind", mlirIntegerAttrGet(type_i(b, 64), ADD_INTEGERS));
  MlirOperation before = make_op(b, "memref.atomic_rmw", 3, operands, 1, &type, 1, &kind);
  return index_cast(b, op_result(before, 0), type_index(b));
}

static void emit_iterations(const parallel_loop *p, MlirValue from, MlirValue to) {
  MlirValue iteration = for_begin(p->b, from, to, constant_index(p->b, 1));
  take_body(p, iteration);
  for_end(p->b);
}

static void emit_chunks(const parallel_loop *p) {
  builder *b = p->b;
  variable first = var_make(b, constant_index(b, 0));
  while_begin(b);
  var_set(b, first, take_chunk(p));
  while_do(b, less(b, var_get(b, first), p->count));
  MlirValue from = var_get(b, first);
  emit_iterations(p, from, min_i(b, p->count, add(b, from, p->chunk)));
  while_end(b);
}

static MlirValue ask(builder *b, const char *function) {
  return index_cast(b, call(b, function, type_i(b, 32), 0, NULL), type_index(b));
}

/* Shares differ by one iteration at most; the first ones are the longer ones. */
static void emit_share(const parallel_loop *p) {
  builder *b = p->b;
  MlirValue number = ask(b, "omp_get_thread_num"), team = ask(b, "omp_get_num_threads");
  MlirValue share = floor_div(b, p->count, team), rest = floor_mod(b, p->count, team);
  MlirValue from = add(b, mul(b, number, share), min_i(b, number, rest));
  MlirValue more = index_cast(b, less(b, number, rest), type_index(b));
  emit_iterations(p, from, add(b, add(b, from, share), more));
}

/* ---- Loops -------------------------------------------------------------------------------- */

static void lower_loop(builder *b, arena *memory, MlirOperation op) {
  builder_set_location(b, mlirOperationGetLocation(op));
  builder_before(b, op);
  parallel_loop p = {.b = b, .op = op};
  p.begin = mlirOperationGetOperand(op, 0);
  p.step = mlirOperationGetOperand(op, 2);
  p.count = ceil_div(b, sub(b, mlirOperationGetOperand(op, 1), p.begin), p.step);
  bool even = op_has(op, "static");
  if (!even && !op_has(op, "dynamic"))
    p.parts = part_count(b);
  p.threads = team_size(b);
  if (!even) {
    p.chunk = chunk_size(&p);
    p.next = make_counter(b, op);
    store(b, constant_integer(b, type_i(b, 64), 0), p.next, constant_index(b, 0));
  }
  p.team = enter_team(b, p.threads);
  take_arrays(&p, memory);
  bool streams = ops_below(memory, op, is_streaming).count > 0;
  if (even)
    emit_share(&p);
  else
    emit_chunks(&p);
  if (streams)
    fence(b);
  mlirOperationDestroy(op);
}

static bool check(MlirOperation op) {
  return (mlirOperationGetNumOperands(op) == 3 && !mlirOperationGetNumResults(op)) ||
         error_at(op, "expected a parallel loop over one variable without reductions");
}

/* Loops from the outside in: those inside have their counters in the threads' code. */
int lower_parallel_run(MlirOperation module, const struct lower_parallel_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list loops = ops_below(memory, module, is_parallel);
  bool good = true;
  for (int n = 0; n < loops.count && good; ++n)
    good = check(loops.ops[n]);
  builder *b = builder_create(mlirOperationGetContext(module), mlirOperationGetLocation(module));
  for (int n = 0; n < loops.count && good; ++n)
    lower_loop(b, memory, loops.ops[n]);
  builder_free(b);
  arena_free(memory);
  return good ? 0 : 1;
}
