/* mark-steps.c - Say of the loops of a kernel what LLVM and the assembler are to know.
 *
 *     ^loop(%p: i32):                                 a step never overflows: what is counted ends
 *       %more = arith.cmpi slt, %p, %end : i32        below the last number by more than that
 *       cf.cond_br %more, ^body, ^done
 *     ^body:
 *       %q = arith.addi %p, %step : i32          -->  %q = arith.addi %p, %step overflow<nsw, nuw>
 *       cf.br ^loop(%q)                               cf.br ^loop(%q) {loop_annotation = ...}
 *
 * so that an address is counted along with %p.  Loops of unknown length are not unrolled by LLVM,
 * but by the assembler, which knows how many registers there are: twice is once too often.
 */
#include "bridge.h"

#include "arena.h"
#include "ir.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { SIGNED_LESS = 2 };

static bool is_branch(MlirOperation op) {
  return op_is(op, "cf.br");
}

/* What a block counts, which is less than an end where it goes on; null for none. */
static MlirValue counted_by(MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  MlirOperation compared =
      op_is(end, "cf.cond_br") ? value_owner(mlirOperationGetOperand(end, 0)) : end;
  if (!op_is(compared, "arith.cmpi") || op_integer(compared, "predicate", 0) != SIGNED_LESS)
    return (MlirValue){NULL};
  MlirValue counted = mlirOperationGetOperand(compared, 0);
  bool own = mlirValueIsABlockArgument(counted) && mlirBlockEqual(value_block(counted), block);
  return own ? counted : (MlirValue){NULL};
}

/* The addition that makes what the branch passes on of what is counted; null for none. */
static MlirOperation step_of(MlirOperation branch, MlirValue counted) {
  MlirValue next = mlirOperationGetOperand(branch, mlirBlockArgumentGetArgNumber(counted));
  MlirOperation made = value_owner(next);
  bool steps =
      op_is(made, "arith.addi") && mlirValueEqual(mlirOperationGetOperand(made, 0), counted);
  return steps ? made : (MlirOperation){NULL};
}

static MlirAttribute words_of(MlirOperation op, const char *text) {
  return mlirAttributeParseGet(mlirOperationGetContext(op), mlirStringRefCreateFromCString(text));
}

static bool mark(MlirOperation branch, arena *memory) {
  (void)memory;
  MlirValue counted = counted_by(mlirOperationGetSuccessor(branch, 0));
  MlirOperation step = {NULL};
  if (!mlirValueIsNull(counted))
    step = step_of(branch, counted);
  if (mlirOperationIsNull(step))
    return true;
  bool positive = mlirTypeIsAInteger(mlirValueGetType(counted));
  op_set(step, "overflowFlags",
         words_of(step, positive ? "#arith.overflow<nsw, nuw>" : "#arith.overflow<nsw>"));
  if (!op_has(branch, "loop_annotation"))
    op_set(branch, "loop_annotation",
           words_of(branch, "#llvm.loop_annotation<unroll = <runtimeDisable = true>>"));
  return true;
}

int mark_steps_run(MlirOperation kernels, const struct mark_steps_options *options) {
  (void)options;
  return change_operations(kernels, is_branch, mark) ? 0 : 1;
}
