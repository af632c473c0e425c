/* storage_atomics.c - values reduced by several threads at once.
 *
 *     by instruction   where LLVM has one for the reduction and the type, which is not narrow
 *     by trying        else: the bits are combined and exchanged until no other thread came between
 *     by parts         a sum of complex numbers: real and imaginary parts are two sums
 */
#include "storage_state.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* The numbers of memref.atomic_rmw's kinds that are instructions. */
enum { ADDF = 0, ADDI = 1, ANDI = 2, MAXS = 6, MINS = 10, ORI = 14, XORI = 15, NONE = -1 };

typedef struct instruction {
  int on_floats, on_integers;
} instruction;

static const instruction instructions[] = {[TIN_NO_REDUCTION] = {NONE, NONE},
                                           [TIN_ADD] = {ADDF, ADDI},
                                           [TIN_MUL] = {NONE, NONE},
                                           [TIN_MIN] = {NONE, MINS},
                                           [TIN_MAX] = {NONE, MAXS},
                                           [TIN_AND] = {NONE, ANDI},
                                           [TIN_OR] = {NONE, ORI},
                                           [TIN_XOR] = {NONE, XORI}};

static int find_instruction(tin_reduction kind, MlirType type) {
  if (type_is_float(type) && mlirFloatTypeGetWidth(type) < 32)
    return NONE;
  return type_is_float(type) ? instructions[kind].on_floats : instructions[kind].on_integers;
}

static MlirValue by_instruction(builder *b, int number, MlirValue value, MlirValue memref,
                                MlirValue i) {
  MlirValue operands[] = {value, memref, i};
  MlirType type = mlirValueGetType(value);
  MlirNamedAttribute attributes[] = {named(b, "kind", mlirIntegerAttrGet(type_i(b, 64), number))};
  return op_result(make_op(b, "memref.atomic_rmw", 3, operands, 1, &type, 1, attributes), 0);
}

static MlirValue bitcast(builder *b, MlirValue v, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(v), type))
    return v;
  return convert_value(b, "arith.bitcast", v, type);
}

/* The body of a memref.generic_atomic_rmw: the bits found in, the bits to put there out. */
static MlirRegion trying_body(builder *b, tin_reduction kind, MlirValue value, MlirType bits) {
  MlirLocation location = builder_location(b);
  MlirBlock block = mlirBlockCreate(1, &bits, &location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  builder *inside = builder_create(builder_context(b), location);
  builder_at_end(inside, block);
  MlirValue found = bitcast(inside, mlirBlockGetArgument(block, 0), mlirValueGetType(value));
  MlirValue sum = bitcast(inside, combine(inside, kind, found, value, true), bits);
  make_op(inside, "memref.atomic_yield", 1, &sum, 0, NULL, 0, NULL);
  builder_free(inside);
  return region;
}

static void by_trying(builder *b, tin_reduction kind, MlirValue value, MlirValue memref,
                      MlirValue i) {
  MlirType bits = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  MlirRegion body = trying_body(b, kind, value, bits);
  MlirValue operands[] = {memref, i};
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("memref.generic_atomic_rmw"), builder_location(b));
  mlirOperationStateAddOperands(&state, 2, operands);
  mlirOperationStateAddResults(&state, 1, &bits);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  insert_op(b, mlirOperationCreate(&state));
}

/* The values as `times` elements of another type for each. */
static MlirValue values_as(storage *s, MlirType element, int times) {
  builder *b = s->b;
  MlirValue length = mul(b, s->positions, constant_index(b, times));
  return memory_at(s, s->values.pointer, length, element);
}

static MlirValue part_of(builder *b, const char *op, MlirValue value) {
  MlirType part = mlirComplexTypeGetElementType(mlirValueGetType(value));
  return convert_value(b, op, value, part);
}

static void by_parts(storage *s, MlirValue value, MlirValue i) {
  builder *b = s->b;
  MlirType part = mlirComplexTypeGetElementType(mlirValueGetType(value));
  MlirValue parts = values_as(s, part, 2);
  MlirValue real = mul(b, i, constant_index(b, 2));
  by_instruction(b, ADDF, part_of(b, "complex.re", value), parts, real);
  MlirValue imaginary = add(b, real, constant_index(b, 1));
  by_instruction(b, ADDF, part_of(b, "complex.im", value), parts, imaginary);
}

static void refuse(storage *s, const char *expected, const char *found) {
  builder_error(s->b, "expected %s where threads accumulate into '%s' at once, found %s", expected,
                s->name, found);
}

void storage_accumulate_atomic(storage *s, tin_reduction kind, MlirValue value, MlirValue i) {
  MlirType type = mlirValueGetType(value);
  int number = find_instruction(kind, type);
  if (mlirValueIsNull(s->values.pointer))
    refuse(s, "values that do not move", "values that grow");
  else if (type_is_complex(type) && kind != TIN_ADD)
    refuse(s, "the sum of complex numbers", tinReductionName(kind));
  else if (type_is_complex(type))
    by_parts(s, value, i);
  else if (number != NONE)
    by_instruction(s->b, number, value, s->values.fixed, i);
  else if (type_is_float(type))
    by_trying(s->b, kind, value, values_as(s, type_i(s->b, mlirFloatTypeGetWidth(type)), 1), i);
  else
    by_trying(s->b, kind, value, s->values.fixed, i);
}

/* Hardly any is stored: a look comes before an exchange. */
void scratch_raise(storage *s, const scratch_memory *scratch, MlirValue i, MlirValue value) {
  builder *b = s->b;
  MlirValue there = element_pointer(b, scratch_pointer(s, scratch), i, scratch->element);
  if_begin(b, less(b, load_shared(b, there, scratch->element), value));
  by_instruction(b, MAXS, value, scratch->elements, i);
  if_end(b);
}

bool storage_is_at_once(const storage *s) {
  return s->plan.role == STORAGE_AT_ONCE;
}

MlirValue stored_array_count(storage *s, const stored_array *array, MlirValue i) {
  MlirValue one = constant_integer(s->b, array->element, 1);
  return by_instruction(s->b, ADDI, one, array->fixed, i);
}
