/* sparsify.c - cin.kernel to sit.kernel: loops over index variables become iteration over what is
 * stored.
 *
 *     cin.forall %i {                          sit.coiterate over %m {
 *       cin.forall %j {                        case () as (%i) {
 *         ... %A[%i, %j], %x[%j] ...             %p = sit.locate %A level 0 at %i
 *         cin.assign %y[%i] add %v               sit.coiterate %A level 1 under %p {
 *       }                                        case (0) as (%j, %q) {
 *     }                                            ... sit.value %A at %q ...
 *
 * In the order of the code that it makes:
 *
 *     kernel_statement_read          what the kernel says
 *     check_kernel            whether its loops can be made code of
 *     emit_extents            extents of variables, checks of shapes
 *     emit_result             the empty result; workspaces
 *     emit_block              foralls to coiteration by merge lattices
 *
 * (Chou et al. 2018, section 4; Kjolstad et al. 2017, section 5.)
 */
#include "bridge.h"
#include "result_format.h"
#include "sparsify_state.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdlib.h>

/* ---- kernels ------------------------------------------------------------------------------ */

static void add_body(MlirOperationState *state, MlirBlock like, MlirLocation location) {
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t n = 0; n < mlirBlockGetNumArguments(like); ++n)
    mlirBlockAddArgument(body, mlirValueGetType(mlirBlockGetArgument(like, n)), location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(state, 1, &region);
}

/* An empty sit.kernel of the operands, result and names of the cin.kernel, before it. */
static MlirOperation make_kernel(sparsifier *p) {
  MlirOperation old = p->s->kernel;
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("sit.kernel"),
                                                   mlirOperationGetLocation(old));
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(old); ++n) {
    MlirValue operand = mlirOperationGetOperand(old, n);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(old, 0));
  mlirOperationStateAddResults(&state, 1, &type);
  add_body(&state, op_block(old, 0), mlirOperationGetLocation(old));
  MlirOperation made = mlirOperationCreate(&state);
  const char *names[] = {"fills", "tensor_names"};
  for (int n = 0; n < 2; ++n)
    if (op_has(old, names[n]))
      op_set(made, names[n], op_attribute(old, names[n]));
  builder_before(p->b, old);
  return insert_op(p->b, made);
}

static void take_arguments(const sparsifier *p, MlirBlock body) {
  for (intptr_t n = 0; n < mlirBlockGetNumArguments(body); ++n)
    p->s->tensors[n]->value = mlirBlockGetArgument(body, n);
}

static void start_state(sparsifier *p) {
  arena *memory = p->memory;
  int iterators = p->s->iterators.count + 1;
  p->now = (walk_state){
      .positions = ARENA_ARRAY(memory, MlirValue, iterators),
      .segments = ARENA_ARRAY(memory, segment, iterators),
      .absent = ARENA_ARRAY(memory, bool, iterators),
      .fused = ARENA_ARRAY(memory, bool, iterators),
      .maybe = ARENA_ARRAY(memory, bool, iterators),
      .cases = 1,
      .values = ARENA_ARRAY(memory, MlirValue, p->s->access_count + 1),
      .produced = ARENA_ARRAY(memory, bool, p->s->tensor_count + 1),
      .placed = ARENA_ARRAY(memory, MlirValue, p->s->result->format->level_count + 1),
      .at_top = true,
  };
}

static bool emit_loops(sparsifier *p) {
  walk_state before = walk_state_enter(p);
  bool emitted = emit_root(p);
  walk_state_leave(p, before);
  return emitted;
}

/* The walk that only counts the entries of a level that is scattered into or collected. */
static bool emit_counting(sparsifier *p, int level) {
  p->counting = true;
  p->counted = level;
  bool emitted = emit_loops(p);
  p->counting = false;
  sit_edges(p->b, p->s->result->value, level);
  return emitted;
}

static bool emit_counts(sparsifier *p) {
  for (int l = 0; l < result_level_count(p); l++)
    if ((l == p->scatter || result_collects(p, l)) && !emit_counting(p, l))
      return false;
  return true;
}

static bool emit_kernel(sparsifier *p) {
  if (!emit_extents(p))
    return false;
  emit_result(p);
  emit_workspaces(p, &p->s->body);
  if (!emit_counts(p) || !emit_loops(p))
    return false;
  if (p->reorders)
    sit_order(p->b, p->s->result->value, p->scatter);
  sit_finish(p->b, p->s->result->value);
  return !builder_failed(p->b);
}

static bool lower_kernel(sparsifier *p) {
  MlirOperation made = make_kernel(p);
  take_arguments(p, op_block(made, 0));
  start_state(p);
  builder_at_end(p->b, op_block(made, 0));
  if (!emit_kernel(p)) {
    mlirOperationDestroy(made);
    return false;
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->s->kernel, 0),
                                mlirOperationGetResult(made, 0));
  mlirOperationDestroy(p->s->kernel);
  return true;
}

static bool sparsify_kernel(MlirOperation kernel, bool strict) {
  sparsifier p = {.memory = arena_create(), .strict = strict, .scatter = -1};
  p.reorders = result_is_reordered(kernel);
  p.drops = op_has(kernel, "drop_zeros");
  p.s = kernel_statement_read(p.memory, kernel);
  p.graph = p.s ? provenance_create(p.memory, kernel) : NULL;
  p.b = builder_create(mlirOperationGetContext(kernel), mlirOperationGetLocation(kernel));
  bool lowered = p.graph && check_kernel(&p) && lower_kernel(&p);
  builder_free(p.b);
  arena_free(p.memory);
  return lowered;
}

/* ---- the module --------------------------------------------------------------------------- */

typedef struct kernel_list {
  arena *memory;
  int count, room;
  MlirOperation *kernels;
} kernel_list;

static bool note_kernel(MlirOperation op, void *data) {
  kernel_list *list = data;
  if (!op_is(op, "cin.kernel"))
    return true;
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 16;
    MlirOperation *more = ARENA_ARRAY(list->memory, MlirOperation, list->room);
    for (int n = 0; n < list->count; ++n)
      more[n] = list->kernels[n];
    list->kernels = more;
  }
  list->kernels[list->count++] = op;
  return true;
}

int sparsify_run(MlirOperation module, const struct sparsify_options *options) {
  kernel_list list = {.memory = arena_create()};
  visit_below(module, note_kernel, &list);
  bool lowered = true;
  for (int n = 0; n < list.count; ++n)
    lowered = sparsify_kernel(list.kernels[n], options->strict) && lowered;
  arena_free(list.memory);
  return lowered ? 0 : 1;
}
