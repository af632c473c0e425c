/* finish_launches.c - see finish_launches.h. */
#include "finish_launches.h"

#include "ir.h"
#include "launches.h"
#include "op_list.h"
#include "sit.h"

/* A walk over the operations of a function, in the order in which they run. */
typedef struct walk {
  builder *b;
  arena *memory;
  MlirValue status;
  op_list launched; /* so far */
  bool open;        /* some may not be finished */
} walk;

/* ---- What may stand between launches ------------------------------------------------------ */

static bool calls_one_of(MlirOperation op, const char *const *names) {
  while (*names && !op_calls(op, *names))
    ++names;
  return *names;
}

/* Of the runtime: none looks at an array that is on a device. */
static bool is_calm_call(MlirOperation op) {
  static const char *const names[] = {
      "lac_kernel_product", "lac_kernel_scratch", "lac_kernel_data",   "lac_kernel_room",
      "lac_device_scratch", "lac_device_release", "lac_device_number", NULL};
  return calls_one_of(op, names);
}

/* The operands of what names an array of a handle: lac_kernel_data(handle, level, slot, ...). */
enum { HANDLE, LEVEL, SLOT, ARRAY_NAME };

static bool moves_array(MlirOperation op) {
  static const char *const names[] = {"lac_kernel_allocate",       "lac_kernel_allocate_raw",
                                      "lac_kernel_allocate_unset", "lac_kernel_grow",
                                      "lac_kernel_grow_raw",       NULL};
  return calls_one_of(op, names);
}

static bool is_same_array(MlirOperation a, MlirOperation b) {
  bool same = true;
  for (int i = HANDLE; i < ARRAY_NAME; i++)
    same &= mlirValueEqual(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i));
  return same;
}

static bool is_of_same_handle(MlirOperation a, MlirOperation b) {
  return mlirValueEqual(mlirOperationGetOperand(a, HANDLE), mlirOperationGetOperand(b, HANDLE));
}

/* Whether memory, not scratch, may be the array whose memory a call moves. */
static bool may_be_moved(MlirValue memory, MlirOperation moves) {
  MlirOperation found = value_owner(memory);
  if (mlirOperationIsNull(found))
    return true;
  if (op_calls(found, "lac_kernel_data"))
    return is_same_array(found, moves);
  return !is_calm_call(found);
}

static bool may_pass(MlirValue passed, MlirOperation moves) {
  MlirOperation made = value_owner(passed);
  if (parameter_kind_of(mlirValueGetType(passed)) != PARAMETER_ARRAY)
    return false;
  if (mlirOperationIsNull(made))
    return true;
  if (sit_is_array(made) || sit_is_values(made))
    return is_of_same_handle(made, moves);
  return !sit_is_memory(made) || may_be_moved(mlirOperationGetOperand(made, 0), moves);
}

static bool moves_passed(const walk *w, MlirOperation op) {
  for (int n = 0; n < w->launched.count; n++) {
    MlirOperation launch = w->launched.ops[n];
    for (intptr_t i = LAUNCH_PASSED; i < mlirOperationGetNumOperands(launch); i++)
      if (may_pass(mlirOperationGetOperand(launch, i), op))
        return true;
  }
  return false;
}

static bool loads_status(const walk *w, MlirOperation op) {
  return op_is(op, "llvm.load") && w->open &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), w->status);
}

static bool is_calm(const walk *w, MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    return false;
  return op_name_begins(op, "arith.") || op_is(op, "memref.dim") || loads_status(w, op) ||
         op_is(op, "llvm.getelementptr") || op_is(op, "scf.yield") || sit_is_memory(op) ||
         sit_is_array(op) || sit_is_values(op) || is_calm_call(op) ||
         (moves_array(op) && !moves_passed(w, op));
}

/* ---- The walk ----------------------------------------------------------------------------- */

static void finish_before(walk *w, MlirOperation op) {
  if (!w->open)
    return;
  builder_set_location(w->b, mlirOperationGetLocation(op));
  builder_before(w->b, op);
  call(w->b, "lac_device_finish", (MlirType){NULL}, 1, &w->status);
  w->open = false;
}

static void walk_block(walk *w, MlirBlock block);

/* Launches that one branch has not finished are finished behind both: where there are none any
 * more, that does nothing. */
static void walk_branches(walk *w, MlirOperation op) {
  bool before = w->open, behind = false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = op_block(op, i);
    w->open = before;
    if (!mlirBlockIsNull(block))
      walk_block(w, block);
    behind |= w->open;
  }
  w->open = behind;
}

/* What runs any number of times begins and ends with all finished. */
static void walk_others(walk *w, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = op_block(op, i);
    if (mlirBlockIsNull(block))
      continue;
    walk_block(w, block);
    finish_before(w, mlirBlockGetTerminator(block));
  }
}

static void walk_launch(walk *w, MlirOperation op) {
  op_list_add(w->memory, &w->launched, op);
  w->status = launch_status(op);
  w->open = true;
}

static void walk_block(walk *w, MlirBlock block) {
  for (OPERATIONS(op, block)) {
    if (launch_is(op)) {
      walk_launch(w, op);
    } else if (op_is(op, "scf.if")) {
      walk_branches(w, op);
    } else if (!is_calm(w, op)) {
      finish_before(w, op);
      walk_others(w, op);
    }
  }
}

static bool is_function(MlirOperation op) {
  return op_is(op, "func.func");
}

void finish_launches(builder *b, MlirOperation module) {
  arena *memory = arena_create();
  op_list functions = ops_below(memory, module, is_function);
  for (int i = 0; i < functions.count; i++) {
    walk w = {.b = b, .memory = memory};
    walk_others(&w, functions.ops[i]);
  }
  arena_free(memory);
}
