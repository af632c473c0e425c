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
#include "cin.h"
#include "sparsify_state.h"
#include "statistics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdlib.h>

/* ---- kernels ------------------------------------------------------------------------------ */

/* An empty sit.kernel before the cin.kernel. */
static MlirOperation make_kernel(sparsifier *p) {
  MlirOperation old = p->s->kernel;
  builder_before(p->b, old);
  return insert_op(p->b, sit_kernel_create(old));
}

static void take_arguments(const sparsifier *p, MlirBlock body) {
  for (intptr_t n = 0; n < mlirBlockGetNumArguments(body); ++n)
    p->s->tensors[n]->value = mlirBlockGetArgument(body, n);
}

static void start_state(sparsifier *p) {
  arena *memory = p->memory;
  int iterators = p->s->iterators.count + 1;
  p->now = (reached_state){
      .positions = ARENA_ARRAY(memory, MlirValue, iterators),
      .segments = ARENA_ARRAY(memory, segment, iterators),
      .absent = ARENA_ARRAY(memory, bool, iterators),
      .fused = ARENA_ARRAY(memory, bool, iterators),
      .maybe = ARENA_ARRAY(memory, bool, iterators),
      .within = ARENA_ARRAY(memory, bool, iterators),
      .cases = 1,
      .copies = 1,
      .values = ARENA_ARRAY(memory, MlirValue, p->s->access_count + 1),
      .produced = ARENA_ARRAY(memory, bool, p->s->tensor_count + 1),
      .placed = ARENA_ARRAY(memory, MlirValue, p->s->result->format->level_count + 1),
      .at_top = true,
  };
}

static bool emit_loops(sparsifier *p) {
  reached_state before = reached_state_enter(p);
  bool emitted = emit_root(p);
  reached_state_leave(p, before);
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
    if (assembly_counts(&p->built.how, l) && !emit_counting(p, l))
      return false;
  return true;
}

static bool emit_kernel(sparsifier *p) {
  if (!emit_extents(p))
    return false;
  emit_result(p);
  provenance_emit_extents(p->graph, p->b, true);
  emit_workspaces(p, &p->s->body);
  if (!emit_counts(p) || !emit_loops(p))
    return false;
  if (p->built.how.way == ASSEMBLY_RECORD)
    sit_order(p->b, p->s->result->value, p->built.how.first);
  sit_finish(p->b, p->s->result->value);
  return !builder_failed(p->b);
}

/* A new sit.kernel; null after a diagnostic. */
static MlirOperation make_code(sparsifier *p) {
  MlirOperation made = make_kernel(p);
  take_arguments(p, op_block(made, 0));
  start_state(p);
  tell_levels(p);
  builder_at_end(p->b, op_block(made, 0));
  if (emit_kernel(p))
    return made;
  mlirOperationDestroy(made);
  return (MlirOperation){NULL};
}

/* The code of the kernel, and how much it is. */
static MlirOperation sparsified(MlirOperation kernel, bool strict, int cases_down,
                                code_size *size) {
  sparsifier p = {.memory = arena_create(), .strict = strict, .cases_down = cases_down};
  p.drops = statement_op_drops_zeros(kernel);
  p.s = kernel_statement_read(p.memory, kernel);
  p.graph = p.s ? provenance_create(p.memory, kernel) : NULL;
  if (p.s)
    p.built = (assembly_loops){p.s, p.graph, {.format = p.s->result->format}};
  p.b = builder_create(mlirOperationGetContext(kernel), mlirOperationGetLocation(kernel));
  MlirOperation made = {NULL};
  if (p.graph && check_kernel(&p))
    made = make_code(&p);
  *size = p.made;
  builder_free(p.b);
  arena_free(p.memory);
  return made;
}

/* The cases that a path down the nest may have at first, and those that the code may have in all
 * before it is made again with half as many on a path: what there are in all is known when the code
 * is there, since a case has the smaller lattices of what is left in it.  A case in a loop that is
 * to be unrolled is one for each copy. */
enum { CASES_DOWN = 64, CASES_IN_ALL = 96 };

static bool sparsify_kernel(MlirOperation kernel, bool strict) {
  code_size size;
  MlirOperation made = sparsified(kernel, strict, CASES_DOWN, &size);
  for (int down = CASES_DOWN / 2; made.ptr && size.copies > CASES_IN_ALL && down > 0; down /= 2) {
    mlirOperationDestroy(made);
    made = sparsified(kernel, strict, down, &size);
  }
  if (!made.ptr)
    return false;
  statistic_add(STATISTIC_WALKS, size.walks);
  statistic_add(STATISTIC_LATTICE_POINTS, size.cases);
  statistic_add(STATISTIC_GUARDS_HOISTED, size.hoisted_guards);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(kernel, 0), mlirOperationGetResult(made, 0));
  mlirOperationDestroy(kernel);
  return true;
}

/* ---- the module --------------------------------------------------------------------------- */

typedef struct kernel_list {
  arena *memory;
  int count, room;
  MlirOperation *kernels;
} kernel_list;

static bool note_kernel(MlirOperation op, void *data) {
  kernel_list *list = data;
  if (!cin_is_kernel(op))
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
