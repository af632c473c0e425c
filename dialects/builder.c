/* builder.c - places of insertion, operations, types and constants. */
#include "builder.h"

#include "builder_state.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/Dialect/Complex.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdarg.h>
#include <stdio.h>

builder *builder_create(MlirContext context, MlirLocation location) {
  arena *memory = arena_create();
  builder *b = arena_alloc(memory, sizeof *b);
  b->memory = memory;
  b->context = context;
  b->location = location;
  return b;
}

void builder_free(builder *b) {
  if (b)
    arena_free(b->memory);
}

MlirContext builder_context(const builder *b) {
  return b->context;
}
MlirLocation builder_location(const builder *b) {
  return b->location;
}
void builder_set_location(builder *b, MlirLocation location) {
  b->location = location;
}

void builder_error(builder *b, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  mlirEmitError(b->location, message);
  b->failed = true;
}

bool builder_failed(const builder *b) {
  return b->failed;
}

/* ---- Places ------------------------------------------------------------------------------- */

void builder_at_end(builder *b, MlirBlock block) {
  b->at = (place){.block = block, .before = mlirBlockGetTerminator(block)};
}

void builder_before(builder *b, MlirOperation op) {
  b->at = (place){.block = mlirOperationGetBlock(op), .before = op};
}

MlirBlock builder_block(const builder *b) {
  return b->at.block;
}

MlirOperation builder_module(const builder *b) {
  MlirOperation op = mlirBlockGetParentOperation(builder_attached_block(b));
  while (!mlirOperationIsNull(op)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("builtin.module")))
      break;
    op = mlirOperationGetParentOperation(op);
  }
  return op;
}

/* ---- Operations --------------------------------------------------------------------------- */

MlirOperation insert_op(builder *b, MlirOperation op) {
  if (mlirOperationIsNull(b->at.before))
    mlirBlockAppendOwnedOperation(b->at.block, op);
  else
    mlirBlockInsertOwnedOperationBefore(b->at.block, b->at.before, op);
  return op;
}

MlirOperation make_region_op(builder *b, const char *name, intptr_t operand_count,
                             const MlirValue *operands, intptr_t result_count,
                             const MlirType *results, intptr_t attribute_count,
                             const MlirNamedAttribute *attributes, intptr_t region_count,
                             const MlirRegion *regions) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), b->location);
  mlirOperationStateAddOperands(&state, operand_count, operands);
  mlirOperationStateAddResults(&state, result_count, results);
  mlirOperationStateAddAttributes(&state, attribute_count, attributes);
  mlirOperationStateAddOwnedRegions(&state, region_count, regions);
  return insert_op(b, mlirOperationCreate(&state));
}

MlirOperation make_op(builder *b, const char *name, intptr_t operand_count,
                      const MlirValue *operands, intptr_t result_count, const MlirType *results,
                      intptr_t attribute_count, const MlirNamedAttribute *attributes) {
  return make_region_op(b, name, operand_count, operands, result_count, results, attribute_count,
                        attributes, 0, NULL);
}

MlirOperation make_op_at_end(builder *b, MlirBlock block, const char *name, intptr_t operand_count,
                             const MlirValue *operands) {
  place here = b->at;
  b->at = (place){.block = block};
  MlirOperation op = make_op(b, name, operand_count, operands, 0, NULL, 0, NULL);
  b->at = here;
  return op;
}

MlirNamedAttribute named(builder *b, const char *name, MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(b->context, mlirStringRefCreateFromCString(name)),
                               attribute);
}

MlirValue op_result(MlirOperation op, intptr_t i) {
  return mlirOperationGetResult(op, i);
}

/* ---- Types -------------------------------------------------------------------------------- */

MlirType type_index(const builder *b) {
  return mlirIndexTypeGet(b->context);
}
MlirType type_i(const builder *b, unsigned width) {
  return mlirIntegerTypeGet(b->context, width);
}
MlirType type_ptr(const builder *b) {
  return mlirLLVMPointerTypeGet(b->context, 0);
}

MlirType type_memref(const builder *b, MlirType element) {
  int64_t shape[] = {mlirShapedTypeGetDynamicSize()};
  (void)b;
  return mlirMemRefTypeContiguousGet(element, 1, shape, mlirAttributeGetNull());
}

bool type_is_float(MlirType type) {
  return mlirTypeIsAFloat(type);
}
bool type_is_integer(MlirType type) {
  return mlirTypeIsAInteger(type);
}
bool type_is_complex(MlirType type) {
  return mlirTypeIsAComplex(type);
}

int64_t type_bytes(MlirType type) {
  if (type_is_complex(type))
    return 2 * type_bytes(mlirComplexTypeGetElementType(type));
  unsigned bits = type_is_float(type) ? mlirFloatTypeGetWidth(type) : mlirIntegerTypeGetWidth(type);
  return (bits + 7) / 8;
}

/* ---- Constants ---------------------------------------------------------------------------- */

static MlirValue constant_of(builder *b, const char *op, MlirType type, MlirAttribute value) {
  MlirNamedAttribute attributes[] = {named(b, "value", value)};
  return op_result(make_op(b, op, 0, NULL, 1, &type, 1, attributes), 0);
}

static MlirAttribute real_attribute(builder *b, MlirType type, double x) {
  if (type_is_float(type))
    return mlirFloatAttrDoubleGet(b->context, type, x);
  return mlirIntegerAttrGet(type, (int64_t)x);
}

static MlirValue complex_constant(builder *b, MlirType type, double real, double imaginary) {
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirAttribute parts[] = {real_attribute(b, part, real), real_attribute(b, part, imaginary)};
  return constant_of(b, "complex.constant", type, mlirArrayAttrGet(b->context, 2, parts));
}

MlirValue constant_attr(builder *b, MlirAttribute typed) {
  MlirType type = mlirAttributeGetType(typed);
  if (mlirAttributeIsAComplex(typed))
    return complex_constant(b, type, mlirComplexAttrGetRealDouble(typed),
                            mlirComplexAttrGetImagDouble(typed));
  return constant_of(b, "arith.constant", type, typed);
}

MlirValue constant_index(builder *b, int64_t x) {
  return constant_attr(b, mlirIntegerAttrGet(type_index(b), x));
}

MlirValue constant_bool(builder *b, bool x) {
  return constant_attr(b, mlirIntegerAttrGet(type_i(b, 1), x));
}

MlirValue constant_integer(builder *b, MlirType type, int64_t x) {
  return constant_attr(b, mlirIntegerAttrGet(type, x));
}

MlirValue constant_scalar(builder *b, MlirType type, double x) {
  if (type_is_complex(type))
    return complex_constant(b, type, x, 0);
  return constant_attr(b, real_attribute(b, type, x));
}

static MlirAttribute integer_constant(MlirValue v) {
  if (!mlirValueIsAOpResult(v))
    return mlirAttributeGetNull();
  MlirOperation op = mlirOpResultGetOwner(v);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString("arith.constant")))
    return mlirAttributeGetNull();
  MlirAttribute value =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("value"));
  return mlirAttributeIsAInteger(value) ? value : mlirAttributeGetNull();
}

bool value_is_constant_index(MlirValue v, int64_t *x) {
  if (mlirValueIsNull(v) || !mlirTypeIsAIndex(mlirValueGetType(v)))
    return false;
  MlirAttribute value = integer_constant(v);
  if (mlirAttributeIsNull(value))
    return false;
  *x = mlirIntegerAttrGetValueInt(value);
  return true;
}
