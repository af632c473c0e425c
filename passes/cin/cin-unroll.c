/* cin-unroll.c - unrolls foralls over the few coordinates of a window, so that all of them are
 * written one after another wherever the window is not cut off (sparsify).
 *
 *     forall j_plus_l {                       forall j_plus_l {
 *       forall l {                    ->        forall l unroll 3 {
 *         Y[i, j_plus_l - l] add= ...             Y[i, j_plus_l - l] add= ...
 *
 * That is what the taps of a filter are that a nonzero is multiplied by: three of them but for the
 * first and the last two columns.  How many there are, the type says or what operands are said to
 * hold (tin.holds); windows around them too, as long as the code stays short.
 */
#include "bridge.h"
#include "cin.h"
#include "held_access.h"
#include "loop_cost.h"
#include "parallel_safety.h"
#include "statistics.h"

#include <mlir-c/BuiltinAttributes.h>

typedef struct unrolling {
  arena *memory;
  provenance *graph;
  MlirOperation kernel;
} unrolling;

/* How many coordinates the variable has, as far as that is known; 0 where it is not. */
static int64_t size_of(const unrolling *u, MlirOperation forall) {
  MlirValue variable = cin_forall_variable(forall);
  int64_t size = provenance_static_extent(u->graph, variable);
  op_list reads = ops_below(u->memory, forall, cin_is_read);
  for (int i = 0; i < reads.count && size < 0; ++i) {
    held_access a;
    if (!held_access_of(u->memory, u->kernel, reads.ops[i], &a))
      continue;
    for (intptr_t d = 0; d < cin_access_rank(reads.ops[i]); ++d) {
      MlirValue bare = cin_access_bare(reads.ops[i], d);
      double held = held_size(&a, (int)d);
      if (!mlirValueIsNull(bare) && mlirValueEqual(bare, variable) && held > 0 &&
          held <= WRITTEN_OUT_MOST)
        size = (int64_t)held;
    }
  }
  return size > 0 ? size : 0;
}

/* Whether what is known around the forall leaves it a window. */
static bool is_window(const unrolling *u, MlirOperation forall) {
  op_list around = cin_path(u->memory, forall);
  for (int i = 0; i < around.count; ++i)
    provenance_bind(u->graph, cin_forall_variable(around.ops[i]), (MlirValue){NULL});
  bool bounded = provenance_is_bounded(u->graph, cin_forall_variable(forall));
  for (int i = around.count; i > 0; --i)
    provenance_unbind(u->graph, cin_forall_variable(around.ops[i - 1]));
  return bounded;
}

static bool is_plain(MlirOperation forall) {
  return !cin_forall_is_parallel(forall) && !cin_forall_is_told(forall) &&
         cin_is_index(value_owner(cin_forall_variable(forall)));
}

static bool is_on_lanes(const unrolling *u, MlirOperation forall) {
  op_list around = cin_path(u->memory, forall);
  for (int i = 0; i < around.count; ++i)
    if (cin_op_unit(around.ops[i]) == CIN_CPU_VECTOR)
      return true;
  return false;
}

/* How many assignments are written one after another in the forall; 0 where loops are left. */
static int64_t written_in(const unrolling *u, MlirOperation forall) {
  MlirOperation inner = cin_only_forall_in(forall);
  if (!mlirOperationIsNull(inner))
    return cin_forall_is_unrolled(inner) ? op_integer(inner, "unroll", 1) * written_in(u, inner)
                                         : 0;
  return ops_below(u->memory, forall, cin_is_forall).count
             ? 0
             : ops_below(u->memory, forall, cin_is_assign).count;
}

static void unroll(const unrolling *u, MlirOperation forall) {
  int64_t size = is_plain(forall) && !is_on_lanes(u, forall) ? size_of(u, forall) : 0;
  int64_t written = size > 1 ? written_in(u, forall) : 0;
  if (!written || written > WRITTEN_OUT_MOST / size || !is_window(u, forall) ||
      !parallel_walks_full(u->memory, u->graph, u->kernel, forall))
    return;
  op_set(forall, "unroll", integer_attribute(mlirOperationGetContext(forall), size));
  statistic_add(STATISTIC_LOOPS_UNROLLED, 1);
}

/* From the inside out. */
static bool unroll_in_kernel(arena *memory, MlirOperation kernel) {
  unrolling u = {memory, provenance_create(memory, kernel), kernel};
  if (!u.graph)
    return false;
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = foralls.count - 1; i >= 0; --i)
    unroll(&u, foralls.ops[i]);
  return true;
}

int cin_unroll_run(MlirOperation root, const struct cin_unroll_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, root, cin_is_kernel);
  bool done = true;
  for (int i = 0; done && i < kernels.count; ++i)
    done = unroll_in_kernel(memory, kernels.ops[i]);
  arena_free(memory);
  return done ? 0 : 1;
}
