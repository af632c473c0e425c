/* hoist-launch-arrays.c - Move what says where arrays are out of launches.
 *
 *     gpu.launch ... {                           %y = sit.memory %p[%n]
 *       %y = sit.memory %p[%n]          -->      gpu.launch ... {
 *       memref.store %x, %y[%i]                    memref.store %x, %y[%i]
 *
 * So that a kernel is passed arrays and numbers, and not the host's handles.  Memory that threads
 * have for workspaces is taken before the launch as well, and given back behind it:
 *
 *     gpu.launch ... {                                    %p = call @lac_device_scratch(%bytes)
 *       %p = call @lac_device_scratch(%bytes, ..)   -->   gpu.launch ... {
 *                                                         call @lac_device_release(%p, %bytes)
 */
#include "bridge.h"

#include "arena.h"
#include "builder.h"
#include "ir.h"
#include "launches.h"
#include "op_list.h"
#include "sit.h"

static bool is_launch(MlirOperation op) {
  return op_is(op, "gpu.launch");
}

static bool is_product(MlirOperation op) {
  return op_calls(op, "lac_kernel_product");
}

/* Fields of handles, which no kernel writes, are read by llvm.load alone. */
static bool is_of_handle(MlirOperation op) {
  return sit_is_memory(op) || sit_is_array(op) || sit_is_values(op) || op_is(op, "llvm.load") ||
         launch_scratch_is(op);
}

/* Sizes are multiplied by the runtime, which says where they are too large. */
static bool is_hosts(MlirOperation op) {
  return is_of_handle(op) || is_product(op);
}

static bool is_movable(MlirOperation op) {
  return is_hosts(op) || op_is(op, "llvm.getelementptr") ||
         (!mlirOperationGetNumRegions(op) && op_name_begins(op, "arith."));
}

/* Whether what an operation takes is made outside of the launch, or can be moved there. */
static bool can_move(MlirOperation launch, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation made = value_owner(operand);
    bool inside = value_is_made_in(launch, operand);
    if (inside && (mlirOperationIsNull(made) || !is_movable(made) || !can_move(launch, made)))
      return false;
  }
  return true;
}

static void release_behind(builder *b, MlirOperation launch, MlirOperation scratch) {
  MlirValue operands[] = {op_result(scratch, 0), mlirOperationGetOperand(scratch, 0)};
  builder_set_location(b, mlirOperationGetLocation(launch));
  builder_before(b, mlirOperationGetNextInBlock(launch));
  call(b, "lac_device_release", (MlirType){NULL}, 2, operands);
}

static void move_out(MlirOperation launch, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (value_is_made_in(launch, operand))
      move_out(launch, value_owner(operand));
  }
  mlirOperationMoveBefore(op, launch);
}

int hoist_launch_arrays_run(MlirOperation module,
                            const struct hoist_launch_arrays_options *options) {
  (void)options;
  arena *memory = arena_create();
  builder *b = builder_create(mlirOperationGetContext(module), mlirOperationGetLocation(module));
  op_list launches = ops_below(memory, module, is_launch);
  for (int i = 0; i < launches.count; i++) {
    op_list arrays = ops_below(memory, launches.ops[i], is_hosts);
    for (int n = 0; n < arrays.count; n++) {
      if (!can_move(launches.ops[i], arrays.ops[n]))
        continue;
      move_out(launches.ops[i], arrays.ops[n]);
      if (launch_scratch_is(arrays.ops[n]))
        release_behind(b, launches.ops[i], arrays.ops[n]);
    }
  }
  builder_free(b);
  arena_free(memory);
  return 0;
}
