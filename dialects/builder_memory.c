/* builder_memory.c - memrefs, pointers, calls and constant texts. */
#include "builder.h"

#include "arena.h"
#include "builder_state.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <string.h>

static MlirStringRef text_of(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/* ---- Memrefs ------------------------------------------------------------------------------ */

MlirValue load(builder *b, MlirValue memref, MlirValue i) {
  MlirValue operands[] = {memref, i};
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  return op_result(make_op(b, "memref.load", 2, operands, 1, &type, 0, NULL), 0);
}

void store(builder *b, MlirValue value, MlirValue memref, MlirValue i) {
  MlirValue operands[] = {value, memref, i};
  make_op(b, "memref.store", 3, operands, 0, NULL, 0, NULL);
}

MlirValue memref_length(builder *b, MlirValue memref) {
  MlirValue operands[] = {memref, constant_index(b, 0)};
  MlirType type = type_index(b);
  return op_result(make_op(b, "memref.dim", 2, operands, 1, &type, 0, NULL), 0);
}

/* ---- Pointers ----------------------------------------------------------------------------- */

static MlirValue field_address(builder *b, MlirValue ptr, int64_t byte_offset) {
  if (!byte_offset)
    return ptr;
  const int32_t offset[] = {(int32_t)byte_offset};
  MlirType type = type_ptr(b);
  MlirNamedAttribute attributes[] = {
      named(b, "elem_type", mlirTypeAttrGet(type_i(b, 8))),
      named(b, "rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, offset)),
  };
  return op_result(make_op(b, "llvm.getelementptr", 1, &ptr, 1, &type, 2, attributes), 0);
}

MlirValue load_field(builder *b, MlirValue ptr, int64_t byte_offset, MlirType type) {
  MlirValue address = field_address(b, ptr, byte_offset);
  bool index = mlirTypeIsAIndex(type);
  MlirType stored = index ? type_i(b, 64) : type;
  MlirValue value = op_result(make_op(b, "llvm.load", 1, &address, 1, &stored, 0, NULL), 0);
  return index ? index_cast(b, value, type) : value;
}

MlirValue load_shared(builder *b, MlirValue ptr, MlirType type) {
  enum { MONOTONIC = 2 };
  MlirType i64 = type_i(b, 64);
  MlirNamedAttribute attributes[] = {
      named(b, "alignment", mlirIntegerAttrGet(i64, mlirIntegerTypeGetWidth(type) / 8)),
      named(b, "ordering", mlirIntegerAttrGet(i64, MONOTONIC))};
  return op_result(make_op(b, "llvm.load", 1, &ptr, 1, &type, 2, attributes), 0);
}

void store_field(builder *b, MlirValue value, MlirValue ptr, int64_t byte_offset) {
  if (mlirTypeIsAIndex(mlirValueGetType(value)))
    value = index_cast(b, value, type_i(b, 64));
  MlirValue operands[] = {value, field_address(b, ptr, byte_offset)};
  make_op(b, "llvm.store", 2, operands, 0, NULL, 0, NULL);
}

MlirValue stack_array(builder *b, MlirType element, int64_t count) {
  MlirValue size = constant_attr(b, mlirIntegerAttrGet(type_i(b, 64), count));
  MlirType type = type_ptr(b);
  MlirNamedAttribute attributes[] = {named(b, "elem_type", mlirTypeAttrGet(element))};
  return op_result(make_op(b, "llvm.alloca", 1, &size, 1, &type, 1, attributes), 0);
}

/* The struct that a one-dimensional memref is in LLVM: allocated and aligned pointer, offset, size,
 * stride. */
static MlirType descriptor_type(builder *b) {
  MlirType one = mlirLLVMArrayTypeGet(type_i(b, 64), 1);
  MlirType fields[] = {type_ptr(b), type_ptr(b), type_i(b, 64), one, one};
  return mlirLLVMStructTypeLiteralGet(b->context, 5, fields, false);
}

static MlirValue insert_field(builder *b, MlirValue descriptor, MlirValue field, intptr_t depth,
                              const int64_t *path) {
  MlirValue operands[] = {descriptor, field};
  MlirType type = mlirValueGetType(descriptor);
  MlirNamedAttribute attributes[] = {
      named(b, "position", mlirDenseI64ArrayGet(b->context, depth, path))};
  return op_result(make_op(b, "llvm.insertvalue", 2, operands, 1, &type, 1, attributes), 0);
}

MlirValue memref_from_pointer(builder *b, MlirValue ptr, MlirValue length, MlirType element) {
  MlirType i64 = type_i(b, 64), type = descriptor_type(b), memref = type_memref(b, element);
  MlirValue zero = constant_attr(b, mlirIntegerAttrGet(i64, 0));
  MlirValue one = constant_attr(b, mlirIntegerAttrGet(i64, 1));
  const int64_t paths[][2] = {{0}, {1}, {2}, {3, 0}, {4, 0}};
  MlirValue fields[] = {ptr, ptr, zero, index_cast(b, length, i64), one};
  MlirValue descriptor = op_result(make_op(b, "llvm.mlir.poison", 0, NULL, 1, &type, 0, NULL), 0);
  for (int i = 0; i < 5; i++)
    descriptor = insert_field(b, descriptor, fields[i], i < 3 ? 1 : 2, paths[i]);
  return op_result(
      make_op(b, "builtin.unrealized_conversion_cast", 1, &descriptor, 1, &memref, 0, NULL), 0);
}

static MlirValue address_of(builder *b, MlirValue memref) {
  return convert_value(b, "memref.extract_aligned_pointer_as_index", memref, type_index(b));
}

MlirValue memref_pointer(builder *b, MlirValue memref) {
  MlirValue address = index_cast(b, address_of(b, memref), type_i(b, 64));
  return convert_value(b, "llvm.inttoptr", address, type_ptr(b));
}

MlirValue begins_line(builder *b, MlirValue memref, MlirValue i, int64_t element_bytes) {
  MlirValue bytes = mul(b, i, constant_index(b, element_bytes));
  MlirValue address = add(b, address_of(b, memref), bytes);
  MlirValue within = and_i(b, address, constant_index(b, LINE_BYTES - 1));
  return equal(b, within, constant_index(b, 0));
}

void fence(builder *b) {
  enum { ALL_IN_ORDER = 7 }; /* llvm.fence's number of it */
  MlirNamedAttribute order = named(b, "ordering", mlirIntegerAttrGet(type_i(b, 64), ALL_IN_ORDER));
  make_op(b, "llvm.fence", 0, NULL, 0, NULL, 1, &order);
}

/* ---- Elements ----------------------------------------------------------------------------- */

/* In llvm.getelementptr: an index that is an operand. */
enum { DYNAMIC_INDEX = INT32_MIN };

MlirValue element_pointer(builder *b, MlirValue ptr, MlirValue i, MlirType type) {
  const int32_t dynamic[] = {DYNAMIC_INDEX};
  MlirValue operands[] = {ptr, index_cast(b, i, type_i(b, 64))};
  MlirType result = type_ptr(b);
  MlirNamedAttribute attributes[] = {
      named(b, "elem_type", mlirTypeAttrGet(type)),
      named(b, "rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, dynamic)),
  };
  return op_result(make_op(b, "llvm.getelementptr", 2, operands, 1, &result, 2, attributes), 0);
}

/* LLVM has no complex type of its own: those go by a memref. */
static MlirValue element_memref(builder *b, MlirValue ptr, MlirValue i, MlirType type) {
  return memref_from_pointer(b, ptr, add(b, i, constant_index(b, 1)), type);
}

MlirValue load_element(builder *b, MlirValue ptr, MlirValue i, MlirType type) {
  if (type_is_complex(type))
    return load(b, element_memref(b, ptr, i, type), i);
  return load_field(b, element_pointer(b, ptr, i, type), 0, type);
}

void store_element(builder *b, MlirValue value, MlirValue ptr, MlirValue i) {
  MlirType type = mlirValueGetType(value);
  if (type_is_complex(type))
    store(b, value, element_memref(b, ptr, i, type), i);
  else
    store_field(b, value, element_pointer(b, ptr, i, type), 0);
}

/* ---- The module --------------------------------------------------------------------------- */

static MlirAttribute attribute_of(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, text_of(name));
}

static MlirOperation first_in_module(const builder *b) {
  MlirOperation module = builder_module(b);
  if (mlirOperationIsNull(module))
    return module;
  return mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(module)));
}

static bool module_has_symbol(const builder *b, const char *name) {
  for (MlirOperation op = first_in_module(b); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = attribute_of(op, "sym_name");
    if (mlirAttributeIsAString(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), text_of(name)))
      return true;
  }
  return false;
}

/* Where declarations go: at the end of the module. */
static place enter_module(builder *b) {
  place here = b->at;
  MlirOperation module = builder_module(b);
  b->at = (place){.block = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(module))};
  return here;
}

/* What LLVM is told of a function: it does not throw; it may be cold. */
static MlirAttribute function_traits(builder *b, bool seldom) {
  MlirAttribute traits[] = {mlirStringAttrGet(b->context, text_of("nounwind")),
                            mlirStringAttrGet(b->context, text_of("cold"))};
  return mlirArrayAttrGet(b->context, seldom ? 2 : 1, traits);
}

static void declare_function(builder *b, const char *name, MlirType type, bool seldom) {
  place here = enter_module(b);
  MlirNamedAttribute attributes[] = {
      named(b, "sym_name", mlirStringAttrGet(b->context, text_of(name))),
      named(b, "sym_visibility", mlirStringAttrGet(b->context, text_of("private"))),
      named(b, "function_type", mlirTypeAttrGet(type)),
      named(b, "passthrough", function_traits(b, seldom)),
  };
  MlirRegion body = mlirRegionCreate();
  make_region_op(b, "func.func", 0, NULL, 0, NULL, 4, attributes, 1, &body);
  b->at = here;
}

static MlirValue call_declared(builder *b, const char *name, MlirType result, intptr_t count,
                               const MlirValue *arguments, bool seldom) {
  int result_count = !mlirTypeIsNull(result);
  arena *memory = arena_create();
  MlirType *inputs = ARENA_ARRAY(memory, MlirType, count + 1);
  for (intptr_t i = 0; i < count; i++)
    inputs[i] = mlirValueGetType(arguments[i]);
  if (!module_has_symbol(b, name))
    declare_function(b, name, mlirFunctionTypeGet(b->context, count, inputs, result_count, &result),
                     seldom);
  arena_free(memory);
  MlirNamedAttribute attributes[] = {
      named(b, "callee", mlirFlatSymbolRefAttrGet(b->context, text_of(name)))};
  MlirOperation op =
      make_op(b, "func.call", count, arguments, result_count, &result, 1, attributes);
  return result_count ? op_result(op, 0) : (MlirValue){NULL};
}

MlirValue call(builder *b, const char *name, MlirType result, intptr_t count,
               const MlirValue *arguments) {
  return call_declared(b, name, result, count, arguments, false);
}

MlirValue call_seldom(builder *b, const char *name, MlirType result, intptr_t count,
                      const MlirValue *arguments) {
  return call_declared(b, name, result, count, arguments, true);
}

/* The name of the global that holds `value`, or null; counts the texts before it. */
static MlirAttribute find_text(const builder *b, MlirAttribute value, int *count) {
  *count = 0;
  for (MlirOperation op = first_in_module(b); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (!mlirStringRefEqual(name, text_of("llvm.mlir.global")))
      continue;
    if (mlirAttributeEqual(attribute_of(op, "value"), value))
      return attribute_of(op, "sym_name");
    ++*count;
  }
  return mlirAttributeGetNull();
}

static MlirAttribute make_text(builder *b, MlirAttribute value, size_t length, int number) {
  place here = enter_module(b);
  char *name = arena_format(b->memory, "lac_text_%d", number);
  MlirAttribute symbol = mlirStringAttrGet(b->context, text_of(name));
  MlirType type = mlirLLVMArrayTypeGet(type_i(b, 8), (unsigned)length);
  MlirNamedAttribute attributes[] = {
      named(b, "sym_name", symbol),
      named(b, "global_type", mlirTypeAttrGet(type)),
      named(b, "linkage", mlirLLVMLinkageAttrGet(b->context, MlirLLVMLinkageInternal)),
      named(b, "constant", mlirUnitAttrGet(b->context)),
      named(b, "value", value),
      named(b, "addr_space", mlirIntegerAttrGet(type_i(b, 32), 0)),
  };
  MlirRegion initializer = mlirRegionCreate();
  make_region_op(b, "llvm.mlir.global", 0, NULL, 0, NULL, 6, attributes, 1, &initializer);
  b->at = here;
  return symbol;
}

MlirValue constant_text(builder *b, const char *text) {
  size_t length = strlen(text) + 1;
  MlirAttribute value = mlirStringAttrGet(b->context, mlirStringRefCreate(text, length));
  int number;
  MlirAttribute symbol = find_text(b, value, &number);
  if (mlirAttributeIsNull(symbol))
    symbol = make_text(b, value, length, number);
  MlirType type = type_ptr(b);
  MlirNamedAttribute attributes[] = {named(
      b, "global_name", mlirFlatSymbolRefAttrGet(b->context, mlirStringAttrGetValue(symbol)))};
  return op_result(make_op(b, "llvm.mlir.addressof", 0, NULL, 1, &type, 1, attributes), 0);
}
