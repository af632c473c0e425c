/* lower-sit.c - Lower sparse iteration to loops, by the level formats' functions.
 *
 *     func.func @f(%A, %x) {              func.func @f(%A, %x) {
 *       %y = sit.kernel (%A, %x) {          %y = sit.call @f_kernel(%A, %x)
 *         walks                             return %y
 *       }                           -->   }
 *       return %y                         func.func private @f_kernel(%y, %A, %x) -> i32 {
 *     }                                     scf, memref, arith, on handles
 *                                         }
 */
#include "bridge.h"

#include "ir.h"
#include "kernel.h"
#include "op_list.h"
#include "sit.h"
#include "sit_ops.h"
#include "statistics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <string.h>

typedef struct pass {
  MlirOperation module;
  MlirSymbolTable symbols;
  arena *memory;
  bool strict, deterministic;
  int64_t vector_bits;
  bool gathers, threads;
} pass;

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/* The name of the function that the kernel stands in, then "_kernel"; the symbol table makes it
 * unique. */
static MlirAttribute function_name(pass *p, MlirOperation kernel) {
  MlirOperation parent = kernel;
  while (!mlirOperationIsNull(parent) && !op_has(parent, "sym_name"))
    parent = mlirOperationGetParentOperation(parent);
  MlirStringRef name = op_text(parent, "sym_name");
  return text_attribute(mlirOperationGetContext(kernel),
                        ref(arena_format(p->memory, "%.*s_kernel", TEXT(name))));
}

/* The type of an operand as the function takes it: tensors are handles, scalars themselves. */
static MlirType argument_type(builder *b, MlirType type) {
  return mlirTypeIsARankedTensor(type) ? type_ptr(b) : type;
}

static MlirType function_type(pass *p, builder *b, MlirOperation kernel) {
  intptr_t count = mlirOperationGetNumOperands(kernel);
  MlirType *inputs = ARENA_ARRAY(p->memory, MlirType, count + 1);
  inputs[0] = type_ptr(b);
  for (intptr_t i = 0; i < count; i++)
    inputs[i + 1] = argument_type(b, mlirValueGetType(mlirOperationGetOperand(kernel, i)));
  MlirType i32 = type_i(b, 32);
  return mlirFunctionTypeGet(builder_context(b), count + 1, inputs, 1, &i32);
}

static MlirRegion body_region(pass *p, builder *b, MlirType type) {
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  MlirType *types = ARENA_ARRAY(p->memory, MlirType, count);
  MlirLocation *locations = ARENA_ARRAY(p->memory, MlirLocation, count);
  for (intptr_t i = 0; i < count; i++) {
    types[i] = mlirFunctionTypeGetInput(type, i);
    locations[i] = builder_location(b);
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(count, types, locations));
  return region;
}

/* So that LLVM sees all calls of a kernel, and inlines the only one. */
static MlirAttribute internal_linkage(MlirContext context) {
  return mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal);
}

/* An empty function for the kernel at the module's end, under a name that is free. */
static MlirOperation make_function(pass *p, builder *b, MlirOperation kernel) {
  MlirType type = function_type(p, b, kernel);
  MlirNamedAttribute attributes[] = {
      named(b, "sym_name", function_name(p, kernel)),
      named(b, "function_type", mlirTypeAttrGet(type)),
      named(b, "sym_visibility", text_attribute(builder_context(b), ref("private"))),
      named(b, "llvm.linkage", internal_linkage(builder_context(b)))};
  MlirRegion region = body_region(p, b, type);
  MlirOperationState state = mlirOperationStateGet(ref("func.func"), builder_location(b));
  mlirOperationStateAddAttributes(&state, 4, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation function = mlirOperationCreate(&state);
  mlirSymbolTableInsert(p->symbols, function);
  return function;
}

static void replace_by_call(MlirOperation kernel, MlirOperation function) {
  MlirValue result = mlirOperationGetResult(kernel, 0);
  MlirOperation call = sit_call_create(kernel, op_text(function, "sym_name"));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(kernel), kernel, call);
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(call, 0));
  mlirOperationDestroy(kernel);
}

static bool lower_one(pass *p, MlirOperation kernel) {
  builder *b = builder_create(mlirOperationGetContext(kernel), mlirOperationGetLocation(kernel));
  MlirOperation function = make_function(p, b, kernel);
  walked_kernel walked = {.memory = p->memory,
                          .op = kernel,
                          .strict = p->strict,
                          .vector_bits = p->vector_bits,
                          .gathers = true};
  lowering k = {.memory = p->memory,
                .walked = &walked,
                .b = b,
                .strict = p->strict,
                .deterministic = p->deterministic,
                .vector_bits = p->vector_bits,
                .gathers = p->gathers,
                .threads = p->threads,
                .op = kernel};
  bool good = lower_kernel(&k, op_block(function, 0));
  if (good)
    replace_by_call(kernel, function);
  statistic_add(STATISTIC_KERNELS, good);
  builder_free(b);
  return good;
}

int lower_sit_run(MlirOperation module, const struct lower_sit_options *options) {
  int64_t bits = options ? options->bits : 512;
  if (bits != 128 && bits != 256 && bits != 512)
    return !error_at(module, "expected vectors of 128, 256 or 512 bits, found %lld",
                     (long long)bits);
  pass p = {.module = module,
            .memory = arena_create(),
            .strict = options && options->strict,
            .deterministic = options && options->deterministic,
            .vector_bits = bits,
            .gathers = !options || options->gathers,
            .threads = options && options->threads != 1};
  p.symbols = mlirSymbolTableCreate(module);
  op_list kernels = ops_below(p.memory, module, sit_is_kernel);
  bool good = true;
  for (int i = 0; good && i < kernels.count; i++)
    good = lower_one(&p, kernels.ops[i]);
  mlirSymbolTableDestroy(p.symbols);
  arena_free(p.memory);
  return good ? 0 : 1;
}
