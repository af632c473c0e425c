/* structure.c - see structure.h. */
#include "structure.h"

#include "ir.h"
#include "op_list.h"
#include "sit.h"

typedef struct flow {
  const lowering *k;
  op_list workspaces; /* whose values have been followed */
} flow;

static bool is_met(const flow *f, MlirOperation workspace) {
  for (int i = 0; i < f->workspaces.count; i++)
    if (mlirOperationEqual(f->workspaces.ops[i], workspace))
      return true;
  return false;
}

static bool stays_in_values(flow *f, MlirValue value);

static bool workspace_stays(flow *f, MlirOperation workspace) {
  if (is_met(f, workspace))
    return true;
  op_list_add(f->k->memory, &f->workspaces, workspace);
  MlirValue tensor = mlirOperationGetResult(workspace, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (sit_is_value(op) && !stays_in_values(f, mlirOperationGetResult(op, 0)))
      return false;
  }
  return true;
}

/* Into the result, which stores none while it is counted, or a workspace whose values stay. */
static bool is_stored_unasked(flow *f, MlirOperation op, MlirValue value) {
  if ((!sit_is_store(op) && !sit_is_accumulate(op)) || !mlirValueEqual(sit_op_value(op), value))
    return false;
  MlirValue tensor = sit_op_tensor(op);
  MlirOperation made = value_owner(tensor);
  if (mlirValueEqual(tensor, sit_kernel_result(f->k->op)))
    return true;
  return !mlirOperationIsNull(made) && sit_is_workspace(made) && workspace_stays(f, made);
}

static bool is_computed(MlirOperation op) {
  return !mlirOperationGetNumRegions(op) &&
         (op_name_begins(op, "arith.") || op_name_begins(op, "math.") ||
          op_name_begins(op, "complex."));
}

static bool stays_in_values(flow *f, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool stays = is_computed(op) ? stays_in_values(f, mlirOperationGetResult(op, 0))
                                 : is_stored_unasked(f, op, value);
    if (!stays)
      return false;
  }
  return true;
}

bool structure_is_walked_alone(MlirOperation workspace) {
  MlirValue tensor = mlirOperationGetResult(workspace, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (sit_is_locate(op) || (sit_is_coiterate(op) && sit_coiterate_count(op) > 1))
      return false;
  }
  return tensor_order(mlirValueGetType(tensor)) == 1;
}

bool structure_is_all(const lowering *k, MlirOperation workspace) {
  flow f = {.k = k};
  return workspace_stays(&f, workspace);
}
