/* narrow-launches.c - Let kernels count in 32 bits where what they are passed is short enough.
 *
 *     gpu.launch_func @m::@k args(%y : memref<?xf64>, %n : index)
 *       -->
 *     %fits = (the length of %y | %n) < 2^30
 *     scf.if %fits { gpu.launch_func @m::@k ... } else { gpu.launch_func @m::@k_wide ... }
 *
 * of which @k counts in 32 bits (narrow_kernel.h), and @k_wide as before.
 */
#include "bridge.h"

#include "arena.h"
#include "ir.h"
#include "launches.h"
#include "narrow_kernel.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <inttypes.h>

/* What is to be short; null for all else. */
static MlirValue length_of(builder *b, MlirValue passed) {
  switch (parameter_kind_of(mlirValueGetType(passed))) {
  case PARAMETER_ARRAY:
    return memref_length(b, passed);
  case PARAMETER_INDEX:
    return passed;
  default:
    return (MlirValue){NULL};
  }
}

static MlirValue all_below(builder *b, const device_launch *l, int64_t limit) {
  MlirValue bits = constant_index(b, 0);
  for (intptr_t i = 0; i < l->count; i++) {
    MlirValue length = length_of(b, launch_passed(l, i));
    bits = mlirValueIsNull(length) ? bits : or_i(b, bits, length);
  }
  return and_i(b, less_equal(b, constant_index(b, 0), bits),
               less(b, bits, constant_index(b, limit)));
}

/* The launch of a copy of its kernel. */
static MlirOperation copy_launch(arena *memory, const device_launch *l) {
  MlirContext context = mlirOperationGetContext(l->op);
  MlirOperation wide = mlirOperationClone(l->kernel), launch = mlirOperationClone(l->op);
  const char *name = arena_format(memory, "%.*s_wide", TEXT(op_text(l->kernel, "sym_name")));
  MlirStringRef text = mlirStringRefCreateFromCString(name);
  MlirAttribute leaf = mlirFlatSymbolRefAttrGet(context, text);
  op_set(wide, "sym_name", text_attribute(context, text));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(l->kernel), l->kernel, wide);
  op_set(launch, "kernel",
         mlirSymbolRefAttrGet(context, op_text(l->container, "sym_name"), 1, &leaf));
  return launch;
}

static void choose(builder *b, arena *memory, const device_launch *l, int64_t limit) {
  builder_set_location(b, mlirOperationGetLocation(l->op));
  builder_before(b, l->op);
  if_begin(b, all_below(b, l, limit));
  insert_op(b, mlirOperationClone(l->op));
  if_else(b);
  insert_op(b, copy_launch(memory, l));
  if_end(b);
  mlirOperationDestroy(l->op);
}

int narrow_launches_run(MlirOperation module, const struct narrow_launches_options *options) {
  if (options->limit < 0 || options->limit > NARROW_LIMIT)
    return !error_at(module, "expected a limit from 0 to %d, found %" PRId64, NARROW_LIMIT,
                     options->limit);
  arena *memory = arena_create();
  op_list launches = ops_below(memory, module, launch_is);
  builder *b = builder_create(mlirOperationGetContext(module), mlirOperationGetLocation(module));
  for (int i = 0; i < launches.count; i++) {
    device_launch l = launch_of(module, launches.ops[i]);
    choose(b, memory, &l, options->limit);
    narrow_kernel(b, l.kernel);
  }
  builder_free(b);
  arena_free(memory);
  return 0;
}
