/* emulated_kernel.c - a kernel as a function of the host, which a thread of the emulated device
 * calls (lac_emulated.h).
 *
 *     gpu.func @k(%y: memref<?xf64>, %n: index)      func.func @k(%arguments: !llvm.ptr)
 *       %t = gpu.thread_id x                           %t = call @lac_emulated_thread()
 *       gpu.barrier                            -->     call @lac_emulated_barrier()
 *       %x = memref.load %y[%t]                        if call @lac_emulated_reads(&%y[%t], 8)
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

static MlirValue index_of(builder *b, const char *function) {
  return index_cast(b, call(b, function, type_i(b, 64), 0, NULL), type_index(b));
}

/* Grids and blocks have one dimension. */
static void number_of(builder *b, MlirOperation op, const char *function, int64_t in_others) {
  bool first = !strcmp(attribute_words(op_attribute(op, "dimension")).text, "#gpu<dim x>");
  replace(op, first ? index_of(b, function) : constant_index(b, in_others));
}

static void make_thread(builder *b, MlirOperation op) {
  number_of(b, op, "lac_emulated_thread", 0);
}

static void make_block(builder *b, MlirOperation op) {
  number_of(b, op, "lac_emulated_block", 0);
}

static void make_threads(builder *b, MlirOperation op) {
  number_of(b, op, "lac_emulated_threads", 1);
}

static void make_blocks(builder *b, MlirOperation op) {
  number_of(b, op, "lac_emulated_blocks", 1);
}

static void make_barrier(builder *b, MlirOperation op) {
  (void)op;
  call(b, "lac_emulated_barrier", (MlirType){NULL}, 0, NULL);
}

static void make_warp_barrier(builder *b, MlirOperation op) {
  (void)op;
  call(b, "lac_emulated_warp_barrier", (MlirType){NULL}, 0, NULL);
}

/* ---- Shuffles ------------------------------------------------------------------------------- */

static MlirValue unary(builder *b, const char *op, MlirValue x, MlirType type) {
  return op_result(make_op(b, op, 1, &x, 1, &type, 0, NULL), 0);
}

static int64_t mode_of(MlirOperation shuffle) {
  static const char *const modes[] = {"bfly", "up", "down", "idx"};
  words kind = attribute_words(op_attribute(shuffle, "kind"));
  int64_t mode = 0;
  while (!strstr(kind.text, modes[mode]))
    mode++;
  return mode;
}

/* Of the whole warp, a word of 32 bits. */
static void make_shuffle(builder *b, MlirOperation op) {
  MlirType word = type_i(b, 32);
  MlirValue operands[] = {unary(b, "arith.extui", mlirOperationGetOperand(op, 1), type_i(b, 64)),
                          constant_integer(b, word, mode_of(op)), mlirOperationGetOperand(op, 2),
                          constant_integer(b, word, WARP)};
  MlirValue found = call(b, "lac_emulated_shuffle", type_i(b, 64), 4, operands);
  replace(op, unary(b, "arith.trunci", found, word));
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* A thread's own memory is not watched. */
static bool is_own(MlirValue memref) {
  MlirOperation made = value_owner(memref);
  return !mlirOperationIsNull(made) &&
         (op_is(made, "memref.alloca") || op_is(made, "memref.alloc"));
}

static MlirValue is_inside(builder *b, const char *question, MlirValue memref, MlirValue i) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  int64_t bytes = type_bytes(element);
  MlirValue offset = mul(b, i, constant_index(b, bytes));
  MlirValue place = element_pointer(b, memref_pointer(b, memref), offset, type_i(b, 8));
  MlirValue operands[] = {place, constant_integer(b, type_i(b, 64), bytes)};
  return call(b, question, type_i(b, 1), 2, operands);
}

static MlirValue zero_of(builder *b, MlirType type) {
  if (!type_is_complex(type))
    return constant_scalar(b, type, 0);
  MlirValue part = constant_scalar(b, mlirComplexTypeGetElementType(type), 0);
  MlirValue parts[] = {part, part};
  return op_result(make_op(b, "complex.create", 2, parts, 1, &type, 0, NULL), 0);
}

/* The access stays, under the condition that it is inside of an array; else it comes to zero. */
static void watch(builder *b, MlirOperation op, const char *question, intptr_t memref) {
  MlirValue array = mlirOperationGetOperand(op, memref);
  if (is_own(array))
    return;
  bool results = mlirOperationGetNumResults(op) > 0;
  int mark = var_mark(b);
  variable found;
  if (results)
    found = var_make(b, zero_of(b, mlirValueGetType(mlirOperationGetResult(op, 0))));
  if_begin(b, is_inside(b, question, array, mlirOperationGetOperand(op, memref + 1)));
  MlirOperation inside = insert_op(b, mlirOperationClone(op));
  if (results)
    var_set(b, found, op_result(inside, 0));
  if_end(b);
  if (results)
    replace(op, var_get(b, found));
  var_release(b, mark);
  mlirOperationDestroy(op);
}

static void watch_load(builder *b, MlirOperation op) {
  watch(b, op, "lac_emulated_reads", 0);
}

static void watch_store(builder *b, MlirOperation op) {
  watch(b, op, "lac_emulated_writes", 1);
}

static void watch_update(builder *b, MlirOperation op) {
  watch(b, op, "lac_emulated_updates", 1);
}

static void watch_trying(builder *b, MlirOperation op) {
  watch(b, op, "lac_emulated_updates", 0);
}

/* ---- The function --------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*lower)(builder *b, MlirOperation op);
  bool gone; /* the operation stands for nothing else */
} table[] = {{"gpu.thread_id", make_thread, true},
             {"gpu.block_id", make_block, true},
             {"gpu.block_dim", make_threads, true},
             {"gpu.grid_dim", make_blocks, true},
             {"gpu.barrier", make_barrier, true},
             {"nvvm.bar.warp.sync", make_warp_barrier, true},
             {"nvvm.shfl.sync", make_shuffle, true},
             {"memref.load", watch_load, false},
             {"memref.store", watch_store, false},
             {"memref.atomic_rmw", watch_update, false},
             {"memref.generic_atomic_rmw", watch_trying, false}};

enum { TABLE = sizeof table / sizeof *table };

static int row_of(MlirOperation op) {
  int row = 0;
  while (row < TABLE && !op_is(op, table[row].name))
    row++;
  return row;
}

static bool has_row(MlirOperation op) {
  return row_of(op) < TABLE;
}

static void lower_operations(builder *b, MlirOperation function) {
  arena *memory = arena_create();
  op_list ops = ops_below(memory, function, has_row);
  for (int i = 0; i < ops.count; i++) {
    int row = row_of(ops.ops[i]);
    builder_set_location(b, mlirOperationGetLocation(ops.ops[i]));
    builder_before(b, ops.ops[i]);
    table[row].lower(b, ops.ops[i]);
    if (table[row].gone)
      mlirOperationDestroy(ops.ops[i]);
  }
  arena_free(memory);
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

static void bind_shared(builder *b, const device_launch *l) {
  MlirBlock old = op_block(l->kernel, 0);
  int64_t offset = 0;
  for (intptr_t i = l->count; i < mlirBlockGetNumArguments(old); i++) {
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
  for (intptr_t i = l->count; i < mlirBlockGetNumArguments(entry); i++)
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
  builder_set_location(b, mlirOperationGetLocation(l->kernel));
  MlirOperation function = make_function(b, op_text(l->container, "sym_name"), &entry);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(l->container), l->container, function);
  builder_at_end(b, entry);
  bind_passed(b, l, mlirBlockGetArgument(entry, 0));
  bind_shared(b, l);
  move_body(b, l);
  lower_operations(b, function);
  return op_text(function, "sym_name");
}
