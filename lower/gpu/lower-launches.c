/* lower-launches.c - Lower launches to calls of the runtime, and their kernels to what it runs.
 *
 *     gpu.launch_func @m::@k blocks in (%g, ..) threads in (%t, ..) args(%y : memref<?xf64>, ..)
 *       -->
 *     %k = call @lac_device_kernel("k", @lac_image_m, null, %status)
 *     %a = call @lac_device_array(%y's address, its bytes, use, %status)
 *     call @lac_device_launch(%k, %g, %t, 0, { &%a, &%length, .. }, %status)
 *
 * and where the host may look at what it wrote @lac_device_finish is called (finish_launches.c).
 *
 * The image, which `lower-images` fills in, is that of the gpu.module of all kernels.  For the
 * emulated device there is none, and in the place of null the address of a function that is made of
 * the kernel (emulated_kernel.c).  Where the host's status is the kernel says itself:
 * `call @lac_device_status(%status)` in it stands for nothing else.
 */
#include "bridge.h"

#include "arena.h"
#include "finish_launches.h"
#include "ir.h"
#include "lac_device.h"
#include "launches.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>

#include <string.h>

/* ---- Finding ------------------------------------------------------------------------------ */

static MlirValue taken(const device_launch *l, intptr_t i) {
  return mlirBlockGetArgument(op_block(l->kernel, 0), i);
}

static bool check(const device_launch *l) {
  for (intptr_t i = 0; i < l->count; i++) {
    MlirOpOperand use = mlirValueGetFirstUse(taken(l, i));
    bool status = parameter_kind_of(mlirValueGetType(launch_passed(l, i))) == PARAMETER_STATUS;
    if (status && !op_calls(mlirOpOperandGetOwner(use), "lac_device_status"))
      return error_at(l->op, "expected numbers and arrays that a kernel is passed, found '%s'",
                      type_words(mlirValueGetType(launch_passed(l, i))).text);
  }
  return true;
}

static bool is_call(MlirOperation op) {
  return op_is(op, "func.call");
}

/* No kernel calls the runtime. */
static bool check_calls(arena *memory, const device_launch *l) {
  op_list calls = ops_below(memory, l->kernel, is_call);
  for (int i = 0; i < calls.count; i++)
    if (!op_calls(calls.ops[i], "lac_device_status"))
      return error_at(l->op, "expected a kernel that calls nothing, found a call of '%.*s'",
                      TEXT(op_symbol(calls.ops[i], "callee")));
  return true;
}

/* The kernel forgets where the host's status is. */
static void forget_status(const device_launch *l) {
  MlirOperation next, op = mlirBlockGetFirstOperation(op_block(l->kernel, 0));
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (op_calls(op, "lac_device_status"))
      mlirOperationDestroy(op);
  }
}

/* ---- The host's side ---------------------------------------------------------------------- */

/* A launch being lowered. */
typedef struct host_launch {
  builder *b;
  const device_launch *l;
  MlirValue status, code;
  MlirValue arguments; /* pointers to what is passed, in memory of the host's stack */
  int64_t count;
  int64_t shared; /* bytes of a block that the kernel does not say itself */
} host_launch;

static MlirValue null_pointer(builder *b) {
  MlirType type = type_ptr(b);
  return op_result(make_op(b, "llvm.mlir.zero", 0, NULL, 1, &type, 0, NULL), 0);
}

static char *image_name(arena *memory, const device_launch *l) {
  return arena_format(memory, IMAGE_PREFIX "%.*s", TEXT(op_text(l->container, "sym_name")));
}

static MlirValue address_of_image(builder *b, const char *name) {
  MlirType type = type_ptr(b);
  MlirNamedAttribute symbol =
      named(b, "global_name",
            mlirFlatSymbolRefAttrGet(builder_context(b), mlirStringRefCreateFromCString(name)));
  return op_result(make_op(b, "llvm.mlir.addressof", 0, NULL, 1, &type, 1, &symbol), 0);
}

/* The image stands for itself until it is filled in. */
static void make_image(builder *b, MlirOperation module, const char *name) {
  MlirContext context = builder_context(b);
  MlirNamedAttribute attributes[] = {
      named(b, "sym_name", mlirStringAttrGet(context, mlirStringRefCreateFromCString(name))),
      named(b, "global_type", mlirTypeAttrGet(mlirLLVMArrayTypeGet(type_i(b, 8), 0))),
      named(b, "linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageExternal)),
      named(b, "constant", mlirUnitAttrGet(context)),
      named(b, "addr_space", mlirIntegerAttrGet(type_i(b, 32), 0))};
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("llvm.mlir.global"), builder_location(b));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddAttributes(&state, sizeof attributes / sizeof *attributes, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockInsertOwnedOperation(op_block(module, 0), 0, mlirOperationCreate(&state));
}

/* That of all kernels of a gpu.module is one. */
static MlirValue find_image(builder *b, MlirOperation module, const device_launch *l) {
  arena *memory = arena_create();
  const char *name = image_name(memory, l);
  MlirStringRef text = mlirStringRefCreateFromCString(name);
  if (mlirOperationIsNull(find_symbol(op_block(module, 0), text)))
    make_image(b, module, name);
  MlirValue address = address_of_image(b, name);
  arena_free(memory);
  return address;
}

static MlirValue address_of_function(builder *b, MlirStringRef name) {
  MlirType pointer = type_ptr(b);
  MlirType type = mlirFunctionTypeGet(builder_context(b), 1, &pointer, 0, NULL);
  MlirNamedAttribute symbol = named(b, "value", mlirFlatSymbolRefAttrGet(builder_context(b), name));
  MlirValue function = op_result(make_op(b, "func.constant", 0, NULL, 1, &type, 1, &symbol), 0);
  return convert_value(b, "builtin.unrealized_conversion_cast", function, pointer);
}

/* Memory of the function's own, which loops do not take again and again. */
static MlirValue slot_of(const host_launch *h, MlirType type, int64_t count) {
  MlirOperation around = h->l->op;
  while (!op_is(around, "func.func"))
    around = mlirOperationGetParentOperation(around);
  builder_before(h->b, mlirBlockGetFirstOperation(op_block(around, 0)));
  MlirValue slot = stack_array(h->b, type, count);
  builder_before(h->b, h->l->op);
  return slot;
}

static void pass_value(host_launch *h, MlirValue value) {
  MlirValue slot = slot_of(h, mlirValueGetType(value), 1);
  store_field(h->b, value, slot, 0);
  store_field(h->b, slot, h->arguments, h->count++ * (int64_t)sizeof(void *));
}

static void pass_array(host_launch *h, MlirValue array, int32_t use) {
  builder *b = h->b;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(array));
  MlirValue length = index_cast(b, memref_length(b, array), type_i(b, 64));
  MlirValue bytes = mul(b, length, constant_integer(b, type_i(b, 64), type_bytes(element)));
  MlirValue operands[] = {memref_pointer(b, array), bytes, constant_integer(b, type_i(b, 32), use),
                          h->status};
  pass_value(h, call(b, "lac_device_array", type_ptr(b), 4, operands));
  pass_value(h, length);
}

static void pass_complex(host_launch *h, MlirValue value) {
  MlirType part = mlirComplexTypeGetElementType(mlirValueGetType(value));
  pass_value(h, convert_value(h->b, "complex.re", value, part));
  pass_value(h, convert_value(h->b, "complex.im", value, part));
}

static void pass_one(host_launch *h, MlirValue value, int32_t use) {
  switch (parameter_kind_of(mlirValueGetType(value))) {
  case PARAMETER_ARRAY:
    pass_array(h, value, use);
    break;
  case PARAMETER_COMPLEX:
    pass_complex(h, value);
    break;
  case PARAMETER_INDEX:
    pass_value(h, index_cast(h->b, value, type_i(h->b, 64)));
    break;
  case PARAMETER_SCALAR:
    pass_value(h, value);
    break;
  case PARAMETER_STATUS:
    break;
  }
}

static MlirValue find_code(const host_launch *h, MlirValue image, MlirValue entry) {
  builder *b = h->b;
  arena *memory = arena_create();
  const char *name = arena_format(memory, "%.*s", TEXT(op_text(h->l->kernel, "sym_name")));
  MlirValue text = constant_integer(b, type_i(b, 64), 0);
  MlirValue operands[] = {constant_text(b, name), image, text, entry, h->status};
  MlirValue code = call(b, "lac_device_kernel", type_ptr(b), 5, operands);
  arena_free(memory);
  return code;
}

static void launch_code(const host_launch *h) {
  builder *b = h->b;
  MlirType i64 = type_i(b, 64);
  MlirValue blocks = mlirOperationGetOperand(h->l->op, LAUNCH_BLOCKS);
  MlirValue threads = mlirOperationGetOperand(h->l->op, LAUNCH_THREADS);
  MlirValue operands[] = {h->code,
                          index_cast(b, blocks, i64),
                          index_cast(b, threads, i64),
                          constant_integer(b, i64, h->shared),
                          h->arguments,
                          h->status};
  call(b, "lac_device_launch", (MlirType){NULL}, 6, operands);
}

/* ---- The pass ----------------------------------------------------------------------------- */

/* Memory that was taken for the launch alone. */
static bool is_scratch(MlirValue array) {
  MlirOperation made = value_owner(array);
  if (mlirOperationIsNull(made) || !mlirOperationGetNumOperands(made))
    return false;
  MlirOperation taken = value_owner(mlirOperationGetOperand(made, 0));
  return !mlirOperationIsNull(taken) && launch_scratch_is(taken);
}

/* What the kernel does with what it is passed, before its arguments are others. */
static int32_t *uses_of(arena *memory, const device_launch *l) {
  int32_t *uses = ARENA_ARRAY(memory, int32_t, l->count + 1);
  for (intptr_t i = 0; i < l->count; i++) {
    uses[i] = parameter_use(taken(l, i));
    if (is_scratch(launch_passed(l, i)))
      uses[i] |= LAC_DEVICE_SCRATCH;
  }
  return uses;
}

/* As NVPTX lays numbers out, which are as long as they are aligned. */
static void lay_out(builder *b, MlirOperation container) {
  static const char layout[] = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";
  op_set(container, "llvm.data_layout",
         mlirStringAttrGet(builder_context(b), mlirStringRefCreateFromCString(layout)));
}

/* The code of the kernel, loaded where it is asked for first. */
static MlirValue lower_kernel_of(const host_launch *h, MlirOperation module, bool emulated) {
  builder *b = h->b;
  const device_launch *l = h->l;
  if (emulated) {
    MlirStringRef name = emulated_kernel_make(b, l);
    builder_before(b, l->op);
    return find_code(h, null_pointer(b), address_of_function(b, name));
  }
  device_kernel_flatten(b, l);
  lay_out(b, l->container);
  builder_before(b, l->op);
  return find_code(h, find_image(b, module, l), null_pointer(b));
}

static bool lower_launch(builder *b, MlirOperation module, const device_launch *l, bool emulated) {
  arena *memory = arena_create();
  bool good = check_calls(memory, l) && check(l);
  if (good) {
    builder_set_location(b, mlirOperationGetLocation(l->op));
    builder_before(b, l->op);
    host_launch h = {.b = b, .l = l, .status = launch_status(l->op)};
    forget_status(l);
    h.shared = emulated ? emulated_shared_bytes(l) : 0;
    const int32_t *uses = uses_of(memory, l);
    h.code = lower_kernel_of(&h, module, emulated);
    h.arguments = slot_of(&h, type_ptr(b), 2 * l->count + 1);
    for (intptr_t i = 0; i < l->count; i++)
      pass_one(&h, launch_passed(l, i), uses[i]);
    launch_code(&h);
    mlirOperationDestroy(l->op);
  }
  arena_free(memory);
  return good;
}

static bool is_container(MlirOperation op) {
  return op_is(op, "gpu.module");
}

static bool drop(MlirOperation op, arena *memory) {
  (void)memory;
  mlirOperationDestroy(op);
  return true;
}

int lower_launches_run(MlirOperation module, const struct lower_launches_options *options) {
  arena *memory = arena_create();
  op_list launches = ops_below(memory, module, launch_is);
  builder *b = builder_create(mlirOperationGetContext(module), mlirOperationGetLocation(module));
  bool good = true;
  finish_launches(b, module);
  for (int i = 0; i < launches.count && good; i++) {
    device_launch l = launch_of(module, launches.ops[i]);
    good = lower_launch(b, module, &l, options->emulated);
  }
  if (good && options->emulated)
    change_operations(module, is_container, drop);
  builder_free(b);
  arena_free(memory);
  return good ? 0 : 1;
}
