/* handle_ops.c - operations on stored tensors outside of kernels, as calls of the runtime and
 * accesses of a handle's fields (lac_tensor.h). */
#include "handles.h"

#include "ir.h"
#include "lac_tensor.h"
#include "storage.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stddef.h>

const tensor_format *handle_format(activation *a, const handle_op *h, MlirType type) {
  return tensor_format_get(a->memory, type, mlirOperationGetLocation(h->op));
}

const tensor_format *handle_plain_format(activation *a, const handle_op *h, MlirType type) {
  const tensor_format *format = handle_format(a, h, type);
  if (!format || tensor_format_is_plain(format))
    return format;
  error_at(h->op, "'%.*s' expected levels that hold plain dimensions", TEXT(op_name(h->op)));
  return NULL;
}

static MlirValue file_name(activation *a, MlirOperation op) {
  MlirStringRef file = op_text(op, "file");
  builder_before(a->b, op);
  return constant_text(a->b, arena_text(a->memory, file.data, file.length));
}

MlirValue handle_level_dimensions(activation *a, const tensor_format *format) {
  int64_t *dimensions = ARENA_ARRAY(a->memory, int64_t, format->level_count + 1);
  for (int l = 0; l < format->level_count; l++)
    dimensions[l] = format->levels[l].dimension;
  return activation_constants(a, format->level_count, dimensions);
}

/* Entries come as the file has them. */
static bool takes_any_order(const tensor_format *format) {
  for (int l = 0; l < format->level_count; l++)
    if (format->levels[l].properties & (LEVEL_ORDERED | LEVEL_UNIQUE))
      return false;
  return true;
}

/* Static dimensions are asked for, others are the file's. */
bool handle_read(activation *a, const handle_op *h) {
  const tensor_format *format = handle_plain_format(a, h, h->result);
  if (!format)
    return false;
  if (!takes_any_order(format))
    return error_at(h->op, "'tin.read' expected a list of entries in any order, as "
                           "tin-lower-conversions leaves it");
  int64_t *dimensions = ARENA_ARRAY(a->memory, int64_t, format->order + 1);
  for (int d = 0; d < format->order; d++)
    dimensions[d] =
        mlirShapedTypeIsDynamicDim(h->result, d) ? 0 : mlirShapedTypeGetDimSize(h->result, d);
  MlirValue sizes = activation_constants(a, format->order, dimensions);
  MlirValue levels = handle_level_dimensions(a, format);
  MlirValue file = file_name(a, h->op);
  MlirValue signature = constant_text(a->b, storage_signature(a->memory, format));
  MlirValue arguments[] = {activation_destination(a, h->op, 0), file, signature, sizes, levels};
  activation_call(a, h->op, "lac_program_read", 5, arguments);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(h->op, 0), arguments[0]);
  return true;
}

bool handle_write(activation *a, const handle_op *h) {
  const tensor_format *format = handle_plain_format(a, h, h->operand);
  if (!format)
    return false;
  MlirValue levels = handle_level_dimensions(a, format);
  MlirValue arguments[] = {mlirOperationGetOperand(h->op, 0), file_name(a, h->op), levels};
  activation_call(a, h->op, "lac_program_write", 3, arguments);
  return true;
}

bool handle_print(activation *a, const handle_op *h) {
  const tensor_format *format = handle_plain_format(a, h, h->operand);
  if (!format)
    return false;
  MlirValue arguments[] = {mlirOperationGetOperand(h->op, 0), handle_level_dimensions(a, format)};
  activation_call(a, h->op, "lac_program_print", 2, arguments);
  return true;
}

static MlirValue dimension_number(activation *a, MlirOperation op, const char *name) {
  return index_cast(a->b, constant_index(a->b, op_integer(op, name, 0)), type_i(a->b, 64));
}

bool handle_match(activation *a, const handle_op *h) {
  MlirStringRef variable = op_text(h->op, "variable");
  builder_before(a->b, h->op);
  MlirValue name = constant_text(a->b, arena_text(a->memory, variable.data, variable.length));
  MlirValue expected = dimension_number(a, h->op, "expected_dimension");
  MlirValue found = dimension_number(a, h->op, "found_dimension");
  MlirValue arguments[] = {name, mlirOperationGetOperand(h->op, 0), expected,
                           mlirOperationGetOperand(h->op, 1), found};
  activation_call(a, h->op, "lac_program_match", 5, arguments);
  return true;
}

bool handle_require_equal(activation *a, const handle_op *h) {
  MlirStringRef reason = op_text(h->op, "reason");
  builder_before(a->b, h->op);
  MlirValue arguments[] = {mlirOperationGetOperand(h->op, 0), mlirOperationGetOperand(h->op, 1),
                           constant_text(a->b, arena_text(a->memory, reason.data, reason.length))};
  activation_call(a, h->op, "lac_program_require_equal", 3, arguments);
  return true;
}

/* Whether nothing has failed before, and there is a tensor to look at. */
static MlirValue is_there(activation *a, MlirOperation op) {
  MlirValue arguments[] = {activation_frame(a), mlirOperationGetOperand(op, 0)};
  builder_before(a->b, op);
  return call(a->b, "lac_frame_takes", type_i(a->b, 1), 2, arguments);
}

/* The value that `make` gives, or 0 where something failed before or there is no tensor. */
static void replace_guarded(activation *a, MlirOperation op,
                            MlirValue (*make)(activation *a, MlirOperation op)) {
  builder *b = a->b;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirValue ok = is_there(a, op);
  builder_before(b, op);
  int mark = var_mark(b);
  variable v =
      var_make(b, mlirTypeIsAIndex(type) ? constant_index(b, 0) : constant_scalar(b, type, 0));
  if_begin(b, ok);
  var_set(b, v, make(a, op));
  if_end(b);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), var_get(b, v));
  var_release(b, mark);
}

static MlirValue dimension_at(activation *a, MlirValue tensor, MlirValue d) {
  builder *b = a->b;
  MlirValue sizes = load_field(b, tensor, offsetof(lac_tensor, dimensions), type_ptr(b));
  MlirValue all = memref_from_pointer(b, sizes, constant_index(b, 1), type_i(b, 64));
  return index_cast(b, load(b, all, d), type_index(b));
}

static MlirValue make_dim(activation *a, MlirOperation op) {
  return dimension_at(a, mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1));
}

bool handle_dim(activation *a, const handle_op *h) {
  replace_guarded(a, h->op, make_dim);
  return true;
}

/* Row-major: ((i0 * n1 + i1) * n2 + i2) ... */
static MlirValue make_extract(activation *a, MlirOperation op) {
  builder *b = a->b;
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  MlirType element = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirValue place = constant_index(b, 0);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue size = dimension_at(a, tensor, constant_index(b, i - 1));
    place = add(b, mul(b, place, size), mlirOperationGetOperand(op, i));
  }
  MlirValue data =
      load_field(b, tensor, offsetof(lac_tensor, values) + offsetof(lac_array, data), type_ptr(b));
  return load(b, memref_from_pointer(b, data, constant_index(b, 1), element), place);
}

bool handle_extract(activation *a, const handle_op *h) {
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(h->operand)))
    return error_at(h->op, "'tensor.extract' expected a dense tensor, found one with a format");
  replace_guarded(a, h->op, make_extract);
  return true;
}
