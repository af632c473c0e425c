/* cin-vectorize.c - runs a forall on the lanes of vectors, around the reductions that stand around
 * it and in it, so that what they accumulate stays in registers.
 *
 *     forall i {                              forall i {
 *       forall j {                              forall k on cpu_vector {
 *         forall k {                 ->           forall j {
 *           C[i, k] add= A[i, j] * B[j, k]          C[i, k] add= A[i, j] * B[j, k]
 *
 * The walk of row i is then shared by many columns k, and C is written once.
 *
 *     forall ib {                             forall ib {
 *       forall slot {                           forall ii on cpu_vector {         i = 8 ib + ii
 *         forall ii {                ->           forall slot {
 *           forall j {                              forall j {                    one at most
 *             y[i] add= A[i, j] * x[j]                y[i] add= A[i, j] * x[j]
 *
 * Here each row ii has its own entry in a slot, with a coordinate j of its own; those of
 * consecutive rows lie side by side.  Which levels that takes: lane_access.h.  No sum changes its
 * order.  Foralls whose order a schedule has fixed keep it.
 */
#include "bridge.h"
#include "cin.h"
#include "lane_access.h"
#include "statistics.h"

/* An assignment, the foralls around it, and the place of the innermost that does not reduce. */
typedef struct vectorization {
  arena *memory;
  provenance *graph;
  MlirOperation assign;
  op_list path;
  int inner;
} vectorization;

static bool is_alone(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(mlirOperationGetBlock(op)), op);
}

/* Whether the operation stands right in the forall, not in a where inside it. */
static bool is_directly_in(MlirOperation op, MlirOperation forall) {
  return mlirOperationEqual(mlirOperationGetParentOperation(op), forall);
}

static bool is_plain(MlirOperation forall) {
  return !cin_forall_is_parallel(forall) && !cin_forall_is_told(forall);
}

static bool reduces(const vectorization *n, int place) {
  return cin_access_reduces(n->graph, n->assign, cin_forall_variable(n->path.ops[place]));
}

/* Whether the forall at a place is all there is in the one before. */
static bool is_nested(const vectorization *n, int place) {
  return place > 0 && is_alone(n->path.ops[place]) &&
         is_directly_in(n->path.ops[place], n->path.ops[place - 1]) && is_plain(n->path.ops[place]);
}

/* The innermost forall that does not reduce, if only reductions stand in it; -1 for none. */
static int find_inner(const vectorization *n) {
  int place = n->path.count - 1;
  if (!is_directly_in(n->assign, n->path.ops[place]))
    return -1;
  while (reduces(n, place)) {
    if (!is_nested(n, place))
      return -1;
    place--;
  }
  return is_plain(n->path.ops[place]) ? place : -1;
}

/* Whether the inner forall may go outside of the one at a place, and gains by it: outside of one
 * that tells where in the result the next sum is, nothing stays in registers. */
static bool may_pass(const vectorization *n, int place) {
  MlirOperation around = n->path.ops[place];
  return !(cin_forall_is_fixed(n->path.ops[n->inner]) && cin_forall_is_fixed(around)) &&
         !cin_access_follows(n->memory, n->graph, n->assign, cin_forall_variable(around));
}

/* The place in the path of the outermost of the reductions directly around the inner forall that it
 * may pass; its own where there is none. */
static int first_reduction(const vectorization *n) {
  int place = n->inner;
  while (is_nested(n, place) && is_plain(n->path.ops[place - 1]) && reduces(n, place - 1) &&
         may_pass(n, place - 1))
    place--;
  return place;
}

/* Lanes do not write at once to what other threads write to. */
static bool shares_result(const vectorization *n) {
  for (int i = 0; i < n->path.count; i++)
    if (cin_op_race(n->path.ops[i]) == CIN_ATOMICS)
      return true;
  return false;
}

/* The inner variable goes to `place`, those from there up to it one place inwards. */
static void move_out(const vectorization *n, int place) {
  for (int i = n->inner; i > place; i--)
    cin_forall_exchange(n->path.ops[i], n->path.ops[i - 1]);
  cin_op_set_parallel(n->path.ops[place], CIN_CPU_VECTOR, CIN_NO_RACES);
  statistic_add(STATISTIC_LOOPS_ON_LANES, 1);
}

static bool is_split(const vectorization *n) {
  MlirOperation owner = value_owner(cin_forall_variable(n->path.ops[n->inner]));
  return !cin_is_index(owner) && !cin_is_remap(owner);
}

/* Around reductions that are the same for all lanes nothing stays in registers that would not:
 * lanes gain there by reading side by side, and are not gathered for. */
static bool lanes_fit(const vectorization *n, int place, bool gathers) {
  int each;
  lane_gathers loaded = gathers ? LANES_GATHER_LOADED : LANES_GATHER_NOTHING;
  if (lanes_misfit(n->memory, n->graph, n->assign, n->path, place, n->inner, loaded, &each))
    return false;
  return n->inner == n->path.count - 1 || each || !gathers ||
         !lanes_misfit(n->memory, n->graph, n->assign, n->path, place, n->inner,
                       LANES_GATHER_NOTHING, &each);
}

static void vectorize_around(arena *memory, provenance *graph, MlirOperation assign, bool gathers) {
  vectorization n = {
      .memory = memory, .graph = graph, .assign = assign, .path = cin_path(memory, assign)};
  n.inner = n.path.count && lanes_combine(assign) ? find_inner(&n) : -1;
  if (n.inner < 0 || is_split(&n) || shares_result(&n))
    return;
  int place = first_reduction(&n);
  if (place < n.path.count - 1 && lanes_body_fits(memory, assign) && lanes_fit(&n, place, gathers))
    move_out(&n, place);
}

static bool vectorize_kernel(arena *memory, MlirOperation kernel, bool gathers) {
  provenance *graph = provenance_create(memory, kernel);
  if (!graph)
    return false;
  op_list assigns = ops_below(memory, kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; i++)
    vectorize_around(memory, graph, assigns.ops[i], gathers);
  return true;
}

int cin_vectorize_run(MlirOperation module, const struct cin_vectorize_options *options) {
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool done = true;
  for (int i = 0; i < kernels.count && done; i++)
    done = vectorize_kernel(memory, kernels.ops[i], options->gathers);
  arena_free(memory);
  return !done;
}
