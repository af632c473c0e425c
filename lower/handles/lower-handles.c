/* lower-handles.c - Lower stored tensors to pointers to their handles.
 *
 *     func.func @f(%A: tensor<..>, %x: tensor<..>) -> tensor<..>
 *       -->
 *     func.func @f(%y: !llvm.ptr, %A: !llvm.ptr, %x: !llvm.ptr) -> i32
 *
 * Every value of tensor type becomes an !llvm.ptr to a lac_tensor, wherever it goes: through scf,
 * cf and calls.  Temporaries belong to a frame; after each call its status is taken, and once
 * something has failed no more calls are made:
 *
 *       %frame = lac_frame_enter()
 *       %t = lac_frame_tensor(%frame)
 *       if lac_frame_ok(%frame)
 *         lac_frame_check(%frame, f_kernel(%t, %A))
 *       if lac_frame_ok(%frame)
 *         lac_frame_check(%frame, f_kernel_0(%y, %t, %x))
 *       return lac_frame_leave(%frame)
 *
 * Results that are not tensors are stored where a pointer argument says.  Arguments of f16 and bf16
 * are taken as their bits, in an i16: where a caller puts a 16-bit float depends on the processor
 * that code is for, and C17 has no name for either.
 */
#include "bridge.h"

#include "handles.h"
#include "ir.h"
#include "sit.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <string.h>

typedef struct pass {
  MlirOperation module;
  MlirSymbolTable symbols;
  arena *memory;
} pass;

/* On functions that get the C interface, while the pass runs. */
static const char marked[] = "lacuna.handles";

static bool is_tensor(MlirType type) {
  return mlirTypeIsATensor(type);
}

/* Which functions: those whose type or body has tensors, or operations of ours. */

static bool has_no_tensor(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_tensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (is_tensor(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

static MlirType function_type(MlirOperation function) {
  return mlirTypeAttrGetValue(op_attribute(function, "function_type"));
}

static bool function_has_tensors(MlirOperation function) {
  MlirType type = function_type(function);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); i++)
    if (is_tensor(mlirFunctionTypeGetInput(type, i)))
      return true;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); i++)
    if (is_tensor(mlirFunctionTypeGetResult(type, i)))
      return true;
  return !visit_below(function, has_no_tensor, NULL);
}

/* Tensors become pointers. */

static MlirType lowered_type(MlirType type) {
  return is_tensor(type) ? mlirLLVMPointerTypeGet(mlirTypeGetContext(type), 0) : type;
}

static bool is_narrow_float(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
}

static MlirValue bits_as(builder *b, MlirValue value, MlirType type) {
  return convert_value(b, "arith.bitcast", value, type);
}

static void lower_value(MlirValue value) {
  if (is_tensor(mlirValueGetType(value)))
    mlirValueSetType(value, lowered_type(mlirValueGetType(value)));
}

static void lower_block_arguments(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        lower_value(mlirBlockGetArgument(block, i));
}

static bool lower_values(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    lower_value(mlirOperationGetResult(op, i));
  lower_block_arguments(op);
  return true;
}

/* Operations of a function, collected before anything changes. */

typedef struct work {
  arena *memory;
  handle_op *ops;
  size_t count, room;
} work;

static bool collect(MlirOperation op, void *data) {
  work *w = data;
  if (w->count == w->room) {
    w->room = w->room ? 2 * w->room : 64;
    handle_op *grown = ARENA_ARRAY(w->memory, handle_op, w->room);
    if (w->count)
      memcpy(grown, w->ops, w->count * sizeof *grown);
    w->ops = grown;
  }
  handle_op *h = &w->ops[w->count++];
  h->op = op;
  if (mlirOperationGetNumOperands(op))
    h->operand = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (mlirOperationGetNumResults(op))
    h->result = mlirValueGetType(mlirOperationGetResult(op, 0));
  return true;
}

/* A view is what it is a view of. */
static void see_through_views(MlirOperation function, arena *memory) {
  work w = {.memory = memory};
  visit_below(function, collect, &w);
  for (size_t i = 0; i < w.count; i++)
    if (tin_is_view(w.ops[i].op)) {
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(w.ops[i].op, 0),
                                    mlirOperationGetOperand(w.ops[i].op, 0));
      mlirOperationDestroy(w.ops[i].op);
    }
}

/* Calls: of kernels, and of functions that have the C interface. */

static MlirOperation callee_of(pass *p, MlirOperation call) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(op_attribute(call, "callee"));
  return mlirSymbolTableLookup(p->symbols, name);
}

static bool is_handle_call(pass *p, MlirOperation op) {
  if (sit_is_call(op))
    return true;
  if (!op_is(op, "func.call"))
    return false;
  MlirOperation callee = callee_of(p, op);
  return !mlirOperationIsNull(callee) && op_has(callee, marked);
}

static MlirValue passed(builder *b, MlirOperation call, intptr_t i) {
  MlirValue operand = mlirOperationGetOperand(call, i);
  if (!is_narrow_float(mlirValueGetType(operand)))
    return operand;
  builder_before(b, call);
  return bits_as(b, operand, type_i(b, 16));
}

/* Scalars come back through memory on the stack. */
static void lower_call(activation *a, MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op), operands = mlirOperationGetNumOperands(op);
  MlirValue *arguments = ARENA_ARRAY(a->memory, MlirValue, results + operands);
  for (intptr_t i = 0; i < results; i++)
    arguments[i] = activation_destination(a, op, i);
  for (intptr_t i = 0; i < operands; i++)
    arguments[results + i] = passed(a->b, op, i);
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(op_attribute(op, "callee"));
  activation_call(a, op, arena_text(a->memory, name.data, name.length), results + operands,
                  arguments);
  for (intptr_t i = 0; i < results; i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    bool tensor = mlirTypeEqual(type, type_ptr(a->b));
    mlirValueReplaceAllUsesOfWith(result,
                                  tensor ? arguments[i] : load_field(a->b, arguments[i], 0, type));
  }
}

/* Gives the value that is result i: computed there already, a tensor of the frame, or a scalar. */
static void give_result(activation *a, MlirOperation op, intptr_t i) {
  builder *b = a->b;
  MlirValue value = mlirOperationGetOperand(op, i), out = a->out[i];
  bool tensor = mlirTypeEqual(mlirValueGetType(value), type_ptr(b));
  if (mlirValueEqual(value, out))
    return;
  MlirValue arguments[] = {tensor ? activation_frame(a) : (MlirValue){NULL}, value, out};
  builder_before(b, op);
  if (tensor)
    call(b, "lac_frame_result", (MlirType){NULL}, 3, arguments);
  else
    store_field(b, value, out, 0);
}

static void lower_return(activation *a, MlirOperation op) {
  builder *b = a->b;
  for (intptr_t i = 0; i < a->result_count; i++)
    give_result(a, op, i);
  builder_before(b, op);
  MlirValue status = a->status.ptr  ? a->status
                     : a->frame.ptr ? call(b, "lac_frame_leave", type_i(b, 32), 1, &a->frame)
                                    : constant_scalar(b, type_i(b, 32), 0);
  status = activation_end_results(a, status);
  make_op(b, "func.return", 1, &status, 0, NULL, 0, NULL);
}

/* Operations that carry tensors without looking into them stay as they are. */
static bool carries_tensors(MlirOperation op) {
  static const char *const names[] = {
      "scf.if",        "scf.for",          "scf.while",          "scf.yield",
      "scf.condition", "scf.index_switch", "scf.execute_region", "cf.br",
      "cf.cond_br",    "cf.switch",        "arith.select"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (op_is(op, names[i]))
      return true;
  return false;
}

static bool is_dim(MlirOperation op) {
  return op_is(op, "tensor.dim");
}

static bool is_extract(MlirOperation op) {
  return op_is(op, "tensor.extract");
}

static const struct {
  op_kind *is;
  handle_function *lower;
} table[] = {{tin_is_read, handle_read},
             {tin_is_write, handle_write},
             {tin_is_print, handle_print},
             {tin_is_match, handle_match},
             {tin_is_assemble, handle_assemble},
             {tin_is_disassemble, handle_disassemble},
             {tin_is_require_equal, handle_require_equal},
             {is_dim, handle_dim},
             {is_extract, handle_extract}};

static handle_function *find_lowering(MlirOperation op) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].is(op))
      return table[i].lower;
  return NULL;
}

static bool is_known(pass *p, const handle_op *h) {
  if (has_no_tensor(h->op, NULL) || carries_tensors(h->op) || find_lowering(h->op) ||
      op_is(h->op, "func.return") || is_handle_call(p, h->op))
    return true;
  return error_at(h->op,
                  "'%.*s' on stored tensors cannot be lowered: expected calls, control flow, "
                  "tin.read, tin.write, tin.print, tin.match, tin.assemble, tin.disassemble, "
                  "tin.view, tin.require_equal, tensor.dim or tensor.extract",
                  TEXT(op_name(h->op)));
}

static bool lower_op(pass *p, activation *a, const handle_op *h) {
  handle_function *lower = find_lowering(h->op);
  builder_set_location(a->b, mlirOperationGetLocation(h->op));
  bool good = true;
  if (lower)
    good = lower(a, h);
  else if (is_handle_call(p, h->op))
    lower_call(a, h->op);
  else if (op_is(h->op, "func.return"))
    lower_return(a, h->op);
  else
    return true;
  if (good)
    mlirOperationDestroy(h->op);
  return good;
}

/* Whether `op` gives a status: what is at most one in a function without a frame. */
static bool gives_status(pass *p, MlirOperation op) {
  return is_handle_call(p, op) || find_lowering(op);
}

static bool has_one_block(MlirOperation function) {
  MlirBlock first = op_block(function, 0);
  return mlirBlockIsNull(mlirBlockGetNextInRegion(first));
}

static bool is_in_entry(activation *a, MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(value)), a->entry);
}

/* Results that a call in the entry block can compute in place: of functions of one block, each
 * returned once. */
static void find_given(pass *p, activation *a) {
  a->given = ARENA_ARRAY(a->memory, MlirValue, a->result_count + 1);
  if (!has_one_block(a->function))
    return;
  MlirOperation end = mlirBlockGetTerminator(a->entry);
  for (intptr_t i = 0; i < a->result_count; i++) {
    MlirValue value = mlirOperationGetOperand(end, i);
    bool once = is_tensor(mlirValueGetType(value)) && is_in_entry(a, value) &&
                gives_status(p, mlirOpResultGetOwner(value));
    for (intptr_t j = 0; j < a->result_count; j++)
      once = once && (i == j || !mlirValueEqual(value, mlirOperationGetOperand(end, j)));
    if (once)
      a->given[i] = value;
  }
}

/* One status in all, and every tensor that comes back is computed in place. */
static void find_alone(pass *p, activation *a, const work *w) {
  int calls = 0;
  for (size_t i = 0; i < w->count; i++) {
    MlirOperation op = w->ops[i].op;
    bool scalar_access = is_dim(op) || is_extract(op);
    calls += scalar_access ? 2 : gives_status(p, op);
    if (gives_status(p, op) && !mlirBlockEqual(mlirOperationGetBlock(op), a->entry))
      calls = 2;
    if (is_handle_call(p, op) || find_lowering(op))
      for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
        calls += !mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, r)));
  }
  a->alone = has_one_block(a->function) && calls <= 1;
  MlirOperation end = mlirBlockGetTerminator(a->entry);
  for (intptr_t i = 0; a->alone && i < a->result_count; i++)
    a->alone = a->given[i].ptr || !is_tensor(mlirValueGetType(mlirOperationGetOperand(end, i)));
}

/* Of the arguments of the new type, which are tensors. */
static const bool *find_tensors(pass *p, activation *a) {
  MlirType type = function_type(a->function);
  intptr_t results = mlirFunctionTypeGetNumResults(type),
           inputs = mlirFunctionTypeGetNumInputs(type);
  bool *found = ARENA_ARRAY(p->memory, bool, results + inputs + 1);
  for (intptr_t i = 0; i < results; i++)
    found[i] = is_tensor(mlirFunctionTypeGetResult(type, i));
  for (intptr_t i = 0; i < inputs; i++)
    found[results + i] = is_tensor(mlirFunctionTypeGetInput(type, i));
  return found;
}

static MlirType interface_type(builder *b, MlirType type) {
  return is_narrow_float(type) ? type_i(b, 16) : lowered_type(type);
}

static void take_narrow_float(activation *a, intptr_t i) {
  MlirValue argument = mlirBlockGetArgument(a->entry, i);
  MlirType type = mlirValueGetType(argument);
  if (!is_narrow_float(type))
    return;
  MlirOperation first = mlirBlockGetFirstOperation(a->entry);
  mlirValueSetType(argument, type_i(a->b, 16));
  builder_before(a->b, first);
  MlirValue value = bits_as(a->b, argument, type);
  mlirValueReplaceAllUsesExcept(argument, value, 1, (MlirOperation[]){mlirOpResultGetOwner(value)});
}

/* The new type: pointers to the results, the operands; a status. */
static void set_interface(pass *p, activation *a) {
  builder *b = a->b;
  MlirType old = function_type(a->function);
  intptr_t results = mlirFunctionTypeGetNumResults(old), inputs = mlirFunctionTypeGetNumInputs(old);
  MlirType *types = ARENA_ARRAY(p->memory, MlirType, results + inputs);
  for (intptr_t i = 0; i < results; i++)
    types[i] = type_ptr(b);
  for (intptr_t i = 0; i < inputs; i++)
    types[results + i] = interface_type(b, mlirFunctionTypeGetInput(old, i));
  MlirType i32 = type_i(b, 32);
  MlirType type = mlirFunctionTypeGet(builder_context(b), results + inputs, types, 1, &i32);
  op_set(a->function, "function_type", mlirTypeAttrGet(type));
  mlirOperationRemoveAttributeByName(a->function, mlirStringRefCreateFromCString("arg_attrs"));
  mlirOperationRemoveAttributeByName(a->function, mlirStringRefCreateFromCString("res_attrs"));
  for (intptr_t i = 0; !mlirBlockIsNull(a->entry) && i < results; i++)
    mlirBlockInsertArgument(a->entry, i, type_ptr(b), builder_location(b));
  for (intptr_t i = 0; !mlirBlockIsNull(a->entry) && i < inputs; i++)
    take_narrow_float(a, results + i);
}

static bool lends_no_arrays(MlirOperation op, void *data) {
  (void)data;
  return !tin_is_disassemble(op);
}

/* Loops none of whose tensors has arrays that somebody holds. */
static const MlirOperation *sweepable_loops(activation *a, const work *w, intptr_t *count) {
  MlirOperation *loops = ARENA_ARRAY(a->memory, MlirOperation, w->count + 1);
  *count = 0;
  for (size_t i = 0; i < w->count; i++)
    if ((op_is(w->ops[i].op, "scf.for") || op_is(w->ops[i].op, "scf.while")) &&
        visit_below(w->ops[i].op, lends_no_arrays, NULL))
      loops[(*count)++] = w->ops[i].op;
  return loops;
}

static bool lower_body(pass *p, activation *a) {
  work w = {.memory = p->memory};
  see_through_views(a->function, p->memory);
  visit_below(a->function, collect, &w);
  for (size_t i = 0; i < w.count; i++)
    if (!is_known(p, &w.ops[i]))
      return false;
  find_given(p, a);
  find_alone(p, a, &w);
  const bool *tensors = find_tensors(p, a);
  lower_values(a->function, NULL);
  visit_below(a->function, lower_values, NULL);
  set_interface(p, a);
  activation_begin_results(a, tensors);
  intptr_t loop_count;
  const MlirOperation *loops = sweepable_loops(a, &w, &loop_count);
  for (size_t i = 0; i < w.count; i++)
    if (!lower_op(p, a, &w.ops[i]))
      return false;
  activation_sweep_loops(a, loop_count, loops);
  return true;
}

static bool lower_function(pass *p, MlirOperation function) {
  builder *b =
      builder_create(mlirOperationGetContext(function), mlirOperationGetLocation(function));
  activation a = {.memory = p->memory,
                  .b = b,
                  .function = function,
                  .entry = op_block(function, 0),
                  .result_count = mlirFunctionTypeGetNumResults(function_type(function))};
  bool good = true;
  if (mlirBlockIsNull(a.entry))
    set_interface(p, &a);
  else
    good = lower_body(p, &a);
  builder_free(b);
  return good;
}

int lower_handles_run(MlirOperation module, const struct lower_handles_options *options) {
  (void)options;
  pass p = {.module = module, .memory = arena_create(), .symbols = mlirSymbolTableCreate(module)};
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(module));
  for (OPERATIONS(op, op_block(module, 0)))
    if (op_is(op, "func.func") && function_has_tensors(op))
      op_set(op, marked, unit);
  bool good = true;
  for (OPERATIONS(op, op_block(module, 0)))
    if (op_has(op, marked))
      good = good && lower_function(&p, op);
  for (OPERATIONS(op, op_block(module, 0)))
    mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString(marked));
  mlirSymbolTableDestroy(p.symbols);
  arena_free(p.memory);
  return good ? 0 : 1;
}
