/* cin-parallelize.c - runs the outermost forall of each kernel on threads, where that is safe
 * without being told.
 *
 *     forall i { ... y[i] = ... }   ->   forall i on cpu_thread no_races { ... }
 *
 * A kernel that a schedule has parallelized is left as it is, and so is one where the iterations
 * would race, append to the result in order, or come from a merge of levels.
 */
#include "bridge.h"
#include "parallel_safety.h"

static bool is_parallelized(arena *memory, MlirOperation kernel) {
  op_list foralls = ops_below(memory, kernel, "cin.forall");
  for (int i = 0; i < foralls.count; ++i)
    if (cin_op_unit(foralls.ops[i]) == CIN_CPU_THREAD)
      return true;
  return false;
}

static bool is_outermost(MlirOperation forall) {
  return op_is(mlirOperationGetParentOperation(forall), "cin.kernel");
}

static void parallelize_kernel(arena *memory, provenance *graph, MlirOperation kernel) {
  op_list foralls = ops_below(memory, kernel, "cin.forall");
  for (int i = 0; i < foralls.count; ++i)
    if (is_outermost(foralls.ops[i]) &&
        parallel_is_balanced(memory, graph, kernel, foralls.ops[i]) &&
        !parallel_hazard(memory, graph, kernel, foralls.ops[i], CIN_NO_RACES))
      cin_op_set_parallel(foralls.ops[i], CIN_CPU_THREAD, CIN_NO_RACES);
}

static bool parallelize_module(arena *memory, MlirOperation module) {
  op_list kernels = ops_below(memory, module, "cin.kernel");
  for (int i = 0; i < kernels.count; ++i) {
    if (is_parallelized(memory, kernels.ops[i]))
      continue;
    provenance *graph = provenance_create(memory, kernels.ops[i]);
    if (!graph)
      return false;
    parallelize_kernel(memory, graph, kernels.ops[i]);
  }
  return true;
}

int cin_parallelize_run(MlirOperation module, const struct cin_parallelize_options *options) {
  if (options->threads == 1)
    return 0;
  if (options->threads < 0 || options->threads > PARALLEL_THREADS)
    return !error_at(module, "expected 0 to %d threads, found %lld", PARALLEL_THREADS,
                     (long long)options->threads);
  arena *memory = arena_create();
  bool done = parallelize_module(memory, module);
  arena_free(memory);
  return !done;
}
