/* emulated_kernel.c - a kernel as a function of the host, which a thread of the emulated device
 * calls (lac_emulated.h).
 *
 *     gpu.func @k(%y: memref<?xf64>, %n: index)      func.func @k(%arguments: !llvm.ptr)
 *       %t = gpu.thread_id x                           %t = call @lac_emulated_thread()
 *       gpu.barrier                            -->     call @lac_emulated_barrier()
 *       %x = memref.load %y[%t]                        if call @lac_emulated_reads(&%y[%t], 8, 0)
 *                                                        %x = memref.load %y[%t]
 */
#include "arena.h"
#include "gpu_scope.h"
#include "ir.h"
#include "launches.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

enum { SHARED_ALIGNMENT = 16 };

/* ---- What is called ------------------------------------------------------------------------- */

static void replace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
}

/* What stands for an operation: a call of `function`.  `number` is which of its operands is an
 * array, or what it is of in dimensions that grids and blocks do not have.  `lower` says whether
 * nothing of the operation is left; `site` is the operation's number in the kernel. */
typedef struct rule {
  const char *name;
  bool (*lower)(builder *b, MlirOperation op, const struct rule *r, int site);
  const char *function;
  int64_t number;
} rule;

static bool make_number(builder *b, MlirOperation op, const rule *r, int site) {
  (void)site;
  bool first = !strcmp(attribute_words(op_attribute(op, "dimension")).text, "#gpu<dim x>");
  replace(op, first ? index_cast(b, call(b, r->function, type_i(b, 64), 0, NULL), type_index(b))
                    : constant_index(b, r->number));
  return true;
}

static bool make_barrier(builder *b, MlirOperation op, const rule *r, int site) {
  (void)site;
  (void)op;
  call(b, r->function, (MlirType){NULL}, 0, NULL);
  return true;
}

static bool make_warp_barrier(builder *b, MlirOperation op, const rule *r, int site) {
  (void)site;
  MlirValue lanes = mlirOperationGetOperand(op, 0);
  call(b, r->function, (MlirType){NULL}, 1, &lanes);
  return true;
}

/* ---- Shuffles ------------------------------------------------------------------------------- */

static int64_t mode_of(MlirOperation shuffle) {
  static const char *const modes[] = {"bfly", "up", "down", "idx"};
  words kind = attribute_words(op_attribute(shuffle, "kind"));
  int64_t mode = 0;
  while (!strstr(kind.text, modes[mode]))
    mode++;
  return mode;
}

/* Of the lanes that it names, a word of 32 bits. */
static bool make_shuffle(builder *b, MlirOperation op, const rule *r, int site) {
  (void)site;
  MlirType word = type_i(b, 32);
  MlirValue operands[] = {
      convert_value(b, "arith.extui", mlirOperationGetOperand(op, 1), type_i(b, 64)),
      constant_integer(b, word, mode_of(op)), mlirOperationGetOperand(op, 2),
      mlirOperationGetOperand(op, 0)};
  MlirValue found = call(b, r->function, type_i(b, 64), 4, operands);
  replace(op, convert_value(b, "arith.trunci", found, word));
  return true;
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* A thread's own memory is not watched. */
static bool is_own(MlirValue memref) {
  MlirOperation made = value_owner(memref);
  return !mlirOperationIsNull(made) &&
         (op_is(made, "memref.alloca") || op_is(made, "memref.alloc"));
}

static MlirValue is_inside(builder *b, const char *question, MlirValue memref, MlirValue i,
                           int site) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  int64_t bytes = type_bytes(element);
  MlirValue offset = mul(b, i, constant_index(b, bytes));
  MlirValue place = element_pointer(b, memref_pointer(b, memref), offset, type_i(b, 8));
  MlirValue operands[] = {place, constant_integer(b, type_i(b, 64), bytes),
                          constant_integer(b, type_i(b, 32), site)};
  return call(b, question, type_i(b, 1), 3, operands);
}

/* The access stays, under the condition that it is inside of an array; else it comes to zero. */
static bool watch(builder *b, MlirOperation op, const rule *r, int site) {
  MlirValue array = mlirOperationGetOperand(op, r->number);
  if (is_own(array))
    return false;
  bool results = mlirOperationGetNumResults(op) > 0;
  int mark = var_mark(b);
  variable found;
  if (results)
    found = var_make(b, constant_scalar(b, mlirValueGetType(mlirOperationGetResult(op, 0)), 0));
  if_begin(b, is_inside(b, r->function, array, mlirOperationGetOperand(op, r->number + 1), site));
  MlirOperation inside = insert_op(b, mlirOperationClone(op));
  if (results)
    var_set(b, found, op_result(inside, 0));
  if_end(b);
  if (results)
    replace(op, var_get(b, found));
  var_release(b, mark);
  return true;
}

/* ---- The function --------------------------------------------------------------------------- */

static const rule rules[] = {
    {"gpu.thread_id", make_number, "lac_emulated_thread", 0},
    {"gpu.block_id", make_number, "lac_emulated_block", 0},
    {"gpu.block_dim", make_number, "lac_emulated_threads", 1},
    {"gpu.grid_dim", make_number, "lac_emulated_blocks", 1},
    {"gpu.barrier", make_barrier, "lac_emulated_barrier", 0},
    {"nvvm.bar.warp.sync", make_warp_barrier, "lac_emulated_warp_barrier", 0},
    {"nvvm.shfl.sync", make_shuffle, "lac_emulated_shuffle", 0},
    {"memref.load", watch, "lac_emulated_reads", 0},
    {"memref.store", watch, "lac_emulated_writes", 1},
    {"memref.atomic_rmw", watch, "lac_emulated_updates", 1},
    {"memref.generic_atomic_rmw", watch, "lac_emulated_updates", 0}};

/* NULL for none. */
static const rule *rule_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (op_is(op, rules[i].name))
      return &rules[i];
  return NULL;
}

static bool has_rule(MlirOperation op) {
  return rule_of(op);
}

static void lower_operations(builder *b, MlirOperation function) {
  arena *memory = arena_create();
  op_list ops = ops_below(memory, function, has_rule);
  for (int i = 0; i < ops.count; i++) {
    const rule *r = rule_of(ops.ops[i]);
    builder_set_location(b, mlirOperationGetLocation(ops.ops[i]));
    builder_before(b, ops.ops[i]);
    if (r->lower(b, ops.ops[i], r, i))
      mlirOperationDestroy(ops.ops[i]);
  }
  arena_free(memory);
}

/* Kernels of several gpu.modules may have one name. */
static MlirStringRef function_name(arena *memory, const device_launch *l) {
  return mlirStringRefCreateFromCString(arena_format(memory, "%.*s.%.*s",
                                                     TEXT(op_text(l->container, "sym_name")),
                                                     TEXT(op_text(l->kernel, "sym_name"))));
}

static MlirOperation make_function(builder *b, MlirStringRef name, MlirBlock *entry) {
  MlirType pointer = type_ptr(b);
  MlirLocation location = builder_location(b);
  MlirType type = mlirFunctionTypeGet(builder_context(b), 1, &pointer, 0, NULL);
  MlirNamedAttribute attributes[] = {
      named(b, "sym_name", mlirStringAttrGet(builder_context(b), name)),
      named(b, "function_type", mlirTypeAttrGet(type)),
      named(b, "sym_visibility",
            mlirStringAttrGet(builder_context(b), mlirStringRefCreateFromCString("private")))};
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("func.func"), location);
  MlirRegion region = mlirRegionCreate();
  *entry = mlirBlockCreate(1, &pointer, &location);
  mlirRegionAppendOwnedBlock(region, *entry);
  mlirOperationStateAddAttributes(&state, sizeof attributes / sizeof *attributes, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

/* What argument `number` of the launch points to. */
static MlirValue load_argument(builder *b, MlirValue arguments, int64_t number, MlirType type) {
  MlirValue pointer = load_field(b, arguments, number * (int64_t)sizeof(void *), type_ptr(b));
  return load_field(b, pointer, 0, type);
}

static void bind_passed(builder *b, const device_launch *l, MlirValue arguments) {
  MlirBlock old = op_block(l->kernel, 0);
  int64_t number = 0;
  for (intptr_t i = 0; i < l->count; i++) {
    MlirValue argument = mlirBlockGetArgument(old, i), parts[2];
    MlirType types[2];
    int count = parameter_types(b, mlirValueGetType(argument), type_ptr(b), types);
    for (int part = 0; part < count; part++)
      parts[part] = load_argument(b, arguments, number++, types[part]);
    if (count)
      mlirValueReplaceAllUsesOfWith(argument,
                                    parameter_rebuild(b, mlirValueGetType(argument), parts));
  }
}

static int64_t shared_bytes_of(MlirType memref) {
  int64_t bytes =
      mlirShapedTypeGetDimSize(memref, 0) * type_bytes(mlirShapedTypeGetElementType(memref));
  return (bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
}

/* Where arguments end that blocks share; those that each thread has to itself follow. */
static intptr_t shared_end(const device_launch *l) {
  return l->count + op_integer(l->kernel, "workgroup_attributions", 0);
}

static void bind_private(builder *b, const device_launch *l) {
  MlirBlock old = op_block(l->kernel, 0);
  for (intptr_t i = shared_end(l); i < mlirBlockGetNumArguments(old); i++) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(old, i));
    MlirType element = mlirShapedTypeGetElementType(type);
    int64_t count = mlirShapedTypeGetDimSize(type, 0);
    MlirType own = mlirMemRefTypeContiguousGet(element, 1, &count, (MlirAttribute){NULL});
    const int32_t none[] = {0, 0};
    MlirNamedAttribute segments =
        named(b, "operandSegmentSizes", mlirDenseI32ArrayGet(builder_context(b), 2, none));
    MlirOperation made = make_op(b, "memref.alloca", 0, NULL, 1, &own, 1, &segments);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, i), op_result(made, 0));
  }
}

static void bind_shared(builder *b, const device_launch *l) {
  MlirBlock old = op_block(l->kernel, 0);
  int64_t offset = 0;
  for (intptr_t i = l->count; i < shared_end(l); i++) {
    MlirValue argument = mlirBlockGetArgument(old, i);
    MlirType type = mlirValueGetType(argument);
    MlirValue base = call(b, "lac_emulated_shared", type_ptr(b), 0, NULL);
    MlirValue place = element_pointer(b, base, constant_index(b, offset), type_i(b, 8));
    MlirValue length = constant_index(b, mlirShapedTypeGetDimSize(type, 0));
    mlirValueReplaceAllUsesOfWith(
        argument, memref_from_pointer(b, place, length, mlirShapedTypeGetElementType(type)));
    offset += shared_bytes_of(type);
  }
}

int64_t emulated_shared_bytes(const device_launch *l) {
  MlirBlock entry = op_block(l->kernel, 0);
  int64_t bytes = 0;
  for (intptr_t i = l->count; i < shared_end(l); i++)
    bytes += shared_bytes_of(mlirValueGetType(mlirBlockGetArgument(entry, i)));
  return bytes;
}

static void move_body(builder *b, const device_launch *l) {
  MlirBlock old = op_block(l->kernel, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(old); !op_is(op, "gpu.return");
       op = mlirBlockGetFirstOperation(old)) {
    mlirOperationRemoveFromParent(op);
    insert_op(b, op);
  }
  make_op(b, "func.return", 0, NULL, 0, NULL, 0, NULL);
}

MlirStringRef emulated_kernel_make(builder *b, const device_launch *l) {
  MlirBlock entry;
  arena *memory = arena_create();
  builder_set_location(b, mlirOperationGetLocation(l->kernel));
  MlirOperation function = make_function(b, function_name(memory, l), &entry);
  arena_free(memory);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(l->container), l->container, function);
  builder_at_end(b, entry);
  bind_passed(b, l, mlirBlockGetArgument(entry, 0));
  bind_shared(b, l);
  bind_private(b, l);
  move_body(b, l);
  lower_operations(b, function);
  return op_text(function, "sym_name");
}
