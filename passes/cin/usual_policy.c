/* usual_policy.c - the policy that a workspace begins with, where nothing is said of it
 * (usual_policy.h).
 *
 * An array with a place for each coordinate is the fastest by far where it fits the caches and rows
 * are not short; of a dimension with far more coordinates than there can be entries it would be
 * memory that is hardly touched.
 */
#include "usual_policy.h"

#include "cin_kernel.h"

#include <mlir-c/BuiltinTypes.h>

enum { LONG = 1 << 28 };

static bool is_access(MlirOperation op) {
  return cin_is_read(op) || cin_is_assign(op);
}

static bool says_long(MlirOperation access, MlirValue variable) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  for (intptr_t d = 0; d < cin_access_rank(access); ++d)
    if (mlirValueEqual(cin_access_bare(access, d), variable) &&
        !mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) >= LONG)
      return true;
  return false;
}

static bool is_long(arena *memory, MlirOperation kernel, MlirValue variable) {
  op_list accesses = ops_below(memory, kernel, is_access);
  for (int n = 0; n < accesses.count; ++n)
    if (says_long(accesses.ops[n], variable))
      return true;
  return false;
}

const level_format *usual_policy(arena *memory, MlirOperation kernel, intptr_t count,
                                 const MlirValue *variables) {
  return level_format_usual_workspace(count > 1 || is_long(memory, kernel, variables[0]));
}
