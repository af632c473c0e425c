/* handle_loops.c - what an iteration of a loop made is freed at its end, but for what it passes on:
 *
 *     mark = lac_frame_mark(frame)
 *     for ... iter_args(r) { ...  t = lac_frame_tensor(frame)  ...
 *       lac_frame_sweep(frame, mark, 1, {t})
 *       yield t }
 *
 * so that a thousand steps need the memory of two, and find it warm.  Where a loop takes a tensor
 * apart into its arrays, which may live longer, all stay until the function returns.
 */
#include "handles.h"
#include "ir.h"

static bool makes_nothing(MlirOperation op, void *data) {
  (void)data;
  return !op_calls(op, "lac_frame_tensor");
}

static void sweep_before(activation *a, MlirOperation end, MlirValue mark) {
  builder *b = a->b;
  intptr_t operands = mlirOperationGetNumOperands(end), count = 0;
  MlirValue kept = activation_memory(a, type_ptr(b), operands);
  builder_before(b, end);
  for (intptr_t i = 0; i < operands; i++) {
    MlirValue value = mlirOperationGetOperand(end, i);
    if (mlirTypeEqual(mlirValueGetType(value), type_ptr(b)))
      store_field(b, value, kept, 8 * count++);
  }
  MlirValue arguments[] = {a->frame, mark, constant_scalar(b, type_i(b, 64), count), kept};
  call(b, "lac_frame_sweep", (MlirType){NULL}, 4, arguments);
}

static void sweep_loop(activation *a, MlirOperation loop) {
  builder_set_location(a->b, mlirOperationGetLocation(loop));
  builder_before(a->b, loop);
  MlirValue mark = call(a->b, "lac_frame_mark", type_ptr(a->b), 1, &a->frame);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); r++)
    sweep_before(a, mlirBlockGetTerminator(op_block(loop, r)), mark);
}

void activation_sweep_loops(activation *a, intptr_t count, const MlirOperation *loops) {
  for (intptr_t i = 0; a->frame.ptr && i < count; i++)
    if (!visit_below(loops[i], makes_nothing, NULL))
      sweep_loop(a, loops[i]);
}
