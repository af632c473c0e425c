/* lower-arrays.c - Lower arrays of stored tensors to loads from their handles.
 *
 *     sit.array %A level 1 slot 0     the lac_array at A->levels[1].array[0]
 *     sit.values %A                   the lac_array A->values
 *     sit.memory %p[%n]               a pointer and a length
 *
 * become memrefs made of the data and the length there (lac_tensor.h draws the fields).
 */
#include "bridge.h"
#include "builder.h"
#include "ir.h"
#include "lac_tensor.h"
#include "sit.h"

#include <mlir-c/BuiltinTypes.h>
#include <stddef.h>

/* The memref of the lac_array at `offset` of `base`. */
static MlirValue array_at(builder *b, MlirValue base, int64_t offset, MlirType element) {
  int64_t data = offset + (int64_t)offsetof(lac_array, data);
  int64_t length = offset + (int64_t)offsetof(lac_array, length);
  MlirValue pointer = load_field(b, base, data, type_ptr(b));
  MlirValue count = load_field(b, base, length, type_index(b));
  return memref_from_pointer(b, pointer, count, element);
}

static MlirType element_of(MlirOperation op) {
  return mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static MlirValue lower_array(builder *b, MlirOperation op) {
  int64_t level = sit_op_level(op), slot = sit_array_slot(op);
  int64_t offset = level * (int64_t)sizeof(lac_level) + (int64_t)offsetof(lac_level, array) +
                   slot * (int64_t)sizeof(lac_array);
  MlirValue handle = sit_op_handle(op);
  MlirValue levels = load_field(b, handle, offsetof(lac_tensor, levels), type_ptr(b));
  return array_at(b, levels, offset, element_of(op));
}

static MlirValue lower_values(builder *b, MlirOperation op) {
  return array_at(b, sit_op_handle(op), offsetof(lac_tensor, values), element_of(op));
}

static MlirValue lower_memory(builder *b, MlirOperation op) {
  return memref_from_pointer(b, sit_memory_pointer(op), sit_memory_length(op), element_of(op));
}

static const struct {
  op_kind *is;
  MlirValue (*lower)(builder *b, MlirOperation op);
} table[] = {
    {sit_is_array, lower_array}, {sit_is_values, lower_values}, {sit_is_memory, lower_memory}};

static void lower_as(MlirOperation op, MlirValue (*lower)(builder *b, MlirOperation op)) {
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  builder_before(b, op);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), lower(b, op));
  builder_free(b);
  mlirOperationDestroy(op);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].is(op)) {
      lower_as(op, table[i].lower);
      break;
    }
  return MlirWalkResultAdvance;
}

int lower_arrays_run(MlirOperation module, const struct lower_arrays_options *options) {
  (void)options;
  mlirOperationWalk(module, visit, NULL, MlirWalkPostOrder);
  return 0;
}
