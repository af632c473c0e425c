/* cin-vectorize.c - runs an innermost forall on the lanes of vectors, and around the reductions
 * that it stands in, so that what they accumulate stays in registers.
 *
 *     forall i {                              forall i {
 *       forall j {                              forall k on cpu_vector {
 *         forall k {                 ->           forall j {
 *           C[i, k] add= A[i, j] * B[j, k]          C[i, k] add= A[i, j] * B[j, k]
 *
 * The walk of row i is then shared by many columns k, and C is written once.  That is legal for
 * any k that no walk depends on: each access that uses k does so in its last level, where
 * consecutive coordinates have consecutive positions.  No sum changes its order.  Where levels hold
 * blocks or diagonals, subscripts follow from several foralls, and they stay as they are.
 */
#include "bridge.h"
#include "cin_kernel.h"

#include <mlir-c/BuiltinTypes.h>
#include <string.h>

/* An assignment, the foralls around it, and the variable of the innermost. */
typedef struct nest {
  arena *memory;
  const provenance *graph;
  MlirOperation assign;
  op_list path;
  MlirValue inner;
} nest;

/* Whether the access uses the inner variable, if at all, in a last level with consecutive
 * positions. */
static bool is_consecutive(const nest *n, MlirOperation access) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  const tensor_format *format =
      tensor_format_get(n->memory, type, mlirOperationGetLocation(access));
  if (!format || format->level_count == 0)
    return false;
  const format_level *last = &format->levels[format->level_count - 1];
  for (intptr_t d = 0; d < cin_access_rank(access); d++)
    if (d != last->dimension && cin_subscript_uses(access, d, n->inner))
      return false;
  return last->dimension >= 0 && (last->properties & LEVEL_CONSECUTIVE) &&
         mlirValueEqual(cin_access_bare(access, last->dimension), n->inner);
}

/* Duplicates are better walked fused with the levels below them. */
static bool has_duplicates(const nest *n, MlirOperation access) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  const tensor_format *format =
      tensor_format_get(n->memory, type, mlirOperationGetLocation(access));
  for (int l = 0; format && l < format->level_count; l++)
    if (!(format->levels[l].properties & LEVEL_UNIQUE))
      return true;
  return false;
}

/* Scalar operations that vectors have as well, and that no idle lane can trap in. */
static bool has_vector_form(MlirOperation op) {
  static const char *const names[] = {
      "arith.constant", "arith.addf",    "arith.subf",    "arith.mulf",  "arith.divf",
      "arith.negf",     "arith.addi",    "arith.subi",    "arith.muli",  "arith.maximumf",
      "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.maxsi", "arith.minsi"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (op_is(op, names[i]))
      return true;
  return false;
}

static bool can_run_on_lanes(const nest *n, MlirOperation op) {
  if (op_is(op, "cin.read"))
    return !has_duplicates(n, op) && (!cin_access_uses(op, n->inner) || is_consecutive(n, op));
  if (op_is(op, "cin.assign"))
    return mlirOperationEqual(op, n->assign);
  return has_vector_form(op);
}

static bool body_can_run_on_lanes(const nest *n) {
  MlirBlock body = mlirOperationGetBlock(n->assign);
  for (OPERATIONS(op, body))
    if (!can_run_on_lanes(n, op))
      return false;
  return is_consecutive(n, n->assign);
}

static bool accumulates(MlirOperation assign) {
  MlirStringRef kind = op_text(assign, "kind");
  MlirType element = element_type(mlirValueGetType(cin_access_tensor(assign)));
  bool ordered =
      text_is(kind, "add") || text_is(kind, "mul") || text_is(kind, "min") || text_is(kind, "max");
  return ordered && !mlirTypeIsAComplex(element) && !mlirTypeIsABF16(element);
}

static bool is_alone(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(mlirOperationGetBlock(op)), op);
}

/* Whether the operation stands right in the forall, not in a where inside it. */
static bool is_directly_in(MlirOperation op, MlirOperation forall) {
  return mlirOperationEqual(mlirOperationGetParentOperation(op), forall);
}

static bool is_plain(MlirOperation forall) {
  return !cin_forall_is_parallel(forall) && !op_has(forall, "unroll");
}

/* The place in the path of the outermost of the reductions directly around the innermost forall;
 * the innermost itself where there is none. */
static int first_reduction(const nest *n) {
  int place = n->path.count - 1;
  while (place > 0 && is_alone(n->path.ops[place]) &&
         is_directly_in(n->path.ops[place], n->path.ops[place - 1]) &&
         is_plain(n->path.ops[place - 1]) &&
         cin_access_reduces(n->graph, n->assign, cin_forall_variable(n->path.ops[place - 1])))
    place--;
  return place;
}

/* The innermost variable goes to `place`, those from there on one place inwards. */
static void move_out(const nest *n, int place) {
  for (int i = n->path.count - 1; i > place; i--)
    cin_forall_set_variable(n->path.ops[i], cin_forall_variable(n->path.ops[i - 1]));
  cin_forall_set_variable(n->path.ops[place], n->inner);
  cin_op_set_parallel(n->path.ops[place], CIN_CPU_VECTOR, CIN_NO_RACES);
}

static void vectorize_nest(arena *memory, const provenance *graph, MlirOperation assign) {
  nest n = {.memory = memory, .graph = graph, .assign = assign, .path = cin_path(memory, assign)};
  if (n.path.count < 2 || !accumulates(assign))
    return;
  MlirOperation innermost = n.path.ops[n.path.count - 1];
  n.inner = cin_forall_variable(innermost);
  int place = first_reduction(&n);
  if (place < n.path.count - 1 && is_plain(innermost) && is_directly_in(assign, innermost) &&
      op_is(value_owner(n.inner), "cin.index") && !cin_access_reduces(graph, assign, n.inner) &&
      body_can_run_on_lanes(&n))
    move_out(&n, place);
}

static bool vectorize_kernel(arena *memory, MlirOperation kernel) {
  const provenance *graph = provenance_create(memory, kernel);
  if (!graph)
    return false;
  op_list assigns = ops_below(memory, kernel, "cin.assign");
  if (ops_below(memory, kernel, "cin.remap").count > 0)
    return true;
  for (int i = 0; i < assigns.count; i++)
    vectorize_nest(memory, graph, assigns.ops[i]);
  return true;
}

int cin_vectorize_run(MlirOperation module, const struct cin_vectorize_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, "cin.kernel");
  bool done = true;
  for (int i = 0; i < kernels.count && done; i++)
    done = vectorize_kernel(memory, kernels.ops[i]);
  arena_free(memory);
  return !done;
}
