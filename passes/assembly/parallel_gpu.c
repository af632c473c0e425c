/* parallel_gpu.c - what units of a GPU cannot do that threads of a CPU can, and how they nest. */
#include "parallel_check.h"
#include "parallel_safety.h"

#include "cin.h"

#include <mlir-c/BuiltinTypes.h>

/* Whether a warp can be cut into as many groups of lanes as the forall has iterations. */
static bool is_over_groups(MlirOperation forall) {
  MlirValue variable = cin_forall_variable(forall);
  MlirOperation split = value_owner(variable);
  return cin_is_split(split) && mlirValueEqual(cin_split_inner(split), variable) &&
         cin_can_be_groups(cin_split_size(split));
}

/* How many foralls on threads of a GPU are around, but for one. */
static int count_threads_around(const safety_check *c, MlirOperation forall, MlirOperation but) {
  op_list path = cin_path(c->memory, forall);
  int count = 0;
  for (int i = 0; i < path.count; ++i)
    count += cin_op_unit(path.ops[i]) == CIN_GPU_THREAD && !mlirOperationEqual(path.ops[i], but);
  return count;
}

/* Whether the outer one is over groups of lanes, the inner one over the lanes of a group; `unit` is
 * the other one's. */
bool safety_are_groups_and_lanes(const safety_check *c, MlirOperation outer, MlirOperation inner,
                                 cin_unit unit) {
  return c->unit == CIN_GPU_THREAD && unit == CIN_GPU_THREAD && is_over_groups(outer) &&
         !count_threads_around(c, outer, outer) && !count_threads_around(c, inner, outer);
}

int64_t parallel_groups(arena *memory, MlirOperation forall) {
  if (cin_op_unit(forall) != CIN_GPU_THREAD || !is_over_groups(forall))
    return 0;
  op_list below = ops_below(memory, forall, cin_is_forall);
  for (int i = 0; i < below.count; ++i)
    if (cin_op_unit(below.ops[i]) == CIN_GPU_THREAD)
      return cin_split_size(value_owner(cin_forall_variable(forall)));
  return 0;
}

/* ---- what threads have ----------------------------------------------------------------------- */

/* Where a workspace grows, only the host knows where it is. */
static const char *hazard_of_growing(const safety_check *c, MlirValue workspace) {
  MlirOperation made = value_owner(workspace);
  const level_format *policy =
      mlirOperationIsNull(made) ? NULL : cin_workspace_policy(c->memory, made);
  return policy && policy->grows
             ? arena_format(c->memory, "expected workspaces that do not grow, found one kept by %s",
                            policy->policy)
             : NULL;
}

static const char *hazard_of_read(const safety_check *c, MlirOperation read) {
  return hazard_of_growing(c, cin_access_tensor(read));
}

/* Whether a workspace is dense, and has a few values, which are known to be so many: each thread
 * has its own, in registers where loops over them are unrolled. */
static bool is_small(const safety_check *c, MlirValue workspace) {
  MlirOperation made = value_owner(workspace);
  MlirType type = mlirValueGetType(workspace);
  const tensor_format *format = tensor_format_get(c->memory, type, mlirOperationGetLocation(made));
  int64_t count = 1;
  for (intptr_t d = 0; d < cin_workspace_variable_count(made) && count > 0; ++d) {
    int64_t size = mlirShapedTypeIsDynamicDim(type, d)
                       ? provenance_static_extent(c->graph, cin_workspace_variable(made, d))
                       : mlirShapedTypeGetDimSize(type, d);
    count = size > 0 && size <= CIN_OWN_VALUES ? count * size : -1;
  }
  return format && tensor_format_is_dense(format) && count > 0 && count <= CIN_OWN_VALUES;
}

/* What units have for themselves: each thread values, and parts of what was taken before. */
static const char *hazard_of_own(const safety_check *c, MlirOperation where) {
  MlirValue workspace = cin_where_workspace(where);
  if (mlirShapedTypeGetRank(mlirValueGetType(workspace)) == 0 || is_small(c, workspace))
    return NULL;
  return c->unit == CIN_GPU_THREAD
             ? hazard_of_growing(c, workspace)
             : "expected workspaces of at most 64 values inside, of constant sizes, found another "
               "(gpu_thread has such)";
}

static const char *first_hazard(const safety_check *c, op_kind *kind,
                                const char *(*hazard_of)(const safety_check *c, MlirOperation op)) {
  op_list ops = ops_below(c->memory, c->forall, kind);
  const char *hazard = NULL;
  for (int i = 0; i < ops.count && !hazard; ++i)
    hazard = hazard_of(c, ops.ops[i]);
  return hazard;
}

/* Of what stores coordinates threads count and place what is scattered into rows, and what is
 * appended to in order they count, and then append (counted.h). */
static const char *hazard_of_entries(const safety_check *c, const assembly *how) {
  if (how->way == ASSEMBLY_SCATTER && tensor_format_scatters_at_once(how->format))
    return NULL;
  if (!safety_is_appended(how))
    return arena_format(c->memory,
                        "expected a result that is dense, appended to in order, or scattered into "
                        "rows with nothing below, found one that is %s",
                        assembly_words(how->way));
  int level = tensor_format_uncounted_level(how->format);
  return level < 0 ? NULL
                   : arena_format(c->memory,
                                  "expected a result whose entries are counted first, found that "
                                  "level %d is %s",
                                  level, how->format->levels[level].format->name);
}

static const char *hazard_of_result(safety_check *c) {
  assembly how;
  if (!safety_assembly(c, &how) || how.way == ASSEMBLY_COPY ||
      (how.way == ASSEMBLY_INSERT && tensor_format_no_array_level(how.format) < 0))
    return NULL;
  return c->unit == CIN_GPU_THREAD ? hazard_of_entries(c, &how)
                                   : "expected gpu_thread for a result that stores coordinates";
}

/* What a GPU's threads cannot do. */
const char *safety_hazard_on_gpu(safety_check *c) {
  const char *hazard = hazard_of_result(c);
  hazard = hazard ? hazard : first_hazard(c, cin_is_where, hazard_of_own);
  return hazard ? hazard : first_hazard(c, cin_is_read, hazard_of_read);
}
