/* cin-sink-reductions.c - Move reductions inside of loops over dense coordinates.
 *
 *     forall j { forall k { C[i,k] add A[i,j] * B[j,k] } }
 *       -->
 *     forall k { forall j { C[i,k] add A[i,j] * B[j,k] } }
 *
 * What is reduced into stays in a register then, while j is walked for each k anew: by threads of a
 * GPU, of which neighbours have neighbouring k, at once.  Not where C stores coordinates of k: it
 * would have an entry for each k then, whether there is a j or not.
 */
#include "bridge.h"
#include "cin.h"
#include "parallel_safety.h"
#include "tensor_format.h"

static bool is_free(MlirOperation forall) {
  return !cin_forall_is_parallel(forall) && !cin_forall_is_told(forall);
}

/* Whether everything that is assigned in the forall is reduced over it, or nothing is. */
static bool reduces(arena *memory, const provenance *graph, MlirOperation forall, bool expected) {
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (cin_access_reduces(graph, assigns.ops[i], cin_forall_variable(forall)) != expected)
      return false;
  return assigns.count > 0;
}

static bool is_bound_around(arena *memory, MlirOperation forall, MlirValue variable) {
  op_list around = cin_path(memory, forall);
  for (int i = 0; i < around.count; ++i)
    if (mlirValueEqual(cin_forall_variable(around.ops[i]), variable))
      return true;
  return false;
}

/* Whether the levels of what is assigned that store coordinates store those of foralls around. */
static bool coordinates_are_known(arena *memory, MlirOperation kernel, MlirOperation forall,
                                  MlirOperation assign) {
  const tensor_format *format = tensor_format_get(
      memory, mlirValueGetType(cin_access_tensor(assign)), mlirOperationGetLocation(assign));
  for (int l = 0; l < format->level_count; ++l) {
    const format_level *level = &format->levels[l];
    MlirValue held = cin_access_level(kernel, assign, level);
    if (!(level->properties & LEVEL_FULL) &&
        (mlirValueIsNull(held) || !is_bound_around(memory, forall, held)))
      return false;
  }
  return true;
}

static bool stores_no_coordinates(arena *memory, MlirOperation kernel, MlirOperation forall) {
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (!coordinates_are_known(memory, kernel, forall, assigns.ops[i]))
      return false;
  return true;
}

static bool sink(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation forall) {
  MlirOperation inner = cin_only_forall_in(forall);
  if (mlirOperationIsNull(inner) || !is_free(forall) || !is_free(inner) ||
      (cin_forall_is_fixed(forall) && cin_forall_is_fixed(inner)) ||
      !reduces(memory, graph, forall, true) || !reduces(memory, graph, inner, false) ||
      !parallel_walks_full(memory, graph, kernel, inner) ||
      !stores_no_coordinates(memory, kernel, forall))
    return false;
  cin_forall_exchange(forall, inner);
  return true;
}

/* From the inside out, so that one goes past all that it can. */
static void sink_in_kernel(arena *memory, provenance *graph, MlirOperation kernel) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = foralls.count - 1; i >= 0; --i)
    for (MlirOperation at = foralls.ops[i]; sink(memory, graph, kernel, at);)
      at = cin_only_forall_in(at);
}

int cin_sink_reductions_run(MlirOperation root, const struct cin_sink_reductions_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, root, cin_is_kernel);
  bool good = true;
  for (int i = 0; good && i < kernels.count; ++i) {
    provenance *graph = provenance_create(memory, kernels.ops[i]);
    good = graph;
    if (good)
      sink_in_kernel(memory, graph, kernels.ops[i]);
  }
  arena_free(memory);
  return good ? 0 : 1;
}
