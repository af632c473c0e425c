/* cin-parallelize.c - runs the outermost forall of each kernel on threads, where that is safe
 * without being told.
 *
 *     forall i { ... y[i] = ... }   ->   forall i on cpu_thread no_races { ... }
 *     forall i { ... s add ... }    ->   forall i on cpu_thread parallel_reduction { ... }
 *     forall j { ... y[i] add ... } ->   forall j on cpu_thread temporary { ... }
 *     producing w { forall k { ... } }
 *                                   ->   producing w { forall k on cpu_thread temporary { ... } }
 *
 * Where a loop goes through windows of a dense result, each thread has a piece of that
 * (result_pieces.h), so that nothing is copied.
 *
 * What makes a temporary before all else, and what takes it, are dealt out by foralls of their own.
 * A kernel that a schedule has parallelized is left as it is, and so is one where the iterations
 * would race.  Where the outermost reduces, and all there is in it is a forall that does not, both
 * of full levels, they change places, unless a schedule has fixed their order:
 *
 *     forall jb { forall ib { ... } }   ->   forall ib on cpu_thread no_races { forall jb { ... } }
 *
 * One on the lanes of vectors stays so in blocks, which are dealt out:
 *
 *     forall i on cpu_vector { ... }    ->   forall i_block on cpu_thread no_races {
 *                                              forall i_of_block on cpu_vector { ... }
 */
#include "bridge.h"
#include "cin.h"
#include "diagnostic.h"
#include "forall_trips.h"
#include "parallel_safety.h"
#include "parallelize_gpu.h"
#include "result_pieces.h"
#include "statistics.h"

/* Coordinates on lanes in a block. */
enum { BLOCK = 512 };

static bool is_parallelized(arena *memory, MlirOperation kernel) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i)
    if (cin_unit_is_concurrent(cin_op_unit(foralls.ops[i])))
      return true;
  return false;
}

static bool is_outermost(MlirOperation forall) {
  return cin_is_kernel(mlirOperationGetParentOperation(forall));
}

/* Whether no other is around it: the outermost, or one of what makes a temporary before all else,
 * or takes it. */
static bool stands_alone(arena *memory, MlirOperation forall) {
  return cin_path(memory, forall).count == 0;
}

static bool runs_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall, cin_race race) {
  return (parallel_is_in_ranges(memory, graph, kernel, forall, race) ||
          parallel_is_balanced(memory, graph, kernel, forall)) &&
         parallel_is_worthwhile(memory, graph, kernel, forall) &&
         !parallel_hazard(memory, graph, kernel, forall, CIN_CPU_THREAD, race);
}

static bool can_run_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                               MlirOperation forall) {
  return runs_on_threads(memory, graph, kernel, forall, CIN_NO_RACES);
}

/* Whether all of it comes to one scalar, of which each chunk makes its part. */
static bool can_reduce_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                                  MlirOperation forall, bool strict) {
  return cin_op_unit(forall) == CIN_SERIAL && !(strict && cin_rounds_below(memory, forall)) &&
         runs_on_threads(memory, graph, kernel, forall, CIN_PARALLEL_REDUCTION);
}

/* Whether all of it is gathered in a workspace, of which each thread has its own. */
static bool can_gather_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                                  MlirOperation forall, bool strict) {
  return cin_is_where(mlirOperationGetParentOperation(forall)) &&
         cin_op_unit(forall) == CIN_SERIAL && !(strict && cin_rounds_below(memory, forall)) &&
         runs_on_threads(memory, graph, kernel, forall, CIN_TEMPORARY);
}

/* Whether all of it is reduced into a dense result, of which each thread has a copy. */
static bool can_copy_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                                MlirOperation forall, bool strict) {
  return cin_op_unit(forall) == CIN_SERIAL && !(strict && cin_rounds_below(memory, forall)) &&
         parallel_reduces_densely(memory, kernel, forall) &&
         runs_on_threads(memory, graph, kernel, forall, CIN_TEMPORARY);
}

static bool exchange_full(arena *memory, provenance *graph, MlirOperation kernel,
                          MlirOperation forall) {
  MlirOperation inner = cin_only_forall_in(forall);
  if (mlirOperationIsNull(inner) || cin_forall_is_parallel(inner) || cin_forall_is_told(inner) ||
      cin_forall_is_told(forall) || (cin_forall_is_fixed(inner) && cin_forall_is_fixed(forall)) ||
      !parallel_walks_full(memory, graph, kernel, forall) ||
      !parallel_walks_full(memory, graph, kernel, inner))
    return false;
  cin_forall_exchange(forall, inner);
  bool helps = can_run_on_threads(memory, graph, kernel, forall);
  if (!helps)
    cin_forall_exchange(forall, inner);
  return helps;
}

/* forall v on lanes { s }  ->  forall block { forall place on lanes { s } } */
static void enclose_in_blocks(arena *memory, MlirOperation kernel, MlirOperation forall) {
  MlirValue variable = cin_forall_variable(forall);
  const char *outer = cin_new_name(memory, kernel, variable, "_block");
  const char *inner = cin_new_name(memory, kernel, variable, "_of_block");
  MlirOperation split = cin_declare_split(kernel, variable, BLOCK, outer, inner);
  cin_forall_set_variable(forall, cin_split_inner(split));
  cin_forall_enclose(forall, cin_split_outer(split));
  MlirOperation lanes = mlirBlockGetFirstOperation(cin_forall_body(forall));
  cin_op_set_parallel(lanes, CIN_CPU_VECTOR, CIN_NO_RACES);
}

static void deal_out(arena *memory, MlirOperation kernel, MlirOperation forall) {
  MlirValue variable = cin_forall_variable(forall);
  if (cin_op_unit(forall) == CIN_CPU_VECTOR && provenance_is_underived(variable) &&
      cin_foralls_over(memory, kernel, variable) == 1)
    enclose_in_blocks(memory, kernel, forall);
  cin_op_set_parallel(forall, CIN_CPU_THREAD, CIN_NO_RACES);
  statistic_add(STATISTIC_LOOPS_ON_THREADS, 1);
}

/* What is merged is gone through on threads as well, where that can be. */
static void consume_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                               MlirOperation where) {
  MlirOperation consumer = mlirBlockGetFirstOperation(cin_where_consumer(where));
  if (!mlirOperationIsNull(consumer) && cin_is_forall(consumer) &&
      cin_op_unit(consumer) == CIN_SERIAL && can_run_on_threads(memory, graph, kernel, consumer))
    deal_out(memory, kernel, consumer);
}

static void gather_on_threads(arena *memory, provenance *graph, MlirOperation kernel,
                              MlirOperation forall) {
  cin_op_set_parallel(forall, CIN_CPU_THREAD, CIN_TEMPORARY);
  statistic_add(STATISTIC_LOOPS_ON_THREADS, 1);
  consume_on_threads(memory, graph, kernel, mlirOperationGetParentOperation(forall));
}

/* So it is where a schedule says how it is gathered. */
static bool complete_scheduled(arena *memory, MlirOperation kernel) {
  provenance *graph = provenance_create(memory, kernel);
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = 0; graph && i < foralls.count; ++i) {
    MlirOperation where = mlirOperationGetParentOperation(foralls.ops[i]);
    if (cin_op_unit(foralls.ops[i]) == CIN_CPU_THREAD &&
        cin_op_race(foralls.ops[i]) == CIN_TEMPORARY && cin_is_where(where) &&
        cin_workspace_policy(memory, value_owner(cin_where_workspace(where))))
      consume_on_threads(memory, graph, kernel, where);
  }
  return graph;
}

/* One that stands alone; `runs`: as it is. */
static void parallelize_forall(arena *memory, provenance *graph, MlirOperation kernel,
                               MlirOperation forall, bool runs, bool strict) {
  if (runs || exchange_full(memory, graph, kernel, forall)) {
    deal_out(memory, kernel, forall);
  } else if (can_reduce_on_threads(memory, graph, kernel, forall, strict)) {
    cin_op_set_parallel(forall, CIN_CPU_THREAD, CIN_PARALLEL_REDUCTION);
    statistic_add(STATISTIC_LOOPS_ON_THREADS, 1);
  } else if (can_gather_on_threads(memory, graph, kernel, forall, strict)) {
    gather_on_threads(memory, graph, kernel, forall);
  } else if (can_copy_on_threads(memory, graph, kernel, forall, strict)) {
    cin_op_set_parallel(forall, CIN_CPU_THREAD, CIN_TEMPORARY);
    statistic_add(STATISTIC_LOOPS_ON_THREADS, 1);
  }
}

static bool parallelize_kernel(arena *memory, MlirOperation kernel,
                               const struct cin_parallelize_options *options) {
  provenance *graph = provenance_create(memory, kernel);
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = 0; graph && i < foralls.count; ++i) {
    MlirOperation forall = foralls.ops[i];
    if (!stands_alone(memory, forall))
      continue;
    bool runs = can_run_on_threads(memory, graph, kernel, forall);
    bool leaves_idle = is_outermost(forall) && (!runs || forall_trips(memory, kernel, forall) == 1);
    if (leaves_idle && cut_result(memory, graph, kernel, forall, options->threads)) {
      statistic_add(STATISTIC_LOOPS_ON_THREADS, 1);
      graph = provenance_create(memory, kernel);
    } else {
      parallelize_forall(memory, graph, kernel, forall, runs, options->strict);
    }
  }
  return graph;
}

/* Why the first forall of a kernel, an outermost one, was not dealt out. */
static const char *why_serial(arena *memory, MlirOperation kernel, bool strict) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  if (!foralls.count)
    return "expected a loop, found none";
  provenance *graph = provenance_create(memory, kernel);
  const char *why =
      graph ? parallel_hazard(memory, graph, kernel, foralls.ops[0], CIN_CPU_THREAD, CIN_NO_RACES)
            : NULL;
  if (graph && strict &&
      (can_reduce_on_threads(memory, graph, kernel, foralls.ops[0], false) ||
       can_copy_on_threads(memory, graph, kernel, foralls.ops[0], false)))
    return "expected sums in any order, found that they keep the program's (strict)";
  if (why)
    return why;
  if (graph && !parallel_is_worthwhile(memory, graph, kernel, foralls.ops[0]))
    return "expected a result that takes longer to collect than to record, found that each "
           "coordinate of its first level is only marked (parallelize it by hand)";
  return "expected a loop over one level, found a merge of several";
}

/* Threads were asked for, and no loop of any kernel runs on them, but for those of conversions. */
static void tell_where_serial(arena *memory, MlirOperation module, bool strict) {
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  MlirOperation written = {NULL};
  for (int i = 0; i < kernels.count; ++i) {
    if (statement_op_is_conversion(kernels.ops[i]))
      continue;
    if (is_parallelized(memory, kernels.ops[i]))
      return;
    if (mlirOperationIsNull(written))
      written = kernels.ops[i];
  }
  if (!mlirOperationIsNull(written))
    remark_at(written, "no loop runs on threads: %s", why_serial(memory, written, strict));
}

static bool parallelize_module(arena *memory, MlirOperation module,
                               const struct cin_parallelize_options *options) {
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  for (int i = 0; i < kernels.count; ++i) {
    bool done = is_parallelized(memory, kernels.ops[i])
                    ? complete_scheduled(memory, kernels.ops[i])
                    : parallelize_kernel(memory, kernels.ops[i], options);
    if (!done)
      return false;
  }
  return true;
}

/* Of kernels of which no loop runs on the GPU that is said, but not of conversions. */
static bool parallelize_module_for_gpu(arena *memory, MlirOperation module,
                                       const struct cin_parallelize_options *options) {
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  for (int i = 0; i < kernels.count; ++i) {
    provenance *graph = provenance_create(memory, kernels.ops[i]);
    if (!graph)
      return false;
    const char *why = is_parallelized(memory, kernels.ops[i])
                          ? NULL
                          : parallelize_for_gpu(memory, graph, kernels.ops[i], options);
    if (why && options->remarks && !statement_op_is_conversion(kernels.ops[i]))
      remark_at(kernels.ops[i], "runs on the CPU: %s", why);
  }
  return true;
}

static bool parallelize_for_threads(arena *memory, MlirOperation module,
                                    const struct cin_parallelize_options *options) {
  bool done = parallelize_module(memory, module, options);
  if (done && options->threads > 1)
    tell_where_serial(memory, module, options->strict);
  return done;
}

static bool is_on_gpu(MlirOperation op) {
  return cin_is_forall(op) && cin_unit_is_gpu(cin_op_unit(op));
}

/* What a schedule gives to a GPU there must be one for. */
static bool check_target(arena *memory, MlirOperation module) {
  op_list foralls = ops_below(memory, module, is_on_gpu);
  if (!foralls.count)
    return true;
  MlirOperation forall = foralls.ops[0];
  return error_at(
      forall,
      "'parallelize(%.*s,%s,%s)': expected a target that is a GPU (--target gpu), found "
      "the CPU",
      TEXT(provenance_name(cin_forall_variable(forall))), cin_unit_name(cin_op_unit(forall)),
      cin_race_name(cin_op_race(forall)));
}

int cin_parallelize_run(MlirOperation module, const struct cin_parallelize_options *options) {
  if (options->threads < 0 || options->threads > PARALLEL_THREADS)
    return !error_at(module, "expected 0 to %d threads, found %lld", PARALLEL_THREADS,
                     (long long)options->threads);
  arena *memory = arena_create();
  bool done = options->gpu || check_target(memory, module);
  if (options->gpu)
    done = parallelize_module_for_gpu(memory, module, options);
  else if (done && options->threads != 1)
    done = parallelize_for_threads(memory, module, options);
  arena_free(memory);
  return !done;
}
